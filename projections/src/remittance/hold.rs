//! Holds of remittances.

use super::views::require_visible;
use crate::{
    batch::{self, Batch},
    error::{ProjectError, ReadError},
    names::names,
    read_transaction::ReadTransaction,
    refs::{HistoryActor, ReviewFile},
    rows::HoldRow,
    scope::Scope,
    table::{Json, Row as _, select_list},
};
use caudal_domain::{
    Event,
    ids::RemittanceId,
    remittance::{HoldReason, HoldReviewed, RemittanceEvent, RemittanceHeld},
};
use caudal_journal::Recorded;
use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::{Row as _, postgres::PgRow};
use utoipa::ToSchema;
use uuid::Uuid;

/// The remittance whose holds an event changes or ends.
pub(crate) fn touched(recorded: &Recorded) -> Option<Uuid> {
    let changes = matches!(
        recorded.event,
        Event::Remittance(
            RemittanceEvent::HoldReleased(_)
                | RemittanceEvent::HoldKept(_)
                | RemittanceEvent::RemittanceCanceled(_)
                | RemittanceEvent::RemittanceCompleted(_)
        )
    );
    changes.then_some(recorded.stream.id)
}

fn number(number: u32) -> i32 {
    i32::try_from(number).unwrap_or(i32::MAX)
}

pub(super) fn opened(batch: &mut Batch, recorded: &Recorded, held: &RemittanceHeld, recipient: Uuid) {
    batch.holds.put(HoldRow {
        remittance: held.id.0,
        number: number(held.number),
        position: recorded.position,
        at: recorded.recorded_at,
        reason: held.reason.as_str().to_owned(),
        reference: held.reference,
        recipient,
        held_by: batch::actor(recorded),
        held_role: recorded.metadata.role.clone(),
        note: super::reason(&held.personal).filter(|note| !note.is_empty()),
        reviewed_at: None,
        reviewed_by: None,
        reviewed_role: None,
        review: None,
        released_at: None,
        ended_at: None,
        review_files: None,
    });
}

/// Hashes of a review's files; none where it has none.
pub(super) fn files(reviewed: &HoldReviewed) -> Option<Json<Vec<String>>> {
    (!reviewed.files.is_empty()).then(|| Json(reviewed.files.clone()))
}

/// Returns whether the remittance is still held.
pub(super) fn reviewed(
    batch: &mut Batch,
    recorded: &Recorded,
    reviewed: &HoldReviewed,
    released: bool,
) -> Result<bool, ProjectError> {
    let key = (reviewed.id.0, number(reviewed.number));
    let row = batch.holds.get_mut(&key).ok_or(ProjectError::Missing {
        position: recorded.position,
        table: HoldRow::TABLE,
        id: reviewed.id.0,
    })?;
    row.reviewed_at = Some(recorded.recorded_at);
    row.reviewed_by = batch::actor(recorded);
    row.reviewed_role = Some(recorded.metadata.role.clone());
    row.review = super::reason(&reviewed.personal);
    row.review_files = files(reviewed);
    row.released_at = released.then_some(recorded.recorded_at);
    let mut of_remittance = batch.holds.iter().filter(|hold| hold.remittance == reviewed.id.0);
    Ok(of_remittance.any(|hold| hold.released_at.is_none()))
}

/// The remittance was canceled or completed: its open holds end.
pub(super) fn ended(batch: &mut Batch, recorded: &Recorded, was_held: bool) {
    if !was_held {
        return;
    }
    let open = batch.holds.iter().filter(|hold| hold.remittance == recorded.stream.id);
    let open = open.filter(|hold| hold.released_at.is_none());
    let keys: Vec<_> = open.map(|hold| (hold.remittance, hold.number)).collect();
    for key in keys {
        if let Some(hold) = batch.holds.get_mut(&key) {
            hold.ended_at = Some(recorded.recorded_at);
        }
    }
}

