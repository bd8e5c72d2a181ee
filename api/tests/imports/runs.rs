//! Runs in the background: killed, paused, resumed and canceled.

use super::{HEADERS, KILLS, Nodes, Person, ROWS, TENANT, patience, rows_asked, sales};
use crate::support::{MANAGER, PASSWORD, text};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

#[test]
fn a_file_imported_by_two_nodes_that_are_killed_ten_times_adds_each_row_once_as_its_preview_said() {
    let nodes = Nodes::new(&[TENANT]);
    let (mut node, mut second) = (nodes.start(), nodes.start());
    let rows = rows_asked().unwrap_or(ROWS);
    let balance = 480 * rows + 813_600;
    let business = nodes.funded(&node, balance);
    let mut agency = Person::agency(&business);
    let before = nodes.events("RemittanceCreated");
    let begun = Instant::now();
    let import = agency.upload("remittances", sales(rows).as_bytes());
    let uploaded = begun.elapsed();
    let id = text(&import["id"]);
    let previewed = agency.preview(&id);
    let preview_took = begun.elapsed() - uploaded;
    assert_eq!(nodes.events("RemittanceCreated"), before, "a preview adds nothing");
    let preview = agency.results(&id, "preview");
    let added = preview.iter().filter(|(result, _)| result == "added").count();
    assert_eq!(previewed["previewCounts"]["added"], added);
    let total = format!("{:.2}", added as u64 * 480);
    assert_eq!(
        previewed["sums"][0],
        json!({"currency": "CUP", "charged": "0.00", "paidOut": format!("{total}.00"), "opened": "0.00"})
    );
    assert_eq!(previewed["balances"][0]["currency"], "CUP", "{previewed}");
    // Row by row: each sale takes 480.00, and the last one leaves what the preview ends with.
    let running: Vec<_> = agency
        .rows(&id, "&result=added")
        .iter()
        .map(|row| text(&row["balance"]["amount"]))
        .collect();
    let left = |sales: usize| format!("{}.00", balance - 480 * sales);
    let expected: Vec<_> = (1..=added).map(left).collect();
    assert_eq!(running, expected, "the running balance");
    assert_eq!(previewed["balances"][0]["ends"], left(added));

    // A double click.
    let begun = Instant::now();
    agency.act(&id, "start");
    agency.act(&id, "start");
    let mut done_at_kills = Vec::new();
    for kill in 1..=KILLS {
        let through = kill * rows / (KILLS + 2);
        let deadline = Instant::now() + patience();
        loop {
            let now = agency.get(&format!("/imports/{id}"));
            if now["state"] == "done" || now["done"].as_u64().unwrap() >= through as u64 {
                done_at_kills.push(now["done"].to_string());
                break;
            }
            assert!(Instant::now() < deadline, "{now}");
            std::thread::sleep(Duration::from_millis(5));
        }
        // One after the other, so that the work changes from node to node.
        std::mem::swap(&mut node, &mut second);
        drop(node);
        node = nodes.start();
        agency.client = node.client(TENANT);
        // Many rows take longer than a token lives.
        agency.token = agency.client.login("agency@example.test", PASSWORD);
        if kill % 3 == 0 {
            drop(second);
            second = nodes.start();
        }
    }
    let done = agency.until(&id, &["done"]);
    if rows_asked().is_some() {
        println!(
            "{rows} rows: upload {uploaded:.1?}, preview {preview_took:.1?}, run with {KILLS} kills {:.1?}, at rows {}",
            begun.elapsed(),
            done_at_kills.join(", ")
        );
        println!(
            "a node held {} MiB at most",
            node.peak_memory().max(second.peak_memory()) / 1024
        );
    }
    assert_eq!(agency.results(&id, "result"), preview, "run and preview");
    assert_eq!(done["runCounts"], previewed["previewCounts"]);
    let after = nodes.events("RemittanceCreated");
    assert_eq!(after - before, added as i64, "each row once");

    let again = agency.uploading("remittances", sales(rows).as_bytes());
    assert_eq!(
        (again.status, text(&again.body["id"])),
        (200, id.clone()),
        "the same file is the same import"
    );
    agency.preview(&id);
    agency.run(&id);
    assert_eq!(nodes.events("RemittanceCreated"), after, "the same file adds nothing");
    // The audit finds all of it.
    let manager = Person::login(&agency.client, MANAGER);
    let found = manager.get(&format!("/audit/events?requestId={id}&eventType=RemittanceCreated"));
    assert_eq!(found["totalRecords"], added);
}

