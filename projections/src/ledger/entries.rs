//! Journal entries: the postings of each event.

use super::{
    balances::{NormalSide, until},
    require_kind,
};
use crate::{
    batch::{Batch, Superiors},
    error::ReadError,
    list::{
        self, Filter, List, Takes, currency,
        filter::{self, Narrow},
        flag, number, sum, text, time, values,
    },
    page::{ListQuery, Page},
    print::{Printing, Words, actor, name, word, words},
    read_transaction::{ReadTransaction, only},
    refs::{HistoryActor, Ref},
    rows::{AccountRow, EntryRow, PostingRow},
    scalar::{AccountKind, CurrencyCode, Money, StreamKind},
    scope::Scope,
    sql::Sql,
    table::{Row as _, get, select_list},
    tally::{ALL, Narrows, TallySpec, block_of},
};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use std::{
    collections::{HashMap, HashSet},
    sync::Arc,
};
use utoipa::ToSchema;
use uuid::Uuid;

/// An account as referenced by an entry.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountRef {
    /// Account as text: `kind[/owner[/group]]/CURRENCY`.
    #[schema(examples("treasury/USD"))]
    pub account: String,
    /// Number in the chart of accounts, such as `1000`.
    pub code: String,
    /// Kind of the account.
    pub kind: AccountKind,
    /// Owner; null for the tenant's own accounts.
    pub owner: Option<Ref>,
    /// Payment group of a prepaid balance; null for other accounts.
    pub payment_group_id: Option<Uuid>,
    /// Side on which screens show its balance as positive.
    pub normal_side: NormalSide,
    /// Balance after the transfer, debits less credits; null for accounts outside the caller's scope.
    pub balance_after: Option<Money>,
}

/// An amount moved from one account to another.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerTransfer {
    /// Purpose of the transfer, such as `sale`.
    #[schema(examples("sale"))]
    pub code: String,
    /// Account debited.
    pub debit: AccountRef,
    /// Account credited.
    pub credit: AccountRef,
    /// Amount, above 0.
    pub amount: Money,
    /// Currency of the amount, such as `CUP`.
    pub currency: CurrencyCode,
}

/// Postings of one event.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerEntry {
    /// Position of the event in the tenant's log, from 1.
    pub position: i64,
    /// Time of recording, RFC 3339 in UTC.
    pub at: DateTime<Utc>,
    /// Event type, such as `RemittanceCreated`.
    #[schema(examples("RemittanceCreated"))]
    pub event_type: String,
    /// Kind of the record that caused it: `remittance`, `movement` or `closure`.
    pub cause_kind: StreamKind,
    /// Id of the record.
    pub cause_id: Uuid,
    /// Human number of the record, such as `R-000001`.
    #[schema(examples("R-000001"))]
    pub cause_number: Option<String>,
    /// Party that did it; all fields null for the system.
    pub actor: HistoryActor,
    /// Whether it reverses an earlier entry.
    pub reversal: bool,
    /// Transfers in order; only those that touch an account in the caller's scope.
    pub transfers: Vec<LedgerTransfer>,
}

/// A line of the file: one transfer of an entry.
#[derive(Debug)]
pub struct EntryLine {
    entry: Arc<LedgerEntry>,
    transfer: LedgerTransfer,
}

/// Lines of an entry, in order.
#[must_use]
pub fn entry_lines(mut entry: LedgerEntry) -> Vec<EntryLine> {
    let transfers = std::mem::take(&mut entry.transfers);
    let entry = Arc::new(entry);
    let line = |transfer| EntryLine {
        entry: Arc::clone(&entry),
        transfer,
    };
    transfers.into_iter().map(line).collect()
}

fn account(account: &AccountRef, printing: &Printing) -> Option<String> {
    let kind = format!("{} {}", account.code, printing.say(words::account(account.kind.0)));
    Some(match name(account.owner.as_ref(), printing) {
        Some(owner) => format!("{kind} · {owner}"),
        None => kind,
    })
}

/// Filter by an account that entries touch.
const fn touches(name: &'static str, label: Words, about: &'static str, takes: Takes, column: &'static str) -> Filter {
    Filter::new(name, label, about, takes, Narrow::Touches(column))
}

