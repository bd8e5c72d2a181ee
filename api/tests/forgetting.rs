//! Personal data: read models are its only clear-text copy, and no copy remains of a forgotten person. Secrets are
//! nowhere in clear text.

use crate::support::{
    self, Answer, Business, Call, Client, PASSWORD, Receiver, Reply, create_tenant, pdf::pdf, picture, whole_feed,
};
use caudal_postgres_testing::TestDatabase;
use serde_json::json;
use sqlx::{Connection as _, PgConnection, Row as _};
use std::{
    collections::BTreeSet,
    fs::{self, File},
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    time::{Duration, Instant},
};
use uuid::Uuid;

/// Shorter words may be part of other words.
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

/// A server that writes its most detailed log to a file.
struct Talkative {
    child: Child,
    address: String,
}

impl Talkative {
    fn start(folder: &Path, url: &str, log: &Path, more: &[&str]) -> Self {
        let mut child = caudal(folder, url)
            .args(["serve", "--listen", "127.0.0.1:0"])
            .args(more)
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

    fn client(&self, tenant: &str) -> Client {
        Client::new(self.address.clone(), tenant)
    }
}

impl Drop for Talkative {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A connection of the tables' owner, within a tenant.
async fn owner(url: &str, tenant: &str) -> PgConnection {
    let mut owner = PgConnection::connect(url).await.unwrap();
    sqlx::query("SELECT set_config('caudal.tenant', $1, false)")
        .bind(tenant)
        .execute(&mut owner)
        .await
        .unwrap();
    owner
}

/// Personal data in the read models, of one person or of all.
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

/// Asserts that no text contains any of the words, in clear or as JSON escapes them. One run of `grep` looks for all
/// words.
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
        "what is nobody's business stands in clear"
    );
}

fn logged(log: &Path) -> Vec<(String, String)> {
    let logged = fs::read_to_string(log).unwrap();
    assert!(logged.lines().count() > 20, "it logs");
    let lines = logged.lines();
    lines.map(|line| ("the log".to_owned(), line.to_owned())).collect()
}

/// All files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let (mut folders, mut files) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            } else {
                files.push(entry.path());
            }
        }
    }
    files
}

