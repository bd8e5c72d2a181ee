//! Imports by real nodes over a real database: what a preview says is what a run does, kills add nothing twice, and nobody
//! sees another's file.

use crate::support::{
    Answer, Business, Call, Client, MANAGER, PASSWORD, Process, create_tenant, picture, run, text, whole_feed,
};
use caudal_postgres::Database;
use caudal_postgres_testing::TestDatabase;
use serde_json::{Value, json};
use sqlx::Row as _;
use std::{
    collections::BTreeMap,
    fmt::Write as _,
    time::{Duration, Instant},
};
use tokio::runtime::Runtime;

/// Kills while a file is imported.
const KILLS: usize = 10;
const ROWS: usize = 180;
/// Number of rows of the killed import. The full form is `CAUDAL_IMPORT_ROWS=50000` with `--nocapture`, which prints what it took.
const ROWS_ASKED: &str = "CAUDAL_IMPORT_ROWS";
/// Maximum wait, on a machine that does other things too; a killed node's hold lasts ten seconds.
const PATIENCE: Duration = Duration::from_secs(180);
const TENANT: &str = "acme";
pub(crate) const HEADERS: &str = "Remitente;Destinatario;Teléfono del destinatario;Municipio;Importe;Moneda;Referencia";

struct Nodes {
    runtime: Runtime,
    test_database: TestDatabase,
    database: Database,
    folder: tempfile::TempDir,
}

impl Nodes {
    fn new(tenants: &[&str]) -> Self {
        let runtime = Runtime::new().unwrap();
        let test_database = runtime.block_on(TestDatabase::new());
        let folder = tempfile::tempdir().unwrap();
        for tenant in tenants {
            create_tenant(test_database.url(), folder.path(), tenant);
        }
        let database = runtime.block_on(test_database.connect());
        Self {
            runtime,
            test_database,
            database,
            folder,
        }
    }

    fn start(&self) -> Process {
        let arguments = ["--operations-listen", "127.0.0.1:0"];
        Process::serve_with(self.test_database.url(), self.folder.path(), "warn", &arguments)
    }

    /// A business whose agency has a balance.
    fn business(&self, node: &Process) -> Business {
        self.funded(node, 900_000)
    }

    fn funded(&self, node: &Process, balance: usize) -> Business {
        let business = Business::set_up(node.client(TENANT));
        business.fund(&balance.to_string());
        business
    }

    /// Sends a request that waits for a change of the tenant's tables, which commits while the request waits.
    fn changing_meanwhile<T: Send>(&self, change: &'static str, request: impl FnOnce() -> T + Send) -> T {
        // A transaction is rolled back by the runtime, also where an assertion fails.
        let _entered = self.runtime.enter();
        std::thread::scope(|scope| {
            let mut transaction = self.runtime.block_on(self.database.begin_write(TENANT)).unwrap();
            let changed = sqlx::query(change).execute(&mut *transaction);
            assert_eq!(self.runtime.block_on(changed).unwrap().rows_affected(), 1);
            let waiting = scope.spawn(request);
            let blocked = "SELECT EXISTS (SELECT FROM pg_locks AS l
                                           WHERE NOT l.granted AND pg_backend_pid() = ANY (pg_blocking_pids(l.pid)))";
            let deadline = Instant::now() + PATIENCE;
            while !self.runtime.block_on(async {
                let blocked = sqlx::query_scalar::<_, bool>(blocked)
                    .fetch_one(&mut *transaction)
                    .await;
                blocked.unwrap()
            }) {
                assert!(Instant::now() < deadline && !waiting.is_finished(), "nobody waits");
                std::thread::sleep(Duration::from_millis(5));
            }
            self.runtime.block_on(transaction.commit()).unwrap();
            waiting.join().unwrap()
        })
    }

    /// Events of a type in the tenant's log.
    fn events(&self, kind: &str) -> i64 {
        self.runtime.block_on(async {
            let mut transaction = self.database.begin_read(TENANT).await.unwrap();
            let query = "SELECT count(*) AS number FROM journal.events WHERE event_type = $1";
            let row = sqlx::query(query).bind(kind).fetch_one(&mut *transaction).await;
            row.unwrap().get("number")
        })
    }
}

/// A person at the screen of imports.
pub(crate) struct Person {
    client: Client,
    token: String,
}

impl Person {
    pub(crate) fn agency(business: &Business) -> Self {
        Self {
            client: business.client.clone(),
            token: business.agency_token.clone(),
        }
    }

    pub(crate) fn manager(business: &Business) -> Self {
        Self {
            client: business.client.clone(),
            token: business.manager.clone(),
        }
    }

    pub(crate) fn login(client: &Client, email: &str) -> Self {
        Self {
            client: client.clone(),
            token: client.login(email, PASSWORD),
        }
    }

    fn send(&self, method: &str, path: &str, body: Option<Value>) -> Answer {
        let call = Call::new(method, path).token(&self.token);
        self.client.send(match body {
            Some(body) => call.json(&body),
            None => call,
        })
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        self.client.expect(200, &self.token, "GET", path, None)
    }

    fn uploading(&self, kind: &str, content: &[u8]) -> Answer {
        let parts = [
            ("kind", "kind", kind.as_bytes()),
            ("name", "name", "ventas de noviembre.csv".as_bytes()),
            ("file", "x", content),
        ];
        let call = Call::new("POST", "/imports").token(&self.token);
        self.client.send(call.multipart(parts))
    }

    pub(crate) fn upload(&self, kind: &str, content: &[u8]) -> Value {
        let answer = self.uploading(kind, content);
        assert!(answer.status == 201 || answer.status == 200, "{}", answer.body);
        answer.body
    }

    pub(crate) fn act(&self, id: &str, act: &str) -> Value {
        self.client
            .expect(200, &self.token, "POST", &format!("/imports/{id}/{act}"), None)
    }

    pub(crate) fn until(&self, id: &str, states: &[&str]) -> Value {
        let deadline = Instant::now() + patience();
        loop {
            let now = self.get(&format!("/imports/{id}"));
            if states.iter().any(|state| now["state"] == *state) {
                return now;
            }
            assert!(Instant::now() < deadline, "still {now}");
            std::thread::sleep(Duration::from_millis(40));
        }
    }

    pub(crate) fn preview(&self, id: &str) -> Value {
        self.act(id, "preview");
        self.until(id, &["previewed"])
    }

    pub(crate) fn run(&self, id: &str) -> Value {
        self.act(id, "start");
        self.until(id, &["done"])
    }

    fn rows(&self, id: &str, query: &str) -> Vec<Value> {
        let (mut rows, mut page) = (Vec::new(), 1);
        loop {
            let path = format!("/imports/{id}/rows?RecordsPerPage=100&CurrentPage={page}{query}");
            let answer = self.get(&path);
            rows.extend(answer["data"].as_array().unwrap().iter().cloned());
            if page >= answer["totalPages"].as_i64().unwrap() {
                return rows;
            }
            page += 1;
        }
    }

    /// Result and error codes of every row, in the preview or in the run.
    pub(crate) fn results(&self, id: &str, of: &str) -> Vec<(String, Vec<String>)> {
        let codes = |row: &Value| {
            row["errors"]
                .as_array()
                .unwrap()
                .iter()
                .map(|error| text(&error["code"]))
                .collect()
        };
        let rows = self.rows(id, "");
        rows.iter().map(|row| (text(&row[of]), codes(row))).collect()
    }
}

/// Maximum wait for what takes as long as there are rows.
fn patience() -> Duration {
    PATIENCE + Duration::from_millis(60) * u32::try_from(rows_asked().unwrap_or(0)).unwrap()
}

/// Rows of the killed import, if asked for by the environment.
fn rows_asked() -> Option<usize> {
    let asked = std::env::var(ROWS_ASKED).ok();
    asked.map(|rows| rows.parse().expect("CAUDAL_IMPORT_ROWS is a number"))
}

