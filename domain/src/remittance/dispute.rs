//! Disputed deliveries: made offline and refused when synchronised, because the remittance was canceled, reassigned or
//! edited meanwhile. Money may have changed hands, so each is stored with its proof until a person settles it. A dispute has
//! no postings; its correction is a movement or another command.

use super::{
    Action, CompleteRemittance, DeliveryDisputeSettled, DeliveryDisputed, Remittance, RemittanceEvent,
    RemittanceReason, complete, hold, moment, permits, sees,
};
use crate::{
    decision::{Context, Decision},
    ids::PartyId,
    party::{Caller, Role},
    personal::Personal,
    refusal::{Refusal, RefusalKind, require},
    text,
};
use serde::{Deserialize, Serialize};

/// Maximum disputes per remittance: it has a handful of carriers.
const MAX_DISPUTES: usize = 20;

/// An offline delivery that was refused when synchronised.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Dispute {
    /// Number within the remittance, from 1.
    pub number: u32,
    /// The dealer or delivery man who reports the delivery.
    pub reported_by: PartyId,
    /// Content hash of the proof.
    pub identification: String,
    pub settled: bool,
}

#[derive(Clone, PartialEq, Eq)]
pub struct SettleDispute {
    pub number: u32,
    /// Findings and actions taken.
    pub reason: String,
}

/// Completes the remittance. When its state refuses a former carrier's offline delivery, records a dispute instead.
pub(super) fn complete_or_dispute(
    own: Option<&Remittance>,
    delivery: &CompleteRemittance,
    ctx: &Context<'_>,
) -> Result<Decision<RemittanceEvent>, Refusal> {
    let caller = ctx.caller()?;
    let own = own.ok_or_else(|| Refusal::not_found("remittance_not_found"))?;
    let completed = permits(caller, own, Action::Complete).and_then(|()| complete::decide(own, delivery, ctx));
    let booked = match completed {
        Err(refusal) if refusal.code == hold::HELD => {
            require(!delivery.at_once && own.carriers.contains(&caller.id), || refusal)?;
            hold::book_delivery(own, caller, delivery, ctx)
        }
        outcome => outcome,
    };
    let refusal = match booked {
        Err(refusal) if refusal.kind != RefusalKind::Invalid => refusal,
        outcome => return outcome,
    };
    require(own.carriers.contains(&caller.id), || refusal.clone())?;
    dispute(own, caller.id, delivery, refusal, ctx)
}

fn dispute(
    own: &Remittance,
    reported_by: PartyId,
    delivery: &CompleteRemittance,
    refusal: Refusal,
    ctx: &Context<'_>,
) -> Result<Decision<RemittanceEvent>, Refusal> {
    let identification = complete::claimed_proof(delivery)?;
    // A time before the assignment is a wrong clock's: the claim stands without a time.
    let delivered_at = delivery
        .delivered_at
        .filter(|at| !moment::is_before(*at, delivery.carried_since))
        .map(|at| moment::check("deliveredAt", at, delivery.carried_since, ctx.now))
        .transpose()?;
    let known = own
        .disputes
        .iter()
        .any(|known| known.reported_by == reported_by && known.identification == identification);
    require(known || own.disputes.len() < MAX_DISPUTES, || refusal.clone())?;
    let number = own.disputes.iter().map(|known| known.number).max().unwrap_or(0) + 1;
    // A remittance given to someone else is invisible to its former carrier, so the recorded code says so.
    let refused = match refusal.kind {
        RefusalKind::NotFound => "remittance_of_another",
        _ => refusal.code,
    };
    let disputed = DeliveryDisputed {
        id: own.id,
        number,
        reported_by,
        refused: refused.to_owned(),
        identification,
        signature: delivery.signature.clone(),
        to_representative: delivery.to_representative,
        delivered_at,
    };
    let decision = Decision::of(RemittanceEvent::DeliveryDisputed(disputed), own.id).answering(|answer| {
        answer.number = Some(own.sale.code.clone());
        answer.disputed = Some(refused.to_owned());
    });
    Ok(decision.unless(known))
}

