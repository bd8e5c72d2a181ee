//! Export of a customer's dossier for an authority. The event is the record of who exported it and when; the document is
//! made of the log as of this event.

use super::{Customer, CustomerEvent};
use crate::{
    decision::{Context, Decision},
    ids::CustomerId,
    refusal::{Refusal, require},
};

/// Other customers with one document: each is a customer of another agency or agent, or a recipient of another sender. The
/// dossier reads all of their remittances.
pub const MAX_SAME_PERSON: usize = 1_000;
/// Content of dossiers that are exported now. A dossier has the parts of its export's content for ever, so that a later reading
/// has the same bytes and the same signature. 2 added approvals, edits, holds with their causes, and proposals.
pub const DOSSIER_CONTENT: u16 = 2;

/// Records the export. A deleted customer has a dossier, an erased one has none: nothing of the person is left.
pub(super) fn decide(
    own: Option<&Customer>,
    others: &[CustomerId],
    ctx: &Context<'_>,
) -> Result<Decision<CustomerEvent>, Refusal> {
    ctx.require_manager()?;
    let own = own.ok_or_else(|| Refusal::not_found("customer_not_found"))?;
    require(!own.forgotten, || Refusal::not_found("customer_not_found"))?;
    require(others.len() <= MAX_SAME_PERSON, || {
        Refusal::conflict("too_many_of_one_document").with("max", MAX_SAME_PERSON)
    })?;
    let event = CustomerEvent::DossierExported {
        id: own.id,
        same_person: Some(others.to_vec()),
        content: Some(DOSSIER_CONTENT),
    };
    Ok(Decision::of(event, own.id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Command,
        RefusalKind::{Conflict, Forbidden, NotFound},
        customer::CustomerCommand::{self, Delete, ExportDossier},
        erasure::Forget,
        testing::{
            Business,
            given::{Caller, Then, Tried},
        },
    };

    fn export(business: &Business, caller: impl Caller, id: CustomerId) -> Tried<Customer> {
        business
            .world
            .given::<Customer>(id)
            .when(business.world.by(caller, ExportDossier(vec![])))
    }

    #[test]
    fn every_export_by_a_manager_is_recorded_and_other_roles_are_refused() {
        let mut business = Business::new();
        let (manager, ana, others) = (business.manager, business.ana, vec![business.carla]);
        let exported = || {
            vec![CustomerEvent::DossierExported {
                id: ana,
                same_person: Some(vec![]),
                content: Some(DOSSIER_CONTENT),
            }]
        };
        for _ in 0..2 {
            export(&business, manager, ana).then_expect_events(exported());
            business
                .world
                .run(manager, Command::Customer(ana, ExportDossier(vec![])))
                .unwrap();
        }
        let act = business.world.by(manager, ExportDossier(others.clone()));
        business
            .world
            .given::<Customer>(ana)
            .when(act)
            .then_expect_events(vec![CustomerEvent::DossierExported {
                id: ana,
                same_person: Some(others),
                content: Some(DOSSIER_CONTENT),
            }]);
        let many = (0..=MAX_SAME_PERSON).map(|_| CustomerId::generate()).collect();
        let act = business.world.by(manager, ExportDossier(many));
        business
            .world
            .given::<Customer>(ana)
            .when(act)
            .then_refused(Conflict, "too_many_of_one_document");
        for other in [business.agency, business.agent] {
            export(&business, other, ana).then_refused(Forbidden, "role_not_allowed");
        }
        export(&business, manager, CustomerId::generate()).then_refused(NotFound, "customer_not_found");
    }

    #[test]
    fn a_deleted_customer_has_a_dossier_and_an_erased_one_has_none() {
        let mut business = Business::new();
        let (manager, berta) = (business.manager, business.berta);
        business.world.run(manager, Command::Customer(berta, Delete)).unwrap();
        export(&business, manager, berta).then_event();
        let order = Forget {
            retention_days: 0,
            last_business: None,
        };
        let erase = Command::Customer(berta, CustomerCommand::Forget(order));
        business.world.run(manager, erase).unwrap();
        export(&business, manager, berta).then_refused(NotFound, "customer_not_found");
    }
}
