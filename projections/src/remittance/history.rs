//! History of a remittance, oldest first.

use super::{
    hold::PublicHoldReason,
    views::{require_visible, sees_price},
};
use crate::{
    error::ReadError,
    list::{self, List, currency, money, text, time, values},
    page::{ListQuery, Page},
    print::{Words, actor, name, word, words},
    read_transaction::ReadTransaction,
    refs::{HistoryActor, Ref, ReviewFile},
    rows::HistoryRow,
    scalar::{AttemptReason, CurrencyCode, Money, RemittanceChange, RemittanceStatus},
    scope::Scope,
    table::{Row as _, name_in_log, select_list},
};
use caudal_domain::{ids::RemittanceId, money::Amount};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use std::collections::HashMap;
use utoipa::ToSchema;

/// A detail of a remittance that an edit can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RemittanceField {
    /// Name of the recipient.
    Recipient,
    /// `home` or `card`.
    DeliveryMethod,
    /// Delivery address of this remittance.
    Address,
    /// Name of the province.
    Province,
    /// Name of the municipality.
    Municipality,
    /// Last four digits of the card.
    Card,
    /// The seller's notes.
    Notes,
    /// The seller's own reference.
    Reference,
    /// The payment group, by name.
    Group,
    /// Amount sent, in USD.
    Amount,
    /// Amount paid out.
    Payout,
}

/// A detail changed by an edit. Values are null after erasure and when hidden from delivery men.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceFieldChange {
    /// The detail.
    pub field: RemittanceField,
    /// Value before the edit.
    pub before: Option<String>,
    /// Value after the edit.
    pub after: Option<String>,
}

/// A change in a remittance's history.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceHistoryItem {
    /// Position of the event in the tenant's log, from 1.
    pub position: i64,
    /// Time of recording, RFC 3339 in UTC.
    pub at: DateTime<Utc>,
    /// Time of an offline act; null when recorded at once.
    pub occurred: Option<DateTime<Utc>>,
    /// Kind of the change.
    pub change: RemittanceChange,
    /// Status after the change.
    pub status: RemittanceStatus,
    /// Status before the change; null for the sale.
    pub from_status: Option<RemittanceStatus>,
    /// Party that did it; all fields null for the system.
    pub actor: HistoryActor,
    /// Who approved what waited for that; null where it took effect at once.
    pub approved_by: Option<Ref>,
    /// Reason given; null when none, or after erasure.
    pub reason: Option<String>,
    /// Reason of a failed attempt; null for other changes.
    pub attempt_reason: Option<AttemptReason>,
    /// Why it was put in review; null for other changes, and for who sees no reviews.
    pub hold_reason: Option<PublicHoldReason>,
    /// Refusal code of a disputed delivery; null for other changes.
    pub refused: Option<String>,
    /// Dealer it was assigned to, or who delivered it.
    pub dealer: Option<Ref>,
    /// Delivery man it was assigned to, or who delivered it.
    pub delivery_man: Option<Ref>,
    /// Amount sent, in USD, when quoted; null for delivery men.
    pub amount: Option<Money>,
    /// Payout, when quoted.
    pub payout: Option<Money>,
    /// Currency of the payout, such as `CUP`.
    pub currency_to: Option<CurrencyCode>,
    /// Details changed by an edit.
    pub changes: Vec<RemittanceFieldChange>,
    /// Files that a reviewer attached; empty for who sees no files of reviews.
    pub files: Vec<ReviewFile>,
}