pub(super) fn settle(
    own: Option<&Remittance>,
    settlement: &SettleDispute,
    ctx: &Context<'_>,
) -> Result<Decision<RemittanceEvent>, Refusal> {
    let caller = ctx.caller()?;
    let own = own.ok_or_else(|| Refusal::not_found("remittance_not_found"))?;
    let dispute = own.disputes.iter().find(|dispute| dispute.number == settlement.number);
    let reporter = dispute.and_then(|dispute| ctx.state.party(dispute.reported_by));
    if !settles(caller.into(), reporter.and_then(|reporter| reporter.dealer)) {
        return Err(if sees(caller, own) {
            Refusal::forbidden("role_not_allowed")
        } else {
            Refusal::not_found("remittance_not_found")
        });
    }
    let dispute = dispute.ok_or_else(|| Refusal::not_found("dispute_not_found"))?;
    judge_settlement(
        caller.into(),
        reporter.and_then(|reporter| reporter.dealer),
        dispute.settled,
    )?;
    text::required_note("reason", &settlement.reason, text::MAX_REASON_LENGTH)?;
    let settled = DeliveryDisputeSettled {
        id: own.id,
        number: dispute.number,
        personal: Personal::clear(
            own.sale.recipient,
            RemittanceReason {
                reason: settlement.reason.trim().to_owned(),
            },
        ),
    };
    Ok(Decision::of(RemittanceEvent::DeliveryDisputeSettled(settled), own.id))
}

/// A manager settles all disputes, a dealer those reported by his delivery men; nobody settles his own.
fn settles(caller: Caller, reporters_dealer: Option<PartyId>) -> bool {
    match caller.role {
        Role::Manager => true,
        Role::Dealer => reporters_dealer == Some(caller.id),
        _ => false,
    }
}

