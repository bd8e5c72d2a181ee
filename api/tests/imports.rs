//! Imports by real nodes over a real database: what a preview says is what a run does, kills add nothing twice, and nobody
//! sees another's file.

mod believed;
mod completions;
mod contents;
mod faults;
mod kinds;
mod openings;
mod random;
mod rules;
mod runs;

use crate::support::{Answer, Business, Call, Client, PASSWORD, Process, create_tenant, picture, text};
use caudal_postgres::Database;
use caudal_postgres_testing::TestDatabase;
use serde_json::{Value, json};
use sqlx::Row as _;
use std::{
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

    /// Forgets what a run has noted of its rows, as if its node had been killed between submitting and noting, and pauses it.
    fn kill_before_notes(&self) {
        self.runtime.block_on(async {
            let mut transaction = self.database.begin_write(TENANT).await.unwrap();
            for statement in [
                "UPDATE journal.import_rows SET result = NULL, errors = NULL, record = NULL, code = NULL",
                "UPDATE journal.imports SET state = 'paused'",
            ] {
                sqlx::query(statement).execute(&mut *transaction).await.unwrap();
            }
            transaction.commit().await.unwrap();
        });
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
