//! OTLP's JSON: ids in hexadecimal digits, 64-bit numbers as text, field names in camel case.

use super::{
    exposition::{Family, Labels, Series},
    span::{Finished, Value},
};
use serde_json::{Value as Json, json};
use std::time::{SystemTime, UNIX_EPOCH};

/// Sums and histograms count from the start of the process.
const CUMULATIVE: u8 = 2;
/// Status of a span that failed.
const FAILED: u8 = 2;
/// Name of the instrumentation.
const SCOPE: &str = "caudal";

fn nanoseconds(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    since.as_nanos().to_string()
}

fn attribute(name: &str, value: &Value) -> Json {
    let value = match value {
        Value::Text(text) => json!({ "stringValue": text }),
        Value::Number(number) => json!({ "intValue": number.to_string() }),
        Value::Real(real) => json!({ "doubleValue": real }),
        Value::Flag(flag) => json!({ "boolValue": flag }),
    };
    json!({ "key": name, "value": value })
}

fn text(name: &str, value: &str) -> Json {
    attribute(name, &Value::Text(value.to_owned()))
}

/// What sends: the program, its version, this process and its machine.
pub(super) fn resource(instance: &str, host: Option<&str>) -> Json {
    let mut attributes = vec![
        text("service.name", SCOPE),
        text("service.version", env!("CAUDAL_VERSION")),
        text("service.instance.id", instance),
    ];
    attributes.extend(host.map(|host| text("host.name", host)));
    json!({ "attributes": attributes })
}

/// Body of a request to `/v1/traces`.
pub(super) fn traces(resource: &Json, spans: &[Finished]) -> Json {
    let spans: Vec<_> = spans.iter().map(span).collect();
    json!({ "resourceSpans": [{
        "resource": resource,
        "scopeSpans": [{ "scope": { "name": SCOPE }, "spans": spans }],
    }]})
}

fn span(span: &Finished) -> Json {
    let attributes: Vec<_> = span
        .attributes
        .iter()
        .map(|(name, value)| attribute(name, value))
        .collect();
    let link =
        |(trace, span): &([u8; 16], [u8; 8])| json!({ "traceId": hex::encode(trace), "spanId": hex::encode(span) });
    let links: Vec<_> = span.links.iter().map(link).collect();
    json!({
        "traceId": hex::encode(span.trace),
        "spanId": hex::encode(span.span),
        "parentSpanId": span.parent.map(hex::encode).unwrap_or_default(),
        "name": span.name,
        "kind": span.kind as u8,
        "startTimeUnixNano": nanoseconds(span.begun),
        "endTimeUnixNano": nanoseconds(span.ended),
        "attributes": attributes,
        "links": links,
        "status": if span.has_failed { json!({ "code": FAILED }) } else { json!({}) },
    })
}

/// Body of a request to `/v1/metrics`.
pub(super) fn metrics(resource: &Json, families: &[Family], begun: SystemTime, now: SystemTime) -> Json {
    let times = Times {
        begun: nanoseconds(begun),
        now: nanoseconds(now),
    };
    let metrics: Vec<_> = families.iter().filter_map(|family| metric(family, &times)).collect();
    json!({ "resourceMetrics": [{
        "resource": resource,
        "scopeMetrics": [{ "scope": { "name": SCOPE }, "metrics": metrics }],
    }]})
}

struct Times {
    begun: String,
    now: String,
}

fn metric(family: &Family, times: &Times) -> Option<Json> {
    let Times { begun, now } = times;
    let labels = |labels: &Labels| labels.iter().map(|(name, value)| text(name, value)).collect::<Vec<_>>();
    let (kind, data) = match &family.series {
        Series::Counters(series) => {
            let point = |(of, value): &(Labels, f64)| json!({ "attributes": labels(of), "startTimeUnixNano": begun, "timeUnixNano": now, "asDouble": value });
            let points: Vec<_> = series.iter().map(point).collect();
            let data = json!({ "aggregationTemporality": CUMULATIVE, "isMonotonic": true, "dataPoints": points });
            ("sum", data)
        }
        Series::Gauges(series) => {
            let point = |(of, value): &(Labels, f64)| json!({ "attributes": labels(of), "timeUnixNano": now, "asDouble": value });
            (
                "gauge",
                json!({ "dataPoints": series.iter().map(point).collect::<Vec<_>>() }),
            )
        }
        Series::Histograms(series) => {
            let points = series.iter().map(|(of, histogram)| {
                json!({
                    "attributes": labels(of),
                    "startTimeUnixNano": begun,
                    "timeUnixNano": now,
                    "count": histogram.count.to_string(),
                    "sum": histogram.sum,
                    "bucketCounts": histogram.counts.iter().map(u64::to_string).collect::<Vec<_>>(),
                    "explicitBounds": histogram.bounds,
                })
            });
            let points: Vec<_> = points.collect();
            let data = json!({ "aggregationTemporality": CUMULATIVE, "dataPoints": points });
            ("histogram", data)
        }
        Series::Other => return None,
    };
    let mut metric = json!({ "name": family.name, "description": family.help });
    if let Some(metric) = metric.as_object_mut() {
        metric.insert(kind.to_owned(), data);
    }
    Some(metric)
}
