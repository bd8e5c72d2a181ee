//! What a screening compares, and the remittances that a review holds.

use crate::{
    codes::status,
    error::ReadError,
    from_log::{self, CustomerOfLog},
    read_transaction::ReadTransaction,
    scalar::CustomerType,
};
use caudal_domain::{
    Event, StreamKind,
    customer::{CustomerDetails, CustomerEvent, CustomerKind, PairOutcome},
    ids::{CustomerId, RemittanceId},
};
use caudal_journal::{Journal, Recorded};
use sqlx::Row as _;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

/// What a screening of a customer compares, and what is known of earlier ones, from the log.
#[derive(Clone, Debug)]
pub struct ScreeningSubject {
    pub id: CustomerId,
    pub customer_type: CustomerType,
    pub details: CustomerDetails,
    /// Pairs of list and entry that are not decided.
    pub candidates: BTreeSet<(String, String)>,
    /// Pairs that are decided, either way: no screening finds them again.
    pub decided: BTreeSet<(String, String)>,
    /// Whether one of them is the same person.
    pub is_confirmed: bool,
    /// Whether the customer is in review by what was recorded last.
    pub in_review: bool,
}

/// Subjects as the log has them, in the order of their ids. Erased ones are left out.
async fn subjects_of(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    ids: &[Uuid],
) -> Result<Vec<ScreeningSubject>, ReadError> {
    let streams = from_log::streams(journal, transaction, StreamKind::Customer, ids).await?;
    let subjects = streams.values().filter_map(|events| ScreeningSubject::of(events));
    Ok(subjects.collect())
}

impl ScreeningSubject {
    /// The customer of a stream, with what was found and decided; `None` after an erasure.
    fn of(events: &[Recorded]) -> Option<Self> {
        let CustomerOfLog { customer, details, .. } = CustomerOfLog::of(events)?;
        let mut subject = Self {
            id: customer.id,
            customer_type: match customer.kind {
                CustomerKind::Issuer => CustomerType::Sender,
                CustomerKind::Recipient => CustomerType::Recipient,
            },
            details: details?,
            candidates: BTreeSet::new(),
            decided: BTreeSet::new(),
            is_confirmed: false,
            in_review: customer.in_review,
        };
        let mut outcomes = BTreeMap::new();
        for recorded in events {
            match &recorded.event {
                Event::Customer(CustomerEvent::CustomerScreened(screened)) => {
                    let found = screened.personal.get();
                    let found = found.map(|found| found.candidates.as_slice()).unwrap_or_default();
                    let pairs = found.iter().map(|own| (own.list.clone(), own.entry.clone()));
                    subject.candidates = pairs.filter(|pair| !outcomes.contains_key(pair)).collect();
                }
                Event::Customer(CustomerEvent::ScreeningPairDecided(decided)) => {
                    if let Some(pair) = decided.personal.get() {
                        let pair = (pair.list.clone(), pair.entry.clone());
                        subject.candidates.remove(&pair);
                        outcomes.insert(pair, decided.outcome);
                    }
                }
                _ => {}
            }
        }
        subject.is_confirmed = outcomes.values().any(|outcome| *outcome == PairOutcome::Same);
        subject.decided = outcomes.into_keys().collect();
        Some(subject)
    }
}

/// Some customers, deleted ones included: a remittance of theirs may be open. Erased ones are left out.
pub async fn subjects(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    ids: &[CustomerId],
) -> Result<Vec<ScreeningSubject>, ReadError> {
    let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
    subjects_of(journal, transaction, &ids).await
}

/// The next customers in the order of their ids, and the last id of them; `None` after the last one.
pub async fn next_subjects(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    after: Option<Uuid>,
    limit: i64,
) -> Result<Option<(Uuid, i32, Vec<ScreeningSubject>)>, ReadError> {
    let mut sql = transaction.rows("customers", "c").after("SELECT c.id");
    sql.push(" AND c.id > ").bind(after.unwrap_or_default());
    sql.push(" ORDER BY c.id LIMIT ").bind(limit);
    let mut ids: Vec<Uuid> = Vec::new();
    for row in &transaction.fetch(&sql).await? {
        ids.push(row.try_get("id")?);
    }
    let Some(last) = ids.last() else { return Ok(None) };
    let count = i32::try_from(ids.len()).unwrap_or(i32::MAX);
    Ok(Some((*last, count, subjects_of(journal, transaction, &ids).await?)))
}

/// Number of customers.
pub async fn customers(transaction: &mut ReadTransaction) -> Result<i64, ReadError> {
    let sql = transaction.rows("customers", "c").after("SELECT count(*) AS count");
    let rows = transaction.fetch(&sql).await?;
    Ok(rows.first().map(|row| row.try_get("count")).transpose()?.unwrap_or(0))
}

/// Open remittances from or to customers in review that no hold of the review was put on since the candidates were found.
pub async fn without_holds(
    transaction: &mut ReadTransaction,
    limit: i64,
) -> Result<Vec<(RemittanceId, CustomerId)>, ReadError> {
    let mut sql = transaction
        .joined(
            "screening_cases AS x JOIN remittances AS r
                ON r.tenant = x.tenant AND (r.sender = x.id OR r.recipient = x.id)",
            "x",
        )
        .after("SELECT r.id AS remittance, x.id AS customer");
    sql.push(concat!(
        " AND x.status IN ('open', 'confirmed') AND ",
        status!("r.status" in pending, shipping, error),
        " AND NOT EXISTS (SELECT FROM remittance_holds AS h WHERE h.tenant = r.tenant AND h.remittance = r.id \
           AND h.reason = 'screening' AND h.reference = x.id AND (h.released_at IS NULL OR h.position > x.position)) \
          ORDER BY r.id LIMIT "
    ))
    .bind(limit);
    let rows = transaction.fetch(&sql).await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in &rows {
        found.push((
            RemittanceId(row.try_get("remittance")?),
            CustomerId(row.try_get("customer")?),
        ));
    }
    Ok(found)
}

/// Open holds of a customer's review, by remittance and number.
pub async fn holds_of(
    transaction: &mut ReadTransaction,
    id: CustomerId,
) -> Result<Vec<(RemittanceId, u32)>, ReadError> {
    let mut sql = transaction
        .rows("remittance_holds", "h")
        .after("SELECT h.remittance, h.number");
    sql.push(" AND h.reason = 'screening' AND h.released_at IS NULL AND h.ended_at IS NULL AND h.reference = ")
        .bind(id.0)
        .push(" ORDER BY h.position");
    let rows = transaction.fetch(&sql).await?;
    let mut found = Vec::with_capacity(rows.len());
    for row in &rows {
        let number: i32 = row.try_get("number")?;
        found.push((
            RemittanceId(row.try_get("remittance")?),
            u32::try_from(number).unwrap_or_default(),
        ));
    }
    Ok(found)
}
