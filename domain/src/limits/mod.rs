//! Limits: rules on what a person sends or receives within rolling days, and what a sale beyond them needs.
//!
//! A person is every customer with one document (type, country, number), whichever agency registered them. The index of
//! unique values holds an HMAC of the document outside the log, and says which person has it. In a tenant with rules a
//! registration and a change identify the customer in the same commit; customers who were registered before the first rule are
//! identified by the system, and by their first sale. A tenant without rules writes no event of this module.

mod identify;
mod judge;
mod sums;
#[cfg(test)]
mod tests;

pub use identify::{IdentityDocument, PersonDocumentReleased, PersonIdentified};
pub(crate) use identify::{identified, looked_up, record, released};
pub(crate) use judge::apply;
pub use judge::{IN_REVIEW, SaleChecks};
pub use sums::{LimitState, PersonSum};

use crate::{
    decision::Context,
    ids::{LimitRuleId, PaymentGroupId, RemittanceId},
    money::Amount,
    personal::Personal,
    refusal::{Refusal, require},
    text,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Rules of a tenant. Each is evaluated at every sale.
pub const MAX_LIMIT_RULES: usize = 50;
/// For purpose and source of funds, in characters.
pub const MAX_DECLARATION_LENGTH: usize = 200;
/// Largest number of remittances that a rule can allow.
pub const MAX_LIMIT_COUNT: u32 = 10_000;

/// Which customer of a sale a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    Sender,
    Recipient,
}

impl Side {
    pub const ALL: &'static [Self] = &[Self::Sender, Self::Recipient];

    /// Stable name in the log and in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sender => "sender",
            Self::Recipient => "recipient",
        }
    }
}

/// What a rule adds up: one sale, or the sales of so many days of the tenant's time zone, today included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitWindow {
    Sale,
    Day,
    Days7,
    Days30,
    Days365,
}

impl LimitWindow {
    pub const ALL: &'static [Self] = &[Self::Sale, Self::Day, Self::Days7, Self::Days30, Self::Days365];

    /// `None` for a single sale.
    #[must_use]
    pub const fn days(self) -> Option<u64> {
        match self {
            Self::Sale => None,
            Self::Day => Some(1),
            Self::Days7 => Some(7),
            Self::Days30 => Some(30),
            Self::Days365 => Some(sums::KEPT_DAYS),
        }
    }

    /// Stable name in the log and in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sale => "sale",
            Self::Day => "day",
            Self::Days7 => "days7",
            Self::Days30 => "days30",
            Self::Days365 => "days365",
        }
    }
}

/// What happens to a sale beyond a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitOutcome {
    /// It is sold with what the rule needs, and refused without.
    Needs,
    /// It is sold, and waits for a review.
    Hold,
    Refuse,
}

impl LimitOutcome {
    pub const ALL: &'static [Self] = &[Self::Needs, Self::Hold, Self::Refuse];

    /// Stable name in the log and in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Needs => "needs",
            Self::Hold => "hold",
            Self::Refuse => "refuse",
        }
    }
}

/// What a sale needs beyond a limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Need {
    /// An identity document of the customer that the rule is about.
    Document,
    /// Purpose of the transfer.
    Purpose,
    SourceOfFunds,
}

impl Need {
    pub const ALL: &'static [Self] = &[Self::Document, Self::Purpose, Self::SourceOfFunds];

    /// Stable name in the log and in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::Purpose => "purpose",
            Self::SourceOfFunds => "source_of_funds",
        }
    }
}

/// A limit of a tenant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct LimitRule {
    pub id: LimitRuleId,
    pub side: Side,
    pub window: LimitWindow,
    /// Payment groups whose sales count; empty for all.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub groups: BTreeSet<PaymentGroupId>,
    /// Largest allowed sum of amounts sent, in USD.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<Amount>,
    /// Largest allowed number of remittances.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    pub outcome: LimitOutcome,
    /// Of the outcome `needs`.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub needs: BTreeSet<Need>,
}

impl LimitRule {
    fn covers(&self, group: PaymentGroupId) -> bool {
        self.groups.is_empty() || self.groups.contains(&group)
    }

    fn is_exceeded(&self, sum: PersonSum) -> bool {
        self.amount.is_some_and(|amount| sum.amount > amount) || self.count.is_some_and(|count| sum.count > count)
    }
}

/// Checks a new or changed rule.
pub(crate) fn check_rule(rule: &LimitRule, ctx: &Context<'_>) -> Result<(), Refusal> {
    require(rule.amount.is_some() || rule.count.is_some(), || {
        Refusal::invalid("amount", "required")
    })?;
    if let Some(amount) = rule.amount {
        require(amount >= Amount::ZERO, || Refusal::invalid("amount", "amount_negative"))?;
        require(amount <= Amount::LARGEST, || {
            Refusal::invalid("amount", "amount_too_large")
        })?;
    }
    require(rule.count.is_none_or(|count| count <= MAX_LIMIT_COUNT), || {
        Refusal::invalid_with("count", "number_out_of_range", [("max", MAX_LIMIT_COUNT.to_string())])
    })?;
    require(rule.count.is_none() || rule.window != LimitWindow::Sale, || {
        Refusal::invalid("count", "count_of_one_sale")
    })?;
    require(rule.outcome != LimitOutcome::Needs || !rule.needs.is_empty(), || {
        Refusal::invalid("needs", "required")
    })?;
    require(rule.outcome == LimitOutcome::Needs || rule.needs.is_empty(), || {
        Refusal::invalid("needs", "value_unknown")
    })?;
    let known = rule.groups.iter().all(|group| ctx.state.group(*group).is_some());
    require(known, || Refusal::invalid("groups", "payment_group_unknown"))?;
    let limits = ctx.state.limits();
    let is_new = limits.rule(rule.id).is_none();
    require(!is_new || limits.rules().count() < MAX_LIMIT_RULES, || {
        Refusal::conflict("too_many_limit_rules").with("max", MAX_LIMIT_RULES)
    })
}

/// What the seller declares of a sale.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", default, deny_unknown_fields)]
pub struct SaleDeclaration {
    /// Purpose of the transfer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub purpose: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub source_of_funds: Option<String>,
}

crate::personal::personal_data!(SaleDeclaration);

impl SaleDeclaration {
    /// Without blanks around the texts; an empty text is absent.
    ///
    /// # Errors
    /// A text that is too long.
    pub(crate) fn checked(&self) -> Result<Self, Refusal> {
        let text = |field: &'static str, given: &Option<String>| {
            let given = given.as_deref().map(str::trim).filter(|text| !text.is_empty());
            text::optional(field, given.unwrap_or_default(), MAX_DECLARATION_LENGTH)?;
            Ok::<_, Refusal>(given.map(str::to_owned))
        };
        Ok(Self {
            purpose: text("purpose", &self.purpose)?,
            source_of_funds: text("sourceOfFunds", &self.source_of_funds)?,
        })
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.purpose.is_none() && self.source_of_funds.is_none()
    }
}

/// Purpose or source of funds of a sale were declared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SaleDeclared {
    pub id: RemittanceId,
    /// What was declared, without its text: later edits are judged by it.
    pub declared: BTreeSet<Need>,
    /// The sender's.
    pub personal: Personal<SaleDeclaration>,
}
