//! Items that need attention: remittances in error or too long in shipping, low balances, open obligations.

use crate::{
    error::ReadError,
    ledger::{Flows, Side, Window, position_before},
    read_transaction::ReadTransaction,
    refs::named,
    remittance,
    scalar::{CurrencyCode, Money},
    scope::Scope,
    sql::Sql,
    table::get,
};
use caudal_domain::{
    AccountKind, TransferCode,
    money::{Amount, CurrencyCode as Code},
    office::Area,
    party::Role,
    remittance::Status,
};
use chrono::{DateTime, Days, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use utoipa::ToSchema;
use uuid::Uuid;

/// Maximum items listed per kind.
const LISTED: i64 = 5;
/// Days in shipping after which a remittance needs attention.
const SHIPPING_DAYS: u64 = 3;
/// Days over which average sales are computed.
const USUAL_DAYS: u64 = 30;

/// Reason why an item needs attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum AttentionKind {
    /// An offline delivery that was refused when synchronised.
    DeliveryDisputed,
    /// A delivery that was made offline while the remittance was in review.
    DeliveredWhileHeld,
    /// A remittance in error.
    RemittanceError,
    /// A remittance in shipping for more than three days.
    ShippingTooLong,
    /// A balance below a tenth of the average weekly sales of the last 30 days.
    LowBalance,
    /// A debit that is not paid in full.
    OpenDebit,
}

/// An item in the caller's scope that needs attention.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttentionItem {
    /// Reason.
    pub kind: AttentionKind,
    /// Id of the remittance, party or debit, according to `kind`.
    pub id: Uuid,
    /// Code of the remittance, or name of the party.
    pub name: Option<String>,
    /// Recipient of the remittance, or payment group of the balance.
    pub detail: Option<String>,
    /// Payout, balance or outstanding amount, in `currency`.
    pub amount: Option<Money>,
    /// Currency of `amount`, such as `CUP`.
    pub currency: Option<CurrencyCode>,
    /// Time since when it needs attention, if known; RFC 3339 in UTC.
    pub since: Option<DateTime<Utc>>,
}

/// Number of items per kind, including those not listed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AttentionCounts {
    /// Unsettled disputed deliveries.
    pub delivery_disputed: i64,
    /// Unsettled deliveries of remittances that were in review.
    pub delivered_while_held: i64,
    /// Remittances in error.
    pub remittance_error: i64,
    /// Remittances in shipping for more than three days.
    pub shipping_too_long: i64,
    /// Low balances.
    pub low_balance: i64,
    /// Debits that are not paid in full.
    pub open_obligation: i64,
}

/// What is missing of the backups of the installation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum BackupNeed {
    /// No backup was made since the installation, more than a week ago.
    NeverMade,
    /// The last good backup is older than 36 hours.
    Old,
    /// No backup was restored for a try since the installation, more than a week ago.
    NeverRehearsed,
    /// A backup was last restored for a try more than 92 days ago.
    RehearsedLongAgo,
}

/// Backups that need attention.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BackupAttention {
    /// What is missing; the most urgent, where there are several.
    pub need: BackupNeed,
    /// Time of the last good backup, or of the last rehearsal, according to `need`; absent where there was none. RFC 3339 in
    /// UTC.
    pub since: Option<DateTime<Utc>>,
}

/// Items that need attention: at most five per kind, the most urgent first, and the number of all.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Attention {
    /// Listed items.
    pub results: Vec<AttentionItem>,
    /// Number of items per kind.
    pub counts: AttentionCounts,
    /// Backups, for managers; null where nothing is missing.
    pub backup: Option<BackupAttention>,
}

/// Items in the caller's scope that need attention.
pub async fn attention(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    now: DateTime<Utc>,
) -> Result<Attention, ReadError> {
    let mut attention = Attention::default();
    let days_ago = |days| now.checked_sub_days(Days::new(days)).unwrap_or(now);
    if scope.reads(Area::Sales) {
        deliveries(transaction, scope, days_ago(SHIPPING_DAYS), &mut attention).await?;
    }
    // Whoever reviews holds settles them.
    if scope.role == Role::Manager && scope.reads(Area::Compliance) {
        attention.counts.delivered_while_held = breaches(transaction, scope, &mut attention.results).await?;
    }
    if scope.role.holds_cash() || !scope.reads(Area::Payments) {
        return Ok(attention);
    }
    attention.counts.low_balance =
        low_balances(transaction, scope, days_ago(USUAL_DAYS), &mut attention.results).await?;
    // Internal agents see no obligations.
    if scope.role != Role::InternalAgent {
        attention.counts.open_obligation = open_debits(transaction, scope, &mut attention.results).await?;
    }
    Ok(attention)
}

