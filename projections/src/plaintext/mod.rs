//! Plain text accounting export of the whole ledger: one transaction per entry with its event's position, declarations
//! of accounts and currencies, and balance assertions at the end.

mod beancount;
mod hledger;

use crate::{
    error::ReadError,
    export::{Batch, ExportFailure, Source, Torn, Turn, stream},
    read_transaction::ReadTransaction,
    table::get,
};
use caudal_domain::{
    AccountKind,
    money::{Amount, CurrencyCode},
};
use chrono::{DateTime, NaiveDate, Utc};
use futures::{FutureExt as _, Stream, future::BoxFuture};
use sqlx::{Row as _, postgres::PgRow};
use uuid::Uuid;

/// Positions per read: some hundred kilobytes of text.
const WINDOW: i64 = 1_000;

/// A target program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// hledger, and ledger as far as compatible: <https://hledger.org/hledger.html>.
    Hledger,
    /// beancount: <https://beancount.github.io/docs/beancount_language_syntax.html>.
    Beancount,
}

impl Program {
    #[must_use]
    pub fn by_name(name: &str) -> Option<Self> {
        match name {
            "hledger" => Some(Self::Hledger),
            "beancount" => Some(Self::Beancount),
            _ => None,
        }
    }

    /// File name extension.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Hledger => "journal",
            Self::Beancount => "beancount",
        }
    }

    fn write(self) -> &'static dyn Writer {
        match self {
            Self::Hledger => &hledger::Hledger,
            Self::Beancount => &beancount::Beancount,
        }
    }
}

/// Format of a program.
trait Writer: Sync {
    /// Text before the entries.
    fn head(&self, ledger: &Head) -> String;
    fn entry(&self, entry: &Entry) -> String;
    /// Balance assertions after the entries, as of the last entry's day.
    fn tail(&self, ledger: &Head, last: NaiveDate) -> String;
}

/// The ledger without its entries.
#[derive(Debug)]
struct Head {
    tenant: String,
    position: i64,
    currencies: Vec<CurrencyCode>,
    accounts: Vec<AccountHead>,
}

/// An account in one currency.
#[derive(Debug)]
struct AccountHead {
    account: AccountName,
    name: Option<String>,
    balance: Amount,
    currency: CurrencyCode,
}

/// Name of an account without its currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct AccountName {
    kind: AccountKind,
    owner: Option<Uuid>,
    group: Option<Uuid>,
}

/// Postings of one event.
#[derive(Debug)]
struct Entry {
    position: i64,
    day: NaiveDate,
    event_type: String,
    number: Option<String>,
    cause: Uuid,
    lines: Vec<Line>,
}

/// One side of a transfer; debits are positive.
#[derive(Debug)]
struct Line {
    account: AccountName,
    currency: CurrencyCode,
    amount: Amount,
    code: String,
}

/// Streams the ledger of a snapshot.
///
/// # Errors
/// When the database fails before the first item; a later failure is the stream's last item.
pub async fn journal(
    mut transaction: ReadTransaction,
    program: Program,
    turn: Turn,
) -> Result<impl Stream<Item = Result<String, ExportFailure>> + Send + 'static, ExportFailure> {
    use futures::StreamExt as _;
    let head = head(&mut transaction).await?;
    let walk = Walk {
        transaction,
        writer: program.write(),
        head,
        through: 0,
        last: NaiveDate::MIN,
        is_begun: false,
    };
    let pieces = stream(walk, turn).await?;
    Ok(pieces.map(|piece| piece.map_err(ExportFailure::from)))
}

impl From<Torn> for ExportFailure {
    fn from(torn: Torn) -> Self {
        match torn {
            Torn::Read(error) => Self::Read(error),
            torn => Self::Export(caudal_export::ExportError::Rows(Box::new(torn))),
        }
    }
}

struct Walk {
    transaction: ReadTransaction,
    writer: &'static dyn Writer,
    head: Head,
    /// Last position read.
    through: i64,
    /// Day of the last entry; days may decrease in a zone whose clocks go back at midnight.
    last: NaiveDate,
    is_begun: bool,
}

impl Source for Walk {
    type Row = String;

    fn next(&mut self) -> BoxFuture<'_, Result<Batch<String>, ReadError>> {
        async {
            let mut text = String::new();
            if !self.is_begun {
                self.is_begun = true;
                text.push_str(&self.writer.head(&self.head));
            }
            let from = self.through;
            self.through = (from + WINDOW).min(self.head.position);
            for entry in entries(&mut self.transaction, from, self.through).await? {
                self.last = self.last.max(entry.day);
                text.push_str(&self.writer.entry(&entry));
            }
            let is_last = self.through == self.head.position;
            if is_last && self.last > NaiveDate::MIN {
                text.push_str(&self.writer.tail(&self.head, self.last));
            }
            Ok(Batch {
                rows: vec![text],
                is_last,
            })
        }
        .boxed()
    }
}

