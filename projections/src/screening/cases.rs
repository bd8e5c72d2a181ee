//! Cases: customers who are like listed persons.

use super::{CLEARED, CONFIRMED, OPEN};
use crate::{
    error::ReadError,
    list::{self, List, Takes, count, filter, text, time},
    names::names,
    page::{ListQuery, Page},
    print::{Words, name, word},
    read_transaction::{ReadTransaction, only},
    refs::{Ref, ReviewFile, named},
    rows::{CaseCandidate, ScreeningCaseRow},
    scalar::CustomerType,
    scope::Scope,
    table::{Row as _, select_list},
};
use caudal_domain::{
    customer::{ListedPerson, PairOutcome},
    ids::CustomerId,
};
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use std::collections::{BTreeMap, BTreeSet};
use utoipa::ToSchema;
use uuid::Uuid;

/// A customer who is like a listed person.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ScreeningCase {
    /// The customer.
    pub customer: Ref,
    /// Sender or recipient.
    pub customer_type: CustomerType,
    /// Highest score of the candidates that are left, in percent; null after erasure.
    pub score: Option<i32>,
    /// Lists of these candidates.
    pub lists: Vec<String>,
    /// `open` while a candidate is not decided, `confirmed` when all that are left are the same person, `cleared` when none is
    /// left, `erased` after the customer's erasure. Only a reviewer ends `confirmed`.
    #[schema(example = "open")]
    pub status: String,
    /// Number of candidates that are not decided.
    pub open_candidates: i64,
    /// When a screening found them.
    pub found: DateTime<Utc>,
    /// When one was last decided; null before.
    pub decided_at: Option<DateTime<Utc>>,
    /// Who decided it; null before.
    pub decided_by: Option<Ref>,
    /// Open remittances of the customer that are held.
    pub held_remittances: i64,
    /// Holds of this match that are open. Where the status is `cleared`, nobody is left to judge, and
    /// `POST /api/screening/cases/{id}/release` releases them.
    pub open_holds: i64,
    /// Decisions about this match and releases of these holds that wait for an approval.
    pub waiting_approvals: i64,
}

/// A decision about a match, or a release of a hold of it, that waits for an approval.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ProposedReview {
    /// Id of the proposal.
    pub id: Uuid,
    /// Who proposed it.
    pub by: Ref,
    /// When it was proposed.
    pub at: DateTime<Utc>,
    /// From when on it can't be approved.
    pub expires_at: DateTime<Utc>,
    /// The remittance that it would release, by its number; null for a decision about the match.
    pub remittance: Option<Ref>,
}

/// A case with its candidates.
#[derive(Clone, Debug)]
pub struct CaseDetail {
    pub case: ScreeningCase,
    pub candidates: Vec<StoredCandidate>,
    /// What waits for an approval, oldest first. Which pair a decision is about stands in the proposal's event.
    pub waiting: Vec<ProposedReview>,
}

/// A candidate as it was found.
#[derive(Clone, Debug)]
pub struct StoredCandidate {
    pub list: String,
    pub entry: String,
    pub name: String,
    pub score: u8,
    pub decision: Option<StoredDecision>,
}

names! {
    /// Outcome of a review of one pair of customer and listed entry.
    PublicPairOutcome(PairOutcome) {
        /// Somebody else, once for good: later screenings leave the pair out.
        Different,
        /// The same person: remittances from and to the customer stay in review.
        Same,
    }
}

#[derive(Clone, Debug)]
pub struct StoredDecision {
    pub outcome: PairOutcome,
    pub reason: String,
    pub at: DateTime<Utc>,
    pub by: Option<Ref>,
    pub files: Vec<ReviewFile>,
    /// The listed person as it was when decided.
    pub listed: Option<ListedPerson>,
}

/// Open holds of a case.
macro_rules! open_holds {
    () => {
        "remittance_holds AS h WHERE h.tenant = x.tenant AND h.reason = 'screening' AND h.released_at IS NULL \
         AND h.ended_at IS NULL AND h.reference = x.id"
    };
}