/// List of entries. An entry has several transfers: not sortable by their accounts and amounts.
pub const ENTRIES: List<EntryLine> = List {
    title: word::OPERATIONS,
    columns: &[
        number("position", word::ENTRY, |l: &EntryLine| l.entry.position).in_order("e.position"),
        time("created", word::DATE, |l: &EntryLine| Some(l.entry.at)).in_order("e.position"),
        text("cause", word::ORIGIN, |l: &EntryLine, _| l.entry.cause_number.clone()).bounded("(e.cause_kind, e.cause)"),
        text("eventType", word::EVENT, |l: &EntryLine, _| {
            Some(l.entry.event_type.clone())
        })
        .bounded("e.event_type"),
        text("debit", Words::new("Debe", "Debit"), |l: &EntryLine, p| {
            account(&l.transfer.debit, p)
        }),
        text("credit", word::CREDIT_SIDE, |l: &EntryLine, p| {
            account(&l.transfer.credit, p)
        }),
        sum("amount", word::AMOUNT, |l: &EntryLine| Some(l.transfer.amount)),
        currency("currency", word::CURRENCY, |l: &EntryLine| Some(l.transfer.currency)),
        flag("reversal", word::REVERSAL, |l: &EntryLine| l.entry.reversal).bounded("e.reversal"),
        text("actor", word::WHO, |l: &EntryLine, p| actor(&l.entry.actor, p))
            .bounded("(SELECT p.search FROM parties AS p WHERE p.tenant = e.tenant AND p.id = e.actor)"),
    ],
    filters: &[
        touches(
            "account",
            word::ACCOUNT,
            "Touching this account, by its key.",
            Takes::Text,
            "a.account",
        )
        .counted(Narrows::Value("account")),
        touches(
            "kind",
            word::KIND,
            "Touching accounts of this kind.",
            Takes::Known(values::ACCOUNT_KIND),
            "a.kind",
        )
        .counted(Narrows::Value("kind")),
        touches(
            "ownerId",
            word::OWNER,
            "Touching accounts of this party.",
            Takes::Id,
            "a.owner",
        )
        .counted(Narrows::Id("owner")),
        touches(
            "currency",
            word::CURRENCY,
            "In this currency.",
            Takes::Currency,
            "a.currency",
        )
        .counted(Narrows::Value("currency")),
        filter::first_day("from", "On this day or later.", "e.at").counted(Narrows::Days),
        filter::last_day("to", "On this day or before.", "e.at").counted(Narrows::Days),
        filter::first_day("initDate", "On this day or later; another name of from.", "e.at").counted(Narrows::Days),
        filter::last_day("finalDate", "On this day or before; another name of to.", "e.at").counted(Narrows::Days),
        filter::at("Through this moment."),
        filter::at_position("Through the event at this position."),
        filter::id(
            "cause",
            word::CAUSE,
            "Caused by this remittance, movement or closure.",
            "e.cause",
        ),
        filter::exactly(
            "eventType",
            word::EVENT,
            "Caused by events of this type.",
            "e.event_type",
        )
        .counted(Narrows::Value("event_type")),
    ],
    search: None,
    default_sort: "-created",
    tie: "e.position",
    counted: Some(&TallySpec {
        list: "entries",
        alias: "e",
        position: "e.position",
        time: "e.at",
        has_index_of_time: true,
    }),
    hides_prices: false,
};

/// What entries are counted by, each once: a dimension and its value. Most entries of a batch touch the same.
#[derive(Default)]
struct Dimensions {
    numbers: HashMap<(&'static str, String), usize>,
}

impl Dimensions {
    fn number(&mut self, dimension: &'static str, value: String) -> usize {
        let next = self.numbers.len();
        *self.numbers.entry((dimension, value)).or_insert(next)
    }