/// A recipient with a proven delivery, a unique note, and no open remittance.
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
async fn personal_data_is_in_clear_in_read_models_only_and_nowhere_once_forgotten() {
    let database = TestDatabase::new().await;
    let folder = tempfile::tempdir().unwrap();
    let (folder, url) = (folder.path(), database.url());
    let log = folder.join("log");
    let server = Talkative::start(folder, url, &log, &["--demo"]);
    let client = server.client("default");
    let mut owner = owner(url, "default").await;
    let token = client.login(MANAGER, caudal_generators::demo::PASSWORD);

    // Ordinary calls and failing ones: searches, wrong passwords, refused and malformed input.
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
    assert_clean(folder, &everybody, &logged(&log));

    // Forgets a recipient.
    let (person, proofs) = recipient(&mut owner).await;
    let id = person.to_string();
    let balances = client.expect(200, &token, "GET", "/accounting/balances?RecordsPerPage=0", None);
    let refused = run(folder, url, &["forget", "default", &id]);
    assert!(!refused.status.success());
    let reason = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(reason.contains("The books need this person until "), "{reason}");
    let own = words(&mut owner, Some(person)).await;
    assert!(own.len() >= 3, "{own:?}");
    let in_feed = |words: &BTreeSet<String>| {
        let feed = serde_json::to_string(&whole_feed(&client, &token, 500)).unwrap();
        words.iter().filter(|word| feed.contains(word.as_str())).count()
    };
    assert!(in_feed(&own) >= 3);
    let told = said(&run(folder, url, &["forget", "default", &id, "--retention-days", "0"]));
    assert!(told.contains(" is forgotten in default"), "{told}");
    said(&run(folder, url, &["forget", "default", &id, "--retention-days", "0"]));

    assert_eq!(words(&mut owner, Some(person)).await, BTreeSet::new());
    // Words shared with other people, such as a street, remain.
    let others = words(&mut owner, None).await;
    let own: BTreeSet<String> = own
        .into_iter()
        .filter(|word| !others.iter().any(|other| other.contains(word)))
        .collect();
    assert!(own.len() >= 2, "{own:?}");
    assert_eq!(
        in_feed(&own),
        0,
        "a reader from the first event gets no word of the person"
    );
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
        // The demonstration uses few pictures, which also prove other deliveries.
        assert_eq!(shown, if kept == 0 { 404 } else { 200 });
    }

    // Forgets a login: it is gone, and its e-mail address is free.
    let new = json!({"name": "Olvido Breve", "email": "olvido.breve@example.test", "password": "Caudal#2026"});
    let made = client.expect(201, &token, "POST", "/users", Some(new.clone()));
    let login = support::text(&made["id"]);
    let own = client.login("olvido.breve@example.test", "Caudal#2026");
    let in_a_week = (chrono::Utc::now() + chrono::Duration::days(7)).to_rfc3339();
    let key = json!({"name": "Zunzuncito kiosk", "scopes": ["users:read"], "expiresAt": in_a_week});
    let key = client.expect(201, &own, "POST", "/keys", Some(key));
    let secret = support::text(&key["secret"]);
    let hook = json!({"name": "Zunzuncito shop", "url": "https://shop.example.test/Zunzuncito"});
    client.expect(201, &own, "POST", "/webhooks", Some(hook));
    let bind = "INSERT INTO journal.sign_on_subjects (tenant, provider, subject, party, bound_at)
                VALUES ('default', $1, sha256('zun'), $1, now())";
    let own_id = Uuid::try_parse(&login).unwrap();
    sqlx::query(bind).bind(own_id).execute(&mut owner).await.unwrap();
    let origins = "SELECT count(*) FROM journal.session_origins";
    let before: i64 = sqlx::query_scalar(origins).fetch_one(&mut owner).await.unwrap();
    said(&run(folder, url, &["forget", "default", &login]));
    let after: i64 = sqlx::query_scalar(origins).fetch_one(&mut owner).await.unwrap();
    assert_eq!(after, before - 1, "where the person logged in goes with the session");
    let bound = "SELECT count(*) FROM journal.sign_on_subjects WHERE party = $1";
    let bound: i64 = sqlx::query_scalar(bound)
        .bind(own_id)
        .fetch_one(&mut owner)
        .await
        .unwrap();
    assert_eq!(bound, 0, "and what the provider calls the person");
    let credentials = json!({"email": "olvido.breve@example.test", "password": "Caudal#2026"});
    assert_eq!(
        client.send(Call::new("POST", "/auth0/login").json(&credentials)).status,
        401
    );
    let with_key = client.send(Call::new("GET", "/users").token(&secret));
    assert_eq!((with_key.status, with_key.code()), (401, "account_inactive"));
    let keys = client.expect(200, &token, "GET", &format!("/keys?partyId={login}"), None);
    assert_eq!(
        (&keys["data"][0]["id"], &keys["data"][0]["name"]),
        (&key["key"]["id"], &json!(null))
    );
    let hooks = client.expect(200, &token, "GET", &format!("/webhooks?partyId={login}"), None);
    assert_eq!(
        (&hooks["data"][0]["name"], &hooks["data"][0]["url"]),
        (&json!(null), &json!(null))
    );
    let kiosk = BTreeSet::from(["Zunzuncito".to_owned()]);
    assert_clean(
        folder,
        &kiosk,
        &everything(&mut owner, &["journal", "public", "read"]).await,
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

    // The chain verifies, and a replay without the keys yields the same rows.
    let verified = run(folder, url, &["verify", "default"]);
    assert!(
        verified.status.success(),
        "{}",
        String::from_utf8_lossy(&verified.stdout)
    );
    let unknown = run(folder, url, &["forget", "default", &Uuid::now_v7().to_string()]);
    assert!(!unknown.status.success());
}

