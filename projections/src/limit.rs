//! Limits: names of the API for rules, and rows of rules for what they held.

use crate::{
    batch::Batch,
    names::names,
    rows::LimitRuleRow,
    table::{Ids, name_in_log},
};
use caudal_domain::{
    Event, TenantEvent,
    limits::{LimitOutcome, LimitRule, LimitWindow, Need, Side},
};
use caudal_journal::Recorded;
use uuid::Uuid;

/// The rule that an event sets.
pub(crate) fn touched(recorded: &Recorded) -> Option<Uuid> {
    match &recorded.event {
        Event::Tenant(TenantEvent::LimitRuleSet(rule)) => Some(rule.id.0),
        _ => None,
    }
}

pub(crate) fn set(batch: &mut Batch, rule: &LimitRule) {
    batch.limit_rules.put(LimitRuleRow {
        id: rule.id.0,
        side: name_in_log(&rule.side),
        span: name_in_log(&rule.window),
        amount: rule.amount,
        count: rule.count.and_then(|count| i32::try_from(count).ok()),
        groups: Ids(rule.groups.iter().map(|group| group.0).collect()),
    });
}

names! {
    /// The customer of a sale that a rule is about.
    PublicLimitSide(Side) {
        /// Who sends.
        Sender,
        /// Who receives.
        Recipient,
    }
    /// Window of a limit rule's sum.
    PublicLimitWindow(LimitWindow) {
        /// One sale.
        Sale,
        /// The day of the sale, in the tenant's time zone.
        Day,
        /// 7 days up to the sale.
        Days7,
        /// 30 days up to the sale.
        Days30,
        /// 365 days up to the sale.
        Days365,
    }
    /// Outcome for a sale beyond the limit.
    PublicLimitOutcome(LimitOutcome) {
        /// It is sold with what the rule needs, and refused without.
        Needs,
        /// It is sold, and waits for a review.
        Hold,
        /// It is refused.
        Refuse,
    }
    /// Requirement for a sale beyond the limit.
    PublicLimitNeed(Need) {
        /// An identity document of the customer that has not expired.
        Document,
        /// The purpose of the transfer.
        Purpose,
        /// The source of the funds.
        SourceOfFunds,
    }
}
