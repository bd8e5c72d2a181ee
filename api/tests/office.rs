//! Members of the office: each permission set at each route, what takes effect when, and what nobody can give.

use crate::support::{Answer, Business, Call, MANAGER, PASSWORD, Server, text};
use caudal_api::policy::{Access, TABLE};
use caudal_domain::{
    office::{Area, Permissions, Right, Template},
    party::Role,
};
use chrono::{Duration, Utc};
use serde_json::{Value, json};
use std::thread;
use uuid::Uuid;

/// Adds a member of the office, and returns its id and a token.
fn hired(business: &Business, email: &str, access: Value) -> (String, String) {
    let mut body = json!({"name": "Olga", "email": email, "password": PASSWORD});
    for (name, value) in access.as_object().unwrap() {
        body[name] = value.clone();
    }
    let added = business.as_manager(201, "POST", "/users", body);
    (text(&added["id"]), business.client.login(email, PASSWORD))
}

fn own_set(business: &Business, name: &str, reads: &[&str], writes: &[&str]) -> String {
    let body = json!({"name": name, "reads": reads, "writes": writes});
    text(&business.as_manager(201, "POST", "/permission_sets", body)["id"])
}

fn send(business: &Business, token: &str, method: &str, path: &str, body: &Value) -> Answer {
    let call = Call::new(method, path).token(token);
    business
        .client
        .send(if method == "GET" { call } else { call.json(body) })
}

fn missing(answer: &Answer) -> (u16, String, String) {
    let values = answer.body["values"].as_array().cloned().unwrap_or_default();
    let permission = values.iter().find(|value| value["name"] == "permission");
    let permission = permission.map_or_else(String::new, |value| text(&value["value"]));
    (answer.status, answer.code().to_owned(), permission)
}

