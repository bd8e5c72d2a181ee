//! The journal of entries: what each event moved.

use super::{
    AccountRow, EntryRow, LineRow,
    balances::{NormalSide, until},
    require_kind,
};
use crate::{
    error::ReadError,
    list::{self, Filter, ListSpec},
    page::{ListQuery, Page},
    projector::batch::Batch,
    refs::{HistoryActor, Ref},
    scalar::{AccountKind, CurrencyCode, Money, StreamKind},
    scope::Scope,
    snapshot::{Snapshot, only},
    sql::{FENCE, LINES, OF_ENTRY, Sql},
    table::{Row as _, get, select_list},
    tally::{Change, Counted, Narrows, TallySpec},
};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use std::collections::{BTreeSet, HashMap};
use utoipa::ToSchema;
use uuid::Uuid;

/// An account, as an entry names it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AccountRef {
    /// The account as text: `kind[/owner[/group]]/CURRENCY`.
    #[schema(examples("treasury/USD"))]
    pub account: String,
    /// Its number in the chart.
    pub code: String,
    /// What it is for.
    pub kind: AccountKind,
    /// Whose it is; the tenant's own where null.
    pub owner: Option<Ref>,
    /// The catalogue group of a prepaid balance.
    pub payment_group_id: Option<Uuid>,
    /// The side on which screens tell its balance as positive.
    pub normal_side: NormalSide,
    /// Its balance afterwards: debits less credits. Null where the account is not in the caller's scope, since its
    /// balance tells of others' business.
    pub balance_after: Option<Money>,
}

/// So much from one account to another.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerTransfer {
    /// Why.
    #[schema(examples("sale"))]
    pub code: String,
    /// The account debited.
    pub debit: AccountRef,
    /// The account credited.
    pub credit: AccountRef,
    /// How much.
    pub amount: Money,
    /// Of which currency.
    pub currency: CurrencyCode,
}

/// What one event moved.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LedgerEntry {
    /// The event's position in the tenant's log.
    pub position: i64,
    /// When.
    pub at: DateTime<Utc>,
    /// The event's type.
    #[schema(examples("RemittanceCreated"))]
    pub event_type: String,
    /// What sort of thing caused it: `remittance`, `movement` or `closure`.
    pub cause_kind: StreamKind,
    /// Which one.
    pub cause_id: Uuid,
    /// Its human number.
    #[schema(examples("R-000001"))]
    pub cause_number: Option<String>,
    /// Who did it.
    pub actor: HistoryActor,
    /// Whether it takes an earlier entry back.
    pub reversal: bool,
    /// Its transfers, in order; those that touch an account in the caller's scope.
    pub transfers: Vec<LedgerTransfer>,
}

/// The condition that an entry `e` touches an account `a` that is so: [`LINES`], [`OF_ENTRY`], [`FENCE`].
macro_rules! touches {
    ($account:literal) => {
        concat!(
            "EXISTS (SELECT 1 FROM entry_lines AS l JOIN accounts AS a ON a.tenant = l.tenant AND a.number = l.account \
             WHERE l.tenant = e.tenant AND l.position = e.position AND ",
            $account,
            " /* fence */)"
        )
    };
}

const LIST: ListSpec = ListSpec {
    sorts: &[("created", "e.position")],
    default_sort: "-created",
    tie: "e.position",
    indexed: &[],
    filters: &[
        ("account", Filter::Exactly(touches!("a.account = ?"))),
        ("kind", Filter::Exactly(touches!("a.kind = ?"))),
        ("ownerId", Filter::Id(touches!("a.owner = ?"))),
        ("currency", Filter::Currency(touches!("a.currency = ?"))),
        ("from", Filter::FromDay("e.at")),
        ("to", Filter::ThroughDay("e.at")),
        ("initDate", Filter::FromDay("e.at")),
        ("finalDate", Filter::ThroughDay("e.at")),
        ("cause", Filter::Id("e.cause")),
        ("eventType", Filter::Exactly("e.event_type")),
    ],
    search: None,
};

