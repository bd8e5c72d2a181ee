//! What happened to a remittance, oldest first.

use super::{
    HistoryRow,
    views::{require_visible, sees_price},
};
use crate::{
    error::ReadError,
    list::{self, List, currency, money, text, time},
    page::{ListQuery, Page},
    print::{Words, actor, name, words},
    refs::{HistoryActor, Ref},
    scalar::{CurrencyCode, Money, RemittanceStatus},
    scope::Scope,
    snapshot::Snapshot,
    table::{Row as _, name_in_log, select_list},
};
use caudal_domain::{ids::RemittanceId, money::Amount, remittance::AttemptReason as Reason};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize, Serializer};
use sqlx::{Row as _, postgres::PgRow};
use std::collections::HashMap;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        ObjectBuilder, RefOr,
        schema::{Schema, Type},
    },
};

/// What happened to a remittance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RemittanceChange {
    /// It was sold.
    Created,
    /// Recipient, address, delivery or notes were edited.
    DetailsEdited,
    /// Amount or group were edited.
    AmountEdited,
    /// It was given to a dealer or delivery man.
    Assigned,
    /// It was marked as in error.
    Error,
    /// It was canceled.
    Canceled,
    /// It was delivered.
    Completed,
    /// Somebody tried to deliver it and could not.
    Attempted,
    /// A delivery made without a network was refused when it was sent.
    Disputed,
    /// A disputed delivery was settled.
    DisputeSettled,
}

/// Why a delivery could not be made: the domain's reason, by its name in the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AttemptReason(pub Reason);

impl AttemptReason {
    /// Its name in the API: that in the log, in camel case.
    #[must_use]
    pub fn name(self) -> String {
        let mut name = String::new();
        for (index, word) in name_in_log(&self.0).split('_').enumerate() {
            let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
            match index {
                0 => name.push_str(word),
                _ => name.extend([first.to_uppercase().as_str(), rest]),
            }
        }
        name
    }

    /// By its name in the API.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Reason::ALL
            .iter()
            .copied()
            .map(Self)
            .find(|reason| reason.name() == name)
    }
}

impl Serialize for AttemptReason {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name())
    }
}

impl PartialSchema for AttemptReason {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("Why a delivery could not be made."))
            .enum_values(Some(Reason::ALL.iter().map(|reason| Self(*reason).name())))
            .into()
    }
}

impl ToSchema for AttemptReason {}

/// A detail of a remittance that an edit can change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub enum RemittanceField {
    /// The recipient, by name.
    Recipient,
    /// `home` or `card`.
    DeliveryMethod,
    /// The address set for this remittance.
    Address,
    /// The province, by name.
    Province,
    /// The municipality, by name.
    Municipality,
    /// The card's last four digits.
    Card,
    /// The seller's notes.
    Notes,
    /// The seller's own reference.
    Reference,
    /// The payment group, by name.
    Group,
    /// What is sent, in USD.
    Amount,
    /// What is paid out.
    Payout,
}

/// A detail that an edit changed. What was erased, and what a delivery man is not told, is null.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceFieldChange {
    /// Which.
    pub field: RemittanceField,
    /// Before the edit.
    pub before: Option<String>,
    /// After it.
    pub after: Option<String>,
}

/// Something that happened to a remittance.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceHistoryItem {
    /// The event's position in the tenant's log.
    pub position: i64,
    /// When it was recorded.
    pub at: DateTime<Utc>,
    /// When it happened, where a telephone without a network sent it later.
    pub occurred: Option<DateTime<Utc>>,
    /// What.
    pub change: RemittanceChange,
    /// The status afterwards.
    pub status: RemittanceStatus,
    /// The status before; null for the sale.
    pub from_status: Option<RemittanceStatus>,
    /// Who did it.
    pub actor: HistoryActor,
    /// Why, where a reason is given.
    pub reason: Option<String>,
    /// Why an attempt to deliver failed.
    pub attempt_reason: Option<AttemptReason>,
    /// The code of the refusal of a disputed delivery.
    pub refused: Option<String>,
    /// The dealer it was given to, or who delivered it.
    pub dealer: Option<Ref>,
    /// The delivery man.
    pub delivery_man: Option<Ref>,
    /// The amount sold, in USD, where it was quoted. Null where a delivery man asks.
    pub amount: Option<Money>,
    /// The payout, where it was quoted.
    pub payout: Option<Money>,
    /// The payout's currency.
    pub currency_to: Option<CurrencyCode>,
    /// What an edit changed, field by field.
    pub changes: Vec<RemittanceFieldChange>,
}

