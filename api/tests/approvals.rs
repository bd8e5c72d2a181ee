//! Approvals: a covered command waits for a second person, and takes effect once.

use crate::support::{Business, Call, MANAGER, PASSWORD, Server, text};
use caudal_domain::{Command, customer::CustomerCommand, erasure::Forget, ids::CustomerId};
use chrono::Duration;
use serde_json::{Value, json};
use std::thread;
use uuid::Uuid;

const ROLES: [&str; 6] = [
    "manager",
    "agency",
    "external_agent",
    "internal_agent",
    "dealer",
    "delivery_man",
];

struct Office<'a> {
    server: &'a Server,
    business: Business,
    /// A second manager.
    second: String,
}

impl<'a> Office<'a> {
    fn open(server: &'a Server, tenant: &str) -> Self {
        let business = Business::new(server, tenant);
        let second = json!({"name": "Second", "email": "second@example.test", "password": PASSWORD});
        business.as_manager(201, "POST", "/users", second);
        let second = business.client.login("second@example.test", PASSWORD);
        Self {
            server,
            business,
            second,
        }
    }

    fn rule(&self, kind: &str, more: Value) -> Value {
        let mut rule = json!({"kind": kind, "makers": ROLES, "approvers": "manager", "expiresAfterHours": 24});
        for (name, value) in more.as_object().unwrap() {
            rule[name] = value.clone();
        }
        self.business.as_manager(201, "POST", "/approval-rules", rule)
    }

    fn as_second(&self, status: u16, method: &str, path: &str, body: Value) -> Value {
        let body = (method != "GET").then_some(body);
        self.business.client.expect(status, &self.second, method, path, body)
    }

    fn assign(&self) -> (String, Value) {
        let path = format!("/sources/deposit/{}", self.business.agency);
        let body = json!({"paymentGroupId": self.business.cup, "amount": "3200", "onCredit": true});
        (path, body)
    }

    /// Proposes an assignment on credit of 10 USD.
    fn propose(&self) -> String {
        let (path, body) = self.assign();
        text(&self.business.as_manager(202, "POST", &path, body)["id"])
    }

    fn read(&self, id: &str) -> Value {
        self.as_second(200, "GET", &format!("/proposals/{id}"), json!({}))
    }

    /// What the agency owes.
    fn owed(&self) -> String {
        self.business.balance("debits", "USD")
    }
}

fn approval(id: &str) -> String {
    format!("/proposals/{id}/approve")
}

#[test]
fn a_covered_command_answers_202_and_takes_effect_as_its_makers_with_the_approval() {
    let server = Server::start(&["four"]);
    let office = Office::open(&server, "four");
    let business = &office.business;
    let (path, body) = office.assign();
    let preview = |token: &str| {
        business.client.send(
            Call::new("POST", &format!("{path}?preview=true"))
                .token(token)
                .json(&body),
        )
    };
    assert_eq!(preview(&business.manager).body["approval"], Value::Null);
    office.rule("assignment_on_credit", json!({"fromAmount": "10.00"}));
    let previewed = preview(&business.manager).body;
    assert_eq!(
        previewed["approval"],
        json!({"kind": "assignment_on_credit", "approvers": "manager", "expiresAfterHours": 24})
    );
    assert!(!previewed["transfers"].as_array().unwrap().is_empty());

    let call = || Call::new("POST", &path).token(&business.manager).key("assign-1");
    let first = business.client.send(call().json(&body));
    assert_eq!(
        (first.status, first.body["status"].as_str()),
        (202, Some("waiting")),
        "{}",
        first.body
    );
    let id = text(&first.body["id"]);
    assert_eq!(first.header("location"), format!("/api/proposals/{id}"));
    assert_eq!(
        (
            &first.body["amount"],
            &first.body["figures"]["totalToPay"],
            &first.body["mayDecide"]
        ),
        (&json!("10.00"), &json!("10.00"), &json!(false))
    );
    assert_eq!(office.owed(), "0.00");
    let head = server.head("four");

    let mine = business.client.send(
        Call::new("POST", &approval(&id))
            .token(&business.manager)
            .json(&json!({})),
    );
    assert_eq!((mine.status, mine.code()), (403, "own_proposal"));
    business.as_agency(404, "POST", &approval(&id), json!({}));
    let seen = office.read(&id);
    assert_eq!(
        (
            &seen["mayDecide"],
            &seen["command"]["command"],
            &seen["command"]["deposit"]["amount"]
        ),
        (&json!(true), &json!("deposit"), &json!("3200.00"))
    );
    let waiting = office.as_second(200, "GET", "/proposals?waiting=true", json!({}));
    assert_eq!(waiting["totalRecords"], 1);
    let shown = office.as_second(200, "POST", &format!("{}?preview=true", approval(&id)), json!({}));
    assert_eq!(shown["transfers"], previewed["transfers"]);
    assert_eq!(server.head("four"), head, "nothing was written");

    let approved = office.as_second(200, "POST", &approval(&id), json!({}));
    assert_eq!(
        (&approved["status"], &approved["decidedBy"]["name"]),
        (&json!("approved"), &json!("Second"))
    );
    assert_eq!(office.owed(), "10.00");
    let number = text(&approved["number"]);
    let moved = business
        .client
        .expect(200, &business.manager, "GET", "/sources/movements", None);
    let moved = moved["data"].as_array().unwrap();
    let of_approval: Vec<_> = moved.iter().filter(|row| row["number"] == number.as_str()).collect();
    assert_eq!(of_approval.len(), 1);
    assert_eq!(of_approval[0]["approvedBy"]["name"], "Second");
    assert_ne!(of_approval[0]["actor"]["name"], "Second");

    // The same key: the same answer, though the proposal is decided.
    let again = business.client.send(call().json(&body));
    assert_eq!((again.status, &again.body), (202, &first.body));
    assert_eq!(office.owed(), "10.00");
    office.as_second(409, "POST", &approval(&id), json!({}));
}

