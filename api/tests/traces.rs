//! Traces and metrics at a collector.

use crate::support::{Call, Collector, MANAGER, PASSWORD, Process, create_tenant};
use caudal_postgres_testing::TestDatabase;
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    net::TcpListener,
    time::{Duration, Instant},
};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CLICK: &str = "00f067aa0ba902b7";

/// A name that stands in a command alone: no trace may hold it.
const SECRET_NAME: &str = "Palabra que nadie ve";

fn attribute<'a>(of: &'a Value, name: &str) -> Option<&'a str> {
    let attributes = of["attributes"].as_array()?;
    let found = attributes.iter().find(|attribute| attribute["key"] == name)?;
    let value = &found["value"];
    value["stringValue"].as_str().or_else(|| value["intValue"].as_str())
}

fn nanoseconds(span: &Value, end: &str) -> u128 {
    span[end].as_str().unwrap().parse().unwrap()
}

/// The spans of the trace, once one of this name is among them.
fn spans_with(collector: &Collector, name: &str) -> Vec<Value> {
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let spans: Vec<_> = collector
            .spans()
            .into_iter()
            .filter(|span| span["traceId"] == TRACE)
            .collect();
        if spans.iter().any(|span| span["name"] == name) {
            return spans;
        }
        assert!(Instant::now() < deadline, "no span {name} arrives: {spans:#?}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[tokio::test]
async fn a_trace_leads_from_the_click_to_the_statement_with_the_ledger_position() {
    let database = TestDatabase::new().await;
    let folder = tempfile::tempdir().unwrap();
    create_tenant(database.node_url(), folder.path(), "acme");
    let collector = Collector::start();
    let endpoint = collector.endpoint();
    let arguments = [
        "--otlp-endpoint",
        &endpoint,
        "--otlp-headers",
        "authorization=Bearer abc",
    ];
    let mut process = Process::serve_with(database.node_url(), folder.path(), "info", &arguments);
    let client = process.client("acme");
    let token = client.login(MANAGER, PASSWORD);
    let group = json!({"name": SECRET_NAME, "currencyTo": "CUP", "exchangeRate": "320",
        "managerCommission": {"rate": "2"}});
    let call = Call::new("POST", "/nomenclators/payment_group")
        .token(&token)
        .header("traceparent", &format!("00-{TRACE}-{CLICK}-01"))
        .header("tracestate", "caudal=150")
        .json(&group);
    let answer = client.send(call);
    assert_eq!(answer.status, 201, "{}", answer.body);

    let route = "POST /api/nomenclators/payment_group";
    let spans = spans_with(&collector, route);
    let named = |name: &str| {
        let found = spans.iter().find(|span| span["name"] == name);
        found.unwrap_or_else(|| panic!("no span {name}: {spans:#?}"))
    };
    let browser = named(&format!("browser {route}"));
    assert_eq!(browser["spanId"], CLICK);
    assert_eq!(browser["parentSpanId"], "");
    let request = named(route);
    assert_eq!(request["parentSpanId"], CLICK);
    assert_eq!(request["kind"], 2);
    let since_click = nanoseconds(request, "startTimeUnixNano") - nanoseconds(browser, "startTimeUnixNano");
    assert_eq!(since_click, 150_000_000);
    let position = answer.position.unwrap().to_string();
    assert_eq!(attribute(request, "caudal.ledger_position"), Some(position.as_str()));
    assert_eq!(attribute(request, "caudal.tenant"), Some("acme"));
    assert_eq!(
        attribute(request, "http.route"),
        Some("/api/nomenclators/payment_group")
    );
    assert_eq!(attribute(request, "http.response.status_code"), Some("201"));
    assert_eq!(
        attribute(request, "caudal.request_id"),
        Some(answer.header("X-Request-Id"))
    );
    let write = named("write");
    assert_eq!(write["parentSpanId"], request["spanId"]);
    assert_eq!(attribute(write, "caudal.ledger_position"), Some(position.as_str()));
    let appended = spans.iter().find(|span| {
        let statement = attribute(span, "db.query.text");
        span["parentSpanId"] == write["spanId"] && statement.is_some_and(|text| text.contains("journal.append"))
    });
    assert!(appended.is_some(), "no statement appends below {write}: {spans:#?}");

    let lines: Vec<_> = process.log().into_iter().filter(|line| line.contains(TRACE)).collect();
    assert!(
        lines.iter().any(|line| line.contains("answered")),
        "no line of the log has the trace: {lines:#?}"
    );
    assert!(
        !process.log().iter().any(|line| line.contains("sqlx::query")),
        "the log has lines about statements"
    );

    process.terminate();
    assert!(process.ended_well_within(Duration::from_secs(30)));
    assert!(collector.headers().iter().all(|head| head.contains("Bearer abc")));
    for body in collector.bodies() {
        assert!(!body.contains(SECRET_NAME), "a trace holds what a user wrote: {body}");
        assert!(!body.contains(MANAGER), "a trace holds an e-mail address: {body}");
    }
    let metrics = collector.metrics();
    let metric = |name: &str| {
        let found = metrics.iter().rev().find(|metric| metric["name"] == name);
        found.unwrap_or_else(|| panic!("no metric {name}"))
    };
    let requests = metric("caudal_http_requests_total");
    assert_eq!(requests["sum"]["isMonotonic"], true);
    let points = requests["sum"]["dataPoints"].as_array().unwrap();
    let created = points.iter().find(|point| {
        attribute(point, "route") == Some("/api/nomenclators/payment_group")
            && attribute(point, "status") == Some("201")
    });
    assert_eq!(created.unwrap()["asDouble"], 1.0);
    let seconds = &metric("caudal_http_seconds")["histogram"]["dataPoints"][0];
    let (counts, bounds) = (&seconds["bucketCounts"], &seconds["explicitBounds"]);
    assert_eq!(counts.as_array().unwrap().len(), bounds.as_array().unwrap().len() + 1);
    let resources: BTreeSet<_> = collector.resources().iter().map(ToString::to_string).collect();
    assert_eq!(resources.len(), 1, "all is from one process: {resources:#?}");
    assert!(
        resources
            .iter()
            .all(|resource| resource.contains(r#"{"stringValue":"caudal"}"#))
    );
}

#[tokio::test]
async fn a_collector_that_is_away_holds_up_nothing_and_is_counted() {
    let database = TestDatabase::new().await;
    let folder = tempfile::tempdir().unwrap();
    create_tenant(database.node_url(), folder.path(), "acme");
    // Bound and never accepted from: requests to it hang.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let closed = {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap()
    };
    for (address, is_refused) in [(silent.local_addr().unwrap(), false), (closed, true)] {
        let endpoint = format!("http://{address}");
        let arguments = ["--otlp-endpoint", endpoint.as_str()];
        let mut process = Process::serve_with(database.node_url(), folder.path(), "info", &arguments);
        let client = process.client("acme");
        let begun = Instant::now();
        let token = client.login(MANAGER, PASSWORD);
        for _ in 0..20 {
            client.expect(200, &token, "GET", "/nomenclators/currency", None);
        }
        assert!(begun.elapsed() < Duration::from_secs(8), "{:?}", begun.elapsed());
        if is_refused {
            let deadline = Instant::now() + Duration::from_secs(20);
            let failed = r#"caudal_telemetry_failed_total{signal="traces"} 0"#;
            while client
                .send(Call::new("GET", "root:/metrics"))
                .bytes
                .windows(failed.len())
                .any(|part| part == failed.as_bytes())
            {
                assert!(Instant::now() < deadline, "a failure is not counted");
                std::thread::sleep(Duration::from_millis(100));
            }
            let told = process
                .log()
                .into_iter()
                .filter(|line| line.contains("do not get to the collector"));
            assert_eq!(told.count(), 1, "the log tells it once");
        }
        process.terminate();
        assert!(process.ended_well_within(Duration::from_secs(30)));
    }
}
