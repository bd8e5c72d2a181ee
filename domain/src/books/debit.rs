//! Debits: what a seller owes the manager or its agency, in USD.

use crate::{
    ids::{DebitId, PartyId},
    money::Amount,
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// How a debit came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DebitOrigin {
    /// Balance assigned on credit.
    Assignment,
    /// A closed period's commission.
    Closure,
}

/// A debit as an event opens it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OpenedDebit {
    /// Its id.
    pub id: DebitId,
    /// Who owes.
    pub debtor: PartyId,
    /// The agency that is owed; the manager where `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creditor: Option<PartyId>,
    /// How much, in USD.
    pub amount: Amount,
    /// How it came to be.
    pub origin: DebitOrigin,
}

/// A payment on one debit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DebitPayment {
    /// The debit.
    pub debit: DebitId,
    /// How much of it, in USD.
    pub amount: Amount,
}

/// A debit as it stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Debit {
    /// Its id.
    pub id: DebitId,
    /// Who owes.
    pub debtor: PartyId,
    /// The agency that is owed; the manager where `None`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creditor: Option<PartyId>,
    /// How much was owed, in USD.
    pub amount: Amount,
    /// How much of it is paid.
    pub paid: Amount,
    /// Whether what it came from was taken back.
    #[serde(default)]
    pub void: bool,
    /// How it came to be.
    pub origin: DebitOrigin,
    /// When.
    pub opened_at: DateTime<Utc>,
}

impl Debit {
    pub(crate) const fn open(opened: &OpenedDebit, at: DateTime<Utc>) -> Self {
        Self {
            id: opened.id,
            debtor: opened.debtor,
            creditor: opened.creditor,
            amount: opened.amount,
            paid: Amount::ZERO,
            void: false,
            origin: opened.origin,
            opened_at: at,
        }
    }

    /// What is still owed; nothing of a void one.
    #[must_use]
    pub fn outstanding(&self) -> Amount {
        if self.void {
            Amount::ZERO
        } else {
            self.amount - self.paid
        }
    }
}