#[test]
fn two_approvers_at_once_make_one_effect() {
    let server = Server::start(&["race"]);
    let office = Office::open(&server, "race");
    let third = json!({"name": "Third", "email": "third@example.test", "password": PASSWORD});
    office.business.as_manager(201, "POST", "/users", third);
    let third = office.business.client.login("third@example.test", PASSWORD);
    office.rule("assignment_on_credit", json!({}));
    for round in 1..=3 {
        let id = office.propose();
        let path = approval(&id);
        let answers: Vec<u16> = thread::scope(|scope| {
            let tokens = [&office.second, &third, &office.second, &third];
            let calls = tokens.map(|token| {
                let (client, path) = (office.business.client.clone(), &path);
                scope.spawn(move || {
                    client
                        .send(Call::new("POST", path).token(token).json(&json!({})))
                        .status
                })
            });
            calls.into_iter().map(|call| call.join().unwrap()).collect()
        });
        assert_eq!(
            answers.iter().filter(|status| **status == 200).count(),
            1,
            "{answers:?}"
        );
        assert_eq!(
            answers.iter().filter(|status| **status == 409).count(),
            3,
            "{answers:?}"
        );
        assert_eq!(office.owed(), format!("{}.00", round * 10));
    }
}

#[test]
fn a_rejection_a_withdrawal_and_an_expiry_end_a_proposal_without_effect() {
    let server = Server::start(&["ends"]);
    let office = Office::open(&server, "ends");
    office.rule("assignment_on_credit", json!({}));
    let (rejected, withdrawn, expired) = (office.propose(), office.propose(), office.propose());
    let refused = office.as_second(422, "POST", &format!("/proposals/{rejected}/reject"), json!({}));
    assert_eq!(refused["errors"][0]["field"], "reason");
    let reason = json!({"reason": "The earlier debts first."});
    office.as_second(200, "POST", &format!("/proposals/{rejected}/reject"), reason);
    let read = office.read(&rejected);
    assert_eq!(
        (&read["status"], &read["reason"]),
        (&json!("rejected"), &json!("The earlier debts first."))
    );
    let path = format!("/proposals/{withdrawn}/withdraw");
    office.as_second(404, "POST", &path, json!({}));
    office.business.as_manager(200, "POST", &path, json!({}));
    assert_eq!(office.read(&withdrawn)["status"], "withdrawn");
    for id in [&rejected, &withdrawn] {
        let refused = office.as_second(409, "POST", &approval(id), json!({}));
        assert_eq!(refused["code"], "proposal_not_waiting");
    }
    office.server.pass(Duration::hours(24));
    let second = office.business.client.login("second@example.test", PASSWORD);
    let late = office
        .business
        .client
        .send(Call::new("POST", &approval(&expired)).token(&second).json(&json!({})));
    assert_eq!((late.status, late.code()), (409, "proposal_expired"));
    // The database's clock did not move.
    let read = |path: &str| office.business.client.expect(200, &second, "GET", path, None);
    let seen = read(&format!("/proposals/{expired}"));
    assert_eq!(
        (&seen["status"], &seen["mayDecide"]),
        (&json!("expired"), &json!(false))
    );
    let count = |waiting: &str| read(&format!("/proposals?waiting={waiting}"))["totalRecords"].clone();
    assert_eq!((count("true"), count("false")), (json!(0), json!(3)));
    office
        .business
        .client
        .expect(422, &second, "GET", "/proposals?waiting=maybe", None);
}

