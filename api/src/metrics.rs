//! Prometheus metrics of the process.
//!
//! Every metric of [`METRICS`] is there from the start, at zero: an alert on a counter that does not exist yet would say
//! nothing, also when the first increment is the one that matters.

use crate::tasks;
use actix_web::{HttpResponse, get, http::header};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use std::sync::OnceLock;

/// Bounds of the time histograms, in seconds: from a cached read to the time-out. Each costs a series for each set of labels.
const SECONDS: &[f64] = &[0.0025, 0.01, 0.025, 0.1, 0.25, 1.0, 2.5, 10.0];

/// Bounds of the histograms that count what one append holds.
const COUNTS: &[f64] = &[1.0, 4.0, 16.0, 64.0, 256.0];

static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Counter,
    /// Label and its values: a series for each.
    CounterBy(&'static str, &'static [&'static str]),
    Gauge,
    /// Absent while its value is unknown.
    OptionalGauge,
    /// Distribution of seconds or counts.
    Histogram,
    /// A series for each call, from its first request on.
    PerCall,
}

/// Name, kind and help text.
pub type Metric = (&'static str, Kind, &'static str);

/// All metrics.
pub const METRICS: &[Metric] = &[
    (
        "caudal_attempts_refused",
        Kind::CounterBy("kind", &["login", "code", "mail"]),
        "Attempts refused for too many guesses",
    ),
    (
        "caudal_backup_age_seconds",
        Kind::OptionalGauge,
        "Age of the last good backup",
    ),
    (
        "caudal_backup_copy_age_seconds",
        Kind::OptionalGauge,
        "Time since the bucket had all backups",
    ),
    (
        "caudal_backup_rehearsal_age_seconds",
        Kind::OptionalGauge,
        "Age of the last restore for a try",
    ),
    (
        "caudal_checkpoint_conflicts_total",
        Kind::Counter,
        "Checkpoints that contradict the log or each other",
    ),
    (
        "caudal_checkpoints_failed_total",
        Kind::Counter,
        "Checkpoints that did not get to their places",
    ),
    (
        "caudal_checkpoints_refused_total",
        Kind::Counter,
        "Checkpoints not signed, since the log is not whole",
    ),
    ("caudal_checkpoints_sent_total", Kind::Counter, "Checkpoints sent"),
    (
        "caudal_commands_forwarded",
        Kind::CounterBy("outcome", &["answered", "unanswered"]),
        "Commands forwarded to another node",
    ),
    (
        "caudal_cosignatures_failed_total",
        Kind::Counter,
        "Witnesses that did not co-sign",
    ),
    ("caudal_cosignatures_total", Kind::Counter, "Co-signatures of witnesses"),
    (
        "caudal_divergences_total",
        Kind::CounterBy(
            "kind",
            &[
                "shortened",
                "rewritten",
                "broken",
                "head_changed",
                "head_unsigned",
                "read_models",
                "checkpoint",
                "report_changed",
            ],
        ),
        "Logs that contradict what was seen of them",
    ),
    (
        "caudal_evidence_dropped_total",
        Kind::Counter,
        "Notes of what was acknowledged that could not be kept",
    ),
    (
        "caudal_http_connections_given_up",
        Kind::Counter,
        "Connections that spoke no HTTP",
    ),
    (
        "caudal_http_requests_total",
        Kind::PerCall,
        "Requests by method, route and status",
    ),
    (
        "caudal_http_seconds",
        Kind::Histogram,
        "Time of requests by kind: read, write",
    ),
    (
        "caudal_http_microseconds_total",
        Kind::PerCall,
        "Time of requests by method and route, in all",
    ),
    ("caudal_lane_append_events", Kind::Histogram, "Events of one append"),
    ("caudal_lane_append_seconds", Kind::Histogram, "Time of one append"),
    (
        "caudal_lane_batch_commands",
        Kind::Histogram,
        "Commands decided together",
    ),
    (
        "caudal_lane_head_moved",
        Kind::Counter,
        "Appends tried again, since another node wrote",
    ),
    (
        "caudal_lane_presumed_wrongly",
        Kind::Counter,
        "Batches decided again after a wrong optimistic lookup",
    ),
    (
        "caudal_lane_queue_full",
        Kind::Counter,
        "Commands refused, since a writer's queue was full",
    ),
    ("caudal_live_streams", Kind::Gauge, "Open live streams"),
    (
        "caudal_log_divergences_total",
        Kind::Counter,
        "Answers refused, since a log contradicts what was seen",
    ),
    ("caudal_logins_failed", Kind::Counter, "Failed logins"),
    ("caudal_mails_failed", Kind::Counter, "Mails given up"),
    ("caudal_mails_sent", Kind::Counter, "Mails sent"),
    (
        "caudal_projected_events_total",
        Kind::Counter,
        "Events applied to read models",
    ),
    (
        "caudal_projection_batch_seconds",
        Kind::Histogram,
        "Time of one batch of the projector",
    ),
    (
        "caudal_projector_halts_total",
        Kind::Counter,
        "Read models that could not go on",
    ),
    ("caudal_quarantined_tenants", Kind::Gauge, "Tenants in quarantine"),
    (
        "caudal_readings_lost_total",
        Kind::Counter,
        "Reads of personal data that were not recorded: too many waited",
    ),
    (
        "caudal_records_deleted_total",
        Kind::CounterBy("table", &["receipts", "answers", "readings"]),
        "Records of idempotency and of reading deleted for their age",
    ),
    (
        "caudal_refresh_token_reused",
        Kind::Counter,
        "Refresh tokens used twice",
    ),
    (
        "caudal_reset_codes_failed",
        Kind::Counter,
        "Wrong codes for forgotten passwords",
    ),
    (
        "caudal_second_factor_codes_failed",
        Kind::Counter,
        "Wrong codes of second factors",
    ),
    (
        "caudal_spans_dropped_total",
        Kind::Counter,
        "Spans of traces dropped, since the collector was too slow",
    ),
    (
        "caudal_standby_reads",
        Kind::CounterBy("outcome", &["read", "behind", "unavailable", "other_history"]),
        "Queries at the standby",
    ),
    (
        "caudal_task_panics_total",
        Kind::CounterBy("task", tasks::NAMES),
        "Background tasks that panicked and were started again",
    ),
    (
        "caudal_telemetry_failed_total",
        Kind::CounterBy("signal", &["traces", "metrics"]),
        "Requests that the collector did not take",
    ),
    (
        "caudal_unauthentic_rows_total",
        Kind::CounterBy("table", &["sessions"]),
        "Rows changed without the key file",
    ),
    ("caudal_uploads_limited", Kind::Counter, "Uploads refused by a quota"),
    (
        "caudal_verification_age_seconds",
        Kind::Gauge,
        "Age of the oldest whole verification",
    ),
    (
        "caudal_verification_faults_total",
        Kind::Counter,
        "Faults that continuous verification found",
    ),
    (
        "caudal_verification_faulty_tenants",
        Kind::Gauge,
        "Tenants whose logs are not whole",
    ),
    (
        "caudal_verifications_wrong_total",
        Kind::Counter,
        "Verifications by auditors that found a fault",
    ),
    (
        "caudal_webhook_deliveries_total",
        Kind::CounterBy("result", &["accepted", "refused", "failed"]),
        "Deliveries to webhooks; failed without an answer",
    ),
    (
        "caudal_webhook_seconds",
        Kind::Histogram,
        "Time of a delivery to a webhook",
    ),
    ("caudal_writes_limited", Kind::Counter, "Writes refused for their rate"),
];

/// Records metrics from now on. A process does it once, however many servers it starts.
///
/// # Errors
/// When another recorder is installed.
pub fn install() -> Result<(), BuildError> {
    if HANDLE.get().is_some() {
        return Ok(());
    }
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), SECONDS)?
        .set_buckets_for_metric(Matcher::Full("caudal_lane_append_events".to_owned()), COUNTS)?
        .set_buckets_for_metric(Matcher::Full("caudal_lane_batch_commands".to_owned()), COUNTS)?
        .install_recorder()?;
    // Of two concurrent starts the second has failed above.
    let _ = HANDLE.set(handle);
    begin();
    Ok(())
}

/// Describes every metric, and begins those that are there from the start.
fn begin() {
    for (name, kind, help) in METRICS {
        match kind {
            Kind::Counter => {
                metrics::describe_counter!(*name, *help);
                metrics::counter!(*name).absolute(0);
            }
            Kind::CounterBy(label, values) => {
                metrics::describe_counter!(*name, *help);
                for value in *values {
                    metrics::counter!(*name, *label => *value).absolute(0);
                }
            }
            Kind::Gauge => {
                metrics::describe_gauge!(*name, *help);
                metrics::gauge!(*name).set(0.0);
            }
            Kind::OptionalGauge => metrics::describe_gauge!(*name, *help),
            Kind::Histogram => metrics::describe_histogram!(*name, *help),
            Kind::PerCall => metrics::describe_counter!(*name, *help),
        }
    }
}

/// The metrics in Prometheus's text format; `None` before [`install`].
pub fn text() -> Option<String> {
    HANDLE.get().map(|handle| {
        handle.run_upkeep();
        handle.render()
    })
}

/// The metrics in Prometheus's text format.
#[get("/metrics")]
pub async fn show() -> HttpResponse {
    let text = text();
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8"))
        .body(text.unwrap_or_default())
}