#[test]
fn every_route_admits_exactly_the_permission_sets_of_its_policy_row() {
    let server = Server::start(&["acme", "other"]);
    let business = Business::new(&server, "acme");
    let single = own_set(&business, "Ventas", &["payments"], &["sales"]);
    let mut sets: Vec<(String, Permissions)> = Template::ALL
        .iter()
        .map(|template| (template.as_str().to_owned(), template.permissions()))
        .collect();
    sets.push((
        single,
        Permissions::writing(&[Area::Sales]).and_reading(&[Area::Payments]),
    ));
    // Each area alone, to read and to write.
    for area in Area::ALL {
        let name = area.as_str();
        let reading = own_set(&business, &format!("{name} read"), &[name], &[]);
        sets.push((reading, Permissions::reading(&[*area])));
        let writing = own_set(&business, &format!("{name} write"), &[], &[name]);
        sets.push((writing, Permissions::writing(&[*area])));
    }
    let members: Vec<_> = sets
        .iter()
        .enumerate()
        .map(|(number, (name, permissions))| {
            let email = format!("member{number}@example.test");
            let (_, token) = hired(&business, &email, json!({"permissionSet": name}));
            (name, *permissions, token)
        })
        .collect();
    let before = server.head("acme");
    let other = server.client("other");
    let mut wrong = Vec::new();
    for row in TABLE.iter() {
        if !matches!(row.access, Access::Roles(_)) {
            continue;
        }
        let endless = row.path.ends_with("/stream");
        let path = row
            .path
            .trim_start_matches("/api")
            .replace("{id}", &Uuid::now_v7().to_string());
        // An unreadable body: an authorised call changes nothing.
        let call = |preview: &str| match row.method {
            "GET" => Call::new("GET", &path),
            method => Call::new(method, &format!("{path}{preview}")).raw("application/json", b"{"),
        };
        for (name, permissions, token) in &members {
            let elsewhere = other.send(call("").token(token));
            if (elsewhere.status, elsewhere.code()) != (401, "token_of_another_tenant") {
                wrong.push(format!("{} {} by {name} in another tenant", row.method, row.path));
            }
            let may = row.access.admits(Role::Manager) && row.lacking(*permissions).is_none();
            if may && endless {
                continue;
            }
            let ways: &[&str] = if row.method == "GET" {
                &[""]
            } else {
                &["", "?preview=true"]
            };
            for preview in ways {
                let answer = business.client.send(call(preview).token(token));
                let refused =
                    answer.status == 403 && ["permission_missing", "role_not_allowed"].contains(&answer.code());
                if refused == may || answer.status == 401 || answer.status >= 500 {
                    wrong.push(format!(
                        "{} {}{preview} by {name}: {}",
                        row.method, row.path, answer.status
                    ));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert_eq!(server.head("acme"), before, "nothing was written");
}

#[test]
fn a_path_with_escapes_is_judged_as_the_path_that_it_means() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let set = own_set(&business, "Personas", &["parties"], &[]);
    let (_, token) = hired(&business, "clerk@example.test", json!({"permissionSet": set}));
    for path in [
        "/agency/balance_assignments",
        "/agency/balance%5Fassignments",
        "/%61gent/balance_assignment%73",
    ] {
        let answer = send(&business, &token, "GET", path, &Value::Null);
        assert_eq!(
            missing(&answer),
            (403, "permission_missing".into(), "payments:read".into()),
            "{path}"
        );
    }
    for path in [
        "root:/%61pi/nomenclators/countries",
        "root:/ap%69/feed/types",
        "root:/%61%70%69/customer/sender",
    ] {
        let nobody = business.client.send(Call::new("GET", path));
        assert_eq!((nobody.status, nobody.code()), (401, "token_missing"), "{path}");
    }
    let login = json!({"email": "clerk@example.test", "password": PASSWORD});
    let answer = business
        .client
        .send(Call::new("POST", "root:/%61pi/auth0/login").json(&login));
    assert_eq!((answer.status, answer.header("cache-control")), (200, "no-store"));
}

#[test]
fn a_preview_tells_a_member_only_of_the_accounts_whose_areas_he_reads() {
    let server = Server::start(&["members"]);
    let business = Business::new(&server, "members");
    business.fund("100000.00");
    let shown = |name: &str, reads: &[&str]| {
        let set = own_set(&business, name, reads, &["sales"]);
        let (_, token) = hired(
            &business,
            &format!("{name}@example.test"),
            json!({"permissionSet": set}),
        );
        let mut sale = business.sale("10");
        sale["agencyId"] = json!(business.agency);
        let answer = send(&business, &token, "POST", "/remittances?preview=true", &sale);
        assert_eq!(
            (answer.status, &answer.body["figures"]["payout"]),
            (200, &json!("3200.00")),
            "{}",
            answer.body
        );
        let transfers = answer.body["transfers"].as_array().unwrap().iter();
        let sides = transfers.flat_map(|transfer| [&transfer["debit"], &transfer["credit"]]);
        let told = sides.filter(|side| !side["after"].is_null());
        told.map(|side| text(&side["kind"])).collect::<Vec<_>>()
    };
    assert!(shown("sells", &[]).is_empty());
    assert_eq!(shown("parties", &["parties"]), ["balance"]);
    let all = shown("accounts", &["accounting"]);
    assert!(all.contains(&"remittances_pending".to_owned()), "{all:?}");
}

#[test]
fn every_route_that_writes_needs_a_right_to_write_and_the_auditor_has_none() {
    let auditor = Template::Auditor.permissions();
    for row in TABLE.iter().filter(|row| !row.areas.is_empty()) {
        let reads = [
            "/api/dashboard/agency/report",
            "/api/dashboard/agent/report",
            "/api/audit/verification",
            "/api/screening/own-lists/check",
        ];
        let may = row.method == "GET" || reads.contains(&row.path);
        assert_eq!(row.lacking(auditor).is_none(), may, "{} {}", row.method, row.path);
        assert_eq!(row.lacking(Permissions::ALL), None);
        assert!(row.lacking(Permissions::NONE).is_some());
    }
}

#[test]
fn a_changed_set_takes_effect_with_the_next_request_of_open_sessions() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let set = own_set(&business, "Ventas", &[], &["sales", "customers"]);
    let (id, token) = hired(&business, "clerk@example.test", json!({"permissionSet": set}));
    let customer = json!({"name": "Rosa", "customerType": 0, "agencyId": business.agency});
    let sell = |wanted: u16| {
        let answer = send(&business, &token, "POST", "/customer", &customer);
        assert_eq!(answer.status, wanted, "{}", answer.body);
        answer
    };
    sell(201);
    let profile = send(&business, &token, "GET", "/users/profile", &Value::Null).body;
    assert_eq!(profile["office"]["writes"], json!(["sales", "customers"]));
    let path = format!("/permission_sets/{set}");
    let narrowed = json!({"name": "Ventas", "reads": ["customers"], "writes": ["sales"]});
    business.as_manager(200, "PUT", &path, narrowed);
    assert_eq!(
        missing(&sell(403)),
        (403, "permission_missing".into(), "customers:write".into())
    );
    let list = send(&business, &token, "GET", "/customer/sender", &Value::Null);
    assert_eq!(list.status, 200);
    let rows = list.body["data"].as_array().unwrap();
    assert!(!rows.is_empty());
    for action in rows.iter().flat_map(|row| row["actions"].as_array().unwrap()) {
        assert_eq!(action["refusal"], "permission_missing", "{action}");
    }
    let used = business
        .client
        .send(Call::new("DELETE", &path).token(&business.manager));
    assert_eq!((used.status, used.code()), (409, "permission_set_in_use"));
    let access = format!("/users/{id}/access");
    business.as_manager(
        200,
        "PUT",
        &access,
        json!({"permissionSet": null, "accessExpiresAt": null}),
    );
    sell(201);
    let shown = business.as_manager(200, "PUT", &access, json!({"permissionSet": "cashier"}));
    assert_eq!(
        (&shown["permissionSet"], &shown["accessExpiresAt"]),
        (&json!("cashier"), &Value::Null)
    );
    let gone = business
        .client
        .send(Call::new("DELETE", &path).token(&business.manager));
    assert_eq!(gone.status, 204);
}

#[test]
fn nothing_of_a_member_is_committed_after_the_member_was_narrowed() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let set = own_set(&business, "Clientes", &[], &["customers"]);
    let (id, token) = hired(&business, "clerk@example.test", json!({"permissionSet": set}));
    let narrowed = thread::scope(|scope| {
        let writers: Vec<_> = (0..6)
            .map(|writer| {
                let (business, token) = (&business, &token);
                scope.spawn(move || {
                    let mut last = 0;
                    for number in 0..40 {
                        let name = format!("Rosa {writer} {number}");
                        let customer = json!({"name": name, "customerType": 0, "agencyId": business.agency});
                        let answer = send(business, token, "POST", "/customer", &customer);
                        match answer.status {
                            201 => last = answer.header("x-ledger-position").parse().unwrap(),
                            403 => {
                                assert_eq!(answer.code(), "permission_missing");
                                return last;
                            }
                            status => panic!("{status}: {}", answer.body),
                        }
                    }
                    panic!("never narrowed")
                })
            })
            .collect();
        thread::sleep(std::time::Duration::from_millis(300));
        let body = json!({"permissionSet": "auditor"});
        let call = Call::new("PUT", &format!("/users/{id}/access")).token(&business.manager);
        let answer = business.client.send(call.json(&body));
        assert_eq!(answer.status, 200, "{}", answer.body);
        let at: i64 = answer.header("x-ledger-position").parse().unwrap();
        let last: Vec<i64> = writers.into_iter().map(|writer| writer.join().unwrap()).collect();
        assert!(last.iter().any(|position| *position > 0), "some wrote before");
        assert!(last.iter().all(|position| *position <= at), "{last:?} after {at}");
        at
    });
    let path = "/audit/events?eventType=OfficeAccessSet";
    let events = business.client.expect(200, &business.manager, "GET", path, None);
    let positions = events["data"].as_array().unwrap().iter();
    let last = positions.filter_map(|event| event["position"].as_i64()).max();
    assert!(last.is_some_and(|last| last <= narrowed));
}

#[test]
fn access_ends_at_its_second_for_sessions_logins_and_keys() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let set = own_set(&business, "Claves", &["sales"], &["integrations"]);
    let ends = Utc::now() + Duration::hours(1);
    let access = json!({"permissionSet": set, "accessExpiresAt": ends.to_rfc3339()});
    let (_, token) = hired(&business, "clerk@example.test", access);
    let key =
        json!({"name": "Lector", "scopes": ["remittances:read"], "expiresAt": (ends + Duration::days(9)).to_rfc3339()});
    let key = send(&business, &token, "POST", "/keys", &key);
    assert_eq!(key.status, 201, "{}", key.body);
    let key = text(&key.body["secret"]);
    let read = |token: &str| {
        let answer = send(&business, token, "GET", "/remittances", &Value::Null);
        (answer.status, answer.code().to_owned())
    };
    // Tokens of sessions are short-lived: the second half of the hour has its own.
    server.pass(Duration::minutes(58));
    let token = business.client.login("clerk@example.test", PASSWORD);
    assert_eq!(read(&token).0, 200);
    assert_eq!(read(&key).0, 200);
    server.pass(Duration::minutes(2));
    let over = (401, "access_expired".to_owned());
    assert_eq!(read(&token), over);
    assert_eq!(read(&key), over);
    let body = json!({"email": "clerk@example.test", "password": PASSWORD});
    let again = business.client.send(Call::new("POST", "/auth0/login").json(&body));
    assert_eq!((again.status, again.code()), (401, "access_expired"));
    let wrong = json!({"email": "clerk@example.test", "password": "Wrong-1pass"});
    let wrong = business.client.send(Call::new("POST", "/auth0/login").json(&wrong));
    assert_eq!(wrong.code(), "login_failed");
}