#[test]
fn changed_figures_are_confirmed_again_by_the_approver() {
    let server = Server::start(&["figures"]);
    let office = Office::open(&server, "figures");
    office.rule("assignment_on_credit", json!({}));
    let id = office.propose();
    let path = format!("/agency/exchange_rate/{}", office.business.agency);
    let rate = json!({"paymentGroupId": office.business.cup, "exchangeRate": "300"});
    office.business.as_manager(200, "PUT", &path, rate);
    let refused = office.as_second(409, "POST", &approval(&id), json!({}));
    assert_eq!(
        (
            &refused["code"],
            &refused["proposed"]["totalToPay"],
            &refused["figures"]["totalToPay"]
        ),
        (&json!("quote_changed"), &json!("10.00"), &json!("10.67"))
    );
    assert_eq!(office.read(&id)["figures"]["totalToPay"], "10.00");
    for part in [json!({}), json!({"payout": "3200.00"})] {
        let refused = office.as_second(409, "POST", &approval(&id), json!({"expected": part}));
        assert_eq!(refused["code"], "quote_changed");
    }
    let confirmed = json!({"expected": {"payout": "3200.00", "totalToPay": "10.67"}});
    office.as_second(200, "POST", &approval(&id), confirmed);
    assert_eq!(office.owed(), "10.67");
}

#[test]
fn a_new_user_can_log_in_only_after_the_approval() {
    let server = Server::start(&["users"]);
    let office = Office::open(&server, "users");
    office.rule("user", json!({}));
    let user = json!({"name": "Fourth", "email": "fourth@example.test", "password": PASSWORD});
    let taken = json!({"name": "Again", "email": "second@example.test", "password": PASSWORD});
    let taken = office.business.as_manager(409, "POST", "/users", taken);
    assert_eq!(taken["code"], "email_taken");
    let id = text(&office.business.as_manager(202, "POST", "/users", user)["id"]);
    let login = json!({"email": "fourth@example.test", "password": PASSWORD});
    let refused = office
        .business
        .client
        .send(Call::new("POST", "/auth0/login").json(&login));
    assert_eq!(refused.status, 401, "{}", refused.body);
    assert_eq!(
        office.read(&id)["command"]["register"]["details"]["email"],
        "fourth@example.test"
    );
    office.as_second(200, "POST", &approval(&id), json!({}));
    office.business.client.login("fourth@example.test", PASSWORD);
}

#[test]
fn a_proposed_user_is_forgotten_where_the_proposal_is_rejected_withdrawn_or_expired() {
    let server = Server::start(&["unborn"]);
    let office = Office::open(&server, "unborn");
    office.rule("user", json!({}));
    let propose = |name: &str| {
        let user = json!({"name": name, "email": format!("{name}@example.test"), "password": PASSWORD});
        text(&office.business.as_manager(202, "POST", "/users", user)["id"])
    };
    let (rejected, withdrawn, expired) = (propose("rita"), propose("walter"), propose("elena"));
    let reason = json!({"reason": "Who is that?"});
    office.as_second(200, "POST", &format!("/proposals/{rejected}/reject"), reason);
    let path = format!("/proposals/{withdrawn}/withdraw");
    office.business.as_manager(200, "POST", &path, json!({}));
    server.end_expired_proposals();
    assert_eq!(office.read(&expired)["command"]["register"]["details"]["name"], "elena");
    server.pass(Duration::hours(24));
    let second = office.business.client.login("second@example.test", PASSWORD);
    server.end_expired_proposals();
    server.end_expired_proposals();
    let read = |id: &str| {
        let path = format!("/proposals/{id}");
        office.business.client.expect(200, &second, "GET", &path, None)
    };
    for (id, status) in [
        (&rejected, "rejected"),
        (&withdrawn, "withdrawn"),
        (&expired, "expired"),
    ] {
        let read = read(id);
        assert_eq!((&read["status"], &read["command"]), (&json!(status), &Value::Null));
    }
    assert_eq!(read(&rejected)["reason"], "Who is that?");
}

