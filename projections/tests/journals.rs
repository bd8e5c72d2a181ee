//! Exported journals: hledger and beancount accept them and compute the same balances.

use crate::common::journals;
use crate::common::{Office, details};
use caudal_domain::party::{ChangeParty, PartyCommand};

#[tokio::test]
async fn hledger_and_beancount_compute_the_same_balances_for_a_full_day() {
    let office = Office::open().await;
    office.day().await;
    // A name with characters that have a meaning in journals.
    let mut changed = details("Dora \"la \\ rápida\"; event:7");
    changed.name.push_str(" #tag , account:x");
    let change = ChangeParty {
        details: changed,
        is_active: None,
        territory: None,
        known: None,
        sets_password: false,
    };
    office
        .manage(caudal_domain::Command::Party(
            office.dealer,
            PartyCommand::Change(change),
        ))
        .await;
    assert!(journals::agree(&office).await > 12);
}

#[tokio::test]
async fn a_ledger_without_entries_exports_a_valid_journal() {
    let office = Office::open().await;
    assert_eq!(journals::agree(&office).await, 0);
}