#[test]
fn a_manager_issues_the_key_of_an_auditor_which_reads_what_he_reads_and_writes_nothing() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let (auditor, token) = hired(&business, "auditor@example.test", json!({"permissionSet": "auditor"}));
    let scopes = send(
        &business,
        &business.manager,
        "GET",
        &format!("/keys/scopes?partyId={auditor}"),
        &Value::Null,
    )
    .body;
    let known = scopes["results"].as_array().unwrap().clone();
    // What he reads by POST is in scopes named after writing; these have no call that writes.
    for scope in known.iter().filter(|scope| text(&scope["scope"]).ends_with(":write")) {
        for call in scope["calls"].as_array().unwrap() {
            let is_same = |row: &&caudal_api::policy::Row| call["path"] == row.path && call["method"] == row.method;
            let row = TABLE.iter().find(is_same).unwrap();
            assert!(row.lacking(Template::Auditor.permissions()).is_none(), "{call}");
        }
    }
    let all: Vec<Value> = known.iter().map(|scope| scope["scope"].clone()).collect();
    assert!(
        all.contains(&json!("feed:read")) && all.contains(&json!("audit:read")),
        "{all:?}"
    );
    let expires = (Utc::now() + Duration::days(90)).to_rfc3339();
    let wanted = json!({"name": "Auditoría", "partyId": auditor, "scopes": all, "expiresAt": expires});
    // He issues none himself, and a manager none beyond his set.
    let own = send(&business, &token, "POST", "/keys", &wanted);
    assert_eq!(
        missing(&own),
        (403, "permission_missing".into(), "integrations:write".into())
    );
    let beyond = json!({"name": "Ventas", "partyId": auditor, "scopes": ["agency:write"], "expiresAt": expires});
    let beyond = send(&business, &business.manager, "POST", "/keys", &beyond);
    assert_eq!(
        (beyond.status, &beyond.body["errors"][0]["code"]),
        (422, &json!("scope_not_for_role"))
    );
    let issued = business.as_manager(201, "POST", "/keys", wanted);
    let key = text(&issued["secret"]);
    for path in [
        "/remittances",
        "/customer/sender",
        "/accounting/balances",
        "/audit/events",
        "/feed",
    ] {
        let answer = send(&business, &key, "GET", path, &Value::Null);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
    }
    let before = server.head("acme");
    for row in TABLE
        .iter()
        .filter(|row| row.method != "GET" && matches!(row.access, Access::Roles(_)))
    {
        if row.lacking(Template::Auditor.permissions()).is_none() && !row.areas.is_empty() {
            continue;
        }
        let path = row
            .path
            .trim_start_matches("/api")
            .replace("{id}", &Uuid::now_v7().to_string());
        let answer = send(&business, &key, row.method, &path, &json!({}));
        let refused = [
            "permission_missing",
            "role_not_allowed",
            "session_required",
            "api_key_lacks_scope",
        ];
        let is_refused = answer.status == 403 && refused.contains(&answer.code());
        assert!(
            is_refused || row.areas.is_empty(),
            "{} {path}: {}",
            row.method,
            answer.body
        );
    }
    assert_eq!(server.head("acme"), before, "nothing was written");
    // Narrowed with its party, and revoked by the manager alone.
    let id = text(&issued["key"]["id"]);
    let revoke = format!("/keys/{id}/revoke");
    assert_eq!(
        send(&business, &token, "POST", &revoke, &json!({})).code(),
        "permission_missing"
    );
    let listed = send(&business, &token, "GET", "/keys", &Value::Null).body;
    assert_eq!(listed["data"][0]["id"], id.as_str(), "he sees it");
    let narrower = json!({"permissionSet": own_set(&business, "Informes", &["reports"], &[])});
    business.as_manager(200, "PUT", &format!("/users/{auditor}/access"), narrower);
    assert_eq!(
        send(&business, &key, "GET", "/remittances", &Value::Null).code(),
        "permission_missing"
    );
    business.as_manager(200, "POST", &revoke, json!({}));
    assert_eq!(
        send(&business, &key, "GET", "/feed", &Value::Null).code(),
        "api_key_revoked"
    );
}

