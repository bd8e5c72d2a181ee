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

/// The account of whom the transfers concern: another than the maker, if there is one, and who receives rather than who gives.
/// A reversal takes back from who had received.
pub(super) fn concerned<'a>(transfers: &[&'a Transfer], maker: Uuid, is_reversal: bool) -> Option<&'a Account> {
    let sides = transfers.iter().flat_map(|transfer| {
        let (debit, credit) = (&transfer.debit, &transfer.credit);
        [
            (debit, debit.kind.normally_debit()),
            (credit, !credit.kind.normally_debit()),
        ]
    });
    let owned = sides.filter_map(|(account, receives)| Some((account, account.owner?, receives)));
    owned
        .min_by_key(|(_, owner, receives)| (owner.0 == maker, *receives == is_reversal))
        .map(|(account, ..)| account)
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

#[cfg(test)]
mod tests {
    use super::concerned;
    use caudal_domain::{
        Account, AccountKind, Transfer, TransferCode,
        ids::{PartyId, PaymentGroupId},
        money::{Amount, CurrencyCode},
    };
    use uuid::Uuid;

    const CUP: CurrencyCode = CurrencyCode::CUP;

    fn transfer(debit: Account, credit: Account) -> Transfer {
        Transfer {
            debit,
            credit,
            amount: Amount::ZERO,
            code: TransferCode::HandOver,
        }
    }

    #[test]
    fn a_hand_out_concerns_who_receives_whoever_proposes_it_and_its_reversal_too() {
        let [giver, receiver, manager] = [(); 3].map(|()| PartyId::generate());
        let cash = |party| Account::of(AccountKind::FieldCash, party, CUP);
        let group = PaymentGroupId::generate();
        let balance = |party| Account::balance(party, group, CUP);
        for given in [
            transfer(cash(receiver), cash(giver)),
            transfer(balance(giver), balance(receiver)),
        ] {
            let back = transfer(given.credit, given.debit);
            for maker in [giver, manager] {
                let whom = |transfer, is_reversal| concerned(&[transfer], maker.0, is_reversal).unwrap().owner;
                assert_eq!(whom(&given, false), Some(receiver));
                assert_eq!(whom(&back, true), Some(receiver));
            }
        }
    }

    #[test]
    fn what_the_maker_receives_concerns_who_gives_and_what_moves_with_nobody_else_the_maker() {
        let [maker, other] = [(); 2].map(|()| PartyId::generate());
        let cash = |party| Account::of(AccountKind::FieldCash, party, CUP);
        let tenants = |kind| Account::of_tenant(kind, CUP);
        let whom = |transfer: Transfer| concerned(&[&transfer], maker.0, false).and_then(|account| account.owner);
        assert_eq!(whom(transfer(cash(maker), cash(other))), Some(other));
        assert_eq!(
            whom(transfer(tenants(AccountKind::DealerExpenses), cash(maker))),
            Some(maker)
        );
        assert_eq!(
            whom(transfer(tenants(AccountKind::Treasury), tenants(AccountKind::Capital))),
            None::<PartyId>
        );
        assert_eq!(concerned(&[], Uuid::nil(), false), None);
    }
}
