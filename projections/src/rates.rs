//! Exchange rates in one place: current rates and their changes.

use crate::{
    batch::{Batch, actor, existing},
    error::{ProjectError, ReadError},
    late,
    list::{self, List, rate, text, time},
    offer::RowAction,
    page::{ListQuery, Page},
    print::{Printing, Words, name, word},
    read_transaction::{ReadTransaction, only},
    refs::Ref,
    rows::RateChangeRow,
    scalar::{CurrencyCode, Decimal, UserType},
    table::{Json, Row as _, get, role_named, select_list},
};
use caudal_domain::{
    Event, StreamId, StreamKind,
    ids::{RateChangeId, TenantId},
    money::{CurrencyCode as Code, Rate},
    rates::{ChangedRate as Changed, RateTarget, RatesEvent, RatesStatus},
};
use caudal_journal::{Journal, Recorded};
use caudal_postgres::{Database, Timestamp};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::Row as _;
use std::{collections::HashMap, sync::Arc};
use utoipa::ToSchema;
use uuid::Uuid;

const SCHEDULED: &str = "scheduled";
const EFFECTIVE: &str = "effective";
const CANCELED: &str = "canceled";
const UNDONE: &str = "undone";

pub(crate) fn apply(batch: &mut Batch, recorded: &Recorded, event: &RatesEvent) -> Result<(), ProjectError> {
    let made = |status: &str, rates: &[Changed], at: Option<DateTime<Utc>>| RateChangeRow {
        id: recorded.stream.id,
        position: recorded.position,
        status: status.to_owned(),
        rates: Json(rates.to_vec()),
        skipped: Json(Vec::new()),
        at,
        created_at: recorded.recorded_at,
        created_by: actor(recorded),
        effective_at: at.is_none().then_some(recorded.recorded_at),
        ended_at: None,
        ended_by: None,
    };
    match event {
        RatesEvent::RatesScheduled(scheduled) => {
            batch.rates.put(made(SCHEDULED, &scheduled.rates, Some(scheduled.at)));
        }
        RatesEvent::RatesChanged(changed) if recorded.sequence == 1 => {
            batch.rates.put(made(EFFECTIVE, &changed.rates, None));
        }
        RatesEvent::RatesChanged(changed) => {
            let row = existing(&mut batch.rates, recorded, changed.id)?;
            row.status = EFFECTIVE.to_owned();
            row.rates = Json(changed.rates.clone());
            row.skipped = Json(changed.skipped.clone());
            row.effective_at = Some(recorded.recorded_at);
        }
        RatesEvent::RatesCanceled { id } => end(batch, recorded, *id, CANCELED)?,
        RatesEvent::RatesUndone(undone) => {
            end(batch, recorded, undone.id, UNDONE)?;
            let row = existing(&mut batch.rates, recorded, undone.id)?.clone();
            late::rates(batch, recorded, &row);
        }
    }
    Ok(())
}

fn end(batch: &mut Batch, recorded: &Recorded, id: RateChangeId, status: &str) -> Result<(), ProjectError> {
    let row = existing(&mut batch.rates, recorded, id)?;
    row.status = status.to_owned();
    row.ended_at = Some(recorded.recorded_at);
    row.ended_by = actor(recorded);
    Ok(())
}

/// Owner of a rate: a currency (reference), a payment group (catalogue), or a party's terms.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RateOwner {
    /// `reference`, `catalogue` or `terms`.
    #[schema(value_type = String)]
    pub kind: &'static str,
    /// Currency of a reference rate; null for others.
    pub currency_id: Option<Uuid>,
    /// Payment group of a catalogue or terms rate; null for a reference rate.
    pub payment_group_id: Option<Uuid>,
    /// Name of the payment group.
    pub payment_group_name: Option<String>,
    /// Party of a terms rate; null for others.
    pub party: Option<Ref>,
    /// Role of the party.
    pub user_type: Option<UserType>,
    /// Agency of the party.
    pub agency: Option<Ref>,
    /// Currency of the rate, per USD; null when its currency or group was removed.
    pub currency: Option<CurrencyCode>,
}

