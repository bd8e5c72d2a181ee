//! Failed delivery attempts: the remittance stays in shipping.

use super::{DeliveryAttempted, Remittance, RemittanceEvent, moment};
use crate::{
    decision::{Context, Decision},
    refusal::Refusal,
};
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// Reason of a failed attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AttemptReason {
    /// Nobody opened the door.
    NobodyHome,
    /// The recipient's telephone was not answered.
    NoAnswer,
    /// The address is wrong or could not be found.
    WrongAddress,
    /// The recipient could not show a document.
    NoDocument,
    /// The recipient asked for another day.
    Postponed,
    /// The recipient refused it.
    Refused,
    /// The place could not be reached.
    Unreachable,
}

impl AttemptReason {
    pub const ALL: &'static [Self] = &[
        Self::NobodyHome,
        Self::NoAnswer,
        Self::WrongAddress,
        Self::NoDocument,
        Self::Postponed,
        Self::Refused,
        Self::Unreachable,
    ];
}

/// Records a failed attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordAttempt {
    pub reason: AttemptReason,
    /// Time of the attempt; `None` when recorded at once.
    pub attempted_at: Option<DateTime<Utc>>,
    /// When the caller was given the remittance, if known.
    pub carried_since: Option<DateTime<Utc>>,
}

pub(super) fn decide(
    own: &Remittance,
    attempt: RecordAttempt,
    ctx: &Context<'_>,
) -> Result<Decision<RemittanceEvent>, Refusal> {
    let attempted_at = attempt
        .attempted_at
        .map(|at| moment::check("attemptedAt", at, attempt.carried_since, ctx.now))
        .transpose()?;
    let attempted = DeliveryAttempted {
        id: own.id,
        reason: attempt.reason,
        attempted_at,
    };
    Ok(
        Decision::of(RemittanceEvent::DeliveryAttempted(attempted), own.id).answering(|answer| {
            answer.number = Some(own.sale.code.clone());
            answer.status = Some(own.status.number());
        }),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Actor,
        RefusalKind::{Conflict, Forbidden},
        remittance::{AssignDealer, RemittanceCommand, Status},
        testing::{Business, given::Then as _},
    };

    fn attempt() -> RemittanceCommand {
        RemittanceCommand::Attempt(RecordAttempt {
            reason: AttemptReason::NobodyHome,
            attempted_at: None,
            carried_since: None,
        })
    }

    #[test]
    fn an_attempt_leaves_the_remittance_in_shipping_and_the_books_as_they_are() {
        let mut business = Business::funded();
        let id = business.sell(business.agency, business.sale(business.cup, 100_00));
        let (manager, dealer, courier) = (business.manager, business.dealer, business.courier);
        let try_it = |business: &Business, caller: Actor| {
            let act = business.world.by(caller, attempt());
            business.world.given::<Remittance>(id).when(act)
        };
        try_it(&business, manager).then_refused(Conflict, "remittance_is_pending");
        let assign = AssignDealer {
            dealer,
            delivery_man: Some(courier),
        };
        business.act(manager, id, RemittanceCommand::Assign(assign)).unwrap();
        for caller in [manager, Actor::Party(dealer), Actor::Party(courier)] {
            assert!(try_it(&business, caller).then_event().entry().is_none());
        }
        try_it(&business, Actor::Party(business.agency)).then_refused(Forbidden, "role_not_allowed");
        business.act(Actor::Party(courier), id, attempt()).unwrap();
        assert_eq!(business.world.remittance(id).status, Status::Shipping);
    }
}