/// Sales of sixty senders to a recipient each. Every ninth amount is none, and every tenth recipient's telephone is wrong.
fn sales(rows: usize) -> String {
    let mut text = format!("{HEADERS}\r\n");
    for row in 0..rows {
        let sender = row % 60;
        let amount = if row % 9 == 8 { "-5,00" } else { "1,50" };
        let phone = if sender % 10 == 9 {
            "123".to_owned()
        } else {
            format!("+53522000{sender:02}")
        };
        writeln!(text, "Ana {sender};Eva {sender};{phone};Playa;{amount};CUP;R{row}\r").unwrap();
    }
    text
}

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
fn each_kind_adds_what_its_file_says_and_tells_its_errors_at_their_cells() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let (agency, manager) = (Person::agency(&business), Person::manager(&business));

    // Issuers, by an agency. One is known, one is twice in the file, one has no name.
    let file = "Nombre;Apellidos;Teléfono;Correo\nAna;;;\nBea;Ruiz;+13055550101;bea@example.org\nBea;Ruiz;+13055550101;\n;Sin;;\n";
    let id = text(&agency.upload("issuers", file.as_bytes())["id"]);
    agency.preview(&id);
    let preview = agency.results(&id, "preview");
    let names: Vec<_> = preview
        .iter()
        .map(|(result, codes)| (result.as_str(), codes.join(" ")))
        .collect();
    let expected = [("there", ""), ("added", ""), ("there", ""), ("refused", "required")];
    assert_eq!(names, expected.map(|(result, code)| (result, code.to_owned())));
    let refused = &agency.rows(&id, "&result=refused")[0];
    assert_eq!(
        (&refused["line"], &refused["errors"][0]["column"]),
        (&json!(5), &json!(0))
    );
    assert_eq!(refused["errors"][0]["field"], "name");

    // It is corrected in place, another row is left out, and the preview is made anew.
    let change = |row: i64, body: Value| agency.send("PUT", &format!("/imports/{id}/rows/{row}"), Some(body));
    assert_eq!(
        change(3, json!({"cells": [{"column": 0, "text": "Carla"}]})).status,
        200
    );
    assert_eq!(change(1, json!({"leftOut": true})).body["leftOut"], true);
    assert_eq!(
        agency.send("POST", &format!("/imports/{id}/start"), None).code(),
        "import_not_in_state"
    );
    let previewed = agency.preview(&id);
    assert_eq!(
        previewed["previewCounts"],
        json!({"added": 2, "there": 1, "waiting": 0, "refused": 0, "leftOut": 1})
    );
    let done = agency.run(&id);
    assert_eq!(done["runCounts"], previewed["previewCounts"]);
    let found = agency.get("/customer/sender?query=Carla");
    assert_eq!(found["totalRecords"], 1);
    assert_eq!(change(3, json!({"leftOut": true})).code(), "import_row_is_fixed");

    // One passport number of two countries is of two people; a country is named or coded, and is one that there is.
    let file = "Nombre;Documento;Tipo de documento;País del documento\nIria;X123456;pasaporte;España\nItalo;X123456;pasaporte;it\nIria;x123456;pasaporte;es\nNadie;X999999;pasaporte;Narnia\n";
    let id = text(&agency.upload("issuers", file.as_bytes())["id"]);
    agency.preview(&id);
    let preview = agency.results(&id, "preview");
    let expected = [
        ("added", ""),
        ("added", ""),
        ("there", ""),
        ("refused", "country_unknown"),
    ];
    let expected = expected.map(|(result, code)| (result.to_owned(), code.to_owned()));
    let found: Vec<_> = preview
        .iter()
        .map(|(result, codes)| (result.clone(), codes.join(" ")))
        .collect();
    assert_eq!(found, expected);
    assert_eq!(agency.rows(&id, "&result=refused")[0]["errors"][0]["column"], 3);
    agency.run(&id);
    let countries: Vec<_> = agency
        .rows(&id, "&result=added")
        .iter()
        .map(|row| {
            agency.get(&format!("/customer/{}/details", text(&row["record"])))["personalIdentificationCountry"].clone()
        })
        .collect();
    assert_eq!(countries, ["ES", "IT"]);

    // Recipients with cards, for the agency by the office; the errors go to a file, which is corrected and uploaded.
    let file = "Remitente,Nombre,Tarjeta,Municipio\nAna,Eva,9225069990000004,Playa\nAna,Eva,9225069990000012,Playa\nAna,Iris,123,Playa\n";
    let import = manager.upload("recipients", file.as_bytes());
    let id = text(&import["id"]);
    let wrong = manager.send("POST", &format!("/imports/{id}/preview"), None);
    assert_eq!(wrong.body["errors"][0]["code"], "import_owner_required");
    assert_eq!(import["seller"], json!(null));
    let mut mapping = import["mapping"].clone();
    mapping["owner"] = json!(business.agency);
    let mapped = manager.client.expect(
        200,
        &manager.token,
        "PUT",
        &format!("/imports/{id}/mapping"),
        Some(mapping),
    );
    assert_eq!(mapped["seller"], json!({"id": business.agency, "name": "Agency"}));
    manager.preview(&id);
    let done = manager.run(&id);
    assert_eq!(done["runCounts"]["added"], 2, "{:?}", manager.results(&id, "result"));
    assert_eq!(done["runCounts"]["refused"], 1);
    for format in ["csv", "xlsx"] {
        let path = format!("/imports/{id}/file?format={format}");
        let file = manager.client.send(Call::new("GET", &path).token(&manager.token));
        assert_eq!(file.status, 200);
        let again = manager.upload("recipients", &file.bytes);
        assert_eq!(
            (&again["rows"], &again["headers"]),
            (&json!(1), &import["headers"]),
            "{format}"
        );
        assert_eq!(
            (&again["mapping"]["columns"], &again["mapping"]["owner"]),
            (&import["mapping"]["columns"], &json!(null)),
            "columns are saved for such files, and the seller is each file's own"
        );
    }

    // Remittances, with an amount that is too large for the balance, told with the place of the amount.
    let rows = "Ana;Eva;+5352000000;Playa;1,50;CUP;A1\nAna;Eva;+5352000000;Playa;9000,00;CUP;A2\n";
    let id = text(&agency.upload("remittances", format!("{HEADERS}\n{rows}").as_bytes())["id"]);
    let previewed = agency.preview(&id);
    assert_eq!(previewed["previewCounts"]["added"], 1);
    assert_eq!(
        agency.rows(&id, "&result=refused")[0]["errors"][0]["code"],
        "balance_insufficient"
    );
    agency.run(&id);
    let sold = agency.rows(&id, "&result=added");
    let found = agency.get(&format!("/remittances/{}", text(&sold[0]["record"])));
    assert_eq!(found["code"], sold[0]["code"]);

    // Delivery fees, by the office.
    let file = "Municipio;Tarifa;Moneda\nPlaya;150,00;CUP\nPlaya;2,00;CUP\nNo hay;1,00;CUP\n";
    let id = text(&manager.upload("fees", file.as_bytes())["id"]);
    manager.preview(&id);
    let preview = manager.results(&id, "preview");
    let codes: Vec<_> = preview.iter().map(|(_, codes)| codes.join(" ")).collect();
    assert_eq!(codes, ["", "duplicate", "municipality_unknown"]);
    manager.run(&id);
    assert_eq!(manager.results(&id, "result"), preview);
    // Without a currency: told at the fee's column, unless the place has a fee whose currency stays.
    let id = text(&manager.upload("fees", "Municipio;Tarifa\nPlaya;160,00\nMarianao;90,00\n".as_bytes())["id"]);
    manager.preview(&id);
    let errors = &manager.rows(&id, "&result=refused")[0]["errors"];
    assert_eq!(
        (&errors[0]["code"], &errors[0]["column"]),
        (&json!("import_fee_currency_missing"), &json!(1))
    );
    assert_eq!(manager.results(&id, "preview")[0].0, "added");
    assert_eq!(
        agency.uploading("fees", b"Municipio;Tarifa\nPlaya;1\n").code(),
        "role_not_allowed"
    );
}

