//! A witness co-signs only checkpoints that extend those it co-signed before; nodes store its co-signatures.

use crate::support::{Client, MANAGER, PASSWORD, create_tenant};
use caudal_domain::ids::TenantId;
use caudal_journal::{Journal, Keyring, LogPoint, SignedCheckpoint, SigningKeys, SystemClock, to_hex};
use caudal_postgres_testing::TestDatabase;
use chrono::Utc;
use serde_json::{Value, json};
use sqlx::{Connection as _, Executor as _, PgConnection};
use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::Arc,
    time::Duration,
};

/// A `caudal witness`, killed when dropped.
struct Witness {
    child: Child,
    base: String,
}

impl Witness {
    fn start(folder: &Path, trusted: &[PathBuf]) -> Self {
        let trusted: Vec<_> = trusted.iter().map(|path| path.to_str().unwrap()).collect();
        let mut child = Command::new(env!("CARGO_BIN_EXE_caudal"))
            .args(["witness", "--listen", "127.0.0.1:0", "--trust", &trusted.join(",")])
            .arg("--state")
            .arg(folder.join("state"))
            .arg("--key")
            .arg(folder.join("witness.key"))
            .env("RUST_LOG", "error")
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let base = lines.find_map(|line| line.unwrap().strip_prefix("listening on ").map(str::to_owned));
        Self {
            child,
            base: base.unwrap(),
        }
    }

    fn post_text(&self, body: &[u8]) -> (u16, Value) {
        let config = ureq::Agent::config_builder().http_status_as_error(false).build();
        let agent: ureq::Agent = config.into();
        let mut answer = agent.post(format!("{}/v1/checkpoints", self.base)).send(body).unwrap();
        let text = answer.body_mut().read_to_string().unwrap();
        (
            answer.status().as_u16(),
            serde_json::from_str(&text).unwrap_or(Value::Null),
        )
    }

    fn post(&self, checkpoint: &SignedCheckpoint, from: Option<i64>, proof: &[[u8; 32]]) -> (u16, Value) {
        let checkpoint: Value = serde_json::from_str(&checkpoint.to_json().unwrap()).unwrap();
        let proof: Vec<_> = proof.iter().map(to_hex).collect();
        let body = json!({"checkpoint": checkpoint, "from": from, "proof": proof});
        self.post_text(body.to_string().as_bytes())
    }

    fn keys(&self) -> String {
        let mut answer = ureq::get(format!("{}/v1/keys", self.base)).call().unwrap();
        answer.body_mut().read_to_string().unwrap()
    }
}

