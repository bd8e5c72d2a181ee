//! Changing and deleting customers.

use super::{
    ChangeCustomer, Customer, CustomerChanged, CustomerEvent, CustomerKind,
    permission::{self, Action},
    pictures,
};
use crate::{
    decision::{Context, Decision},
    limits,
    personal::Personal,
    refusal::Refusal,
};

pub(super) fn decide(
    own: &Customer,
    change: &ChangeCustomer,
    ctx: &Context<'_>,
) -> Result<Decision<CustomerEvent>, Refusal> {
    let mut details = change.details.clone();
    if own.kind == CustomerKind::Issuer {
        details.alias = Some(details.name.clone());
        details.alternative_name = Some(details.name.clone());
    }
    details.validate(change.known.as_deref())?;
    details.check_numbers(own.kind, change.known.as_deref(), ctx.now.date_naive())?;
    let place = change.place.unwrap_or(own.place);
    place.validate()?;
    let is_active = change.is_active.unwrap_or(own.is_active);
    if own.is_active && !is_active {
        permission::permitted(ctx, Some(own), Action::Delete)?;
    }
    let unchanged = change.known.as_deref() == Some(&details) && is_active == own.is_active && place == own.place;
    let identified = limits::identified(own.id, &details, ctx);
    let without_pictures = pictures::of_another_document(own, change.known.as_deref(), &details);
    let changed = CustomerChanged {
        id: own.id,
        is_active,
        place,
        personal: Personal::clear(own.id, details),
    };
    let mut decision = Decision::of(CustomerEvent::CustomerChanged(changed), own.id).unless(unchanged);
    // Also where the details stay: a customer may not be identified yet.
    decision.events.extend(identified);
    decision.events.extend(without_pictures);
    Ok(decision)
}