pub const SCREENING_CASES: List<ScreeningCase> = List {
    title: Words::new("Coincidencias con listas", "Matches with lists"),
    columns: &[
        text("customer", word::NAME, |c: &ScreeningCase, w| {
            name(Some(&c.customer), w)
        })
        .bounded("q.search"),
        count("score", word::LIKENESS, |c: &ScreeningCase| {
            c.score.map_or(0, i64::from)
        })
        .bounded("x.score"),
        text("lists", word::LISTS, |c: &ScreeningCase, _| Some(c.lists.join(", "))).bounded("x.lists"),
        text(
            "status",
            Words::new("Estado de la revisión", "State of the review"),
            |c: &ScreeningCase, w| {
                let words = match c.status.as_str() {
                    OPEN => word::IN_REVIEW,
                    CONFIRMED => Words::new("Es la misma persona", "The same person"),
                    CLEARED => Words::new("Es otra persona", "Somebody else"),
                    _ => word::DATA_ERASED,
                };
                Some(w.say(words).to_owned())
            },
        )
        .bounded("x.status"),
        time("found", Words::new("Encontrada el", "Found on"), |c: &ScreeningCase| {
            Some(c.found)
        })
        .in_order("x.position"),
        text("decidedBy", word::DECIDED_BY, |c: &ScreeningCase, w| {
            name(c.decided_by.as_ref(), w)
        })
        .bounded("(SELECT d.search FROM parties AS d WHERE d.tenant = x.tenant AND d.id = x.decided_by)"),
        // By the node's clock: no order.
        count(
            "waitingApprovals",
            Words::new("Decisiones por aprobar", "Decisions to be approved"),
            |c: &ScreeningCase| c.waiting_approvals,
        ),
    ],
    filters: &[
        filter::exactly(
            "status",
            Words::new("Estado de la revisión", "State of the review"),
            "`open`, `confirmed`, `cleared` or `erased`.",
            "x.status",
        ),
        filter::own("list", word::LIST, "With a candidate of this list.", Takes::Text),
        filter::flagged(
            "held",
            word::WITH_REMITTANCES_IN_REVIEW,
            "Whether remittances are held for the match.",
            &[
                ("true", concat!("EXISTS (SELECT FROM ", open_holds!(), ")")),
                ("false", concat!("NOT EXISTS (SELECT FROM ", open_holds!(), ")")),
            ],
        ),
        filter::id("customerId", word::NAME, "Of this customer.", "x.id"),
        filter::first_day("dateFrom", "Found on this day or later.", "x.found_at"),
        filter::last_day("dateTo", "Found on this day or earlier.", "x.found_at"),
    ],
    search: None,
    default_sort: "-found",
    tie: "x.id",
    counted: None,
    hides_prices: false,
};

const CASES: &str = "screening_cases AS x JOIN customers AS q ON q.tenant = x.tenant AND q.id = x.id";

/// Cases of the tenant. For managers: the calls are theirs.
///
/// # Errors
/// Undeclared sorts, filters and pages.
pub async fn list(
    transaction: &mut ReadTransaction,
    _scope: &Scope,
    query: &ListQuery,
    now: DateTime<Utc>,
) -> Result<Page<ScreeningCase>, ReadError> {
    let mut from = transaction.joined(CASES, "x");
    if let Some(list) = query.get("list") {
        from.push(" AND position(' ' || ")
            .bind(list.to_owned())
            .push(" || ' ' IN x.lists) > 0");
    }
    let keys = SCREENING_CASES.keys::<Uuid>(transaction, query, from, "x.id").await?;
    let mut rows: Vec<ScreeningCase> = views(transaction, &keys.keys)
        .await?
        .into_iter()
        .map(|(case, _)| case)
        .collect();
    let waiting = waiting(transaction, &keys.keys, now).await?;
    for case in &mut rows {
        let own = waiting.get(&case.customer.id).map_or(0, Vec::len);
        case.waiting_approvals = i64::try_from(own).unwrap_or(i64::MAX);
    }
    Ok(keys.page(rows))
}

/// One case with its candidates, best first and decided ones last.
///
/// # Errors
/// Not found.
pub async fn get_case(
    transaction: &mut ReadTransaction,
    id: CustomerId,
    now: DateTime<Utc>,
) -> Result<CaseDetail, ReadError> {
    let (mut case, stored) = only(views(transaction, &[id.0]).await?, "screening_case_not_found")?;
    let waiting = waiting(transaction, &[id.0], now)
        .await?
        .remove(&id.0)
        .unwrap_or_default();
    case.waiting_approvals = i64::try_from(waiting.len()).unwrap_or(i64::MAX);
    let deciders: BTreeSet<Uuid> = stored
        .iter()
        .filter_map(|own| own.decision.as_ref().and_then(|own| own.by))
        .collect();
    let names = named(transaction, deciders).await?;
    let mut candidates: Vec<StoredCandidate> = stored
        .into_iter()
        .map(|own| StoredCandidate {
            list: own.list,
            entry: own.entry,
            name: own.name,
            score: own.score,
            decision: own.decision.map(|own| StoredDecision {
                outcome: own.outcome,
                reason: own.reason,
                at: own.at,
                by: own.by.and_then(|by| names.get(&by).cloned()),
                files: ReviewFile::all(own.files),
                listed: own.listed,
            }),
        })
        .collect();
    candidates.sort_by_key(|own| (own.decision.is_some(), std::cmp::Reverse(own.score)));
    Ok(CaseDetail {
        case,
        candidates,
        waiting,
    })
}

