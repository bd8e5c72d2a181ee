//! Comparisons of the customer with lists, and what reviewers decided of them.

use super::{
    DossierApproval,
    names::Names,
    settings::{DossierList, Settings},
};
use crate::{refs::HistoryActor, screening::PublicPairOutcome};
use caudal_domain::{
    Event,
    customer::{CustomerEvent, ListedPerson, PairOutcome, ScreeningCandidate},
};
use caudal_journal::Recorded;
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

/// A comparison of the customer with lists.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierScreening {
    /// Position of the event in the log.
    pub position: i64,
    /// When it was recorded.
    pub at: DateTime<Utc>,
    /// Whether the customer was in review afterwards.
    pub in_review: bool,
    /// Version of each list that was searched: the start of the SHA-256 of its entries, in hexadecimal.
    pub lists: BTreeMap<String, String>,
    /// Listed persons whom the customer is like and of whom nothing was decided; null after erasure.
    pub candidates: Option<Vec<DossierCandidate>>,
    /// The lists with their thresholds; absent in exports of the first content.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub searched: Vec<DossierList>,
}

/// A listed person whom the customer is like.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierCandidate {
    /// Name of the list.
    pub list: String,
    /// Identifier within the list.
    pub entry: String,
    /// The listed name that is most similar.
    pub name: String,
    /// Likeness in percent.
    pub score: u8,
}

/// A reviewer's decision about a pair of the customer and a listed person.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierPairDecision {
    /// Position of the event in the log.
    pub position: i64,
    /// When it was decided.
    pub at: DateTime<Utc>,
    /// Who decided it; of a decision that waited for an approval, who proposed it.
    pub by: HistoryActor,
    /// Who approved it; absent where it took effect at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub approval: Option<DossierApproval>,
    /// Whether they are the same person.
    pub outcome: PublicPairOutcome,
    /// Whether the customer was in review afterwards.
    pub in_review: bool,
    /// Name of the list; null after erasure.
    pub list: Option<String>,
    /// Identifier within the list; null after erasure.
    pub entry: Option<String>,
    /// Reason given; null after erasure.
    pub reason: Option<String>,
    /// The listed person as it was when decided; absent after erasure, in decisions older than this field, and where the list no
    /// longer had the entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub listed: Option<DossierListedPerson>,
}

/// A listed person as published, in the words that the reviewer read.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct DossierListedPerson {
    /// Name and aliases.
    pub names: Vec<String>,
    /// Documents, with type and country as far as the list says them.
    pub documents: Vec<String>,
    /// Days, years or ranges of days.
    pub born: Vec<String>,
    /// Countries that the list names.
    pub countries: Vec<String>,
    /// Programs of the list.
    pub programs: Vec<String>,
}

impl From<&ListedPerson> for DossierListedPerson {
    fn from(listed: &ListedPerson) -> Self {
        let of = listed.clone();
        Self {
            names: of.names,
            documents: of.documents,
            born: of.born,
            countries: of.countries,
            programs: of.programs,
        }
    }
}

/// An entry of a list that the customer is like, as of a moment.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct DossierEntry {
    /// Name of the list.
    pub list: String,
    /// Version of the list: the start of the SHA-256 of its entries; null where the log has none.
    pub version: Option<String>,
    /// Identifier within the list.
    pub entry: String,
    /// The listed name that was most similar; null where the decision alone is known.
    pub name: Option<String>,
    /// Likeness in percent; null where the decision alone is known.
    pub score: Option<u8>,
    /// Position of the comparison that found it, or of the decision that they are the same person.
    pub position: i64,
}

pub(super) fn screenings(customer: &[Recorded], settings: &Settings, names: &Names) -> Vec<DossierScreening> {
    let screenings = customer.iter().filter_map(|recorded| {
        let Event::Customer(CustomerEvent::CustomerScreened(screened)) = &recorded.event else {
            return None;
        };
        let candidate = |of: &ScreeningCandidate| DossierCandidate {
            list: of.list.clone(),
            entry: of.entry.clone(),
            name: of.name.clone(),
            score: of.score,
        };
        let findings = screened.personal.get();
        Some(DossierScreening {
            position: recorded.position,
            at: recorded.recorded_at,
            in_review: screened.in_review,
            lists: screened.lists.clone(),
            candidates: findings.map(|findings| findings.candidates.iter().map(candidate).collect()),
            searched: settings.lists(&screened.lists, recorded.position, names),
        })
    });
    screenings.collect()
}

pub(super) fn pair_decisions(customer: &[Recorded], names: &Names) -> Vec<DossierPairDecision> {
    let decisions = customer.iter().filter_map(|recorded| {
        let Event::Customer(CustomerEvent::ScreeningPairDecided(decided)) = &recorded.event else {
            return None;
        };
        let pair = decided.personal.get();
        Some(DossierPairDecision {
            position: recorded.position,
            at: recorded.recorded_at,
            by: names.actor(recorded),
            approval: names.approval(recorded),
            outcome: decided.outcome.into(),
            in_review: decided.in_review,
            list: pair.map(|pair| pair.list.clone()),
            entry: pair.map(|pair| pair.entry.clone()),
            reason: pair.map(|pair| pair.reason.clone()),
            listed: pair
                .and_then(|pair| pair.listed.as_ref())
                .map(DossierListedPerson::from),
        })
    });
    decisions.collect()
}

/// Entries that kept the customer in review at a position: candidates that were not decided, and pairs that were decided to be
/// the same person.
pub(super) fn entries_at(customer: &[Recorded], position: i64) -> Vec<DossierEntry> {
    let mut open: Vec<DossierEntry> = Vec::new();
    let mut same: Vec<DossierEntry> = Vec::new();
    let mut versions = BTreeMap::new();
    for recorded in customer.iter().filter(|recorded| recorded.position < position) {
        match &recorded.event {
            Event::Customer(CustomerEvent::CustomerScreened(screened)) => {
                versions.clone_from(&screened.lists);
                let found = screened.personal.get();
                let found = found.into_iter().flat_map(|found| &found.candidates);
                let found = found.map(|of| DossierEntry {
                    list: of.list.clone(),
                    version: versions.get(&of.list).cloned(),
                    entry: of.entry.clone(),
                    name: Some(of.name.clone()),
                    score: Some(of.score),
                    position: recorded.position,
                });
                open = found.collect();
            }
            Event::Customer(CustomerEvent::ScreeningPairDecided(decided)) => {
                let Some(pair) = decided.personal.get() else { continue };
                let is_pair = |of: &DossierEntry| of.list == pair.list && of.entry == pair.entry;
                let known = open.iter().chain(&same).find(|of| is_pair(of)).cloned();
                open.retain(|of| !is_pair(of));
                same.retain(|of| !is_pair(of));
                if decided.outcome == PairOutcome::Same {
                    same.push(DossierEntry {
                        list: pair.list.clone(),
                        version: versions.get(&pair.list).cloned(),
                        entry: pair.entry.clone(),
                        name: known.as_ref().and_then(|of| of.name.clone()),
                        score: known.and_then(|of| of.score),
                        position: recorded.position,
                    });
                }
            }
            _ => {}
        }
    }
    same.extend(open);
    same
}
