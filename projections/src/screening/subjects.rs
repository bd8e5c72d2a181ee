//! What a screening compares, what was decided, and the remittances that a review holds: all by the log. The read models only say
//! which remittances to look at.

use crate::{
    codes::status,
    error::ReadError,
    from_log::{self, CustomerOfLog, RECORDS_AT_ONCE},
    read_transaction::ReadTransaction,
    scalar::CustomerType,
};
use caudal_domain::{
    Event, Refusal, StreamKind, StreamState,
    customer::{CustomerDetails, CustomerEvent, CustomerKind, ListedPerson, PairOutcome, ScreeningCandidate},
    ids::{CustomerId, RemittanceId},
    remittance::Remittance,
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
    /// Those that are the same person.
    pub confirmed: BTreeSet<(String, String)>,
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
    /// Whether a decided pair is the same person.
    #[must_use]
    pub fn is_confirmed(&self) -> bool {
        !self.confirmed.is_empty()
    }

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
            confirmed: BTreeSet::new(),
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
        let same = outcomes.iter().filter(|(_, outcome)| **outcome == PairOutcome::Same);
        subject.confirmed = same.map(|(pair, _)| pair.clone()).collect();
        subject.decided = outcomes.into_keys().collect();
        Some(subject)
    }
}

/// A pair of a customer and a listed person, by the log.
#[derive(Clone, Debug)]
pub struct ReviewedPair {
    /// The pair as it was found last.
    pub found: ScreeningCandidate,
    /// `None` where it is not decided.
    pub outcome: Option<PairOutcome>,
    /// The listed person as it was when decided.
    pub listed: Option<ListedPerson>,
}

impl ReviewedPair {
    fn is_of(&self, list: &str, entry: &str) -> bool {
        self.found.list == list && self.found.entry == entry
    }
}

/// The review of a customer, by the log.
#[derive(Clone, Debug)]
pub struct Review {
    /// Decided pairs, and the candidates of the last screening that are not decided. Empty after an erasure.
    pub pairs: Vec<ReviewedPair>,
    /// Whether nobody is left to judge. False after an erasure.
    pub is_cleared: bool,
}

impl Review {
    /// The review of a stream; `None` where no screening ever found anybody.
    fn of(events: &[Recorded]) -> Option<Self> {
        let CustomerOfLog { customer, .. } = CustomerOfLog::of(events)?;
        let mut pairs: Vec<ReviewedPair> = Vec::new();
        let mut is_screened = false;
        for recorded in events {
            match &recorded.event {
                Event::Customer(CustomerEvent::CustomerScreened(screened)) => {
                    is_screened = true;
                    pairs.retain(|own| own.outcome.is_some());
                    for candidate in screened.personal.get().into_iter().flat_map(|found| &found.candidates) {
                        // A log may have screenings that found a decided pair again: the decision stands.
                        if pairs.iter().all(|own| !own.is_of(&candidate.list, &candidate.entry)) {
                            pairs.push(ReviewedPair {
                                found: candidate.clone(),
                                outcome: None,
                                listed: None,
                            });
                        }
                    }
                }
                Event::Customer(CustomerEvent::ScreeningPairDecided(decided)) => {
                    let Some(pair) = decided.personal.get() else { continue };
                    for own in pairs.iter_mut().filter(|own| own.is_of(&pair.list, &pair.entry)) {
                        own.outcome = Some(decided.outcome);
                        own.listed.clone_from(&pair.listed);
                    }
                }
                _ => {}
            }
        }
        is_screened.then_some(Self {
            pairs,
            is_cleared: !customer.in_review && !customer.forgotten,
        })
    }
}

