//! Telephones and documents: invalid values are refused with their field, valid ones are stored in a normal form, and
//! values stored before the rules stay until they are edited.

use crate::support::{Business, Call, PASSWORD, Server, text};
use caudal_domain::{
    Actor, Command,
    customer::{ChangeCustomer, CustomerCommand, CustomerDetails, IdentificationType},
    ids::{CustomerId, PartyId},
};
use serde_json::{Value, json};
use sqlx::{Connection as _, Executor as _, PgConnection};

fn faults(body: &Value) -> Vec<(String, String)> {
    let errors = body["errors"].as_array().cloned().unwrap_or_default();
    errors
        .iter()
        .map(|error| (text(&error["field"]), text(&error["code"])))
        .collect()
}

fn named(faults: &[(&str, &str)]) -> Vec<(String, String)> {
    faults
        .iter()
        .map(|(field, code)| ((*field).to_owned(), (*code).to_owned()))
        .collect()
}

#[test]
fn invalid_telephones_and_documents_are_refused_with_their_field_in_the_callers_language() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let head = server.head("acme");
    let junk = json!({"name": "Berta", "customerType": 1, "senderId": business.sender, "phoneNumber": "abc",
                      "alternativePhoneNumber": "+53 12", "personalIdentificationType": 0,
                      "personalIdentificationNumber": "123", "alternativePersonalIdentificationNumber": "80130112345"});
    let refused = business.as_agency(422, "POST", "/customer", junk.clone());
    assert_eq!(
        faults(&refused),
        named(&[
            ("personalIdentificationNumber", "ci_not_11_digits"),
            ("alternativePersonalIdentificationNumber", "ci_birth_date_invalid"),
            ("phoneNumber", "phone_not_a_number"),
            ("alternativePhoneNumber", "phone_not_of_country"),
        ])
    );
    let call = Call::new("POST", "/customer").token(&business.agency_token).json(&junk);
    let spanish = business.client.send(call.header("Accept-Language", "es")).body;
    assert_eq!(
        spanish["errors"][0]["detail"],
        "El carné de identidad tiene 11 dígitos."
    );
    let agency = json!({"name": "Sur", "email": "sur@example.test", "password": PASSWORD, "phone": "305 555 0100"});
    let refused = business.as_manager(422, "POST", "/agency", agency);
    assert_eq!(faults(&refused), named(&[("phone", "phone_without_country")]));
    let dealer = json!({"name": "Luis", "email": "luis@example.test", "password": PASSWORD, "phoneNumber": "52",
                        "identificationNumber": "123", "provinceId": business.province, "zones": []});
    let refused = business.as_manager(422, "POST", "/dealer", dealer);
    assert_eq!(
        faults(&refused),
        named(&[
            ("identificationNumber", "document_number_length"),
            ("phone", "phone_too_short")
        ])
    );
    assert_eq!(server.head("acme"), head, "nothing was written");
}

#[test]
fn telephones_are_normalised_to_e164_by_their_owners_country() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let add = |body: Value| {
        let id = text(&business.as_agency(201, "POST", "/customer", body)["id"]);
        let path = format!("/customer/{id}/details");
        business.client.expect(200, &business.agency_token, "GET", &path, None)
    };
    let sender = add(json!({"name": "Ana", "customerType": 0, "country": "US", "phoneNumber": "(305) 555-0100"}));
    assert_eq!(sender["phoneNumber"], "+13055550100");
    let recipient = add(json!({"name": "Berta", "customerType": 1, "senderId": sender["id"],
                               "phoneNumber": "5234 5678", "personalIdentificationType": 0,
                               "personalIdentificationNumber": "750101 12345"}));
    assert_eq!(recipient["phoneNumber"], "+5352345678");
    assert_eq!(recipient["personalIdentificationNumber"], "75010112345");
    let agency = json!({"id": business.agency, "name": "Agency", "email": "agency@example.test", "country": "ES",
                        "phone": "612 345 678"});
    assert_eq!(
        business.as_manager(200, "PUT", "/agency", agency)["phone"],
        "+34612345678"
    );
}