#[test]
fn nobody_sees_anothers_imports_and_an_import_does_what_its_maker_may_do() {
    let nodes = Nodes::new(&[TENANT, "other"]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let agency = Person::agency(&business);
    let (client, manager) = (&business.client, Person::manager(&business));
    let import = agency.upload("issuers", b"Nombre\nZafiro\n");
    let id = text(&import["id"]);
    let path = format!("/imports/{id}");

    business.as_manager(
        201,
        "POST",
        "/agency",
        json!({"name": "Second", "email": "second@example.test", "password": PASSWORD,
               "paymentGroups": [{"paymentGroupId": business.cup}]}),
    );
    business.as_manager(
        201,
        "POST",
        "/agent",
        json!({"name": "Agent", "email": "agent@example.test", "password": PASSWORD, "agentType": 1,
               "agencyId": business.agency}),
    );
    let strangers = [
        Person::login(client, "second@example.test"),
        Person::login(client, "agent@example.test"),
        Person::login(&node.client("other"), MANAGER),
        Person::manager(&business),
    ];
    for stranger in &strangers {
        assert_eq!(stranger.get("/imports")["results"], json!([]));
        for (method, more, body) in [
            ("GET", "", None),
            ("GET", "/rows", None),
            ("GET", "/file?format=csv", None),
            ("PUT", "/mapping", Some(import["mapping"].clone())),
            ("PUT", "/rows/0", Some(json!({"leftOut": true}))),
            ("POST", "/preview", None),
            ("POST", "/start", None),
            ("POST", "/pause", None),
            ("POST", "/resume", None),
            ("POST", "/cancel", None),
        ] {
            let answer = stranger.send(method, &format!("{path}{more}"), body);
            assert_eq!(
                (answer.status, answer.code()),
                (404, "import_not_found"),
                "{method} {more}"
            );
        }
    }
    let dealer = Person::login(client, "dealer@example.test");
    assert_eq!(dealer.get("/imports")["results"], json!([]));
    assert_eq!(dealer.uploading("issuers", b"Nombre\nAna\n").code(), "role_not_allowed");
    // The same file of another is another import.
    let others = strangers[1].upload("issuers", b"Nombre\nZafiro\n");
    assert_ne!(others["id"], import["id"]);

    // A member of the office sees the office's imports of what he may read, changes only the own, and imports what he may.
    let set = json!({"name": "Clerk", "reads": [], "writes": ["customers"]});
    let set = business.as_manager(201, "POST", "/permission_sets", set);
    let clerk = json!({"name": "Clerk", "email": "clerk@example.test", "password": PASSWORD,
                       "permissionSet": set["id"]});
    business.as_manager(201, "POST", "/users", clerk);
    let office = Person::login(client, "clerk@example.test");
    assert_eq!(
        office.uploading("remittances", b"a;b\n1;2\n").code(),
        "permission_missing"
    );
    let kinds = office.get("/imports/kinds")["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kind| text(&kind["kind"]))
        .collect::<Vec<_>>();
    assert_eq!(kinds, ["issuers", "recipients"]);
    let own = manager.upload("issuers", b"Nombre\nDe la oficina\n");
    let own = text(&own["id"]);
    assert_eq!(office.get(&format!("/imports/{own}"))["own"], false);
    let taken = office.send("POST", &format!("/imports/{own}/cancel"), None);
    assert_eq!(taken.code(), "import_of_another");

    // What the maker may not do any more stops the run; the rows are not refused.
    let mut file = "Nombre\n".to_owned();
    for row in 0..600 {
        writeln!(file, "Persona {row}").unwrap();
    }
    let import = office.upload("issuers", file.as_bytes());
    let id = text(&import["id"]);
    let mut mapping = import["mapping"].clone();
    mapping["owner"] = json!(business.agency);
    client.expect(
        200,
        &office.token,
        "PUT",
        &format!("/imports/{id}/mapping"),
        Some(mapping),
    );
    office.preview(&id);
    office.act(&id, "start");
    let reads = json!({"name": "Clerk", "reads": ["customers"], "writes": []});
    let path = format!("/permission_sets/{}", text(&set["id"]));
    business.as_manager(200, "PUT", &path, reads);
    let stopped = office.until(&id, &["paused"]);
    assert_eq!(
        (&stopped["failure"]["code"], &stopped["runCounts"]["refused"]),
        (&json!("permission_missing"), &json!(0))
    );
    assert_eq!(
        office.send("POST", &format!("/imports/{id}/resume"), None).code(),
        "permission_missing"
    );
    business.as_manager(
        200,
        "PUT",
        &path,
        json!({"name": "Clerk", "reads": [], "writes": ["customers"]}),
    );
    office.act(&id, "resume");
    let done = office.until(&id, &["done"]);
    assert_eq!(done["runCounts"]["added"], 600);
}

#[test]
fn an_import_goes_round_no_approval() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let agency = Person::agency(&business);
    business.as_manager(
        201,
        "POST",
        "/users",
        json!({"name": "Second", "email": "second@example.test", "password": PASSWORD}),
    );
    let rule = json!({"kind": "card_number", "makers": ["agency"], "approvers": "manager", "expiresAfterHours": 24});
    business.as_manager(201, "POST", "/approval-rules", rule);
    let file = "Remitente,Nombre,Tarjeta,Municipio\nAna,Eva,9225069990000004,Playa\n";
    let id = text(&agency.upload("recipients", file.as_bytes())["id"]);
    agency.preview(&id);
    agency.run(&id);
    assert_eq!(agency.results(&id, "result"), [("waiting".to_owned(), vec![])]);
    let proposals = business
        .client
        .expect(200, &business.manager, "GET", "/proposals", None);
    assert_eq!(proposals["totalRecords"], 1, "{proposals}");

    // A sale to a card that waits is not made; after the approval it is.
    let file = "Remitente;Destinatario;Tarjeta;Municipio;Importe;Moneda\nAna;Iris;9204069990000012;Playa;1,00;CUP\n";
    let before = nodes.events("RemittanceCreated");
    let id = text(&agency.upload("remittances", file.as_bytes())["id"]);
    agency.preview(&id);
    let preview = agency.results(&id, "preview");
    assert_eq!(
        preview,
        [("refused".to_owned(), vec!["import_approval_first".to_owned()])]
    );
    agency.run(&id);
    assert_eq!(agency.results(&id, "result"), preview);
    assert_eq!(nodes.events("RemittanceCreated"), before);
    let second = Person::login(&business.client, "second@example.test");
    for proposal in second.get("/proposals?waiting=true")["data"].as_array().unwrap() {
        let path = format!("/proposals/{}/approve", text(&proposal["id"]));
        let answer = second.send("POST", &path, Some(json!({})));
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    agency.preview(&id);
    agency.run(&id);
    let results = agency.results(&id, "result");
    assert_eq!(results[0].0, "added", "{results:?}");
    assert_eq!(nodes.events("RemittanceCreated"), before + 1);
}

/// A sale, as a row and as a person types it.
struct Sale {
    sender: &'static str,
    recipient: [&'static str; 2],
    amount: &'static str,
    /// Purpose and source of the funds are told.
    declares: bool,
    card: &'static str,
}

const fn sale_of(sender: &'static str, recipient: [&'static str; 2], amount: &'static str) -> Sale {
    Sale {
        sender,
        recipient,
        amount,
        declares: false,
        card: "",
    }
}

impl Sale {
    fn row(&self) -> String {
        let [name, last] = self.recipient;
        let (purpose, source) = if self.declares { ("Ayuda", "Salario") } else { ("", "") };
        let Self {
            sender, amount, card, ..
        } = self;
        format!("{sender};{name};{last};Playa;{amount},00;CUP;{purpose};{source};{card}\n")
    }
}

/// What becomes of a sale: as a row says it, and whether it is held.
type Sold = (String, Vec<String>, bool);

/// Sells one by one, each customer registered when first needed.
fn sold_singly(business: &Business, sales: &[Sale]) -> Vec<Sold> {
    let mut known = BTreeMap::new();
    let mut customer = |within: &str, names: [&str; 2]| {
        let add = || {
            let [name, last] = names;
            let mut body = json!({"name": name, "lastName": last, "customerType": i32::from(!within.is_empty())});
            if !within.is_empty() {
                body["senderId"] = json!(within);
                body["provinceId"] = json!(business.province);
                body["municipalityId"] = json!(business.municipality);
            }
            text(&business.as_agency(201, "POST", "/customer", body)["id"])
        };
        let key = format!("{within}/{}", names.join(" "));
        known.entry(key).or_insert_with(add).clone()
    };
    let sell = |sale: &Sale| {
        let sender = customer("", [sale.sender, ""]);
        let recipient = customer(&sender, sale.recipient);
        let mut body = business.sale(sale.amount);
        body["senderId"] = json!(sender);
        body["recipientId"] = json!(recipient);
        if sale.declares {
            body["purpose"] = json!("Ayuda");
            body["sourceOfFunds"] = json!("Salario");
        }
        if !sale.card.is_empty() {
            let card = json!({"customerId": recipient, "cardNumber": sale.card, "brand": "bandec_cup"});
            let proposed = business.as_agency(202, "POST", "/customer/add_card", card);
            assert_eq!(proposed["status"], "waiting", "{proposed}");
            return ("refused".to_owned(), vec!["import_approval_first".to_owned()], false);
        }
        let call = Call::new("POST", "/remittances").token(&business.agency_token);
        let sold = business.client.send(call.json(&body));
        if sold.status == 201 {
            return ("added".to_owned(), vec![], is_held(business, &text(&sold.body["id"])));
        }
        let errors = sold.body["errors"].as_array().cloned().unwrap_or_default();
        let mut codes: Vec<String> = errors.iter().map(|error| text(&error["code"])).collect();
        if codes.is_empty() {
            codes.push(sold.code().to_owned());
        }
        ("refused".to_owned(), codes, false)
    };
    sales.iter().map(sell).collect()
}

fn is_held(business: &Business, id: &str) -> bool {
    let path = format!("/remittances/{id}");
    let seen = business.client.expect(200, &business.agency_token, "GET", &path, None);
    seen["held"] == true
}

#[test]
fn rows_under_screening_limits_and_approval_rules_are_held_refused_and_proposed_as_single_sales_are() {
    let nodes = Nodes::new(&[TENANT, "singly"]);
    let node = nodes.start();
    let list = nodes.folder.path().join("list.csv");
    std::fs::write(&list, "id;name\n7001;ZALDÍVAR QUESADA, Evaristo\n").unwrap();
    let load = ["screening", "load", "--list", "sample", list.to_str().unwrap()];
    let (done, said) = run(nodes.test_database.url(), nodes.folder.path(), &load);
    assert!(done, "{said}");
    let set_up = |tenant: &str| {
        let business = Business::set_up(node.client(tenant));
        business.fund("900000");
        let deadline = Instant::now() + PATIENCE;
        let screening = || {
            business
                .client
                .expect(200, &business.manager, "GET", "/screening", None)
        };
        while screening()["lists"][0]["loaded"] != true {
            assert!(Instant::now() < deadline, "{}", screening());
            std::thread::sleep(Duration::from_millis(40));
        }
        business.as_manager(200, "PUT", "/screening/lists", json!({"lists": {"sample": 86}}));
        for rule in [
            json!({"side": "sender", "window": "days30", "amount": "100", "outcome": "refuse"}),
            json!({"side": "sender", "window": "sale", "amount": "50", "outcome": "needs",
                   "needs": ["purpose", "source_of_funds"]}),
            json!({"side": "recipient", "window": "day", "count": 2, "outcome": "hold"}),
        ] {
            business.as_manager(201, "POST", "/limit-rules", rule);
        }
        let rule =
            json!({"kind": "card_number", "makers": ["agency"], "approvers": "manager", "expiresAfterHours": 24});
        business.as_manager(201, "POST", "/approval-rules", rule);
        business
    };
    let listed = ["Evaristo", "Zaldivar Quesada"];
    let declared = |sale: Sale| Sale { declares: true, ..sale };
    let sales = [
        sale_of("Alba", ["Rosa", "Uno"], "10"),
        sale_of("Alba", listed, "10"),
        sale_of("Beto", ["Rosa", "Dos"], "60"),
        declared(sale_of("Beto", ["Rosa", "Dos"], "60")),
        declared(sale_of("Beto", ["Rosa", "Dos"], "60")),
        sale_of("Carla", ["Iris", "Tres"], "5"),
        sale_of("Carla", ["Iris", "Tres"], "5"),
        sale_of("Carla", ["Iris", "Tres"], "5"),
        Sale {
            card: "9204069990000012",
            ..sale_of("Dora", ["Nora", "Cuatro"], "5")
        },
        sale_of("Evaristo Zaldivar Quesada", ["Olga", "Cinco"], "5"),
    ];
    let singly = sold_singly(&set_up("singly"), &sales);

    let business = set_up(TENANT);
    let agency = Person::agency(&business);
    let mut file = "Remitente;Destinatario;Apellidos del destinatario;Municipio;Importe;Moneda;Propósito;\
                    Origen de los fondos;Tarjeta\n"
        .to_owned();
    for sale in &sales {
        file.push_str(&sale.row());
    }
    let id = text(&agency.upload("remittances", file.as_bytes())["id"]);
    let previewed = agency.preview(&id);
    let preview = agency.results(&id, "preview");
    let done = agency.run(&id);
    assert_eq!(agency.results(&id, "result"), preview, "run and preview");
    assert_eq!(done["runCounts"], previewed["previewCounts"]);
    let imported: Vec<Sold> = agency
        .rows(&id, "")
        .iter()
        .zip(preview)
        .map(|(row, (result, codes))| {
            let held = row["record"].as_str().is_some_and(|id| is_held(&business, id));
            (result, codes, held)
        })
        .collect();
    assert_eq!(imported, singly);
    let told: Vec<_> = imported
        .iter()
        .map(|(result, codes, held)| format!("{result} {} {held}", codes.join(" ")))
        .collect();
    let held = "added  true".to_owned();
    assert_eq!(
        (&told[1], &told[7], &told[9]),
        (&held, &held, &held),
        "by the list, by the count, by the list: {told:?}"
    );
    assert_eq!(told[2], "refused needs_purpose needs_source_of_funds false");
    assert_eq!(told[4], "refused sale_beyond_limits false");
    let waiting = |business: &Business| {
        let path = "/proposals?waiting=true";
        business.client.expect(200, &business.manager, "GET", path, None)["totalRecords"].clone()
    };
    assert_eq!(waiting(&business), 1, "the card waits for its approval");
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

    // A canceled one goes on when its file is uploaded again. A node that has not noticed yet, and would tell what it finds by
    // the columns of before, has it no more.
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
fn files_that_are_none_and_bombs_are_refused_with_their_reason() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    let agency = Person::agency(&business);
    let zipped = |parts: &[(&str, Vec<u8>)]| {
        let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        for (name, content) in parts {
            writer
                .start_file(*name, zip::write::SimpleFileOptions::default())
                .unwrap();
            std::io::Write::write_all(&mut writer, content).unwrap();
        }
        writer.finish().unwrap().into_inner()
    };
    let bomb: Vec<(String, Vec<u8>)> = (0..210)
        .map(|part| (format!("xl/{part}.xml"), vec![b' '; 1024 * 1024]))
        .collect();
    let bomb: Vec<(&str, Vec<u8>)> = bomb
        .iter()
        .map(|(name, content)| (name.as_str(), content.clone()))
        .collect();
    let wide = "x;".repeat(1_000_000);
    // It announces 10^14 texts, for which a reader may reserve memory.
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument";
    let relationships =
        format!("<Relationships><Relationship Type=\"{office}\" Target=\"xl/workbook.xml\"/></Relationships>");
    let liar = zipped(&[
        ("_rels/.rels", relationships.into_bytes()),
        ("xl/workbook.xml", b"<workbook/>".to_vec()),
        (
            "xl/sharedStrings.xml",
            b"<sst uniqueCount=\"99999999999999\"></sst>".to_vec(),
        ),
    ]);
    let files: [(&str, Vec<u8>, &str); 8] = [
        ("bomb", zipped(&bomb), "import_unpacks_too_large"),
        ("liar", liar, "import_damaged"),
        (
            "columns",
            format!("{wide}\n1\n").into_bytes(),
            "import_columns_too_many",
        ),
        ("rows", "a\n".repeat(50_002).into_bytes(), "import_rows_too_many"),
        ("old", vec![0xD0, 0xCF, 0x11, 0xE0, 0], "import_workbook_old_or_locked"),
        ("program", b"\x7fELF\0\0\0\0\x01\x02".to_vec(), "import_not_a_table"),
        ("damaged", b"PK\x03\x04 cut off".to_vec(), "import_damaged"),
        ("large", vec![b'a'; 20 * 1024 * 1024 + 1], "import_too_large"),
    ];
    node.forget_peak();
    for (name, content, code) in &files {
        let answer = agency.uploading("issuers", content);
        assert_eq!(answer.status, 422, "{name}: {}", answer.body);
        assert_eq!(answer.body["errors"][0]["code"], *code, "{name}");
    }
    let peak = node.peak_memory() / 1024;
    assert!(peak < 300, "{peak} MB");
    // Old encodings are read, and formulas told.
    let (latin, ..) = encoding_rs::WINDOWS_1252.encode("Nombre;Apellidos\nÁngel;Muñoz\n");
    assert_eq!(agency.upload("issuers", &latin)["sample"][0], json!(["Ángel", "Muñoz"]));
    let mut book = rust_xlsxwriter::Workbook::new();
    let sheet = book.add_worksheet();
    sheet.write_row(0, 0, ["Nombre", "Apellidos"]).unwrap();
    sheet
        .write_formula(1, 0, rust_xlsxwriter::Formula::new("=\"A\"&\"na\"").set_result("Ana"))
        .unwrap();
    let read = agency.upload("issuers", &book.save_to_buffer().unwrap());
    assert_eq!(
        (&read["sample"][0][0], &read["notices"]),
        (&json!("Ana"), &json!(["formulas"]))
    );
}

/// A ZIP of files by name.
fn zipped(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, content) in files {
        writer
            .start_file(name.as_str(), zip::write::SimpleFileOptions::default())
            .unwrap();
        std::io::Write::write_all(&mut writer, content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Pictures by name.
pub(crate) fn pictures(names: &[String]) -> Vec<u8> {
    let files: Vec<_> = names.iter().map(|name| (name.clone(), picture(name))).collect();
    zipped(&files)
}

impl Person {
    fn proving(&self, id: &str, zip: &[u8]) -> Answer {
        let parts = [("name", "name", "pruebas.zip".as_bytes()), ("file", "x", zip)];
        let call = Call::new("PUT", &format!("/imports/{id}/proofs")).token(&self.token);
        self.client.send(call.multipart(parts))
    }

    pub(crate) fn prove(&self, id: &str, zip: &[u8]) -> Value {
        let answer = self.proving(id, zip);
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.body
    }
}

/// Sells remittances, of which the dealer is given all but the last. Returns ids and codes.
pub(crate) fn sold(business: &Business, number: usize) -> Vec<(String, String)> {
    let sell = |_| {
        let sold = business.as_agency(201, "POST", "/remittances", business.sale("1"));
        (text(&sold["id"]), text(&sold["code"]))
    };
    let sold: Vec<_> = (0..number).map(sell).collect();
    for (id, _) in sold.iter().rev().skip(1) {
        let path = format!("/remittances/{id}/assign/dealer");
        business.as_manager(200, "PUT", &path, json!({"dealerId": business.dealer}));
    }
    sold
}

#[test]
fn a_list_of_completions_with_a_zip_of_proofs_completes_each_remittance_once_as_singly() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let dealer = Person::login(&business.client, "dealer@example.test");
    let sold = sold(&business, 7);
    let code = |row: usize| sold[row].1.as_str();
    let mut file = "Remesa;Prueba;Firma\n".to_owned();
    for (row, proof, signature) in [
        (0, "", ""),
        (1, "", ""),
        (2, "foto dos.png", "Carpeta/FIRMA DOS"),
        (3, "", ""),
        (4, "", ""),
        (6, "", ""),
        (0, "", ""),
        (5, "otra.png", ""),
    ] {
        writeln!(file, "{};{proof};{signature}", code(row).to_lowercase()).unwrap();
    }
    let import = dealer.upload("completions", file.as_bytes());
    let id = text(&import["id"]);
    assert_eq!(import["proofs"], json!(null));
    assert_eq!(
        import["mapping"]["columns"],
        json!({"remittance": 0, "identificationDocument": 1, "firmPicture": 2})
    );
    let mut files: Vec<_> = [
        format!("{}.png", code(0)),
        format!("fotos/{}-firma.png", code(0)),
        "foto dos.png".to_owned(),
        "firma dos.png".to_owned(),
        format!("{}.png", code(3)),
        "de nadie.png".to_owned(),
    ]
    .map(|name| (name.clone(), picture(&name)))
    .into();
    files.push((format!("{}.jpg", code(4)), b"no picture".to_vec()));
    let proved = dealer.prove(&id, &zipped(&files));
    assert_eq!(
        proved["proofs"],
        json!({"name": "pruebas.zip", "entries": 7, "unused": null})
    );

    let previewed = dealer.preview(&id);
    assert_eq!(previewed["proofs"]["unused"], json!(["de nadie.png"]));
    let preview = dealer.results(&id, "preview");
    let told: Vec<_> = preview.iter().map(|(_, codes)| codes.join(" ")).collect();
    let expected = [
        "",
        "import_proof_missing",
        "",
        "import_signature_missing",
        "file_not_image",
        "remittance_not_found",
        "duplicate",
        "import_proof_not_found",
    ];
    assert_eq!(told, expected);
    assert_eq!(
        previewed["sums"][0],
        json!({"currency": "CUP", "charged": "0.00", "paidOut": "640.00", "opened": "0.00"})
    );
    assert_eq!(previewed["balances"][0]["begins"], "0.00", "{previewed}");
    assert_eq!(nodes.events("RemittanceCompleted"), 0);
    let done = dealer.run(&id);
    assert_eq!(dealer.results(&id, "result"), preview, "run and preview");
    assert_eq!(done["runCounts"], previewed["previewCounts"]);
    assert_eq!(nodes.events("RemittanceCompleted"), 2);
    let seen = business.client.expect(
        200,
        &business.agency_token,
        "GET",
        &format!("/remittances/{}", sold[2].0),
        None,
    );
    let url = text(&seen["proof"]["identificationDocument"]);
    let path = url.trim_start_matches("/api").to_owned();
    let read = business
        .client
        .send(Call::new("GET", &path).token(&business.agency_token));
    assert_eq!(
        (read.status, read.bytes),
        (200, picture("foto dos.png")),
        "the ordinary file of the remittance"
    );

    // With the other proofs, the rows in error are run, and no others.
    let more = [format!("{}.png", code(1)), format!("{} firma.png", code(1))];
    dealer.prove(&id, &pictures(&more));
    dealer.preview(&id);
    dealer.run(&id);
    assert_eq!(dealer.results(&id, "result")[1].0, "added");
    assert_eq!(nodes.events("RemittanceCompleted"), 3);
    let again = dealer.uploading("completions", file.as_bytes());
    assert_eq!((again.status, text(&again.body["id"])), (200, id.clone()));
    dealer.preview(&id);
    dealer.run(&id);
    assert_eq!(
        nodes.events("RemittanceCompleted"),
        3,
        "the same file completes nothing twice"
    );
    // Another list with a completed remittance is refused as a single completion is.
    let other = dealer.upload("completions", format!("Remesa\n{}\n", code(0)).as_bytes());
    let other = text(&other["id"]);
    dealer.prove(&other, &pictures(&[format!("{}.png", code(0))]));
    dealer.preview(&other);
    assert_eq!(
        dealer.results(&other, "preview"),
        [("refused".to_owned(), vec!["remittance_is_completed".to_owned()])]
    );

    // The command says the same of the list, and keeps nothing.
    let folder = tempfile::tempdir().unwrap();
    let (list, zip) = (folder.path().join("lista.csv"), folder.path().join("pruebas.zip"));
    std::fs::write(&list, format!("Remesa\n{}\n{}\n", code(3), code(1))).unwrap();
    std::fs::write(
        &zip,
        pictures(&[format!("{}.png", code(3)), format!("{}-firma.png", code(3))]),
    )
    .unwrap();
    let rehearse = |more: &[&str]| {
        let (list, zip) = (list.to_str().unwrap(), zip.to_str().unwrap());
        let login = [
            "--tenant",
            TENANT,
            "--kind",
            "completions",
            "--as",
            "dealer@example.test",
        ];
        let arguments = [&["rehearse", list, "--proofs", zip], login.as_slice(), more].concat();
        run(nodes.test_database.url(), nodes.folder.path(), &arguments)
    };
    let (done, said) = rehearse(&["--expect", "CUP=320.00"]);
    assert!(!done, "a row is refused: {said}");
    assert!(said.contains("CUP paid out: 320.00, as expected"), "{said}");
    assert!(said.contains("line 3: "), "{said}");
    std::fs::write(&list, format!("Remesa\n{}\n", code(3))).unwrap();
    let (done, said) = rehearse(&["--expect", "CUP=320.00", "--expect-rows", "1"]);
    assert!(done, "{said}");
    let (done, said) = rehearse(&["--expect", "CUP=300.00"]);
    assert!(
        !done && said.contains("CUP paid out: 320.00, not 300.00, 20.00 off"),
        "{said}"
    );
    assert_eq!(nodes.events("RemittanceCompleted"), 3, "nothing is kept");

    // Who may not complete may not import completions; other kinds have no proofs.
    let agency = Person::agency(&business);
    assert_eq!(
        agency.uploading("completions", file.as_bytes()).code(),
        "role_not_allowed"
    );
    assert_eq!(agency.proving(&id, &pictures(&more)).code(), "import_not_found");
    let issuers = text(&agency.upload("issuers", b"Nombre\nAna\n")["id"]);
    assert_eq!(
        agency.proving(&issuers, &pictures(&more)).code(),
        "import_without_proofs"
    );
    for (zip, code) in [
        (b"no zip".to_vec(), "import_proofs_not_zip"),
        (zipped(&[("../a.png".to_owned(), picture("a"))]), "import_proofs_path"),
        (zipped(&[("a.zip".to_owned(), pictures(&more))]), "import_proofs_nested"),
    ] {
        let answer = dealer.proving(&id, &zip);
        assert_eq!((answer.status, &answer.body["errors"][0]["code"]), (422, &json!(code)));
    }
    // They are erased with the list.
    let arguments = [
        "forget",
        TENANT,
        &business.issuer_with_recipient("Zoe").0,
        "--retention-days",
        "0",
    ];
    let (done, said) = run(nodes.test_database.url(), nodes.folder.path(), &arguments);
    assert!(done, "{said}");
    let left: i64 = nodes.runtime.block_on(async {
        let mut transaction = nodes.database.begin_read(TENANT).await.unwrap();
        let query = "SELECT (SELECT count(*) FROM journal.import_proofs) + (SELECT count(proofs) FROM journal.imports)";
        let count = sqlx::query_scalar(query).fetch_one(&mut *transaction).await;
        count.unwrap()
    });
    assert_eq!(left, 0);
}

#[test]
fn a_completion_has_the_time_of_its_cell_in_a_workbook_an_open_document_and_a_serial_number() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let manager = Person::manager(&business);
    let sold = sold(&business, 4);
    // Between the assignment and now.
    std::thread::sleep(Duration::from_millis(2_100));
    let at = chrono::Utc::now().with_timezone(&caudal_domain::DEFAULT_ZONE);
    let local = at.naive_local();
    let [book, open, plain] = [0, 1, 2].map(|row: usize| sold[row].1.as_str());
    let mut workbook = rust_xlsxwriter::Workbook::new();
    let sheet = workbook.add_worksheet();
    sheet.write_row(0, 0, ["Remesa", "Entregada"]).unwrap();
    sheet.write(1, 0, book).unwrap();
    let format = rust_xlsxwriter::Format::new().set_num_format("dd/mm/yyyy hh:mm");
    sheet.write_with_format(1, 1, &local, &format).unwrap();
    let cell = |text: &str| format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>");
    let content = format!(
        "<office:document-content><office:body><office:spreadsheet><table:table><table:table-row>{}{}</table:table-row>\
         <table:table-row>{}<table:table-cell office:value-type=\"date\" office:date-value=\"{}\"><text:p>hoy</text:p>\
         </table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>",
        cell("Remesa"),
        cell("Entregada"),
        cell(open),
        local.format("%Y-%m-%dT%H:%M:%S")
    );
    let day = chrono::NaiveDate::from_ymd_opt(1899, 12, 30).unwrap();
    let serial = (local - day.and_time(chrono::NaiveTime::MIN)).num_seconds() as f64 / 86_400.0;
    let serial = serial.to_string().replace('.', ",");
    let files = [
        (0, workbook.save_to_buffer().unwrap()),
        (1, zipped(&[("content.xml".to_owned(), content.into_bytes())])),
        (2, format!("Remesa;Entregada\n{plain};{serial}\n").into_bytes()),
    ];
    for (row, file) in files {
        let (remittance, code) = &sold[row];
        let id = text(&manager.upload("completions", &file)["id"]);
        manager.prove(&id, &pictures(&[format!("{code}.png"), format!("{code}-firma.png")]));
        manager.preview(&id);
        manager.run(&id);
        assert_eq!(manager.results(&id, "result"), [("added".to_owned(), vec![])], "{row}");
        let delivered = text(&manager.get(&format!("/remittances/{remittance}"))["delivered"]);
        let delivered: chrono::DateTime<chrono::Utc> = delivered.parse().unwrap();
        // Truncated where a second is written, and rounded where a fraction of a day is.
        assert!(
            (delivered - at.to_utc()).num_milliseconds().abs() <= 1_000,
            "{row}: {delivered} is not {at}"
        );
        assert_eq!(delivered.timestamp_subsec_millis(), 0, "{row}: {delivered}");
    }
}

#[test]
fn completions_by_a_node_that_is_killed_twice_complete_each_remittance_once() {
    let nodes = Nodes::new(&[TENANT]);
    let mut node = nodes.start();
    let business = nodes.business(&node);
    let sold = sold(&business, 41);
    let mut manager = Person::manager(&business);
    let mut file = "Remesa\n".to_owned();
    let mut names = Vec::new();
    for (_, code) in &sold[..40] {
        writeln!(file, "{code}").unwrap();
        names.extend([format!("{code}.png"), format!("{code}-firma.png")]);
    }
    let id = text(&manager.upload("completions", file.as_bytes())["id"]);
    manager.prove(&id, &pictures(&names));
    let previewed = manager.preview(&id);
    assert_eq!(
        previewed["previewCounts"]["added"],
        40,
        "{:?}",
        manager.results(&id, "preview")
    );
    manager.act(&id, "start");
    for events in [1, 20] {
        let deadline = Instant::now() + PATIENCE;
        while nodes.events("RemittanceCompleted") < events {
            assert!(Instant::now() < deadline);
            std::thread::sleep(Duration::from_millis(2));
        }
        drop(node);
        node = nodes.start();
        manager.client = node.client(TENANT);
    }
    let done = manager.until(&id, &["done"]);
    assert_eq!(done["runCounts"], previewed["previewCounts"]);
    assert_eq!(nodes.events("RemittanceCompleted"), 40);
}

#[test]
fn opening_balances_are_posted_once_against_capital_and_prove_the_totals_of_the_old_system() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    let manager = Person::manager(&business);
    let file = "Cuenta;Moneda;Saldo\nCaja;CUP;200000,00\nDealer;CUP;80000,50\nagency@example.test;CUP home;120000,00\n\
                Caja;CUP;1,00\nNadie;CUP;1,00\nDealer;XXY;5,00\n";
    let import = manager.upload("openings", file.as_bytes());
    let id = text(&import["id"]);
    let mapping = |expected: Value| {
        let mut mapping = import["mapping"].clone();
        mapping["expected"] = expected;
        manager.send("PUT", &format!("/imports/{id}/mapping"), Some(mapping))
    };
    assert_eq!(
        mapping(json!({"CUP": "many"})).body["errors"][0]["code"],
        "number_invalid"
    );
    manager.preview(&id);
    let start = manager.send("POST", &format!("/imports/{id}/start"), None);
    assert_eq!(
        (
            start.status,
            &start.body["errors"][0]["field"],
            &start.body["errors"][0]["code"]
        ),
        (422, &json!("expected"), &json!("import_totals_required")),
        "nothing proves them: {}",
        start.body
    );
    assert_eq!(manager.get(&format!("/imports/{id}"))["state"], "previewed");
    assert_eq!(mapping(json!({"CUP": "400000.00"})).status, 200);
    let previewed = manager.preview(&id);
    let preview = manager.results(&id, "preview");
    let told: Vec<_> = preview.iter().map(|(_, codes)| codes.join(" ")).collect();
    let refused = ["", "", "", "duplicate", "party_not_found", "currency_unknown"];
    assert_eq!(told, refused);
    assert_eq!(
        previewed["expected"],
        json!([{"currency": "CUP", "expected": "400000.00", "found": "400000.50", "difference": "0.50"}])
    );
    assert_eq!(previewed["sums"][0]["opened"], "400000.50");
    let start = manager.send("POST", &format!("/imports/{id}/start"), None);
    assert_eq!((start.status, start.code()), (409, "import_totals_differ"));
    assert_eq!(mapping(json!({"CUP": "400000.50"})).status, 200);
    manager.preview(&id);
    assert_eq!(
        nodes
            .changing_meanwhile(
                "UPDATE journal.imports SET summary = jsonb_set(summary, '{expected,0,found}', '\"1.00\"')",
                || manager.send("POST", &format!("/imports/{id}/start"), None)
            )
            .code(),
        "import_totals_differ",
        "the totals that count are those of the moment at which the run begins"
    );
    assert_eq!(manager.get(&format!("/imports/{id}"))["state"], "previewed");
    assert_eq!(mapping(json!({"CUP": "400000.50"})).status, 200);
    manager.preview(&id);
    manager.run(&id);
    assert_eq!(manager.results(&id, "result"), preview, "run and preview");
    assert_eq!(nodes.events("OpeningBalancePosted"), 3);
    for (kind, balance) in [
        ("treasury", "200000.00"),
        ("field_cash", "80000.50"),
        ("balance", "120000.00"),
    ] {
        assert!(
            business.balance(kind, "CUP").ends_with(balance),
            "{kind}: {}",
            business.balance(kind, "CUP")
        );
    }
    let moved = manager.get("/sources/movements?kind=openingBalance");
    assert_eq!(moved["totalRecords"], 3, "{moved}");
    // Nothing was received on this day: neither the dealer's cash nor the seller's closure counts it.
    let cash = &manager.get("/dashboard/dealer/closing")["data"][0]["parties"][0]["currencies"][0];
    assert_eq!(
        (&cash["opening"], &cash["received"], &cash["closing"]),
        (&json!("80000.50"), &json!("0.00"), &json!("80000.50"))
    );
    let closing = business.as_manager(200, "POST", "/dashboard/agency/report", json!({}));
    let group = &closing["data"][0]["figures"]["groups"][0];
    assert_eq!(
        (&group["opening"], &group["assigned"], &group["closing"]),
        (&json!("120000.00"), &json!("0.00"), &json!("120000.00"))
    );
    let closure = business.as_manager(201, "POST", "/accounting/closures", json!({"partyId": business.agency}));
    let closure = manager.get(&format!("/accounting/closures/{}", text(&closure["id"])));
    let closed = &closure["figures"]["groups"][0];
    assert_eq!(
        (&closed["opening"], &closed["assigned"]),
        (&group["opening"], &group["assigned"]),
        "{closure}"
    );
    let feed = whole_feed(&business.client, &business.manager, 500);
    let opened = feed
        .iter()
        .filter(|event| event["type"] == "caudal.movement.opening_posted.v1");
    assert_eq!(opened.count(), 3);
    // The same file, and another with an account that has an entry by now, open nothing.
    assert_eq!(manager.uploading("openings", file.as_bytes()).status, 200);
    let again = text(&manager.upload("openings", b"Cuenta;Moneda;Saldo\nDealer;CUP;5,00\n")["id"]);
    manager.preview(&again);
    assert_eq!(manager.results(&again, "preview")[0].1, ["import_opening_differs"]);
    assert_eq!(
        Person::agency(&business).uploading("openings", file.as_bytes()).code(),
        "role_not_allowed"
    );
    // A rehearsal says that they are there, whichever file opened them, and whether they are equal.
    let folder = tempfile::tempdir().unwrap();
    let list = folder.path().join("saldos.csv");
    let rehearse = |rows: &str, expected: &str| {
        std::fs::write(&list, format!("Cuenta;Moneda;Saldo\n{rows}")).unwrap();
        let list = list.to_str().unwrap();
        let arguments = [
            "rehearse", list, "--tenant", TENANT, "--kind", "openings", "--as", MANAGER, "--expect", expected,
        ];
        run(nodes.test_database.url(), nodes.folder.path(), &arguments)
    };
    let equal = "Caja;CUP;200000,00\nDealer;CUP;80000,50\nagency@example.test;CUP home;120000,00\n";
    let (done, said) = rehearse(equal, "CUP=400000.50");
    assert!(done, "{said}");
    for told in [
        "3 rows: 0 would be added, 3 are there already, 0 would wait for an approval, 0 are refused",
        "CUP opened before: 400000.50",
        "CUP opened: 400000.50, as expected",
    ] {
        assert!(said.contains(told), "{said}");
    }
    let (done, said) = rehearse("Caja;CUP;200000,00\nDealer;CUP;80000,00\n", "CUP=280000.00");
    assert!(!done, "{said}");
    for told in [
        "2 rows: 0 would be added, 1 are there already, 0 would wait for an approval, 1 are refused",
        "line 3: Saldo: This account was opened already with 80000.50 CUP, and the file says another balance.",
        "CUP opened: 200000.00, not 280000.00, -80000.00 off",
    ] {
        assert!(said.contains(told), "{said}");
    }
    std::fs::write(&list, file).unwrap();
    let own = [
        "rehearse",
        list.to_str().unwrap(),
        "--tenant",
        TENANT,
        "--kind",
        "openings",
        "--as",
        MANAGER,
    ];
    let (done, said) = run(nodes.test_database.url(), nodes.folder.path(), &own);
    assert!(
        !done && said.contains("--expect: Write the totals of the other system"),
        "{said}"
    );
    let own = [own.as_slice(), &["--expect", "CUP=400000.50"]].concat();
    let (_, said) = run(nodes.test_database.url(), nodes.folder.path(), &own);
    assert!(said.contains("0 would be added, 3 are there already"), "{said}");
    let (done, said) = run(nodes.test_database.url(), nodes.folder.path(), &["verify", TENANT]);
    assert!(done, "{said}");
}

#[test]
fn the_commands_of_the_migration_page_say_what_it_tells() {
    let page = include_str!("../../docs/migrate.md");
    let lines: Vec<&str> = page.lines().map(str::trim).collect();
    let commands: Vec<&&str> = lines
        .iter()
        .filter(|line| line.starts_with("caudal rehearse "))
        .collect();
    let [fees, issuers, openings, remittances] = commands[..] else {
        panic!("commands of the page: {commands:?}");
    };
    // Blocks without a language: outputs, and the list of balances.
    let text_of_page = lines.join("\n");
    let blocks = text_of_page.split("```").skip(1).step_by(2);
    let blocks: Vec<&str> = blocks.filter_map(|block| block.strip_prefix('\n')).collect();
    let [issuers_said, balances, opened, differs, again, sold, too_early] = blocks[..] else {
        panic!("blocks of the page: {blocks:?}");
    };

    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let client = node.client(TENANT);
    let manager = client.login(MANAGER, PASSWORD);
    let post = |path: &str, body: Value| client.expect(201, &manager, "POST", path, Some(body));
    post(
        "/users",
        json!({"name": "Jefa", "email": "jefa@acme.example", "password": PASSWORD}),
    );
    let group =
        json!({"name": "CUP", "currencyTo": "CUP", "exchangeRate": "318.5", "managerCommission": {"rate": "2"}});
    let group = post("/nomenclators/payment_group", group);
    post(
        "/agency",
        json!({"name": "Agencia Miami", "email": "miami@acme.example", "password": PASSWORD,
               "paymentGroups": [{"paymentGroupId": group["id"], "agencyCommission": {"rate": "5"}}]}),
    );
    let provinces = client.expect(200, &manager, "GET", "/nomenclators/cuban_states", None);
    post(
        "/dealer",
        json!({"name": "Habana Express", "email": "habana@acme.example", "password": PASSWORD, "handleMLC": true,
               "provinceId": provinces["results"][0]["id"], "zones": []}),
    );
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in [
        ("tarifas.csv", "Municipio;Tarifa;Moneda\nPlaya;150,00;CUP\n"),
        ("emisores.csv", "Nombre;Teléfono\nAna;+13055550101\nEva;+13055550102\n"),
        ("saldos.csv", balances),
        (
            "abiertas.csv",
            "Remitente;Destinatario;Municipio;Importe;Moneda;Referencia\nAna;Iris;Playa;100,00;CUP;V-1\n\
             Eva;Rosa;Playa;50,00;CUP;V-2\n",
        ),
    ] {
        std::fs::write(folder.path().join(name), content).unwrap();
    }
    let rehearse = |command: &str| {
        let words = command
            .split_whitespace()
            .skip(1)
            .map(|word| match word.ends_with(".csv") {
                true => folder.path().join(word).to_str().unwrap().to_owned(),
                false => word.to_owned(),
            });
        let words: Vec<String> = words.collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        run(nodes.test_database.url(), nodes.folder.path(), &words)
    };
    let says = |command: &str, is_right: bool, expected: &str| {
        let (done, said) = rehearse(command);
        assert!(
            done == is_right && said.contains(expected),
            "{command}\n{said}\nnot\n{expected}"
        );
    };
    says(fees, true, "1 rows: 1 would be added");
    says(issuers, true, issuers_said);
    says(remittances, false, too_early);
    says(openings, true, opened);
    says(&openings.replace("CUP=400000.00", "CUP=400500.00"), false, differs);
    let boss = Person::login(&client, "jefa@acme.example");
    let import = boss.upload("openings", balances.as_bytes());
    let mut mapping = import["mapping"].clone();
    mapping["expected"] = json!({"CUP": "400000.00", "USD": "1500.00"});
    let id = text(&import["id"]);
    assert_eq!(
        boss.send("PUT", &format!("/imports/{id}/mapping"), Some(mapping))
            .status,
        200
    );
    boss.preview(&id);
    boss.run(&id);
    says(openings, true, again);
    says(remittances, true, sold);
}

#[test]
fn opening_balances_wait_where_assignments_need_an_approval_and_their_totals_are_proven() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    let second = json!({"name": "Second", "email": "second@example.test", "password": PASSWORD});
    business.as_manager(201, "POST", "/users", second);
    let rule = json!({"kind": "assignment_on_cash", "makers": ["manager"], "approvers": "manager",
                      "expiresAfterHours": 24});
    business.as_manager(201, "POST", "/approval-rules", rule);
    let manager = Person::manager(&business);
    let file = "Cuenta;Moneda;Saldo\nCaja;CUP;200000,00\nDealer;CUP;80000,00\nAgency;CUP;120000,00\n";
    let import = manager.upload("openings", file.as_bytes());
    let id = text(&import["id"]);
    let mut mapping = import["mapping"].clone();
    mapping["expected"] = json!({"CUP": "400000.00"});
    let saved = manager.send("PUT", &format!("/imports/{id}/mapping"), Some(mapping));
    assert_eq!(saved.status, 200, "{}", saved.body);
    let previewed = manager.preview(&id);
    assert_eq!(previewed["expected"][0]["difference"], "0.00", "{previewed}");
    let results = |of: &str| {
        manager
            .results(&id, of)
            .into_iter()
            .map(|(result, _)| result)
            .collect::<Vec<_>>()
    };
    assert_eq!(results("preview"), ["added", "waiting", "waiting"]);
    manager.run(&id);
    assert_eq!(results("result"), ["added", "waiting", "waiting"]);
    assert_eq!(nodes.events("OpeningBalancePosted"), 1);
    assert_eq!(business.balance("field_cash", "CUP"), "0.00");
    let second = Person::login(&business.client, "second@example.test");
    for proposal in second.get("/proposals?waiting=true")["data"].as_array().unwrap() {
        let path = format!("/proposals/{}/approve", text(&proposal["id"]));
        let answer = second.send("POST", &path, Some(json!({})));
        assert!(answer.status < 300, "{}", answer.body);
    }
    assert_eq!(nodes.events("OpeningBalancePosted"), 3);
    assert_eq!(business.balance("field_cash", "CUP"), "80000.00");
}

