//! Holds: reasons why a remittance waits for a review. A held remittance can be canceled or marked as in error; it cannot be
//! assigned, completed or edited. It stays in its status.
//!
//! Automatic processes hold with a reference to what they found; managers hold with a note. Each hold is reviewed on its
//! own, and the remittance moves again when none is open. A courier without a network may have paid before he could know:
//! his delivery is booked, and shown until a manager settles it.

use super::{CompleteRemittance, Remittance, RemittanceEvent, RemittanceReason, complete, permission::wrong_status};
use crate::{
    attachment,
    customer::Customer,
    decision::{Actor, Context, Decision},
    ids::{PartyId, RemittanceId},
    party::Party,
    personal::Personal,
    refusal::{Refusal, require},
    text,
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Refusal code of what a hold forbids.
pub const HELD: &str = "remittance_is_held";
/// Warning for a booked delivery that a hold forbade.
pub const DELIVERED_WHILE_HELD: &str = "delivered_while_held";
/// Holds of one remittance in its whole life: a few rules, a few lists, and edits that meet them again. A command that
/// would bring one more is refused. Screening in the background is not bounded: a finding is not refused, and holds the
/// same customer again only after a manager released the hold before.
pub const MAX_HOLDS: usize = 50;

/// Why a remittance is held. Later versions may add reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HoldReason {
    /// A limit rule, which the reference names.
    LimitRule,
    /// A likeness with an entry of a sanctions list. The reference names the case.
    Screening,
    /// A manager's decision, with a note.
    Manual,
}

impl HoldReason {
    pub const ALL: &'static [Self] = &[Self::LimitRule, Self::Screening, Self::Manual];

    /// Stable name in the log and in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::LimitRule => "limit_rule",
            Self::Screening => "screening",
            Self::Manual => "manual",
        }
    }
}

/// A hold, open or released.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Hold {
    /// Number within the remittance, from 1.
    pub number: u32,
    pub reason: HoldReason,
    /// What found it, by the reason: a limit rule, a case of screening. `None` for a manual hold.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<Uuid>,
    pub released: bool,
}

/// A delivery that was booked although the remittance was held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HoldBreach {
    pub settled: bool,
}

/// Holds a remittance. Repeating an open hold of the same reason and reference changes nothing.
#[derive(Clone, PartialEq, Eq)]
pub struct HoldRemittance {
    pub reason: HoldReason,
    pub reference: Option<Uuid>,
    /// Required for a manual hold.
    pub note: String,
}

/// Outcome of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HoldOutcome {
    Release,
    /// The remittance stays held; the reason is recorded.
    Keep,
}

/// Reviews one hold.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReviewHold {
    /// Number of the hold within the remittance.
    pub number: u32,
    pub outcome: HoldOutcome,
    pub reason: String,
    /// Hashes of attached files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
}

/// A remittance was held: for another reason too, where it was held already.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RemittanceHeld {
    pub id: RemittanceId,
    /// Number of the hold within the remittance, from 1.
    pub number: u32,
    pub reason: HoldReason,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<Uuid>,
    /// Note of a manual hold; empty for others.
    pub personal: Personal<RemittanceReason>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HoldReviewed {
    pub id: RemittanceId,
    /// Number of the hold within the remittance.
    pub number: u32,
    /// Hashes of attached files.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
    pub personal: Personal<RemittanceReason>,
}

/// A delivery was booked although the remittance was held. Follows the completion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HeldRemittanceDelivered {
    pub id: RemittanceId,
    /// Open holds at the booking.
    pub holds: Vec<u32>,
    /// The dealer or delivery man who reports the delivery.
    pub reported_by: PartyId,
    /// Time of delivery, by the telephone's clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delivered_at: Option<DateTime<Utc>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct HoldBreachSettled {
    pub id: RemittanceId,
    /// Findings and actions taken.
    pub personal: Personal<RemittanceReason>,
}

