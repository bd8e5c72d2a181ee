//! An update without changes is answered with the current record and writes no event.

use crate::support::{Branch, Business, Call, Kind, PASSWORD, Server, picture};
use caudal_api::policy;
use caudal_domain::party::Role;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Calls that are refused where there is nothing to do.
const NO_UPDATES: &[&str] = &[
    "/api/remittances/{id}/error",
    "/api/remittances/{id}/disputes/{number}",
    "/api/remittances/{id}/breach",
    // Needs a provider: tests/sign_on.rs.
    "/api/settings/sign_on",
    // Of a file: its rows write events when the import runs.
    "/api/imports/{id}/mapping",
    "/api/imports/{id}/proofs",
    "/api/imports/{id}/rows/{number}",
    // Deactivates.
    "/api/agency/{id}",
];

#[test]
fn an_update_without_changes_writes_no_event() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let branch = Branch::found(&business, "Norte");
    let (client, manager) = (&business.client, business.manager.as_str());
    let agency = branch.tokens[&Role::Agency].as_str();
    let id = |kind| branch.any(kind);
    let sale = json!({"senderId": id(Kind::Sender), "recipientId": id(Kind::Recipient), "paymentGroupId": business.cup,
                      "amount": "5", "deliveryMethod": "home", "notes": "Second floor"});
    let pending = client.expect(
        201,
        &branch.tokens[&Role::ExternalAgent],
        "POST",
        "/remittances",
        Some(sale),
    );
    let pending = pending["id"].as_str().unwrap();
    let zones = json!([business.municipality]);
    let currencies = client.expect(200, manager, "GET", "/nomenclators/currency?recordsPerPage=0", None);
    let rows = currencies["data"].as_array().unwrap();
    let currency = rows.iter().find(|row| row["code"] == "EUR").unwrap()["id"]
        .as_str()
        .unwrap();
    let hook = json!({"name": "Shop", "url": "https://shop.example.org/"});
    let hook = client.expect(201, agency, "POST", "/webhooks", Some(hook));
    let hook = hook["webhook"]["id"].as_str().unwrap();
    let set = json!({"name": "Counter", "reads": [], "writes": ["sales"]});
    let set = client.expect(201, manager, "POST", "/permission_sets", Some(set));
    let set = set["id"].as_str().unwrap();
    let rule = json!({"kind": "closing", "makers": ["agency"], "approvers": "manager", "expiresAfterHours": 24});
    let added = client.expect(201, manager, "POST", "/approval-rules", Some(rule.clone()));
    let added = added["id"].as_str().unwrap();
    let limit = json!({"side": "sender", "window": "days30", "amount": "900000", "outcome": "hold"});
    let limited = client.expect(201, manager, "POST", "/limit-rules", Some(limit.clone()));
    let limited = limited["id"].as_str().unwrap();
    server.load_list("sample", "name\nNadie Conocido\n");
    let member = json!({"name": "Olga", "email": "olga@example.test", "password": PASSWORD});
    let member = client.expect(201, manager, "POST", "/users", Some(member));
    let member = member["id"].as_str().unwrap();
    let document = format!("/customer/{}/document", id(Kind::Sender));
    let upload = Call::new("POST", &format!("{document}/files")).token(agency);
    let shown = client.send(upload.multipart([("file", "passport.png", picture("passport").as_slice())]));
    let calls: Vec<(&str, String, Value)> = vec![
        (
            agency,
            format!("{document}/pictures"),
            json!({"files": [shown.body["id"]]}),
        ),
        (
            agency,
            format!("/webhooks/{hook}"),
            json!({"name": "Shop", "url": "https://shop.example.org/caudal", "types": ["caudal.remittance.created.v1"]}),
        ),
        (manager, "/users/profile".into(), json!({"name": "Other manager"})),
        (
            manager,
            format!("/users/{}", business.agency),
            json!({"name": "Other agency", "phone": "+13055550100"}),
        ),
        (
            manager,
            "/agency".into(),
            json!({"id": id(Kind::Agency), "name": "Norte", "email": "agency@norte.test", "city": "Miami"}),
        ),
        (
            agency,
            format!("/agent/exchange_rate/{}", id(Kind::Agent)),
            json!({"paymentGroupId": business.cup, "rate": "4", "exchangeRate": "320", "name": "Norte"}),
        ),
        (
            agency,
            format!("/agent/{}", id(Kind::Agent)),
            json!({"name": "Agent", "email": "external@norte.test", "phone": "+13055550100"}),
        ),
        (
            manager,
            "/dealer".into(),
            json!({"id": id(Kind::Dealer), "name": "Dealer", "email": "dealer@norte.test",
                   "provinceId": business.province, "zones": zones}),
        ),
        (
            manager,
            format!("/dealer/{}", id(Kind::Dealer)),
            json!({"name": "Dealer again", "email": "dealer@norte.test", "provinceId": business.province, "zones": zones}),
        ),
        (
            manager,
            format!("/delivery_men/{}", id(Kind::DeliveryMan)),
            json!({"name": "Man", "email": "man@norte.test", "isActive": true}),
        ),
        (
            manager,
            format!("/agency/exchange_rate/{}", id(Kind::Agency)),
            json!({"paymentGroupId": business.cup, "rate": "4", "exchangeRate": "321", "name": "Norte"}),
        ),
        (
            agency,
            format!("/customer/{}", id(Kind::Sender)),
            json!({"name": "Rosa", "customerType": 0, "phoneNumber": "+13055550100"}),
        ),
        (
            agency,
            format!("/customer/{}", id(Kind::Recipient)),
            json!({"name": "Berta", "customerType": 1, "addressLine": "Calle 25", "provinceId": business.province,
                   "municipalityId": business.municipality, "isActive": true}),
        ),
        (
            agency,
            format!("/remittances/details/{pending}"),
            json!({"address": "Calle 24", "notes": "Third floor"}),
        ),
        (
            agency,
            format!("/remittances/{pending}"),
            json!({"amount": "4", "paymentGroupId": business.cup}),
        ),
        (
            manager,
            format!("/remittances/{pending}/assign/dealer"),
            json!({"dealerId": id(Kind::Dealer), "deliveryManId": id(Kind::DeliveryMan)}),
        ),
        (
            manager,
            "/remittances/assign/dealer".into(),
            json!({"remittanceIds": [pending], "dealerId": id(Kind::Dealer)}),
        ),
        (
            manager,
            format!("/nomenclators/currency/{currency}"),
            json!({"code": "EUR", "symbol": "EUR", "exchangeRate": "0.8", "distributionRate": "1", "accounted": true,
                   "enabled": true}),
        ),
        (
            manager,
            "/nomenclators/payment_group".into(),
            json!({"id": business.cup, "name": "CUP by hand", "currencyTo": "CUP", "exchangeRate": "323",
                   "managerCommission": {"rate": "2"}}),
        ),
        (
            manager,
            format!("/nomenclators/payment_group/{}", business.cup),
            json!({"name": "CUP at home", "currencyTo": "CUP", "exchangeRate": "322", "managerCommission": {"rate": "2"}}),
        ),
        (
            manager,
            format!("/nomenclators/province/{}", business.province),
            json!({"enabled": true}),
        ),
        (
            manager,
            format!("/nomenclators/municipality/{}", business.municipality),
            json!({"enabled": true, "distributionFee": "12", "distributionFeeCurrency": "CUP"}),
        ),
        (
            manager,
            "/settings/second_factor".into(),
            json!({"roles": ["delivery_man"]}),
        ),
        (
            manager,
            format!("/permission_sets/{set}"),
            json!({"name": "Counter", "reads": ["rates"], "writes": ["sales"]}),
        ),
        (manager, format!("/approval-rules/{added}"), rule),
        (manager, format!("/limit-rules/{limited}"), limit),
        (manager, "/screening/lists".into(), json!({"lists": {"sample": 90}})),
        (
            manager,
            format!("/users/{member}/access"),
            json!({"permissionSet": "cashier", "accessExpiresAt": "2999-01-01T00:00:00Z"}),
        ),
        (manager, "/settings/passwords".into(), json!({"policy": "composed"})),
    ];
    let called: BTreeSet<&str> = calls
        .iter()
        .map(|(_, path, _)| policy::pattern(&format!("/api{path}")))
        .chain(NO_UPDATES.iter().copied())
        .collect();
    let updates = policy::TABLE.iter().filter(|row| row.method == "PUT");
    assert_eq!(
        called,
        updates.map(|row| row.path).collect(),
        "every PUT is called here, or is no update"
    );
    for (token, path, body) in calls {
        let first = client.expect(200, token, "PUT", &path, Some(body.clone()));
        let head = server.head("acme");
        let again = client.send(Call::new("PUT", &path).token(token).json(&body));
        assert_eq!((again.status, &again.body), (200, &first), "PUT {path}");
        assert_eq!(server.head("acme"), head, "PUT {path} {body}");
        let keyed = || {
            client.send(
                Call::new("PUT", &path)
                    .token(token)
                    .key(&format!("once-{path}"))
                    .json(&body),
            )
        };
        assert_eq!((keyed().status, keyed().body), (200, first), "PUT {path} under a key");
        assert_eq!(server.head("acme"), head, "PUT {path} under a key");
    }
    let head = server.head("acme");
    let password = json!({"password": PASSWORD});
    client.expect(
        200,
        manager,
        "PUT",
        &format!("/users/{}", business.agency),
        Some(password),
    );
    assert_eq!(server.head("acme"), head + 1, "a password that is set is a change");
}
