//! People's data: in clear it stands in the read models and nowhere else, and once a person is forgotten it stands
//! nowhere.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test ends where something is missing"
)]

mod support;

use caudal_postgres_testing::TestDatabase;
use serde_json::json;
use sqlx::{Connection as _, PgConnection, Row as _};
use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Command, Output, Stdio},
};
use support::{Call, Client};
use uuid::Uuid;

/// Words of fewer letters stand in other words.
const SHORTEST_WORD: usize = 6;

const MANAGER: &str = "manager@caudal.demo";

fn caudal(folder: &Path, url: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_caudal"));
    command
        .env("CAUDAL_DATA_DIR", folder)
        .env("DATABASE_URL", url)
        .env_remove("CAUDAL_LISTEN")
        .env_remove("CAUDAL_RETENTION_DAYS")
        .stdin(Stdio::null());
    command
}

fn run(folder: &Path, url: &str, arguments: &[&str]) -> Output {
    caudal(folder, url).args(arguments).output().unwrap()
}

fn said(output: &Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A server with the demonstration, which logs all that it can to a file.
struct Talkative {
    child: Child,
    address: String,
}

impl Talkative {
    fn start(folder: &Path, url: &str, log: &Path) -> Self {
        let mut child = caudal(folder, url)
            .args(["serve", "--listen", "127.0.0.1:0", "--demo"])
            .env("RUST_LOG", "debug")
            .stdout(Stdio::piped())
            .stderr(File::create(log).unwrap())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let address = lines.find_map(|line| line.ok()?.strip_prefix("listening on ").map(str::to_owned));
        std::thread::spawn(move || lines.for_each(drop));
        Self {
            child,
            address: address.expect("it says where it listens"),
        }
    }

    fn client(&self) -> Client {
        Client::new(self.address.clone(), "default")
    }
}

impl Drop for Talkative {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The owner of the tables, within the demonstration's tenant.
async fn owner(url: &str) -> PgConnection {
    let mut owner = PgConnection::connect(url).await.unwrap();
    sqlx::query("SELECT set_config('caudal.tenant', 'default', false)")
        .execute(&mut owner)
        .await
        .unwrap();
    owner
}

/// All that the read models say of people: of all, or of one.
async fn words(owner: &mut PgConnection, person: Option<Uuid>) -> BTreeSet<String> {
    let rows: Vec<String> = sqlx::query_scalar(
        "SELECT word FROM (
             SELECT id, name AS word FROM read.parties
             UNION ALL SELECT id, name FROM read.customers
             UNION ALL SELECT id, d.value FROM read.parties, jsonb_each_text(details) AS d
             UNION ALL SELECT id, d.value FROM read.customers, jsonb_each_text(details) AS d
             UNION ALL SELECT customer, number FROM read.cards
             UNION ALL SELECT recipient, address FROM read.remittances
             UNION ALL SELECT recipient, notes FROM read.remittances
             UNION ALL SELECT subject, reason FROM read.remittance_history
             UNION ALL SELECT to_party, note FROM read.movements) AS x
          WHERE word IS NOT NULL AND ($1 IS NULL OR id = $1)",
    )
    .bind(person)
    .fetch_all(owner)
    .await
    .unwrap();
    rows.into_iter()
        .filter(|word| word.chars().count() >= SHORTEST_WORD)
        .collect()
}

/// Every row of every table as text, with the table's name.
async fn everything(owner: &mut PgConnection, schemas: &[&str]) -> Vec<(String, String)> {
    let schemas: Vec<String> = schemas.iter().map(|schema| (*schema).to_owned()).collect();
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname = ANY ($1) ORDER BY 1",
    )
    .bind(schemas)
    .fetch_all(&mut *owner)
    .await
    .unwrap();
    let mut all = Vec::new();
    for table in tables {
        let rows: Vec<String> = sqlx::query_scalar(&format!("SELECT t::text FROM {table} AS t"))
            .fetch_all(&mut *owner)
            .await
            .unwrap();
        all.extend(rows.into_iter().map(|row| (table.clone(), row)));
    }
    all
}

