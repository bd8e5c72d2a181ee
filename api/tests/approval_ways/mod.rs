//! Every kind of approval by every way in: a session, an API key, a repetition, a call that has several commands. With a rule
//! the command is proposed and nothing else is written; without one it takes effect.

mod desk;
mod ways;

use crate::{
    imports::Person,
    support::{Business, Process, Server, create_tenant, text},
};
use caudal_api::policy::{self, TABLE};
use caudal_domain::{approval::ApprovalKind, office::Right};
use caudal_postgres_testing::TestDatabase;
use desk::{Desk, Who};
use serde_json::json;
use std::collections::BTreeSet;
use ways::{Answers, Way, ways};

/// A test of each kind; a kind without one does not compile.
macro_rules! kinds {
    ($($test:ident = $kind:ident;)*) => {
        $(
            #[test]
            fn $test() {
                try_all(ApprovalKind::$kind);
            }
        )*

        #[allow(dead_code, reason = "it only has to compile")]
        const fn has_a_test(kind: ApprovalKind) {
            match kind {
                $(ApprovalKind::$kind => (),)*
            }
        }
    };
}

kinds! {
    assignments_on_cash_wait_by_every_way = AssignmentOnCash;
    assignments_on_credit_wait_by_every_way = AssignmentOnCredit;
    credit_limits_wait_by_every_way = CreditLimit;
    terms_and_rates_and_delivery_fees_wait_by_every_way = TermsAndRates;
    reversals_wait_by_every_way = Reversal;
    expenses_wait_by_every_way = Expense;
    exchanges_wait_by_every_way = DealerExchange;
    cancels_of_what_a_dealer_has_or_had_wait_by_every_way = CancelShipping;
    late_edits_of_an_amount_wait_by_every_way_also_under_limits = LateAmountEdit;
    users_wait_by_every_way = User;
    card_numbers_wait_by_every_way = CardNumber;
    closings_wait_by_every_way = Closing;
    releases_of_holds_wait_by_every_way = HoldRelease;
    limit_rules_wait_by_every_way = LimitRules;
    rules_and_own_lists_of_screening_wait_by_every_way = ScreeningRules;
    approval_rules_wait_by_every_way = ApprovalRules;
}

fn try_all(kind: ApprovalKind) {
    let server = Server::start(&["acme"]);
    let desk = Desk::open(&server);
    for way in ways(kind) {
        let row = TABLE
            .iter()
            .find(|row| (row.method, row.path) == (way.method, way.path))
            .unwrap_or_else(|| panic!("{} {} is no call", way.method, way.path));
        for by_key in [false, true] {
            if !by_key || row.by_key {
                free(&desk, &way, by_key);
                covered(&desk, kind, &way, by_key);
            }
        }
    }
}

/// Without a rule it takes effect.
fn free(desk: &Desk<'_>, way: &Way, by_key: bool) {
    let call = (way.prepare)(desk);
    let head = desk.head();
    let done = desk.send(way, &call, by_key, None);
    assert!(
        matches!(done.status, 200 | 201 | 204),
        "{way:?}: {} {}",
        done.status,
        done.body
    );
    let events = desk.events_after(head);
    assert!(
        !events.is_empty() && !events.iter().any(|event| event == "CommandProposed"),
        "{way:?}: {events:?}"
    );
}

/// With a rule it is proposed, once also where it is sent again, and nothing else is written until the approval.
fn covered(desk: &Desk<'_>, kind: ApprovalKind, way: &Way, by_key: bool) {
    let call = (way.prepare)(desk);
    let rule = desk.rule(kind);
    let (head, accounts) = (desk.head(), desk.accounts());
    let key = format!("way-{head}");
    let waits = desk.send(way, &call, by_key, Some(&key));
    let again = desk.send(way, &call, by_key, Some(&key));
    assert_eq!(
        (again.status, &again.body),
        (waits.status, &waits.body),
        "{way:?}: a repetition"
    );
    let events = desk.events_after(head);
    match way.answers {
        Answers::Waits => {
            assert_eq!(
                (waits.status, &waits.body["kind"]),
                (202, &json!(kind.as_str())),
                "{way:?}: {}",
                waits.body
            );
            assert_eq!(events, ["CommandProposed"], "{way:?}");
            assert_eq!(desk.accounts(), accounts, "{way:?}");
        }
        Answers::Without(effect) => {
            assert!(matches!(waits.status, 200 | 201), "{way:?}: {}", waits.body);
            let of = |name: &str| events.iter().filter(|event| *event == name).count();
            assert_eq!((of("CommandProposed"), of(effect)), (1, 0), "{way:?}: {events:?}");
        }
    }
    desk.remove(&rule);
    let head = desk.head();
    for proposal in desk.waiting() {
        desk.approve(&proposal);
    }
    let events = desk.events_after(head);
    assert!(
        events.len() > 1 && events.contains(&"ProposalApproved".to_owned()),
        "{way:?}: {events:?}"
    );
}