/// A current rate.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct TodaysRate {
    /// Owner of the rate.
    #[serde(flatten)]
    pub owner: RateOwner,
    /// Rate: units of the currency per USD.
    pub rate: Decimal,
    /// Whether it is in use: currency, group and terms are active.
    pub is_active: bool,
}

/// All current rates.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RateSheet {
    /// Reference rates, then the catalogue's, then parties'.
    pub results: Vec<TodaysRate>,
}

/// A rate set by a change.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChangedRate {
    /// Owner of the rate.
    #[serde(flatten)]
    pub owner: RateOwner,
    /// Rate right before; for a scheduled change, the rate at scheduling.
    pub from: Decimal,
    /// New rate: units of the currency per USD.
    pub to: Decimal,
}

/// A change of exchange rates.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RateChange {
    /// UUID.
    pub id: Uuid,
    /// `scheduled`, `effective`, `canceled` (before its time) or `undone` (afterwards).
    pub status: String,
    /// Scheduled time, RFC 3339 in UTC; null when it took effect at once.
    pub at: Option<DateTime<Utc>>,
    /// Time of the request, RFC 3339 in UTC.
    pub created: DateTime<Utc>,
    /// Party that requested it.
    pub created_by: Option<Ref>,
    /// Time at which it took effect; null before.
    pub effective_at: Option<DateTime<Utc>>,
    /// Time at which it was canceled or undone; null otherwise.
    pub ended_at: Option<DateTime<Utc>>,
    /// Party that canceled or undid it.
    pub ended_by: Option<Ref>,
    /// Rates set by the change.
    pub rates: Vec<ChangedRate>,
    /// Scheduled rates whose owner no longer existed at the effective time.
    pub skipped: Vec<RateOwner>,
    /// Actions on this row: whether the caller may perform each now, and otherwise the refusal code.
    pub actions: Vec<RowAction>,
}

/// Names of the rates' owners.
struct Names {
    currencies: HashMap<Uuid, Code>,
    groups: HashMap<Uuid, (String, Code)>,
    parties: HashMap<Uuid, PartyName>,
}

struct PartyName {
    name: Option<String>,
    user_type: Option<UserType>,
    agency: Option<Uuid>,
}

impl Names {
    async fn read(read_transaction: &mut ReadTransaction) -> Result<Self, ReadError> {
        let sql = read_transaction.rows("currencies", "c").after("SELECT c.id, c.code");
        let mut currencies = HashMap::new();
        for row in read_transaction.fetch(&sql).await? {
            currencies.insert(row.try_get("id")?, get(&row, "code")?);
        }
        let sql = read_transaction
            .rows("payment_groups", "g")
            .after("SELECT g.id, g.name, g.currency");
        let mut groups = HashMap::new();
        for row in read_transaction.fetch(&sql).await? {
            groups.insert(row.try_get("id")?, (row.try_get("name")?, get(&row, "currency")?));
        }
        let sql = read_transaction
            .rows("parties", "p")
            .after("SELECT p.id, p.name, p.role, p.agency");
        let mut parties = HashMap::new();
        for row in read_transaction.fetch(&sql).await? {
            let role: String = row.try_get("role")?;
            let named = PartyName {
                name: row.try_get("name")?,
                user_type: role_named(&role).map(UserType::from),
                agency: row.try_get("agency")?,
            };
            parties.insert(row.try_get("id")?, named);
        }
        Ok(Self {
            currencies,
            groups,
            parties,
        })
    }

    fn of(&self, id: Uuid) -> Ref {
        Ref {
            id,
            name: self.parties.get(&id).and_then(|party| party.name.clone()),
        }
    }

    fn owner(&self, target: RateTarget) -> RateOwner {
        let none = RateOwner {
            kind: "reference",
            currency_id: None,
            payment_group_id: None,
            payment_group_name: None,
            party: None,
            user_type: None,
            agency: None,
            currency: None,
        };
        let of_group = |group: Uuid| {
            let known = self.groups.get(&group);
            RateOwner {
                kind: "catalogue",
                payment_group_id: Some(group),
                payment_group_name: known.map(|(name, _)| name.clone()),
                currency: known.map(|(_, currency)| (*currency).into()),
                ..none.clone()
            }
        };
        match target {
            RateTarget::Reference { currency } => RateOwner {
                currency_id: Some(currency.0),
                currency: self.currencies.get(&currency.0).map(|code| (*code).into()),
                ..none
            },
            RateTarget::Catalogue { group } => of_group(group.0),
            RateTarget::Terms { party, group } => {
                let known = self.parties.get(&party.0);
                RateOwner {
                    kind: "terms",
                    party: Some(self.of(party.0)),
                    user_type: known.and_then(|party| party.user_type),
                    agency: known.and_then(|party| party.agency).map(|agency| self.of(agency)),
                    ..of_group(group.0)
                }
            }
        }
    }
}