#[test]
fn nobody_gives_more_than_he_has_by_sets_users_passwords_keys_or_sessions() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let writes = ["office", "parties", "integrations"];
    let set = own_set(&business, "Personal", &["reports"], &writes);
    let (_, token) = hired(&business, "chief@example.test", json!({"permissionSet": set}));
    let profile = business
        .client
        .expect(200, &business.manager, "GET", "/users/profile", None);
    let manager = text(&profile["id"]);
    let refused = |method: &str, path: &str, body: Value, permission: &str| {
        let answer = send(&business, &token, method, path, &body);
        assert_eq!(
            missing(&answer),
            (403, "beyond_own_permissions".into(), permission.into()),
            "{method} {path}: {}",
            answer.body
        );
    };
    let user =
        |set: Value| json!({"name": "Pía", "email": "pia@example.test", "password": PASSWORD, "permissionSet": set});
    let all: Vec<&str> = Area::ALL.iter().map(|area| area.as_str()).collect();
    refused(
        "POST",
        "/permission_sets",
        json!({"name": "Todo", "reads": [], "writes": all}),
        "sales:read",
    );
    let wider = json!({"name": "Personal", "reads": ["audit"], "writes": writes});
    refused("PUT", &format!("/permission_sets/{set}"), wider, "audit:read");
    refused("POST", "/users", user(Value::Null), "sales:read");
    refused("POST", "/users", user(json!("auditor")), "sales:read");
    refused(
        "PUT",
        &format!("/users/{manager}"),
        json!({"password": "Other-1pass"}),
        "sales:read",
    );
    refused(
        "PUT",
        &format!("/users/{manager}"),
        json!({"name": "Otro"}),
        "sales:read",
    );
    refused(
        "PUT",
        &format!("/users/{manager}/access"),
        json!({"permissionSet": set}),
        "sales:read",
    );
    refused("DELETE", &format!("/users/{manager}"), json!({}), "sales:read");
    refused(
        "DELETE",
        &format!("/sessions?partyId={manager}"),
        json!({}),
        "sales:read",
    );
    refused(
        "PUT",
        "/agency",
        json!({"id": business.agency, "name": "Agency", "email": "agency@example.test", "password": "Other-1pass"}),
        "sales:read",
    );
    let key = json!({"name": "Llave", "partyId": business.agency, "scopes": ["remittances:write"],
                     "expiresAt": (Utc::now() + Duration::days(2)).to_rfc3339()});
    refused("POST", "/keys", key, "sales:read");
    let added = send(&business, &token, "POST", "/users", &user(json!(set)));
    assert_eq!(added.status, 201, "{}", added.body);
    // Of the own key: no scope beyond the set.
    let scopes = send(&business, &token, "GET", "/keys/scopes", &Value::Null).body;
    let scopes: Vec<String> = scopes["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|scope| text(&scope["scope"]))
        .collect();
    assert!(scopes.contains(&"reports:read".to_owned()), "{scopes:?}");
    assert!(!scopes.contains(&"remittances:write".to_owned()), "{scopes:?}");
    let answer = send(&business, &token, "GET", "/permission_sets", &Value::Null).body;
    let sets = answer["results"].as_array().unwrap();
    let given: Vec<bool> = sets.iter().map(|set| set["mayGive"].as_bool().unwrap()).collect();
    assert_eq!(given, [false, false, false, false, false, true]);
}

