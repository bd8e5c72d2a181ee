//! The auditor's calls over HTTP.

use crate::support::{Business, Call, MANAGER, PASSWORD, Process, Server, create_tenant, text};
use caudal_journal::{PublicKeys, SignedCheckpoint};
use caudal_postgres_testing::TestDatabase;
use chrono::TimeDelta;
use serde_json::{Value, json};
use sqlx::{Connection as _, Executor as _, PgConnection};
use std::time::Duration;

fn get(business: &Business, path: &str) -> Value {
    business.client.expect(200, &business.manager, "GET", path, None)
}

/// A business with one remittance, sold and assigned.
fn with_a_remittance(server: &Server) -> (Business, String) {
    let business = Business::new(server, "acme");
    business.as_manager(
        201,
        "POST",
        "/sources/deposit/manager",
        json!({"currency": "USD", "amount": "1000.00", "note": "Primera caja"}),
    );
    business.fund("9000.00");
    let sold = business.as_agency(201, "POST", "/remittances", business.sale("10.00"));
    let id = text(&sold["id"]);
    let path = format!("/remittances/{id}/assign/dealer");
    business.as_manager(200, "PUT", &path, json!({"dealerId": business.dealer}));
    (business, id)
}

#[test]
fn the_event_log_is_searched_and_filtered_and_an_event_shows_what_it_changed() {
    let server = Server::start(&["acme"]);
    let (business, remittance) = with_a_remittance(&server);
    let head = server.head("acme");
    let all = get(&business, "/audit/events?RecordsPerPage=0");
    assert_eq!(all["totalRecords"], head);
    assert_eq!(all["data"][0]["position"], head);
    let found = get(&business, "/audit/events?query=R-000001");
    assert_eq!(found["totalRecords"], 2, "{found}");
    assert_eq!(found["data"][0]["eventType"], "RemittanceAssigned");
    assert_eq!(found["data"][0]["recordName"], "R-000001");
    let found = get(&business, "/audit/events?query=dealer&recordType=party");
    assert_eq!(found["totalRecords"], 1, "{found}");
    let path = format!("/audit/events?actorId={}&eventType=RemittanceCreated", business.agency);
    let found = get(&business, &path);
    assert_eq!(found["totalRecords"], 1, "{found}");
    let created = &found["data"][0];
    assert_eq!(created["recordId"], json!(remittance));
    assert_eq!(created["actor"]["name"], "Agency");
    let wrong = business
        .client
        .send(Call::new("GET", "/audit/events?nothing=1").token(&business.manager));
    assert_eq!(wrong.status, 422);
    let csv = business
        .client
        .send(Call::new("GET", "/audit/events?format=csv").token(&business.manager));
    assert_eq!(
        (csv.status, String::from_utf8(csv.bytes).unwrap().lines().count()),
        (200, usize::try_from(head).unwrap() + 1)
    );

    let event = get(&business, &format!("/audit/events/{head}"));
    assert_eq!(event["before"]["status"], "pending", "{event}");
    assert_eq!(event["after"]["status"], "shipping");
    assert_eq!(event["payload"]["type"], "RemittanceAssigned");
    assert_eq!(event["hashHolds"], true);
    assert_eq!(
        (&event["previousPosition"], &event["nextPosition"]),
        (&json!(head - 1), &Value::Null)
    );
    let before = get(&business, &format!("/audit/events/{}", head - 1));
    assert_eq!(event["previousHash"], before["event"]["hash"]);
    assert_eq!(before["before"], Value::Null);
    let first = get(&business, "/audit/events/1");
    assert_eq!(
        (&first["hashHolds"], &first["previousPosition"]),
        (&json!(true), &Value::Null)
    );
    for nothing in ["0", "-1", "x", "999999"] {
        business
            .client
            .expect(404, &business.manager, "GET", &format!("/audit/events/{nothing}"), None);
    }
}