/// Whether a caller may settle a dispute; `reporters_dealer` is the dealer of the reporting delivery man.
///
/// # Errors
/// 403 when another role settles it, 409 when it is settled.
pub fn judge_settlement(caller: Caller, reporters_dealer: Option<PartyId>, settled: bool) -> Result<(), Refusal> {
    require(settles(caller, reporters_dealer), || {
        Refusal::forbidden("role_not_allowed")
    })?;
    require(!settled, || Refusal::conflict("dispute_is_settled"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Actor,
        RefusalKind::{Conflict, Forbidden, Invalid, NotFound},
        ids::RemittanceId,
        money::CurrencyCode,
        remittance::{
            AssignDealer, CarriedTerms, EditAmount, EditDetails, HoldReason, HoldRemittance, RemittanceCommand, Status,
        },
        testing::{
            Business, amount, delivered,
            given::{Caller, Then as _, Tried},
        },
    };
    use chrono::{DateTime, TimeDelta, Utc};

    /// A remittance that the courier carried, and its business.
    fn carried() -> (Business, RemittanceId) {
        let mut business = Business::funded();
        let id = business.sell(business.agency, business.sale(business.cup, 100_00));
        give(&mut business, id);
        (business, id)
    }

    fn give(business: &mut Business, id: RemittanceId) {
        let assign = AssignDealer {
            dealer: business.dealer,
            delivery_man: Some(business.courier),
        };
        business
            .act(business.manager, id, RemittanceCommand::Assign(assign))
            .unwrap();
    }

    fn canceled() -> (Business, RemittanceId) {
        let (mut business, id) = carried();
        let reason = "el cliente se arrepintió".to_owned();
        business
            .act(business.manager, id, RemittanceCommand::Cancel { reason })
            .unwrap();
        (business, id)
    }

    fn offline() -> RemittanceCommand {
        RemittanceCommand::Complete(CompleteRemittance {
            or_dispute: true,
            ..delivered()
        })
    }

    fn tried(business: &Business, caller: impl Caller, id: RemittanceId, act: RemittanceCommand) -> Tried<Remittance> {
        business
            .world
            .given::<Remittance>(id)
            .when(business.world.by(caller, act))
    }

    fn settle(number: u32, reason: &str) -> RemittanceCommand {
        RemittanceCommand::SettleDispute(SettleDispute {
            number,
            reason: reason.to_owned(),
        })
    }

    #[test]
    fn an_offline_delivery_of_a_canceled_remittance_becomes_a_dispute_without_postings() {
        let (business, id) = canceled();
        let event = tried(&business, business.courier, id, offline()).then_event();
        let RemittanceEvent::DeliveryDisputed(disputed) = event else {
            panic!("{event:?}")
        };
        assert_eq!(
            (disputed.number, disputed.reported_by, disputed.refused.as_str()),
            (1, business.courier, "remittance_is_canceled")
        );
        assert_eq!(disputed.identification, "a".repeat(64));
        assert_eq!(disputed.signature, Some("b".repeat(64)));
        // An online delivery is refused without a dispute.
        let online = RemittanceCommand::Complete(delivered());
        tried(&business, business.courier, id, online).then_refused(Conflict, "remittance_is_canceled");
    }

    #[test]
    fn a_reassigned_remittance_is_disputable_by_its_former_carrier_and_hidden_from_others() {
        let (mut business, id) = carried();
        let assign = AssignDealer {
            dealer: business.other_dealer,
            delivery_man: None,
        };
        business
            .act(business.manager, id, RemittanceCommand::Assign(assign))
            .unwrap();
        let event = tried(&business, business.courier, id, offline()).then_event();
        assert!(
            matches!(&event, RemittanceEvent::DeliveryDisputed(disputed) if disputed.refused == "remittance_of_another"),
            "{event:?}"
        );
        tried(&business, business.free_agent, id, offline()).then_refused(NotFound, "remittance_not_found");
        // The present carrier delivers it.
        let event = tried(&business, business.other_dealer, id, offline()).then_event();
        assert!(matches!(event, RemittanceEvent::RemittanceCompleted(_)), "{event:?}");
    }

    #[test]
    fn a_dispute_without_its_proof_or_at_an_impossible_moment_is_refused() {
        let (business, id) = canceled();
        let with = |change: fn(CompleteRemittance) -> CompleteRemittance| {
            let delivery = CompleteRemittance {
                or_dispute: true,
                ..delivered()
            };
            tried(
                &business,
                business.courier,
                id,
                RemittanceCommand::Complete(change(delivery)),
            )
        };
        with(|delivery| CompleteRemittance {
            identification: None,
            ..delivery
        })
        .then_refused(Invalid, "invalid identificationDocument:required");
        with(|delivery| CompleteRemittance {
            delivered_at: Some(DateTime::<Utc>::MAX_UTC - TimeDelta::days(400)),
            ..delivery
        })
        .then_refused(Invalid, "invalid deliveredAt:act_in_future");
    }

    /// A remittance of 31850.00 CUP that came back from the courier in error, and went to him again at 15925.00 CUP.
    fn edited() -> (Business, RemittanceId) {
        let (mut business, id) = carried();
        let (manager, group) = (business.manager, business.cup);
        let reason = "nadie en casa".to_owned();
        let edit = RemittanceCommand::EditAmount(EditAmount::new(amount("50"), group));
        for command in [RemittanceCommand::MarkError { reason }, edit] {
            business.act(manager, id, command).unwrap();
        }
        give(&mut business, id);
        (business, id)
    }

    fn at_terms(carried: CarriedTerms) -> CompleteRemittance {
        CompleteRemittance {
            carried,
            or_dispute: true,
            ..delivered()
        }
    }

    fn paying(payout: &str) -> CompleteRemittance {
        at_terms(CarriedTerms {
            payout: Some(amount(payout)),
            currency: Some(CurrencyCode::CUP),
            ..CarriedTerms::default()
        })
    }

    fn disputed(event: RemittanceEvent) -> DeliveryDisputed {
        let RemittanceEvent::DeliveryDisputed(disputed) = event else {
            panic!("{event:?}")
        };
        disputed
    }

    #[test]
    fn an_offline_delivery_at_the_payout_before_an_edit_becomes_a_dispute() {
        let (business, id) = edited();
        let courier = business.courier;
        let complete = |with| tried(&business, courier, id, RemittanceCommand::Complete(with));
        assert_eq!(
            disputed(complete(paying("31850")).then_event()).refused,
            "remittance_was_edited"
        );
        let of_another_currency = at_terms(CarriedTerms {
            payout: Some(amount("15925")),
            currency: Some(CurrencyCode::USD),
            ..CarriedTerms::default()
        });
        assert_eq!(
            disputed(complete(of_another_currency).then_event()).refused,
            "remittance_was_edited"
        );
        complete(CompleteRemittance {
            or_dispute: false,
            ..paying("31850")
        })
        .then_refused(Conflict, "remittance_was_edited");
        let event = complete(paying("15925")).then_event();
        assert!(matches!(event, RemittanceEvent::RemittanceCompleted(_)), "{event:?}");
        // Who never carried it has no claim.
        tried(
            &business,
            business.manager,
            id,
            RemittanceCommand::Complete(paying("31850")),
        )
        .then_refused(Conflict, "remittance_was_edited");
    }

    #[test]
    fn an_offline_delivery_to_the_recipient_before_an_edit_becomes_a_dispute() {
        let (mut business, id) = carried();
        let (manager, berta, carla) = (business.manager, business.berta, business.carla);
        let edit = RemittanceCommand::EditDetails(EditDetails::new(carla));
        business.act(manager, id, edit).unwrap();
        let complete = |recipient| {
            let delivery = at_terms(CarriedTerms {
                recipient: Some(recipient),
                ..CarriedTerms::default()
            });
            tried(&business, business.courier, id, RemittanceCommand::Complete(delivery)).then_event()
        };
        assert_eq!(disputed(complete(berta)).refused, "remittance_was_edited");
        let event = complete(carla);
        assert!(matches!(event, RemittanceEvent::RemittanceCompleted(_)), "{event:?}");
    }

    #[test]
    fn a_card_transfer_before_an_edit_to_a_home_delivery_is_disputed_without_a_signature() {
        let (business, id) = carried();
        let transfer = CompleteRemittance {
            signature: None,
            ..at_terms(CarriedTerms {
                card: Some(business.bertas_card),
                ..CarriedTerms::default()
            })
        };
        let event = tried(&business, business.courier, id, RemittanceCommand::Complete(transfer)).then_event();
        let disputed = disputed(event);
        assert_eq!(
            (disputed.refused.as_str(), disputed.signature),
            ("remittance_was_edited", None)
        );
    }

    #[test]
    fn a_dispute_with_a_time_before_the_assignment_is_recorded_without_a_time() {
        let (business, id) = edited();
        let now = business.world.now;
        let delivery = CompleteRemittance {
            delivered_at: Some(now - TimeDelta::hours(1)),
            carried_since: Some(now),
            ..paying("31850")
        };
        let event = tried(&business, business.courier, id, RemittanceCommand::Complete(delivery)).then_event();
        assert_eq!(disputed(event).delivered_at, None);
    }

    #[test]
    fn an_offline_delivery_at_the_payout_before_an_edit_is_not_booked_where_a_hold_came_too() {
        let (mut business, id) = edited();
        let hold = RemittanceCommand::Hold(HoldRemittance {
            reason: HoldReason::Manual,
            reference: None,
            note: "llamar al emisor".to_owned(),
        });
        business.act(business.manager, id, hold).unwrap();
        let complete = |with| tried(&business, business.courier, id, RemittanceCommand::Complete(with));
        assert_eq!(
            disputed(complete(paying("31850")).then_event()).refused,
            "remittance_was_edited"
        );
        complete(CompleteRemittance {
            at_once: true,
            ..paying("31850")
        })
        .then_refused(Conflict, "remittance_is_held");
    }

    #[test]
    fn the_same_delivery_sent_again_is_one_dispute() {
        let (mut business, id) = canceled();
        business.act(Actor::Party(business.courier), id, offline()).unwrap();
        business.act(Actor::Party(business.courier), id, offline()).unwrap();
        assert_eq!(business.world.remittance(id).disputes.len(), 1);
        assert_eq!(business.world.remittance(id).status, Status::Canceled);
    }

    #[test]
    fn the_manager_or_the_reporters_dealer_settles_a_dispute_once_and_with_a_reason() {
        let (mut business, id) = canceled();
        business.act(Actor::Party(business.courier), id, offline()).unwrap();
        tried(&business, business.courier, id, settle(1, "ya está")).then_refused(Forbidden, "role_not_allowed");
        tried(&business, business.agency, id, settle(1, "ya está")).then_refused(Forbidden, "role_not_allowed");
        tried(&business, business.other_dealer, id, settle(1, "ya está"))
            .then_refused(NotFound, "remittance_not_found");
        tried(&business, business.manager, id, settle(2, "ya está")).then_refused(NotFound, "dispute_not_found");
        tried(&business, business.manager, id, settle(1, " ")).then_refused(Invalid, "invalid reason:required");
        tried(&business, business.dealer, id, settle(1, "se recuperó el dinero")).then_event();
        business
            .act(business.manager, id, settle(1, "se recuperó el dinero"))
            .unwrap();
        tried(&business, business.manager, id, settle(1, "otra vez")).then_refused(Conflict, "dispute_is_settled");
    }

    #[test]
    fn a_dealer_does_not_settle_what_he_reported_himself() {
        let (mut business, id) = canceled();
        let (dealer, manager) = (business.dealer, business.manager);
        business.act(Actor::Party(dealer), id, offline()).unwrap();
        tried(&business, dealer, id, settle(1, "ya está")).then_refused(Forbidden, "role_not_allowed");
        tried(&business, manager, id, settle(1, "ya está")).then_event();
    }
}