impl Remittance {
    /// Whether a hold is open. A canceled or completed remittance is not held.
    #[must_use]
    pub fn is_held(&self) -> bool {
        self.status.is_open() && self.open_holds().next().is_some()
    }

    pub(super) fn open_holds(&self) -> impl Iterator<Item = &Hold> {
        self.holds.iter().filter(|hold| !hold.released)
    }

    pub(super) fn hold(&mut self, held: &RemittanceHeld) {
        self.holds.push(Hold {
            number: held.number,
            reason: held.reason,
            reference: held.reference,
            released: false,
        });
    }

    pub(super) fn release(&mut self, number: u32) {
        if let Some(hold) = self.holds.iter_mut().find(|hold| hold.number == number) {
            hold.released = true;
        }
    }

    fn about(&self, reason: &str) -> Personal<RemittanceReason> {
        let reason = reason.trim().to_owned();
        Personal::clear(self.sale.recipient, RemittanceReason { reason })
    }

    /// The event of an automatic hold on this remittance as it stands; `None` when it is open already.
    ///
    /// # Errors
    /// Too many holds: the command that brings one more is refused, as none is left out.
    pub(crate) fn automatic_hold(
        &self,
        reason: HoldReason,
        reference: Uuid,
    ) -> Result<Option<RemittanceHeld>, Refusal> {
        let known = self
            .open_holds()
            .any(|hold| (hold.reason, hold.reference) == (reason, Some(reference)));
        if known {
            return Ok(None);
        }
        self.require_room()?;
        Ok(Some(RemittanceHeld {
            id: self.id,
            number: self.next_hold(),
            reason,
            reference: Some(reference),
            personal: self.about(""),
        }))
    }

    fn require_room(&self) -> Result<(), Refusal> {
        require(self.holds.len() < MAX_HOLDS, || {
            Refusal::conflict("too_many_holds").with("max", MAX_HOLDS)
        })
    }

    fn next_hold(&self) -> u32 {
        self.holds.iter().map(|hold| hold.number).max().unwrap_or(0) + 1
    }
}

/// Holds what a decision leaves open where one of its customers is in review: in the same commit, so that it never moves
/// before.
///
/// # Errors
/// Too many holds.
pub(super) fn by_screening<'a>(
    own: Option<&Remittance>,
    decision: &mut Decision<RemittanceEvent>,
    customers: impl IntoIterator<Item = &'a Customer>,
) -> Result<(), Refusal> {
    let in_review = customers.into_iter().filter(|customer| customer.in_review);
    let mut state = None;
    for customer in in_review {
        let state = state.get_or_insert_with(|| {
            let events = decision.events.iter();
            events.fold(own.cloned(), Remittance::fold)
        });
        let Some(remittance) = state.as_ref() else { continue };
        if let Some(held) = remittance.automatic_hold(HoldReason::Screening, customer.id.0)? {
            let event = RemittanceEvent::RemittanceHeld(held);
            *state = Remittance::fold(state.take(), &event);
            decision.events.push(event);
        }
    }
    Ok(())
}

/// Holds by the system, or by a manager with a note.
pub(super) fn decide(
    own: Option<&Remittance>,
    hold: &HoldRemittance,
    ctx: &Context<'_>,
) -> Result<Decision<RemittanceEvent>, Refusal> {
    ctx.require_manager()?;
    let own = own.ok_or_else(|| Refusal::not_found("remittance_not_found"))?;
    require(own.status.is_open(), || Refusal::conflict(wrong_status(own.status)))?;
    if ctx.actor != Actor::System {
        require(hold.reason == HoldReason::Manual && hold.reference.is_none(), || {
            Refusal::forbidden("role_not_allowed")
        })?;
        text::required_note("reason", &hold.note, text::MAX_REASON_LENGTH)?;
    }
    let known = own
        .open_holds()
        .any(|known| hold.reference.is_some() && (known.reason, known.reference) == (hold.reason, hold.reference));
    if !known && ctx.actor != Actor::System {
        own.require_room()?;
    }
    let held = RemittanceHeld {
        id: own.id,
        number: own.next_hold(),
        reason: hold.reason,
        reference: hold.reference,
        personal: own.about(&hold.note),
    };
    Ok(answered(RemittanceEvent::RemittanceHeld(held), own).unless(known))
}

