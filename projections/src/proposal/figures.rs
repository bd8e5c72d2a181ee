//! Figures and postings of proposed commands.

use crate::{
    refs::Ref,
    scalar::{CurrencyCode, Decimal, Money},
};
use caudal_domain::{Account, Figures, Transfer, TransferCode};
use serde::Serialize;
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// Figures of a proposed command.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposedFigures {
    /// Amount paid out, in `payoutCurrency`.
    pub payout: Money,
    /// Currency of `payout`, such as `CUP`.
    pub payout_currency: CurrencyCode,
    /// Amount paid or owed for it, in `totalCurrency`.
    pub total_to_pay: Money,
    /// Currency of `totalToPay`.
    pub total_currency: CurrencyCode,
    /// Rate between the two currencies; null when they are equal.
    pub exchange_rate: Option<Decimal>,
}

impl From<Figures> for ProposedFigures {
    fn from(figures: Figures) -> Self {
        Self {
            payout: figures.payout.into(),
            payout_currency: figures.payout_currency.into(),
            total_to_pay: figures.total_to_pay.into(),
            total_currency: figures.total_currency.into(),
            exchange_rate: figures.exchange_rate.map(Into::into),
        }
    }
}

/// A posting of a proposed command.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposedTransfer {
    /// Purpose of the transfer, such as `sale`.
    #[schema(value_type = String, example = "assignment")]
    pub code: TransferCode,
    /// Amount, above 0.
    pub amount: Money,
    /// Currency code, such as `CUP`.
    pub currency: CurrencyCode,
    /// Account debited.
    pub debit: ProposedAccount,
    /// Account credited.
    pub credit: ProposedAccount,
}

/// An account of a proposed command.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposedAccount {
    /// Kind of the account, such as `balance`.
    #[schema(value_type = String, example = "balance")]
    pub kind: &'static str,
    /// Owner; null for the tenant's own accounts.
    pub owner: Option<Ref>,
    /// Payment group of a prepaid balance; null for other accounts.
    pub payment_group_id: Option<Uuid>,
}

/// Owners of accounts, by their ids.
pub(super) type Names = HashMap<Uuid, Ref>;

pub(super) fn owner(account: &Account, names: &Names) -> Option<Ref> {
    let id = account.owner?.0;
    Some(names.get(&id).cloned().unwrap_or(Ref { id, name: None }))
}

impl ProposedAccount {
    pub(super) fn of(account: &Account, names: &Names) -> Self {
        Self {
            kind: account.kind.as_str(),
            owner: owner(account, names),
            payment_group_id: account.group.map(|id| id.0),
        }
    }
}

impl ProposedTransfer {
    pub(super) fn of(transfer: &Transfer, names: &Names) -> Self {
        Self {
            code: transfer.code,
            amount: transfer.amount.into(),
            currency: transfer.debit.currency.into(),
            debit: ProposedAccount::of(&transfer.debit, names),
            credit: ProposedAccount::of(&transfer.credit, names),
        }
    }
}
