//! Holds of remittances.

use crate::{
    batch::{self, Batch},
    error::ProjectError,
    rows::HoldRow,
    table::Row as _,
};
use caudal_domain::{
    Event,
    remittance::{HoldReviewed, RemittanceEvent, RemittanceHeld},
};
use caudal_journal::Recorded;
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
    });
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