#[test]
fn a_member_whose_access_ends_earlier_ends_no_others_sessions_or_sign_on_and_sees_as_nobody_who_stays_longer() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let set = own_set(&business, "Personal", &["sales"], &["office"]);
    let in_days = |days| (Utc::now() + Duration::days(days)).to_rfc3339();
    let member =
        |email: &str, end: Value| hired(&business, email, json!({"permissionSet": set, "accessExpiresAt": end}));
    let (_, token) = member("short@example.test", json!(in_days(2)));
    let (longer, of_longer) = member("longer@example.test", json!(in_days(3)));
    let (endless, _) = member("endless@example.test", Value::Null);
    let (shorter, of_shorter) = member("shorter@example.test", json!(in_days(1)));
    let session_of = |id: &str| {
        let path = format!("/sessions?partyId={id}");
        let answer = send(&business, &token, "GET", &path, &Value::Null);
        assert_eq!(answer.status, 200, "to read them needs the area: {}", answer.body);
        text(&answer.body["results"][0]["id"])
    };
    let acts = |id: &str| {
        let session = session_of(id);
        [
            ("POST", format!("/users/{id}/viewing"), 201),
            ("DELETE", format!("/users/{id}/sign_on"), 204),
            ("DELETE", format!("/sessions/{session}?partyId={id}"), 204),
            ("DELETE", format!("/sessions?partyId={id}"), 204),
        ]
    };
    for (method, path, _) in acts(&longer).iter().chain(&acts(&endless)) {
        let answer = send(&business, &token, method, path, &json!({}));
        assert_eq!(
            (answer.status, answer.code()),
            (403, "beyond_own_access"),
            "{method} {path}: {}",
            answer.body
        );
    }
    let profile = |token: &str| send(&business, token, "GET", "/users/profile", &Value::Null).status;
    assert_eq!(profile(&of_longer), 200);
    for (method, path, done) in acts(&shorter) {
        let answer = send(&business, &token, method, &path, &json!({}));
        assert_eq!(answer.status, done, "{method} {path}: {}", answer.body);
    }
    assert_eq!(profile(&of_shorter), 401);
}

