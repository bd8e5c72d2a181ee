//! Telephones and documents: what is no number is refused at its field, what is one is kept in one form, and what was
//! kept before stays until it is touched.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test ends where something is missing"
)]

mod support;

use serde_json::{Value, json};
use support::{Business, Call, PASSWORD, Server, text};

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
fn junk_is_refused_at_its_field_in_the_readers_language() {
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
fn telephones_are_kept_in_e164_by_the_country_of_who_has_them() {
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
