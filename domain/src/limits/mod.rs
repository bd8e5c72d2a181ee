//! Limits: rules on what a person sends or receives within rolling days, and what a sale beyond them needs.
//!
//! A person is every customer with one document, whichever agency registered them. Customers are identified at their sales,
//! in tenants that have rules: the API reads the document, and the index of unique values (an HMAC outside the log) says
//! which person has it. A tenant without rules writes no event of this module.

mod judge;
mod sums;
#[cfg(test)]
mod tests;

pub(crate) use judge::{apply, looked_up};
pub use sums::{LimitState, PersonSum};

use crate::{
    customer::IdentificationType,
    decision::Context,
    ids::{CustomerId, LimitRuleId, PaymentGroupId, PersonId, RemittanceId},
    money::Amount,
    personal::Personal,
    refusal::{Refusal, require},
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
    require(rule.outcome != LimitOutcome::Needs || !rule.needs.is_empty(), || {
        Refusal::invalid("needs", "required")
    })?;
    require(rule.outcome == LimitOutcome::Needs || rule.needs.is_empty(), || {
        Refusal::invalid("needs", "value_unknown")
    })?;
    let known = rule.groups.iter().all(|group| ctx.books.group(*group).is_some());
    require(known, || Refusal::invalid("groups", "payment_group_unknown"))?;
    let limits = ctx.books.limits();
    let is_new = limits.rule(rule.id).is_none();
    require(!is_new || limits.rules().count() < MAX_LIMIT_RULES, || {
        Refusal::conflict("too_many_limit_rules").with("max", MAX_LIMIT_RULES)
    })
}

/// An identity document, by which customers are one person.
#[derive(Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(remote = "Self", rename_all = "camelCase", default, deny_unknown_fields)]
pub struct IdentityDocument {
    pub kind: Option<IdentificationType>,
    pub number: String,
}

crate::personal::personal_data!(IdentityDocument);

impl IdentityDocument {
    /// Type and number in the form that is compared.
    pub(crate) fn unique(&self) -> String {
        let kind = self.kind.map_or("", IdentificationType::as_str);
        format!("{kind}/{}", self.number.trim().to_uppercase())
    }
}

/// Documents of a sale's customers, as the API read them.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct KnownDocuments {
    pub sender: Option<IdentityDocument>,
    pub recipient: Option<IdentityDocument>,
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

/// Purpose or source of funds of a sale were declared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SaleDeclared {
    pub id: RemittanceId,
    pub personal: Personal<SaleDeclaration>,
}

/// A customer is a person: everybody with the document. Sales from now on count for the person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PersonIdentified {
    pub id: CustomerId,
    pub person: PersonId,
    pub personal: Personal<IdentityDocument>,
}