/// Counts the entries of a batch, which stay, by what they touch.
pub(crate) fn tally(batch: &mut Batch) {
    let accounts: HashMap<i32, &AccountRow> = batch
        .kept
        .accounts
        .iter()
        .map(|account| (account.number, account))
        .collect();
    let mut touched: HashMap<i64, BTreeSet<(&'static str, String)>> = HashMap::new();
    for line in &batch.lines {
        let Some(account) = accounts.get(&line.account) else {
            continue;
        };
        let values = touched.entry(line.position).or_default();
        values.insert(("account", account.account.clone()));
        values.insert(("kind", account.kind.as_str().to_owned()));
        values.insert(("currency", account.currency.as_str().to_owned()));
        let Some(owner) = account.owner else { continue };
        values.insert(("owner", owner.to_string()));
        // Those who see it: the owner, and who is above.
        values.extend(
            std::iter::once(owner)
                .chain(batch.kept.superiors.of(owner))
                .map(|party| ("scope", party.to_string())),
        );
    }
    for entry in &batch.entries {
        let mut values: Vec<_> = touched
            .remove(&entry.position)
            .unwrap_or_default()
            .into_iter()
            .collect();
        values.push(("event_type", entry.event_type.clone()));
        let counted = Counted {
            list: "entries",
            position: entry.position,
            part: 0,
            currency: "",
            amount: 0,
            values,
        };
        batch.tallies.count(Change::Comes, counted);
    }
}

/// How the list is counted.
const COUNTED: TallySpec = TallySpec {
    list: "entries",
    position: "e.position",
    time: "e.at",
    has_index_of_time: true,
    filters: &[
        ("account", Narrows::Value("account")),
        ("kind", Narrows::Value("kind")),
        ("ownerId", Narrows::Id("owner")),
        ("currency", Narrows::Value("currency")),
        ("eventType", Narrows::Value("event_type")),
        ("from", Narrows::Days),
        ("to", Narrows::Days),
        ("initDate", Narrows::Days),
        ("finalDate", Narrows::Days),
    ],
};

/// The entries that touch an account in the caller's scope.
///
/// # Errors
/// Sorts, filters and pages that the list does not have.
pub async fn list(snapshot: &mut Snapshot, scope: &Scope, query: &ListQuery) -> Result<Page<LedgerEntry>, ReadError> {
    require_kind(query)?;
    let (query, through) = until(snapshot, query).await?;
    let mut from = visible(snapshot, scope);
    if let Some(through) = through {
        from.push(" AND e.position <= ").bind(through);
    }
    let scoped = (!scope.sees_all()).then(|| ("scope", scope.principal().to_string()));
    let keys = if through.is_none() {
        list::counted_keys::<i64>(snapshot, &LIST, &COUNTED, scoped, &query, from, "e.position").await?
    } else {
        list::keys::<i64>(snapshot, &LIST, &query, from, "e.position").await?
    };
    let rows = views(snapshot, scope, &keys.keys).await?;
    Ok(keys.page(rows))
}

/// The entry of the event at a position.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn entry(snapshot: &mut Snapshot, scope: &Scope, position: i64) -> Result<LedgerEntry, ReadError> {
    let mut from = visible(snapshot, scope).after("SELECT e.position");
    from.push(" AND e.position = ").bind(position);
    only(snapshot.fetch(&from).await?, "entry_not_found")?;
    only(views(snapshot, scope, &[position]).await?, "entry_not_found")
}

fn visible(snapshot: &Snapshot, scope: &Scope) -> Sql {
    let mut from = snapshot.rows("entries", "e");
    if !scope.sees_all() {
        from.push(&format!(
            " AND {LINES} JOIN accounts AS a ON a.tenant = l.tenant AND a.number = l.account WHERE {OF_ENTRY}"
        ));
        scope.and_party(&mut from, snapshot.tenant(), &["a.owner"]);
        from.push(&format!(" {FENCE}"));
    }
    from
}