/// The list of what happened to a remittance.
pub const HISTORY: List<RemittanceHistoryItem> = List {
    title: Words::new("Historial de la remesa", "History of the remittance"),
    columns: &[
        time("at", "Fecha", "Date", |h: &RemittanceHistoryItem| Some(h.at)).in_order("h.position"),
        time("occurred", "Ocurrió", "Happened", |h: &RemittanceHistoryItem| {
            h.occurred
        })
        .sort("h.occurred_at"),
        text("change", "Cambio", "Change", |h: &RemittanceHistoryItem, p| {
            Some(p.say(words::change(h.change)).to_owned())
        })
        .sort("h.change"),
        text(
            "fromStatus",
            "Estado anterior",
            "Status before",
            |h: &RemittanceHistoryItem, p| {
                h.from_status
                    .map(|before| p.say(words::status(before, None)).to_owned())
            },
        )
        .sort("h.from_status"),
        text("status", "Estado", "Status", |h: &RemittanceHistoryItem, p| {
            Some(p.say(words::status(h.status, None)).to_owned())
        })
        .sort("h.to_status"),
        text("actor", "Quién", "Who", |h: &RemittanceHistoryItem, p| {
            actor(&h.actor, p)
        })
        .sort("(SELECT x.search FROM parties AS x WHERE x.tenant = h.tenant AND x.id = h.actor)"),
        text("dealer", "Distribuidor", "Dealer", |h: &RemittanceHistoryItem, p| {
            name(h.dealer.as_ref(), p)
        })
        .sort("(SELECT x.search FROM parties AS x WHERE x.tenant = h.tenant AND x.id = h.dealer)"),
        text(
            "deliveryMan",
            "Repartidor",
            "Delivery man",
            |h: &RemittanceHistoryItem, p| name(h.delivery_man.as_ref(), p),
        )
        .sort("(SELECT x.search FROM parties AS x WHERE x.tenant = h.tenant AND x.id = h.delivery_man)"),
        money("amount", "Enviado USD", "Sent USD", |h: &RemittanceHistoryItem| {
            h.amount
        })
        .sort("h.amount")
        .of_prices(),
        money("payout", "A entregar", "Payout", |h: &RemittanceHistoryItem| h.payout).sort("h.payout"),
        currency("currencyTo", "Moneda", "Currency", |h: &RemittanceHistoryItem| {
            h.currency_to
        })
        .sort("h.currency"),
        text("reason", "Motivo", "Reason", |h: &RemittanceHistoryItem, p| {
            let attempt = h.attempt_reason.map(words::attempt);
            let said = attempt.or_else(|| h.refused.as_deref().map(words::refused));
            h.reason.clone().or_else(|| said.map(|said| p.say(said).to_owned()))
        })
        .sort("lower(coalesce(h.reason, h.detail))"),
    ],
    filters: &[],
    search: None,
    default_sort: "at",
    tie: "h.position",
    counted: None,
    hides_prices: false,
};

/// The list for a delivery man.
const DELIVERED: List<RemittanceHistoryItem> = List {
    hides_prices: true,
    ..HISTORY
};