names! {
    /// Why a remittance is held.
    PublicHoldReason(HoldReason) {
        /// A rule of limits.
        LimitRule,
        /// One of its customers is in review.
        Screening,
        /// A manager's decision.
        Manual,
    }
}

impl PublicHoldReason {
    /// A reason by its name in the log.
    pub(crate) fn named(name: &str) -> Result<Self, sqlx::Error> {
        let reason = HoldReason::ALL.iter().find(|reason| reason.as_str() == name);
        let reason = reason.ok_or_else(|| sqlx::Error::Decode(format!("a hold of {name:?}").into()))?;
        Ok((*reason).into())
    }
}

/// A hold of a remittance.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct RemittanceHold {
    /// Number within the remittance, from 1.
    pub number: i32,
    /// Time of the hold, RFC 3339 in UTC.
    pub at: DateTime<Utc>,
    /// Why it is held.
    #[schema(example = "limit_rule")]
    pub reason: PublicHoldReason,
    /// What found it: the id of the limit rule, or of the customer in review; null for a manager's decision.
    pub reference: Option<Uuid>,
    /// Who held it, or whose sale was held; all fields null for the system.
    pub held_by: HistoryActor,
    /// A manager's note; null for other holds, and after erasure.
    pub note: Option<String>,
    /// Time of the last review; null before the first.
    pub reviewed: Option<DateTime<Utc>>,
    /// Who reviewed it last; null before the first review.
    pub reviewed_by: Option<HistoryActor>,
    /// Reason of the last review; null before the first, and after erasure.
    pub review: Option<String>,
    /// Files of the last review.
    pub files: Vec<ReviewFile>,
    /// Time of the release; null while it is open.
    pub released: Option<DateTime<Utc>>,
    /// Time at which the remittance was canceled or delivered with the hold open; null otherwise.
    pub ended: Option<DateTime<Utc>>,
}

/// All holds of a remittance, oldest first.
///
/// # Errors
/// Not found in the caller's scope.
pub async fn list(
    transaction: &mut ReadTransaction,
    scope: &Scope,
    id: RemittanceId,
) -> Result<Vec<RemittanceHold>, ReadError> {
    require_visible(transaction, scope, id).await?;
    let tables = "remittance_holds AS x
        LEFT JOIN parties AS h ON h.tenant = x.tenant AND h.id = x.held_by
        LEFT JOIN parties AS r ON r.tenant = x.tenant AND r.id = x.reviewed_by";
    let mut sql = transaction.joined(tables, "x").after(&format!(
        "SELECT h.name AS holder_name, r.name AS reviewer_name, {}",
        select_list::<HoldRow>("x", "x_")
    ));
    sql.push(" AND x.remittance = ").bind(id.0).push(" ORDER BY x.number");
    let rows = transaction.fetch_by_keys(&sql).await?;
    Ok(rows.iter().map(view).collect::<Result<_, sqlx::Error>>()?)
}

fn view(row: &PgRow) -> Result<RemittanceHold, sqlx::Error> {
    let hold = HoldRow::read(row, "x_")?;
    let reviewer = hold
        .reviewed_role
        .as_deref()
        .map(|role| Ok::<_, sqlx::Error>(HistoryActor::new(hold.reviewed_by, role, row.try_get("reviewer_name")?)));
    Ok(RemittanceHold {
        number: hold.number,
        at: hold.at,
        reason: PublicHoldReason::named(&hold.reason)?,
        reference: hold.reference,
        held_by: HistoryActor::new(hold.held_by, &hold.held_role, row.try_get("holder_name")?),
        note: hold.note,
        reviewed: hold.reviewed_at,
        reviewed_by: reviewer.transpose()?,
        review: hold.review,
        files: ReviewFile::all(hold.review_files.map(|files| files.0).unwrap_or_default()),
        released: hold.released_at,
        ended: hold.ended_at,
    })
}