/// Remittances in error, in dispute, and in shipping since before a moment.
async fn deliveries(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    shipping_before: DateTime<Utc>,
    attention: &mut Attention,
) -> Result<(), ReadError> {
    attention.counts.delivery_disputed = disputes(transaction, scope, &mut attention.results).await?;
    let mut in_error = remittances(scope, Status::Error, transaction);
    attention.counts.remittance_error = take(
        transaction,
        &mut attention.results,
        AttentionKind::RemittanceError,
        &mut in_error,
        "r.updated_at",
    )
    .await?;
    let mut shipping = remittances(scope, Status::Shipping, transaction);
    shipping.push(" AND r.assigned_at < ").bind(shipping_before);
    attention.counts.shipping_too_long = take(
        transaction,
        &mut attention.results,
        AttentionKind::ShippingTooLong,
        &mut shipping,
        "r.assigned_at",
    )
    .await?;
    Ok(())
}

/// Lists the unsettled deliveries of what was in review, the oldest first. Returns the number of all.
async fn breaches(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    items: &mut Vec<AttentionItem>,
) -> Result<i64, ReadError> {
    let mut breached = visible(scope, transaction);
    breached.push(" AND r.breach_at IS NOT NULL AND r.breach_settled_at IS NULL");
    take(
        transaction,
        items,
        AttentionKind::DeliveredWhileHeld,
        &mut breached,
        "r.breach_at",
    )
    .await
}

/// Lists the longest open disputes. Returns the number of all.
async fn disputes(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    items: &mut Vec<AttentionItem>,
) -> Result<i64, ReadError> {
    if !matches!(scope.role, Role::Manager | Role::Dealer) {
        return Ok(0);
    }
    let mut sql = transaction.joined(remittance::dispute::TABLES, "x").after(
        "SELECT r.id, r.code AS name, q.name AS detail, c.payout AS amount, c.currency, x.at AS since,
                count(*) OVER () AS counted",
    );
    sql.push(" AND x.settled_at IS NULL");
    remittance::dispute::and_visible(&mut sql, transaction, scope);
    sql.push(" ORDER BY x.position LIMIT ").bind(LISTED);
    listed(transaction, items, AttentionKind::DeliveryDisputed, &sql).await
}

fn visible(scope: &Scope, transaction: &ReadTransaction) -> Sql {
    let tables = "remittances AS r LEFT JOIN customers AS q ON q.tenant = r.tenant AND q.id = r.recipient";
    let mut from = transaction.joined(tables, "r");
    remittance::and_visible(&mut from, scope);
    from
}

fn remittances(scope: &Scope, status: Status, transaction: &ReadTransaction) -> Sql {
    let mut from = visible(scope, transaction);
    from.push(" AND r.status = ").bind(i64::from(status.number()));
    from
}

/// Lists the longest affected remittances. Returns the number of all.
async fn take(
    transaction: &mut ReadTransaction,
    items: &mut Vec<AttentionItem>,
    kind: AttentionKind,
    from: &mut Sql,
    since: &str,
) -> Result<i64, ReadError> {
    let mut sql = from.after(&format!(
        "SELECT r.id, r.code AS name, q.name AS detail, r.payout AS amount, r.currency, {since} AS since,
                count(*) OVER () AS counted"
    ));
    sql.push(&format!(" ORDER BY {since}, r.position LIMIT ")).bind(LISTED);
    listed(transaction, items, kind, &sql).await
}

async fn open_debits(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    items: &mut Vec<AttentionItem>,
) -> Result<i64, ReadError> {
    let tables = "debits AS d LEFT JOIN parties AS p ON p.tenant = d.tenant AND p.id = d.debtor";
    let mut sql = transaction.joined(tables, "d").after(
        "SELECT d.id, p.name, NULL::text AS detail, d.amount - d.paid AS amount, 'USD' AS currency,
                d.opened_at AS since, count(*) OVER () AS counted",
    );
    sql.push(" AND NOT d.void AND d.paid < d.amount");
    scope.and_party(&mut sql, transaction.tenant(), &["d.debtor", "d.creditor"]);
    sql.push(" ORDER BY d.position, d.id LIMIT ").bind(LISTED);
    listed(transaction, items, AttentionKind::OpenDebit, &sql).await
}