async fn views(snapshot: &mut Snapshot, scope: &Scope, positions: &[i64]) -> Result<Vec<LedgerEntry>, ReadError> {
    let mut transfers = transfers(snapshot, scope, positions).await?;
    let tables = "entries AS e
        LEFT JOIN parties AS a ON a.tenant = e.tenant AND a.id = e.actor
        LEFT JOIN remittances AS r ON e.cause_kind = 'remittance' AND r.tenant = e.tenant AND r.id = e.cause
        LEFT JOIN movements AS m ON e.cause_kind = 'movement' AND m.tenant = e.tenant AND m.id = e.cause
        LEFT JOIN closures AS c ON e.cause_kind = 'closure' AND c.tenant = e.tenant AND c.id = e.cause";
    let mut sql = snapshot.joined(tables, "e").after(&format!(
        "SELECT a.name AS actor_name, coalesce(r.code, m.number, c.number) AS cause_number, {}",
        select_list::<EntryRow>("e", "")
    ));
    sql.push(" AND e.position = ANY (").bind(positions.to_vec()).push(")");
    let found = snapshot.fetch_by_keys(&sql).await?;
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

/// The transfers of entries, by position: lines two by two, debited and credited.
async fn transfers(
    snapshot: &mut Snapshot,
    scope: &Scope,
    positions: &[i64],
) -> Result<HashMap<i64, Vec<LedgerTransfer>>, ReadError> {
    let tables = "entry_lines AS d
        JOIN entry_lines AS c ON c.tenant = d.tenant AND c.position = d.position AND c.line = d.line + 1
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
    let mut sql = snapshot.joined(tables, "d").after(&format!(
        "SELECT {}, {}, x.currency AS transfer_currency, {}",
        account("from", "x", "d", "p"),
        account("to", "y", "c", "q"),
        select_list::<LineRow>("d", "line_")
    ));
    sql.push(" AND d.line % 2 = 0 AND d.position = ANY (")
        .bind(positions.to_vec())
        .push(")");
    scope.and_party(&mut sql, snapshot.tenant(), &["x.owner", "y.owner"]);
    sql.push(" ORDER BY d.position, d.line");
    let mut transfers: HashMap<i64, Vec<LedgerTransfer>> = HashMap::new();
    for row in snapshot.fetch_by_keys(&sql).await? {
        let line = LineRow::read(&row, "line_")?;
        transfers.entry(line.position).or_default().push(LedgerTransfer {
            code: line.code,
            debit: account_ref(&row, "from", scope)?,
            credit: account_ref(&row, "to", scope)?,
            amount: line.debit.into(),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_condition_on_lines_can_be_read_as_positions_that_are_found_first() {
        for (name, filter) in LIST.filters {
            let (Filter::Exactly(text) | Filter::Id(text) | Filter::Currency(text)) = filter else {
                continue;
            };
            let marks = [LINES, OF_ENTRY, FENCE].map(|mark| text.matches(mark).count());
            let wanted = if text.contains("entry_lines") { [1; 3] } else { [0; 3] };
            assert_eq!(marks, wanted, "{name}");
        }
        let (before, after) = touches!("a.kind = ?").split_once('?').unwrap();
        let mut all = Sql::new("FROM entries AS e WHERE e.tenant = ");
        all.bind("worked")
            .push(" AND ")
            .push(before)
            .bind("treasury")
            .push(after);
        assert_eq!(
            all.bounded(5, 9).text(),
            "FROM entries AS e WHERE e.tenant = $1 AND e.position = ANY (ARRAY(SELECT l.position \
             FROM entry_lines AS l JOIN accounts AS a ON a.tenant = l.tenant AND a.number = l.account \
             WHERE l.tenant = $1 AND a.kind = $2 AND l.position BETWEEN $3 AND $4))"
        );
    }
}
