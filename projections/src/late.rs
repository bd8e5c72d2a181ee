//! What was done to a day after it was over (docs/decisions/late-changes.md).

use crate::{
    batch::{self, Batch},
    error::ReadError,
    list::{
        self, Filter, List, Takes, currency,
        filter::{self, Narrow},
        money, number, text, time, values,
    },
    page::{ListQuery, Page},
    print::{Printing, Words, actor, name, word},
    read_transaction::ReadTransaction,
    refs::{HistoryActor, Ref},
    rows::{LateRow, MovementRow, RateChangeRow, RemittanceRow},
    scalar::{CurrencyCode, LateKind, Money, StreamKind},
    table::{Ids, Row as _, select_list},
};
use caudal_domain::{
    Refusal,
    money::{Amount, CurrencyCode as Code},
    movement::MovementReversed,
    remittance::RemittanceEvent,
};
use caudal_journal::Recorded;
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use std::collections::BTreeSet;
use utoipa::ToSchema;
use uuid::Uuid;

const KINDS: values::Known = values::Known::new("LateKind", label);

const fn words(kind: LateKind) -> Words {
    match kind {
        LateKind::AmountEdited => word::AMOUNT_EDITED,
        LateKind::DetailsEdited => word::DETAILS_EDITED,
        LateKind::Canceled => word::CANCELED,
        LateKind::Delivered => word::LATE_DELIVERY,
        LateKind::Attempted => word::LATE_ATTEMPT,
        LateKind::Disputed => word::LATE_DISPUTE,
        LateKind::Reversed => word::MOVEMENT_REVERSED,
        LateKind::RatesUndone => word::RATES_UNDONE,
    }
}

/// Label of a value in files.
fn label(value: &str) -> Option<Words> {
    LateKind::named(value).map(words)
}

/// A change that may be late: what it is, and the time whose day it is about.
type Concerned = (LateKind, DateTime<Utc>);

/// Of each event of a remittance, whether it says something about an earlier day. What an event does about an open matter
/// on its own day, such as an assignment or a review, says nothing about an earlier one.
fn concerned(event: &RemittanceEvent, sold: DateTime<Utc>) -> Option<Concerned> {
    match event {
        RemittanceEvent::RemittanceAmountEdited(_) => Some((LateKind::AmountEdited, sold)),
        RemittanceEvent::RemittanceDetailsEdited(_) => Some((LateKind::DetailsEdited, sold)),
        RemittanceEvent::RemittanceCanceled(_) => Some((LateKind::Canceled, sold)),
        RemittanceEvent::RemittanceCompleted(completed) => completed.delivered_at.map(|at| (LateKind::Delivered, at)),
        RemittanceEvent::DeliveryAttempted(attempted) => attempted.attempted_at.map(|at| (LateKind::Attempted, at)),
        RemittanceEvent::DeliveryDisputed(disputed) => disputed.delivered_at.map(|at| (LateKind::Disputed, at)),
        RemittanceEvent::RemittanceCreated(_)
        | RemittanceEvent::RemittanceAssigned(_)
        | RemittanceEvent::RemittanceFailed(_)
        | RemittanceEvent::DeliveryDisputeSettled(_)
        | RemittanceEvent::RemittanceHeld(_)
        | RemittanceEvent::HoldReleased(_)
        | RemittanceEvent::HoldKept(_)
        // Stands beside the delivery, which is in the list itself.
        | RemittanceEvent::HeldRemittanceDelivered(_)
        | RemittanceEvent::HoldBreachSettled(_)
        // Part of a sale or of an edit.
        | RemittanceEvent::SaleDeclared(_) => None,
    }
}

/// Notes an event of a remittance if it is late.
pub(crate) fn remittance(
    batch: &mut Batch,
    recorded: &Recorded,
    event: &RemittanceEvent,
    before: &RemittanceRow,
    after: &RemittanceRow,
) {
    let Some(concerned) = concerned(event, before.created_at) else {
        return;
    };
    let amount_after = match concerned.0 {
        LateKind::AmountEdited => Some(after.amount),
        LateKind::Canceled => Some(Amount::ZERO),
        _ => None,
    };
    let is_of_the_sale = matches!(
        concerned.0,
        LateKind::AmountEdited | LateKind::DetailsEdited | LateKind::Canceled
    );
    let (amount, currency, parties) = if is_of_the_sale {
        let agency = before.agency.filter(|agency| *agency != before.seller);
        let parties = std::iter::once(before.seller).chain(agency);
        (before.amount, Code::USD, parties.collect())
    } else {
        // Closures have no figures of deliveries.
        (before.payout, before.currency, Vec::new())
    };
    let row = LateRow {
        record_name: Some(before.code.clone()),
        amount: Some(amount),
        currency: Some(currency),
        amount_after,
        parties: Ids(parties),
        ..row(recorded, concerned)
    };
    note(batch, row);
}