impl Drop for Witness {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Log of the given length under the tenant's name. Another `salt` yields another history.
async fn history(tenant: &TenantId, salt: u8) -> (TestDatabase, Journal) {
    let database = TestDatabase::new().await;
    let keyring = Keyring::generate().unwrap();
    let journal = Journal::open(database.connect().await, keyring, Arc::new(SystemClock))
        .await
        .unwrap();
    journal.create_tenant(tenant).await.unwrap();
    grow(&database, &journal, salt, 5).await;
    (database, journal)
}

/// Extends a log to this length. Roots and signatures depend on the events' hashes only.
async fn grow(database: &TestDatabase, journal: &Journal, salt: u8, events: i64) {
    let mut owner = PgConnection::connect(database.url()).await.unwrap();
    let statements = format!(
        "SELECT set_config('caudal.tenant', 'acme', false);
         INSERT INTO journal.events
         SELECT 'acme', n, 'movement', n::text, 1, 'Test', '1.0', '{{}}', '{{}}', now(), sha256(int8send(n * 1000 + {salt}))
           FROM journal.heads AS h, generate_series(h.position + 1, {events}) AS n;
         UPDATE journal.heads SET position = {events}, hash = sha256(int8send({events} * 1000 + {salt}))"
    );
    owner.execute(statements.as_str()).await.unwrap();
    let tenant: TenantId = "acme".parse().unwrap();
    let head = journal.head(&tenant).await.unwrap();
    let end = LogPoint {
        position: head.position,
        hash: head.hash,
    };
    sqlx::query("UPDATE journal.heads SET mac = $1")
        .bind(journal.row_macs().head(&tenant, end, head.recorded_at))
        .execute(&mut owner)
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_witness_refuses_rollbacks_forks_and_second_roots_of_a_position_also_after_a_restart() {
    let folder = tempfile::tempdir().unwrap();
    let tenant: TenantId = "acme".parse().unwrap();
    let keys = SigningKeys::generate(Utc::now()).unwrap();
    let trusted = folder.path().join("office.json");
    fs::write(&trusted, keys.public().to_json().unwrap()).unwrap();
    let witness = Witness::start(folder.path(), std::slice::from_ref(&trusted));
    let (database, journal) = history(&tenant, 1).await;
    let first = journal.checkpoint(&tenant, &keys, &[]).await.unwrap();
    let (status, answer) = witness.post(&first, None, &[]);
    assert_eq!(status, 200, "{answer}");
    let cosignature = serde_json::from_value::<caudal_journal::Cosignature>(answer["cosignature"].clone()).unwrap();
    let published = caudal_journal::PublicKeys::from_json(&witness.keys()).unwrap();
    cosignature.check_with(&first, &published).unwrap();
    // A repeated request gets the same answer.
    assert_eq!(witness.post(&first, None, &[]), (200, answer));

    // A later checkpoint needs a consistency proof.
    grow(&database, &journal, 1, 12).await;
    let second = journal
        .checkpoint(&tenant, &keys, std::slice::from_ref(&first))
        .await
        .unwrap();
    let (status, stale) = witness.post(&second, None, &[]);
    assert_eq!(
        (status, &stale["code"], &stale["last"]["position"]),
        (409, &json!("stale"), &json!(5))
    );
    let proof = journal.consistency_proof(&tenant, 5, 12).await.unwrap().proof;
    let mut wrong = proof.clone();
    wrong[0][0] ^= 1;
    for bad in [&wrong[..], &proof[1..], &[]] {
        let (status, answer) = witness.post(&second, Some(5), bad);
        assert_eq!((status, &answer["code"]), (409, &json!("inconsistent")));
    }
    assert_eq!(witness.post(&second, Some(5), &proof).0, 200);

    // State survives a restart.
    drop(witness);
    let witness = Witness::start(folder.path(), std::slice::from_ref(&trusted));
    let (status, answer) = witness.post(&first, None, &[]);
    assert_eq!((status, &answer["code"]), (409, &json!("rollback")));
    let (other_database, other) = history(&tenant, 2).await;
    grow(&other_database, &other, 2, 12).await;
    let forged = other.checkpoint(&tenant, &keys, &[]).await.unwrap();
    let (status, answer) = witness.post(&forged, Some(5), &[]);
    assert_eq!((status, &answer["code"]), (409, &json!("conflict")));
    assert_eq!(answer["last"]["hash"], json!(to_hex(&second.hash)));
    // Both contradicting checkpoints are stored as they were signed.
    let evidence = folder.path().join("state/office/acme.evidence");
    let kept: Vec<_> = fs::read_dir(evidence)
        .unwrap()
        .map(|entry| SignedCheckpoint::from_json(&fs::read_to_string(entry.unwrap().path()).unwrap()).unwrap())
        .collect();
    assert!(
        kept.len() == 2 && kept.contains(&second) && kept.contains(&forged),
        "{kept:?}"
    );
    // The other history is refused at later positions too.
    grow(&other_database, &other, 2, 20).await;
    let later = other
        .checkpoint(&tenant, &keys, std::slice::from_ref(&forged))
        .await
        .unwrap();
    let proof = other.consistency_proof(&tenant, 12, 20).await.unwrap().proof;
    let (status, answer) = witness.post(&later, Some(12), &proof);
    assert_eq!((status, &answer["code"]), (409, &json!("inconsistent")));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_witness_refuses_unknown_keys_and_unreadable_requests() {
    let folder = tempfile::tempdir().unwrap();
    let tenant: TenantId = "acme".parse().unwrap();
    let (keys, strangers) = (
        SigningKeys::generate(Utc::now()).unwrap(),
        SigningKeys::generate(Utc::now()).unwrap(),
    );
    let trusted = folder.path().join("office.json");
    fs::write(&trusted, keys.public().to_json().unwrap()).unwrap();
    let witness = Witness::start(folder.path(), std::slice::from_ref(&trusted));
    let (_database, journal) = history(&tenant, 1).await;
    let stranger = journal.checkpoint(&tenant, &strangers, &[]).await.unwrap();
    let (status, answer) = witness.post(&stranger, None, &[]);
    assert_eq!((status, &answer["code"]), (403, &json!("untrusted")));
    let mut changed = journal.checkpoint(&tenant, &keys, &[]).await.unwrap();
    changed.position += 1;
    assert_eq!(witness.post(&changed, None, &[]).0, 403);
    let mut unsigned = changed.clone();
    unsigned.tree = None;
    assert_eq!(witness.post(&unsigned, None, &[]).0, 403);
    for text in ["", "{}", "[]", "{\"checkpoint\": {}, \"from\": null, \"proof\": []}"] {
        assert_eq!(witness.post_text(text.as_bytes()).0, 400, "{text}");
    }
    assert_eq!(witness.post_text(&vec![b' '; 40_000]).0, 413);
    let endless = vec![[0; 32]; 65];
    assert_eq!(witness.post(&stranger, Some(1), &endless).0, 400);
    // Without a request under a trusted key the witness stores nothing.
    assert!(!folder.path().join("state/office").exists());
    // A damaged state file is not treated as a new log.
    let good = journal.checkpoint(&tenant, &keys, &[]).await.unwrap();
    assert_eq!(witness.post(&good, None, &[]).0, 200);
    fs::write(folder.path().join("state/office/acme.json"), "{}").unwrap();
    assert_eq!(witness.post(&good, None, &[]).0, 500);
}

#[test]
fn a_servers_checkpoints_are_co_signed_and_a_proof_shows_it() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let database = runtime.block_on(TestDatabase::new());
    create_tenant(database.url(), folder.path(), "acme");
    let caudal = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_caudal"));
        command
            .args(arguments)
            .env("CAUDAL_DATA_DIR", folder.path())
            .env("DATABASE_URL", database.url())
            .env("RUST_LOG", "error");
        command
    };
    let keys = elsewhere.path().join("office.json");
    fs::write(&keys, caudal(&["keys", "show"]).output().unwrap().stdout).unwrap();
    let witness = Witness::start(elsewhere.path(), std::slice::from_ref(&keys));
    // The second witness is unreachable, which delays no command.
    let witnesses = format!("{},http://127.0.0.1:1", witness.base);
    let mut serving = caudal(&[
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--witness",
        &witnesses,
        "--checkpoint-every",
        "1s",
    ])
    .stdout(Stdio::piped())
    .spawn()
    .unwrap();
    let mut lines = BufReader::new(serving.stdout.take().unwrap()).lines();
    let base = lines
        .find_map(|line| line.unwrap().strip_prefix("listening on ").map(str::to_owned))
        .unwrap();
    let client = Client::new(base, "acme");
    let manager = client.login(MANAGER, PASSWORD);
    let cosigned = |position: i64| {
        for _ in 0..200 {
            let kept = client.expect(200, &manager, "GET", "/audit/checkpoints", None);
            let found = kept["checkpoints"].as_array().unwrap().iter().any(|kept| {
                kept["cosignatures"].as_array().unwrap().len() == 1
                    && kept["checkpoint"]["position"].as_i64().unwrap() >= position
            });
            if found {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("no cosignature at {position}");
    };
    cosigned(1);
    let head = client.expect(200, &manager, "GET", "/audit/events?RecordsPerPage=1", None)["totalRecords"]
        .as_i64()
        .unwrap();
    let money = json!({"currency": "USD", "amount": "5.00"});
    client.expect(201, &manager, "POST", "/sources/deposit/manager", Some(money));
    // The next checkpoint is co-signed with a consistency proof from the first.
    cosigned(head + 1);
    let proof = client.expect(200, &manager, "GET", &format!("/audit/proof/{}", head + 1), None);
    serving.kill().unwrap();
    serving.wait().unwrap();
    let file = elsewhere.path().join("proof.json");
    let witness_keys = elsewhere.path().join("witness.json");
    fs::write(&witness_keys, witness.keys()).unwrap();
    let check = |proof: &Value| {
        fs::write(&file, proof.to_string()).unwrap();
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/verify_receipt.py");
        let ran = Command::new("python3")
            .args([
                script.as_path(),
                &file,
                &keys,
                Path::new("--witness-keys"),
                &witness_keys,
            ])
            .output()
            .unwrap();
        (ran.status.success(), String::from_utf8(ran.stdout).unwrap())
    };
    let (holds, said) = check(&proof);
    assert!(holds && said.contains("by 1 witnesses"), "{said}");
    let mut later = proof.clone();
    later["cosignatures"][0]["cosignedAt"] = json!("2030-01-01T00:00:00.000000Z");
    assert!(!check(&later).0);
    let mut without = proof;
    without["cosignatures"] = json!([]);
    let (holds, said) = check(&without);
    assert!(!holds && said.contains("has not signed"), "{said}");
}