async fn listed(
    transaction: &mut ReadTransaction,
    items: &mut Vec<AttentionItem>,
    kind: AttentionKind,
    sql: &Sql,
) -> Result<i64, ReadError> {
    let rows = transaction.fetch(sql).await?;
    let item = |row: &PgRow| {
        Ok::<_, sqlx::Error>(AttentionItem {
            kind,
            id: row.try_get("id")?,
            name: row.try_get("name")?,
            detail: row.try_get("detail")?,
            amount: Some(Money(get(row, "amount")?)),
            currency: Some(CurrencyCode(get(row, "currency")?)),
            since: row.try_get("since")?,
        })
    };
    for row in &rows {
        items.push(item(row)?);
    }
    Ok(rows.first().map_or(Ok(0), |row| row.try_get("counted"))?)
}

/// A balance with its recent sales.
struct Low {
    party: Uuid,
    group: String,
    balance: Amount,
    currency: Code,
    sold: Amount,
}

/// Lists the lowest balances relative to their average sales. Returns the number of all low ones.
async fn low_balances(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    since: DateTime<Utc>,
    items: &mut Vec<AttentionItem>,
) -> Result<i64, ReadError> {
    let tables = "party_terms AS t
        JOIN parties AS p ON p.tenant = t.tenant AND p.id = t.party
        JOIN payment_groups AS g ON g.tenant = t.tenant AND g.id = t.group_id";
    let mut sql = transaction
        .joined(tables, "t")
        .after("SELECT t.party, g.id, coalesce(t.name, g.name) AS name, g.currency");
    sql.push(" AND t.is_active AND g.is_active AND p.is_active");
    scope.and_party(&mut sql, transaction.tenant(), &["t.party"]);
    let rows = transaction.fetch(&sql).await?;
    let mut parties = rows
        .iter()
        .map(|row| row.try_get("party"))
        .collect::<Result<Vec<Uuid>, _>>()?;
    parties.sort_unstable();
    parties.dedup();
    let after = position_before(transaction, since).await?;
    let flows = Flows::of(
        transaction,
        &Window::each(&parties, after, i64::MAX),
        &[AccountKind::Balance],
    )
    .await?;
    let mut low = Vec::new();
    for row in &rows {
        let (party, currency) = (row.try_get("party")?, get(row, "currency")?);
        let account = flows.account(party, AccountKind::Balance, Some(row.try_get("id")?), currency);
        let sold = account.within(&[TransferCode::Sale], Side::Debit).amount
            - account.within(&[TransferCode::SaleReturn], Side::Credit).amount;
        let candidate = Low {
            party,
            group: row.try_get("name")?,
            balance: -account.closing(),
            currency,
            sold,
        };
        if candidate.is_low() {
            low.push(candidate);
        }
    }
    low.sort_by(|one, other| one.urgency().cmp(&other.urgency()).then(one.party.cmp(&other.party)));
    let names = named(transaction, parties).await?;
    let count = i64::try_from(low.len()).unwrap_or(i64::MAX);
    for low in low.into_iter().take(usize::try_from(LISTED).unwrap_or(usize::MAX)) {
        items.push(AttentionItem {
            kind: AttentionKind::LowBalance,
            id: low.party,
            name: names.get(&low.party).and_then(|party| party.name.clone()),
            detail: Some(low.group),
            amount: Some(Money(low.balance)),
            currency: Some(CurrencyCode(low.currency)),
            since: None,
        });
    }
    Ok(count)
}

impl Low {
    /// Below a tenth of an average week's sales: balance < sold × 7 ÷ 30 ÷ 10.
    fn is_low(&self) -> bool {
        const PER_WEEK: i128 = 7;
        let days = i128::from(USUAL_DAYS);
        i128::from(self.balance.minor()) * days * 10 < i128::from(self.sold.minor()) * PER_WEEK
    }

    /// Balance relative to sales, in millionths; lower is more urgent.
    fn urgency(&self) -> i128 {
        let sold = i128::from(self.sold.minor()).max(1);
        i128::from(self.balance.minor()) * 1_000_000 / sold
    }
}
