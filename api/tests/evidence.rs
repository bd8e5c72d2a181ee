//! What was signed is held against the log: by the command, the screen, the next signing, the destinations and a node that
//! runs.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test ends where something is missing"
)]

mod support;

use caudal_postgres_testing::TestDatabase;
use serde_json::{Value, json};
use sqlx::{Connection as _, Executor as _, PgConnection};
use std::{
    path::PathBuf,
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};
use support::{Answer, Business, Call, MANAGER, PASSWORD, Process, S3, create_tenant, text};

/// How long a node may take to notice.
const PATIENCE: Duration = Duration::from_secs(30);

/// The chain recomputed from an event on, as the database's owner could, and the head after it.
const CONSISTENTLY_REWRITTEN: &str = "
DO $$
DECLARE
    previous bytea;
    e record;
BEGIN
    UPDATE journal.events SET metadata = regexp_replace(metadata::text, '(\"request\":\").', '\\1f')::json WHERE position = 12;
    SELECT hash INTO previous FROM journal.events WHERE position = 11;
    FOR e IN SELECT * FROM journal.events WHERE position > 11 ORDER BY position LOOP
        previous := sha256(convert_to('caudal.event.1', 'UTF8') || previous
            || int8send(octet_length(e.tenant)) || convert_to(e.tenant, 'UTF8') || int8send(e.position)
            || int8send(octet_length(convert_to(e.aggregate_type, 'UTF8'))) || convert_to(e.aggregate_type, 'UTF8')
            || int8send(octet_length(convert_to(e.aggregate_id, 'UTF8'))) || convert_to(e.aggregate_id, 'UTF8')
            || int8send(e.sequence)
            || int8send(octet_length(convert_to(e.event_type, 'UTF8'))) || convert_to(e.event_type, 'UTF8')
            || int8send(octet_length(convert_to(e.event_version, 'UTF8'))) || convert_to(e.event_version, 'UTF8')
            || int8send((extract(epoch FROM e.recorded_at) * 1000000)::bigint)
            || int8send(octet_length(convert_to(e.metadata::text, 'UTF8'))) || convert_to(e.metadata::text, 'UTF8')
            || int8send(octet_length(convert_to(e.payload::text, 'UTF8'))) || convert_to(e.payload::text, 'UTF8'));
        UPDATE journal.events SET hash = previous WHERE position = e.position;
    END LOOP;
    UPDATE journal.heads SET hash = previous;
END $$";

/// The last events cut off, and the head set back.
const CUT: &str = "
    DELETE FROM journal.events WHERE position > (SELECT max(position) - 3 FROM journal.events);
    UPDATE journal.heads AS h SET position = e.position, hash = e.hash, recorded_at = e.recorded_at
      FROM journal.events AS e WHERE e.tenant = h.tenant AND e.position = (SELECT max(position) FROM journal.events)";

/// A tenant with some business and without a running node.
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

/// What a command said, on both streams.
#[track_caller]
fn said(output: Output, status: i32) -> String {
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{said}");
    said
}

fn get(business: &Business, path: &str) -> Value {
    business.client.expect(200, &business.manager, "GET", path, None)
}