#[test]
fn every_call_that_writes_is_tried_with_a_rule_or_needs_no_approval_under_any() {
    let mut tried = BTreeSet::new();
    for kind in ApprovalKind::ALL {
        tried.extend(ways(*kind).into_iter().map(|way| (way.method, way.path)));
    }
    tried.extend(ways::TRIED_AS_COMMANDS);
    let free: BTreeSet<_> = ways::WITHOUT_APPROVAL.iter().copied().collect();
    let both: Vec<_> = tried.intersection(&free).collect();
    assert!(both.is_empty(), "{both:?}");
    let writes: BTreeSet<_> = TABLE
        .iter()
        .filter(|row| row.right == Right::Write && row.method != "GET" && row.access != policy::Access::Public)
        .map(|row| (row.method, row.path))
        .collect();
    let known: BTreeSet<_> = tried.union(&free).copied().collect();
    assert_eq!(
        writes.difference(&known).collect::<Vec<_>>(),
        Vec::<&(&str, &str)>::new(),
        "not tried"
    );
    assert_eq!(
        known.difference(&writes).collect::<Vec<_>>(),
        Vec::<&(&str, &str)>::new(),
        "no such call"
    );
}

#[test]
fn an_exchange_waits_by_the_larger_of_its_sides_whatever_rate_is_typed() {
    let server = Server::start(&["acme"]);
    let desk = Desk::open(&server);
    let rule = json!({"kind": "dealer_exchange", "makers": ["manager"], "fromAmount": "100", "approvers": "manager",
        "expiresAfterHours": 24});
    desk.made("/approval-rules", rule);
    let reference = json!({"exchangeRate": "330", "was": {}});
    desk.json(200, Who::Manager, "PUT", &ways::currency(&desk, "CUP"), reference);
    for (status, given, to, rate) in [
        (201, ("USD", "99"), "CUP", "0.01"),
        (202, ("USD", "100"), "CUP", "0.01"),
        (202, ("USD", "1"), "CUP", "33000"),
        (201, ("CUP", "32670"), "USD", "0.000001"),
        (202, ("CUP", "33000"), "USD", "0.000001"),
        (202, ("CUP", "1"), "USD", "100"),
    ] {
        desk.json(
            status,
            Who::Manager,
            "POST",
            "/dealer/transfer",
            ways::exchange(&desk, given, to, rate),
        );
    }
}

#[test]
fn an_approved_late_edit_is_in_review_where_a_limit_lacks_a_document_at_the_approval() {
    let server = Server::start(&["acme"]);
    let desk = Desk::open(&server);
    let id = desk.sold("10");
    desk.pass_a_day();
    desk.rule(ApprovalKind::LateAmountEdit);
    let edit = json!({"amount": "30", "paymentGroupId": desk.business.cup});
    let path = format!("/remittances/{id}");
    let before = desk.get(&path);
    let waits = desk.json(202, Who::Agency, "PUT", &path, edit);
    assert_eq!(desk.get(&path), before, "nothing is edited");
    // The rule is made while the edit waits: it is judged by the rules of its approval.
    desk.limit(json!({"side": "sender", "window": "sale", "amount": "20", "outcome": "needs", "needs": ["document"]}));
    desk.approve(&text(&waits["id"]));
    let after = desk.get(&path);
    assert_eq!((&after["amount"], &after["held"]), (&json!("30.00"), &json!(true)));
    let holds = desk.get(&format!("{path}/holds"));
    assert_eq!(holds["results"].as_array().unwrap().len(), 1, "{holds}");
}