    /// Those of an account.
    fn of(&mut self, account: &AccountRow, superiors: &Superiors) -> Vec<usize> {
        let mut numbers = vec![
            self.number("account", account.account.clone()),
            self.number("kind", account.kind.as_str().to_owned()),
            self.number("currency", account.currency.as_str().to_owned()),
        ];
        if let Some(owner) = account.owner {
            numbers.push(self.number("owner", owner.to_string()));
            // Parties that see it: the owner and its superiors.
            for party in std::iter::once(owner).chain(superiors.of(owner)) {
                numbers.push(self.number("scope", party.to_string()));
            }
        }
        numbers
    }
}

/// Counts the entries of a batch by what they touch; entries are never uncounted.
pub(crate) fn tally(batch: &mut Batch) {
    const LIST: &str = "entries";
    let mut dimensions = Dimensions::default();
    let touched: HashSet<i32> = batch.postings.iter().map(|posting| posting.account).collect();
    let of_accounts: HashMap<i32, Vec<usize>> = batch
        .kept
        .accounts
        .iter()
        .filter(|account| touched.contains(&account.number))
        .map(|account| (account.number, dimensions.of(account, &batch.kept.superiors)))
        .collect();
    let mut rows: HashMap<(i32, usize), i64> = HashMap::new();
    // Each entry has its postings, in the same order.
    let mut postings = batch.postings.chunk_by(|one, next| one.position == next.position);
    for entry in &batch.entries {
        let touched = postings.next().unwrap_or_default();
        let mut counted: Vec<usize> = touched
            .iter()
            .filter_map(|posting| of_accounts.get(&posting.account))
            .flatten()
            .copied()
            .collect();
        counted.push(dimensions.number(ALL, String::new()));
        counted.push(dimensions.number("event_type", entry.event_type.clone()));
        counted.sort_unstable();
        counted.dedup();
        let block = block_of(entry.position);
        for number in counted {
            *rows.entry((block, number)).or_default() += 1;
        }
    }
    let mut named: Vec<_> = dimensions.numbers.into_iter().collect();
    named.sort_unstable_by_key(|(_, number)| *number);
    for ((block, number), rows) in rows {
        if let Some((dimension, _)) = named.get(number) {
            batch.tallies.count_rows(LIST, dimension.clone(), block, rows);
        }
    }
}

/// Entries that touch an account in the caller's scope.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn list(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
) -> Result<Page<LedgerEntry>, ReadError> {
    require_kind(query)?;
    let through = until(transaction, query).await?;
    let mut from = visible(transaction, scope);
    if let Some(through) = through {
        from.push(" AND e.position <= ").bind(through);
    }
    let scoped = (!scope.sees_all()).then(|| ("scope", scope.principal().to_string()));
    let keys = ENTRIES
        .counted_keys::<i64>(transaction, scoped, query, from, "e.position")
        .await?;
    let rows = views(transaction, scope, &keys.keys).await?;
    Ok(keys.page(rows))
}

/// The entry of the event at a position.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn entry(transaction: &mut ReadTransaction, scope: &Scope, position: i64) -> Result<LedgerEntry, ReadError> {
    let mut from = visible(transaction, scope).after("SELECT e.position");
    from.push(" AND e.position = ").bind(position);
    only(transaction.fetch(&from).await?, "entry_not_found")?;
    only(views(transaction, scope, &[position]).await?, "entry_not_found")
}

fn visible(transaction: &ReadTransaction, scope: &Scope) -> Sql {
    let mut from = transaction.rows("entries", "e");
    if !scope.sees_all() {
        from.push(" AND ").begin_lines();
        scope.and_party(&mut from, transaction.tenant(), &["a.owner"]);
        from.end_lines();
        // Filters compare what is shown: others' transfers of the same entry are not.
        from.see_lines(|sql| scope.and_party(sql, transaction.tenant(), &["w.owner"]));
    }
    from
}

