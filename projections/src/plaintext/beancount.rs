//! beancount format: <https://beancount.github.io/docs/beancount_language_syntax.html>.

use super::{AccountName, Entry, Head, Writer, one_line};
use caudal_domain::money::CurrencyCode;
use chrono::NaiveDate;
use std::{collections::BTreeMap, fmt::Write as _};

/// Date of all declarations, before any business.
const BEGINNING: &str = "1970-01-01";

pub(super) struct Beancount;

impl Writer for Beancount {
    fn head(&self, ledger: &Head) -> String {
        let mut text = format!(
            "; The ledger of {} through position {}\n\n",
            ledger.tenant, ledger.position
        );
        let _ = writeln!(text, "option \"title\" {}", quoted(&ledger.tenant));
        for currency in &ledger.currencies {
            let _ = writeln!(text, "option \"operating_currency\" \"{currency}\"");
        }
        text.push('\n');
        for currency in &ledger.currencies {
            let _ = writeln!(text, "{BEGINNING} commodity {currency}");
        }
        text.push('\n');
        for (account, (currencies, name)) in declared(ledger) {
            let currencies: Vec<_> = currencies.iter().map(ToString::to_string).collect();
            let _ = writeln!(text, "{BEGINNING} open {account} {}", currencies.join(","));
            if let Some(name) = name {
                let _ = writeln!(text, "  name: {}", quoted(name));
            }
        }
        text
    }

    fn entry(&self, entry: &Entry) -> String {
        let payee = entry
            .number
            .as_deref()
            .map(|number| format!("{} ", quoted(number)))
            .unwrap_or_default();
        let mut text = format!(
            "\n{} * {payee}{} #event-{}\n  event: {}\n  cause: \"{}\"\n",
            entry.day,
            quoted(&entry.event_type),
            entry.position,
            entry.position,
            entry.cause
        );
        for line in &entry.lines {
            let _ = writeln!(text, "  {}  {} {}", line.account, line.amount, line.currency);
            let _ = writeln!(text, "    code: {}", quoted(&line.code));
        }
        text
    }

    fn tail(&self, ledger: &Head, last: NaiveDate) -> String {
        // A balance directive holds at the start of its day.
        let day = last.succ_opt().unwrap_or(last);
        let mut text = String::from("\n");
        for account in &ledger.accounts {
            let _ = writeln!(
                text,
                "{day} balance {}  {} ~ 0.00 {}",
                account.account, account.balance, account.currency
            );
        }
        text
    }
}

type Declared<'a> = BTreeMap<AccountName, (Vec<CurrencyCode>, Option<&'a str>)>;

/// Each account once, with all its currencies.
fn declared(ledger: &Head) -> Declared<'_> {
    let mut declared = Declared::new();
    for account in &ledger.accounts {
        let (currencies, name) = declared.entry(account.account).or_default();
        currencies.push(account.currency);
        *name = account.name.as_deref();
    }
    declared
}

fn quoted(text: &str) -> String {
    let escaped = one_line(text).replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{escaped}\"")
}