/// A remittance's history.
///
/// # Errors
/// Not found in the caller's scope; sorts, filters and pages that the list does not have.
pub async fn list(
    snapshot: &mut Snapshot,
    scope: &Scope,
    id: RemittanceId,
    query: &ListQuery,
) -> Result<Page<RemittanceHistoryItem>, ReadError> {
    require_visible(snapshot, scope, id).await?;
    let mut from = snapshot.rows("remittance_history", "h");
    from.push(" AND h.remittance = ").bind(id.0);
    let list = if sees_price(scope) { &HISTORY } else { &DELIVERED };
    let keys = list.keys::<i64>(snapshot, query, from, "h.position").await?;
    let tables = "remittance_history AS h
        LEFT JOIN parties AS a ON a.tenant = h.tenant AND a.id = h.actor
        LEFT JOIN parties AS d ON d.tenant = h.tenant AND d.id = h.dealer
        LEFT JOIN parties AS v ON v.tenant = h.tenant AND v.id = h.delivery_man";
    let mut sql = snapshot.joined(tables, "h").after(&format!(
        "SELECT a.name AS actor_name, d.name AS dealer_name, v.name AS delivery_man_name, {}",
        select_list::<HistoryRow>("h", "")
    ));
    sql.push(" AND h.remittance = ").bind(id.0);
    sql.push(" AND h.position = ANY (").bind(keys.keys.clone()).push(")");
    let found = snapshot.fetch_by_keys(&sql).await?;
    let mut changes = edits(snapshot, scope, id).await?;
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
    let is_quoted = matches!(change, RemittanceChange::Created | RemittanceChange::AmountEdited);
    Ok(RemittanceHistoryItem {
        position: history.position,
        at: history.at,
        occurred: history.occurred_at,
        change,
        status: history.to_status.into(),
        from_status: history.from_status.map(RemittanceStatus::from),
        actor: HistoryActor::new(history.actor, &history.role, row.try_get("actor_name")?),
        reason: history.reason,
        attempt_reason,
        refused: history.detail.filter(|_| change == RemittanceChange::Disputed),
        dealer: Ref::maybe(history.dealer, row, "dealer_name")?,
        delivery_man: Ref::maybe(history.delivery_man, row, "delivery_man_name")?,
        amount: (is_quoted && sees_price(scope)).then_some(Money(history.amount)),
        payout: is_quoted.then_some(Money(history.payout)),
        currency_to: is_quoted.then_some(CurrencyCode(history.currency)),
        changes: Vec::new(),
    })
}

/// The details after the sale and after each edit, in order.
const DETAILS: &str = "remittance_history AS h
    LEFT JOIN customers AS q ON q.tenant = h.tenant AND q.id = h.subject
    LEFT JOIN payment_groups AS g ON g.tenant = h.tenant AND g.id = h.group_id
    LEFT JOIN provinces AS p ON p.tenant = h.tenant AND p.id = h.province
    LEFT JOIN municipalities AS m ON m.tenant = h.tenant AND m.id = h.municipality
    LEFT JOIN cards AS k ON k.tenant = h.tenant AND k.id = h.card";

/// One of the details: what tells whether it changed, and how it is shown.
type Detail = (Option<String>, Option<String>);

/// What each edit of a remittance changed, by its position.
async fn edits(
    snapshot: &mut Snapshot,
    scope: &Scope,
    id: RemittanceId,
) -> Result<HashMap<i64, Vec<RemittanceFieldChange>>, ReadError> {
    let mut sql = snapshot.joined(DETAILS, "h").after(
        "SELECT h.position, h.subject::text, q.name AS recipient, h.method, h.address, h.province::text AS province_id,
                p.name AS province, h.municipality::text AS municipality_id, m.name AS municipality,
                h.card::text AS card_id, right(k.number, 4) AS card, h.notes, h.group_id::text AS group_id,
                g.name AS group_name, h.amount, h.payout, h.currency, h.reference_before, h.reference",
    );
    sql.push(" AND h.remittance = ").bind(id.0);
    sql.push(" AND h.group_id IS NOT NULL ORDER BY h.position");
    let rows = snapshot.fetch(&sql).await?;
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
    // A price that is not told has not changed either.
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
