//! Registration of an issuer or a recipient.

use super::{
    Customer, CustomerDetails, CustomerEvent, CustomerKind, CustomerRegistered, Place,
    permission::{Action, permitted},
};
use crate::{
    decision::{Context, Decision},
    ids::{CustomerId, PartyId},
    limits,
    party::Role,
    personal::Personal,
    refusal::{Refusal, RefusalKind, require},
};

#[derive(Clone, Debug, PartialEq)]
pub struct RegisterCustomer {
    pub id: CustomerId,
    pub kind: CustomerKind,
    pub details: CustomerDetails,
    /// Whether new remittances may name the customer.
    pub is_active: bool,
    /// Owner of a new issuer: an agency, or an agent without agency. Required from a manager; other callers own what
    /// they register.
    pub owner: Option<PartyId>,
    /// Issuer of a recipient.
    pub sender: Option<CustomerId>,
    /// Residence of a recipient.
    pub place: Place,
}

pub(super) fn decide(command: &RegisterCustomer, ctx: &Context<'_>) -> Result<Decision<CustomerEvent>, Refusal> {
    let caller = ctx.caller()?;
    require(caller.role == Role::Manager || caller.role.sells(), || {
        Refusal::forbidden("role_not_allowed")
    })?;
    let mut details = command.details.clone();
    let (owner, sender) = match command.kind {
        CustomerKind::Issuer => {
            details.alias = Some(details.name.clone());
            details.alternative_name = Some(details.name.clone());
            (issuers_owner(command, ctx)?, None)
        }
        CustomerKind::Recipient => {
            let id = command.sender.ok_or_else(|| Refusal::invalid("senderId", "required"))?;
            let sender = permitted(ctx, ctx.customer(id), Action::AddRecipient);
            let sender = sender.map_err(|refusal| match refusal.kind {
                RefusalKind::NotFound => Refusal::invalid("senderId", "sender_unknown"),
                RefusalKind::Conflict => Refusal::invalid("senderId", refusal.code),
                _ => refusal,
            })?;
            (sender.owner, Some(id))
        }
    };
    details.validate(None)?;
    details.check_numbers(command.kind, None, ctx.now.date_naive())?;
    command.place.validate()?;
    let customer = Customer {
        id: command.id,
        kind: command.kind,
        owner,
        sender,
        is_active: command.is_active,
        deleted: false,
        forgotten: false,
        in_review: false,
        document_pictures: Vec::new(),
        place: command.place,
        cards: Default::default(),
    };
    let identified = limits::identified(command.id, &details, ctx);
    let personal = Personal::clear(command.id, details);
    let registered = CustomerEvent::CustomerRegistered(CustomerRegistered { customer, personal });
    let mut decision = Decision::of(registered, command.id);
    decision.events.extend(identified);
    Ok(decision)
}