/// All current rates.
pub async fn sheet(read_transaction: &mut ReadTransaction) -> Result<RateSheet, ReadError> {
    let names = Names::read(read_transaction).await?;
    let rates = current(read_transaction).await?;
    let results = rates.into_iter().map(|(target, rate, is_active)| TodaysRate {
        owner: names.owner(target),
        rate: rate.into(),
        is_active,
    });
    Ok(RateSheet {
        results: results.collect(),
    })
}

/// Status of some changes, and whether all their rates are still current.
pub async fn in_force(
    read_transaction: &mut ReadTransaction,
    ids: &[Uuid],
) -> Result<HashMap<Uuid, (RatesStatus, bool)>, ReadError> {
    let rates = current(read_transaction).await?;
    let rates: HashMap<RateTarget, Rate> = rates.into_iter().map(|(target, rate, _)| (target, rate)).collect();
    let stands = |row: RateChangeRow| {
        let status = match row.status.as_str() {
            SCHEDULED => RatesStatus::Scheduled,
            EFFECTIVE => RatesStatus::Effective,
            UNDONE => RatesStatus::Undone,
            _ => RatesStatus::Canceled,
        };
        let holds = row.rates.0.iter().all(|rate| rates.get(&rate.target) == Some(&rate.to));
        (row.id, (status, holds))
    };
    Ok(rows(read_transaction, ids).await?.into_iter().map(stands).collect())
}

/// Owners of rates in the order of the sheet, each with its activity.
async fn current(read_transaction: &mut ReadTransaction) -> Result<Vec<(RateTarget, Rate, bool)>, ReadError> {
    let mut results = Vec::new();
    let mut add = |target: RateTarget, rate: Rate, is_active: bool| results.push((target, rate, is_active));
    let mut sql = read_transaction
        .rows("currencies", "c")
        .after("SELECT c.id, c.exchange_rate::text AS exchange_rate, c.enabled");
    sql.push(" AND NOT c.removed ORDER BY c.code");
    for row in read_transaction.fetch(&sql).await? {
        let currency = caudal_domain::ids::CurrencyId(row.try_get("id")?);
        let target = RateTarget::Reference { currency };
        add(target, get(&row, "exchange_rate")?, row.try_get("enabled")?);
    }
    let mut sql = read_transaction
        .rows("payment_groups", "g")
        .after("SELECT g.id, g.exchange_rate::text AS exchange_rate, g.is_active");
    sql.push(" AND NOT g.removed ORDER BY g.search, g.id");
    for row in read_transaction.fetch(&sql).await? {
        let group = caudal_domain::ids::PaymentGroupId(row.try_get("id")?);
        let target = RateTarget::Catalogue { group };
        add(target, get(&row, "exchange_rate")?, row.try_get("is_active")?);
    }
    let tables = "party_terms AS t JOIN parties AS p ON p.tenant = t.tenant AND p.id = t.party
                  JOIN payment_groups AS g ON g.tenant = t.tenant AND g.id = t.group_id AND NOT g.removed";
    let mut sql = read_transaction.joined(tables, "t").after(
        "SELECT t.party, t.group_id, t.exchange_rate::text AS exchange_rate,
                t.is_active AND g.is_active AND p.is_active AS is_active",
    );
    // An agency is followed by its agents.
    sql.push(
        " ORDER BY (SELECT a.search FROM parties AS a WHERE a.tenant = p.tenant AND a.id = coalesce(p.agency, p.id)), ",
    );
    sql.push("p.agency IS NOT NULL, p.search, p.id, g.search, g.id");
    for row in read_transaction.fetch(&sql).await? {
        let target = RateTarget::Terms {
            party: caudal_domain::ids::PartyId(row.try_get("party")?),
            group: caudal_domain::ids::PaymentGroupId(row.try_get("group_id")?),
        };
        add(target, get(&row, "exchange_rate")?, row.try_get("is_active")?);
    }
    Ok(results)
}