/// The review of a customer as of a snapshot.
///
/// # Errors
/// Not found where no screening ever found anybody. When the log can't be read, or was changed.
pub async fn review(journal: &Journal, transaction: &mut ReadTransaction, id: CustomerId) -> Result<Review, ReadError> {
    let streams = from_log::streams(journal, transaction, StreamKind::Customer, &[id.0]).await?;
    let review = streams.values().find_map(|events| Review::of(events));
    review.ok_or_else(|| Refusal::not_found("screening_case_not_found").into())
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

/// The next customers in the order of their ids, and the last id of them; `None` after the last one. Which customers there are is
/// told by the log: one whose row somebody removed from the read models is screened all the same.
pub async fn next_subjects(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    after: Option<Uuid>,
    limit: i64,
) -> Result<Option<(Uuid, i32, Vec<ScreeningSubject>)>, ReadError> {
    let (tenant, through) = (transaction.tenant().clone(), transaction.position());
    let connection = transaction.connection();
    let ids = journal
        .stream_ids_on(connection, &tenant, StreamKind::Customer, after, through, limit)
        .await?;
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

/// Open remittances from or to customers in review that no hold of the review was put on since the candidates were found; at most
/// [`RECORDS_AT_ONCE`]. What the read models say without the log is left out.
pub async fn without_holds(
    journal: &Journal,
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
    let mut shown = Vec::with_capacity(rows.len());
    for row in &rows {
        shown.push((
            RemittanceId(row.try_get("remittance")?),
            CustomerId(row.try_get("customer")?),
        ));
    }
    let customers: BTreeSet<CustomerId> = shown.iter().map(|(_, customer)| *customer).collect();
    let customers: Vec<CustomerId> = customers.into_iter().collect();
    let customers = from_log::customers(journal, transaction, &customers).await?;
    let in_review = customers.into_iter().filter(|own| own.customer.in_review);
    let in_review: BTreeSet<CustomerId> = in_review.map(|own| own.customer.id).collect();
    let remittances: BTreeSet<Uuid> = shown.iter().map(|(remittance, _)| remittance.0).collect();
    let remittances: Vec<Uuid> = remittances.into_iter().collect();
    let remittances = folded(journal, transaction, &remittances).await?;
    shown.retain(|(remittance, customer)| {
        let is_theirs = remittances.get(&remittance.0).is_some_and(|own| {
            let sale = &own.sale;
            own.status.is_open() && [sale.sender, sale.recipient].contains(customer)
        });
        is_theirs && in_review.contains(customer)
    });
    Ok(shown)
}

/// Open holds of a customer's review that were put on up to a position of the log, by remittance and number. Of those that the
/// read models show, the ones that the log has.
pub async fn holds_of(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    id: CustomerId,
    through: i64,
) -> Result<Vec<(RemittanceId, u32)>, ReadError> {
    let mut sql = transaction
        .rows("remittance_holds", "h")
        .after("SELECT h.remittance AS id");
    sql.push(" AND h.reason = 'screening' AND h.released_at IS NULL AND h.ended_at IS NULL AND h.reference = ")
        .bind(id.0)
        .push(" AND h.position <= ")
        .bind(through)
        .push(" GROUP BY h.remittance ORDER BY min(h.position)");
    let shown = transaction.fetch_ids(&sql).await?;
    let mut found = Vec::new();
    for part in shown.chunks(RECORDS_AT_ONCE) {
        let remittances = folded(journal, transaction, part).await?;
        for own in part.iter().filter_map(|remittance| remittances.get(remittance)) {
            found.extend(own.holds_of_review(id).map(|hold| (own.id, hold.number)));
        }
    }
    Ok(found)
}

/// Remittances as the log has them, at most [`RECORDS_AT_ONCE`].
async fn folded(
    journal: &Journal,
    transaction: &mut ReadTransaction,
    ids: &[Uuid],
) -> Result<BTreeMap<Uuid, Remittance>, ReadError> {
    let streams = from_log::streams(journal, transaction, StreamKind::Remittance, ids).await?;
    let remittances = streams.into_iter().filter_map(|(id, events)| {
        let mut state = StreamState::new(StreamKind::Remittance);
        events.iter().for_each(|recorded| state.apply(&recorded.event));
        Some((id, state.remittance()?.clone()))
    });
    Ok(remittances.collect())
}