/// List of a remittance's changes.
pub const HISTORY: List<RemittanceHistoryItem> = List {
    title: Words::new("Historial de la remesa", "History of the remittance"),
    columns: &[
        time("at", word::DATE, |h: &RemittanceHistoryItem| Some(h.at)).in_order("h.position"),
        time(
            "occurred",
            Words::new("Ocurrió", "Happened"),
            |h: &RemittanceHistoryItem| h.occurred,
        )
        .sort("h.occurred_at"),
        text("change", word::CHANGE, |h: &RemittanceHistoryItem, p| {
            Some(p.say(words::change(h.change)).to_owned())
        })
        .sort("h.change"),
        text("fromStatus", word::STATUS_BEFORE, |h: &RemittanceHistoryItem, p| {
            h.from_status
                .map(|before| p.say(words::status(before, None)).to_owned())
        })
        .sort("h.from_status"),
        text("status", word::STATUS, |h: &RemittanceHistoryItem, p| {
            Some(p.say(words::status(h.status, None)).to_owned())
        })
        .sort("h.to_status"),
        text("actor", word::WHO, |h: &RemittanceHistoryItem, p| actor(&h.actor, p))
            .sort("(SELECT x.search FROM parties AS x WHERE x.tenant = h.tenant AND x.id = h.actor)"),
        text("approvedBy", word::APPROVED_BY, |h: &RemittanceHistoryItem, p| {
            name(h.approved_by.as_ref(), p)
        })
        .sort("(SELECT x.search FROM parties AS x WHERE x.tenant = h.tenant AND x.id = h.approver)"),
        text("dealer", word::DEALER, |h: &RemittanceHistoryItem, p| {
            name(h.dealer.as_ref(), p)
        })
        .sort("(SELECT x.search FROM parties AS x WHERE x.tenant = h.tenant AND x.id = h.dealer)"),
        text("deliveryMan", word::DELIVERY_MAN, |h: &RemittanceHistoryItem, p| {
            name(h.delivery_man.as_ref(), p)
        })
        .sort("(SELECT x.search FROM parties AS x WHERE x.tenant = h.tenant AND x.id = h.delivery_man)"),
        money("amount", word::SENT_USD, |h: &RemittanceHistoryItem| h.amount)
            .sort("h.amount")
            .of_prices(),
        money("payout", word::PAYOUT, |h: &RemittanceHistoryItem| h.payout).sort("h.payout"),
        currency("currencyTo", word::CURRENCY, |h: &RemittanceHistoryItem| h.currency_to).sort("h.currency"),
        text("reason", word::REASON, |h: &RemittanceHistoryItem, p| {
            let attempt = h.attempt_reason.map(words::attempt);
            let said = attempt.or_else(|| h.refused.as_deref().map(words::refused));
            let held = h.hold_reason.as_ref().map(name_in_log);
            let said = said.or_else(|| values::HOLD_REASON.words(&held?));
            h.reason.clone().or_else(|| said.map(|said| p.say(said).to_owned()))
        })
        // The order must not tell the reasons of reviews to who does not see them.
        .sort(
            "CASE WHEN h.change NOT IN ('held', 'holdReleased', 'holdKept', 'holdBreachSettled')
             THEN lower(coalesce(h.reason, h.detail)) END",
        ),
    ],
    filters: &[],
    search: None,
    default_sort: "at",
    tie: "h.position",
    counted: None,
    hides_prices: false,
};

/// The list for delivery men.
const DELIVERED: List<RemittanceHistoryItem> = List {
    hides_prices: true,
    ..HISTORY
};

/// A remittance's history.
///
/// # Errors
/// Not found in the caller's scope; undeclared sorts, filters and pages.
pub async fn list(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    id: RemittanceId,
    query: &ListQuery,
) -> Result<Page<RemittanceHistoryItem>, ReadError> {
    require_visible(transaction, scope, id).await?;
    let mut from = transaction.rows("remittance_history", "h");
    from.push(" AND h.remittance = ").bind(id.0);
    let list = if sees_price(scope) { &HISTORY } else { &DELIVERED };
    let keys = list.keys::<i64>(transaction, query, from, "h.position").await?;
    let tables = "remittance_history AS h
        LEFT JOIN parties AS a ON a.tenant = h.tenant AND a.id = h.actor
        LEFT JOIN parties AS d ON d.tenant = h.tenant AND d.id = h.dealer
        LEFT JOIN parties AS v ON v.tenant = h.tenant AND v.id = h.delivery_man
        LEFT JOIN parties AS b ON b.tenant = h.tenant AND b.id = h.approver";
    let mut sql = transaction.joined(tables, "h").after(&format!(
        "SELECT a.name AS actor_name, d.name AS dealer_name, v.name AS delivery_man_name,
                b.name AS approver_name, {}",
        select_list::<HistoryRow>("h", "")
    ));
    sql.push(" AND h.remittance = ").bind(id.0);
    sql.push(" AND h.position = ANY (").bind(keys.keys.clone()).push(")");
    let found = transaction.fetch_by_keys(&sql).await?;
    let mut changes = edits(transaction, scope, id).await?;
    let items = found
        .iter()
        .map(|row| {
            let mut item = item(row, scope)?;
            item.changes = changes.remove(&item.position).unwrap_or_default();
            Ok(item)
        })
        .collect::<Result<Vec<_>, sqlx::Error>>()?;
    let items = list::in_order(&keys.keys, items, |item| item.position);
    Ok(keys.page(items))
}

fn item(row: &PgRow, scope: &Scope) -> Result<RemittanceHistoryItem, sqlx::Error> {
    let history = HistoryRow::read(row, "")?;
    let change = serde_json::from_value(history.change.into()).map_err(|error| sqlx::Error::Decode(error.into()))?;
    let attempt_reason = history
        .detail
        .clone()
        .filter(|_| change == RemittanceChange::Attempted)
        .map(|detail| AttemptReason::named(&detail).ok_or_else(|| sqlx::Error::Decode("no reason".into())))
        .transpose()?;
    let hold_reason = history
        .detail
        .as_deref()
        .filter(|_| change == RemittanceChange::Held && scope.sees_reviews())
        .map(PublicHoldReason::named)
        .transpose()?;
    let files = history.review_files.filter(|_| scope.sees_reviews());
    let files = files.map(|files| files.0).unwrap_or_default();
    let is_quoted = matches!(change, RemittanceChange::Created | RemittanceChange::AmountEdited);
    Ok(RemittanceHistoryItem {
        position: history.position,
        at: history.at,
        occurred: history.occurred_at,
        change,
        status: history.to_status.into(),
        from_status: history.from_status.map(RemittanceStatus::from),
        actor: HistoryActor::new(history.actor, &history.role, row.try_get("actor_name")?),
        approved_by: Ref::maybe(history.approver, row, "approver_name")?,
        reason: history.reason.filter(|_| match change {
            // Who carries the money learns nothing of the sender.
            RemittanceChange::Declared => !scope.role.holds_cash(),
            RemittanceChange::Held
            | RemittanceChange::HoldReleased
            | RemittanceChange::HoldKept
            | RemittanceChange::HoldBreachSettled => scope.sees_reviews(),
            _ => true,
        }),
        attempt_reason,
        hold_reason,
        refused: history.detail.filter(|_| change == RemittanceChange::Disputed),
        dealer: Ref::maybe(history.dealer, row, "dealer_name")?,
        delivery_man: Ref::maybe(history.delivery_man, row, "delivery_man_name")?,
        amount: (is_quoted && sees_price(scope)).then_some(Money(history.amount)),
        payout: is_quoted.then_some(Money(history.payout)),
        currency_to: is_quoted.then_some(CurrencyCode(history.currency)),
        changes: Vec::new(),
        files: ReviewFile::all(files),
    })
}

