//! Metrics: every recorded metric is listed, and dashboards and alerts name only existing ones.

use crate::support::{Business, Call, MANAGER, PASSWORD, Process, create_tenant, feed_page};
use caudal_api::metrics::{Kind, METRICS};
use caudal_postgres_testing::TestDatabase;
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// The names of Caudal's metrics in a text.
fn names(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let words = text.split(|c| !is_part(c));
    words
        .filter(|word| word.starts_with("caudal_") && *word != "caudal_rules")
        .map(str::to_owned)
        .collect()
}

/// The expressions of the dashboard and of the alerts.
fn expressions() -> String {
    let dashboard: Value = serde_json::from_str(&read("deploy/grafana/caudal.json")).unwrap();
    let panels = dashboard["panels"].as_array().unwrap().iter();
    let targets = panels.flat_map(|panel| panel["targets"].as_array().unwrap());
    let mut all: Vec<_> = targets
        .map(|target| target["expr"].as_str().unwrap().to_owned())
        .collect();
    assert!(all.len() > 20, "the dashboard has few panels");
    all.push(read("deploy/prometheus/caudal.rules.yml"));
    all.join("\n")
}

/// A server's `/metrics` after a login, a read and a write.
fn shown(process: &Process, wanted: &str) -> String {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let answer = process.client("acme").send(Call::new("GET", "root:/metrics"));
        let text = String::from_utf8(answer.bytes).unwrap();
        if text.contains(wanted) {
            return text;
        }
        assert!(Instant::now() < deadline, "{wanted} does not appear: {text}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[tokio::test]
async fn dashboards_and_alerts_name_metrics_that_a_server_shows() {
    let database = TestDatabase::new().await;
    let folder = tempfile::tempdir().unwrap();
    create_tenant(database.node_url(), folder.path(), "acme");
    let record = r#"{"backed_up_at":"2026-01-01T00:00:00Z","rehearsed_at":"2026-01-01T00:00:00Z"}"#;
    fs::write(folder.path().join("backups.json"), record).unwrap();
    let process = Process::serve(database.node_url(), folder.path());
    let client = process.client("acme");
    let token = client.login(MANAGER, PASSWORD);
    client.expect(200, &token, "GET", "/nomenclators/currency", None);
    let group =
        json!({"name": "CUP home", "currencyTo": "CUP", "exchangeRate": "320", "managerCommission": {"rate": "2"}});
    client.expect(201, &token, "POST", "/nomenclators/payment_group", Some(group));
    let text = shown(&process, "caudal_backup_rehearsal_age_seconds");
    let there = names(&text);
    // A server that copies its backups to a bucket shows it: `backup_copy` looks at one.
    let of_a_copy = "caudal_backup_copy_age_seconds";
    let missing: Vec<_> = names(&expressions())
        .into_iter()
        .filter(|name| !there.contains(name) && name != of_a_copy)
        .collect();
    assert!(missing.is_empty(), "no server shows {missing:?}; there are {there:#?}");

    let unlisted: Vec<_> = there
        .iter()
        .filter(|name| {
            let base = ["_bucket", "_sum", "_count"]
                .iter()
                .find_map(|end| name.strip_suffix(end));
            !METRICS
                .iter()
                .any(|(listed, ..)| listed == name || Some(*listed) == base)
        })
        .collect();
    assert!(unlisted.is_empty(), "metrics without a line in METRICS: {unlisted:?}");
    let from_the_start = METRICS
        .iter()
        .filter(|(_, kind, _)| matches!(kind, Kind::Counter | Kind::CounterBy(..) | Kind::Gauge));
    for (name, ..) in from_the_start {
        assert!(there.contains(*name), "{name} is not there from the start");
    }
    let buckets = text
        .lines()
        .filter(|line| line.starts_with("caudal_http_seconds_bucket"))
        .count();
    assert!(buckets <= 2 * 9, "{buckets} series of one histogram");
}

#[tokio::test]
async fn time_for_which_a_consumer_of_the_feed_asks_to_wait_is_not_counted_as_slowness() {
    let database = TestDatabase::new().await;
    let folder = tempfile::tempdir().unwrap();
    create_tenant(database.node_url(), folder.path(), "acme");
    let process = Process::serve(database.node_url(), folder.path());
    let client = process.client("acme");
    let token = client.login(MANAGER, PASSWORD);
    let end = feed_page(&client, &token, "").next;
    let begun = Instant::now();
    feed_page(&client, &token, &format!("?after={end}&wait=3"));
    assert!(begun.elapsed() >= Duration::from_secs(3));
    let text = shown(&process, "route=\"/api/feed\"");
    let line = text
        .lines()
        .find(|line| line.starts_with("caudal_http_microseconds_total") && line.contains("route=\"/api/feed\""));
    let counted: u64 = line.unwrap().rsplit(' ').next().unwrap().parse().unwrap();
    assert!(counted < 2_000_000, "{counted} microseconds");
}

#[tokio::test]
async fn managers_and_nobody_else_are_told_of_backups_that_are_missing() {
    let database = TestDatabase::new().await;
    let folder = tempfile::tempdir().unwrap();
    create_tenant(database.node_url(), folder.path(), "acme");
    let process = Process::serve(database.node_url(), folder.path());
    let business = Business::set_up(process.client("acme"));
    let shown = |token: &str| {
        let client = process.client("acme");
        client.expect(200, token, "GET", "/dashboard/attention", None)["backup"].clone()
    };
    assert_eq!(shown(&business.manager), Value::Null, "a new installation");
    let note = |record: &str| fs::write(folder.path().join("backups.json"), record).unwrap();
    note(r#"{"backed_up_at":"2026-01-01T00:00:00Z","served_since":"2026-01-01T00:00:00Z"}"#);
    let old = json!({"need": "old", "since": "2026-01-01T00:00:00Z"});
    assert_eq!(shown(&business.manager), old);
    assert_eq!(shown(&business.agency_token), Value::Null);
    let now = chrono::Utc::now().to_rfc3339();
    note(&format!(
        r#"{{"backed_up_at":"{now}","served_since":"2026-01-01T00:00:00Z"}}"#
    ));
    assert_eq!(shown(&business.manager)["need"], "neverRehearsed");
    note(&format!(r#"{{"backed_up_at":"{now}","rehearsed_at":"{now}"}}"#));
    assert_eq!(shown(&business.manager), Value::Null);
}

#[test]
fn every_metric_that_is_recorded_is_listed() {
    fn sources(folder: &Path, found: &mut String) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push_str(&fs::read_to_string(path).unwrap());
            }
        }
    }
    let mut program = String::new();
    for folder in ["api/src", "journal/src", "journal/postgres/src", "projections/src"] {
        sources(&root().join(folder), &mut program);
    }
    for kind in ["counter!(", "gauge!(", "histogram!("] {
        for call in program.split(kind).skip(1) {
            let Some(name) = call
                .trim_start()
                .strip_prefix('"')
                .and_then(|rest| rest.split('"').next())
            else {
                continue;
            };
            assert!(
                METRICS.iter().any(|(listed, ..)| *listed == name),
                "{name} is not in METRICS"
            );
        }
    }
}