#[test]
fn a_member_whose_access_ends_gives_nobody_more_for_longer_by_the_set_that_he_has() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let chief = own_set(&business, "Jefatura", &["sales", "audit"], &["office"]);
    let set = own_set(&business, "Personal", &["sales"], &[]);
    let end = (Utc::now() + Duration::days(2)).to_rfc3339();
    let (_, token) = hired(
        &business,
        "short@example.test",
        json!({"permissionSet": chief, "accessExpiresAt": end}),
    );
    let path = format!("/permission_sets/{set}");
    let wider = json!({"name": "Personal", "reads": ["sales", "audit"], "writes": []});
    let narrower = json!({"name": "Personal", "reads": ["sales"], "writes": []});
    let put = |body: &Value| send(&business, &token, "PUT", &path, body);
    let free = put(&narrower);
    assert_eq!(free.status, 200, "nobody has it: {}", free.body);
    let (_, endless) = hired(&business, "endless@example.test", json!({"permissionSet": set}));
    for body in [&wider, &narrower] {
        let answer = put(body);
        assert_eq!(
            (answer.status, answer.code()),
            (403, "beyond_own_access"),
            "{}",
            answer.body
        );
    }
    let log = send(&business, &endless, "GET", "/audit/events", &Value::Null);
    assert_eq!(missing(&log), (403, "permission_missing".into(), "audit:read".into()));
}

#[test]
fn the_last_full_manager_stays_one() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    hired(&business, "auditor@example.test", json!({"permissionSet": "auditor"}));
    let users = business
        .client
        .expect(200, &business.manager, "GET", "/users?userType=5", None);
    let rows = users["data"].as_array().unwrap();
    let manager = rows.iter().find(|row| row["email"] == MANAGER).unwrap();
    let id = text(&manager["id"]);
    let deletes = manager["actions"]
        .as_array()
        .unwrap()
        .iter()
        .find(|action| action["action"] == "delete");
    assert_eq!(deletes.unwrap()["refusal"], "last_manager");
    let ends = (Utc::now() + Duration::days(1)).to_rfc3339();
    for (method, path, body) in [
        (
            "PUT",
            format!("/users/{id}/access"),
            json!({"permissionSet": "auditor"}),
        ),
        ("PUT", format!("/users/{id}/access"), json!({"accessExpiresAt": ends})),
        ("PUT", format!("/users/{id}"), json!({"isActive": false})),
        ("DELETE", format!("/users/{id}"), json!({})),
    ] {
        let answer = send(&business, &business.manager, method, &path, &body);
        assert_eq!((answer.status, answer.code()), (409, "last_manager"), "{method} {path}");
    }
}

