//! Signed checkpoints are compared with the log by the command, the audit screen, the next signing, the destinations
//! and running nodes.

use crate::support::{self, Answer, Business, Call, MANAGER, PASSWORD, Process, S3, create_tenant, text};
use caudal_journal::{Keyring, LogPoint, RowMacs};
use caudal_postgres_testing::TestDatabase;
use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::{Connection as _, Executor as _, PgConnection};
use std::{
    path::PathBuf,
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

/// Time within which a node must detect a contradiction.
const PATIENCE: Duration = Duration::from_secs(30);

/// SQL of the hash of the event `e` after the hash `previous`.
macro_rules! hash_of_e {
    () => {
        "sha256(convert_to('caudal.event.1', 'UTF8') || previous \
             || int8send(octet_length(e.tenant)) || convert_to(e.tenant, 'UTF8') || int8send(e.position) \
             || int8send(octet_length(convert_to(e.aggregate_type, 'UTF8'))) || convert_to(e.aggregate_type, 'UTF8') \
             || int8send(octet_length(convert_to(e.aggregate_id, 'UTF8'))) || convert_to(e.aggregate_id, 'UTF8') \
             || int8send(e.sequence) \
             || int8send(octet_length(convert_to(e.event_type, 'UTF8'))) || convert_to(e.event_type, 'UTF8') \
             || int8send(octet_length(convert_to(e.event_version, 'UTF8'))) || convert_to(e.event_version, 'UTF8') \
             || int8send((extract(epoch FROM e.recorded_at) * 1000000)::bigint) \
             || int8send(octet_length(convert_to(e.metadata::text, 'UTF8'))) || convert_to(e.metadata::text, 'UTF8') \
             || int8send(octet_length(convert_to(e.payload::text, 'UTF8'))) || convert_to(e.payload::text, 'UTF8'))"
    };
}

/// Recomputes the chain from an event on, with a new head, as the database's owner could.
const CONSISTENTLY_REWRITTEN: &str = concat!("
DO $$
DECLARE
    previous bytea;
    e record;
BEGIN
    UPDATE journal.events SET metadata = regexp_replace(metadata::text, '(\"request\":\").', '\\1f')::json WHERE position = 12;
    SELECT hash INTO previous FROM journal.events WHERE position = 11;
    FOR e IN SELECT * FROM journal.events WHERE position > 11 ORDER BY position LOOP
        previous := ", hash_of_e!(), ";
        UPDATE journal.events SET hash = previous WHERE position = e.position;
    END LOOP;
    UPDATE journal.heads SET hash = previous;
END $$");

/// Deletes the last events and sets the head back.
const CUT: &str = "
    DELETE FROM journal.events WHERE position > (SELECT max(position) - 3 FROM journal.events);
    UPDATE journal.heads AS h SET position = e.position, hash = e.hash, recorded_at = e.recorded_at
      FROM journal.events AS e WHERE e.tenant = h.tenant AND e.position = (SELECT max(position) FROM journal.events)";

/// Appends a copy of an event, with a right chain and a head that fits.
const FORGED: &str = concat!(
    "
DO $$
DECLARE
    e journal.events;
    last journal.events;
    previous bytea;
BEGIN
    SELECT * INTO last FROM journal.events ORDER BY position DESC LIMIT 1;
    -- A personal part is readable at its own event alone.
    SELECT * INTO e FROM journal.events WHERE payload->'personal' IS NULL ORDER BY position DESC LIMIT 1;
    SELECT max(sequence) + 1 INTO e.sequence FROM journal.events WHERE aggregate_id = e.aggregate_id;
    e.position := last.position + 1;
    e.recorded_at := last.recorded_at;
    previous := last.hash;
    e.hash := ",
    hash_of_e!(),
    ";
    INSERT INTO journal.events SELECT e.*;
    UPDATE journal.heads SET position = e.position, hash = e.hash;
END $$"
);

/// A tenant with some business and no running node.
struct Place {
    runtime: tokio::runtime::Runtime,
    database: TestDatabase,
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        let database = runtime.block_on(TestDatabase::new());
        let folder = tempfile::tempdir().unwrap();
        create_tenant(database.url(), folder.path(), "acme");
        Self {
            runtime,
            database,
            folder,
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_caudal"));
        command
            .args(arguments)
            .env("CAUDAL_DATA_DIR", self.folder.path())
            .env("DATABASE_URL", self.database.url());
        command
    }

    #[track_caller]
    fn run(&self, arguments: &[&str], status: i32) -> String {
        said(self.command(arguments).output().unwrap(), status)
    }

    fn owner(&self, statement: &str) {
        self.runtime.block_on(async {
            let mut owner = PgConnection::connect(self.database.url()).await.unwrap();
            let set = "SELECT set_config('caudal.tenant', 'acme', false)";
            owner.execute(set).await.unwrap();
            owner.execute(statement).await.unwrap();
        });
    }

    /// Changes the log, and gives its head the MAC that a database of such a history has: one whose nodes have the keys wrote it.
    fn replace_history(&self, statement: &str) {
        self.owner(statement);
        let keyring = Keyring::open_or_create(&Keyring::path(self.folder.path())).unwrap();
        self.runtime.block_on(async {
            let mut owner = PgConnection::connect(self.database.url()).await.unwrap();
            let set = "SELECT set_config('caudal.tenant', 'acme', false)";
            owner.execute(set).await.unwrap();
            let (position, hash, recorded_at): (i64, [u8; 32], DateTime<Utc>) =
                sqlx::query_as("SELECT position, hash, recorded_at FROM journal.heads")
                    .fetch_one(&mut owner)
                    .await
                    .unwrap();
            let point = LogPoint { position, hash };
            let mac = RowMacs::new(&keyring).head(&"acme".parse().unwrap(), point, recorded_at);
            sqlx::query("UPDATE journal.heads SET mac = $1")
                .bind(mac)
                .execute(&mut owner)
                .await
                .unwrap();
        });
    }

    fn count(&self, query: &str) -> i64 {
        self.runtime.block_on(async {
            let mut owner = PgConnection::connect(self.database.url()).await.unwrap();
            let set = "SELECT set_config('caudal.tenant', 'acme', false)";
            owner.execute(set).await.unwrap();
            sqlx::query_scalar(query).fetch_one(&mut owner).await.unwrap()
        })
    }

    fn serve(&self) -> Process {
        Process::serve(self.database.url(), self.folder.path())
    }
}

/// Output of a command, from both streams.
#[track_caller]
fn said(output: Output, status: i32) -> String {
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{said}");
    said
}

fn get(business: &Business, path: &str) -> Value {
    business.client.expect(200, &business.manager, "GET", path, None)
}

/// The answer of a call, once it satisfies a condition.
fn until(business: &Business, path: &str, is_there: impl Fn(&Value) -> bool) -> Value {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let answer = get(business, path);
        if is_there(&answer) {
            return answer;
        }
        assert!(Instant::now() < deadline, "{path}: {answer}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

fn verified(business: &Business) -> Value {
    let begun = business
        .client
        .send(Call::new("POST", "/audit/verification").token(&business.manager));
    assert_eq!(begun.status, 202, "{}", begun.body);
    until(business, "/audit/verification", |last| !last["outcome"].is_null())
}

#[test]
fn a_rewritten_or_cut_log_contradicts_the_checkpoint_of_the_database_on_command_and_screen_and_is_not_signed() {
    for (tampering, code) in [(CONSISTENTLY_REWRITTEN, "rewritten"), (CUT, "shortened")] {
        let place = Place::new();
        let process = place.serve();
        let business = Business::set_up(process.client("acme"));
        business.fund("500.00");
        drop(process);
        place.run(&["checkpoint", "acme"], 0);
        place.run(&["verify", "acme"], 0);
        place.replace_history(tampering);
        place.run(&["rebuild"], 0);
        let found = place.run(&["verify", "acme"], 1);
        assert!(found.contains("signed"), "{found}");
        place.run(&["verify", "acme", "--chain-only"], 1);

        let process = place.serve();
        let client = process.client("acme");
        let manager = client.login(support::MANAGER, support::PASSWORD);
        let business = Business {
            manager,
            client,
            ..business
        };
        let last = verified(&business);
        assert_eq!(
            (&last["outcome"], &last["findings"][0]["code"]),
            (&json!("wrong"), &json!(code)),
            "{last}"
        );
        // Neither the command nor the screen signs a log that contradicts a checkpoint.
        let refused = place.run(&["checkpoint", "acme"], 1);
        assert!(refused.contains("does not extend what was signed before"), "{refused}");
        for (method, path) in [("POST", "/audit/checkpoints"), ("GET", "/audit/checkpoint")] {
            let refused = business.client.send(Call::new(method, path).token(&business.manager));
            assert_eq!((refused.status, refused.code()), (409, "log_contradicts_checkpoint"));
        }
        assert_eq!(place.count("SELECT count(*) FROM journal.checkpoints"), 1);
        // The running node detects it by itself.
        let found = until(&business, "/audit/continuous", |known| known["findings"] != json!([]));
        assert_eq!(found["findings"][0]["code"], code, "{found}");
    }
}

#[test]
fn a_destination_is_evidence_when_the_database_lost_its_checkpoints() {
    let place = Place::new();
    let process = place.serve();
    let business = Business::set_up(process.client("acme"));
    business.fund("500.00");
    drop(process);
    let (kept, bucket) = (place.path("kept"), S3::start());
    let kept = kept.to_str().unwrap();
    let with_bucket = |arguments: &[&str], status: i32| {
        let mut command = place.command(arguments);
        command
            .env("AWS_ENDPOINT", bucket.endpoint())
            .env("AWS_ALLOW_HTTP", "true")
            .env("AWS_ACCESS_KEY_ID", "test")
            .env("AWS_SECRET_ACCESS_KEY", "test");
        said(command.output().unwrap(), status)
    };
    let to = ["checkpoint", "acme", "--to", kept, "--to", "s3://bucket/caudal"];
    with_bucket(&to, 0);
    with_bucket(&to, 0);
    place.replace_history(CUT);
    place.owner("DELETE FROM journal.checkpoints");
    // The database alone contradicts nothing; what the node has seen does.
    let found = place.run(&["verify", "acme", "--log-only"], 1);
    assert!(found.contains("in quarantine"), "{found}");
    for place_name in [kept, "s3://bucket/caudal"] {
        let found = with_bucket(&["verify", "acme", "--log-only", "--checkpoints-at", place_name], 1);
        assert!(found.contains("cut off"), "{found}");
        let refused = with_bucket(&["checkpoint", "acme", "--to", place_name], 1);
        assert!(refused.contains("does not extend what was signed before"), "{refused}");
    }
    assert_eq!(place.count("SELECT count(*) FROM journal.checkpoints"), 0);
    // With an unreadable destination the comparison is incomplete, and nothing is signed.
    let place_name = "s3://bucket/caudal";
    let arguments = ["verify", "acme", "--log-only", "--checkpoints-at", place_name];
    let unreachable = |arguments: &[&str]| {
        let mut command = place.command(arguments);
        command
            .env("AWS_ENDPOINT", "http://127.0.0.1:1")
            .env("AWS_ALLOW_HTTP", "true")
            .env("AWS_ACCESS_KEY_ID", "test")
            .env("AWS_SECRET_ACCESS_KEY", "test");
        command.output().unwrap()
    };
    let found = said(unreachable(&arguments), 2);
    assert!(found.contains("were not compared"), "{found}");
    let refused = said(unreachable(&["checkpoint", "acme", "--to", place_name]), 1);
    assert!(refused.contains("can't be read"), "{refused}");
    assert_eq!(place.count("SELECT count(*) FROM journal.checkpoints"), 0);
}

#[test]
fn a_destination_file_with_another_hash_is_an_alarm_and_is_kept() {
    let place = Place::new();
    let kept = place.path("kept");
    let folder = kept.to_str().unwrap();
    place.run(&["checkpoint", "acme"], 0);
    let content: Value = serde_json::from_str(&place.run(&["checkpoint", "acme"], 0)).unwrap();
    // The file at the destination has another hash for the position. Its signature is invalid, so nothing is signed
    // after it.
    let mut other = content.clone();
    other["hash"] = json!("00".repeat(32));
    std::fs::create_dir(&kept).unwrap();
    let name = format!("acme-{:012}.checkpoint.json", content["position"].as_i64().unwrap());
    std::fs::write(kept.join(&name), other.to_string()).unwrap();
    let refused = place.run(&["checkpoint", "acme", "--to", folder], 1);
    assert!(refused.contains("is another checkpoint"), "{refused}");
    let found = place.run(&["verify", "acme", "--log-only", "--checkpoints-at", folder], 1);
    assert!(found.contains("proves nothing"), "{found}");
    assert_eq!(std::fs::read_to_string(kept.join(&name)).unwrap(), other.to_string());
    // The same hash signed at another time is no contradiction.
    std::fs::write(kept.join(&name), content.to_string()).unwrap();
    place.owner("DELETE FROM journal.checkpoints");
    place.run(&["checkpoint", "acme", "--to", folder], 0);
    // A changed row of the database is no evidence, and is named.
    place.owner(
        "UPDATE journal.checkpoints SET content = replace(content, '\"recordedAt\": \"2', '\"recordedAt\": \"1')",
    );
    let found = place.run(&["verify", "acme", "--log-only"], 1);
    assert!(found.contains("in the database proves nothing"), "{found}");
}

#[test]
fn a_row_of_checkpoints_that_is_not_what_was_signed_is_named_and_its_file_counts() {
    let place = Place::new();
    for change in [
        "hash = sha256('x')",
        "key = 'other'",
        "position = position + 1",
        "format = 1",
        "signed_at = 'infinity'",
    ] {
        place.run(&["checkpoint", "acme"], 0);
        let found = place.run(&["verify", "acme", "--log-only"], 0);
        assert!(found.contains("agrees with the checkpoint"), "{found}");
        place.owner(&format!("UPDATE journal.checkpoints SET {change}"));
        let found = place.run(&["verify", "acme", "--log-only"], 1);
        assert!(
            found.contains("was changed: it is not what was signed"),
            "{change}: {found}"
        );
        assert!(found.contains("agrees with the checkpoint"), "{change}: {found}");
        place.owner("DELETE FROM journal.checkpoints");
    }
}

#[test]
fn a_running_node_keeps_verifying_and_names_a_log_that_was_set_back() {
    let place = Place::new();
    let process = place.serve();
    let business = Business::set_up(process.client("acme"));
    business.fund("500.00");
    let head = get(&business, "/audit/events?RecordsPerPage=1")["totalRecords"].clone();
    let known = until(&business, "/audit/continuous", |known| known["position"] == head);
    assert_eq!(known["findings"], json!([]), "{known}");
    assert!(!known["startedAt"].is_null());
    until(&business, "/audit/continuous", |known| !known["reachedEndAt"].is_null());
    place.replace_history(CUT);
    let found = until(&business, "/audit/continuous", |known| known["findings"] != json!([]));
    assert_eq!(found["findings"][0]["code"], "went_back", "{found}");
    assert_eq!(found["findings"][0]["position"], head, "{found}");
    // Written at the end of the pass that found it.
    let expected = [
        "caudal_verification_faults_total 1",
        "caudal_log_divergences_total 1",
        "caudal_verification_faulty_tenants 1",
    ];
    let deadline = Instant::now() + PATIENCE;
    loop {
        let metrics = ureq::get(format!("http://{}/metrics", process.address()))
            .call()
            .unwrap()
            .body_mut()
            .read_to_string()
            .unwrap();
        let has = |line: &&str| metrics.lines().any(|found| found == *line);
        if expected.iter().all(has) {
            break;
        }
        assert!(Instant::now() < deadline, "{expected:?}: {metrics}");
        std::thread::sleep(Duration::from_millis(100));
    }
    // Other roles may not see it.
    let agency = business
        .client
        .send(Call::new("GET", "/audit/continuous").token(&business.agency_token));
    assert_eq!(agency.status, 403);
    assert!(!text(&found["findings"][0]["detail"]).is_empty());
}

#[test]
fn an_accepted_history_is_signed_after_the_one_given_up_and_verifies() {
    let place = Place::new();
    let process = place.serve();
    let business = Business::set_up(process.client("acme"));
    business.fund("500.00");
    drop(process);
    let signed: Value = serde_json::from_str(&place.run(&["checkpoint", "acme"], 0)).unwrap();
    place.replace_history(CUT);
    place.run(&["rebuild"], 0);
    place.run(&["checkpoint", "acme"], 1);
    let accepted = place.run(&["checkpoint", "acme", "--accept-history"], 0);
    assert!(accepted.contains("is accepted and signed"), "{accepted}");
    // The new checkpoint names the contradicted one.
    let previous = place.count(&format!(
        "SELECT count(*) FROM journal.checkpoints WHERE (content::json #>> '{{previous,position}}')::bigint = {}",
        signed["position"]
    ));
    assert_eq!(previous, 1);
    // The refused signature had put the tenant into quarantine.
    place.run(&["verify", "acme"], 1);
    place.run(&END, 0);
    let whole = place.run(&["verify", "acme"], 0);
    assert!(
        whole.contains("1 checkpoints of a history that an operator gave up were left out"),
        "{whole}"
    );
    assert!(whole.contains("agrees with the checkpoint"), "{whole}");
    // From here on a cut is detected again, and only a contradicted history can be accepted.
    let again = place.run(&["checkpoint", "acme", "--accept-history"], 0);
    assert!(!again.contains("is accepted"), "{again}");
    place.replace_history(CUT);
    place.run(&["rebuild"], 0);
    place.run(&["verify", "acme"], 1);
    place.run(&["checkpoint", "acme"], 1);
}

/// Arguments of the operator's decision to accept the loss.
const END: [&str; 6] = [
    "quarantine",
    "end",
    "acme",
    "--accept-loss",
    "--reason",
    "the standby lagged",
];

/// A tenant in quarantine: its log lost events, and a signed checkpoint names one of them.
fn in_quarantine() -> Place {
    let place = Place::new();
    let process = place.serve();
    Business::set_up(process.client("acme")).fund("500.00");
    drop(process);
    place.run(&["checkpoint", "acme"], 0);
    place.owner("CREATE TABLE public.before AS SELECT * FROM journal.events");
    place.owner("CREATE TABLE public.head_before AS SELECT * FROM journal.heads");
    place.replace_history(CUT);
    place.run(&["rebuild"], 0);
    // The first process may end before it has reported to the others.
    for _ in 0..2 {
        let listed = place.run(&["quarantine", "list"], 0);
        assert!(listed.contains("acme"), "{listed}");
    }
    place
}

impl Place {
    /// Runs the operator's decision and kills it when it is about to write to a table.
    fn kill_decision_at(&self, table: &str) {
        self.runtime.block_on(async {
            let mut owner = PgConnection::connect(self.database.url()).await.unwrap();
            let lock = format!("BEGIN; LOCK TABLE {table} IN EXCLUSIVE MODE");
            owner.execute(lock.as_str()).await.unwrap();
            let mut ending = self.command(&END).stdout(Stdio::null()).spawn().unwrap();
            // Databases of other tests on the same server are copies of one template, so their tables have equal
            // OIDs.
            let cut = format!(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_locks
                 WHERE NOT granted AND relation = '{table}'::regclass
                   AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
            );
            let waiting = cut.replace("pg_terminate_backend(pid)", "pid");
            let deadline = Instant::now() + PATIENCE;
            while sqlx::query_scalar::<_, i64>(&waiting)
                .fetch_one(&mut owner)
                .await
                .unwrap()
                == 0
            {
                assert_eq!(ending.try_wait().unwrap(), None, "{table} is written to");
                assert!(Instant::now() < deadline, "{table} is written to in time");
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            ending.kill().unwrap();
            ending.wait().unwrap();
            owner.execute(cut.as_str()).await.unwrap();
            owner.execute("ROLLBACK").await.unwrap();
        });
    }

    /// Number of events that record a decision, and of checkpoints.
    fn decided_and_signed(&self) -> (i64, i64) {
        let decided = self.count("SELECT count(*) FROM journal.events WHERE event_type = 'HistoryAccepted'");
        (decided, self.count("SELECT count(*) FROM journal.checkpoints"))
    }

    /// The answer of a node to a deposit; `None` where it refuses because the tenant is in quarantine.
    fn takes_a_deposit(&self) -> Option<Answer> {
        let process = self.serve();
        let client = process.client("acme");
        let manager = client.login(MANAGER, PASSWORD);
        let body = json!({"currency": "CUP", "amount": "1.00"});
        let call = Call::new("POST", "/sources/deposit/manager")
            .token(&manager)
            .json(&body);
        let answer = client.send(call);
        (answer.code() != "log_diverged").then_some(answer)
    }
}

#[test]
fn a_decision_killed_between_its_steps_keeps_the_quarantine_and_completes_when_repeated() {
    // The tables that a decision writes, in order, with the rows written when it is killed before each.
    let steps = [
        ("journal.events", (0, 1)),
        ("journal.checkpoints", (1, 1)),
        ("journal.quarantines", (1, 2)),
    ];
    for (table, written) in steps {
        let place = in_quarantine();
        place.kill_decision_at(table);
        assert_eq!(place.decided_and_signed(), written, "{table}");
        assert!(place.takes_a_deposit().is_none(), "{table}: in quarantine");
        let found = place.run(&["verify", "acme"], 1);
        assert!(found.contains("in quarantine"), "{found}");
        place.run(&END, 0);
        assert_eq!(place.decided_and_signed(), (1, 2), "{table}: each once");
        let whole = place.run(&["verify", "acme"], 0);
        assert!(
            whole.contains("1 checkpoints of a history that an operator gave up"),
            "{whole}"
        );
        let answer = place.takes_a_deposit().expect("business goes on");
        assert_eq!(answer.status, 201, "{table}: {}", answer.body);
    }
}

#[test]
fn a_killed_decision_accepts_nothing_if_the_right_log_is_restored() {
    for table in ["journal.events", "journal.checkpoints"] {
        let place = in_quarantine();
        place.kill_decision_at(table);
        place.owner(
            "DELETE FROM journal.receipts WHERE position > (SELECT max(position) - 3 FROM public.before);
             DELETE FROM journal.events;
             INSERT INTO journal.events SELECT * FROM public.before;
             UPDATE journal.heads AS h
                SET position = b.position, hash = b.hash, recorded_at = b.recorded_at, mac = b.mac
               FROM public.head_before AS b",
        );
        let ended = place.run(&["quarantine", "end", "acme", "--reason", "the right copy is back"], 0);
        assert!(ended.contains("nothing was lost"), "{ended}");
        place.run(&["rebuild"], 0);
        place.run(&["verify", "acme"], 0);
        // The history whose acceptance was killed, restored later.
        place.replace_history(
            "DELETE FROM journal.events WHERE position > (SELECT max(position) - 3 FROM public.before);
             UPDATE journal.heads AS h SET position = e.position, hash = e.hash, recorded_at = e.recorded_at
               FROM journal.events AS e WHERE e.position = (SELECT max(position) FROM journal.events)",
        );
        place.run(&["rebuild"], 0);
        let found = place.run(&["verify", "acme"], 1);
        assert!(found.contains("it was signed up to"), "{found}");
    }
}

#[test]
fn a_missing_file_of_signing_keys_is_not_replaced_where_something_was_signed() {
    let place = Place::new();
    place.run(&["checkpoint", "acme"], 0);
    let keys = place.path("keys/signing.keys");
    std::fs::remove_file(&keys).unwrap();
    place.replace_history(CUT);
    let refused = place.run(&["checkpoint", "acme"], 1);
    assert!(refused.contains("there is no file of signing keys"), "{refused}");
    assert!(!keys.exists());
    // Nor is a new key taken for the one that is missing.
    place.run(&["keys", "show"], 0);
    let refused = place.run(&["checkpoint", "acme"], 1);
    assert!(refused.contains("there is no file of signing keys"), "{refused}");
    assert_eq!(place.count("SELECT count(*) FROM journal.checkpoints"), 1);
}

#[test]
fn a_destination_that_is_not_there_any_more_or_signed_by_an_unknown_key_is_not_taken_for_an_empty_one() {
    let place = Place::new();
    let (kept, aside) = (place.path("kept"), place.path("aside"));
    let folder = kept.to_str().unwrap();
    place.run(&["checkpoint", "acme", "--to", folder], 0);
    std::fs::rename(&kept, &aside).unwrap();
    let found = place.run(&["verify", "acme", "--log-only", "--checkpoints-at", folder], 2);
    assert!(found.contains("were not compared"), "{found}");
    let refused = place.run(&["checkpoint", "acme", "--to", folder], 1);
    assert!(refused.contains("the folder is not there"), "{refused}");
    assert!(!kept.exists());
    std::fs::rename(&aside, &kept).unwrap();
    // Evidence of a signing key that is gone, and a database that lost its checkpoints.
    place.owner("DELETE FROM journal.checkpoints");
    std::fs::remove_file(place.path("keys/signing.keys")).unwrap();
    let refused = place.run(&["checkpoint", "acme", "--to", folder], 1);
    assert!(refused.contains("signed by a known key"), "{refused}");
    assert_eq!(place.count("SELECT count(*) FROM journal.checkpoints"), 0);
}

#[test]
fn a_checkpoint_that_a_later_one_names_is_missed() {
    let place = Place::new();
    let mut positions = Vec::new();
    let mut business = None;
    for _ in 0..3 {
        let process = place.serve();
        let client = process.client("acme");
        match &business {
            None => business = Some(Business::set_up(client)),
            Some(_) => {
                let manager = client.login(MANAGER, PASSWORD);
                let deposit = json!({"currency": "CUP", "amount": "1.00"});
                client.expect(201, &manager, "POST", "/sources/deposit/manager", Some(deposit));
            }
        }
        drop(process);
        let signed: Value = serde_json::from_str(&place.run(&["checkpoint", "acme"], 0)).unwrap();
        positions.push(signed["position"].as_i64().unwrap());
    }
    place.run(&["verify", "acme"], 0);
    place.owner(&format!(
        "DELETE FROM journal.checkpoints WHERE position = {}",
        positions[1]
    ));
    let found = place.run(&["verify", "acme"], 1);
    assert!(
        found.contains(&format!(
            "the checkpoint of position {}, which the one of position {} names, is in no place",
            positions[1], positions[2]
        )),
        "{found}"
    );
    // What is before all others is deleted in time.
    place.owner(&format!(
        "DELETE FROM journal.checkpoints WHERE position = {}",
        positions[0]
    ));
    place.run(&["verify", "acme"], 0);
}

#[test]
fn the_key_of_a_lost_command_is_free_again_once_the_loss_is_accepted() {
    let place = Place::new();
    let process = place.serve();
    let deposit = |process: &Process, key: &str| {
        let client = process.client("acme");
        let manager = client.login(MANAGER, PASSWORD);
        let call = Call::new("POST", "/sources/deposit/manager").token(&manager);
        let body = json!({"currency": "CUP", "amount": "1.00"});
        client.send(call.key(key).json(&body))
    };
    // The command's answer is kept beside its idempotency record.
    for key in ["one", "two", "three"] {
        assert_eq!(deposit(&process, key).status, 201);
    }
    let first = deposit(&process, "three");
    assert!(first.replayed);
    drop(process);
    place.run(&["checkpoint", "acme"], 0);
    place.replace_history(CUT);
    place.run(&["rebuild"], 0);
    place.run(&["quarantine", "list"], 0);
    place.run(&END, 0);
    let process = place.serve();
    let again = deposit(&process, "three");
    assert_eq!((again.status, again.replayed), (201, false), "{}", again.body);
    assert!(again.body["id"] != first.body["id"]);
    assert!(deposit(&process, "three").replayed);
}

#[test]
fn the_reference_of_a_lost_sale_is_free_again_and_rows_beside_the_log_verify_once_the_loss_is_accepted() {
    let place = Place::new();
    let process = place.serve();
    let business = Business::set_up(process.client("acme"));
    business.fund("100000.00");
    let sell = |business: &Business, status: u16, reference: &str| {
        let mut sale = business.sale("10.00");
        sale["reference"] = json!(reference);
        business.as_agency(status, "POST", "/remittances", sale)
    };
    let refer = |business: &Business, sold: &Value, reference: Value| {
        let path = format!("/remittances/details/{}", text(&sold["id"]));
        business.as_agency(200, "PUT", &path, json!({"reference": reference}));
    };
    let kept = sell(&business, 201, "A-1");
    let renamed = sell(&business, 201, "B-1");
    refer(&business, &renamed, json!("B-2"));
    let freed = sell(&business, 201, "C-1");
    refer(&business, &freed, Value::Null);
    // A reference that was given and changed, or taken back, is no fault.
    place.run(&["verify", "acme"], 0);
    // The last three events: a sale, an edit that frees a reference, and a sale that takes it.
    let _lost = sell(&business, 201, "D-1");
    refer(&business, &kept, json!("A-2"));
    sell(&business, 201, "A-1");
    drop(process);
    place.replace_history(CUT);
    place.run(&["rebuild"], 0);
    place.run(&["quarantine", "list"], 0);
    place.run(&END, 0);
    place.run(&["verify", "acme"], 0);
    let process = place.serve();
    let client = process.client("acme");
    let business = Business {
        agency_token: client.login("agency@example.test", PASSWORD),
        client,
        ..business
    };
    for reference in ["D-1", "A-2", "B-1", "C-1"] {
        sell(&business, 201, reference);
    }
    for reference in ["A-1", "B-2"] {
        assert_eq!(
            sell(&business, 409, reference)["code"],
            "reference_taken",
            "{reference}"
        );
    }
    place.run(&["verify", "acme"], 0);
}

#[test]
fn a_node_without_evidence_compares_a_log_with_its_signed_end_before_it_writes() {
    let place = Place::new();
    let process = place.serve();
    let business = Business::set_up(process.client("acme"));
    business.fund("500.00");
    drop(process);
    let kept = place.path("kept");
    let kept = kept.to_str().unwrap();
    place.run(&["checkpoint", "acme", "--to", kept], 0);
    place.replace_history(CUT);
    place.owner("DELETE FROM journal.checkpoints; DELETE FROM journal.snapshots");
    std::fs::remove_dir_all(place.path("evidence")).unwrap();
    place.run(&["rebuild"], 0);
    // The command has seen the log as it is.
    std::fs::remove_dir_all(place.path("evidence")).unwrap();
    let before = place.count("SELECT position FROM journal.heads");
    let arguments = [
        "--checkpoint-to",
        kept,
        "--checkpoint-every",
        "1d",
        "--verify-rate",
        "0",
    ];
    let process = Process::serve_with(place.database.url(), place.folder.path(), "warn", &arguments);
    let client = process.client("acme");
    let manager = client.login(MANAGER, PASSWORD);
    let deposit = json!({"currency": "USD", "amount": "1.00"});
    let call = Call::new("POST", "/sources/deposit/manager").token(&manager);
    let refused = client.send(call.json(&deposit));
    assert_eq!(
        (refused.status, refused.code()),
        (503, "log_diverged"),
        "{}",
        refused.body
    );
    assert_eq!(place.count("SELECT position FROM journal.heads"), before);
    let report = client.expect(200, &manager, "GET", "/audit/quarantine", None);
    assert!(report.to_string().contains(r#""kind":"checkpoint""#), "{report}");
}

#[test]
fn events_that_the_owner_appends_are_named_and_an_operator_accepts_them_by_name_alone() {
    let place = Place::new();
    let process = place.serve();
    let business = Business::set_up(process.client("acme"));
    business.fund("500.00");
    drop(process);
    place.owner(FORGED);
    let forged = place.count("SELECT position FROM journal.heads");
    let found = place.run(&["verify", "acme", "--log-only"], 1);
    assert!(found.contains("the head has no valid MAC"), "{found}");
    place.run(&["checkpoint", "acme"], 1);
    let shown = place.run(&["quarantine", "show", "acme"], 0);
    assert!(
        shown.contains(&format!("positions {forged} to {forged} were seen by no node")),
        "{shown}"
    );
    let end = ["quarantine", "end", "acme", "--reason", "it is looked into"];
    let refused = place.run(&end, 1);
    assert!(refused.contains("--accept-unsigned"), "{refused}");
    let accepted = [&end[..], &["--accept-unsigned"]].concat();
    place.run(&accepted, 0);
    place.run(&["verify", "acme", "--chain-only"], 0);
    place.run(&["checkpoint", "acme"], 0);
}
