//! PostgreSQL alone, as pgbench sees it: its own TPC-B, and the rows of a journal inserted in a journal's batches.

use crate::{latency::Latencies, scratch::Scratch};
use sqlx::{Row as _, postgres::PgConnectOptions};
use std::{
    fmt::Write as _,
    fs,
    path::Path,
    process::{Command, Stdio},
    time::Duration,
};

/// Branches of TPC-B: as many as the most clients, so that they need not wait for one another's.
const SCALE: u32 = 32;

/// The tables of a journal without policies, with a batch of its rows, and the head that a batch moves.
const LIMIT: &str = "
CREATE SCHEMA bound;
CREATE TABLE bound.heads (LIKE journal.heads INCLUDING ALL) WITH (fillfactor = 10);
CREATE TABLE bound.events (LIKE journal.events INCLUDING ALL);
CREATE TABLE bound.receipts (LIKE journal.receipts INCLUDING ALL);
CREATE TABLE bound.rows (n bigint PRIMARY KEY, aggregate_type text, event_type text, event_version text, payload text,
    metadata text, hash bytea, actor text, digest bytea, answer text);";

const ROWS: &str = "INSERT INTO bound.rows
SELECT row_number() OVER (ORDER BY e.position), e.aggregate_type, e.event_type, e.event_version, e.payload::text,
       e.metadata::text, e.hash, r.actor, r.digest, r.answer::text
  FROM journal.events AS e JOIN journal.receipts AS r USING (tenant, position)
 WHERE e.tenant = $1 AND e.event_type = 'RemittanceCreated' ORDER BY e.position DESC LIMIT $2";

const HEAD: &str = "INSERT INTO bound.heads (tenant, position, hash, recorded_at)
SELECT tenant, 0, hash, recorded_at FROM journal.heads WHERE tenant = $1";

/// The id of a stream in the order of its positions, like the version 7 UUIDs of a journal.
const ID: &str = "'0197a3c0-0000-7000-8000-' || lpad(to_hex(";

/// What inserting the rows of a journal came to, in rows of the log a second.
#[derive(Clone, Copy, Debug)]
pub struct Limit {
    /// Where every batch is sent as text, row by row.
    pub sent: f64,
    /// Where the server makes the rows from those of one batch, so that nothing is sent or parsed.
    pub made: f64,
}

/// Inserts the rows of a tenant's log in batches of this size, on one connection.
pub async fn limit(scratch: &Scratch, url: &str, tenant: &str, batch: i64, duration: Duration) -> Limit {
    let mut owner = scratch.owner(url).await;
    let set = "SELECT set_config('caudal.tenant', $1, false)";
    sqlx::query(set)
        .bind(tenant)
        .execute(&mut owner)
        .await
        .expect("a setting");
    sqlx::raw_sql("DROP SCHEMA IF EXISTS bound CASCADE")
        .execute(&mut owner)
        .await
        .expect("it can go");
    sqlx::raw_sql(LIMIT)
        .execute(&mut owner)
        .await
        .expect("the tables are made");
    // Without statistics, the planner joins the whole log with itself row by row: for minutes.
    sqlx::raw_sql("SET enable_nestloop TO off")
        .execute(&mut owner)
        .await
        .expect("a setting");
    let copied = sqlx::query(ROWS).bind(tenant).bind(batch).execute(&mut owner).await;
    assert_eq!(
        copied.expect("rows are copied").rows_affected(),
        batch.unsigned_abs(),
        "the log has a batch"
    );
    sqlx::query(HEAD)
        .bind(tenant)
        .execute(&mut owner)
        .await
        .expect("a head is copied");
    let rows = sqlx::query("SELECT * FROM bound.rows ORDER BY n")
        .fetch_all(&mut owner)
        .await;
    let folder = tempfile::tempdir().expect("a folder can be made");

    let made = folder.path().join("made.sql");
    fs::write(&made, made_by_the_server(tenant, batch)).expect("a script can be written");
    let made = run(scratch, url, &["-M", "prepared"], &made, duration);

    let reset = "TRUNCATE bound.events, bound.receipts; UPDATE bound.heads SET position = 0";
    sqlx::raw_sql(reset)
        .execute(&mut owner)
        .await
        .expect("they can be emptied");
    let mut events = String::new();
    let mut receipts = String::new();
    for (index, row) in rows.expect("the rows are there").iter().enumerate() {
        let position = format!(":base + {}", index + 1);
        let text = |name: &str| literal(row.get::<&str, _>(name));
        let bytes = |name: &str| format!("'\\x{}'", hex::encode(row.get::<&[u8], _>(name)));
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(
            events,
            "{comma}({}, {position}, {}, {ID}{position}), 12, '0'), 1, {}, {}, {}, {}, now(), {})",
            literal(tenant),
            text("aggregate_type"),
            text("event_type"),
            text("event_version"),
            text("payload"),
            text("metadata"),
            bytes("hash"),
        );
        let _ = write!(
            receipts,
            "{comma}({}, {}, {ID}{position}), 12, '0'), {}, {}, {position}, now())",
            literal(tenant),
            text("actor"),
            bytes("digest"),
            text("answer"),
        );
    }
    let script = format!(
        "\\set base :base + {batch}\n\
         BEGIN;\n\
         UPDATE bound.heads SET position = :base + {batch}, recorded_at = now() WHERE tenant = {};\n\
         INSERT INTO bound.events VALUES {events};\n\
         INSERT INTO bound.receipts VALUES {receipts};\n\
         COMMIT;\n",
        literal(tenant)
    );
    let sent = folder.path().join("sent.sql");
    fs::write(&sent, script).expect("a script can be written");
    let sent = run(scratch, url, &["-D", "base=0"], &sent, duration);
    Limit {
        sent: sent * batch as f64,
        made: made * batch as f64,
    }
}