async fn views(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    positions: &[i64],
) -> Result<Vec<LedgerEntry>, ReadError> {
    let mut transfers = transfers(transaction, scope, positions).await?;
    let tables = "entries AS e
        LEFT JOIN parties AS a ON a.tenant = e.tenant AND a.id = e.actor
        LEFT JOIN remittances AS r ON e.cause_kind = 'remittance' AND r.tenant = e.tenant AND r.id = e.cause
        LEFT JOIN movements AS m ON e.cause_kind = 'movement' AND m.tenant = e.tenant AND m.id = e.cause
        LEFT JOIN closures AS c ON e.cause_kind = 'closure' AND c.tenant = e.tenant AND c.id = e.cause";
    let mut sql = transaction.joined(tables, "e").after(&format!(
        "SELECT a.name AS actor_name, coalesce(r.code, m.number, c.number) AS cause_number, {}",
        select_list::<EntryRow>("e", "")
    ));
    sql.push(" AND e.position = ANY (").bind(positions.to_vec()).push(")");
    let found = transaction.fetch_by_keys(&sql).await?;
    let read = |row: &PgRow| {
        let entry = EntryRow::read(row, "")?;
        Ok(LedgerEntry {
            position: entry.position,
            at: entry.at,
            event_type: entry.event_type,
            cause_kind: entry.cause_kind.into(),
            cause_id: entry.cause,
            cause_number: row.try_get("cause_number")?,
            actor: HistoryActor::new(entry.actor, &entry.role, row.try_get("actor_name")?),
            reversal: entry.reversal,
            transfers: transfers.remove(&entry.position).unwrap_or_default(),
        })
    };
    let rows = found.iter().map(read).collect::<Result<Vec<_>, sqlx::Error>>()?;
    Ok(list::in_order(positions, rows, |entry| entry.position))
}

/// Transfers of entries by position: pairs of a debited and a credited line.
async fn transfers(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    positions: &[i64],
) -> Result<HashMap<i64, Vec<LedgerTransfer>>, ReadError> {
    let tables = "postings AS d
        JOIN postings AS c ON c.tenant = d.tenant AND c.position = d.position AND c.line = d.line + 1
        JOIN flows AS f ON f.tenant = d.tenant AND f.number = d.flow
        JOIN accounts AS x ON x.tenant = d.tenant AND x.number = d.account
        JOIN accounts AS y ON y.tenant = c.tenant AND y.number = c.account
        LEFT JOIN parties AS p ON p.tenant = x.tenant AND p.id = x.owner
        LEFT JOIN parties AS q ON q.tenant = y.tenant AND q.id = y.owner";
    let account = |side: &str, alias: &str, line: &str, party: &str| {
        format!(
            "{alias}.account AS {side}_account, {alias}.code::text AS {side}_code, {alias}.kind AS {side}_kind,
             {alias}.owner AS {side}_owner, {party}.name AS {side}_name, {party}.agency AS {side}_agency,
             {party}.dealer AS {side}_dealer, {alias}.group_id AS {side}_group, {line}.balance_after AS {side}_after"
        )
    };
    let mut sql = transaction.joined(tables, "d").after(&format!(
        "SELECT {}, {}, f.code, x.currency AS transfer_currency, {}",
        account("from", "x", "d", "p"),
        account("to", "y", "c", "q"),
        select_list::<PostingRow>("d", "line_")
    ));
    sql.push(" AND d.line % 2 = 0 AND d.position = ANY (")
        .bind(positions.to_vec())
        .push(")");
    scope.and_party(&mut sql, transaction.tenant(), &["x.owner", "y.owner"]);
    sql.push(" ORDER BY d.position, d.line");
    let mut transfers: HashMap<i64, Vec<LedgerTransfer>> = HashMap::new();
    for row in transaction.fetch_by_keys(&sql).await? {
        let line = PostingRow::read(&row, "line_")?;
        transfers.entry(line.position).or_default().push(LedgerTransfer {
            code: row.try_get("code")?,
            debit: account_ref(&row, "from", scope)?,
            credit: account_ref(&row, "to", scope)?,
            amount: line.amount.into(),
            currency: CurrencyCode(get(&row, "transfer_currency")?),
        });
    }
    Ok(transfers)
}

fn account_ref(row: &PgRow, side: &str, scope: &Scope) -> Result<AccountRef, sqlx::Error> {
    let column = |name: &str| format!("{side}_{name}");
    let owner: Option<Uuid> = row.try_get(&*column("owner"))?;
    let above = [row.try_get(&*column("agency"))?, row.try_get(&*column("dealer"))?];
    let kind: caudal_domain::AccountKind = get(row, &column("kind"))?;
    Ok(AccountRef {
        normal_side: NormalSide::of(kind),
        account: row.try_get(&*column("account"))?,
        code: row.try_get(&*column("code"))?,
        kind: AccountKind(kind),
        owner: Ref::maybe(owner, row, &column("name"))?,
        payment_group_id: row.try_get(&*column("group"))?,
        balance_after: match scope.covers(owner, above) {
            true => Some(Money(get(row, &column("after"))?)),
            false => None,
        },
    })
}