#[test]
fn erasure_takes_a_proposed_persons_details_away() {
    let server = Server::start(&["cards"]);
    let office = Office::open(&server, "cards");
    let business = &office.business;
    let rule = office.rule("card_number", json!({}));
    assert_eq!(rule["warnings"], json!([]));
    let number = "9225061234567890";
    let card = json!({"customerId": business.recipient, "cardNumber": number, "brand": "bandec_mlc"});
    let proposed = business.as_agency(202, "POST", "/customer/add_card", card);
    let id = text(&proposed["id"]);
    let shown = text(&office.read(&id)["command"]["card"]["number"]);
    assert!(
        shown.starts_with("****") && shown.ends_with(&number[number.len() - 4..]),
        "{shown}"
    );
    // The rows have no copy.
    let list = office.as_second(200, "GET", "/proposals", json!({})).to_string();
    assert!(!list.contains(number), "{list}");

    let recipient: Uuid = business.recipient.parse().unwrap();
    let order = Forget {
        retention_days: 0,
        last_business: None,
    };
    server.submit(
        "cards",
        Command::Customer(CustomerId(recipient), CustomerCommand::Forget(order)),
    );
    let read = office.read(&id);
    assert_eq!((&read["status"], &read["command"]), (&json!("erased"), &Value::Null));
    let refused = office.as_second(409, "POST", &approval(&id), json!({}));
    assert_eq!(refused["code"], "proposal_erased");
}

#[test]
fn a_card_that_was_proposed_twice_is_approved_once_and_a_change_of_the_recipient_outdates_none() {
    let server = Server::start(&["twice"]);
    let office = Office::open(&server, "twice");
    let business = &office.business;
    office.rule("card_number", json!({}));
    let propose = || {
        let card = json!({"customerId": business.recipient, "cardNumber": "9225061234567890", "brand": "bandec_mlc"});
        text(&business.as_agency(202, "POST", "/customer/add_card", card)["id"])
    };
    let [first, second] = [propose(), propose()];
    let change = json!({"alias": "Tía", "was": {}});
    business.as_agency(200, "PUT", &format!("/customer/{}", business.recipient), change);
    let approve = |status: u16, id: &str| office.as_second(status, "POST", &approval(id), json!({}));
    assert_eq!(approve(200, &first)["status"], "approved");
    let refused = approve(409, &second);
    assert_eq!(refused["code"], "card_exists");
    assert_eq!(office.read(&second)["status"], "waiting");
}

#[test]
fn rules_are_the_managers_and_another_tenant_sees_neither_rules_nor_proposals() {
    let server = Server::start(&["mine", "theirs"]);
    let office = Office::open(&server, "mine");
    let theirs = Business::new(&server, "theirs");
    let rule = office.rule("assignment_on_credit", json!({}));
    let id = office.propose();
    let listed = theirs
        .client
        .expect(200, &theirs.manager, "GET", "/approval-rules", None);
    assert_eq!(listed, json!({"results": []}));
    let listed = theirs.client.expect(200, &theirs.manager, "GET", "/proposals", None);
    assert_eq!(listed["totalRecords"], 0);
    theirs
        .client
        .expect(404, &theirs.manager, "GET", &format!("/proposals/{id}"), None);
    theirs.as_manager(404, "POST", &approval(&id), json!({}));
    theirs.as_manager(404, "POST", &format!("/proposals/{id}/reject"), json!({"reason": "x"}));
    let path = format!("/approval-rules/{}", text(&rule["id"]));
    theirs.as_manager(404, "DELETE", &path, json!({}));
    office.business.as_agency(403, "GET", "/approval-rules", json!({}));
    let own = office
        .business
        .client
        .expect(200, &office.business.agency_token, "GET", "/proposals", None);
    assert_eq!(own["totalRecords"], 0);

    let bad =
        json!({"kind": "closing", "makers": [], "approvers": "dealer", "fromAmount": "1", "expiresAfterHours": 0});
    let bad = office.business.as_manager(422, "POST", "/approval-rules", bad);
    assert_eq!(bad["errors"][0]["field"], "makers");
    let unknown = json!({"kind": "x", "makers": ["y"], "expiresAfterHours": "z"});
    let unknown = office.business.as_manager(422, "POST", "/approval-rules", unknown);
    assert_eq!(unknown["errors"].as_array().unwrap().len(), 4, "{unknown}");
    office.business.as_manager(204, "DELETE", &path, json!({}));
    let (deposit, body) = office.assign();
    office.business.as_manager(201, "POST", &deposit, body);
}