pub(super) fn review(
    own: Option<&Remittance>,
    review: &ReviewHold,
    ctx: &Context<'_>,
) -> Result<Decision<RemittanceEvent>, Refusal> {
    let own = for_managers(own, ctx)?;
    let hold = own.holds.iter().find(|hold| hold.number == review.number);
    let hold = hold.ok_or_else(|| Refusal::not_found("hold_not_found"))?;
    require(!hold.released, || Refusal::conflict("hold_is_released"))?;
    require(own.status.is_open(), || Refusal::conflict(wrong_status(own.status)))?;
    text::required_note("reason", &review.reason, text::MAX_REASON_LENGTH)?;
    attachment::validate(&review.files, attachment::MAX_REVIEW_FILES)?;
    let reviewed = HoldReviewed {
        id: own.id,
        number: review.number,
        files: review.files.clone(),
        personal: own.about(&review.reason),
    };
    let event = match review.outcome {
        HoldOutcome::Release => RemittanceEvent::HoldReleased(reviewed),
        HoldOutcome::Keep => RemittanceEvent::HoldKept(reviewed),
    };
    Ok(answered(event, own))
}

pub(super) fn settle_breach(
    own: Option<&Remittance>,
    reason: &str,
    ctx: &Context<'_>,
) -> Result<Decision<RemittanceEvent>, Refusal> {
    let own = for_managers(own, ctx)?;
    let breach = own.breach.ok_or_else(|| Refusal::not_found("hold_breach_not_found"))?;
    require(!breach.settled, || Refusal::conflict("hold_breach_is_settled"))?;
    text::required_note("reason", reason, text::MAX_REASON_LENGTH)?;
    let settled = HoldBreachSettled {
        id: own.id,
        personal: own.about(reason),
    };
    Ok(answered(RemittanceEvent::HoldBreachSettled(settled), own))
}

/// TenantState a carrier's offline delivery of a held remittance: the money is paid.
pub(super) fn book_delivery(
    own: &Remittance,
    reported_by: &Party,
    delivery: &CompleteRemittance,
    ctx: &Context<'_>,
) -> Result<Decision<RemittanceEvent>, Refusal> {
    let mut decision = complete::decide(own, delivery, ctx)?;
    let delivered_at = decision.events.iter().find_map(|event| match event {
        RemittanceEvent::RemittanceCompleted(completed) => completed.delivered_at,
        _ => None,
    });
    let breach = HeldRemittanceDelivered {
        id: own.id,
        holds: own.open_holds().map(|hold| hold.number).collect(),
        reported_by: reported_by.id,
        delivered_at,
    };
    decision.events.push(RemittanceEvent::HeldRemittanceDelivered(breach));
    Ok(decision.answering(|answer| answer.warnings.push(DELIVERED_WHILE_HELD.to_owned())))
}

fn for_managers<'a>(own: Option<&'a Remittance>, ctx: &Context<'_>) -> Result<&'a Remittance, Refusal> {
    let caller = ctx.caller()?;
    ctx.require_manager().map_err(|refusal| match own {
        Some(own) if super::sees(caller, own) => refusal,
        _ => Refusal::not_found("remittance_not_found"),
    })?;
    own.ok_or_else(|| Refusal::not_found("remittance_not_found"))
}

fn answered(event: RemittanceEvent, own: &Remittance) -> Decision<RemittanceEvent> {
    Decision::of(event, own.id).answering(|answer| {
        answer.number = Some(own.sale.code.clone());
        answer.status = Some(own.status.number());
    })
}

#[cfg(test)]
mod tests;