/// Details after the sale and after each edit, in order.
const DETAILS: &str = "remittance_history AS h
    LEFT JOIN customers AS q ON q.tenant = h.tenant AND q.id = h.subject
    LEFT JOIN payment_groups AS g ON g.tenant = h.tenant AND g.id = h.group_id
    LEFT JOIN provinces AS p ON p.tenant = h.tenant AND p.id = h.province
    LEFT JOIN municipalities AS m ON m.tenant = h.tenant AND m.id = h.municipality
    LEFT JOIN cards AS k ON k.tenant = h.tenant AND k.id = h.card";

/// A detail: its value for comparison, and its displayed form.
type Detail = (Option<String>, Option<String>);

/// Details changed by each edit, by position.
async fn edits(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    id: RemittanceId,
) -> Result<HashMap<i64, Vec<RemittanceFieldChange>>, ReadError> {
    let mut sql = transaction.joined(DETAILS, "h").after(
        "SELECT h.position, h.subject::text, q.name AS recipient, h.method, h.address, h.province::text AS province_id,
                p.name AS province, h.municipality::text AS municipality_id, m.name AS municipality,
                h.card::text AS card_id, right(k.number, 4) AS card, h.notes, h.group_id::text AS group_id,
                g.name AS group_name, h.amount, h.payout, h.currency, h.reference_before, h.reference",
    );
    sql.push(" AND h.remittance = ").bind(id.0);
    sql.push(" AND h.group_id IS NOT NULL ORDER BY h.position");
    let rows = transaction.fetch(&sql).await?;
    let mut found = HashMap::new();
    let mut earlier: Option<[(RemittanceField, Detail); 10]> = None;
    for row in &rows {
        let details = details(row, scope)?;
        if let Some(earlier) = earlier {
            let changed = earlier
                .into_iter()
                .zip(&details)
                .filter(|((_, before), (_, after))| before.0 != after.0);
            let told = changed.map(|((field, before), (_, after))| RemittanceFieldChange {
                field,
                before: before.1,
                after: after.1.clone(),
            });
            found.insert(row.try_get("position")?, told.chain(reference(row)?).collect());
        }
        earlier = Some(details);
    }
    Ok(found)
}

/// What an edit did to the seller's own reference.
fn reference(row: &PgRow) -> Result<Option<RemittanceFieldChange>, sqlx::Error> {
    let change = RemittanceFieldChange {
        field: RemittanceField::Reference,
        before: row.try_get("reference_before")?,
        after: row.try_get("reference")?,
    };
    Ok(Some(change).filter(|change| change.before != change.after))
}

fn details(row: &PgRow, scope: &Scope) -> Result<[(RemittanceField, Detail); 10], sqlx::Error> {
    let text = |name: &str| row.try_get::<Option<String>, _>(name);
    let same = |name: &str| text(name).map(|text| (text.clone(), text));
    let named = |id: &str, name: &str| Ok::<_, sqlx::Error>((text(id)?, text(name)?));
    let money = |name: &str| {
        row.try_get::<i64, _>(name)
            .map(|minor| Amount::from_minor(minor).to_string())
    };
    let (amount, payout) = (money("amount")?, money("payout")?);
    let payout = format!("{payout} {}", text("currency")?.unwrap_or_default());
    let price = sees_price(scope).then_some(amount.clone());
    // A hidden price counts as unchanged.
    Ok([
        (RemittanceField::Recipient, named("subject", "recipient")?),
        (RemittanceField::DeliveryMethod, same("method")?),
        (RemittanceField::Address, same("address")?),
        (RemittanceField::Province, named("province_id", "province")?),
        (RemittanceField::Municipality, named("municipality_id", "municipality")?),
        (RemittanceField::Card, named("card_id", "card")?),
        (RemittanceField::Notes, same("notes")?),
        (RemittanceField::Group, named("group_id", "group_name")?),
        (RemittanceField::Amount, (price.clone(), price)),
        (RemittanceField::Payout, (Some(payout.clone()), Some(payout))),
    ])
}