#[test]
fn a_change_of_the_rules_waits_where_a_rule_covers_it() {
    let server = Server::start(&["rules"]);
    let office = Office::open(&server, "rules");
    let own = office.rule("approval_rules", json!({"makers": ["manager"]}));
    let path = format!("/approval-rules/{}", text(&own["id"]));
    let waits = office
        .business
        .client
        .send(Call::new("DELETE", &path).token(&office.business.manager));
    assert_eq!(waits.status, 202, "{}", waits.body);
    let rules = || {
        office
            .business
            .client
            .expect(200, &office.business.manager, "GET", "/approval-rules", None)
    };
    assert_eq!(rules()["results"].as_array().unwrap().len(), 1);
    office.as_second(200, "POST", &approval(&text(&waits.body["id"])), json!({}));
    assert_eq!(rules(), json!({"results": []}));
}

/// A setting that two managers change.
struct Setting {
    path: String,
    /// What the first manager proposes, what the second one proposes and gets approved, and what the first one proposes then.
    bodies: [Value; 3],
    /// Path and body of another record of the same kind, whose change makes no proposal outdated.
    other: Option<(String, Value)>,
}

#[test]
fn a_proposal_made_before_a_later_change_of_the_same_setting_is_outdated_and_takes_nothing_back() {
    let server = Server::start(&["stale"]);
    let office = Office::open(&server, "stale");
    let business = &office.business;
    for list in ["ofac-sdn", "eu", "un"] {
        server.load_list(list, "id;name\n1;Somebody ELSE\n");
    }
    let added = |path: &str, body: Value| text(&business.as_manager(201, "POST", path, body)["id"]);
    let limit = |amount: &str| json!({"side": "sender", "window": "days30", "amount": amount, "outcome": "hold"});
    let (limit_rule, other_limit) = (added("/limit-rules", limit("100")), added("/limit-rules", limit("90")));
    let expense = |hours: u32| json!({"kind": "expense", "makers": ["dealer"], "approvers": "manager", "expiresAfterHours": hours});
    let (rule, other_rule) = (
        added("/approval-rules", expense(24)),
        added("/approval-rules", expense(23)),
    );
    let set = |name: &str, reads: &[&str]| json!({"name": name, "reads": reads, "writes": []});
    let (held, other_held) = (
        added("/permission_sets", set("Uno", &["reports"])),
        added("/permission_sets", set("Dos", &["reports"])),
    );
    for (email, set) in [("uno@example.test", &held), ("dos@example.test", &other_held)] {
        let user = json!({"name": "Olga", "email": email, "password": PASSWORD, "permissionSet": set});
        business.as_manager(201, "POST", "/users", user);
    }
    business.as_manager(200, "PUT", "/screening/lists", json!({"lists": {"ofac-sdn": 86}}));
    for kind in ["limit_rules", "screening_rules", "user", "approval_rules"] {
        office.rule(kind, json!({"makers": ["manager"]}));
    }
    let settings = [
        Setting {
            path: "/screening/lists".into(),
            bodies: [
                json!({"lists": {"ofac-sdn": 86, "eu": 86}}),
                json!({"lists": {"ofac-sdn": 86, "un": 86}}),
                json!({"lists": {"ofac-sdn": 86, "eu": 86, "un": 86}}),
            ],
            other: None,
        },
        Setting {
            path: format!("/limit-rules/{limit_rule}"),
            bodies: [limit("200"), limit("50"), limit("60")],
            other: Some((format!("/limit-rules/{other_limit}"), limit("95"))),
        },
        Setting {
            path: format!("/approval-rules/{rule}"),
            bodies: [expense(48), expense(12), expense(13)],
            other: Some((format!("/approval-rules/{other_rule}"), expense(25))),
        },
        Setting {
            path: format!("/permission_sets/{held}"),
            bodies: [
                set("Uno", &["reports", "audit"]),
                set("Uno", &["reports", "rates"]),
                set("Uno", &["reports", "rates", "sales"]),
            ],
            other: Some((
                format!("/permission_sets/{other_held}"),
                set("Dos", &["reports", "rates"]),
            )),
        },
    ];
    for Setting { path, bodies, other } in settings {
        let [first, later, again] = bodies;
        let removes = other.is_some() && !path.starts_with("/permission_sets");
        let stale = text(&business.as_manager(202, "PUT", &path, first)["id"]);
        let removal = removes.then(|| text(&business.as_manager(202, "DELETE", &path, json!({}))["id"]));
        let unrelated = other.map(|(path, body)| text(&business.as_manager(202, "PUT", &path, body)["id"]));
        let meanwhile = text(&office.as_second(202, "PUT", &path, later)["id"]);
        business.as_manager(200, "POST", &approval(&meanwhile), json!({}));
        let head = server.head("stale");
        for stale in [Some(stale), removal].into_iter().flatten() {
            let refused = office.as_second(409, "POST", &approval(&stale), json!({}));
            assert_eq!(refused["code"], "proposal_outdated", "{path}");
        }
        assert_eq!(server.head("stale"), head, "{path}");
        // A change of another record, and a proposal on the new state, are approved.
        let last = text(&business.as_manager(202, "PUT", &path, again)["id"]);
        for proposal in unrelated.into_iter().chain([last]) {
            office.as_second(200, "POST", &approval(&proposal), json!({}));
        }
    }
}

