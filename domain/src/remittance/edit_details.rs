//! Edit of recipient, place, delivery method and notes. A remittance in error returns to pending.

use super::{
    Delivery, DeliveryChoice, MAX_NOTE_LENGTH, Remittance, RemittanceDetails, RemittanceDetailsEdited, RemittanceEvent,
    SellerReference, Status, create, posting,
};
use crate::{
    customer::{MAX_ADDRESS_LENGTH, Place},
    decision::{Context, Decision},
    ids::CustomerId,
    limits::SaleChecks,
    personal::Personal,
    refusal::{Refusal, require},
    tenant_state::{
        account::{Account, AccountKind},
        entry::{Entry, TransferCode},
    },
    text,
};

/// Changes the details of a remittance. `None` keeps a part.
#[derive(Clone, PartialEq)]
pub struct EditDetails {
    /// New recipient; the current one to keep it.
    pub recipient: CustomerId,
    /// Another place for a home delivery.
    pub place: Option<Place>,
    /// Another delivery method or card.
    pub delivery: Option<DeliveryChoice>,
    /// New delivery address; `None` for the recipient's own.
    pub address: Option<String>,
    /// The seller's notes after the edit.
    pub notes: Option<String>,
    /// The seller's own reference, as it is to stand from now on: nothing inside takes it away. Stays where `None`.
    pub reference: Option<Option<String>>,
    /// Address and notes as they stand, where the caller has read them and the command holds only while the remittance
    /// is unchanged since (`as_of`): an edit that leaves everything as it stands then writes no event.
    pub known: Option<RemittanceDetails>,
    /// What was read of another recipient, in tenants with limits.
    pub checks: SaleChecks,
}

crate::personal::untold!(EditDetails);

impl EditDetails {
    /// An edit that names the recipient and sets no optional field: place, delivery method and reference stay.
    #[must_use]
    pub fn new(recipient: CustomerId) -> Self {
        Self {
            recipient,
            place: None,
            delivery: None,
            address: None,
            notes: None,
            reference: None,
            known: None,
            checks: SaleChecks::default(),
        }
    }
}

pub(super) fn decide(
    own: &Remittance,
    edit: &EditDetails,
    ctx: &Context<'_>,
) -> Result<Decision<RemittanceEvent>, Refusal> {
    text::optional_note("notes", edit.notes.as_deref().unwrap_or_default(), MAX_NOTE_LENGTH)?;
    text::optional(
        "address",
        edit.address.as_deref().unwrap_or_default(),
        MAX_ADDRESS_LENGTH,
    )?;
    let reference = match &edit.reference {
        Some(given) => create::reference(given.as_deref())?,
        None => own.sale.reference.clone(),
    };
    let reference = (reference != own.sale.reference).then_some(SellerReference {
        seller: own.sale.seller,
        reference,
    });
    let delivery = delivery(own, edit, ctx)?;
    require_dealer_handles(own, delivery, ctx)?;
    let reopened = own.status == Status::Error;
    let entry = if reopened {
        let pending = Account::of_tenant(AccountKind::RemittancesPending, own.sale.quote.currency_to);
        posting::moved(own, pending, TransferCode::Reopen)
    } else {
        Entry::default()
    };
    ctx.state.check(&entry)?;
    let details = RemittanceDetails {
        address: edit.address.clone(),
        notes: edit.notes.clone(),
    };
    let unchanged = !reopened
        && edit.recipient == own.sale.recipient
        && delivery == own.delivery
        && reference.is_none()
        && edit.known.as_ref() == Some(&details);
    let edited = RemittanceDetailsEdited {
        id: own.id,
        recipient: edit.recipient,
        delivery,
        reopened,
        entry,
        reference,
        personal: Personal::clear(edit.recipient, details),
    };
    let status = if reopened { Status::Pending } else { own.status };
    let mut decision = Decision::of(RemittanceEvent::RemittanceDetailsEdited(edited), own.id)
        .unless(unchanged)
        .answering(|answer| {
            answer.number = Some(own.sale.code.clone());
            answer.status = Some(status.number());
        });
    if edit.recipient != own.sale.recipient {
        super::hold::by_screening(Some(own), &mut decision, ctx.customer(edit.recipient))?;
    }
    Ok(decision)
}

/// Delivery after the edit: another recipient, method or place is resolved again; otherwise it stays.
fn delivery(own: &Remittance, edit: &EditDetails, ctx: &Context<'_>) -> Result<Delivery, Refusal> {
    let same_recipient = edit.recipient == own.sale.recipient;
    let recipient = if same_recipient {
        ctx.customer(edit.recipient)
            .ok_or_else(|| Refusal::invalid("recipientId", "recipient_unknown"))?
    } else {
        create::usable_recipient(edit.recipient, own.sale.sender, ctx)?
    };
    if let Some(place) = &edit.place {
        place.validate()?;
    }
    let choice = match (edit.delivery, own.delivery) {
        (Some(choice), _) => choice,
        (None, Delivery::Home { .. }) => DeliveryChoice::Home,
        (None, Delivery::Card { .. }) if same_recipient => return Ok(own.delivery),
        (None, Delivery::Card { .. }) => return Err(Refusal::invalid("cardId", "required")),
    };
    match (choice, edit.place, own.delivery) {
        (DeliveryChoice::Home, Some(place), _) => create::home(place, ctx),
        (DeliveryChoice::Home, None, Delivery::Home { .. }) if same_recipient => Ok(own.delivery),
        _ => create::resolve_delivery(choice, recipient, own.sale.quote.currency_to, ctx),
    }
}