/// Records details of the recipient as from before the rules: unnormalised.
fn recorded_before_the_rules(server: &Server, business: &Business, phone: &str, document: &str) {
    let details = CustomerDetails {
        name: "Berta".to_owned(),
        phone_number: Some(phone.to_owned()),
        personal_identification_type: Some(IdentificationType::Ci),
        personal_identification_number: Some(document.to_owned()),
        ..CustomerDetails::default()
    };
    let change = ChangeCustomer {
        known: Some(Box::new(details.clone())),
        details: CustomerDetails {
            alias: Some("Beta".to_owned()),
            ..details
        },
        is_active: None,
        place: None,
    };
    let id = |text: &str| text.parse().unwrap();
    let command = Command::Customer(CustomerId(id(&business.recipient)), CustomerCommand::Change(change));
    server.submit_as("acme", Actor::Party(PartyId(id(&business.agency))), command);
}

/// Sets a detail of a party's row as an event from before the rules would have left it: unnormalised.
fn kept_before_the_rules(server: &Server, id: &str, field: &str, typed: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.unwrap().block_on(async {
        let mut owner = PgConnection::connect(server.database_url()).await.unwrap();
        owner.execute("SET caudal.tenant TO 'acme'").await.unwrap();
        let sql = format!(
            "UPDATE read.parties SET details = jsonb_set(details, '{{{field}}}', to_jsonb('{typed}'::text))
              WHERE tenant = 'acme' AND id = '{id}'"
        );
        assert_eq!(owner.execute(sql.as_str()).await.unwrap().rows_affected(), 1, "{sql}");
    });
}

#[test]
fn telephones_from_before_the_rules_are_marked_in_lists_and_details_until_they_are_corrected() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let get = |path: &str| business.client.expect(200, &business.manager, "GET", path, None);
    let marks = |row: &Value| {
        let mut fields: Vec<String> = row["toCorrect"].as_array().unwrap().iter().map(text).collect();
        fields.sort();
        fields
    };
    let row = |path: &str, id: &str| {
        let list = get(path);
        let rows = list["data"].as_array().unwrap().iter();
        rows.clone().find(|row| row["id"] == *id).unwrap().clone()
    };
    let id = business.recipient.as_str();
    let typed = [("phoneNumber", "abc"), ("personalIdentificationNumber", "123")];
    let recipient = json!({"name": "Berta", "customerType": 1, "senderId": business.sender,
                           "phoneNumber": "5234 5678", "personalIdentificationType": 0,
                           "personalIdentificationNumber": "75010112345"});
    let path = format!("/customer/{id}");
    let good = business.as_agency(200, "PUT", &path, recipient.clone());
    assert!(marks(&good).is_empty(), "{good}");
    recorded_before_the_rules(&server, &business, "abc", "123");
    let both = ["personalIdentificationNumber", "phoneNumber"];
    let listed = row("/customer/reciever?RecordsPerPage=0", id);
    assert_eq!(marks(&listed), both);
    assert_eq!(listed["phoneNumber"], "abc", "it is shown as it was kept");
    assert_eq!(marks(&get(&format!("{path}/details"))), both);

    // An unchanged value may stay; a changed one must be valid.
    let mut kept = recipient.clone();
    kept["name"] = "Berta Luz".into();
    for (field, value) in typed {
        kept[field] = value.into();
    }
    let saved = business.as_agency(200, "PUT", &path, kept.clone());
    assert_eq!(
        (&saved["name"], marks(&saved)),
        (&json!("Berta Luz"), both.map(String::from).to_vec())
    );
    kept["phoneNumber"] = "abd".into();
    let refused = business.as_agency(422, "PUT", &path, kept.clone());
    assert_eq!(faults(&refused), named(&[("phoneNumber", "phone_not_a_number")]));
    kept["phoneNumber"] = "5234 5678".into();
    let corrected = business.as_agency(200, "PUT", &path, kept.clone());
    assert_eq!(marks(&corrected), ["personalIdentificationNumber"]);
    kept["personalIdentificationNumber"] = "75010112345".into();
    assert!(marks(&business.as_agency(200, "PUT", &path, kept)).is_empty());
    assert!(marks(&row("/customer/reciever?RecordsPerPage=0", id)).is_empty());

    let with_phone = json!({"id": business.agency, "name": "Agency", "email": "agency@example.test", "country": "US",
                            "phone": "305 555 0100"});
    business.as_manager(200, "PUT", "/agency", with_phone);
    kept_before_the_rules(&server, &business.agency, "phone", "5");
    assert_eq!(marks(&row("/agency", &business.agency)), ["phone"]);
    kept_before_the_rules(&server, &business.dealer, "phone", "5");
    assert_eq!(
        marks(&row("/dealer", &business.dealer)),
        ["phoneNumber"],
        "the row's own name of the field"
    );
}