async fn head(transaction: &mut ReadTransaction) -> Result<Head, ReadError> {
    let tables = "accounts AS a LEFT JOIN parties AS p ON p.tenant = a.tenant AND p.id = a.owner
                  LEFT JOIN payment_groups AS g ON g.tenant = a.tenant AND g.id = a.group_id";
    let mut sql = transaction
        .joined(tables, "a")
        .after("SELECT a.kind, a.owner, a.group_id, a.currency, a.balance, concat_ws(', ', p.name, g.name) AS name");
    sql.push(" ORDER BY a.code, a.number");
    let found = transaction.fetch(&sql).await?;
    let accounts = found
        .iter()
        .map(|row| {
            Ok(AccountHead {
                account: account(row)?,
                name: row
                    .try_get::<Option<String>, _>("name")?
                    .filter(|name| !name.is_empty()),
                balance: get(row, "balance")?,
                currency: get(row, "currency")?,
            })
        })
        .collect::<Result<Vec<_>, sqlx::Error>>()?;
    let mut currencies: Vec<_> = accounts.iter().map(|account| account.currency).collect();
    currencies.sort_unstable();
    currencies.dedup();
    Ok(Head {
        tenant: transaction.tenant().to_string(),
        position: transaction.position(),
        currencies,
        accounts,
    })
}

fn account(row: &PgRow) -> Result<AccountName, sqlx::Error> {
    Ok(AccountName {
        kind: get(row, "kind")?,
        owner: row.try_get("owner")?,
        group: row.try_get("group_id")?,
    })
}

/// Entries after a position through another.
async fn entries(transaction: &mut ReadTransaction, after: i64, through: i64) -> Result<Vec<Entry>, ReadError> {
    let tables = "entries AS e
        JOIN postings AS l ON l.tenant = e.tenant AND l.position = e.position
        JOIN accounts AS a ON a.tenant = l.tenant AND a.number = l.account
        JOIN flows AS f ON f.tenant = l.tenant AND f.number = l.flow
        LEFT JOIN remittances AS r ON e.cause_kind = 'remittance' AND r.tenant = e.tenant AND r.id = e.cause
        LEFT JOIN movements AS m ON e.cause_kind = 'movement' AND m.tenant = e.tenant AND m.id = e.cause
        LEFT JOIN closures AS c ON e.cause_kind = 'closure' AND c.tenant = e.tenant AND c.id = e.cause";
    let mut sql = transaction.joined(tables, "e").after(
        "SELECT e.position, e.at, e.event_type, e.cause, coalesce(r.code, m.number, c.number) AS number,
                a.kind, a.owner, a.group_id, a.currency, f.code, l.line % 2 = 0 AS is_debit, l.amount",
    );
    sql.push(" AND e.position > ").bind(after);
    sql.push(" AND e.position <= ").bind(through);
    sql.push(" ORDER BY e.position, l.line");
    let zone = transaction.zone();
    let mut entries: Vec<Entry> = Vec::new();
    for row in transaction.fetch(&sql).await? {
        let position: i64 = row.try_get("position")?;
        let amount: Amount = get(&row, "amount")?;
        let line = Line {
            account: account(&row)?,
            currency: get(&row, "currency")?,
            amount: if row.try_get("is_debit")? { amount } else { -amount },
            code: row.try_get("code")?,
        };
        match entries.last_mut().filter(|entry| entry.position == position) {
            Some(entry) => entry.lines.push(line),
            None => entries.push(Entry {
                position,
                day: row.try_get::<DateTime<Utc>, _>("at")?.with_timezone(&zone).date_naive(),
                event_type: row.try_get("event_type")?,
                number: row.try_get("number")?,
                cause: row.try_get("cause")?,
                lines: vec![line],
            }),
        }
    }
    Ok(entries)
}

/// The five account roots known to both programs.
const fn root(kind: AccountKind) -> &'static str {
    match kind {
        AccountKind::Treasury
        | AccountKind::FieldCash
        | AccountKind::Debits
        | AccountKind::CommissionReceivable
        | AccountKind::AgencyReceivable => "Assets",
        AccountKind::Balance
        | AccountKind::RemittancesPending
        | AccountKind::RemittancesShipping
        | AccountKind::RemittancesError
        | AccountKind::DeferredCommission
        | AccountKind::AgencyMemo => "Liabilities",
        AccountKind::Capital | AccountKind::FxPosition => "Equity",
        AccountKind::CommissionIncome => "Income",
        AccountKind::DistributionFees | AccountKind::DealerExpenses => "Expenses",
    }
}

impl std::fmt::Display for AccountName {
    /// `Assets:FieldCash:P-…`, in letters and digits only, which both programs accept; ids survive renames.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:", root(self.kind))?;
        for word in self.kind.as_str().split('_') {
            let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
            write!(f, "{}{rest}", first.to_ascii_uppercase())?;
        }
        if let Some(owner) = self.owner {
            write!(f, ":P-{owner}")?;
        }
        if let Some(group) = self.group {
            write!(f, ":G-{group}")?;
        }
        Ok(())
    }
}

/// A text on one line: typed texts may contain anything.
fn one_line(text: &str) -> String {
    let spaced = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    spaced
        .collect::<String>()
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn account_names_are_unique_and_of_letters_digits_and_hyphens() {
        let mut names = std::collections::BTreeSet::new();
        for kind in AccountKind::ALL {
            let name = AccountName {
                kind: *kind,
                owner: Some(Uuid::nil()),
                group: None,
            }
            .to_string();
            assert!(
                name.split(':')
                    .all(|part| part.starts_with(|c: char| c.is_ascii_uppercase())),
                "{name}"
            );
            assert!(
                name.chars().all(|c| c.is_ascii_alphanumeric() || ":-".contains(c)),
                "{name}"
            );
            assert!(names.insert(name));
        }
    }

    #[test]
    fn what_people_typed_stays_on_its_line() {
        assert_eq!(one_line("a\n2026-01-01 open X\r\n\tb "), "a 2026-01-01 open X b");
    }
}