/// Random sales and customers: amounts, names that repeat, wrong telephones and cards, references taken twice.
fn random_file(seed: &mut u64, kind: &str) -> String {
    let mut next = |below: u64| {
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) % below
    };
    let mut text = match kind {
        "issuers" => "Nombre;Teléfono;Documento\n".to_owned(),
        "recipients" => "Remitente;Nombre;Teléfono;Municipio;Tarjeta\n".to_owned(),
        _ => {
            "Remitente;Destinatario;Teléfono del destinatario;Municipio;Tarjeta;Importe;Moneda;Referencia\n".to_owned()
        }
    };
    for _ in 0..60 {
        let sender = format!("Sara {}", next(6));
        let name = format!("Rosa {}", next(8));
        let phone = [String::new(), format!("+535200000{}", next(4)), "12".to_owned()][next(3) as usize].clone();
        let place = ["Playa", "Marianao", "Ninguno", ""][next(4) as usize];
        let card = ["", "", "9204069990000004", "9204069990000012", "9225069990000005", "77"][next(6) as usize];
        let amount = ["1,50", "12,00", "-1", "0,001", "900,00", "abc"][next(6) as usize];
        let reference = if next(3) == 0 {
            format!("N{}", next(9))
        } else {
            String::new()
        };
        match kind {
            "issuers" => writeln!(text, "{name};{phone};{}", ["", "A123456", "x"][next(3) as usize]),
            "recipients" => writeln!(text, "{sender};{name};{phone};{place};{card}"),
            _ => writeln!(text, "{sender};{name};{phone};{place};{card};{amount};CUP;{reference}"),
        }
        .unwrap();
    }
    text
}