#[test]
fn answers_of_endpoints_that_repeat_what_they_are_sent_are_erased_with_a_person_and_kept_for_a_month() {
    const NAME: &str = "Zunzuncita";
    let database = tokio::runtime::Runtime::new().unwrap().block_on(TestDatabase::new());
    let folder = tempfile::tempdir().unwrap();
    let (folder, url) = (folder.path(), database.url());
    create_tenant(url, folder, "acme");
    let start = || {
        Talkative::start(
            folder,
            url,
            &folder.join("log"),
            &["--webhook-networks", "127.0.0.1/32"],
        )
    };
    let server = start();
    let business = Business::set_up(server.client("acme"));
    let client = &business.client;
    let person = business.as_agency(201, "POST", "/customer", json!({"name": NAME, "customerType": 0}));
    let person = support::text(&person["id"]);
    let receiver = Receiver::start(Reply::Echo(Duration::ZERO));
    let hook = json!({"name": "Shop", "url": receiver.url(), "types": ["caudal.customer.registered.v1"], "after": 0});
    let id = support::text(&business.as_agency(201, "POST", "/webhooks", hook.clone())["webhook"]["id"]);
    let deliveries = || {
        let path = format!("/webhooks/{id}/deliveries");
        client.expect(200, &business.agency_token, "GET", &path, None)["results"].clone()
    };
    let until = |what: &str, is_so: &dyn Fn() -> bool| {
        let deadline = Instant::now() + Duration::from_secs(60);
        while !is_so() {
            assert!(Instant::now() < deadline, "{what}: {}", deliveries());
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    until("all are noted", &|| deliveries().as_array().unwrap().len() == 3);
    assert!(deliveries().to_string().contains(NAME), "the endpoint repeats the name");

    // One more delivery is under way while the person is erased, and is answered afterwards.
    receiver.set(Reply::Echo(Duration::from_secs(8)));
    let replay = format!("/webhooks/{id}/replay");
    let of_person = deliveries()[0]["position"].as_i64().unwrap();
    business.as_agency(200, "POST", &replay, json!({"after": of_person - 1}));
    until("it is under way", &|| receiver.under_way() == 1);
    assert!(
        String::from_utf8(receiver.received().pop().unwrap().body)
            .unwrap()
            .contains(NAME)
    );
    said(&run(folder, url, &["forget", "acme", &person, "--retention-days", "0"]));
    receiver.set(Reply::Echo(Duration::ZERO));
    // On a machine that is too slow for the server's timeout it is sent a second time.
    until("it is accepted", &|| {
        let delivery = &deliveries()[0];
        delivery["attempts"].as_i64() > Some(1) && delivery["status"] == 200
    });
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let stored = || {
        runtime.block_on(async {
            let mut owner = owner(url, "acme").await;
            let rows = everything(&mut owner, &["journal"]).await;
            rows.into_iter()
                .filter(|(table, _)| table == "journal.webhook_deliveries")
                .collect::<Vec<_>>()
        })
    };
    assert_eq!(stored().len(), 3, "the deliveries are still shown");
    assert_clean(folder, &BTreeSet::from([NAME.to_owned()]), &stored());
    for one in deliveries().as_array().unwrap() {
        let is_second_answer = one["attempts"].as_i64() > Some(2);
        assert!(
            one["status"] == 200 && (one["answer"].is_null() || is_second_answer),
            "{one}"
        );
    }

    // Later answers are stored; after a month a delivery is deleted, and at once with its endpoint.
    business.issuer_with_recipient("Berta");
    until("new answers are kept", &|| deliveries()[0]["answer"].is_string());
    let other = support::text(&business.as_agency(201, "POST", "/webhooks", hook)["webhook"]["id"]);
    until("the other is served too", &|| {
        stored().iter().any(|(_, row)| row.contains(&other))
    });
    let removed = client.send(Call::new("DELETE", &format!("/webhooks/{other}")).token(&business.agency_token));
    assert_eq!(removed.status, 204);
    drop(server);
    runtime.block_on(async {
        let mut owner = owner(url, "acme").await;
        let age = "UPDATE journal.webhook_deliveries SET at = at - interval '31 days' WHERE position = $1";
        sqlx::query(age).bind(of_person).execute(&mut owner).await.unwrap();
    });
    let _server = start();
    let is_gone = || {
        let rows = stored();
        rows.len() == 4 && !rows.iter().any(|(_, row)| row.contains(&other))
    };
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_gone() {
        assert!(Instant::now() < deadline, "{:#?}", stored());
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn forgetting_a_sender_removes_the_files_of_the_reviews_of_what_was_sent() {
    let database = tokio::runtime::Runtime::new().unwrap().block_on(TestDatabase::new());
    let folder = tempfile::tempdir().unwrap();
    let (folder, url) = (folder.path(), database.url());
    create_tenant(url, folder, "acme");
    let server = Talkative::start(folder, url, &folder.join("log"), &[]);
    let business = Business::set_up(server.client("acme"));
    business.fund("100000");
    let rule = json!({"side": "sender", "window": "sale", "amount": "1", "outcome": "hold"});
    business.as_manager(201, "POST", "/limit-rules", rule);
    let held = support::text(&business.as_agency(201, "POST", "/remittances", business.sale("10"))["id"]);
    let path = format!("/remittances/{held}/holds");
    let contract = pdf("the sale of her house");
    let call = Call::new("POST", &format!("{path}/files")).token(&business.manager);
    let stored = business
        .client
        .send(call.multipart([("file", "contract.pdf", contract.as_slice())]));
    assert_eq!(stored.status, 201, "{}", stored.body);
    let hash = support::text(&stored.body["id"]);
    let review = json!({"outcome": "keep", "reason": "No es suficiente", "files": [hash]});
    business.as_manager(200, "POST", &format!("{path}/1/review"), review);
    let cancel = json!({"reason": "se arrepintió"});
    business.as_agency(200, "POST", &format!("/remittances/{held}/cancel"), cancel);
    let kept = || files(folder).iter().any(|file| file.ends_with(&hash));
    let holds = || business.client.expect(200, &business.manager, "GET", &path, None)["results"][0]["files"].clone();
    assert_eq!((kept(), holds()[0]["id"].clone()), (true, json!(hash)));
    let told = said(&run(
        folder,
        url,
        &["forget", "acme", &business.sender, "--retention-days", "0"],
    ));
    assert!(told.contains("files removed: 1"), "{told}");
    assert_eq!((kept(), holds()), (false, json!([])));
    let verified = said(&run(folder, url, &["verify", "acme"]));
    assert!(verified.contains("the read models equal a replay"), "{verified}");
}

#[test]
fn forgetting_a_customer_removes_the_pictures_of_the_document_and_their_hashes_from_the_read_models() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(TestDatabase::new());
    let folder = tempfile::tempdir().unwrap();
    let (folder, url) = (folder.path(), database.url());
    create_tenant(url, folder, "acme");
    let server = Talkative::start(folder, url, &folder.join("log"), &[]);
    let business = Business::set_up(server.client("acme"));
    let (agency, document) = (
        &business.agency_token,
        format!("/customer/{}/document", business.recipient),
    );
    let content = picture("passport");
    let call = Call::new("POST", &format!("{document}/files")).token(agency);
    let stored = business
        .client
        .send(call.multipart([("file", "passport.png", content.as_slice())]));
    let hash = support::text(&stored.body["id"]);
    let pictures = json!({"files": [hash]});
    business.as_agency(200, "PUT", &format!("{document}/pictures"), pictures);
    let kept = || files(folder).iter().any(|file| file.ends_with(&hash));
    let places = || -> BTreeSet<String> {
        let rows = runtime.block_on(async {
            let mut owner = owner(url, "acme").await;
            everything(&mut owner, &["journal", "public", "read"]).await
        });
        let rows = rows.into_iter().filter(|(_, row)| row.contains(&hash));
        rows.map(|(table, _)| table).collect()
    };
    assert!(kept() && places().contains("read.customers"));
    let forget = ["forget", "acme", &business.recipient, "--retention-days", "0"];
    let told = said(&run(folder, url, &forget));
    assert!(told.contains("files removed: 1"), "{told}");
    assert!(!kept());
    // As of every file, the log alone names it.
    assert_eq!(places(), BTreeSet::from(["journal.events".to_owned()]));
    let verified = said(&run(folder, url, &["verify", "acme"]));
    assert!(verified.contains("the read models equal a replay"), "{verified}");
}

#[tokio::test(flavor = "multi_thread")]
async fn forgetting_a_recipient_removes_proofs_of_no_other_delivery_once_nothing_is_open() {
    let database = TestDatabase::new().await;
    let folder = tempfile::tempdir().unwrap();
    let (folder, url) = (folder.path(), database.url());
    create_tenant(url, folder, "acme");
    let server = Talkative::start(folder, url, &folder.join("log"), &[]);
    let business = Business::set_up(server.client("acme"));
    business.fund("100000");
    let cash = json!({"currency": "CUP", "amount": "100000"});
    business.as_manager(201, "POST", "/sources/deposit/manager", cash);
    let dealer = business.client.login("dealer@example.test", PASSWORD);
    let (_, other) = business.issuer_with_recipient("Berta");
    let forget = |person: &str| run(folder, url, &["forget", "acme", person, "--retention-days", "0"]);
    // One signature proves both deliveries; only one of them has an identification of its own.
    let sell = |recipient: &str| {
        let mut sale = business.sale("10");
        if recipient == other {
            let customer = business.client.expect(
                200,
                &business.agency_token,
                "GET",
                &format!("/customer/{other}/details"),
                None,
            );
            sale["senderId"] = customer["senderId"].clone();
        }
        sale["recipientId"] = json!(recipient);
        support::text(&business.as_agency(201, "POST", "/remittances", sale)["id"])
    };
    let deliver = |id: &str, papers: &[u8]| {
        let assign = json!({"dealerId": business.dealer});
        business.as_manager(200, "PUT", &format!("/remittances/{id}/assign/dealer"), assign);
        let complete = Call::new("POST", &format!("/remittances/{id}/complete"))
            .token(&dealer)
            .multipart([
                ("identificationDocument", "id.png", papers),
                ("firmPicture", "s.png", &picture("signature")),
            ]);
        let done = business.client.send(complete);
        assert_eq!(done.status, 200, "{}", done.body);
        let seen = business
            .client
            .expect(200, &business.manager, "GET", &format!("/remittances/{id}"), None);
        ["identificationDocument", "firmPicture"].map(|proof| {
            support::text(&seen["proof"][proof])
                .trim_start_matches("/api/files/")
                .to_owned()
        })
    };
    let first = sell(&business.recipient);
    let refused = forget(&business.recipient);
    assert!(!refused.status.success(), "a remittance is under way");
    let [papers, signature] = deliver(&first, &picture("papers"));
    let [others_papers, same] = deliver(&sell(&other), &picture("other papers"));
    assert_eq!(signature, same);

    let kept = |hash: &str| files(folder).iter().any(|file| file.ends_with(hash));
    let shown = |hash: &str| {
        let path = format!("/files/{hash}");
        business
            .client
            .send(Call::new("GET", &path).token(&business.manager))
            .status
    };
    for hash in [&papers, &signature, &others_papers] {
        assert_eq!((kept(hash), shown(hash)), (true, 200));
    }
    // Read models that give the person both remittances, of long ago, erase nobody early and remove no other proof.
    let forged = "UPDATE read.remittances SET recipient = $1, updated_at = updated_at - interval '20 years'";
    let forged = sqlx::query(forged).bind(business.recipient.parse::<Uuid>().unwrap());
    let forged = forged.execute(&mut owner(url, "acme").await).await.unwrap();
    assert_eq!(forged.rows_affected(), 2);
    let early = run(folder, url, &["forget", "acme", &business.recipient]);
    assert!(!early.status.success(), "within the retention");
    let told = said(&forget(&business.recipient));
    assert!(told.contains("files removed: 1"), "{told}");
    assert_eq!((kept(&papers), shown(&papers)), (false, 404));
    for hash in [&signature, &others_papers] {
        assert_eq!(
            (kept(hash), shown(hash)),
            (true, 200),
            "another delivery is proven by it"
        );
    }
    let told = said(&forget(&other));
    assert!(told.contains("files removed: 2"), "{told}");
    assert!(!kept(&signature) && !kept(&others_papers));
    let mut owner = owner(url, "acme").await;
    for table in ["journal.files", "journal.file_owners"] {
        let left: i64 = sqlx::query_scalar(&format!("SELECT count(*) FROM {table}"))
            .fetch_one(&mut owner)
            .await
            .unwrap();
        assert_eq!(left, 0, "{table}");
    }
}

/// Waits for the given number of mails in the outbox and returns the newest.
fn mail(folder: &Path, count: usize) -> String {
    let begun = Instant::now();
    loop {
        let outbox = folder.join("outbox");
        let mut mails = if outbox.exists() { files(&outbox) } else { Vec::new() };
        mails.retain(|mail| mail.extension().is_some_and(|kind| kind == "eml"));
        // No client of these tests keeps the cookie of its device.
        mails.retain(|mail| !fs::read_to_string(mail).unwrap().contains("from a new device"));
        mails.sort();
        if mails.len() >= count {
            return fs::read_to_string(mails.last().unwrap()).unwrap();
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{mails:?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_in_a_log_a_table_or_a_refusal() {
    const MANAGER: &str = support::MANAGER;
    const WRONG: [&str; 3] = ["Guessed#2031", "Typed#2032", "Broken#2033"];
    const NEXT: [&str; 2] = ["Second#2034", "Third#2035"];
    let database = TestDatabase::new().await;
    let folder = tempfile::tempdir().unwrap();
    let (folder, url) = (folder.path(), database.url());
    create_tenant(url, folder, "acme");
    let log = folder.join("log");
    let server = Talkative::start(folder, url, &log, &[]);
    let client = server.client("acme");
    let mut secrets: BTreeSet<String> = [PASSWORD]
        .into_iter()
        .chain(WRONG)
        .chain(NEXT)
        .map(str::to_owned)
        .collect();
    let mut refused = Vec::new();
    let mut refuse = |answer: Answer| {
        assert!(answer.status >= 400, "{}", answer.body);
        refused.push((
            "an answer".to_owned(),
            String::from_utf8_lossy(&answer.bytes).into_owned(),
        ));
    };
    let login = |email: &str, password: &str| {
        client.send(Call::new("POST", "/auth0/login").json(&json!({"email": email, "password": password})))
    };
    let cookie = |answer: &Answer| {
        let set = answer.header("Set-Cookie");
        set.split(';').next().unwrap_or_default().to_owned()
    };

    // Correct passwords, wrong passwords, and passwords in other fields.
    let first = login(MANAGER, PASSWORD);
    let token = support::text(&first.body["token"]["accessToken"]);
    refuse(login(MANAGER, WRONG[0]));
    refuse(login(WRONG[1], WRONG[1]));
    let broken = format!("{{\"email\": \"{MANAGER}\", \"password\": \"{}\", ", WRONG[2]);
    refuse(client.send(Call::new("POST", "/auth0/login").raw("application/json", broken)));
    let user = json!({"name": "Ana", "email": 7, "password": WRONG[2], (WRONG[1]): 1});
    refuse(client.send(Call::new("POST", "/users").token(&token).json(&user)));
    // Renewed sessions, and invalid tokens.
    let renewed = client.send(Call::new("POST", "/auth0/token").header("Cookie", &cookie(&first)));
    assert_eq!(renewed.status, 200, "{}", renewed.body);
    let next = support::text(&renewed.body["accessToken"]);
    refuse(client.send(Call::new("GET", "/users/profile").token(&format!("{token}x"))));
    refuse(client.send(Call::new("POST", "/auth0/token").header("Cookie", &format!("{}x", cookie(&renewed)))));
    // An API key, and what is nearly one.
    let in_a_week = (chrono::Utc::now() + chrono::Duration::days(7)).to_rfc3339();
    let key = json!({"name": "Kiosk", "scopes": ["users:read"], "expiresAt": in_a_week});
    let key = client.send(Call::new("POST", "/keys").token(&next).key("kiosk").json(&key));
    let key = support::text(&key.body["secret"]);
    assert_eq!(client.send(Call::new("GET", "/users").token(&key)).status, 200);
    refuse(client.send(Call::new("GET", "/rates").token(&key)));
    refuse(client.send(Call::new("GET", "/users").token(&key[..key.len() - 1])));
    // The first characters are shown.
    secrets.insert(key[20..key.len() - 1].to_owned());
    let hook = json!({"name": "Shop", "url": "https://shop.example.test/"});
    let hook = client.send(Call::new("POST", "/webhooks").token(&next).key("shop").json(&hook));
    secrets.insert(support::text(&hook.body["secret"])["whsec_".len()..].to_owned());
    // Password changes, one with the current password and one with a reset code.
    let change = |old: &str, new: &str| {
        let body = json!({"email": MANAGER, "oldPassword": old, "newPassword": new});
        let path = format!("/users/change_password/{MANAGER}");
        client.send(Call::new("POST", &path).token(&next).json(&body))
    };
    refuse(change(WRONG[0], NEXT[0]));
    assert_eq!(change(PASSWORD, NEXT[0]).status, 204);
    mail(folder, 1);
    assert_eq!(
        client
            .send(Call::new("POST", &format!("/users/forgot_password/{MANAGER}")))
            .status,
        202
    );
    let mail = mail(folder, 2);
    let code = mail
        .lines()
        .find(|line| line.starts_with("    "))
        .unwrap()
        .trim()
        .to_owned();
    let reset = |code: &str, password: &str| {
        let body = json!({"code": code, "password": password});
        client.send(Call::new("POST", &format!("/users/reset_password/{MANAGER}")).json(&body))
    };
    refuse(reset(&code, "weak"));
    assert_eq!(reset(&code, NEXT[1]).status, 204);
    let last = login(MANAGER, NEXT[1]);
    assert_eq!(last.status, 200, "{}", last.body);
    assert_eq!(
        client
            .send(Call::new("POST", "/auth0/logout").header("Cookie", &cookie(&last)))
            .status,
        204
    );

    for answer in [&first, &renewed, &last] {
        let value = cookie(answer);
        secrets.extend(
            value
                .split(['=', '.'])
                .filter(|part| part.len() > 20)
                .map(str::to_owned),
        );
    }
    for token in [token, next] {
        secrets.extend(token.split('.').skip(1).map(str::to_owned));
    }
    secrets.extend([code.replace(' ', ""), code]);
    for file in files(&folder.join("keys")) {
        let text = fs::read_to_string(file).unwrap();
        let keys = text.lines().filter(|line| !line.starts_with('#'));
        secrets.extend(
            keys.flat_map(str::split_whitespace)
                .filter(|word| word.len() > 30)
                .map(str::to_owned),
        );
    }
    assert!(secrets.len() > 14, "{}", secrets.len());
    let mut owner = owner(url, "acme").await;
    let all = everything(&mut owner, &["journal", "public", "read"]).await;
    assert!(all.iter().any(|(table, _)| table == "journal.credentials"));
    assert!(all.iter().any(|(table, _)| table == "journal.sessions"));
    assert_clean(folder, &secrets, &all);
    assert_clean(folder, &secrets, &logged(&log));
    assert_clean(folder, &secrets, &refused);
}
