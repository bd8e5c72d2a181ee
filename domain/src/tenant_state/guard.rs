//! Guards: the limit of each account's balance. A transfer that improves an account always passes.

use super::{
    TenantState,
    account::{Account, AccountKind},
    entry::Entry,
};
use crate::{money::Amount, refusal::Refusal};

impl TenantState {
    /// Checks an entry's net effect against the guards of the accounts it touches.
    ///
    /// # Errors
    /// 409 with the guard's code when an account gets worse and ends beyond its guard.
    pub fn check(&self, entry: &Entry) -> Result<(), Refusal> {
        self.check_but(entry, |_| false)
    }

    /// Like [`TenantState::check`], but lets a delivery overdraw field cash: the deliverer advances own cash.
    pub fn check_delivery(&self, entry: &Entry) -> Result<(), Refusal> {
        self.check_but(entry, |account| account.kind == AccountKind::FieldCash)
    }

    fn check_but(&self, entry: &Entry, exempt: impl Fn(&Account) -> bool) -> Result<(), Refusal> {
        for (account, change) in entry.net() {
            let after = i128::from(self.balance(account).minor()) + change;
            let after = i64::try_from(after).map(Amount::from_minor);
            let after = after.map_err(|_| Refusal::conflict("account_overflow").with("currency", account.currency))?;
            if exempt(&account) {
                continue;
            }
            let is_overdrawn = change < 0 && after < Amount::ZERO;
            let (refused, available) = match guard_of(account.kind) {
                Some(Guard::Treasury) if is_overdrawn => ("treasury_insufficient", self.balance(account)),
                Some(Guard::FieldCash) if is_overdrawn => ("cash_insufficient", self.balance(account)),
                Some(Guard::Balance) if change > 0 && after > self.credit_limit(&account) => {
                    let available = self.credit_limit(&account) - self.balance(account);
                    ("balance_insufficient", available)
                }
                Some(Guard::Treasury | Guard::FieldCash | Guard::Balance) | None => continue,
            };
            return Err(Refusal::conflict(refused)
                .with("available", available)
                .with("currency", account.currency));
        }
        Ok(())
    }

    /// Credit limit of a prepaid balance: how far it may go below 0.
    fn credit_limit(&self, account: &Account) -> Amount {
        let terms = account
            .owner
            .and_then(|id| self.party(id))
            .zip(account.group)
            .and_then(|(party, group)| party.terms.get(&group));
        terms.map_or(Amount::ZERO, |terms| terms.credit_limit)
    }

    /// Guarded accounts that are beyond their guard. Field cash is excluded, since deliveries may overdraw it.
    pub fn beyond_guard(&self) -> impl Iterator<Item = Account> + '_ {
        self.accounts().filter_map(|(account, balance)| {
            let beyond = match guard_of(account.kind) {
                Some(Guard::Treasury) => balance < Amount::ZERO,
                Some(Guard::Balance) => balance > self.credit_limit(&account),
                Some(Guard::FieldCash) | None => false,
            };
            beyond.then_some(account)
        })
    }
}

/// What bounds a balance.
enum Guard {
    Treasury,
    FieldCash,
    Balance,
}

const fn guard_of(kind: AccountKind) -> Option<Guard> {
    match kind {
        AccountKind::Treasury => Some(Guard::Treasury),
        AccountKind::FieldCash => Some(Guard::FieldCash),
        AccountKind::Balance => Some(Guard::Balance),
        AccountKind::Debits
        | AccountKind::CommissionReceivable
        | AccountKind::AgencyReceivable
        | AccountKind::RemittancesPending
        | AccountKind::RemittancesShipping
        | AccountKind::RemittancesError
        | AccountKind::DeferredCommission
        | AccountKind::AgencyMemo
        | AccountKind::Capital
        | AccountKind::FxPosition
        | AccountKind::CommissionIncome
        | AccountKind::DistributionFees
        | AccountKind::DealerExpenses => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Event,
        closure::{Closure, ClosureEvent},
        tenant_state::entry::TransferCode,
        testing::{Business, amount, closing},
    };

    /// An entry that moves an amount between two accounts, guarded or not.
    fn moving(from: Account, to: Account, text: &str) -> Entry {
        Entry::default().post(to, from, amount(text), TransferCode::FieldTransfer)
    }

    /// State whose accounts an entry has taken beyond their guard.
    fn beyond(entry: Entry) -> (Business, TenantState) {
        let business = Business::new();
        let close = closing(business.agency);
        let (groups, totals) = (vec![], Default::default());
        let closure = Closure {
            id: close.id,
            number: String::new(),
            party: business.agency,
            from: None,
            cut: business.world.now,
            through: business.world.now.date_naive(),
            groups,
            totals,
            debit: None,
            agency_debit: None,
            entry,
        };
        let mut state = business.world.tenant_state.clone();
        state.apply(&Event::Closure(ClosureEvent::PeriodClosed(closure)), business.world.now);
        (business, state)
    }

    #[test]
    fn beyond_a_guard_improvements_pass_and_deteriorations_are_refused() {
        let business = Business::new();
        let currency = crate::money::CurrencyCode::CUP;
        let capital = Account::of_tenant(AccountKind::Capital, currency);
        for (account, code) in [
            (
                Account::of_tenant(AccountKind::Treasury, currency),
                "treasury_insufficient",
            ),
            (
                Account::of(AccountKind::FieldCash, business.dealer, currency),
                "cash_insufficient",
            ),
        ] {
            let (_, state) = beyond(moving(account, capital, "100"));
            assert_eq!(state.check(&moving(capital, account, "1")), Ok(()));
            assert_eq!(state.check(&moving(account, capital, "1")).unwrap_err().code, code);
        }
        let balance = Account::balance(business.agency, business.cup, currency);
        let (_, state) = beyond(moving(capital, balance, "100"));
        assert_eq!(state.check(&moving(balance, capital, "1")), Ok(()));
        assert_eq!(
            state.check(&moving(capital, balance, "1")).unwrap_err().code,
            "balance_insufficient"
        );
        assert_eq!(state.beyond_guard().collect::<Vec<_>>(), [balance]);
    }

    #[test]
    fn only_a_delivery_takes_field_cash_below_zero() {
        let business = Business::new();
        let currency = crate::money::CurrencyCode::CUP;
        let cash = Account::of(AccountKind::FieldCash, business.dealer, currency);
        let entry = moving(cash, Account::of_tenant(AccountKind::DistributionFees, currency), "1");
        assert_eq!(business.world.tenant_state.check_delivery(&entry), Ok(()));
        assert_eq!(
            business.world.tenant_state.check(&entry).unwrap_err().code,
            "cash_insufficient"
        );
    }

    #[test]
    fn no_account_grows_beyond_what_it_can_hold() {
        let currency = crate::money::CurrencyCode::CUP;
        let capital = Account::of_tenant(AccountKind::Capital, currency);
        let treasury = Account::of_tenant(AccountKind::Treasury, currency);
        let full = Amount::from_minor(i64::MAX);
        let (_, state) = beyond(Entry::default().post(treasury, capital, full, TransferCode::Deposit));
        let more = moving(capital, treasury, "1");
        assert_eq!(state.check(&more).unwrap_err().code, "account_overflow");
        assert_eq!(state.check_delivery(&more).unwrap_err().code, "account_overflow");
    }
}