#[test]
fn what_changed_late_is_listed_with_its_event_and_as_a_file_for_who_reads_the_audit() {
    let server = Server::start(&["acme", "other"]);
    let (business, _) = with_a_remittance(&server);
    let sold = business.as_agency(201, "POST", "/remittances", business.sale("5.00"));
    let id = text(&sold["id"]);
    for (email, set) in [("auditor@example.test", "auditor"), ("cashier@example.test", "cashier")] {
        let user = json!({"name": "Olga", "email": email, "password": PASSWORD, "permissionSet": set});
        business.as_manager(201, "POST", "/users", user);
    }
    let path = "/audit/late-changes";
    assert_eq!(get(&business, path)["totalRecords"], 0);
    server.pass(TimeDelta::days(3));
    let as_one = |email: &str| business.client.login(email, PASSWORD);
    let (manager, auditor) = (as_one(MANAGER), as_one("auditor@example.test"));
    let reason = json!({"reason": "changed her mind"});
    let cancel = format!("/remittances/{id}/cancel");
    let canceled = business
        .client
        .send(Call::new("POST", &cancel).token(&manager).json(&reason));
    assert_eq!(canceled.status, 200, "{}", canceled.body);
    for token in [&manager, &auditor] {
        let late = business.client.expect(200, token, "GET", path, None);
        assert_eq!(late["totalRecords"], 1, "{late}");
        let row = &late["data"][0];
        assert_eq!(row["position"], json!(canceled.position.unwrap()));
        assert_eq!(row["kind"], "canceled");
        assert_eq!(row["recordId"], json!(id));
        assert_eq!(row["recordName"], "R-000002");
        assert_eq!(row["daysLate"], 3);
        assert_eq!((&row["amount"], &row["amountAfter"]), (&json!("5.00"), &json!("0.00")));
    }
    for filter in ["daysLate=4", "kind=reversed", "afterClosure=true", "to=20200101"] {
        let path = format!("{path}?{filter}");
        let late = business.client.expect(200, &auditor, "GET", &path, None);
        assert_eq!(late["totalRecords"], 0, "{filter}: {late}");
    }
    for wrong in ["kind=nothing", "daysLate=-1", "afterClosure=maybe", "nothing=1"] {
        let call = Call::new("GET", &format!("{path}?{wrong}")).token(&auditor);
        assert_eq!(business.client.send(call).status, 422, "{wrong}");
    }
    for (language, header, kind) in [("en", "Days late", "Canceled"), ("es", "Días de retraso", "Cancelada")] {
        let call = Call::new("GET", &format!("{path}?format=csv")).token(&auditor);
        let file = business.client.send(call.header("Accept-Language", language));
        let file = String::from_utf8(file.bytes).unwrap();
        assert!(file.contains(header) && file.contains(kind), "{file}");
    }
    for email in ["agency@example.test", "cashier@example.test"] {
        let refused = business.client.send(Call::new("GET", path).token(&as_one(email)));
        assert_eq!(refused.status, 403, "{email}");
    }
    let elsewhere = server.client("other").send(Call::new("GET", path).token(&auditor));
    assert_eq!(elsewhere.status, 401);
}

