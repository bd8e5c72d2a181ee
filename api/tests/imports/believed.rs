//! What a run believes of what is stored: that a person ordered it, and what the person confirmed.

use super::{HEADERS, Nodes, Person, TENANT, pictures, sold, zipped};
use crate::support::{PASSWORD, picture, text};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

const FILE: &str = "Ana;Eva;;Playa;1,50;CUP;A1\nAna;Iris;;Playa;2,00;CUP;A2\nAna;Rosa;;Playa;3,00;CUP;A3\n";

impl Nodes {
    /// Changes stored rows, as the database's owner could, once the read models have them.
    fn change(&self, statements: &[&'static str]) {
        self.runtime.block_on(async {
            let deadline = Instant::now() + Duration::from_secs(10);
            while let Some(unchanged) = self.try_change(statements).await {
                assert!(Instant::now() < deadline, "{unchanged}");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        });
    }

    /// Changes all, or nothing: then the first statement that found no row.
    async fn try_change(&self, statements: &[&'static str]) -> Option<&'static str> {
        let mut transaction = self.database.begin_write(TENANT).await.unwrap();
        for statement in statements {
            let changed = sqlx::query(statement).execute(&mut *transaction).await.unwrap();
            if changed.rows_affected() == 0 {
                return Some(statement);
            }
        }
        transaction.commit().await.unwrap();
        None
    }

    /// The texts of a query over events, in the order of the log.
    fn texts(&self, query: &str) -> Vec<String> {
        self.runtime.block_on(async {
            let mut transaction = self.database.begin_read(TENANT).await.unwrap();
            let query = format!("{query} ORDER BY position");
            let rows = sqlx::query_scalar(&query).fetch_all(&mut *transaction).await;
            rows.unwrap()
        })
    }
}

#[test]
fn a_run_adds_what_was_previewed_and_confirmed_or_nothing() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let agency = Person::agency(&business);
    let id = text(&agency.upload("remittances", format!("{HEADERS}\n{FILE}").as_bytes())["id"]);
    let leave_out = || {
        agency.send("PUT", &format!("/imports/{id}/rows/0"), Some(json!({"leftOut": false})));
        agency.send("PUT", &format!("/imports/{id}/rows/1"), Some(json!({"leftOut": true})))
    };
    let refused = |change: &[&'static str]| {
        assert_eq!(leave_out().status, 200, "{change:?}");
        assert_eq!(agency.preview(&id)["previewCounts"]["leftOut"], 1, "{change:?}");
        let before = nodes.events("RemittanceCreated");
        nodes.change(change);
        let start = agency.send("POST", &format!("/imports/{id}/start"), None);
        assert_eq!(
            (start.status, start.code()),
            (409, "import_not_as_previewed"),
            "{change:?}"
        );
        assert_eq!(nodes.events("RemittanceCreated"), before, "{change:?}");
    };
    let rows: [&[&str]; 7] = [
        &["UPDATE journal.import_rows SET left_out = false WHERE left_out"],
        &["UPDATE journal.import_rows SET left_out = false, mac = NULL WHERE left_out"],
        &["DELETE FROM journal.import_rows WHERE left_out"],
        &[
            "UPDATE journal.import_rows AS r SET left_out = o.left_out, preview = o.preview, mac = o.mac, pass = o.pass
             FROM journal.import_rows AS o WHERE (r.row, o.row) IN ((1, 0), (0, 1)) AND o.import = r.import",
        ],
        &["UPDATE journal.import_rows SET preview = jsonb_set(preview, '{figures,payout}', '9900') WHERE row = 2"],
        &["UPDATE journal.import_rows SET preview = NULL WHERE row = 2"],
        &["UPDATE journal.import_rows SET ended_approvals = ended_approvals + 1 WHERE row = 2"],
    ];
    for change in rows {
        refused(change);
    }
    // The rows of an earlier preview, which were right at their time.
    agency.preview(&id);
    nodes.change(&["UPDATE journal.import_rows SET errors = jsonb_build_array(preview, pass, encode(mac, 'hex'))"]);
    refused(&[
        "UPDATE journal.import_rows SET preview = errors->0, pass = (errors->1)::int, mac = decode(errors->>2, 'hex'),
                errors = NULL WHERE row = 2",
    ]);
    // Nobody ordered it.
    agency.preview(&id);
    let before = nodes.events("RemittanceCreated");
    nodes.change(&["UPDATE journal.imports SET state = 'running'"]);
    let stopped = agency.until(&id, &["mapping"]);
    assert_eq!(stopped["failure"]["code"], "import_not_as_previewed");
    assert_eq!(nodes.events("RemittanceCreated"), before);

    // What a person orders is run.
    assert_eq!(agency.preview(&id)["previewCounts"]["leftOut"], 1);
    let done = agency.run(&id);
    assert_eq!(
        (&done["runCounts"]["added"], &done["runCounts"]["leftOut"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(nodes.events("RemittanceCreated"), before + 2);

    // Changed while it is paused: it is not gone on with.
    nodes.kill_before_notes();
    nodes.change(&[
        "UPDATE journal.import_rows SET preview = jsonb_set(preview, '{figures,payout}', '9900') WHERE row = 2",
    ]);
    agency.act(&id, "resume");
    let stopped = agency.until(&id, &["mapping"]);
    assert_eq!(stopped["failure"]["code"], "import_not_as_previewed");
    agency.preview(&id);
    agency.run(&id);
    assert_eq!(nodes.events("RemittanceCreated"), before + 2, "each row once");
}

#[test]
fn names_swapped_in_the_read_models_lead_no_sale_to_another_person() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let agency = Person::agency(&business);
    let run = |rows: &str| {
        let import = agency.upload("remittances", format!("{HEADERS}\n{rows}").as_bytes());
        let id = text(&import["id"]);
        agency.preview(&id);
        agency.run(&id)["runCounts"].clone()
    };
    assert_eq!(run(FILE)["added"], 3);
    let recipient = "SELECT payload->'sale'->>'recipient' AS recipient FROM journal.events
                      WHERE event_type = 'RemittanceCreated'";
    let sold_first = nodes.texts(recipient);
    nodes.change(&[
        "UPDATE read.customers AS c SET name = o.name, details = o.details FROM read.customers AS o
                     WHERE (c.name, o.name) IN (('Eva', 'Iris'), ('Iris', 'Eva')) AND o.tenant = c.tenant",
    ]);
    assert_eq!(run("Ana;Eva;;Playa;1,50;CUP;A4\n")["added"], 1);
    let sold = nodes.texts(recipient);
    let [eva, iris, _, again] = sold.as_slice() else {
        panic!("four sales: {sold:?}")
    };
    assert_eq!(sold_first.as_slice(), &sold[..3]);
    assert_ne!(eva, iris);
    assert_eq!(again, eva, "as the log knows her");
}

#[test]
fn a_row_waits_for_its_approval_whatever_the_read_models_say_of_it() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let agency = Person::agency(&business);
    let second = json!({"name": "Second", "email": "second@example.test", "password": PASSWORD});
    business.as_manager(201, "POST", "/users", second);
    let rule = json!({"kind": "card_number", "makers": ["agency"], "approvers": "manager", "expiresAfterHours": 24});
    business.as_manager(201, "POST", "/approval-rules", rule);
    let file = "Remitente,Nombre,Tarjeta,Municipio\nAna,Eva,9225069990000004,Playa\n";
    let id = text(&agency.upload("recipients", file.as_bytes())["id"]);
    agency.preview(&id);
    agency.run(&id);
    let waits = [("waiting".to_owned(), vec![])];
    assert_eq!(agency.results(&id, "result"), waits);
    for forged in [
        "UPDATE read.proposals SET status = 'rejected'",
        "UPDATE read.proposals SET status = 'waiting', expires_at = created_at - interval '1 day'",
        "UPDATE read.proposals SET status = 'approved', record = id",
    ] {
        nodes.change(&[forged]);
        assert_eq!(agency.results(&id, "result"), waits, "{forged}");
    }
    nodes.change(&["UPDATE read.proposals SET status = 'waiting', record = NULL,
                           expires_at = created_at + interval '24 hours'"]);
    let second = Person::login(&business.client, "second@example.test");
    let waiting = second.get("/proposals?waiting=true");
    let path = format!("/proposals/{}/approve", text(&waiting["data"][0]["id"]));
    let approved = second.send("POST", &path, Some(json!({})));
    assert_eq!(approved.status, 200, "{}", approved.body);
    assert_eq!(agency.results(&id, "result")[0].0, "added");
}

#[test]
fn totals_that_are_not_those_of_the_preview_start_no_run() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let agency = Person::agency(&business);
    let import = agency.upload("remittances", format!("{HEADERS}\n{FILE}").as_bytes());
    let id = text(&import["id"]);
    let mut mapping = import["mapping"].clone();
    mapping["expected"] = json!({"CUP": "1.00"});
    let mapped = agency.send("PUT", &format!("/imports/{id}/mapping"), Some(mapping));
    assert_eq!(mapped.status, 200, "{}", mapped.body);
    agency.preview(&id);
    let start = || agency.send("POST", &format!("/imports/{id}/start"), None);
    let differ = start();
    assert_eq!(differ.code(), "import_totals_differ");
    nodes.change(&["UPDATE journal.imports SET summary = summary - 'expected'"]);
    let refused = start();
    assert_eq!((refused.status, refused.code()), (409, "import_not_as_previewed"));
    let expected: Value = agency.preview(&id)["expected"].clone();
    assert_eq!(expected[0]["expected"], "1.00");
    assert_eq!(start().code(), "import_totals_differ", "after a new preview");
}

#[test]
fn cells_and_columns_of_before_a_correction_are_not_run_after_it() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let agency = Person::agency(&business);
    let import = agency.upload("remittances", format!("{HEADERS}\n{FILE}").as_bytes());
    let id = text(&import["id"]);
    let stored = |query: &'static str| -> Vec<u8> {
        nodes.runtime.block_on(async {
            let mut transaction = nodes.database.begin_read(TENANT).await.unwrap();
            sqlx::query_scalar(query).fetch_one(&mut *transaction).await.unwrap()
        })
    };
    let put_back = |statement: &'static str, content: Vec<u8>| {
        nodes.runtime.block_on(async {
            let mut transaction = nodes.database.begin_write(TENANT).await.unwrap();
            let changed = sqlx::query(statement).bind(content).execute(&mut *transaction);
            assert_eq!(changed.await.unwrap().rows_affected(), 1);
            transaction.commit().await.unwrap();
        });
        let start = agency.send("POST", &format!("/imports/{id}/start"), None);
        assert_eq!(
            (start.status, start.code()),
            (409, "import_not_as_previewed"),
            "{statement}"
        );
    };
    let cells = stored("SELECT content FROM journal.import_chunks");
    let corrected = json!({"cells": [{"column": 1, "text": "Otra"}]});
    assert_eq!(
        agency
            .send("PUT", &format!("/imports/{id}/rows/0"), Some(corrected))
            .status,
        200
    );
    agency.preview(&id);
    put_back("UPDATE journal.import_chunks SET content = $1", cells);

    let columns = stored("SELECT details FROM journal.imports");
    let mut mapping = import["mapping"].clone();
    mapping["dates"] = json!("monthFirst");
    let mapped = agency.send("PUT", &format!("/imports/{id}/mapping"), Some(mapping));
    assert_eq!(mapped.status, 200, "{}", mapped.body);
    agency.preview(&id);
    put_back("UPDATE journal.imports SET details = $1", columns);
    assert_eq!(nodes.events("RemittanceCreated"), 0);
}

#[test]
fn a_proof_of_an_earlier_zip_completes_nothing() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let dealer = Person::login(&business.client, "dealer@example.test");
    let (_, code) = sold(&business, 2).remove(0);
    let names = [format!("{code}.png"), format!("{code}-firma.png")];
    let id = text(&dealer.upload("completions", format!("Remesa\n{code}\n").as_bytes())["id"]);
    dealer.prove(&id, &pictures(&names));
    let earlier: Vec<u8> = nodes.runtime.block_on(async {
        let mut transaction = nodes.database.begin_read(TENANT).await.unwrap();
        let query = sqlx::query_scalar("SELECT content FROM journal.import_proofs WHERE entry = 0");
        query.fetch_one(&mut *transaction).await.unwrap()
    });
    dealer.prove(&id, &zipped(&names.map(|name| (name, picture("another")))));
    assert_eq!(dealer.preview(&id)["previewCounts"]["added"], 1);
    nodes.runtime.block_on(async {
        let mut transaction = nodes.database.begin_write(TENANT).await.unwrap();
        let statement = "UPDATE journal.import_proofs SET content = $1 WHERE entry = 0";
        let changed = sqlx::query(statement).bind(earlier).execute(&mut *transaction);
        assert_eq!(changed.await.unwrap().rows_affected(), 1);
        transaction.commit().await.unwrap();
    });
    dealer.act(&id, "start");
    let stopped = dealer.until(&id, &["paused"]);
    assert_eq!(stopped["failure"]["code"], "import_unreadable");
    assert_eq!(nodes.events("RemittanceCompleted"), 0);
}
