//! Postings shared by the commands of remittances.

use super::{Remittance, Sale, Status};
use crate::{
    money::CurrencyCode,
    tenant_state::{
        account::{Account, AccountKind},
        entry::{Entry, TransferCode},
    },
};

const USD: CurrencyCode = CurrencyCode::USD;

/// The seller's prepaid balance in the group.
fn balance(sale: &Sale) -> Account {
    Account::balance(sale.seller, sale.group, sale.quote.currency_to)
}

/// Postings of a sale.
pub(super) fn sold(entry: Entry, sale: &Sale) -> Entry {
    let quote = &sale.quote;
    let pending = Account::of_tenant(AccountKind::RemittancesPending, quote.currency_to);
    let receivable = Account::usd(AccountKind::CommissionReceivable, sale.seller);
    let deferred = Account::of_tenant(AccountKind::DeferredCommission, USD);
    let entry = entry
        .post(balance(sale), pending, quote.payout, TransferCode::Sale)
        .post(receivable, deferred, quote.manager_fee, TransferCode::Commission);
    match sale.agency_share() {
        Some((agency, fee)) => entry.post(
            Account::usd(AccountKind::AgencyReceivable, sale.seller),
            Account::usd(AccountKind::AgencyMemo, agency),
            fee,
            TransferCode::AgencyFee,
        ),
        None => entry,
    }
}

/// Reverses a sale at its original amounts; the payout leaves the account of its status.
pub(super) fn unsold(entry: Entry, remittance: &Remittance) -> Entry {
    let sale = &remittance.sale;
    let quote = &sale.quote;
    let receivable = Account::usd(AccountKind::CommissionReceivable, sale.seller);
    let deferred = Account::of_tenant(AccountKind::DeferredCommission, USD);
    let entry = entry
        .post(
            payable(remittance),
            balance(sale),
            quote.payout,
            TransferCode::SaleReturn,
        )
        .post(deferred, receivable, quote.manager_fee, TransferCode::CommissionReturn);
    match sale.agency_share() {
        Some((agency, fee)) => entry.post(
            Account::usd(AccountKind::AgencyMemo, agency),
            Account::usd(AccountKind::AgencyReceivable, sale.seller),
            fee,
            TransferCode::AgencyFeeReturn,
        ),
        None => entry,
    }
}

/// Account that holds an open remittance's payout.
pub(crate) fn payable(remittance: &Remittance) -> Account {
    let currency = remittance.sale.quote.currency_to;
    match (remittance.status, remittance.dealer) {
        (Status::Shipping, Some(dealer)) => Account::of(AccountKind::RemittancesShipping, dealer, currency),
        (Status::Error, _) => Account::of_tenant(AccountKind::RemittancesError, currency),
        _ => Account::of_tenant(AccountKind::RemittancesPending, currency),
    }
}

/// Moves an open remittance's payout to another account.
pub(super) fn moved(remittance: &Remittance, to: Account, code: TransferCode) -> Entry {
    let from = payable(remittance);
    if from == to {
        Entry::default()
    } else {
        Entry::default().post(from, to, remittance.sale.quote.payout, code)
    }
}