#[test]
fn feed_news_attention_and_files_tell_only_of_the_areas_that_are_read() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("100000");
    business.as_agency(201, "POST", "/remittances", business.sale("100"));
    let set = own_set(&business, "Clientes", &["customers", "integrations"], &[]);
    let (_, token) = hired(&business, "clerk@example.test", json!({"permissionSet": set}));
    let feed = send(&business, &token, "GET", "/feed?limit=500", &Value::Null);
    let types = |feed: &Answer| -> Vec<String> {
        feed.body
            .as_array()
            .unwrap()
            .iter()
            .map(|event| text(&event["type"]))
            .collect()
    };
    let told = types(&feed);
    assert!(told.iter().any(|kind| kind.starts_with("caudal.customer.")), "{told:?}");
    let foreign = ["caudal.remittance.", "caudal.movement.", "caudal.party."];
    assert!(
        !told.iter().any(|kind| foreign.iter().any(|of| kind.starts_with(of))),
        "{told:?}"
    );
    let all = types(&send(
        &business,
        &business.manager,
        "GET",
        "/feed?limit=500",
        &Value::Null,
    ));
    assert!(
        foreign.iter().all(|of| all.iter().any(|kind| kind.starts_with(of))),
        "{all:?}"
    );
    let positions: Vec<String> = (1..=server.head("acme"))
        .rev()
        .take(50)
        .map(|at| at.to_string())
        .collect();
    let path = format!("/events/news?positions={}", positions.join(","));
    let kinds = |token: &str| -> Vec<String> {
        let news = send(&business, token, "GET", &path, &Value::Null).body;
        news["news"]
            .as_array()
            .unwrap()
            .iter()
            .map(|news| text(&news["kind"]))
            .collect()
    };
    assert!(kinds(&business.manager).contains(&"remittance".to_owned()));
    let told = kinds(&token);
    assert!(told.contains(&"customer".to_owned()), "{told:?}");
    // Of parties the own record alone.
    let foreign = ["remittance", "movement"];
    assert!(!told.iter().any(|kind| foreign.contains(&kind.as_str())), "{told:?}");
    let attention = send(&business, &token, "GET", "/dashboard/attention", &Value::Null).body;
    assert_eq!(attention["results"], json!([]));
    assert_eq!(attention["counts"]["lowBalance"], 0);
}

/// What the screen of permission sets says of each area.
const WORDS: &str = include_str!("../../frontend/src/features/users/i18n/en.json");
const PAGE: &str = include_str!("../../docs/areas.md");

/// The page of areas: the words, and the calls that they are about.
fn page_of_areas() -> String {
    let words: Value = serde_json::from_str(WORDS).unwrap();
    let mut page = String::from(
        "# What each area allows\n\n\
         The words of the screen of permission sets, and the calls that they are about: those of the policy table. A call of \
         several areas needs one of them. A test holds words, calls and this page equal \
         (`office::the_page_of_areas_has_the_words_of_the_screen_and_the_calls_of_the_policy_table`) and says how to write it \
         anew; whoever changes a call's area sees here what the screen says of it.\n",
    );
    for area in Area::ALL {
        page += &format!("\n## {}\n", area.as_str());
        for (right, name) in [(Right::Read, "read"), (Right::Write, "write")] {
            page += &format!("\n**{name}**: {}\n\n", text(&words["areas"][area.as_str()][name]));
            let rows = TABLE
                .iter()
                .filter(|row| row.right == right && row.areas.contains(area));
            let calls: Vec<String> = rows.map(|row| format!("- `{} {}`\n", row.method, row.path)).collect();
            page += &if calls.is_empty() {
                "- none\n".to_owned()
            } else {
                calls.concat()
            };
        }
    }
    page
}

#[test]
fn the_page_of_areas_has_the_words_of_the_screen_and_the_calls_of_the_policy_table() {
    let page = page_of_areas();
    if page != PAGE {
        let written = std::env::temp_dir().join("areas.md");
        std::fs::write(&written, &page).unwrap();
        panic!(
            "words or areas changed: see that the words in both languages say what the calls do, and copy {} to docs/areas.md",
            written.display()
        );
    }
}