/// Notes a reversal if it is late.
pub(crate) fn reversal(batch: &mut Batch, recorded: &Recorded, movement: &MovementRow, reversed: &MovementReversed) {
    let paid = reversed.undone_payments.iter().map(|payment| payment.debit);
    let debts = paid.chain(reversed.voided_debit);
    let debtors = debts.filter_map(|debit| batch.debits.get(&(debit.0,)).map(|debit| debit.debtor));
    let parties: BTreeSet<Uuid> = [movement.from_party, movement.to_party]
        .into_iter()
        .flatten()
        .chain(debtors)
        .collect();
    let row = LateRow {
        record_name: Some(movement.number.clone()),
        amount: Some(movement.amount),
        currency: Some(movement.currency),
        amount_after: Some(Amount::ZERO),
        parties: Ids(parties.into_iter().collect()),
        ..row(recorded, (LateKind::Reversed, movement.created_at))
    };
    note(batch, row);
}

/// Notes an undone change of rates if it is late.
pub(crate) fn rates(batch: &mut Batch, recorded: &Recorded, change: &RateChangeRow) {
    if let Some(effective) = change.effective_at {
        let row = row(recorded, (LateKind::RatesUndone, effective));
        note(batch, row);
    }
}

fn row(recorded: &Recorded, (kind, concerns_at): Concerned) -> LateRow {
    LateRow {
        position: recorded.position,
        at: recorded.recorded_at,
        kind,
        record_type: recorded.stream.kind,
        record: recorded.stream.id,
        record_name: None,
        concerns_at,
        days: 0,
        actor: batch::actor(recorded),
        role: recorded.metadata.role.clone(),
        amount: None,
        currency: None,
        amount_after: None,
        parties: Ids::default(),
    }
}

fn note(batch: &mut Batch, row: LateRow) {
    let late = batch.day_of(row.at) - batch.day_of(row.concerns_at);
    let days = i32::try_from(late.num_days()).unwrap_or(i32::MAX);
    if days > 0 {
        batch.late.push(LateRow { days, ..row });
    }
}

/// An event about a day that was over when it was recorded.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LateChange {
    /// Position of the event in the log.
    pub position: i64,
    /// Time of recording, RFC 3339 in UTC.
    pub at: DateTime<Utc>,
    /// What was done.
    pub kind: LateKind,
    /// Kind of the changed record.
    pub record_type: StreamKind,
    /// Id of the changed record.
    pub record_id: Uuid,
    /// Code of the remittance or number of the movement; null for a change of rates.
    #[schema(examples("R-000001"))]
    pub record_name: Option<String>,
    /// Time that it is about: of the sale, the movement, the delivery, or when rates took effect.
    pub concerned: DateTime<Utc>,
    /// Days from the day of that time to the day of recording, in the tenant's time zone; 1 for the next day.
    pub days_late: i32,
    /// Party that did it; all fields null for the system.
    pub actor: HistoryActor,
    /// Amount before: of a sale the amount sent, of a delivery the payout, of a movement its amount; null for rates.
    pub amount: Option<Money>,
    /// Amount afterwards, 0 after a cancellation or reversal; null where the amount stays.
    pub amount_after: Option<Money>,
    /// Currency of both amounts, such as `CUP`; null for rates.
    pub currency: Option<CurrencyCode>,
    /// Last closure that had frozen the day's figures before the event; null when no period was closed.
    pub closure: Option<Ref>,
}

/// Closures `k` that had frozen the day of a late change `x`.
macro_rules! frozen_by {
    () => {
        "closures AS k WHERE k.tenant = x.tenant AND k.party = ANY (x.parties) AND k.position < x.position
            AND k.cut_at > x.concerns_at AND (k.from_at IS NULL OR k.from_at <= x.concerns_at)"
    };
}