#[test]
fn a_proposal_names_whom_it_concerns_until_the_persons_erasure() {
    let server = Server::start(&["named"]);
    let office = Office::open(&server, "named");
    let business = &office.business;
    office.rule("assignment_on_credit", json!({}));
    office.rule("card_number", json!({}));
    office.rule("user", json!({}));
    let id = office.propose();
    let read = office.read(&id);
    let named = json!({"id": business.agency, "name": "Agency"});
    assert_eq!(read["concerns"], named);
    let owners: Vec<&Value> = read["transfers"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|transfer| [&transfer["debit"]["owner"], &transfer["credit"]["owner"]])
        .filter(|owner| !owner.is_null())
        .collect();
    assert!(
        !owners.is_empty() && owners.iter().all(|owner| **owner == named),
        "{owners:?}"
    );

    let card = json!({"customerId": business.recipient, "cardNumber": "9225061234567890", "brand": "bandec_mlc"});
    let id = text(&business.as_agency(202, "POST", "/customer/add_card", card)["id"]);
    let concerns = |id: &str| office.read(id)["concerns"].clone();
    assert_eq!(concerns(&id)["id"], business.recipient.as_str());
    assert!(concerns(&id)["name"].is_string());
    let recipient: Uuid = business.recipient.parse().unwrap();
    let order = Forget {
        retention_days: 0,
        last_business: None,
    };
    let forget = CustomerCommand::Forget(order);
    server.submit("named", Command::Customer(CustomerId(recipient), forget));
    assert_eq!(concerns(&id), json!({"id": business.recipient, "name": null}));

    let user = json!({"name": "Fourth", "email": "fourth@example.test", "password": PASSWORD});
    let id = text(&business.as_manager(202, "POST", "/users", user)["id"]);
    assert_eq!(concerns(&id), Value::Null, "nobody yet");
}

#[test]
fn a_hand_out_between_two_parties_names_who_receives_also_to_who_gives() {
    let server = Server::start(&["handed"]);
    let office = Office::open(&server, "handed");
    let business = &office.business;
    business.fund("100000");
    let cash = json!({"currency": "CUP", "amount": "9000"});
    business.as_manager(201, "POST", "/sources/deposit/manager", cash.clone());
    let to_dealer = format!("/sources/deposit/dealer/{}", business.dealer);
    business.as_manager(201, "POST", &to_dealer, cash);
    let man = json!({"name": "Man", "email": "man@example.test", "password": PASSWORD, "dealerId": business.dealer});
    let man = text(&business.as_manager(201, "POST", "/delivery_men", man)["id"]);
    let terms = json!({"paymentGroupId": business.cup, "agentCommission": {"rate": "1"}});
    let agent = json!({"name": "Agent", "email": "agent@example.test", "password": PASSWORD, "agentType": 1,
                       "paymentGroups": [terms]});
    let agent = text(&business.as_agency(201, "POST", "/agent", agent)["id"]);
    office.rule("assignment_on_cash", json!({}));
    let dealer = business.client.login("dealer@example.test", PASSWORD);
    for (token, path, body, named) in [
        (
            &dealer,
            format!("/sources/deposit/delivery/{man}"),
            json!({"currency": "CUP", "amount": "10"}),
            json!({"id": man, "name": "Man"}),
        ),
        (
            &business.agency_token,
            format!("/sources/deposit/agent/{agent}"),
            json!({"paymentGroupId": business.cup, "amount": "3200"}),
            json!({"id": agent, "name": "Agent"}),
        ),
    ] {
        let proposed = business.client.expect(202, token, "POST", &path, Some(body));
        assert_eq!(proposed["concerns"], named, "to its maker");
        assert_eq!(office.read(&text(&proposed["id"]))["concerns"], named);
    }
}

