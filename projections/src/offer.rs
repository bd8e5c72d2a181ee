//! What may be done with a row of a list, and why not the rest.

use caudal_domain::Refusal;
use serde::Serialize;
use utoipa::ToSchema;

/// What may be done with a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RowAct {
    /// Change it.
    Edit,
    /// Delete it.
    Delete,
    /// Set a party's terms.
    SetTerms,
    /// Set a party's own commission and name for a group, the part of its terms that is its own.
    SetOwnTerms,
    /// Assign balance or give cash to a party.
    Deposit,
    /// Pay what a party owes, or a debit.
    Pay,
    /// Move a party's cash to another party or to the manager.
    Transfer,
    /// Move a party's cash into another currency.
    Exchange,
    /// Record an expense of a party.
    RecordExpense,
    /// Close a party's period.
    ClosePeriod,
    /// Add a recipient to an issuer.
    AddRecipient,
    /// Keep a card for a recipient.
    AddCard,
    /// Take a movement back.
    Reverse,
    /// Settle a disputed delivery.
    Settle,
    /// Withdraw a scheduled change of rates, or undo one that took effect.
    Undo,
}

/// An act and whether the caller may do it now, by the rule that decides it. What depends on figures that the caller
/// still types, or on balances, is judged when it is confirmed: `?preview=true` says it before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RowAction {
    /// The act.
    pub action: RowAct,
    /// The code that it would be refused with; null where it is allowed. `role_not_allowed` where it is never the
    /// caller's.
    #[schema(example = "party_inactive")]
    pub refusal: Option<String>,
}

impl RowAction {
    /// An act with what the rule says of it.
    #[must_use]
    pub fn judged(action: RowAct, verdict: Result<(), Refusal>) -> Self {
        Self {
            action,
            refusal: verdict.err().map(|refusal| refusal.code.to_owned()),
        }
    }
}