#[test]
fn a_row_that_means_the_customer_of_a_refused_row_is_decided_after_it() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    let agency = Person::agency(&business);
    // The second row means the first by its telephone, which is refused; the third has the second's document.
    let file = "Nombre;Teléfono;Documento\nZoe Uno;12;\nZoe Dos;12;A123456\nZoe Dos;+5352000000;A123456\n";
    let id = text(&agency.upload("issuers", file.as_bytes())["id"]);
    agency.preview(&id);
    agency.run(&id);
    let refused = || ("refused".to_owned(), vec!["phone_too_short".to_owned()]);
    let results = agency.results(&id, "result");
    assert_eq!(results, [refused(), refused(), ("added".to_owned(), vec![])]);
    assert_eq!(agency.results(&id, "preview"), results);
}

#[test]
fn what_a_preview_says_of_random_files_is_what_their_run_does() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    business.fund("40000");
    let agency = Person::agency(&business);
    let seeded = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok());
    let mut seed = seeded.unwrap_or_else(|| uuid::Uuid::now_v7().as_u128() as u64);
    let first = seed;
    let mut results: BTreeMap<String, usize> = BTreeMap::new();
    for round in 0..9 {
        let kind = ["remittances", "recipients", "issuers"][round % 3];
        let file = random_file(&mut seed, kind);
        let id = text(&agency.upload(kind, file.as_bytes())["id"]);
        let previewed = agency.preview(&id);
        let preview = agency.results(&id, "preview");
        let done = agency.run(&id);
        assert_eq!(
            agency.results(&id, "result"),
            preview,
            "SEED={first} round {round} {kind}\n{file}"
        );
        assert_eq!(done["runCounts"], previewed["previewCounts"]);
        for (result, codes) in preview {
            *results.entry(format!("{result} {}", codes.join(" "))).or_default() += 1;
        }
        if let Some(ends) = previewed["balances"].get(0) {
            let now = business.balance("balance", "CUP");
            let now = now.trim_start_matches('-');
            assert_eq!(now, text(&ends["ends"]), "SEED={first}: {ends}");
        }
    }
    assert!(results.len() > 8, "files of many kinds: {results:?}");
}