#[test]
fn an_approved_cancel_gives_back_what_the_carrier_has_and_refuses_what_he_delivers_after_it() {
    let server = Server::start(&["acme"]);
    let desk = Desk::open(&server);
    let rule = desk.rule(ApprovalKind::CancelShipping);
    let cancel = |id: &str| {
        let path = format!("/remittances/{id}/cancel");
        text(&desk.json(202, Who::Manager, "POST", &path, json!({"reason": "She asked for it"}))["id"])
    };
    // Canceled: an earlier delivery, sent later, becomes a dispute and pays nothing.
    let id = desk.shipped();
    let proposal = cancel(&id);
    assert_eq!(desk.get(&format!("/remittances/{id}"))["status"], 2);
    desk.approve(&proposal);
    let accounts = desk.accounts();
    let late = desk.delivers_offline(&id);
    let refused = (late.status, &late.body["refused"]);
    assert_eq!(refused, (202, &json!("remittance_is_canceled")), "{}", late.body);
    assert_eq!(desk.accounts(), accounts, "a dispute posts nothing");
    // Delivered while the cancel waited: the approval is refused, and the delivery stands.
    let id = desk.shipped();
    let proposal = cancel(&id);
    assert_eq!(desk.delivers_offline(&id).body["status"], 3);
    let accounts = desk.accounts();
    let path = format!("/proposals/{proposal}/approve");
    let refused = desk.json(409, Who::Second, "POST", &path, json!({}));
    assert_eq!(refused["code"], "remittance_is_completed", "{refused}");
    assert_eq!(desk.accounts(), accounts);
    desk.remove(&rule);
}

/// A file of each kind that a rule may cover, whose rows need the approval of the named kind.
const FILES: [(&str, ApprovalKind, &str); 6] = [
    (
        "openings",
        ApprovalKind::AssignmentOnCash,
        "Cuenta;Moneda;Saldo\nAgency;CUP;120000,00\n",
    ),
    (
        "openings",
        ApprovalKind::AssignmentOnCredit,
        "Cuenta;Moneda;Saldo\nAgency;CUP;120000,01\n",
    ),
    (
        "fees",
        ApprovalKind::TermsAndRates,
        "Municipio;Tarifa;Moneda\nPlaya;175,00;CUP\n",
    ),
    (
        "users",
        ApprovalKind::User,
        "Tipo;Nombre;Correo\nagencia;Sucursal;sucursal@example.test\n",
    ),
    (
        "recipients",
        ApprovalKind::CardNumber,
        "Remitente;Nombre;Tarjeta;Municipio\nAna;Ana's aunt;9225069990000004;Playa\n",
    ),
    (
        "users",
        ApprovalKind::User,
        "Tipo;Nombre;Correo;Permisos\noficina;Olga;olga@example.test;auditor\n",
    ),
];

#[test]
fn a_row_of_a_file_waits_where_a_rule_covers_it_and_is_added_without_one() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(TestDatabase::new());
    let folder = tempfile::tempdir().unwrap();
    let tenants = ["free", "covered"];
    for tenant in tenants {
        create_tenant(database.url(), folder.path(), tenant);
    }
    let arguments = ["--operations-listen", "127.0.0.1:0"];
    let node = Process::serve_with(database.url(), folder.path(), "warn", &arguments);
    for (tenant, expected) in tenants.into_iter().zip(["added", "waiting"]) {
        let business = Business::set_up(node.client(tenant));
        let manager = Person::manager(&business);
        for (name, kind, file) in FILES {
            // An account is opened once.
            if tenant == "free" && kind == ApprovalKind::AssignmentOnCredit {
                continue;
            }
            let rule = (tenant == "covered").then(|| {
                let rule = json!({"kind": kind.as_str(), "makers": ["manager"], "approvers": "manager",
                                  "expiresAfterHours": 24});
                text(&business.as_manager(201, "POST", "/approval-rules", rule)["id"])
            });
            let before = business.balance("balance", "CUP");
            let import = manager.upload(name, file.as_bytes());
            let id = text(&import["id"]);
            let mut mapping = import["mapping"].clone();
            if name == "openings" {
                mapping["expected"] =
                    json!({"CUP": if kind == ApprovalKind::AssignmentOnCash { "120000.00" } else { "120000.01" }});
            }
            if name == "recipients" {
                mapping["owner"] = json!(business.agency);
            }
            business.as_manager(200, "PUT", &format!("/imports/{id}/mapping"), mapping);
            manager.preview(&id);
            manager.run(&id);
            let rows = manager.get(&format!("/imports/{id}/rows?RecordsPerPage=100"));
            assert_eq!(rows["data"][0]["result"], expected, "{name} under {kind:?}: {rows}");
            if let Some(rule) = rule {
                assert_eq!(business.balance("balance", "CUP"), before, "{name} under {kind:?}");
                business.as_manager(204, "DELETE", &format!("/approval-rules/{rule}"), json!({}));
            }
        }
        let waiting = business
            .client
            .expect(200, &business.manager, "GET", "/proposals?waiting=true", None);
        let count = if tenant == "covered" { FILES.len() } else { 0 };
        assert_eq!(waiting["totalRecords"], count, "{waiting}");
    }
}
