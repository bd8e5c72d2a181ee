//! Obligations: what a seller owes the manager or its agency, in USD. The API and the log call them debits.

use crate::{
    ids::{ObligationId, PartyId},
    money::Amount,
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// Cause of an obligation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ObligationOrigin {
    /// Prepaid balance assigned on credit.
    Assignment,
    /// Commission billed by a closure.
    Closure,
}

/// An obligation as recorded in the event that opens it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OpenedObligation {
    pub id: ObligationId,
    pub debtor: PartyId,
    /// Creditor agency; `None` for the manager.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creditor: Option<PartyId>,
    /// In USD, above 0.
    pub amount: Amount,
    pub origin: ObligationOrigin,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ObligationPayment {
    pub debit: ObligationId,
    /// Part of the obligation paid, in USD.
    pub amount: Amount,
}

/// An obligation with its payments.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Obligation {
    pub id: ObligationId,
    pub debtor: PartyId,
    /// Creditor agency; `None` for the manager.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creditor: Option<PartyId>,
    /// Original amount, in USD.
    pub amount: Amount,
    pub paid: Amount,
    /// Whether the movement that opened it was reversed; nothing is outstanding then.
    #[serde(default)]
    pub void: bool,
    pub origin: ObligationOrigin,
    pub opened_at: DateTime<Utc>,
}

impl Obligation {
    pub(crate) const fn open(opened: &OpenedObligation, at: DateTime<Utc>) -> Self {
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

    /// Unpaid part, in USD; 0 when void.
    #[must_use]
    pub fn outstanding(&self) -> Amount {
        if self.void {
            Amount::ZERO
        } else {
            self.amount - self.paid
        }
    }
}