#[test]
fn a_record_is_shown_through_time_and_as_of_a_position() {
    let server = Server::start(&["acme"]);
    let (business, remittance) = with_a_remittance(&server);
    let head = server.head("acme");
    let timeline = get(&business, &format!("/audit/timeline/remittance/{remittance}"));
    let steps = timeline["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 2, "{timeline}");
    assert_eq!(timeline["state"]["status"], "shipping");
    let change = steps[1]["changes"].as_array().unwrap();
    let status = change.iter().find(|change| change["field"] == "status").unwrap();
    assert_eq!(
        (&status["before"], &status["after"]),
        (&json!("pending"), &json!("shipping"))
    );
    let then = get(
        &business,
        &format!("/audit/timeline/remittance/{remittance}?position={}", head - 1),
    );
    assert_eq!(
        (&then["state"]["status"], then["steps"].as_array().unwrap().len()),
        (&json!("pending"), 1)
    );
    let sold = steps[0]["event"]["at"].as_str().unwrap();
    let at_that_time = get(&business, &format!("/audit/timeline/remittance/{remittance}?at={sold}"));
    assert_eq!(at_that_time, then);
    let earlier = get(
        &business,
        &format!("/audit/timeline/remittance/{remittance}?position=1"),
    );
    assert_eq!((&earlier["state"], &earlier["steps"]), (&Value::Null, &json!([])));
    for wrong in ["at=yesterday", "position=-1", "position=x"] {
        let path = format!("/audit/timeline/remittance/{remittance}?{wrong}");
        business.client.expect(422, &business.manager, "GET", &path, None);
    }
    let agency = get(&business, &format!("/audit/timeline/party/{}", business.agency));
    assert_eq!(agency["state"]["personal"]["name"], "Agency");
    for nothing in [
        format!("remittance/{}", business.agency),
        format!("nothing/{remittance}"),
        "remittance/1".to_owned(),
    ] {
        business.client.expect(
            404,
            &business.manager,
            "GET",
            &format!("/audit/timeline/{nothing}"),
            None,
        );
    }
    // The accounts as of that position, before the assignment.
    let shipping = |query: &str| {
        let path = format!("/accounting/balances?RecordsPerPage=0&kind=remittances_shipping{query}");
        get(&business, &path)["totalRecords"].clone()
    };
    assert_eq!(shipping(""), 1);
    assert_eq!(shipping(&format!("&position={}", head - 1)), 0);
}

#[test]
fn a_timeline_beyond_the_step_limit_shows_the_current_state() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let path = format!("/audit/timeline/payment_group/{}", business.cup);
    let before = get(&business, &path)["steps"].as_array().unwrap().len();
    let rates = 1_005;
    for change in 1..=rates {
        let rate = format!("{}.{:02}", 300 + change / 100, change % 100);
        business.as_manager(
            200,
            "PUT",
            &format!("/nomenclators/payment_group/{}", business.cup),
            json!({"name": "CUP home", "currencyTo": "CUP", "exchangeRate": rate, "managerCommission": {"rate": "2"}}),
        );
    }
    let timeline = get(&business, &path);
    let steps = timeline["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 1_000);
    assert_eq!(timeline["earlier"], before + rates - 1_000);
    let rate = &timeline["state"]["exchangeRate"];
    assert_eq!(rate, "310.05", "{}", timeline["state"]);
    // The first listed step has only the changes of its own event.
    let first = steps[0]["changes"].as_array().unwrap();
    assert_eq!(first.len(), 1, "{first:?}");
    // Earlier steps are read by position.
    let position = steps[0]["event"]["position"].as_i64().unwrap();
    let earlier = get(&business, &format!("{path}?position={}", position - 1));
    assert_eq!(
        (&earlier["earlier"], earlier["steps"].as_array().unwrap().len()),
        (&json!(0), before + rates - 1_000)
    );
    assert_eq!(earlier["state"]["exchangeRate"], first[0]["before"]);
}

#[test]
fn the_ids_of_an_event_come_with_display_names() {
    let server = Server::start(&["acme"]);
    let (business, remittance) = with_a_remittance(&server);
    let head = server.head("acme");
    let event = get(&business, &format!("/audit/events/{head}"));
    let names = &event["names"];
    assert_eq!(names[&business.dealer], "Dealer", "{names}");
    assert_eq!(names[&business.agency], "Agency");
    assert_eq!(names[&remittance], "R-000001");
    let timeline = get(&business, &format!("/audit/timeline/remittance/{remittance}"));
    assert_eq!(timeline["names"][&business.dealer], "Dealer");
}

#[test]
fn a_requested_verification_reports_progress_and_agrees_with_the_checkpoint() {
    let server = Server::start(&["acme"]);
    let (business, _) = with_a_remittance(&server);
    assert_eq!(get(&business, "/audit/verification"), Value::Null);
    let taken = business
        .client
        .send(Call::new("POST", "/audit/checkpoints").token(&business.manager));
    assert_eq!(taken.status, 201, "{}", taken.body);
    let begun = business
        .client
        .send(Call::new("POST", "/audit/verification").token(&business.manager));
    assert_eq!(begun.status, 202, "{}", begun.body);
    let mut last = begun.body;
    for _ in 0..600 {
        if !last["outcome"].is_null() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
        last = get(&business, "/audit/verification");
    }
    assert_eq!(
        (&last["outcome"], &last["findings"]),
        (&json!("whole"), &json!([])),
        "{last}"
    );
    assert_eq!(last["checkpoints"], 1, "the signed checkpoint is compared: {last}");
    let head = server.head("acme");
    assert_eq!(
        (&last["phase"], &last["position"], &last["head"]),
        (&json!("read_models"), &json!(head), &json!(head))
    );

    let signed = get(&business, "/audit/checkpoint");
    assert_eq!((&signed["position"], &signed["hash"]), (&json!(head), &last["hash"]));
    let keys = business.client.send(Call::new("GET", "/audit/keys"));
    assert_eq!(keys.status, 200);
    let keys = PublicKeys::from_json(&keys.body.to_string()).unwrap();
    let checkpoint = SignedCheckpoint::from_json(&signed.to_string()).unwrap();
    checkpoint.check(&"acme".parse().unwrap(), &keys).unwrap();
}

/// In-place changes of a stored verification by the database's owner.
const RESULT_CHANGES: &[&str] = &[
    "id = gen_random_uuid()",
    "asked_by = gen_random_uuid()",
    "started_at = '2000-01-01'",
    "started_at = 'infinity'",
    "told_at = told_at + interval '1 microsecond'",
    "finished_at = 'infinity'",
    "finished_at = NULL, outcome = NULL",
    "phase = 'chain'",
    "position = position + 1",
    "head = head + 1",
    "hash = sha256(hash)",
    "hash = NULL",
    "outcome = 'failed'",
    "findings = '[{\"code\": \"changed\", \"position\": 1, \"detail\": \"x\"}]'",
    "findings = '{}'",
    "checkpoints = 9",
    "checkpoints = NULL",
    "mac = sha256(mac)",
];

fn verify(business: &Business) -> Value {
    let begun = business
        .client
        .send(Call::new("POST", "/audit/verification").token(&business.manager));
    assert_eq!(begun.status, 202, "{}", begun.body);
    let mut last = begun.body;
    for _ in 0..600 {
        if !last["outcome"].is_null() {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
        last = get(business, "/audit/verification");
    }
    last
}

#[test]
fn a_stored_verification_that_was_changed_is_shown_as_wrong_and_named_by_the_next_one() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let server = Server::start(&["acme"]);
    let (business, _) = with_a_remittance(&server);
    let whole = verify(&business);
    assert_eq!((&whole["outcome"], &whole["findings"]), (&json!("whole"), &json!([])));
    let execute = |sql: &str| {
        runtime.block_on(async {
            let mut owner = PgConnection::connect(server.database_url()).await.unwrap();
            owner.execute("SET caudal.tenant TO 'acme'").await.unwrap();
            owner.execute(sql).await.unwrap().rows_affected()
        })
    };
    execute("CREATE TABLE saved AS SELECT * FROM journal.verifications");
    for change in RESULT_CHANGES {
        assert_eq!(
            execute(&format!("UPDATE journal.verifications SET {change}")),
            1,
            "{change}"
        );
        let shown = get(&business, "/audit/verification");
        assert_eq!(
            (&shown["outcome"], &shown["findings"][0]["code"], &shown["hash"]),
            (&json!("wrong"), &json!("row_changed"), &Value::Null),
            "{change}: {shown}"
        );
        execute("DELETE FROM journal.verifications; INSERT INTO journal.verifications SELECT * FROM saved");
    }
    execute("UPDATE journal.verifications SET mac = NULL");
    let shown = get(&business, "/audit/verification");
    assert_eq!(
        (&shown["outcome"], &shown["findings"][0]["code"]),
        (&json!("failed"), &json!("row_without_mac")),
        "as one of an earlier version: {shown}"
    );
    execute("DELETE FROM journal.verifications; INSERT INTO journal.verifications SELECT * FROM saved");
    assert_eq!(get(&business, "/audit/verification"), whole, "all is as it was");

    // The wrong one is hidden behind an earlier whole one.
    execute(
        "INSERT INTO journal.file_totals AS t VALUES ('acme', 1, 1)
             ON CONFLICT (tenant) DO UPDATE SET files = t.files + 1, bytes = t.bytes + 1",
    );
    let wrong = verify(&business);
    assert_eq!(
        (&wrong["outcome"], &wrong["findings"][0]["code"]),
        (&json!("wrong"), &json!("row_wrong_total")),
        "{wrong}"
    );
    execute("UPDATE journal.file_totals SET files = files - 1, bytes = bytes - 1");
    execute("UPDATE journal.verifications SET started_at = '2000-01-01' WHERE outcome = 'wrong'");
    assert_eq!(get(&business, "/audit/verification")["outcome"], "wrong");
    let next = verify(&business);
    assert_eq!(
        (&next["outcome"], &next["findings"][0]["code"]),
        (&json!("wrong"), &json!("row_changed")),
        "{next}"
    );
    // One that seems to run for ever prevents no other.
    execute("DELETE FROM journal.verifications WHERE started_at = '2000-01-01'");
    execute(
        "UPDATE journal.verifications SET finished_at = NULL, outcome = NULL, told_at = '2200-01-01'
          WHERE outcome = 'wrong'",
    );
    assert_eq!(verify(&business)["outcome"], "whole");
}

#[test]
fn checkpoints_are_listed_with_their_agreement_with_the_log() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let database = runtime.block_on(TestDatabase::new());
    create_tenant(database.url(), folder.path(), "acme");
    let process = Process::serve(database.url(), folder.path());
    let business = Business::set_up(process.client("acme"));
    let taken = || {
        let answer = business
            .client
            .send(Call::new("POST", "/audit/checkpoints").token(&business.manager));
        assert_eq!(answer.status, 201, "{}", answer.body);
        answer.body
    };
    assert_eq!(get(&business, "/audit/checkpoints"), json!({"checkpoints": []}));
    let first = taken();
    let head = get(&business, "/audit/events?RecordsPerPage=1")["totalRecords"]
        .as_i64()
        .unwrap();
    assert_eq!(first["checkpoint"]["position"], head);
    assert_eq!(first["fileName"], json!(format!("acme-{head:012}.checkpoint.json")));
    assert_eq!(first["standing"], "holds");
    assert_eq!(taken(), first, "a log that has not grown is not signed again");
    business.fund("10.00");
    let second = taken();
    assert_eq!(
        get(&business, "/audit/checkpoints"),
        json!({"checkpoints": [second, first]})
    );
    let keys = business.client.send(Call::new("GET", "/audit/keys")).body;
    let keys = PublicKeys::from_json(&keys.to_string()).unwrap();
    let checkpoint = SignedCheckpoint::from_json(&second["checkpoint"].to_string()).unwrap();
    checkpoint.check(&"acme".parse().unwrap(), &keys).unwrap();

    let standings = |tampering: &str| -> Vec<String> {
        runtime.block_on(async {
            let mut owner = PgConnection::connect(database.url()).await.unwrap();
            owner
                .execute("SELECT set_config('caudal.tenant', 'acme', false)")
                .await
                .unwrap();
            assert_ne!(owner.execute(tampering).await.unwrap().rows_affected(), 0);
        });
        let kept = get(&business, "/audit/checkpoints");
        let kept = kept["checkpoints"].as_array().unwrap();
        kept.iter().map(|one| text(&one["standing"])).collect()
    };
    // The database's owner rewrites the last event of the first checkpoint, deletes the events after it, and then
    // changes the signed checkpoint.
    let rewritten = format!("UPDATE journal.events SET hash = sha256('forged') WHERE position = {head}");
    assert_eq!(standings(&rewritten), ["holds", "changed"]);
    let cut = format!("DELETE FROM journal.events WHERE position > {head}");
    assert_eq!(standings(&cut), ["missing", "changed"]);
    let forged = "UPDATE journal.checkpoints SET content = replace(content, '\"position\": ', '\"position\": 1')";
    assert_eq!(standings(forged), ["unsigned", "unsigned"]);
}