/// A line of the file: one rate of a change.
pub struct RateLine {
    change: Arc<RateChange>,
    rate: ChangedRate,
}

#[must_use]
pub fn rate_change_lines(mut change: RateChange) -> Vec<RateLine> {
    let rates = std::mem::take(&mut change.rates);
    let change = Arc::new(change);
    let line = |rate| RateLine {
        change: Arc::clone(&change),
        rate,
    };
    rates.into_iter().map(line).collect()
}

const REFERENCE: Words = word::REFERENCE;
const CATALOGUE: Words = word::CATALOGUE;

fn owner(owner: &RateOwner, printing: &Printing) -> Option<String> {
    match owner.kind {
        "terms" => name(owner.party.as_ref(), printing),
        "catalogue" => Some(printing.say(CATALOGUE).to_owned()),
        _ => Some(printing.say(REFERENCE).to_owned()),
    }
}

fn status(status: &str, printing: &Printing) -> String {
    let words = match status {
        "scheduled" => word::SCHEDULED,
        "effective" => Words::new("Vigente desde", "Effective since"),
        "canceled" => word::WITHDRAWN,
        _ => word::UNDONE,
    };
    printing.say(words).to_owned()
}

/// List of rate changes. A change has a line per rate: not sortable by them.
pub const RATE_CHANGES: List<RateLine> = List {
    title: word::CHANGES_OF_RATES,
    columns: &[
        time("created", word::DATE, |l: &RateLine| Some(l.change.created)).in_order("r.position"),
        text("createdBy", word::WHO, |l: &RateLine, p| {
            name(l.change.created_by.as_ref(), p)
        })
        .sort("(SELECT p.search FROM parties AS p WHERE p.tenant = r.tenant AND p.id = r.created_by)"),
        text("status", word::STATUS, |l: &RateLine, p| {
            Some(status(&l.change.status, p))
        })
        .sort("r.status"),
        time("at", Words::new("Programado para", "Scheduled for"), |l: &RateLine| {
            l.change.at
        })
        .sort("r.at"),
        time(
            "effectiveAt",
            Words::new("Vigente desde", "Effective since"),
            |l: &RateLine| l.change.effective_at,
        )
        .sort("r.effective_at"),
        text("owner", word::WHOSE, |l: &RateLine, p| owner(&l.rate.owner, p)),
        text("paymentGroupName", word::PAYMENT_GROUP, |l: &RateLine, _| {
            l.rate.owner.payment_group_name.clone()
        }),
        text("currency", word::CURRENCY, |l: &RateLine, _| {
            l.rate.owner.currency.map(|code| code.0.to_string())
        }),
        rate("from", word::BEFORE, |l: &RateLine| Some(l.rate.from)),
        rate("to", word::AFTER, |l: &RateLine| Some(l.rate.to)),
    ],
    filters: &[],
    search: None,
    default_sort: "-created",
    tie: "r.position",
    counted: None,
    hides_prices: false,
};

/// Rate changes, newest first.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn list(read_transaction: &mut ReadTransaction, query: &ListQuery) -> Result<Page<RateChange>, ReadError> {
    let from = read_transaction.rows("rate_changes", "r");
    let keys = RATE_CHANGES.keys::<Uuid>(read_transaction, query, from, "r.id").await?;
    let rows = views(read_transaction, &keys.keys).await?;
    Ok(keys.page(rows))
}

/// One rate change.
///
/// # Errors
/// Not found.
pub async fn get_change(read_transaction: &mut ReadTransaction, id: RateChangeId) -> Result<RateChange, ReadError> {
    only(views(read_transaction, &[id.0]).await?, "rate_change_not_found")
}