/// One of some texts.
fn any<'a>(seed: &mut u64, texts: &[&'a str]) -> &'a str {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    texts[(*seed >> 33) as usize % texts.len()]
}

/// Random rows of a list of the office, of which some are wrong and some repeat others.
fn random_list(seed: &mut u64, kind: &str, codes: &[&str]) -> String {
    let mut one = |texts: &[&str]| any(seed, texts).to_owned();
    let header = match kind {
        "fees" => "Municipio;Tarifa;Moneda;Activo\n",
        "openings" => "Cuenta;Moneda;Saldo\n",
        "completions" => "Remesa;Entregada;Representante;Prueba\n",
        _ => "Tipo;Nombre;Correo;Teléfono;Agencia;Permisos;Acceso hasta\n",
    };
    let mut text = header.to_owned();
    for _ in 0..30 {
        let cells = match kind {
            "fees" => vec![
                one(&[
                    "Playa",
                    "playa",
                    "Marianao",
                    "Cerro",
                    "Regla",
                    "Guanabacoa",
                    "Ninguno",
                    "",
                ]),
                one(&["150,00", "2,5", "0", "-1", "abc"]),
                one(&["CUP", "usd", "", "XXX"]),
                one(&["", "si", "no", "tal vez"]),
            ],
            "openings" => vec![
                one(&[
                    "Caja",
                    "Tesorería",
                    "Dealer",
                    "Dealer Two",
                    "agency@example.test",
                    "Agency Two",
                    "Courier",
                    "Nadie",
                ]),
                one(&["CUP", "USD", "CUP home", "EUR", "XXX"]),
                one(&["100,00", "80000,50", "0", "-5", "abc", "0,001"]),
            ],
            "completions" => vec![
                one(codes),
                one(&["", "", "", "ayer", "01/01/2020", "31/12/2099", "31/12/2099 10:00"]),
                one(&["", "si", "no", "tal vez"]),
                one(&["", "", "", "", "ninguna.png"]),
            ],
            _ => vec![
                one(&[
                    "oficina",
                    "agencia",
                    "agente externo",
                    "agente interno",
                    "distribuidor",
                    "repartidor",
                    "jefe",
                    "",
                ]),
                one(&["Ana", "Eva", "Iris", ""]),
                format!(
                    "{}{}",
                    one(&["u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8", "dealer"]),
                    one(&["@example.test", "@example.test", "@example.test", ""])
                ),
                one(&["", "+5352000001", "12"]),
                one(&["", "", "Agency", "Dealer", "Nadie"]),
                one(&["", "", "auditor", "cajero", "otro"]),
                one(&["", "", "", "31/12/2099", "01/01/2020", "ayer"]),
            ],
        };
        text.push_str(&cells.join(";"));
        text.push('\n');
    }
    text
}

