//! Pictures of a customer's identity document. Each event has all pictures of the present document, by the hashes of their
//! files; those of earlier events stay in the history.

use super::{Customer, CustomerDetails, CustomerEvent};
use crate::{
    attachment::{self, MAX_DOCUMENT_PICTURES},
    decision::Decision,
    ids::CustomerId,
    limits::IdentityDocument,
    refusal::Refusal,
};
use serde::{Deserialize, Serialize};

/// These pictures show the customer's present document, and no others do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct DocumentPicturesRecorded {
    pub id: CustomerId,
    /// Hashes of the files; empty where no picture shows the document.
    pub files: Vec<String>,
}

fn recorded(own: &Customer, files: &[String]) -> CustomerEvent {
    CustomerEvent::DocumentPicturesRecorded(DocumentPicturesRecorded {
        id: own.id,
        files: files.to_vec(),
    })
}

/// Replaces the pictures. The same ones in the same order write nothing.
pub(super) fn decide(own: &Customer, files: &[String]) -> Result<Decision<CustomerEvent>, Refusal> {
    attachment::validate(files, MAX_DOCUMENT_PICTURES)?;
    let unchanged = own.document_pictures == files;
    Ok(Decision::of(recorded(own, files), own.id).unless(unchanged))
}

/// That no picture shows the document any more, where a change is to another number, type or country; `None` where the document
/// stays, and without pictures. A first number is no other document: the pictures were taken of it.
pub(super) fn of_another_document(
    own: &Customer,
    before: Option<&CustomerDetails>,
    after: &CustomerDetails,
) -> Option<CustomerEvent> {
    let unique = |details: &CustomerDetails| IdentityDocument::of(details).map(|document| document.unique());
    let stays = before.is_some_and(|before| unique(before).is_none_or(|known| unique(after) == Some(known)));
    (!own.document_pictures.is_empty() && !stays).then(|| recorded(own, &[]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Command,
        RefusalKind::{Forbidden, Invalid, NotFound},
        customer::{ChangeCustomer, CustomerChanged, CustomerCommand, IdentificationType},
        erasure::Forget,
        personal::Personal,
        testing::{
            Business,
            given::{Caller, Then, Tried},
        },
    };

    fn hash(number: usize) -> String {
        format!("{number:064x}")
    }

    fn act(business: &Business, caller: impl Caller, id: CustomerId, command: CustomerCommand) -> Tried<Customer> {
        business
            .world
            .given::<Customer>(id)
            .when(business.world.by(caller, command))
    }

    fn record(business: &Business, caller: impl Caller, id: CustomerId, files: &[String]) -> Tried<Customer> {
        act(
            business,
            caller,
            id,
            CustomerCommand::RecordDocumentPictures(files.to_vec()),
        )
    }

    fn event(id: CustomerId, files: &[String]) -> CustomerEvent {
        CustomerEvent::DocumentPicturesRecorded(DocumentPicturesRecorded {
            id,
            files: files.to_vec(),
        })
    }

    fn pictured(business: &mut Business, id: CustomerId, files: &[String]) {
        let command = CustomerCommand::RecordDocumentPictures(files.to_vec());
        business
            .world
            .run(business.agency.actor(), Command::Customer(id, command))
            .unwrap();
    }

    fn passport(number: Option<&str>, country: Option<&str>) -> CustomerDetails {
        CustomerDetails {
            name: "Berta".into(),
            personal_identification_type: Some(IdentificationType::Passport),
            personal_identification_number: number.map(str::to_owned),
            personal_identification_country: country.map(str::to_owned),
            ..CustomerDetails::default()
        }
    }

    fn change(known: Option<CustomerDetails>, details: CustomerDetails) -> CustomerCommand {
        CustomerCommand::Change(ChangeCustomer {
            details,
            known: known.map(Box::new),
            is_active: None,
            place: None,
        })
    }

    #[test]
    fn who_changes_a_customer_records_the_pictures_and_the_same_again_write_nothing() {
        let mut business = Business::new();
        let (berta, files) = (business.berta, [hash(1), hash(2)]);
        for caller in [business.agency, business.clerk, business.agent] {
            record(&business, caller, berta, &files).then_expect_events(vec![event(berta, &files)]);
        }
        record(&business, business.manager, berta, &files).then_expect_events(vec![event(berta, &files)]);
        record(&business, business.agency, berta, &[]).then_expect_events(vec![]);
        pictured(&mut business, berta, &files);
        record(&business, business.clerk, berta, &files).then_expect_events(vec![]);
        let turned = [hash(2), hash(1)];
        record(&business, business.clerk, berta, &turned).then_expect_events(vec![event(berta, &turned)]);
        record(&business, business.clerk, berta, &[]).then_expect_events(vec![event(berta, &[])]);
    }

    #[test]
    fn too_many_pictures_the_same_twice_and_what_is_no_hash_are_refused() {
        let business = Business::new();
        let (agency, ana) = (business.agency, business.ana);
        let most: Vec<String> = (0..MAX_DOCUMENT_PICTURES).map(hash).collect();
        record(&business, agency, ana, &most).then_event();
        let more: Vec<String> = (0..=MAX_DOCUMENT_PICTURES).map(hash).collect();
        record(&business, agency, ana, &more).then_refused(Invalid, "invalid files:too_many");
        record(&business, agency, ana, &[hash(1), hash(1)]).then_refused(Invalid, "invalid files:duplicate");
        record(&business, agency, ana, &["pasaporte.jpg".into()]).then_refused(Invalid, "invalid files:file_not_found");
    }

    #[test]
    fn a_customer_of_others_is_not_found_and_the_field_records_no_pictures() {
        let mut business = Business::new();
        let (ana, manager) = (business.ana, business.manager);
        for caller in [business.other_agency, business.free_agent] {
            record(&business, caller, ana, &[hash(1)]).then_refused(NotFound, "customer_not_found");
        }
        for caller in [business.dealer, business.courier] {
            record(&business, caller, ana, &[hash(1)]).then_refused(Forbidden, "role_not_allowed");
        }
        let delete = Command::Customer(ana, CustomerCommand::Delete);
        business.world.run(manager, delete).unwrap();
        record(&business, manager, ana, &[hash(1)]).then_refused(NotFound, "customer_not_found");
    }

    #[test]
    fn another_number_type_or_country_has_no_picture_and_other_changes_keep_them() {
        let mut business = Business::new();
        let (agency, berta) = (business.agency, business.berta);
        let known = || passport(Some("K123456"), Some("ES"));
        let changed = |details: CustomerDetails| {
            CustomerEvent::CustomerChanged(CustomerChanged {
                id: berta,
                is_active: true,
                place: business.playa,
                personal: Personal::clear(berta, details),
            })
        };
        let license = CustomerDetails {
            personal_identification_type: Some(IdentificationType::DriverLicense),
            ..known()
        };
        let others = [
            passport(Some("K123457"), Some("ES")),
            passport(None, Some("ES")),
            passport(Some("K123456"), Some("IT")),
            license,
        ];
        let expected: Vec<_> = others.iter().map(|details| changed(details.clone())).collect();
        let renamed = CustomerDetails {
            name: "Bertha".into(),
            personal_identification_expiration_date: Some("2031-05-01".into()),
            ..known()
        };
        let kept = changed(renamed.clone());
        // Without pictures a change is one event.
        act(&business, agency, berta, change(Some(known()), others[0].clone()))
            .then_expect_events(vec![expected[0].clone()]);
        pictured(&mut business, berta, &[hash(1)]);
        for (details, expected) in others.into_iter().zip(expected) {
            act(&business, agency, berta, change(Some(known()), details))
                .then_expect_events(vec![expected, event(berta, &[])]);
        }
        act(&business, agency, berta, change(Some(known()), renamed)).then_expect_events(vec![kept]);
        act(&business, agency, berta, change(Some(known()), known())).then_expect_events(vec![]);
    }

    #[test]
    fn a_first_number_keeps_the_pictures_and_a_change_without_the_known_document_does_not() {
        let mut business = Business::new();
        let (agency, berta) = (business.agency, business.berta);
        pictured(&mut business, berta, &[hash(1)]);
        let first = change(Some(passport(None, None)), passport(Some("K123456"), None));
        let events = act(&business, agency, berta, first);
        assert_eq!(events.inspect_result().unwrap().len(), 1);
        let unknown = change(None, passport(Some("K123456"), None));
        let events = act(&business, agency, berta, unknown);
        assert_eq!(events.inspect_result().unwrap().last(), Some(&event(berta, &[])));
    }

    #[test]
    fn an_erased_customer_has_no_pictures() {
        let mut business = Business::new();
        let (manager, berta) = (business.manager, business.berta);
        pictured(&mut business, berta, &[hash(1)]);
        let erase = CustomerCommand::Forget(Forget {
            retention_days: 0,
            last_business: None,
        });
        let command = Command::Customer(berta, erase);
        let stream = command.stream();
        business.world.run(manager, command).unwrap();
        let crate::StreamState::Customer(customer) = business.world.state(stream) else {
            panic!("a customer's stream")
        };
        assert!(customer.0.unwrap().document_pictures.is_empty());
    }
}