pub const LATE_CHANGES: List<LateChange> = List {
    title: word::LATE_CHANGES,
    columns: &[
        time("at", word::DATE, |l: &LateChange| Some(l.at)).in_order("x.position"),
        text("kind", word::WHAT_WAS_DONE, |l: &LateChange, p: &Printing| {
            Some(p.say(words(l.kind)).to_owned())
        })
        .bounded("x.kind"),
        text("record", word::RECORD, |l: &LateChange, _| l.record_name.clone()).bounded("x.record_name"),
        time("concerned", word::DAY_CONCERNED, |l: &LateChange| Some(l.concerned)).bounded("x.concerns_at"),
        number("daysLate", word::DAYS_LATE, |l: &LateChange| i64::from(l.days_late)).in_order("x.days"),
        text("actor", word::WHO, |l: &LateChange, p| actor(&l.actor, p))
            .bounded("(SELECT p.search FROM parties AS p WHERE p.tenant = x.tenant AND p.id = x.actor)"),
        money("amount", word::AMOUNT, |l: &LateChange| l.amount).bounded("x.amount"),
        money("amountAfter", word::AMOUNT_AFTERWARDS, |l: &LateChange| l.amount_after).bounded("x.amount_after"),
        currency("currency", word::CURRENCY, |l: &LateChange| l.currency).bounded("x.currency"),
        text("closure", word::AFTER_THE_CLOSURE, |l: &LateChange, p| {
            l.closure.as_ref().and_then(|closure| name(Some(closure), p))
        }),
        number("position", word::POSITION, |l: &LateChange| l.position).in_order("x.position"),
    ],
    filters: &[
        Filter::new(
            "kind",
            word::WHAT_WAS_DONE,
            "Of this kind.",
            Takes::Known(KINDS),
            Narrow::Is("x.kind"),
        ),
        filter::first_day("from", "Recorded on this day or later.", "x.at"),
        filter::last_day("to", "Recorded on this day or before.", "x.at"),
        Filter::new(
            "daysLate",
            word::DAYS_LATE,
            "Minimum number of days late.",
            Takes::Number,
            Narrow::Within("x.days >= ", ""),
        ),
        filter::id("actorId", word::WHO, "Done by this party.", "x.actor"),
        filter::id("recordId", word::RECORD, "Of this record.", "x.record"),
        filter::flagged(
            "afterClosure",
            word::AFTER_THE_CLOSURE,
            "Whether a closure had frozen the day's figures before.",
            &[
                ("true", concat!("EXISTS (SELECT 1 FROM ", frozen_by!(), ")")),
                ("false", concat!("NOT EXISTS (SELECT 1 FROM ", frozen_by!(), ")")),
            ],
        ),
    ],
    search: None,
    default_sort: "-at",
    tie: "x.position",
    counted: None,
    hides_prices: false,
};

/// Late changes, the last recorded first.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn list(transaction: &mut ReadTransaction, query: &ListQuery) -> Result<Page<LateChange>, ReadError> {
    if query.get("kind").is_some_and(|kind| LateKind::named(kind).is_none()) {
        return Err(Refusal::invalid("kind", "value_unknown").into());
    }
    let from = transaction.rows("late_changes", "x");
    let keys = LATE_CHANGES.keys::<i64>(transaction, query, from, "x.position").await?;
    let rows = views(transaction, &keys.keys).await?;
    Ok(keys.page(rows))
}

async fn views(transaction: &mut ReadTransaction, positions: &[i64]) -> Result<Vec<LateChange>, ReadError> {
    let tables = concat!(
        "late_changes AS x
         LEFT JOIN parties AS a ON a.tenant = x.tenant AND a.id = x.actor
         LEFT JOIN LATERAL (SELECT k.id, k.number FROM ",
        frozen_by!(),
        " ORDER BY k.position DESC LIMIT 1) AS c ON TRUE"
    );
    let mut sql = transaction.joined(tables, "x").after(&format!(
        "SELECT a.name AS actor_name, c.id AS closure, c.number AS closure_number, {}",
        select_list::<LateRow>("x", "x_")
    ));
    sql.push(" AND x.position = ANY (").bind(positions.to_vec()).push(")");
    let found = transaction.fetch_by_keys(&sql).await?;
    let rows = found.iter().map(view).collect::<Result<Vec<_>, sqlx::Error>>()?;
    Ok(list::in_order(positions, rows, |late: &LateChange| late.position))
}

fn view(row: &PgRow) -> Result<LateChange, sqlx::Error> {
    let late = LateRow::read(row, "x_")?;
    Ok(LateChange {
        position: late.position,
        at: late.at,
        kind: late.kind,
        record_type: late.record_type.into(),
        record_id: late.record,
        record_name: late.record_name,
        concerned: late.concerns_at,
        days_late: late.days,
        actor: HistoryActor::new(late.actor, &late.role, row.try_get("actor_name")?),
        amount: late.amount.map(Money),
        amount_after: late.amount_after.map(Money),
        currency: late.currency.map(CurrencyCode),
        closure: Ref::maybe(row.try_get("closure")?, row, "closure_number")?,
    })
}