/// The answer of a call, as soon as it is what is waited for.
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
        place.owner(tampering);
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
        // Nothing is signed over it: not by the command, not by the screen.
        let refused = place.run(&["checkpoint", "acme"], 1);
        assert!(refused.contains("does not extend what was signed before"), "{refused}");
        for (method, path) in [("POST", "/audit/checkpoints"), ("GET", "/audit/checkpoint")] {
            let refused = business.client.send(Call::new(method, path).token(&business.manager));
            assert_eq!((refused.status, refused.code()), (409, "log_contradicts_checkpoint"));
        }
        assert_eq!(place.count("SELECT count(*) FROM journal.checkpoints"), 1);
        // The node that runs found it by itself.
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
    place.owner(CUT);
    place.owner("DELETE FROM journal.checkpoints");
    place.run(&["verify", "acme", "--log-only"], 0);
    for place_name in [kept, "s3://bucket/caudal"] {
        let found = with_bucket(&["verify", "acme", "--log-only", "--checkpoints-at", place_name], 1);
        assert!(found.contains("cut off"), "{found}");
        let refused = with_bucket(&["checkpoint", "acme", "--to", place_name], 1);
        assert!(refused.contains("does not extend what was signed before"), "{refused}");
    }
    assert_eq!(place.count("SELECT count(*) FROM journal.checkpoints"), 0);
    // A destination that can't be read: nothing was found out, and nothing is signed.
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
fn a_file_of_another_hash_at_the_destination_is_an_alarm_and_stays() {
    let place = Place::new();
    let kept = place.path("kept");
    let folder = kept.to_str().unwrap();
    place.run(&["checkpoint", "acme"], 0);
    let content: Value = serde_json::from_str(&place.run(&["checkpoint", "acme"], 0)).unwrap();
    // What is there says another hash for the position; its signature does not hold, so that nothing is signed after it.
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
    // The same hash, signed at another time, is no contradiction.
    std::fs::write(kept.join(&name), content.to_string()).unwrap();
    place.owner("DELETE FROM journal.checkpoints");
    place.run(&["checkpoint", "acme", "--to", folder], 0);
    // A row of the database that was changed is no evidence, and is named.
    place.owner(
        "UPDATE journal.checkpoints SET content = replace(content, '\"recordedAt\": \"2', '\"recordedAt\": \"1')",
    );
    let found = place.run(&["verify", "acme", "--log-only"], 1);
    assert!(found.contains("in the database proves nothing"), "{found}");
}

#[test]
fn a_node_that_runs_verifies_on_and_names_a_log_that_went_back_under_it() {
    let place = Place::new();
    let process = place.serve();
    let business = Business::set_up(process.client("acme"));
    business.fund("500.00");
    let head = get(&business, "/audit/events?RecordsPerPage=1")["totalRecords"].clone();
    let known = until(&business, "/audit/continuous", |known| known["position"] == head);
    assert_eq!(known["findings"], json!([]), "{known}");
    assert!(!known["startedAt"].is_null());
    until(&business, "/audit/continuous", |known| !known["reachedEndAt"].is_null());
    place.owner(CUT);
    let found = until(&business, "/audit/continuous", |known| known["findings"] != json!([]));
    assert_eq!(found["findings"][0]["code"], "went_back", "{found}");
    assert_eq!(found["findings"][0]["position"], head, "{found}");
    // Written at the end of the turn that found it.
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
    // Nobody else may see it.
    let agency = business
        .client
        .send(Call::new("GET", "/audit/continuous").token(&business.agency_token));
    assert_eq!(agency.status, 403);
    assert!(!text(&found["findings"][0]["detail"]).is_empty());
}

#[test]
fn a_history_that_an_operator_accepts_is_signed_after_the_one_given_up_and_verifies_again() {
    let place = Place::new();
    let process = place.serve();
    let business = Business::set_up(process.client("acme"));
    business.fund("500.00");
    drop(process);
    let signed: Value = serde_json::from_str(&place.run(&["checkpoint", "acme"], 0)).unwrap();
    place.owner(CUT);
    place.run(&["rebuild"], 0);
    place.run(&["checkpoint", "acme"], 1);
    let accepted = place.run(&["checkpoint", "acme", "--accept-history"], 0);
    assert!(accepted.contains("is accepted and signed"), "{accepted}");
    // It names the one that it contradicts.
    let previous = place.count(&format!(
        "SELECT count(*) FROM journal.checkpoints WHERE (content::json #>> '{{previous,position}}')::bigint = {}",
        signed["position"]
    ));
    assert_eq!(previous, 1);
    let whole = place.run(&["verify", "acme"], 0);
    assert!(
        whole.contains("1 checkpoints of a history that an operator gave up were left out"),
        "{whole}"
    );
    assert!(whole.contains("agrees with the checkpoint"), "{whole}");
    // From there on nothing may be cut again, and nothing is accepted that was not contradicted.
    let again = place.run(&["checkpoint", "acme", "--accept-history"], 0);
    assert!(!again.contains("is accepted"), "{again}");
    place.owner(CUT);
    place.run(&["rebuild"], 0);
    place.run(&["verify", "acme"], 1);
    place.run(&["checkpoint", "acme"], 1);
}

