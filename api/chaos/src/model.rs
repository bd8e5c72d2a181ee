//! What the books must hold after what was acknowledged: postings added up, in the plainest way, with names instead of
//! the product's own types.

use std::collections::BTreeMap;

/// An account: its kind, whose it is (empty where it is the tenant's own), its currency.
pub type Account = (&'static str, String, &'static str);

/// An amount that passes from one account to another.
#[derive(Clone, Debug)]
pub struct Posting {
    /// What it is added to.
    pub debit: Account,
    /// What it is taken from.
    pub credit: Account,
    /// In hundredths.
    pub minor: i64,
}

/// A posting between two accounts.
pub fn post(debit: Account, credit: Account, minor: i64) -> Posting {
    Posting { debit, credit, minor }
}

/// What takes postings back.
pub fn reversed(postings: &[Posting]) -> Vec<Posting> {
    let swapped = |posting: &Posting| post(posting.credit.clone(), posting.debit.clone(), posting.minor);
    postings.iter().map(swapped).collect()
}

/// Accounts with their balances, debits less credits, in hundredths.
#[derive(Clone, Debug, Default)]
pub struct Model(BTreeMap<Account, i64>);

impl Model {
    pub fn add(&mut self, postings: &[Posting]) {
        for posting in postings {
            *self.0.entry(posting.debit.clone()).or_default() += posting.minor;
            *self.0.entry(posting.credit.clone()).or_default() -= posting.minor;
        }
    }

    /// Adds another model.
    pub fn merge(&mut self, other: &Self) {
        for (account, minor) in &other.0 {
            *self.0.entry(account.clone()).or_default() += minor;
        }
    }

    /// The accounts that are not at 0, as text.
    pub fn balances(&self) -> BTreeMap<String, i64> {
        let named = self.0.iter().filter(|(_, minor)| **minor != 0);
        named
            .map(|((kind, owner, currency), minor)| (name(kind, owner, currency), *minor))
            .collect()
    }
}

/// An account as text.
pub fn name(kind: &str, owner: &str, currency: &str) -> String {
    format!("{kind}/{owner}/{currency}")
}

/// Hundredths as an amount.
pub fn units(minor: i64) -> String {
    format!("{}.{:02}", minor / 100, minor % 100)
}

/// An amount in hundredths.
pub fn minor(units: &str) -> Option<i64> {
    let (whole, cents) = units.split_once('.')?;
    (cents.len() == 2).then_some(())?;
    format!("{whole}{cents}").parse().ok()
}
