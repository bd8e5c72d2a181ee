//! Settings of the business that the dossier explains itself by, as they were at a position: limit rules, chosen lists with
//! their thresholds, own lists.

use super::{DossierAct, names::Names};
use crate::{
    limit::{PublicLimitNeed, PublicLimitOutcome, PublicLimitSide, PublicLimitWindow},
    refs::Ref,
    scalar::Money,
};
use caudal_domain::{Event, TenantEvent, customer::OwnList, limits::LimitRule};
use caudal_journal::Recorded;
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// A limit rule as it was when it held a remittance.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierLimitRule {
    /// Id of the rule.
    pub id: Uuid,
    /// Who set the rule as it was then, and when.
    pub set: DossierAct,
    /// The customer whose sales it adds up.
    pub side: PublicLimitSide,
    /// Window of the sum: one sale, or a number of days.
    pub window: PublicLimitWindow,
    /// Payment groups whose sales count; empty for all.
    pub payment_groups: Vec<Ref>,
    /// Largest sum of amounts sent, in USD; null for any.
    pub amount: Option<Money>,
    /// Largest number of remittances; null for any.
    pub count: Option<u32>,
    /// Outcome for a sale beyond the limit.
    pub outcome: PublicLimitOutcome,
    /// Requirements for such a sale.
    pub needs: Vec<PublicLimitNeed>,
}

/// A list that the customer was compared with.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierList {
    /// Name of the list.
    pub name: String,
    /// Version: the start of the SHA-256 of its entries, in hexadecimal.
    pub version: String,
    /// Least likeness of a candidate in percent; null where the log has none.
    pub threshold: Option<u8>,
    /// Who loaded this version of a list of the business itself, and when; null for a list of the operator.
    pub loaded: Option<DossierAct>,
    /// Number of entries of a list of the business itself; null for a list of the operator.
    pub entries: Option<u32>,
}

/// The tenant's own stream up to the export.
pub(super) struct Settings(pub(super) Vec<Recorded>);

impl Settings {
    /// Events before a position, the last one first.
    fn before(&self, position: i64) -> impl Iterator<Item = &Recorded> {
        self.0.iter().rev().filter(move |recorded| recorded.position < position)
    }

    /// A rule as it was at a position, with the event that set it.
    fn rule(&self, id: Uuid, position: i64) -> Option<(&Recorded, &LimitRule)> {
        self.before(position).find_map(|recorded| match &recorded.event {
            Event::Tenant(TenantEvent::LimitRuleSet(rule)) if rule.id.0 == id => Some((recorded, rule)),
            _ => None,
        })
    }

    /// Notes whom rules and lists name.
    pub(super) fn note(&self, names: &mut Names) {
        for recorded in &self.0 {
            match &recorded.event {
                Event::Tenant(TenantEvent::LimitRuleSet(rule)) => names.note_rule(recorded, rule),
                Event::Tenant(TenantEvent::OwnListLoaded(_)) => names.note_in(recorded),
                _ => {}
            }
        }
    }

    pub(super) fn limit_rule(&self, id: Uuid, position: i64, names: &Names) -> Option<DossierLimitRule> {
        let (recorded, rule) = self.rule(id, position)?;
        Some(DossierLimitRule {
            id,
            set: names.act(recorded),
            side: rule.side.into(),
            window: rule.window.into(),
            payment_groups: rule.groups.iter().map(|group| names.of(group.0)).collect(),
            amount: rule.amount.map(Money::from),
            count: rule.count,
            outcome: rule.outcome.into(),
            needs: rule.needs.iter().map(|need| (*need).into()).collect(),
        })
    }

    /// Lists by name and version, as a comparison at a position used them.
    pub(super) fn lists(&self, searched: &BTreeMap<String, String>, position: i64, names: &Names) -> Vec<DossierList> {
        let chosen = self.before(position).find_map(|recorded| match &recorded.event {
            Event::Tenant(TenantEvent::ScreeningSet(rule)) => Some(&rule.lists),
            _ => None,
        });
        let lists = searched.iter().map(|(name, version)| {
            let own = self.own_list(name, version, position);
            DossierList {
                name: name.clone(),
                version: version.clone(),
                threshold: chosen.and_then(|chosen| chosen.get(name).copied()),
                loaded: own.map(|(recorded, _)| names.act(recorded)),
                entries: own.map(|(_, list)| list.entries),
            }
        });
        lists.collect()
    }

    /// The load of a version of an own list. A comparison names the start of the version.
    fn own_list(&self, name: &str, version: &str, position: i64) -> Option<(&Recorded, &OwnList)> {
        self.before(position).find_map(|recorded| match &recorded.event {
            Event::Tenant(TenantEvent::OwnListLoaded(list))
                if list.name == name && list.version.starts_with(version) =>
            {
                Some((recorded, list))
            }
            _ => None,
        })
    }
}