fn made_by_the_server(tenant: &str, batch: i64) -> String {
    let tenant = literal(tenant);
    format!(
        "WITH head AS (UPDATE bound.heads SET position = position + {batch}, recorded_at = now() WHERE tenant = {tenant} \
         RETURNING position - {batch} AS base, recorded_at), \
         events AS (INSERT INTO bound.events SELECT {tenant}, base + n, aggregate_type, {ID}base + n), 12, '0'), 1, \
         event_type, event_version, payload::json, metadata::json, recorded_at, hash FROM bound.rows, head) \
         INSERT INTO bound.receipts SELECT {tenant}, actor, {ID}base + n), 12, '0'), digest, answer::json, base + n, \
         recorded_at FROM bound.rows, head;\n"
    )
}

/// Runs a script on one connection; transactions a second.
fn run(scratch: &Scratch, url: &str, options: &[&str], script: &Path, duration: Duration) -> f64 {
    let mut command = scratch.client_program("pgbench", url);
    command
        .args(["--no-vacuum", "--client=1", "--jobs=1"])
        .arg(format!("--time={}", duration.as_secs()))
        .arg("--file")
        .arg(script)
        .args(options)
        .arg(database(url));
    transactions_a_second(command)
}

/// Makes the tables of TPC-B.
pub fn prepare_tpcb(scratch: &Scratch, url: &str) {
    let mut command = scratch.client_program("pgbench", url);
    command
        .args(["--initialize", "--init-steps=dtgvp", "--quiet"])
        .arg(format!("--scale={SCALE}"))
        .arg(database(url))
        .stderr(Stdio::null());
    let status = command.status().expect("pgbench is installed");
    assert!(status.success(), "pgbench --initialize");
}

/// TPC-B transactions per second with a number of clients.
pub fn tpcb(scratch: &Scratch, url: &str, clients: usize, duration: Duration) -> f64 {
    let mut command = scratch.client_program("pgbench", url);
    command
        .arg(format!("--client={clients}"))
        .arg(format!("--jobs={}", clients.min(2)))
        .arg(format!("--time={}", duration.as_secs()))
        .arg(database(url));
    transactions_a_second(command)
}

/// How long transactions of TPC-B take that so many clients begin at fixed times, so many a second. A time counts from when the
/// transaction was due.
pub fn tpcb_paced(scratch: &Scratch, url: &str, clients: usize, rate: f64, duration: Duration) -> Latencies {
    let folder = tempfile::tempdir().expect("a folder can be made");
    let mut command = scratch.client_program("pgbench", url);
    command
        .arg(format!("--client={clients}"))
        .arg(format!("--jobs={}", clients.min(2)))
        .arg(format!("--time={}", duration.as_secs()))
        .arg(format!("--rate={rate:.0}"))
        .arg("--log")
        .arg(format!("--log-prefix={}", folder.path().join("tpcb").display()))
        .arg(database(url));
    transactions_a_second(command);
    let mut times = Vec::new();
    for log in fs::read_dir(folder.path()).expect("pgbench wrote a log") {
        let log = fs::read_to_string(log.expect("a log").path()).expect("a log is text");
        // The client, its how-manieth transaction, and the microseconds that it took.
        let took = |line: &str| line.split_whitespace().nth(2)?.parse().ok();
        times.extend(log.lines().filter_map(took).map(Duration::from_micros));
    }
    Latencies::of(times)
}

fn transactions_a_second(mut command: Command) -> f64 {
    let output = command.stderr(Stdio::piped()).output().expect("pgbench is installed");
    let (said, complaint) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    let rate = said.lines().find_map(|line| line.strip_prefix("tps = "));
    rate.and_then(|rate| rate.split_whitespace().next()?.parse().ok())
        .filter(|_| output.status.success())
        .unwrap_or_else(|| panic!("pgbench: {said}{complaint}"))
}

fn database(url: &str) -> String {
    let options: PgConnectOptions = url.parse().expect("the server's URL");
    options.get_database().expect("a database's URL names it").to_owned()
}

fn literal(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
