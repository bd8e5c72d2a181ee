//! Guards: how far an account may go. What improves an account always passes.

use super::{
    Books,
    account::{Account, AccountKind},
    entry::Entry,
};
use crate::{money::Amount, refusal::Refusal};

impl Books {
    /// Checks an entry's net effect against the guards of the accounts that it touches.
    ///
    /// # Errors
    /// 409 with the guard's code, where it makes an account worse and leaves it beyond its guard.
    pub fn check(&self, entry: &Entry) -> Result<(), Refusal> {
        self.check_but(entry, |_| false)
    }

    /// As [`Books::check`], but a delivery may take field cash below 0: the deliverer advanced its own.
    ///
    /// # Errors
    /// As [`Books::check`].
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
            let refused = match account.kind {
                AccountKind::Treasury if change < 0 && after < Amount::ZERO => "treasury_insufficient",
                AccountKind::FieldCash if change < 0 && after < Amount::ZERO => "cash_insufficient",
                AccountKind::Balance if change > 0 && after > self.credit_limit(&account) => "balance_insufficient",
                _ => continue,
            };
            let available = match account.kind {
                AccountKind::Balance => self.credit_limit(&account) - self.balance(account),
                _ => self.balance(account),
            };
            return Err(Refusal::conflict(refused)
                .with("available", available)
                .with("currency", account.currency));
        }
        Ok(())
    }

    /// How far a prepaid balance may go below 0.
    fn credit_limit(&self, account: &Account) -> Amount {
        let terms = account
            .owner
            .and_then(|id| self.party(id))
            .zip(account.group)
            .and_then(|(party, group)| party.terms.get(&group));
        terms.map_or(Amount::ZERO, |terms| terms.credit_limit)
    }

    /// Guarded accounts that stand beyond their guard (field cash, which deliveries may take there, aside).
    pub fn beyond_guard(&self) -> impl Iterator<Item = Account> + '_ {
        self.accounts().filter_map(|(account, balance)| {
            let beyond = match account.kind {
                AccountKind::Treasury => balance < Amount::ZERO,
                AccountKind::Balance => balance > self.credit_limit(&account),
                _ => false,
            };
            beyond.then_some(account)
        })
    }
}
