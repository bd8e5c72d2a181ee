//! Every operation of the OpenAPI document, called anonymously and by every role, answers as the policy table
//! requires.

use crate::support::{Business, Call, PASSWORD, Server};
use caudal_api::policy::{Access, TABLE};
use caudal_domain::{
    office::{Area, Right, permissions_of_login},
    party::Role,
};
use serde_json::json;
use std::collections::BTreeMap;
use uuid::Uuid;

/// A token for every role.
fn tokens(business: &Business) -> Vec<(Role, String)> {
    let agent = |kind: u8, email: &str| {
        business.as_manager(
            201,
            "POST",
            "/agent",
            json!({"name": "Agent", "email": email, "password": PASSWORD, "agentType": kind, "agencyId": business.agency}),
        );
    };
    agent(0, "internal@example.test");
    agent(1, "external@example.test");
    business.as_manager(
        201,
        "POST",
        "/delivery_men",
        json!({"name": "Man", "email": "man@example.test", "password": PASSWORD, "dealerId": business.dealer}),
    );
    let login = |email: &str| business.client.login(email, PASSWORD);
    vec![
        (Role::Manager, business.manager.clone()),
        (Role::Agency, business.agency_token.clone()),
        (Role::ExternalAgent, login("external@example.test")),
        (Role::InternalAgent, login("internal@example.test")),
        (Role::Dealer, login("dealer@example.test")),
        (Role::DeliveryMan, login("man@example.test")),
    ]
}

#[test]
fn every_route_admits_exactly_the_roles_of_its_policy_row() {
    let server = Server::start(&["acme", "other"]);
    let business = Business::new(&server, "acme");
    let tokens = tokens(&business);
    let before = server.head("acme");
    let mut wrong = Vec::new();
    for row in TABLE.iter() {
        let Access::Roles(allowed) = row.access else { continue };
        // The stream does not end, and has a test of its own.
        let endless = row.path.ends_with("/stream");
        let path = row
            .path
            .trim_start_matches("/api")
            .replace("{id}", &Uuid::now_v7().to_string());
        // An unreadable body: an authorised call changes nothing.
        let call = || match row.method {
            "GET" => Call::new("GET", &path),
            method => Call::new(method, &path).raw("application/json", b"{"),
        };
        let mut note = |who: &str, status: u16, wanted: &str| {
            wrong.push(format!("{} {} by {who}: {status}, not {wanted}", row.method, row.path));
        };
        let nobody = business.client.send(call());
        if nobody.status != 401 {
            note("nobody", nobody.status, "401");
        }
        for (role, token) in &tokens {
            let elsewhere = server.client("other").send(call().token(token));
            if (elsewhere.status, elsewhere.code()) != (401, "token_of_another_tenant") {
                note(role.as_str(), elsewhere.status, "401 in another tenant");
            }
            let may = allowed.contains(role);
            if may && endless {
                continue;
            }
            let answer = business.client.send(call().token(token));
            let through = !(answer.status == 401 || (answer.status == 403 && answer.code() == "role_not_allowed"));
            if through != may || answer.status >= 500 {
                note(role.as_str(), answer.status, if may { "let through" } else { "403" });
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(server.head("acme"), before, "nothing was written");
}

/// Who makes a login, sets its password or sees as it needs these permissions: with fewer he would gain something by it.
#[test]
fn a_login_counts_as_exactly_the_permissions_of_the_calls_that_its_role_is_admitted_to() {
    for role in Role::ALL.iter().copied().filter(|role| *role != Role::Manager) {
        let counted = permissions_of_login(role);
        let admitted = TABLE
            .iter()
            .filter(|row| !matches!(row.access, Access::Public) && row.access.admits(role))
            // Keys and webhooks of a login can do no more than the login.
            .filter(|row| row.areas != [Area::Integrations]);
        let mut needed = BTreeMap::new();
        for row in admitted {
            assert_eq!(row.lacking(counted), None, "{role:?} {} {}", row.method, row.path);
            if let [area] = row.areas
                && needed.get(area) != Some(&Right::Write)
            {
                needed.insert(*area, row.right);
            }
        }
        assert_eq!(counted.rights(), needed, "{role:?}");
    }
}
