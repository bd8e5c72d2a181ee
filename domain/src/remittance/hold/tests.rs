use super::*;
use crate::{
    RefusalKind::{Conflict, Forbidden, Invalid, NotFound},
    remittance::{AssignDealer, EditAmount, RemittanceCommand, Status},
    testing::{
        Business, amount, delivered,
        given::{Caller, Then, Tried},
    },
};

fn sold() -> (Business, RemittanceId) {
    let mut business = Business::funded();
    let sale = business.sale(business.cup, 100_00);
    let id = business.sell(business.agency, sale);
    (business, id)
}

fn shipped() -> (Business, RemittanceId) {
    let (mut business, id) = sold();
    let to = RemittanceCommand::Assign(AssignDealer {
        dealer: business.dealer,
        delivery_man: Some(business.courier),
    });
    business.act(business.manager, id, to).unwrap();
    (business, id)
}

fn by_screening(case: u128) -> RemittanceCommand {
    RemittanceCommand::Hold(HoldRemittance {
        reason: HoldReason::Screening,
        reference: Some(Uuid::from_u128(case)),
        note: String::new(),
    })
}

fn manually(note: &str) -> RemittanceCommand {
    RemittanceCommand::Hold(HoldRemittance {
        reason: HoldReason::Manual,
        reference: None,
        note: note.into(),
    })
}

fn review(number: u32, outcome: HoldOutcome) -> RemittanceCommand {
    RemittanceCommand::ReviewHold(ReviewHold {
        number,
        outcome,
        reason: "es otra persona".into(),
        files: Vec::new(),
        about: None,
    })
}

fn attempt(
    business: &Business,
    caller: impl Caller,
    id: RemittanceId,
    command: RemittanceCommand,
) -> Tried<Remittance> {
    business
        .world
        .given::<Remittance>(id)
        .when(business.world.by(caller, command))
}

#[test]
fn a_held_remittance_is_not_assigned_edited_or_completed_and_can_be_canceled() {
    let (mut business, id) = shipped();
    business.act(Actor::System, id, by_screening(1)).unwrap();
    assert!(business.world.remittance(id).is_held());
    let to = AssignDealer {
        dealer: business.other_dealer,
        delivery_man: None,
    };
    let (manager, courier) = (business.manager, business.courier);
    attempt(&business, manager, id, RemittanceCommand::Assign(to)).then_refused(Conflict, HELD);
    attempt(&business, manager, id, RemittanceCommand::Complete(delivered())).then_refused(Conflict, HELD);
    attempt(&business, courier, id, RemittanceCommand::Complete(delivered())).then_refused(Conflict, HELD);
    let cancel = RemittanceCommand::Cancel {
        reason: "se arrepintió".into(),
    };
    attempt(&business, manager, id, cancel).then_event();
    let (mut business, id) = sold();
    business.act(Actor::System, id, by_screening(1)).unwrap();
    let edit = EditAmount::new(amount("50"), business.cup);
    attempt(&business, business.agency, id, RemittanceCommand::EditAmount(edit)).then_refused(Conflict, HELD);
}

#[test]
fn a_hold_posts_nothing_and_keeps_the_status() {
    let (mut business, id) = shipped();
    let event = attempt(&business, Actor::System, id, by_screening(1)).then_event();
    assert_eq!(event.entry(), None);
    let answer = business.act(Actor::System, id, by_screening(1)).unwrap();
    assert_eq!(answer.status, Some(Status::Shipping.number()));
}

#[test]
fn a_remittance_moves_again_when_its_last_hold_is_released() {
    let (mut business, id) = shipped();
    business.act(Actor::System, id, by_screening(1)).unwrap();
    business.act(business.manager, id, manually("llamar")).unwrap();
    let manager = business.manager;
    business.act(manager, id, review(1, HoldOutcome::Release)).unwrap();
    attempt(
        &business,
        business.courier,
        id,
        RemittanceCommand::Complete(delivered()),
    )
    .then_refused(Conflict, HELD);
    business.act(manager, id, review(2, HoldOutcome::Keep)).unwrap();
    assert!(business.world.remittance(id).is_held(), "kept");
    business.act(manager, id, review(2, HoldOutcome::Release)).unwrap();
    attempt(
        &business,
        business.courier,
        id,
        RemittanceCommand::Complete(delivered()),
    )
    .then_event();
    attempt(&business, manager, id, review(2, HoldOutcome::Release)).then_refused(Conflict, "hold_is_released");
    attempt(&business, manager, id, review(3, HoldOutcome::Release)).then_refused(NotFound, "hold_not_found");
}