#[test]
fn an_import_is_paused_resumed_and_canceled_and_other_acts_are_refused_in_its_state() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let agency = Person::agency(&business);
    let id = text(&agency.upload("remittances", sales(ROWS).as_bytes())["id"]);
    let code = |act: &str| {
        agency
            .send("POST", &format!("/imports/{id}/{act}"), None)
            .code()
            .to_owned()
    };
    for act in ["start", "pause", "resume"] {
        assert_eq!(code(act), "import_not_in_state", "{act}");
    }
    agency.preview(&id);
    agency.act(&id, "start");
    let paused = agency.act(&id, "pause");
    assert_eq!(paused["state"], "paused");
    assert_eq!(code("start"), "import_not_in_state");
    // What was under way when it was paused is still noted.
    let run = || agency.get(&format!("/imports/{id}"))["runCounts"].clone();
    let stands = (0..10).any(|_| {
        let before = run();
        std::thread::sleep(Duration::from_secs(3));
        run() == before
    });
    assert!(stands && run() != paused["previewCounts"], "{}", run());
    let paused = agency.get(&format!("/imports/{id}"));
    let counts = paused["runCounts"].as_object().unwrap().values();
    assert_eq!(paused["done"].as_i64(), Some(counts.filter_map(Value::as_i64).sum()));
    agency.act(&id, "resume");
    let done = agency.until(&id, &["done"]);
    assert_eq!(done["runCounts"], done["previewCounts"]);
    assert_eq!(code("cancel"), "import_not_in_state");

    // A canceled import goes on when its file is uploaded again. A node that has not noticed yet, and would report by the
    // earlier columns, no longer holds it.
    let file = b"Nombre\nUno\nDos\n";
    let id = text(&agency.upload("issuers", file)["id"]);
    agency.act(&id, "cancel");
    assert_eq!(agency.upload("issuers", file)["state"], "mapping");
    nodes.runtime.block_on(async {
        let mut transaction = nodes.database.begin_write(TENANT).await.unwrap();
        let held = "UPDATE journal.imports SET holder = gen_random_uuid(), held_until = now() + interval '1 day'
                     WHERE state = 'mapping'";
        assert_eq!(
            sqlx::query(held)
                .execute(&mut *transaction)
                .await
                .unwrap()
                .rows_affected(),
            1
        );
        transaction.commit().await.unwrap();
    });
    agency.preview(&id);
}

#[test]
fn a_preview_knows_rows_that_were_added_by_a_run_that_was_killed_before_it_noted_them() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let agency = Person::agency(&business);
    let file = format!("{HEADERS}\nAna;Eva;;Playa;1,50;CUP;A1\nAna;Iris;;Playa;2,00;CUP;A2\n");
    let id = text(&agency.upload("remittances", file.as_bytes())["id"]);
    agency.preview(&id);
    agency.run(&id);
    let codes = || {
        let rows = agency.rows(&id, "");
        let code = |row: &Value| (text(&row["code"]), text(&row["record"]));
        rows.iter().map(code).collect::<Vec<_>>()
    };
    let sold = codes();
    nodes.runtime.block_on(async {
        let mut transaction = nodes.database.begin_write(TENANT).await.unwrap();
        for statement in [
            "UPDATE journal.import_rows SET result = NULL, errors = NULL, record = NULL, code = NULL WHERE row = 1",
            "UPDATE journal.imports SET state = 'mapping'",
        ] {
            sqlx::query(statement).execute(&mut *transaction).await.unwrap();
        }
        transaction.commit().await.unwrap();
    });
    let previewed = agency.preview(&id);
    assert_eq!(agency.results(&id, "preview")[1], ("added".to_owned(), vec![]));
    assert_eq!(codes(), sold);
    assert_eq!(previewed["sums"], json!([]), "it moves no money any more");
    agency.run(&id);
    assert_eq!(codes(), sold);
    assert_eq!(nodes.events("RemittanceCreated"), 2);
}