#[test]
fn what_somebody_proposed_is_not_among_what_he_may_decide() {
    let server = Server::start(&["badge"]);
    let office = Office::open(&server, "badge");
    office.rule("assignment_on_credit", json!({}));
    office.propose();
    let count = |token: &str, filter: &str| {
        let path = format!("/proposals?{filter}");
        let page = office.business.client.expect(200, token, "GET", &path, None);
        page["totalRecords"].clone()
    };
    let (first, agency) = (&office.business.manager, &office.business.agency_token);
    assert_eq!(count(first, "mayDecide=true"), 0);
    assert_eq!(count(first, "mayDecide=false"), 1);
    assert_eq!(count(first, "waiting=true"), 1);
    assert_eq!(count(&office.second, "mayDecide=true"), 1);
    assert_eq!(count(&office.second, "mayDecide=false"), 0);
    assert_eq!(count(agency, "mayDecide=true"), 0);
    office
        .business
        .client
        .expect(422, first, "GET", "/proposals?mayDecide=maybe", None);
}

#[test]
fn a_member_of_the_office_is_shown_proposals_of_the_areas_that_he_reads_whatever_their_kind() {
    let server = Server::start(&["areas"]);
    let office = Office::open(&server, "areas");
    let business = &office.business;
    let hired = |area: &str| {
        let set = json!({"name": area, "reads": [], "writes": [area]});
        let set = text(&business.as_manager(201, "POST", "/permission_sets", set)["id"]);
        let email = format!("{area}@example.test");
        let body = json!({"name": area, "email": email, "password": PASSWORD, "permissionSet": set});
        business.as_manager(201, "POST", "/users", body);
        (set, business.client.login(&email, PASSWORD))
    };
    let (_, parties) = hired("parties");
    let (set, staff) = hired("office");
    let (_, settings) = hired("settings");
    let (_, rates) = hired("rates");
    let clerk = json!({"name": "Clerk", "email": "clerk@example.test", "password": PASSWORD});
    let clerk = text(&business.as_manager(201, "POST", "/users", clerk)["id"]);
    // What was done in the last month has names of all areas.
    let (terms, user) = (
        format!("/agency/exchange_rate/{}", business.agency),
        format!("/users/{clerk}"),
    );
    let cup = &business.cup;
    business.as_manager(
        200,
        "PUT",
        &terms,
        json!({"paymentGroupId": cup, "exchangeRate": "300"}),
    );
    let group_path = format!("/nomenclators/payment_group/{cup}");
    business.as_manager(200, "PUT", &group_path, json!({"exchangeRate": "301", "was": {}}));
    for (token, named) in [(&settings, [false, true]), (&office.second, [true, true])] {
        let path = "/approval-rules/caught?kind=terms_and_rates&makers=manager";
        let caught = business.client.expect(200, token, "GET", path, None);
        let of = |record: &str| {
            let mut rows = caught["results"].as_array().unwrap().iter();
            let row = rows.find(|row| row["recordType"] == record).unwrap();
            row["recordName"].is_string()
        };
        assert_eq!([of("party"), of("payment_group")], named, "{caught}");
    }
    office.rule("terms_and_rates", json!({}));
    office.rule("user", json!({}));
    let propose = |method: &str, path: &str, body: Value| text(&business.as_manager(202, method, path, body)["id"]);
    let of_terms = propose("PUT", &terms, json!({"paymentGroupId": cup, "exchangeRate": "302"}));
    let of_group = propose("PUT", &group_path, json!({"exchangeRate": "303", "was": {}}));
    let agency = format!("/users/{}", business.agency);
    let of_agency = propose("PUT", &agency, json!({"email": "moved@example.test"}));
    let of_clerk = propose("PUT", &user, json!({"email": "moved-clerk@example.test"}));
    let of_set = {
        let wider = json!({"name": "office", "reads": ["sales"], "writes": ["office"]});
        propose("PUT", &format!("/permission_sets/{set}"), wider)
    };
    for (token, shown) in [
        (&parties, vec![&of_terms, &of_agency]),
        (&staff, vec![&of_clerk, &of_set]),
        (&settings, vec![&of_group, &of_set]),
        (&rates, vec![]),
        (
            &office.second,
            vec![&of_terms, &of_group, &of_agency, &of_clerk, &of_set],
        ),
    ] {
        let ids = |filter: &str| {
            let path = format!("/proposals?sort=created{filter}");
            let page = business.client.expect(200, token, "GET", &path, None);
            let rows = page["data"].as_array().unwrap().iter();
            rows.map(|row| (text(&row["id"]), row["mayDecide"].clone()))
                .collect::<Vec<_>>()
        };
        let expected: Vec<_> = shown.iter().map(|id| ((*id).clone(), json!(true))).collect();
        assert_eq!(ids(""), expected);
        assert_eq!(ids("&mayDecide=true"), expected);
        assert_eq!(ids("&mayDecide=false"), []);
    }
}