#[test]
fn the_same_finding_holds_once_until_it_is_released() {
    let (mut business, id) = sold();
    business.act(Actor::System, id, by_screening(1)).unwrap();
    attempt(&business, Actor::System, id, by_screening(1)).then_expect_events(vec![]);
    attempt(&business, Actor::System, id, by_screening(2)).then_event();
    business
        .act(business.manager, id, review(1, HoldOutcome::Release))
        .unwrap();
    attempt(&business, Actor::System, id, by_screening(1)).then_event();
}

#[test]
fn a_finding_of_the_screening_holds_beyond_the_limit_that_refuses_a_manager_and_an_edit() {
    let (mut business, id) = shipped();
    let manager = business.manager;
    let most = u32::try_from(MAX_HOLDS).unwrap();
    for number in 1..=most {
        business.act(manager, id, manually("llamar")).unwrap();
        business.act(manager, id, review(number, HoldOutcome::Release)).unwrap();
    }
    attempt(&business, manager, id, manually("otra vez")).then_refused(Conflict, "too_many_holds");
    business.act(Actor::System, id, by_screening(1)).unwrap();
    assert!(business.world.remittance(id).is_held());
    let complete = RemittanceCommand::Complete(delivered());
    attempt(&business, manager, id, complete).then_refused(Conflict, HELD);
    business
        .act(manager, id, review(most + 1, HoldOutcome::Release))
        .unwrap();
    assert!(!business.world.remittance(id).is_held());
    let own = business.world.remittance(id);
    let refused = own
        .automatic_hold(HoldReason::Screening, Uuid::from_u128(2))
        .unwrap_err();
    assert_eq!(refused.code, "too_many_holds");
}

#[test]
fn managers_hold_with_a_note_and_review_with_a_reason_and_sellers_do_neither() {
    let (mut business, id) = sold();
    let (manager, agency) = (business.manager, business.agency);
    attempt(&business, manager, id, manually(" ")).then_refused(Invalid, "invalid reason:required");
    attempt(&business, manager, id, by_screening(1)).then_refused(Forbidden, "role_not_allowed");
    attempt(&business, agency, id, manually("sospecha")).then_refused(Forbidden, "role_not_allowed");
    business.act(manager, id, manually("sospecha")).unwrap();
    let silent = RemittanceCommand::ReviewHold(ReviewHold {
        number: 1,
        outcome: HoldOutcome::Release,
        reason: String::new(),
        files: Vec::new(),
        about: None,
    });
    attempt(&business, manager, id, silent).then_refused(Invalid, "invalid reason:required");
    attempt(&business, agency, id, review(1, HoldOutcome::Release)).then_refused(Forbidden, "role_not_allowed");
    attempt(&business, business.other_agency, id, review(1, HoldOutcome::Release))
        .then_refused(NotFound, "remittance_not_found");
}

#[test]
fn a_release_that_ends_a_customers_review_is_of_a_hold_of_that_review_alone() {
    let (mut business, id) = sold();
    let (manager, ana, berta) = (business.manager, business.ana, business.berta);
    let found = RemittanceCommand::Hold(HoldRemittance {
        reason: HoldReason::Screening,
        reference: Some(ana.0),
        note: String::new(),
    });
    business.act(Actor::System, id, found).unwrap();
    business.act(manager, id, manually("sospecha")).unwrap();
    let of = |number, customer| ReviewHold {
        number,
        outcome: HoldOutcome::Release,
        reason: "es otra persona".into(),
        files: Vec::new(),
        about: Some(customer),
    };
    let release = |number, customer| RemittanceCommand::ReviewHold(of(number, customer));
    attempt(&business, manager, id, release(1, berta)).then_refused(NotFound, "hold_not_found");
    attempt(&business, manager, id, release(2, ana)).then_refused(NotFound, "hold_not_found");
    let numbers = |business: &Business| {
        let own = business.world.remittance(id);
        let open = own.holds_of_review(ana).map(|hold| hold.number);
        open.collect::<Vec<u32>>()
    };
    assert_eq!(numbers(&business), [1]);
    business.act(manager, id, release(1, ana)).unwrap();
    assert!(numbers(&business).is_empty());
    // A proposal is stored without it, as before.
    let stored = serde_json::to_value(of(1, ana)).unwrap();
    let names: Vec<&String> = stored.as_object().unwrap().keys().collect();
    assert_eq!(names, ["number", "outcome", "reason"]);
}