async fn views(read_transaction: &mut ReadTransaction, ids: &[Uuid]) -> Result<Vec<RateChange>, ReadError> {
    let names = Names::read(read_transaction).await?;
    let views = rows(read_transaction, ids).await?.into_iter().map(|row| RateChange {
        id: row.id,
        status: row.status,
        at: row.at,
        created: row.created_at,
        created_by: row.created_by.map(|id| names.of(id)),
        effective_at: row.effective_at,
        ended_at: row.ended_at,
        ended_by: row.ended_by.map(|id| names.of(id)),
        rates: row
            .rates
            .0
            .iter()
            .map(|rate| ChangedRate {
                owner: names.owner(rate.target),
                from: rate.from.into(),
                to: rate.to.into(),
            })
            .collect(),
        skipped: row.skipped.0.iter().map(|target| names.owner(*target)).collect(),
        actions: Vec::new(),
    });
    Ok(list::in_order(ids, views.collect(), |view: &RateChange| view.id))
}

async fn rows(read_transaction: &mut ReadTransaction, ids: &[Uuid]) -> Result<Vec<RateChangeRow>, ReadError> {
    let mut sql = read_transaction
        .rows("rate_changes", "r")
        .after(&format!("SELECT {}", select_list::<RateChangeRow>("r", "")));
    sql.push(" AND r.id = ANY (").bind(ids.to_vec()).push(")");
    let found = read_transaction.fetch(&sql).await?;
    let read = found.iter().map(|row| RateChangeRow::read(row, ""));
    Ok(read.collect::<Result<_, _>>()?)
}

/// A scheduled change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DueChange {
    pub tenant: TenantId,
    pub id: RateChangeId,
}

/// Changes of all tenants that the read models show as due, and the time of the next one. Whether one is due is told by
/// [`scheduled`]; one that somebody hid in the read models is found by [`unapplied`].
pub async fn due(
    database: &Database,
    now: DateTime<Utc>,
) -> Result<(Vec<DueChange>, Option<DateTime<Utc>>), ReadError> {
    let mut transaction = database.begin_directory().await?;
    let rows = sqlx::query(
        "SELECT r.tenant, r.id, r.at FROM rate_changes AS r
          WHERE r.status = 'scheduled' AND r.at <= coalesce(
                (SELECT min(n.at) FROM rate_changes AS n WHERE n.status = 'scheduled' AND n.at > $1), $1)
          ORDER BY r.at, r.tenant, r.id",
    )
    .bind(now)
    .fetch_all(&mut *transaction)
    .await?;
    let (mut due, mut next) = (Vec::new(), None);
    for row in rows {
        // 'infinity' hides one change in the read models, and holds up no other.
        let Some(at) = Timestamp::of(&row, "at")? else { continue };
        if at > now {
            next = Some(at);
            continue;
        }
        let name: String = row.try_get("tenant")?;
        let Ok(tenant) = name.parse() else { continue };
        let id = RateChangeId(row.try_get("id")?);
        due.push(DueChange { tenant, id });
    }
    Ok((due, next))
}

/// Scheduled changes of a tenant that were neither applied nor canceled, by the log.
///
/// # Errors
/// When the database fails.
pub async fn unapplied(journal: &Journal, tenant: &TenantId) -> Result<Vec<DueChange>, ReadError> {
    let ids = journal
        .streams_of_one(tenant, StreamKind::Rates, "RatesScheduled")
        .await?;
    let changes = ids.into_iter().map(|id| DueChange {
        tenant: tenant.clone(),
        id: RateChangeId(id),
    });
    Ok(changes.collect())
}

/// Time and targets of a scheduled change, by its checked stream; `None` once it was applied or canceled.
///
/// # Errors
/// When the log can't be read, or was changed.
pub async fn scheduled(
    journal: &Journal,
    change: &DueChange,
) -> Result<Option<(DateTime<Utc>, Vec<RateTarget>)>, ReadError> {
    let stream = StreamId::new(StreamKind::Rates, change.id);
    let events = journal.authentic_stream(&change.tenant, stream).await?;
    let scheduled = match events.as_slice() {
        [recorded] => match &recorded.event {
            Event::Rates(RatesEvent::RatesScheduled(scheduled)) => Some(scheduled),
            _ => None,
        },
        _ => None,
    };
    Ok(scheduled.map(|scheduled| {
        let targets = scheduled.rates.iter().map(|rate| rate.target);
        (scheduled.at, targets.collect())
    }))
}