pub(super) fn delete(own: &Customer) -> Decision<CustomerEvent> {
    Decision::of(CustomerEvent::CustomerDeleted { id: own.id }, own.id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Command,
        RefusalKind::{Forbidden, Invalid, NotFound},
        customer::{CustomerCommand, CustomerDetails, IdentificationType},
        ids::CustomerId,
        remittance::RemittanceCommand,
        testing::{
            Business,
            given::{Caller, Then, Tried},
        },
    };

    fn renamed() -> ChangeCustomer {
        let details = CustomerDetails {
            name: "Anabel".into(),
            ..CustomerDetails::default()
        };
        ChangeCustomer {
            details,
            is_active: None,
            place: None,
            known: None,
        }
    }

    fn off() -> ChangeCustomer {
        ChangeCustomer {
            is_active: Some(false),
            ..renamed()
        }
    }

    fn act(business: &Business, caller: impl Caller, id: CustomerId, command: CustomerCommand) -> Tried<Customer> {
        business
            .world
            .given::<Customer>(id)
            .when(business.world.by(caller, command))
    }

    #[test]
    fn a_change_renames_an_issuer_throughout_and_keeps_what_it_does_not_name() {
        let business = Business::new();
        let mut details = renamed().details;
        details.alias = Some("Anabel".into());
        details.alternative_name = Some("Anabel".into());
        act(
            &business,
            business.clerk,
            business.ana,
            CustomerCommand::Change(renamed()),
        )
        .then_expect_events(vec![CustomerEvent::CustomerChanged(CustomerChanged {
            id: business.ana,
            is_active: true,
            place: Default::default(),
            personal: Personal::clear(business.ana, details),
        })]);
        let event = act(
            &business,
            business.agent,
            business.berta,
            CustomerCommand::Change(renamed()),
        )
        .then_event();
        let CustomerEvent::CustomerChanged(changed) = event else {
            panic!("{event:?}")
        };
        assert_eq!(changed.place, business.playa);
    }

    #[test]
    fn delivery_goes_to_the_recipients_current_residence() {
        let mut business = Business::funded();
        let moved = ChangeCustomer {
            place: Some(business.cardenas),
            ..renamed()
        };
        let change = Command::Customer(business.berta, CustomerCommand::Change(moved));
        business.world.run(business.manager, change).unwrap();
        let sale = business.sale(business.cup, 10_00);
        let id = business.sell(business.agency, sale);
        let (province, municipality) = (
            business.cardenas.province.unwrap(),
            business.cardenas.municipality.unwrap(),
        );
        let delivery = crate::remittance::Delivery::Home { province, municipality };
        assert_eq!(business.world.remittance(id).delivery, delivery);
    }

    #[test]
    fn an_issuer_with_open_remittances_is_neither_deactivated_nor_deleted() {
        let mut business = Business::funded();
        let (agency, ana, berta) = (business.agency, business.ana, business.berta);
        let sale = business.sale(business.cup, 10_00);
        let id = business.sell(agency, sale);
        for command in [CustomerCommand::Change(off()), CustomerCommand::Delete] {
            act(&business, agency, ana, command.clone())
                .then_expect_error(Refusal::conflict("issuer_has_open_remittances"));
            act(&business, agency, berta, command).then_event();
        }
        act(&business, agency, ana, CustomerCommand::Change(renamed())).then_event();
        let reason = "se arrepintió".to_owned();
        business
            .act(business.manager, id, RemittanceCommand::Cancel { reason })
            .unwrap();
        act(&business, agency, ana, CustomerCommand::Change(off())).then_event();
        act(&business, agency, ana, CustomerCommand::Delete).then_event();
    }

    #[test]
    fn deletion_hides_a_customer_and_keeps_its_activity() {
        let mut business = Business::new();
        let (manager, ana) = (business.manager, business.ana);
        business
            .world
            .run(manager, Command::Customer(ana, CustomerCommand::Delete))
            .unwrap();
        let crate::StreamState::Customer(stream) = business
            .world
            .state(Command::Customer(ana, CustomerCommand::Delete).stream())
        else {
            panic!("a customer's stream")
        };
        let customer = stream.0.unwrap();
        assert!(customer.is_active && customer.deleted);
        for command in [CustomerCommand::Change(renamed()), CustomerCommand::Delete] {
            act(&business, manager, ana, command).then_refused(NotFound, "customer_not_found");
        }
    }

    #[test]
    fn customers_of_others_are_not_found_and_the_field_touches_none() {
        let business = Business::new();
        for command in [CustomerCommand::Change(renamed()), CustomerCommand::Delete] {
            for caller in [business.other_agency, business.free_agent] {
                act(&business, caller, business.ana, command.clone()).then_refused(NotFound, "customer_not_found");
            }
            for caller in [business.dealer, business.courier] {
                act(&business, caller, business.ana, command.clone()).then_refused(Forbidden, "role_not_allowed");
            }
        }
        let nobody = CustomerId::generate();
        act(&business, business.manager, nobody, CustomerCommand::Delete).then_refused(NotFound, "customer_not_found");
        act(&business, business.agency, business.ana, CustomerCommand::Delete).then_event();
    }

    #[test]
    fn an_unchanged_customer_writes_no_event() {
        let business = Business::new();
        let known = CustomerDetails {
            alias: Some("Anabel".into()),
            alternative_name: Some("Anabel".into()),
            ..renamed().details
        };
        let same = ChangeCustomer {
            known: Some(Box::new(known)),
            ..renamed()
        };
        let change = |change| act(&business, business.clerk, business.ana, CustomerCommand::Change(change));
        change(same.clone()).then_expect_events(vec![]);
        let moved = ChangeCustomer {
            place: Some(business.cardenas),
            ..same.clone()
        };
        change(moved).then_event();
        change(ChangeCustomer { known: None, ..same }).then_event();
    }

    #[test]
    fn an_address_of_before_its_rules_stays_until_it_is_changed() {
        let business = Business::new();
        let with = |email: &str| CustomerDetails {
            email: Some(email.into()),
            ..renamed().details
        };
        let edit = |to: CustomerDetails| {
            let change = ChangeCustomer {
                details: to,
                known: Some(Box::new(with("a,b@c.d"))),
                ..renamed()
            };
            act(&business, business.clerk, business.ana, CustomerCommand::Change(change))
        };
        edit(CustomerDetails {
            last_name: Some("Ruiz".into()),
            ..with("a,b@c.d")
        })
        .then_event();
        edit(with("<a@b.c>")).then_refused(Invalid, "invalid email:email_invalid");
    }

    #[test]
    fn numbers_of_before_their_rules_stay_until_they_are_touched() {
        let business = Business::new();
        let with = |phone: &str, card: &str| CustomerDetails {
            phone_number: Some(phone.into()),
            personal_identification_type: Some(IdentificationType::Ci),
            personal_identification_number: Some(card.into()),
            ..renamed().details
        };
        let edit = |to: CustomerDetails, known: Option<CustomerDetails>| {
            let change = ChangeCustomer {
                details: to,
                known: known.map(Box::new),
                ..renamed()
            };
            act(
                &business,
                business.agency,
                business.berta,
                CustomerCommand::Change(change),
            )
        };
        let told = |tried: Tried<Customer>| match tried.then_event() {
            CustomerEvent::CustomerChanged(changed) => changed.personal.get().unwrap().clone(),
            event => panic!("{event:?}"),
        };
        let kept = CustomerDetails {
            repart: Some("Vedado".into()),
            ..with("abc", "123")
        };
        assert_eq!(told(edit(kept.clone(), Some(with("abc", "123")))), kept);
        edit(with("abc", "124"), Some(with("abc", "123")))
            .then_refused(Invalid, "invalid personalIdentificationNumber:ci_not_11_digits");
        edit(with("abc", "123"), None).then_refused(
            Invalid,
            "invalid personalIdentificationNumber:ci_not_11_digits phoneNumber:phone_not_a_number",
        );
        // A recipient's telephone without a country code is Cuban.
        let read = told(edit(with("5234 5678", "75010112345"), Some(with("abc", "123"))));
        assert_eq!(read, with("+5352345678", "75010112345"));
    }
}
