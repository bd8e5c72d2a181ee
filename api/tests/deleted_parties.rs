//! Deleted parties leave the lists, and can be deleted only once their cash is settled.

use crate::support::{Business, Call, PASSWORD, Server, text};
use serde_json::{Value, json};

fn ids(body: &Value) -> Vec<String> {
    body["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| text(&row["id"]))
        .collect()
}

#[test]
fn deleted_parties_are_listed_only_on_request() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let agent = json!({"name": "Agent", "email": "agent@example.test", "password": PASSWORD, "agentType": 1});
    let agent = text(&business.as_agency(201, "POST", "/agent", agent)["id"]);
    let user = json!({"name": "Olga", "email": "olga@example.test", "password": PASSWORD});
    let user = text(&business.as_manager(201, "POST", "/users", user)["id"]);
    let list = |path: &str| ids(&business.client.expect(200, &business.manager, "GET", path, None));
    for (id, path) in [
        (&agent, "/agent"),
        (&business.dealer, "/dealer"),
        (&user, "/users"),
        (&business.agency, "/agency"),
    ] {
        // An inactive party is listed, also with `isActive=false`.
        assert!(list(&format!("{path}?isActive=true")).contains(id), "{path}");
        business.as_manager(200, "PUT", &format!("/users/{id}"), json!({"isActive": false}));
        assert!(list(&format!("{path}?isActive=false")).contains(id), "{path}");
        assert!(list(path).contains(id), "{path}");
        business.as_manager(200, "PUT", &format!("/users/{id}"), json!({"isActive": true}));
        let gone = Call::new("DELETE", &format!("/users/{id}")).token(&business.manager);
        assert_eq!(business.client.send(gone).status, 204, "{path}");
        for left_out in [path.to_owned(), format!("{path}?isActive=false"), "/users".to_owned()] {
            assert!(!list(&left_out).contains(id), "{left_out}");
        }
        assert!(list(&format!("{path}?deleted=true")).contains(id), "{path}");
        // A reactivated party is listed again.
        business.as_manager(200, "PUT", &format!("/users/{id}"), json!({"isActive": true}));
        assert!(list(path).contains(id), "{path}");
        assert!(!list(&format!("{path}?deleted=true")).contains(id), "{path}");
    }
}

#[test]
fn a_dealers_cash_is_settled_before_he_is_deleted() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let cash = json!({"currency": "CUP", "amount": "500"});
    business.as_manager(201, "POST", "/sources/deposit/manager", cash.clone());
    business.as_manager(
        201,
        "POST",
        &format!("/sources/deposit/dealer/{}", business.dealer),
        cash,
    );
    let delete = || {
        let call = Call::new("DELETE", &format!("/users/{}", business.dealer)).token(&business.manager);
        business.client.send(call)
    };
    let refused = delete();
    assert_eq!((refused.status, refused.code()), (409, "party_holds_cash"));
    assert!(
        refused.body["detail"].as_str().unwrap().contains("500.00 CUP"),
        "{}",
        refused.body
    );
    let back = json!({"from": business.dealer, "toManager": true, "currency": "CUP", "amount": "500"});
    business.as_manager(201, "POST", "/dealer/transfer", back);
    assert_eq!(delete().status, 204);
}