#[test]
fn a_row_is_sold_at_the_figures_of_its_preview_or_refused() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let agency = Person::agency(&business);
    let file = format!("{HEADERS}\nAna;Eva;;Playa;1,50;CUP;A1\nAna;Eva;;Playa;2,00;CUP;A2\n");
    let import = agency.upload("remittances", file.as_bytes());
    let id = text(&import["id"]);
    // The totals of another system hold as well: no row is sold at others.
    let mut mapping = import["mapping"].clone();
    mapping["expected"] = json!({"CUP": "1120.00"});
    let path = format!("/imports/{id}/mapping");
    assert_eq!(agency.send("PUT", &path, Some(mapping.clone())).status, 200);
    let previewed = agency.preview(&id);
    assert_eq!(previewed["sums"][0]["paidOut"], "1120.00", "{previewed}");
    let rate = json!({"paymentGroupId": business.cup, "exchangeRate": "330"});
    business.as_manager(200, "PUT", &format!("/agency/exchange_rate/{}", business.agency), rate);
    agency.run(&id);
    let changed = ("refused".to_owned(), vec!["quote_changed".to_owned()]);
    assert_eq!(agency.results(&id, "result"), [changed.clone(), changed]);
    assert_eq!(nodes.events("RemittanceCreated"), 0);

    // A new preview shows the new figures, and its totals are compared.
    let previewed = agency.preview(&id);
    assert_eq!(previewed["sums"][0]["paidOut"], "1155.00", "{previewed}");
    let start = agency.send("POST", &format!("/imports/{id}/start"), None);
    assert_eq!(start.code(), "import_totals_differ");
    mapping["expected"] = json!({"CUP": "1155.00"});
    assert_eq!(agency.send("PUT", &path, Some(mapping)).status, 200);
    agency.preview(&id);
    let done = agency.run(&id);
    assert_eq!(done["runCounts"]["added"], 2, "{:?}", agency.results(&id, "result"));
    assert_eq!(nodes.events("RemittanceCreated"), 2);
}

#[test]
fn a_corrected_row_is_corrected_again_and_one_just_left_out_is_taken_up_before_the_next_run() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let agency = Person::agency(&business);
    let file = "Nombre;Teléfono\nUna;+13055550101\nDos;12\nTres;13\n";
    let id = text(&agency.upload("issuers", file.as_bytes())["id"]);
    agency.preview(&id);
    agency.run(&id);
    let change = |row: i64, body: Value| {
        let answer = agency.send("PUT", &format!("/imports/{id}/rows/{row}"), Some(body));
        (answer.status, answer.code().to_owned())
    };
    let phone = |text: &str| json!({"cells": [{"column": 1, "text": text}]});
    let permitted = (200, String::new());
    assert_eq!(change(1, phone("14")), permitted);
    agency.preview(&id);
    assert_eq!(agency.results(&id, "preview")[1].1, ["phone_too_short"]);
    assert_eq!(change(1, phone("+13055550102")), permitted, "the second error");
    assert_eq!(change(2, json!({"leftOut": true})), permitted);
    assert_eq!(change(2, json!({"leftOut": false})), permitted, "taken up again");
    assert_eq!(change(2, phone("+13055550103")), permitted);
    assert_eq!(
        change(0, phone("+13055550104")),
        (409, "import_row_is_fixed".to_owned())
    );
    agency.preview(&id);
    let done = agency.run(&id);
    assert_eq!(done["runCounts"]["added"], 3);
    for row in 0..3 {
        assert_eq!(change(row, phone("+13055550105")).1, "import_row_is_fixed", "{row}");
    }
}

#[test]
fn an_import_whose_maker_was_changed_in_the_database_adds_nothing() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let agent = json!({"name": "Agent", "email": "agent@example.test", "password": PASSWORD, "agentType": 1});
    business.as_agency(201, "POST", "/agent", agent);
    let agent = Person::login(&business.client, "agent@example.test");
    let id = text(&agent.upload("issuers", b"Nombre\nUno\nDos\n")["id"]);
    agent.preview(&id);
    let before = nodes.events("CustomerRegistered");
    let change = |maker: &str| {
        nodes.runtime.block_on(async {
            let mut transaction = nodes.database.begin_write(TENANT).await.unwrap();
            let changed = sqlx::query_scalar(
                "UPDATE journal.imports AS i SET maker = $1::uuid, state = 'running'
                   FROM journal.imports AS b WHERE b.tenant = i.tenant AND b.id = i.id RETURNING b.maker::text",
            )
            .bind(maker)
            .fetch_one(&mut *transaction);
            let earlier: String = changed.await.unwrap();
            transaction.commit().await.unwrap();
            earlier
        })
    };
    let maker = change(&business.agency);
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(nodes.events("CustomerRegistered"), before, "in the name of another");
    // The node holds it for a while after its failed try.
    change(&maker);
    agent.until(&id, &["mapping"]);
    assert_eq!(nodes.events("CustomerRegistered"), before, "nobody ordered it");
    agent.preview(&id);
    agent.run(&id);
    assert_eq!(nodes.events("CustomerRegistered"), before + 2);
}
