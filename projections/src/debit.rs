//! Obligations ("debits" in the API): what sellers owe the manager or their agency, with the payments.

use crate::{
    batch::{Batch, existing},
    error::{ProjectError, ReadError},
    list::{self, List, SearchSpec, filter, sum, text, time, values},
    offer::RowAction,
    page::{ListQuery, Page},
    print::{Words, name, word, words},
    read_transaction::{ReadTransaction, only},
    refs::Ref,
    rows::{DebitRow, PaymentRow},
    scalar::{DebitSource, DebitStatus, Money},
    scope::Scope,
    table::{Row as _, get as column, select_list},
};
use caudal_domain::{
    Event,
    ids::ObligationId,
    money::Amount,
    movement::MovementEvent,
    party::Role,
    tenant_state::obligation::{ObligationPayment, OpenedObligation},
};
use caudal_journal::Recorded;
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::Row as _;
use std::collections::HashMap;
use utoipa::ToSchema;
use uuid::Uuid;

/// Obligations that an event pays or voids.
pub(crate) fn touched(event: &Event) -> Vec<Uuid> {
    let of = |payments: &[ObligationPayment]| payments.iter().map(|payment| payment.debit.0).collect::<Vec<_>>();
    match event {
        Event::Movement(MovementEvent::MovementPosted(posted)) => of(&posted.movement.payments),
        Event::Movement(MovementEvent::MovementReversed(reversed)) => {
            let mut debits = of(&reversed.undone_payments);
            debits.extend(reversed.voided_debit.map(Uuid::from));
            debits
        }
        _ => Vec::new(),
    }
}

/// Opens an obligation.
pub(crate) fn open(batch: &mut Batch, recorded: &Recorded, opened: &OpenedObligation) {
    batch.debits.put(DebitRow {
        id: opened.id.0,
        position: recorded.position,
        debtor: opened.debtor.0,
        creditor: opened.creditor.map(Uuid::from),
        amount: opened.amount,
        paid: Amount::ZERO,
        void: false,
        origin: opened.origin,
        origin_id: recorded.stream.id,
        opened_at: recorded.recorded_at,
        settled_at: None,
    });
}

pub(crate) fn pay(batch: &mut Batch, recorded: &Recorded, payments: &[ObligationPayment]) -> Result<(), ProjectError> {
    for payment in payments {
        let debit = existing(&mut batch.debits, recorded, payment.debit)?;
        debit.paid += payment.amount;
        if debit.paid >= debit.amount {
            debit.settled_at = Some(recorded.recorded_at);
        }
        batch.payments.put(PaymentRow {
            movement: recorded.stream.id,
            debit: payment.debit.0,
            amount: payment.amount,
            paid_at: recorded.recorded_at,
            undone_at: None,
        });
    }
    Ok(())
}

/// Undoes payments.
pub(crate) fn unpay(
    batch: &mut Batch,
    recorded: &Recorded,
    payments: &[ObligationPayment],
) -> Result<(), ProjectError> {
    for payment in payments {
        let debit = existing(&mut batch.debits, recorded, payment.debit)?;
        debit.paid -= payment.amount;
        debit.settled_at = None;
        if let Some(paid) = batch.payments.get_mut(&(recorded.stream.id, payment.debit.0)) {
            paid.undone_at = Some(recorded.recorded_at);
        }
    }
    Ok(())
}

/// Voids an obligation.
pub(crate) fn void(batch: &mut Batch, recorded: &Recorded, id: ObligationId) -> Result<(), ProjectError> {
    existing(&mut batch.debits, recorded, id)?.void = true;
    Ok(())
}

/// A seller's debit: an amount owed to the manager or its agency.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Debit {
    /// UUID.
    pub id: Uuid,
    /// The debtor.
    pub debtor: Ref,
    /// Creditor agency; null for the manager.
    pub creditor: Option<Ref>,
    /// Cause of the debit.
    pub origin: DebitSource,
    /// Id of the movement or closure that opened it.
    pub origin_id: Uuid,
    /// Status of the debit.
    pub status: DebitStatus,
    /// Original amount, in USD.
    pub amount: Money,
    /// Amount paid, in USD.
    pub paid: Money,
    /// Amount outstanding, in USD; 0 when void.
    pub outstanding: Money,
    /// Time of opening, RFC 3339 in UTC.
    pub created: DateTime<Utc>,
    /// Time of the payment in full; null while open or void.
    pub settled: Option<DateTime<Utc>>,
    /// Actions on this row: whether the caller may perform each now, and otherwise the refusal code.
    pub actions: Vec<RowAction>,
}

