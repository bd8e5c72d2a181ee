//! Actions on a row of a list, each allowed or with its refusal code.

use caudal_domain::Refusal;
use serde::Serialize;
use utoipa::ToSchema;

/// Action on a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RowAct {
    /// Edit the record.
    Edit,
    /// Delete the record.
    Delete,
    /// Set a party's terms.
    SetTerms,
    /// Set a party's own commission and name for a group: the part of its terms that the party controls.
    SetOwnTerms,
    /// Assign balance or cash to a party.
    Deposit,
    /// Pay a party's debits, or one debit.
    Pay,
    /// Move a party's cash to another party or to the manager.
    Transfer,
    /// Exchange a party's cash into another currency.
    Exchange,
    /// Record an expense of a party.
    RecordExpense,
    /// Close a party's period.
    ClosePeriod,
    /// Add a recipient to an issuer.
    AddRecipient,
    /// Add a card to a recipient.
    AddCard,
    /// Reverse a movement.
    Reverse,
    /// Settle a disputed delivery.
    Settle,
    /// Cancel a scheduled rate change, or undo an effective one.
    Undo,
    /// Give an API key a new secret.
    Rotate,
    /// End an API key.
    Revoke,
    /// Stop sending to an endpoint of webhooks.
    Pause,
    /// Send to an endpoint of webhooks again.
    Resume,
    /// Send events to an endpoint of webhooks again, from a position.
    Replay,
}

/// An action and whether the caller may perform it now, by the rule that decides it. Conditions on figures still to be
/// entered, or on balances, are checked on submission; `?preview=true` checks them before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RowAction {
    /// The action that `refusal` is about.
    pub action: RowAct,
    /// Refusal code, such as `party_holds_cash`; null when allowed. `role_not_allowed` when the caller's role can never
    /// perform it.
    #[schema(example = "party_inactive")]
    pub refusal: Option<String>,
}

impl RowAction {
    /// An action with the verdict of its rule.
    #[must_use]
    pub fn judged(action: RowAct, verdict: Result<(), Refusal>) -> Self {
        Self {
            action,
            refusal: verdict.err().map(|refusal| refusal.code.to_owned()),
        }
    }
}