/// None of the words stands in any of the texts, plainly or as JSON writes it. `grep` looks for all of them at once.
fn assert_clean(folder: &Path, words: &BTreeSet<String>, texts: &[(String, String)]) {
    let (patterns, lines) = (folder.join("words"), folder.join("texts"));
    let written: String = words
        .iter()
        .flat_map(|word| {
            [
                word.clone(),
                serde_json::to_string(word).unwrap().trim_matches('"').to_owned(),
            ]
        })
        .map(|word| word + "\n")
        .collect();
    fs::write(&patterns, written).unwrap();
    let all: String = texts
        .iter()
        .map(|(place, text)| format!("{place}: {}\n", text.replace('\n', " ")))
        .collect();
    fs::write(&lines, all).unwrap();
    let found = Command::new("grep")
        .arg("-F")
        .arg("-f")
        .args([&patterns, &lines])
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&found.stdout);
    assert_eq!(
        (found.status.code(), shown.as_ref()),
        (Some(1), ""),
        "people stand in clear"
    );
}

/// A recipient with a proven delivery, a note of his own to know him by, and nothing under way.
async fn recipient(owner: &mut PgConnection) -> (Uuid, Vec<String>) {
    let row = sqlx::query(
        "SELECT r.recipient, array_agg(DISTINCT r.identification) FILTER (WHERE r.identification IS NOT NULL) AS proofs
           FROM read.remittances AS r GROUP BY r.recipient
         HAVING bool_and(r.completed_at IS NOT NULL OR r.canceled_at IS NOT NULL)
            AND count(r.identification) > 0 ORDER BY r.recipient LIMIT 1",
    )
    .fetch_one(owner)
    .await
    .unwrap();
    (row.get("recipient"), row.get("proofs"))
}