#[test]
fn a_review_names_its_files_and_wrong_ones_are_refused() {
    let (mut business, id) = sold();
    let manager = business.manager;
    business.act(manager, id, manually("sospecha")).unwrap();
    let with = |outcome, files: &[String]| {
        RemittanceCommand::ReviewHold(ReviewHold {
            number: 1,
            outcome,
            reason: "enseñó el contrato".into(),
            files: files.to_vec(),
            about: None,
        })
    };
    let hashes: Vec<String> = (0..=attachment::MAX_REVIEW_FILES)
        .map(|number| format!("{number:064x}"))
        .collect();
    let keep = |files: &[String]| attempt(&business, manager, id, with(HoldOutcome::Keep, files));
    keep(&hashes).then_refused(Invalid, "invalid files:too_many");
    keep(&[hashes[0].clone(), hashes[0].clone()]).then_refused(Invalid, "invalid files:duplicate");
    keep(&["contrato.pdf".into()]).then_refused(Invalid, "invalid files:file_not_found");
    let reviewed = |files: &[String]| HoldReviewed {
        id,
        number: 1,
        files: files.to_vec(),
        personal: business.world.remittance(id).about("enseñó el contrato"),
    };
    let most = &hashes[1..];
    keep(most).then_expect_events(vec![RemittanceEvent::HoldKept(reviewed(most))]);
    attempt(&business, manager, id, with(HoldOutcome::Release, most))
        .then_expect_events(vec![RemittanceEvent::HoldReleased(reviewed(most))]);
    keep(&[]).then_expect_events(vec![RemittanceEvent::HoldKept(reviewed(&[]))]);
}

#[test]
fn a_hold_is_not_put_on_or_reviewed_after_the_end() {
    let (mut business, id) = sold();
    business.act(Actor::System, id, by_screening(1)).unwrap();
    let cancel = RemittanceCommand::Cancel {
        reason: "se arrepintió".into(),
    };
    business.act(business.agency.actor(), id, cancel).unwrap();
    assert!(!business.world.remittance(id).is_held());
    let manager = business.manager;
    attempt(&business, Actor::System, id, by_screening(2)).then_refused(Conflict, "remittance_is_canceled");
    attempt(&business, manager, id, review(1, HoldOutcome::Release)).then_refused(Conflict, "remittance_is_canceled");
}

#[test]
fn an_offline_delivery_of_a_held_remittance_is_booked_with_the_breach_until_it_is_settled() {
    let (mut business, id) = shipped();
    business.act(Actor::System, id, by_screening(1)).unwrap();
    let offline = CompleteRemittance {
        or_dispute: true,
        ..delivered()
    };
    let (manager, courier) = (business.manager, business.courier);
    let online = RemittanceCommand::Complete(delivered());
    attempt(&business, courier, id, online).then_refused(Conflict, HELD);
    let answer = business
        .act(courier.actor(), id, RemittanceCommand::Complete(offline.clone()))
        .unwrap();
    assert_eq!(answer.warnings, [DELIVERED_WHILE_HELD]);
    let own = business.world.remittance(id);
    assert_eq!(own.status, Status::Completed);
    assert_eq!(own.breach, Some(HoldBreach { settled: false }));
    let cash = crate::Account::of(crate::AccountKind::FieldCash, courier, crate::money::CurrencyCode::CUP);
    assert_eq!(business.world.balance(cash), "-32000.00", "what he paid is booked");
    let settle = |reason: &str| RemittanceCommand::SettleHoldBreach { reason: reason.into() };
    attempt(&business, courier, id, settle("pagó")).then_refused(Forbidden, "role_not_allowed");
    attempt(&business, manager, id, settle("")).then_refused(Invalid, "invalid reason:required");
    business.act(manager, id, settle("pagó antes de saberlo")).unwrap();
    attempt(&business, manager, id, settle("otra vez")).then_refused(Conflict, "hold_breach_is_settled");
}

#[test]
fn a_delivery_that_is_sent_at_once_is_refused_by_a_hold_and_still_disputed_after_a_cancel() {
    let (mut business, id) = shipped();
    business.act(Actor::System, id, by_screening(1)).unwrap();
    let at_once = RemittanceCommand::Complete(CompleteRemittance {
        or_dispute: true,
        at_once: true,
        ..delivered()
    });
    attempt(&business, business.courier, id, at_once.clone()).then_refused(Conflict, HELD);
    let reason = "se arrepintió".to_owned();
    business
        .act(business.manager, id, RemittanceCommand::Cancel { reason })
        .unwrap();
    let event = attempt(&business, business.courier, id, at_once).then_event();
    assert!(matches!(event, RemittanceEvent::DeliveryDisputed(_)), "{event:?}");
}

#[test]
fn a_manager_cannot_book_a_held_delivery_as_an_offline_one() {
    let (mut business, id) = shipped();
    business.act(Actor::System, id, by_screening(1)).unwrap();
    let offline = CompleteRemittance {
        or_dispute: true,
        ..delivered()
    };
    attempt(&business, business.manager, id, RemittanceCommand::Complete(offline)).then_refused(Conflict, HELD);
}