pub const DEBITS: List<Debit> = List {
    title: word::DEBITS,
    columns: &[
        time("created", word::DATE, |d: &Debit| Some(d.created)).sort("d.position"),
        text("debtor", word::DEBTOR, |d: &Debit, p| name(Some(&d.debtor), p)).bounded(DEBTOR),
        text("creditor", word::CREDITOR, |d: &Debit, p| {
            name(d.creditor.as_ref(), p).or_else(|| Some(p.say(word::TREASURY).to_owned()))
        })
        .bounded("(SELECT p.search FROM parties AS p WHERE p.tenant = d.tenant AND p.id = d.creditor)"),
        text("origin", word::ORIGIN, |d: &Debit, p| {
            Some(p.say(words::origin(d.origin)).to_owned())
        })
        .bounded("d.origin"),
        text("status", word::STATUS, |d: &Debit, p| {
            Some(p.say(words::debit(d.status)).to_owned())
        })
        .bounded("CASE WHEN d.void THEN 2 WHEN d.paid >= d.amount THEN 1 ELSE 0 END"),
        sum("amount", Words::new("Importe USD", "Amount USD"), |d: &Debit| {
            Some(d.amount)
        })
        .sort("d.amount"),
        sum("paid", Words::new("Pagado USD", "Paid USD"), |d: &Debit| Some(d.paid)).bounded("d.paid"),
        sum(
            "outstanding",
            Words::new("Pendiente USD", "Outstanding USD"),
            |d: &Debit| Some(d.outstanding),
        )
        .sort("CASE WHEN d.void THEN 0 ELSE d.amount - d.paid END"),
        time("settled", word::SETTLED, |d: &Debit| d.settled).bounded("d.settled_at"),
    ],
    filters: &[
        filter::one_of(
            "status",
            word::STATUS,
            "In this state.",
            values::DEBIT_STATUS,
            &[
                ("open", "NOT d.void AND d.paid < d.amount"),
                ("settled", "NOT d.void AND d.paid >= d.amount"),
                ("void", "d.void"),
            ],
        ),
        filter::id("partyId", word::USER, "Of this debtor.", "d.debtor"),
    ],
    search: Some(&SearchSpec::of(&[DEBTOR])),
    default_sort: "-created",
    tie: "d.id",
    counted: None,
    hides_prices: false,
};

const DEBTOR: &str = "(SELECT p.search FROM parties AS p WHERE p.tenant = d.tenant AND p.id = d.debtor)";

/// Debits of the caller and its subordinates as debtors, and those owed to the caller.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn list(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    query: &ListQuery,
) -> Result<Page<Debit>, ReadError> {
    let mut from = transaction.rows("debits", "d");
    visible(transaction, scope, &mut from);
    let keys = DEBITS.keys::<Uuid>(transaction, query, from, "d.id").await?;
    let rows = views(transaction, &keys.keys).await?;
    Ok(keys.page(rows))
}

/// One debit.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn get(transaction: &mut ReadTransaction, scope: &Scope, id: ObligationId) -> Result<Debit, ReadError> {
    let mut from = transaction.rows("debits", "d").after("SELECT d.id");
    visible(transaction, scope, &mut from);
    from.push(" AND d.id = ").bind(id.0);
    only(transaction.fetch(&from).await?, "debit_not_found")?;
    only(views(transaction, &[id.0]).await?, "debit_not_found")
}

fn visible(transaction: &ReadTransaction, scope: &Scope, sql: &mut crate::sql::Sql) {
    if matches!(scope.role, Role::Dealer | Role::DeliveryMan) {
        sql.push(" AND FALSE");
    }
    scope.and_party(sql, transaction.tenant(), &["d.debtor", "d.creditor"]);
}

async fn views(transaction: &mut ReadTransaction, ids: &[Uuid]) -> Result<Vec<Debit>, ReadError> {
    let tables = "debits AS d
        LEFT JOIN parties AS o ON o.tenant = d.tenant AND o.id = d.debtor
        LEFT JOIN parties AS c ON c.tenant = d.tenant AND c.id = d.creditor";
    let mut sql = transaction.joined(tables, "d").after(&format!(
        "SELECT o.name AS debtor_name, c.name AS creditor_name, {}",
        select_list::<DebitRow>("d", "")
    ));
    sql.push(" AND d.id = ANY (").bind(ids.to_vec()).push(")");
    let found = transaction.fetch_by_keys(&sql).await?;
    let read = |row: &sqlx::postgres::PgRow| {
        let debit = DebitRow::read(row, "")?;
        let status = match (debit.void, debit.paid >= debit.amount) {
            (true, _) => DebitStatus::Void,
            (false, true) => DebitStatus::Settled,
            (false, false) => DebitStatus::Open,
        };
        let outstanding = if debit.void {
            Amount::ZERO
        } else {
            debit.amount - debit.paid
        };
        Ok(Debit {
            id: debit.id,
            debtor: Ref::named(debit.debtor, row, "debtor_name")?,
            creditor: Ref::maybe(debit.creditor, row, "creditor_name")?,
            origin: debit.origin.into(),
            origin_id: debit.origin_id,
            status,
            amount: debit.amount.into(),
            paid: debit.paid.into(),
            outstanding: outstanding.into(),
            created: debit.opened_at,
            settled: debit.settled_at,
            actions: Vec::new(),
        })
    };
    let rows = found.iter().map(read).collect::<Result<Vec<_>, sqlx::Error>>()?;
    Ok(list::in_order(ids, rows, |debit| debit.id))
}

/// Amounts paid on obligations.
pub async fn paid(transaction: &mut ReadTransaction, ids: &[Uuid]) -> Result<HashMap<Uuid, Amount>, ReadError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let mut sql = transaction.rows("debits", "d").after("SELECT d.id, d.paid");
    sql.push(" AND d.id = ANY (").bind(ids.to_vec()).push(")");
    let rows = transaction.fetch(&sql).await?;
    let read = |row: &sqlx::postgres::PgRow| Ok((row.try_get("id")?, column(row, "paid")?));
    Ok(rows.iter().map(read).collect::<Result<_, sqlx::Error>>()?)
}