/// Refuses a card transfer while the remittance is with a dealer who does not pay to MLC cards.
fn require_dealer_handles(own: &Remittance, delivery: Delivery, ctx: &Context<'_>) -> Result<(), Refusal> {
    let (Status::Shipping, Delivery::Card { .. }, Some(dealer)) = (own.status, delivery, own.dealer) else {
        return Ok(());
    };
    let handles = ctx
        .state
        .party(dealer)
        .is_some_and(|dealer| dealer.territory.handle_mlc);
    require(handles, || Refusal::conflict("dealer_does_not_handle_transfers"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        RefusalKind::{Conflict, Forbidden, Invalid, NotFound},
        ids::{PartyId, RemittanceId},
        remittance::{AssignDealer, RemittanceCommand},
        testing::{
            Business,
            given::{Caller, Then, Tried},
        },
    };

    /// An edit that names the current recipient and changes nothing.
    fn same(business: &Business) -> EditDetails {
        EditDetails::new(business.berta)
    }

    fn edit(business: &Business, caller: impl Caller, id: RemittanceId, edit: EditDetails) -> Tried<Remittance> {
        let act = business.world.by(caller, RemittanceCommand::EditDetails(edit));
        business.world.given::<Remittance>(id).when(act)
    }

    fn sold() -> (Business, RemittanceId) {
        let mut business = Business::funded();
        let sale = business.sale(business.mlc, 100_00);
        let id = business.sell(business.agency, sale);
        (business, id)
    }

    #[test]
    fn an_edit_of_a_pending_one_posts_nothing() {
        let (business, id) = sold();
        let address = Some("Calle 2 #10".to_owned());
        let changed = EditDetails {
            address: address.clone(),
            ..same(&business)
        };
        edit(&business, business.agency, id, changed).then_expect_events(vec![
            RemittanceEvent::RemittanceDetailsEdited(RemittanceDetailsEdited {
                id,
                recipient: business.berta,
                delivery: Delivery::Home {
                    province: business.playa.province.unwrap(),
                    municipality: business.playa.municipality.unwrap(),
                },
                reopened: false,
                entry: Entry::default(),
                reference: None,
                personal: Personal::clear(business.berta, RemittanceDetails { address, notes: None }),
            }),
        ]);
    }

    #[test]
    fn an_edit_of_one_in_error_brings_it_back_among_the_pending() {
        let (mut business, id) = sold();
        let reason = "dirección incorrecta".to_owned();
        business
            .act(business.manager, id, RemittanceCommand::MarkError { reason })
            .unwrap();
        edit(&business, business.agency, id, same(&business))
            .then_posts(&business, &["Dr remittances_error / Cr remittances_pending 93.00 MLC"]);
    }

    #[test]
    fn one_back_among_the_pending_is_no_longer_its_last_dealers() {
        let (mut business, id) = sold();
        let (manager, dealer, courier) = (business.manager, business.dealer, business.courier);
        let assign = AssignDealer {
            dealer,
            delivery_man: Some(courier),
        };
        business.act(manager, id, RemittanceCommand::Assign(assign)).unwrap();
        let reason = "dirección incorrecta".to_owned();
        business
            .act(courier.actor(), id, RemittanceCommand::MarkError { reason })
            .unwrap();
        let try_edit = |business: &Business, caller: PartyId| edit(business, caller, id, same(business));
        try_edit(&business, dealer).then_refused(Forbidden, "role_not_allowed");
        let reopen = RemittanceCommand::EditDetails(same(&business));
        business.act(manager, id, reopen).unwrap();
        for caller in [dealer, courier] {
            try_edit(&business, caller).then_refused(NotFound, "remittance_not_found");
        }
    }

    #[test]
    fn an_edit_gives_changes_and_takes_away_the_sellers_reference() {
        let (mut business, id) = sold();
        let seller = business.agency;
        let value = |text: &str| Some(format!("{seller}/{text}"));
        for (given, stands, claimed) in [
            (Some(" F-7 "), Some("F-7"), Some(value("F-7"))),
            (Some("F-7"), Some("F-7"), None),
            (Some("F-8"), Some("F-8"), Some(value("F-8"))),
            (Some(" "), None, Some(None)),
            (None, None, None),
        ] {
            let changed = EditDetails {
                reference: Some(given.map(str::to_owned)),
                known: Some(RemittanceDetails::default()),
                ..same(&business)
            };
            let before = business.world.log.len();
            business
                .act(seller.actor(), id, RemittanceCommand::EditDetails(changed))
                .unwrap();
            let events = business.world.log.iter().skip(before);
            let unique_values: Vec<_> = events.map(|(event, _)| event.unique_value().unwrap().value).collect();
            assert_eq!(unique_values, claimed.into_iter().collect::<Vec<_>>(), "{given:?}");
            assert_eq!(
                business.world.remittance(id).sale.reference.as_deref(),
                stands,
                "{given:?}"
            );
        }
        let long = EditDetails {
            reference: Some(Some("7".repeat(super::super::MAX_REFERENCE_LENGTH + 1))),
            ..same(&business)
        };
        edit(&business, seller, id, long).then_refused(Invalid, "invalid reference:text_too_long");
    }

    #[test]
    fn another_recipient_must_be_the_issuers() {
        let (mut business, id) = sold();
        let to = |recipient| EditDetails {
            recipient,
            ..same(&business)
        };
        edit(&business, business.agency, id, to(business.elisa))
            .then_refused(Invalid, "invalid recipientId:recipient_of_another_issuer");
        let event = edit(&business, business.agency, id, to(business.carla)).then_event();
        let RemittanceEvent::RemittanceDetailsEdited(edited) = event else {
            panic!("{event:?}")
        };
        assert_eq!(
            Some(edited.delivery),
            home(business.cardenas),
            "it goes where she lives"
        );
        business
            .act(business.manager, id, RemittanceCommand::EditDetails(to(business.carla)))
            .unwrap();
        assert_eq!(business.world.remittance(id).sale.recipient, business.carla);
    }

    fn home(place: Place) -> Option<Delivery> {
        let (province, municipality) = (place.province?, place.municipality?);
        Some(Delivery::Home { province, municipality })
    }

    #[test]
    fn another_place_holds_for_this_remittance_only() {
        let (business, id) = sold();
        let moved = EditDetails {
            place: Some(business.cardenas),
            ..same(&business)
        };
        let event = edit(&business, business.agency, id, moved).then_event();
        let RemittanceEvent::RemittanceDetailsEdited(edited) = event else {
            panic!("{event:?}")
        };
        assert_eq!(Some(edited.delivery), home(business.cardenas));
        let mixed = Place {
            province: business.playa.province,
            municipality: business.cardenas.municipality,
        };
        let mixed = EditDetails {
            place: Some(mixed),
            ..same(&business)
        };
        edit(&business, business.agency, id, mixed)
            .then_refused(Invalid, "invalid municipalityId:municipality_of_another_province");
    }

    #[test]
    fn a_transfer_keeps_its_card_only_while_it_keeps_its_recipient() {
        let (mut business, id) = sold();
        let delivery = Some(DeliveryChoice::Card(business.bertas_card));
        let by_card = EditDetails {
            delivery,
            ..same(&business)
        };
        business
            .act(business.manager, id, RemittanceCommand::EditDetails(by_card))
            .unwrap();
        let event = edit(&business, business.agency, id, same(&business)).then_event();
        let RemittanceEvent::RemittanceDetailsEdited(edited) = event else {
            panic!("{event:?}")
        };
        assert!(matches!(edited.delivery, Delivery::Card { card, .. } if card == business.bertas_card));
        let to_carla = EditDetails {
            recipient: business.carla,
            ..same(&business)
        };
        edit(&business, business.agency, id, to_carla).then_refused(Invalid, "invalid cardId:required");
    }

    #[test]
    fn one_with_a_dealer_becomes_a_transfer_only_where_the_dealer_handles_them() {
        let (mut business, id) = sold();
        let (dealer, other_dealer) = (business.dealer, business.other_dealer);
        let delivery = Some(DeliveryChoice::Card(business.bertas_card));
        let by_card = EditDetails {
            delivery,
            ..same(&business)
        };
        let mut with = |dealer| {
            let assign = AssignDealer {
                dealer,
                delivery_man: None,
            };
            business
                .act(business.manager, id, RemittanceCommand::Assign(assign))
                .unwrap();
            edit(&business, business.manager, id, by_card.clone())
        };
        with(other_dealer).then_refused(Conflict, "dealer_does_not_handle_transfers");
        with(dealer).then_event();
    }

    #[test]
    fn an_unchanged_edit_writes_an_event_only_when_it_reopens_a_remittance() {
        let (mut business, id) = sold();
        let unchanged = EditDetails {
            known: Some(RemittanceDetails::default()),
            ..same(&business)
        };
        edit(&business, business.agency, id, unchanged.clone()).then_expect_events(vec![]);
        let moved = EditDetails {
            place: Some(business.cardenas),
            ..unchanged.clone()
        };
        edit(&business, business.agency, id, moved).then_event();
        let noted = EditDetails {
            notes: Some("Second floor".into()),
            ..unchanged.clone()
        };
        edit(&business, business.agency, id, noted).then_event();
        let reason = "dirección incorrecta".to_owned();
        business
            .act(business.manager, id, RemittanceCommand::MarkError { reason })
            .unwrap();
        edit(&business, business.agency, id, unchanged)
            .then_posts(&business, &["Dr remittances_error / Cr remittances_pending 93.00 MLC"]);
    }
}