/// The operator's decision to give up what is lost.
const END: [&str; 6] = [
    "quarantine",
    "end",
    "acme",
    "--accept-loss",
    "--reason",
    "the standby lagged",
];

/// A tenant in quarantine: its log lost events, one of which a signed checkpoint names.
fn in_quarantine() -> Place {
    let place = Place::new();
    let process = place.serve();
    Business::set_up(process.client("acme")).fund("500.00");
    drop(process);
    place.run(&["checkpoint", "acme"], 0);
    place.owner("CREATE TABLE public.before AS SELECT * FROM journal.events");
    place.owner("CREATE TABLE public.head_before AS SELECT * FROM journal.heads");
    place.owner(CUT);
    place.run(&["rebuild"], 0);
    // The first one may end before it has told the others.
    for _ in 0..2 {
        let listed = place.run(&["quarantine", "list"], 0);
        assert!(listed.contains("acme"), "{listed}");
    }
    place
}

impl Place {
    /// Runs the operator's decision until it wants to write to a table, and kills it there.
    fn kill_decision_at(&self, table: &str) {
        self.runtime.block_on(async {
            let mut owner = PgConnection::connect(self.database.url()).await.unwrap();
            let lock = format!("BEGIN; LOCK TABLE {table} IN EXCLUSIVE MODE");
            owner.execute(lock.as_str()).await.unwrap();
            let mut ending = self.command(&END).stdout(Stdio::null()).spawn().unwrap();
            // Other tests' databases, on the same server, are copies of one template: their tables have the same numbers.
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

    /// Events that record a decision, and checkpoints.
    fn decided_and_signed(&self) -> (i64, i64) {
        let decided = self.count("SELECT count(*) FROM journal.events WHERE event_type = 'HistoryAccepted'");
        (decided, self.count("SELECT count(*) FROM journal.checkpoints"))
    }

    /// Whether a node takes a deposit. None where it refuses because the tenant is in quarantine.
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
fn a_decision_killed_between_its_steps_leaves_the_quarantine_in_force_and_is_carried_out_when_it_is_repeated() {
    // What a decision writes, in this order, with what is there when it is killed before that.
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
        // Until the log with the decision in it is signed, what was signed before contradicts it.
        let is_signed = written.1 > 1;
        place.run(&["verify", "acme"], i32::from(!is_signed));
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
fn a_decision_that_was_killed_accepts_nothing_where_the_right_log_is_restored_in_its_place() {
    for table in ["journal.events", "journal.checkpoints"] {
        let place = in_quarantine();
        place.kill_decision_at(table);
        place.owner(
            "DELETE FROM journal.receipts WHERE position > (SELECT max(position) - 3 FROM public.before);
             DELETE FROM journal.events;
             INSERT INTO journal.events SELECT * FROM public.before;
             UPDATE journal.heads AS h SET position = b.position, hash = b.hash, recorded_at = b.recorded_at
               FROM public.head_before AS b",
        );
        let ended = place.run(&["quarantine", "end", "acme", "--reason", "the right copy is back"], 0);
        assert!(ended.contains("nothing was lost"), "{ended}");
        place.run(&["rebuild"], 0);
        place.run(&["verify", "acme"], 0);
        // The history that was nearly accepted, later.
        place.owner(
            "DELETE FROM journal.events WHERE position > (SELECT max(position) - 3 FROM public.before);
             UPDATE journal.heads AS h SET position = e.position, hash = e.hash, recorded_at = e.recorded_at
               FROM journal.events AS e WHERE e.position = (SELECT max(position) FROM journal.events)",
        );
        place.run(&["rebuild"], 0);
        let found = place.run(&["verify", "acme"], 1);
        assert!(found.contains("it was signed up to"), "{found}");
    }
}
