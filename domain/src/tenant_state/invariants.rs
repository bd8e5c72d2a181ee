//! Ledger invariants: they hold after every event.

use super::{
    TenantState,
    account::{Account, AccountKind},
};
use crate::{
    money::{Amount, CurrencyCode},
    remittance::{Remittance, payable},
};
use std::collections::BTreeMap;

/// A violated invariant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Violation {
    #[error("the accounts in {currency} sum up to {sum}, not 0")]
    Unbalanced {
        currency: CurrencyCode,
        /// Debits less credits, in minor units.
        sum: i128,
    },
    #[error("{account} stands at {found}, but {what} amount to {expected}")]
    Differs {
        account: Account,
        /// Name of that sum, for the report.
        what: &'static str,
        /// The sum, debits less credits.
        expected: Amount,
        /// The account's balance, debits less credits.
        found: Amount,
    },
    #[error("{0} stands beyond its guard")]
    BeyondGuard(Account),
}

impl TenantState {
    /// Checks invariants 1 to 5 of the ledger against all remittances of the tenant.
    pub fn violations<'a>(&self, remittances: impl Iterator<Item = &'a Remittance>) -> Vec<Violation> {
        let mut violations = self.unbalanced();
        let expected = self.expected(remittances);
        for (account, found) in self.accounts() {
            let Some(what) = checked_sum(account.kind) else {
                continue;
            };
            let expected = expected.get(&account).copied().unwrap_or(Amount::ZERO);
            if expected != found {
                violations.push(Violation::Differs {
                    account,
                    what,
                    expected,
                    found,
                });
            }
        }
        for (account, expected) in expected {
            let untouched = !self.accounts.contains_key(&account);
            if untouched && !expected.is_zero() {
                violations.push(Violation::Differs {
                    account,
                    what: checked_sum(account.kind).unwrap_or("entries"),
                    expected,
                    found: Amount::ZERO,
                });
            }
        }
        violations.extend(self.beyond_guard().map(Violation::BeyondGuard));
        violations
    }

    fn unbalanced(&self) -> Vec<Violation> {
        let mut sums: BTreeMap<CurrencyCode, i128> = BTreeMap::new();
        for (account, balance) in self.accounts() {
            *sums.entry(account.currency).or_default() += i128::from(balance.minor());
        }
        let off = sums.into_iter().filter(|(_, sum)| *sum != 0);
        off.map(|(currency, sum)| Violation::Unbalanced { currency, sum })
            .collect()
    }

    /// Balances derived from remittances and obligations.
    fn expected<'a>(&self, remittances: impl Iterator<Item = &'a Remittance>) -> BTreeMap<Account, Amount> {
        let mut expected: BTreeMap<Account, Amount> = BTreeMap::new();
        let deferred = Account::of_tenant(AccountKind::DeferredCommission, CurrencyCode::USD);
        for remittance in remittances.filter(|remittance| remittance.status.is_open()) {
            let quote = &remittance.sale.quote;
            *expected.entry(payable(remittance)).or_default() -= quote.payout;
            *expected.entry(deferred).or_default() -= quote.manager_fee;
        }
        for debit in self.obligations() {
            let kind = if debit.creditor.is_none() {
                AccountKind::Debits
            } else {
                AccountKind::AgencyReceivable
            };
            *expected.entry(Account::usd(kind, debit.debtor)).or_default() += debit.outstanding();
        }
        for party in self.parties().filter(|party| party.agency.is_some()) {
            let unbilled = self.unbilled_agency_fee(party);
            *expected
                .entry(Account::usd(AccountKind::AgencyReceivable, party.id))
                .or_default() += unbilled;
        }
        expected
    }
}

/// What an account of this kind must be the sum of; `None` when unchecked.
const fn checked_sum(kind: AccountKind) -> Option<&'static str> {
    match kind {
        AccountKind::RemittancesPending | AccountKind::RemittancesShipping | AccountKind::RemittancesError => {
            Some("the payouts of the remittances there")
        }
        AccountKind::DeferredCommission => Some("the commissions of open remittances"),
        AccountKind::Debits => Some("the outstanding debits"),
        AccountKind::AgencyReceivable => Some("the outstanding debits and the fees not billed yet"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        remittance::{RemittanceCommand, Status},
        testing::Business,
    };

    #[test]
    fn books_that_agree_with_the_remittances_violate_nothing() {
        let mut business = Business::funded();
        let sale = business.sale(business.cup, 100_00);
        business.sell(business.agent, sale);
        assert_eq!(business.world.tenant_state.violations(business.world.remittances()), []);
    }

    #[test]
    fn an_account_that_differs_is_named_once_whether_it_was_touched_or_not() {
        let mut business = Business::funded();
        let sale = business.sale(business.cup, 100_00);
        let id = business.sell(business.agency, sale);
        let stale = business.world.remittance(id);
        let reason = "se arrepintió".to_owned();
        business
            .act(business.manager, id, RemittanceCommand::Cancel { reason })
            .unwrap();
        let mut elsewhere = stale.clone();
        elsewhere.status = Status::Shipping;
        elsewhere.dealer = Some(business.dealer);
        for claimed in [stale, elsewhere] {
            let violations = business.world.tenant_state.violations([&claimed].into_iter());
            assert_eq!(violations.len(), 2, "its payout and its commission: {violations:?}");
        }
    }
}