#[test]
fn account_entries_end_at_a_position_or_a_time() {
    let server = Server::start(&["acme"]);
    let (business, _) = with_a_remittance(&server);
    let treasury = |query: &str| {
        let path = format!("/accounting/entries?account=treasury/USD{query}");
        get(&business, &path)
    };
    let all = treasury("&RecordsPerPage=0");
    let entries = all["data"].as_array().unwrap();
    assert!(entries.len() > 1, "{all}");
    let earliest = entries.last().unwrap();
    let (position, at) = (earliest["position"].as_i64().unwrap(), text(&earliest["at"]));
    for query in [format!("&position={position}"), format!("&at={at}")] {
        let then = treasury(&query);
        assert_eq!(
            (&then["totalRecords"], &then["data"][0]),
            (&json!(1), earliest),
            "{query}"
        );
        // The balance as of that time equals the balance after the account's last entry.
        let balances = get(
            &business,
            &format!("/accounting/balances?kind=treasury&currency=USD{query}"),
        );
        let line = &earliest["transfers"][0];
        let side = ["debit", "credit"]
            .into_iter()
            .find(|side| line[*side]["account"] == "treasury/USD")
            .unwrap();
        assert_eq!(balances["data"][0]["closing"], line[side]["balanceAfter"], "{query}");
    }
    assert_eq!(treasury(&format!("&position={}", position - 1))["totalRecords"], 0);
    for (query, code) in [
        ("&position=-1", "number_negative"),
        ("&position=x", "number_not_whole"),
        ("&at=today", "time_invalid"),
    ] {
        let path = format!("/accounting/entries?account=treasury/USD{query}");
        let refused = business.client.send(Call::new("GET", &path).token(&business.manager));
        assert_eq!(refused.status, 422, "{}", refused.body);
        assert_eq!(refused.body["errors"][0]["code"], code, "{}", refused.body);
    }
}