fn issuers_owner(command: &RegisterCustomer, ctx: &Context<'_>) -> Result<PartyId, Refusal> {
    let caller = ctx.caller()?;
    if caller.role != Role::Manager {
        let own = caller.customer_owner();
        require(
            command.owner.is_none_or(|named| named == own || named == caller.id),
            || Refusal::invalid("agencyId", "agency_unknown"),
        )?;
        return Ok(own);
    }
    let named = command.owner.ok_or_else(|| Refusal::invalid("agencyId", "required"))?;
    let owner = ctx
        .state
        .party(named)
        .filter(|party| party.is_active && party.role.holds_terms());
    owner
        .map(crate::party::Party::customer_owner)
        .ok_or_else(|| Refusal::invalid("agencyId", "agency_unknown"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Command,
        RefusalKind::{Conflict, Forbidden, Invalid},
        customer::{ChangeCustomer, CustomerCommand, IdentificationType},
        testing::{
            Business,
            given::{Caller, Then, Tried},
        },
    };

    fn issuer(owner: Option<PartyId>) -> RegisterCustomer {
        let details = CustomerDetails {
            name: "Gema".into(),
            alias: Some("G".into()),
            ..CustomerDetails::default()
        };
        RegisterCustomer {
            id: CustomerId::generate(),
            kind: CustomerKind::Issuer,
            details,
            is_active: true,
            owner,
            sender: None,
            place: Place::default(),
        }
    }

    fn recipient(sender: Option<CustomerId>) -> RegisterCustomer {
        RegisterCustomer {
            kind: CustomerKind::Recipient,
            sender,
            ..issuer(None)
        }
    }

    fn register(business: &Business, caller: impl Caller, command: RegisterCustomer) -> Tried<Customer> {
        let act = business.world.by(caller, CustomerCommand::Register(command.clone()));
        business.world.given::<Customer>(command.id).when(act)
    }

    fn registered(tried: Tried<Customer>) -> CustomerRegistered {
        let event = tried.then_event();
        let CustomerEvent::CustomerRegistered(registered) = event else {
            panic!("{event:?}")
        };
        registered
    }

    #[test]
    fn an_issuer_belongs_to_the_agency_of_the_registering_party() {
        let business = Business::new();
        for caller in [business.agency, business.clerk, business.agent] {
            let made = registered(register(&business, caller, issuer(None)));
            assert_eq!(made.customer.owner, business.agency);
        }
        let made = registered(register(&business, business.free_agent, issuer(None)));
        assert_eq!(
            made.customer.owner, business.free_agent,
            "an agent with no agency owns issuers itself"
        );
    }

    #[test]
    fn the_manager_names_an_issuers_agency() {
        let business = Business::new();
        let manager = business.manager;
        register(&business, manager, issuer(None)).then_refused(Invalid, "invalid agencyId:required");
        for stranger in [business.dealer, business.clerk, PartyId::generate()] {
            register(&business, manager, issuer(Some(stranger)))
                .then_refused(Invalid, "invalid agencyId:agency_unknown");
        }
        let made = registered(register(&business, manager, issuer(Some(business.agent))));
        assert_eq!(made.customer.owner, business.agency);
        register(&business, business.agency, issuer(Some(business.other_agency)))
            .then_refused(Invalid, "invalid agencyId:agency_unknown");
    }

    #[test]
    fn an_agency_out_of_use_gets_no_issuers() {
        let mut business = Business::new();
        let (manager, agency) = (business.manager, business.agency);
        let deactivate = Command::Party(agency, crate::party::PartyCommand::Deactivate);
        business.world.run(manager, deactivate).unwrap();
        register(&business, manager, issuer(Some(agency))).then_refused(Invalid, "invalid agencyId:agency_unknown");
    }

    #[test]
    fn alias_and_alternative_name_of_an_issuer_are_set_from_the_name() {
        let business = Business::new();
        let made = registered(register(&business, business.agency, issuer(None)));
        let details = made.personal.get().unwrap();
        assert_eq!(
            (details.alias.as_deref(), details.alternative_name.as_deref()),
            (Some("Gema"), Some("Gema"))
        );
        let made = registered(register(&business, business.agency, recipient(Some(business.ana))));
        let details = made.personal.get().unwrap();
        assert_eq!(
            (details.alias.as_deref(), details.alternative_name.as_deref()),
            (Some("G"), None)
        );
    }

    #[test]
    fn a_recipient_belongs_to_an_issuer_in_the_callers_scope() {
        let mut business = Business::new();
        let (manager, agency, ana) = (business.manager, business.agency, business.ana);
        register(&business, agency, recipient(None)).then_refused(Invalid, "invalid senderId:required");
        for stranger in [business.delia, business.flora, business.berta, CustomerId::generate()] {
            register(&business, agency, recipient(Some(stranger)))
                .then_refused(Invalid, "invalid senderId:sender_unknown");
        }
        let made = registered(register(&business, business.agent, recipient(Some(ana))));
        assert_eq!((made.customer.owner, made.customer.sender), (agency, Some(ana)));
        business
            .world
            .run(manager, Command::Customer(ana, CustomerCommand::Delete))
            .unwrap();
        register(&business, agency, recipient(Some(ana))).then_refused(Invalid, "invalid senderId:sender_unknown");
    }

    #[test]
    fn an_issuer_out_of_use_gets_no_recipients() {
        let mut business = Business::new();
        let off = ChangeCustomer {
            details: issuer(None).details,
            is_active: Some(false),
            place: None,
            known: None,
        };
        let command = Command::Customer(business.ana, CustomerCommand::Change(off));
        business.world.run(business.manager, command).unwrap();
        register(&business, business.agency, recipient(Some(business.ana)))
            .then_refused(Invalid, "invalid senderId:sender_inactive");
    }

    #[test]
    fn dealers_and_delivery_men_register_no_customers() {
        let business = Business::new();
        for caller in [business.dealer, business.courier] {
            register(&business, caller, issuer(None)).then_refused(Forbidden, "role_not_allowed");
        }
    }

    #[test]
    fn details_are_validated_and_places_are_from_the_catalogue() {
        let business = Business::new();
        let with = |details| RegisterCustomer {
            details,
            ..issuer(None)
        };
        let named = || issuer(None).details;
        let long = || Some("x".repeat(301));
        for (details, refused) in [
            (CustomerDetails::default(), "name:required"),
            (
                CustomerDetails {
                    name: "x".repeat(81),
                    ..named()
                },
                "name:text_too_long",
            ),
            (
                CustomerDetails {
                    address_line: long(),
                    ..named()
                },
                "addressLine:text_too_long",
            ),
            (
                CustomerDetails {
                    phone_number: Some("\u{0}".into()),
                    ..named()
                },
                "phoneNumber:text_has_control_characters",
            ),
            (
                CustomerDetails {
                    email: Some("nada".into()),
                    ..named()
                },
                "email:email_invalid",
            ),
            (
                CustomerDetails {
                    personal_identification_country: Some("ESP".into()),
                    ..named()
                },
                "personalIdentificationCountry:country_unknown",
            ),
            (
                CustomerDetails {
                    personal_identification_type: Some(IdentificationType::Ci),
                    personal_identification_country: Some("ES".into()),
                    ..named()
                },
                "personalIdentificationCountry:document_of_another_country",
            ),
            (
                CustomerDetails {
                    personal_identification_issue_date: Some("2026-02-30".into()),
                    ..named()
                },
                "personalIdentificationIssueDate:date_invalid",
            ),
        ] {
            register(&business, business.agency, with(details)).then_refused(Invalid, &format!("invalid {refused}"));
        }
        let place = Place {
            province: business.playa.province,
            municipality: business.cardenas.municipality,
        };
        let misplaced = RegisterCustomer {
            place,
            ..recipient(Some(business.ana))
        };
        register(&business, business.agency, misplaced)
            .then_refused(Invalid, "invalid municipalityId:municipality_of_another_province");
    }

    #[test]
    fn an_id_is_registered_once() {
        let business = Business::new();
        let again = RegisterCustomer {
            id: business.ana,
            ..issuer(None)
        };
        register(&business, business.agency, again.clone()).then_refused(Conflict, "already_exists");
        register(&business, business.dealer, again).then_refused(Forbidden, "role_not_allowed");
    }
}
