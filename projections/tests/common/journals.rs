//! Checks of exported journals by hledger and beancount: their balances must equal Caudal's.

use crate::common::Office;
use caudal_projections::{
    export::Turn,
    plaintext::{self, Program},
};
use futures::TryStreamExt as _;
use sqlx::Row as _;
use std::{collections::BTreeMap, path::Path, process::Command};

/// Balances in cents by account and currency, without zero balances.
type Balances = BTreeMap<(String, String), i64>;

/// Exports the ledger in both formats, and compares both programs' balances with Caudal's. Returns the number of
/// accounts with a balance.
pub async fn agree(office: &Office) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let caudal = balances(office).await;
    let journal = write(office, Program::Hledger, folder.path()).await;
    run("hledger", &["-f", &journal, "check", "--strict"]);
    assert_eq!(hledger(&journal), caudal);
    let ledger = write(office, Program::Beancount, folder.path()).await;
    let said = run("bean-check", &[&ledger]);
    assert_eq!(said, "", "{said}");
    assert_eq!(beancount(&ledger), caudal);
    caudal.len()
}

async fn write(office: &Office, program: Program, folder: &Path) -> String {
    let read_transaction = office.begin().await;
    let pieces = plaintext::journal(read_transaction, program, Turn::take().await.unwrap())
        .await
        .unwrap();
    let text: String = pieces.try_collect().await.unwrap();
    let path = folder.join(format!("ledger.{}", program.extension()));
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

async fn balances(office: &Office) -> Balances {
    drop(office.begin().await);
    let mut transaction = office.node.begin_read(office.tenant.as_str()).await.unwrap();
    let rows = sqlx::query("SELECT account, currency, balance FROM accounts WHERE balance <> 0")
        .fetch_all(&mut *transaction)
        .await
        .unwrap();
    rows.iter()
        .map(|row| {
            let account: String = row.get("account");
            ((key(&account), row.get("currency")), row.get("balance"))
        })
        .collect()
}

/// An account's key, `field_cash/OWNER/GROUP/CUR`, in the form used for comparison: kind and ids.
fn key(account: &str) -> String {
    let (name, _) = account.rsplit_once('/').unwrap();
    name.to_owned()
}

/// `Assets:FieldCash:P-OWNER:G-GROUP` as a key.
fn key_of_name(name: &str) -> String {
    let mut parts = name.split(':').skip(1);
    let mut key = String::new();
    for (place, c) in parts.next().unwrap().char_indices() {
        if c.is_ascii_uppercase() && place > 0 {
            key.push('_');
        }
        key.push(c.to_ascii_lowercase());
    }
    for part in parts {
        key.push('/');
        key.push_str(part.split_at(2).1);
    }
    key
}

fn run(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().expect(program);
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}: {said}");
    said
}

fn cents(amount: &str) -> i64 {
    let (whole, rest) = amount.split_once('.').unwrap_or((amount, ""));
    assert!(rest.len() <= 2, "{amount}");
    format!("{whole}{rest:0<2}").parse().unwrap()
}

/// Parses lines like `"Assets:Treasury","2000.00 CUP, 5.00 USD"`.
fn hledger(journal: &str) -> Balances {
    let said = run(
        "hledger",
        &["-f", journal, "balance", "--flat", "--no-total", "-O", "csv"],
    );
    let mut balances = Balances::new();
    for line in said.lines().skip(1) {
        let (name, amounts) = line.trim_matches('"').split_once("\",\"").unwrap();
        for amount in amounts.split(", ") {
            let (number, currency) = amount.split_once(' ').unwrap();
            balances.insert((key_of_name(name), currency.to_owned()), cents(number));
        }
    }
    balances
}

/// Parses lines like `Assets:Treasury,CUP,2000.00`.
fn beancount(ledger: &str) -> Balances {
    let query = "SELECT account, currency, sum(number) AS total GROUP BY account, currency";
    let said = run("bean-query", &["--format", "csv", ledger, query]);
    let mut balances = Balances::new();
    for line in said.lines().skip(1) {
        let fields: Vec<_> = line.split(',').map(str::trim).collect();
        let [name, currency, total] = fields.as_slice() else {
            panic!("{line}")
        };
        let minor = cents(total);
        if minor != 0 {
            balances.insert((key_of_name(name), (*currency).to_owned()), minor);
        }
    }
    balances
}