#[tokio::test(flavor = "multi_thread")]
async fn people_stand_in_clear_in_the_read_models_alone_and_forgotten_nowhere() {
    let database = TestDatabase::new().await;
    let folder = tempfile::tempdir().unwrap();
    let (folder, url) = (folder.path(), database.url());
    let log = folder.join("log");
    let server = Talkative::start(folder, url, &log);
    let client = server.client();
    let mut owner = owner(url).await;
    let token = client.login(MANAGER, caudal_api::demo::PASSWORD);

    // What people do, and what goes wrong with it: searches, wrong passwords, refused and broken input.
    let everybody = words(&mut owner, None).await;
    assert!(
        everybody.len() > 200,
        "the demonstration has people: {}",
        everybody.len()
    );
    let name = everybody.iter().find(|word| word.contains(' ')).unwrap();
    let encoded: String = form_urlencoded::byte_serialize(name.as_bytes()).collect();
    client.expect(200, &token, "GET", &format!("/customer/sender?name={encoded}"), None);
    client.expect(200, &token, "GET", &format!("/remittances?query={encoded}"), None);
    let wrong = json!({"email": MANAGER, "password": "Wrong#2026x"});
    assert_eq!(client.send(Call::new("POST", "/auth0/login").json(&wrong)).status, 401);
    let forgotten = format!("/users/forgot_password/{MANAGER}");
    assert_eq!(client.send(Call::new("POST", &forgotten)).status, 202);
    let taken = json!({"name": name, "email": MANAGER, "password": "Caudal#2026x"});
    assert_eq!(
        client
            .send(Call::new("POST", "/users").token(&token).key("k1").json(&taken))
            .status,
        409
    );
    let broken = format!("{{\"name\": \"{name}\", \"email\": 7");
    let broken = Call::new("POST", "/users")
        .token(&token)
        .raw("application/json", broken);
    assert!(client.send(broken).status >= 400);

    let outside = everything(&mut owner, &["journal", "public"]).await;
    assert!(outside.iter().filter(|(table, _)| table == "journal.events").count() > 500);
    assert!(outside.iter().any(|(table, _)| table == "journal.receipts"));
    let everybody = words(&mut owner, None).await;
    assert_clean(folder, &everybody, &outside);
    let logged = fs::read_to_string(&log).unwrap();
    assert!(logged.lines().count() > 100, "it logs");
    let logged: Vec<_> = logged
        .lines()
        .map(|line| ("the log".to_owned(), line.to_owned()))
        .collect();
    assert_clean(folder, &everybody, &logged);

    // A recipient is forgotten.
    let (person, proofs) = recipient(&mut owner).await;
    let id = person.to_string();
    let balances = client.expect(200, &token, "GET", "/accounting/balances?RecordsPerPage=0", None);
    let refused = run(folder, url, &["forget", "default", &id]);
    assert!(!refused.status.success());
    let reason = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(reason.contains("The books need this person until "), "{reason}");
    let own = words(&mut owner, Some(person)).await;
    assert!(own.len() >= 3, "{own:?}");
    let told = said(&run(folder, url, &["forget", "default", &id, "--retention-days", "0"]));
    assert!(told.contains(" is forgotten in default"), "{told}");
    said(&run(folder, url, &["forget", "default", &id, "--retention-days", "0"]));

    assert_eq!(words(&mut owner, Some(person)).await, BTreeSet::new());
    // Words that others have too, like a street, stay with them.
    let others = words(&mut owner, None).await;
    let own: BTreeSet<String> = own
        .into_iter()
        .filter(|word| !others.iter().any(|other| other.contains(word)))
        .collect();
    assert!(own.len() >= 2, "{own:?}");
    let all = everything(&mut owner, &["journal", "public", "read"]).await;
    assert_clean(folder, &own, &all);
    let path = format!("/customer/{id}/details");
    assert_eq!(client.send(Call::new("GET", &path).token(&token)).status, 404);
    let after = client.expect(200, &token, "GET", "/accounting/balances?RecordsPerPage=0", None);
    assert_eq!(after["data"], balances["data"], "the books stay");
    for proof in &proofs {
        let shown = client
            .send(Call::new("GET", &format!("/files/{proof}")).token(&token))
            .status;
        let kept: i64 = sqlx::query_scalar("SELECT count(*) FROM journal.file_owners WHERE hash = $1")
            .bind(proof)
            .fetch_one(&mut owner)
            .await
            .unwrap();
        // The demonstration's proofs are the same few pictures, which other deliveries are proven by.
        assert_eq!(shown, if kept == 0 { 404 } else { 200 });
    }

    // A login is forgotten: it is gone, and its address is free.
    let new = json!({"name": "Olvido Breve", "email": "olvido.breve@example.test", "password": "Caudal#2026"});
    let made = client.expect(201, &token, "POST", "/users", Some(new.clone()));
    let login = support::text(&made["id"]);
    client.login("olvido.breve@example.test", "Caudal#2026");
    said(&run(folder, url, &["forget", "default", &login]));
    let credentials = json!({"email": "olvido.breve@example.test", "password": "Caudal#2026"});
    assert_eq!(
        client.send(Call::new("POST", "/auth0/login").json(&credentials)).status,
        401
    );
    let user = client.expect(200, &token, "GET", &format!("/users/{login}"), None);
    assert_eq!((&user["name"], &user["email"]), (&json!(""), &json!("")));
    let again = json!({"name": "Olvido Breve", "isActive": true});
    let again = Call::new("PUT", &format!("/users/{login}")).token(&token).json(&again);
    assert!(
        client.send(again).status >= 400,
        "nothing is written about who was forgotten"
    );
    client.expect(201, &token, "POST", "/users", Some(new));

    // The chain verifies, and a replay without the keys comes to the same rows.
    let verified = run(folder, url, &["verify", "default"]);
    assert!(
        verified.status.success(),
        "{}",
        String::from_utf8_lossy(&verified.stdout)
    );
    let unknown = run(folder, url, &["forget", "default", &Uuid::now_v7().to_string()]);
    assert!(!unknown.status.success());
}