/// What waits for an approval about some matches, by the customer, oldest first: decisions of pairs, and releases of remittances
/// with an open hold of the match.
async fn waiting(
    transaction: &mut ReadTransaction,
    ids: &[Uuid],
    now: DateTime<Utc>,
) -> Result<BTreeMap<Uuid, Vec<ProposedReview>>, ReadError> {
    let tables = concat!(
        "proposals AS p
         JOIN screening_cases AS x ON x.tenant = p.tenant AND (p.stream_kind = 'customer' AND p.stream_id = x.id
              OR p.stream_kind = 'remittance' AND EXISTS (SELECT FROM ",
        open_holds!(),
        " AND h.remittance = p.stream_id))
         JOIN parties AS m ON m.tenant = p.tenant AND m.id = p.maker
         LEFT JOIN remittances AS r ON r.tenant = p.tenant AND p.stream_kind = 'remittance' AND r.id = p.stream_id"
    );
    let mut sql = transaction.joined(tables, "p").after(
        "SELECT x.id AS customer, p.id, p.maker, m.name AS maker_name, p.created_at, p.expires_at, r.id AS remittance,
                r.code",
    );
    sql.push(" AND x.id = ANY (").bind(ids.to_vec());
    sql.push(") AND p.status = 'waiting' AND p.kind = 'hold_release' AND p.expires_at > ")
        .bind(now)
        .push(" ORDER BY p.position");
    let rows = transaction.fetch(&sql).await?;
    let mut found: BTreeMap<Uuid, Vec<ProposedReview>> = BTreeMap::new();
    for row in &rows {
        let review = ProposedReview {
            id: row.try_get("id")?,
            by: Ref::named(row.try_get("maker")?, row, "maker_name")?,
            at: row.try_get("created_at")?,
            expires_at: row.try_get("expires_at")?,
            remittance: Ref::maybe(row.try_get("remittance")?, row, "code")?,
        };
        found.entry(row.try_get("customer")?).or_default().push(review);
    }
    Ok(found)
}

async fn views(
    transaction: &mut ReadTransaction,
    ids: &[Uuid],
) -> Result<Vec<(ScreeningCase, Vec<CaseCandidate>)>, ReadError> {
    let tables = format!("{CASES} LEFT JOIN parties AS d ON d.tenant = x.tenant AND d.id = x.decided_by");
    let held = "(SELECT count(*) FROM remittances AS r WHERE r.tenant = x.tenant AND r.held \
                 AND (r.sender = x.id OR r.recipient = x.id)) AS held";
    let mut sql = transaction.joined(&tables, "x").after(&format!(
        "SELECT {}, q.name AS customer_name, q.kind AS customer_kind, d.name AS decided_by_name, {held},
                (SELECT count(*) FROM {}) AS open_holds",
        select_list::<ScreeningCaseRow>("x", ""),
        open_holds!()
    ));
    sql.push(" AND x.id = ANY (").bind(ids.to_vec()).push(")");
    let found = transaction.fetch(&sql).await?;
    let views: Vec<_> = found.iter().map(view).collect::<Result<_, sqlx::Error>>()?;
    Ok(list::in_order(ids, views, |(case, _): &(ScreeningCase, _)| {
        case.customer.id
    }))
}

fn view(row: &PgRow) -> Result<(ScreeningCase, Vec<CaseCandidate>), sqlx::Error> {
    let own = ScreeningCaseRow::read(row, "")?;
    let kind: i16 = row.try_get("customer_kind")?;
    let candidates = own.candidates.map(|all| all.0).unwrap_or_default();
    let open = candidates.iter().filter(|own| own.decision.is_none()).count();
    let lists = own.lists.as_deref().unwrap_or_default();
    let case = ScreeningCase {
        customer: Ref::named(own.id, row, "customer_name")?,
        customer_type: if kind == i16::from(CustomerType::Recipient.number()) {
            CustomerType::Recipient
        } else {
            CustomerType::Sender
        },
        score: own.score,
        lists: lists.split_whitespace().map(str::to_owned).collect(),
        status: own.status,
        open_candidates: i64::try_from(open).unwrap_or(i64::MAX),
        found: own.found_at,
        decided_at: own.decided_at,
        decided_by: Ref::maybe(own.decided_by, row, "decided_by_name")?,
        held_remittances: row.try_get("held")?,
        open_holds: row.try_get("open_holds")?,
        // Counted by the caller, which knows the time.
        waiting_approvals: 0,
    };
    Ok((case, candidates))
}