#[test]
fn a_rule_would_have_caught_what_it_then_catches() {
    let server = Server::start(&["month", "others"]);
    let office = Office::open(&server, "month");
    let others = Business::new(&server, "others");
    let business = &office.business;
    let caught = |query: &str| {
        let path = format!("/approval-rules/caught?{query}");
        business.client.expect(200, &business.manager, "GET", &path, None)
    };
    let told = |query: &str| {
        let caught = caught(query);
        (caught["count"].as_u64().unwrap(), caught["sum"].clone())
    };
    let assign = |status: u16, amount: &str| {
        let (path, mut body) = office.assign();
        body["amount"] = json!(amount);
        business.as_manager(status, "POST", &path, body)
    };
    assert_eq!(told("kind=assignment_on_credit&makers=manager"), (0, json!("0.00")));
    for amount in ["3200", "6400", "3200"] {
        assign(201, amount);
    }
    assert_eq!(told("kind=assignment_on_credit&makers=manager"), (3, json!("40.00")));
    assert_eq!(
        told("kind=assignment_on_credit&makers=agency,dealer"),
        (0, json!("0.00"))
    );
    assert_eq!(told("kind=assignment_on_cash&makers=manager"), (0, json!("0.00")));
    let large = caught("kind=assignment_on_credit&makers=manager,agency&fromAmount=10.01");
    assert_eq!(
        (&large["count"], &large["sum"], &large["isCutOff"], &large["pageSize"]),
        (&json!(1), &json!("20.00"), &json!(false), &json!(20))
    );
    let row = &large["results"][0];
    assert_eq!(
        (&row["amount"], &row["recordType"], row["maker"]["name"].is_string()),
        (&json!("20.00"), &json!("movement"), true),
        "{row}"
    );

    // The rule then catches exactly these.
    office.rule(
        "assignment_on_credit",
        json!({"makers": ["manager", "agency"], "fromAmount": "10.01"}),
    );
    for (amount, status) in [("3200", 201), ("6400", 202), ("3200", 201)] {
        assign(status, amount);
    }

    // What was the same before the change is no change.
    let rates = "kind=terms_and_rates&makers=manager";
    let before = told(rates);
    assert_eq!(before.1, Value::Null);
    let path = format!("/agency/exchange_rate/{}", business.agency);
    for _ in 0..2 {
        let rate = json!({"paymentGroupId": business.cup, "exchangeRate": "300"});
        business.as_manager(200, "PUT", &path, rate);
    }
    assert_eq!(told(rates).0, before.0 + 1);
    let users = told("kind=user&makers=manager").0;
    let user = json!({"name": "Fourth", "email": "fourth@example.test", "password": PASSWORD});
    business.as_manager(201, "POST", "/users", user);
    assert_eq!(told("kind=user&makers=manager").0, users + 1);

    let theirs = "/approval-rules/caught?kind=assignment_on_credit&makers=manager";
    let theirs = others.client.expect(200, &others.manager, "GET", theirs, None);
    assert_eq!((&theirs["count"], &theirs["results"]), (&json!(0), &json!([])));
    let refused = |query: &str| {
        let path = format!("/approval-rules/caught?{query}");
        let refused = business.client.expect(422, &business.manager, "GET", &path, None);
        refused["errors"][0]["field"].clone()
    };
    assert_eq!(refused("kind=closing&makers=manager&fromAmount=1"), "fromAmount");
    assert_eq!(refused("kind=expense&makers=manager&fromAmount=x"), "fromAmount");
    assert_eq!(refused("kind=x&makers=manager"), "kind");
    assert_eq!(refused("kind=expense&makers=clerk"), "makers");
    assert_eq!(refused("kind=expense&makers="), "makers");
    business.as_agency(
        403,
        "GET",
        "/approval-rules/caught?kind=expense&makers=manager",
        json!({}),
    );

    office.server.pass(Duration::days(31));
    let manager = business.client.login(MANAGER, PASSWORD);
    let path = "/approval-rules/caught?kind=assignment_on_credit&makers=manager";
    let late = business.client.expect(200, &manager, "GET", path, None);
    assert_eq!(late["count"], 0);
}
