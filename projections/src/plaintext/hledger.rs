//! hledger journal format: <https://hledger.org/hledger.html#journal>.

use super::{Entry, Head, Writer, one_line};
use chrono::NaiveDate;
use std::{collections::BTreeSet, fmt::Write as _};

pub(super) struct Hledger;

impl Writer for Hledger {
    fn head(&self, ledger: &Head) -> String {
        let mut text = format!(
            "; The ledger of {} through position {}\n\n",
            ledger.tenant, ledger.position
        );
        for currency in &ledger.currencies {
            let _ = writeln!(text, "commodity 1000.00 {currency}");
        }
        text.push('\n');
        let mut declared = BTreeSet::new();
        for account in &ledger.accounts {
            if !declared.insert(account.account) {
                continue;
            }
            let _ = write!(text, "account {}", account.account);
            if let Some(name) = &account.name {
                let _ = write!(text, "  ; {}", one_line(name));
            }
            text.push('\n');
        }
        text
    }

    fn entry(&self, entry: &Entry) -> String {
        let number = entry
            .number
            .as_deref()
            .map(|number| format!("({number}) "))
            .unwrap_or_default();
        let mut text = format!(
            "\n{} * {number}{}  ; event:{}, cause:{}\n",
            entry.day, entry.event_type, entry.position, entry.cause
        );
        for line in &entry.lines {
            let _ = writeln!(
                text,
                "    {}  {} {}  ; code:{}",
                line.account, line.amount, line.currency, line.code
            );
        }
        text
    }

    fn tail(&self, ledger: &Head, last: NaiveDate) -> String {
        let mut text = format!("\n{last} * Balances at position {}\n", ledger.position);
        for account in &ledger.accounts {
            let _ = writeln!(
                text,
                "    {}  0.00 {1} = {2} {1}",
                account.account, account.currency, account.balance
            );
        }
        text
    }
}
