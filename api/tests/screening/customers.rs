//! Customers: what of them is compared with a list, sales to those who are like a listed person, and their documents.

use super::{LIST, case, choose, decide, is_held, read, recipient, sell_to, until};
use crate::support::{Business, Server, text};
use caudal_domain::{Command, customer::CustomerCommand, erasure::Forget, ids::CustomerId};
use serde_json::{Value, json};
use uuid::Uuid;

#[test]
fn a_sale_to_somebody_like_a_listed_person_is_held_until_a_reviewer_says_that_it_is_somebody_else() {
    let server = Server::start(&["lists"]);
    let business = Business::new(&server, "lists");
    business.fund("900000");
    server.load_list("sample", LIST);
    let evaristo = recipient(&business, "Evaristo", "Zaldivar", "Quesada");
    let before = sell_to(&business, &evaristo);
    assert!(!is_held(&business, &before), "no list is chosen");

    let chosen = choose(&business, json!({"sample": 86}));
    assert_eq!(chosen["lists"][0]["enabled"], true);
    assert_eq!(chosen["lists"][0]["entries"], 2);
    let held = sell_to(&business, &evaristo);
    assert!(is_held(&business, &held), "held in the commit of the sale");
    let other = sell_to(&business, &business.recipient);
    assert!(!is_held(&business, &other));

    let seen = business.client.expect(
        200,
        &business.agency_token,
        "GET",
        &format!("/remittances/{held}"),
        None,
    );
    assert!(
        !seen.to_string().contains("sample"),
        "sellers do not learn which list: {seen}"
    );
    let listed = read(&business, "/screening/cases?status=open&list=sample");
    assert_eq!(listed["totalRecords"], 1, "{listed}");
    assert_eq!(listed["data"][0]["customer"]["id"], json!(evaristo));
    assert_eq!(listed["data"][0]["heldRemittances"], 1);
    let found = case(&business, &evaristo);
    let candidate = &found["candidates"][0];
    assert_eq!(candidate["entry"], "7001");
    assert_eq!(candidate["listed"]["born"], json!(["1984-02-13"]));
    assert!(candidate["score"].as_u64().unwrap() >= 86);
    assert_eq!(found["person"]["lastName"], "Zaldivar");

    // The run holds what was sold before.
    server.screen_everybody();
    assert!(is_held(&business, &before));
    let run = read(&business, "/screening")["run"].clone();
    assert_eq!(run["screened"], run["total"]);
    assert_ne!(run["finishedAt"], Value::Null);

    let path = format!("/screening/cases/{evaristo}/decisions");
    let silent = json!({"list": "sample", "entry": "7001", "outcome": "different"});
    business.as_manager(422, "POST", &path, silent);
    let decided = decide(&business, &evaristo, "7001", "different");
    assert_eq!(decided["status"], "cleared");
    assert_eq!(decided["candidates"][0]["decision"]["outcome"], "different");
    for remittance in [&before, &held] {
        assert!(!is_held(&business, remittance), "released with the decision");
    }
    let after = sell_to(&business, &evaristo);
    assert!(!is_held(&business, &after), "once for good");
    server.load_list("sample", &format!("{LIST}7003;Somebody ELSE;;;;\n"));
    server.screen_everybody();
    assert_eq!(
        case(&business, &evaristo)["status"],
        "cleared",
        "also by a later version"
    );
}

#[test]
fn a_confirmed_person_stays_held_and_a_customer_whose_name_is_corrected_is_not_like_anybody() {
    let server = Server::start(&["confirmed"]);
    let business = Business::new(&server, "confirmed");
    business.fund("900000");
    server.load_list("sample", LIST);
    choose(&business, json!({"sample": 86}));
    let evaristo = recipient(&business, "Varo", "Zaldívar", "");
    assert_eq!(
        case(&business, &evaristo)["status"],
        "open",
        "screened at the registration"
    );
    assert_eq!(decide(&business, &evaristo, "7001", "same")["status"], "confirmed");
    assert!(is_held(&business, &sell_to(&business, &evaristo)));
    server.screen_everybody();
    assert_eq!(case(&business, &evaristo)["status"], "confirmed");

    let nikolai = recipient(&business, "Nikolai", "Petrov", "");
    assert_eq!(case(&business, &nikolai)["status"], "open");
    let corrected = json!({"name": "Nikolai", "lastName": "Alfonso", "customerType": 1,
        "senderId": business.sender, "addressLine": "Calle 23", "provinceId": business.province,
        "municipalityId": business.municipality});
    business.as_agency(200, "PUT", &format!("/customer/{nikolai}"), corrected);
    assert_eq!(case(&business, &nikolai)["status"], "cleared");
    assert!(!is_held(&business, &sell_to(&business, &nikolai)));
}