#[test]
fn what_a_preview_says_of_random_lists_of_the_office_is_what_their_run_does() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let manager = Person::manager(&business);
    for (path, body) in [
        (
            "/agency",
            json!({"name": "Agency Two", "email": "two@example.test", "password": PASSWORD,
                           "paymentGroups": [{"paymentGroupId": business.cup}]}),
        ),
        (
            "/dealer",
            json!({"name": "Dealer Two", "email": "d2@example.test", "password": PASSWORD, "handleMLC": true,
                           "provinceId": business.province, "zones": []}),
        ),
        (
            "/delivery_men",
            json!({"name": "Courier", "email": "courier@example.test", "password": PASSWORD,
                                 "handleMLC": false, "dealerId": business.dealer}),
        ),
    ] {
        business.as_manager(201, "POST", path, body);
    }
    let sold = sold(&business, 25);
    let mut codes: Vec<&str> = sold.iter().map(|(_, code)| code.as_str()).collect();
    codes.extend(["R-999999", ""]);
    let seeded = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok());
    let mut seed = seeded.unwrap_or_else(|| uuid::Uuid::now_v7().as_u128() as u64);
    let first = seed;
    let mut results: BTreeMap<String, usize> = BTreeMap::new();
    for round in 0..12 {
        let kind = ["openings", "fees", "completions", "users"][round % 4];
        let file = random_list(&mut seed, kind, &codes);
        let import = manager.upload(kind, file.as_bytes());
        let id = text(&import["id"]);
        if kind == "completions" {
            let mut files = Vec::new();
            for (_, code) in &sold {
                let content = any(&mut seed, &["picture", "picture", "picture", "none", "text"]);
                if content != "none" {
                    let content = if content == "text" {
                        b"text".to_vec()
                    } else {
                        picture(code)
                    };
                    files.push((format!("{code}.png"), content));
                }
                if any(&mut seed, &["yes", "yes", "no"]) == "yes" {
                    files.push((format!("{code}-firma.png"), picture(code)));
                }
            }
            manager.prove(&id, &zipped(&files));
        }
        let mut previewed = manager.preview(&id);
        if kind == "openings" {
            // What the rows come to stands for the other system's totals.
            let mut mapping = import["mapping"].clone();
            mapping["expected"] = json!({"CUP": "0.00"});
            for sum in previewed["sums"].as_array().unwrap() {
                mapping["expected"][text(&sum["currency"])] = sum["opened"].clone();
            }
            let saved = manager.send("PUT", &format!("/imports/{id}/mapping"), Some(mapping));
            assert_eq!(saved.status, 200, "{}", saved.body);
            previewed = manager.preview(&id);
        }
        let preview = manager.results(&id, "preview");
        let done = manager.run(&id);
        assert_eq!(
            manager.results(&id, "result"),
            preview,
            "SEED={first} round {round} {kind}\n{file}"
        );
        assert_eq!(done["runCounts"], previewed["previewCounts"]);
        for (result, codes) in preview {
            *results
                .entry(format!("{kind} {result} {}", codes.join(" ")))
                .or_default() += 1;
        }
    }
    for kind in ["openings", "fees", "completions", "users"] {
        for result in ["added", "refused"] {
            let of = format!("{kind} {result} ");
            let has = results.keys().any(|told| told.starts_with(&of));
            assert!(has, "SEED={first}: no row was {of}: {results:?}");
        }
    }
    assert!(results.len() > 20, "SEED={first}: rows of many sorts: {results:?}");
}

