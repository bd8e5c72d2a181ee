//! Prometheus metrics of the process.

use actix_web::{HttpResponse, get, http::header};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use std::sync::OnceLock;

/// Histogram buckets in seconds: from a cached read to the timeout.
const SECONDS: &[f64] = &[
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0,
];

static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();

/// Installs the recorder, once per process.
///
/// # Errors
/// When another recorder is installed.
pub fn install() -> Result<(), BuildError> {
    if HANDLE.get().is_some() {
        return Ok(());
    }
    let handle = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), SECONDS)?
        .install_recorder()?;
    // Of two concurrent starts the second has failed above.
    let _ = HANDLE.set(handle);
    Ok(())
}

/// Metrics in Prometheus' format.
#[get("/metrics")]
pub async fn show() -> HttpResponse {
    let text = HANDLE.get().map(|handle| {
        handle.run_upkeep();
        handle.render()
    });
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8"))
        .body(text.unwrap_or_default())
}