#[test]
fn a_representative_with_one_part_of_a_name_or_a_document_and_an_alias_are_compared() {
    let server = Server::start(&["people"]);
    let business = Business::new(&server, "people");
    business.fund("900000");
    server.load_list("sample", LIST);
    choose(&business, json!({"sample": 86}));
    let with = |more: Value| {
        let mut body = json!({"name": "Berta", "lastName": "Alfonso", "customerType": 1, "senderId": business.sender,
            "addressLine": "Calle 23", "provinceId": business.province, "municipalityId": business.municipality});
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        text(&business.as_agency(201, "POST", "/customer", body)["id"])
    };
    for (what, more) in [
        (
            "a whole name in one field",
            json!({"alternativeName": "Evaristo Zaldívar Quesada"}),
        ),
        (
            "surnames alone",
            json!({"alternativeLastName": "Evaristo Zaldívar Quesada"}),
        ),
        (
            "name and surname",
            json!({"alternativeName": "Evaristo", "alternativeLastName": "Zaldívar Quesada"}),
        ),
        (
            "a document",
            json!({"alternativePersonalIdentificationNumber": "84021312345"}),
        ),
        (
            "a document under another name",
            json!({"alternativeName": "Ana",
            "alternativePersonalIdentificationNumber": "84021312345"}),
        ),
        ("an alias", json!({"alias": "Varo Zaldívar"})),
    ] {
        let customer = with(more);
        let found = case(&business, &customer);
        assert_eq!(
            (&found["status"], &found["candidates"][0]["entry"]),
            (&json!("open"), &json!("7001")),
            "{what}"
        );
        assert!(found["candidates"][0]["explanation"].is_string(), "{what}: {found}");
        assert!(is_held(&business, &sell_to(&business, &customer)), "{what}");
    }
    let nobody = with(json!({"alternativeName": "Ana", "alias": "La Nena"}));
    assert!(!is_held(&business, &sell_to(&business, &nobody)));
}

#[test]
fn erasure_removes_the_candidates() {
    let server = Server::start(&["erased"]);
    let business = Business::new(&server, "erased");
    server.load_list("sample", LIST);
    choose(&business, json!({"sample": 86}));
    let evaristo = recipient(&business, "Evaristo", "Zaldívar", "Quesada");
    assert!(case(&business, &evaristo).to_string().contains("ZALD"));
    let forget = CustomerCommand::Forget(Forget {
        retention_days: 0,
        last_business: None,
    });
    let id = CustomerId(Uuid::parse_str(&evaristo).unwrap());
    server.submit("erased", Command::Customer(id, forget));
    until("the erasure can be read", || {
        case(&business, &evaristo)["status"] == "erased"
    });
    let left = case(&business, &evaristo);
    assert_eq!(left["candidates"], json!([]));
    assert!(!left.to_string().contains("ZALD"), "{left}");
    server.screen_everybody();
    assert_eq!(case(&business, &evaristo)["status"], "erased");
}

#[test]
fn documents_are_listed_before_they_expire() {
    let server = Server::start(&["papers"]);
    let business = Business::new(&server, "papers");
    let add = |name: &str, days: i64| {
        let day = (chrono::Utc::now() + chrono::Duration::days(days))
            .date_naive()
            .to_string();
        let body = json!({"name": name, "customerType": 0, "personalIdentificationNumber": "K123456",
            "personalIdentificationType": 1, "personalIdentificationExpirationDate": day});
        business.as_agency(201, "POST", "/customer", body);
    };
    add("Past", -3);
    add("Soon", 20);
    add("Later", 90);
    let names = |path: &str| {
        let page = read(&business, path);
        let rows = page["data"].as_array().unwrap().iter();
        rows.map(|row| text(&row["name"])).collect::<Vec<_>>()
    };
    assert_eq!(names("/customer/expiring_documents"), ["Past", "Soon"]);
    let until = (chrono::Utc::now() + chrono::Duration::days(120)).format("%Y%m%d");
    assert_eq!(
        names(&format!("/customer/expiring_documents?expiresTo={until}&sort=-expires")),
        ["Later", "Soon", "Past"]
    );
}