#[test]
fn what_is_stored_of_a_file_shows_nobodys_name_and_is_erased_with_a_person() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    let agency = Person::agency(&business);
    let id = text(&agency.upload("issuers", "Nombre\nAnastasia\nEvangelina\n".as_bytes())["id"]);
    let sealed = || -> Option<Vec<u8>> {
        nodes.runtime.block_on(async {
            let mut transaction = nodes.database.begin_read(TENANT).await.unwrap();
            let query = "SELECT c.content || i.details AS sealed FROM journal.import_chunks AS c
                           JOIN journal.imports AS i ON i.id = c.import";
            let row = sqlx::query(query).fetch_optional(&mut *transaction).await.unwrap();
            row.map(|row| row.get("sealed"))
        })
    };
    let stored = sealed().unwrap();
    assert!(
        !stored
            .windows(6)
            .any(|window| window == b"Anasta" || window == b"ventas")
    );
    let arguments = ["forget", TENANT, &business.sender, "--retention-days", "0"];
    let (done, said) = run(nodes.test_database.url(), nodes.folder.path(), &arguments);
    assert!(done, "{said}");
    assert_eq!(sealed(), None);
    let now = agency.get(&format!("/imports/{id}"));
    assert_eq!(
        (&now["state"], &now["name"], &now["headers"]),
        (&json!("canceled"), &json!(null), &json!([]))
    );
    assert_eq!(
        agency.send("POST", &format!("/imports/{id}/preview"), None).code(),
        "import_erased"
    );
}
