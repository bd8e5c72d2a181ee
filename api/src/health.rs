//! Whether the node lives, and whether it should be given work.

use crate::app::App;
use actix_web::{HttpResponse, get, http::header, web::Data};
use caudal_journal::WithCauses;
use chrono::{DateTime, Duration, Utc};
use serde::Serialize;
use std::time::Duration as StdDuration;

/// How far the node's clock may be from PostgreSQL's: events bear the node's time.
const MAX_CLOCK_DIFFERENCE: Duration = Duration::seconds(5);
/// How long the database may take to say what time it is.
const PATIENCE: StdDuration = StdDuration::from_secs(3);
/// When it is worth asking again: about as often as proxies and schedulers do.
const RETRY_AFTER: StdDuration = StdDuration::from_secs(5);

/// The process lives.
#[get("/healthz")]
pub async fn alive() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .content_type("text/plain; charset=utf-8")
        .body("ok\n")
}

/// What [`ready`] looked at; nothing that failed says more to the outside than that it did.
#[derive(Clone, Debug, Serialize)]
struct Readiness {
    /// `diverged` where a tenant is in quarantine. The node is ready all the same: it reads, and the other tenants' work
    /// goes on.
    log: &'static str,
    /// The tenants in quarantine.
    quarantined: Vec<String>,
    database: &'static str,
    clock: &'static str,
    /// Whether the database takes writes, and the latest ones of this node succeeded.
    writes: &'static str,
    projector: &'static str,
    server: &'static str,
}

const OK: &str = "ok";

/// The node should be given work: its database answers and takes writes, its clock is right, its projector moves on, and
/// it is not on its way down.
#[get("/readyz")]
pub async fn ready(app: Data<App>) -> HttpResponse {
    let (database, clock, writes) = match tokio::time::timeout(PATIENCE, look(&app)).await {
        Ok(Ok((theirs, is_writable))) => (OK, clock(app.now(), theirs), writes(&app, is_writable)),
        Ok(Err(error)) => {
            tracing::error!(error = %WithCauses(&error), "the database does not answer");
            ("failed", "unknown", "unknown")
        }
        Err(_) => ("slow", "unknown", "unknown"),
    };
    let quarantined: Vec<String> = app
        .journal
        .quarantines()
        .iter()
        .map(|report| report.tenant.to_string())
        .collect();
    let readiness = Readiness {
        log: if quarantined.is_empty() { OK } else { "diverged" },
        quarantined,
        database,
        clock,
        writes,
        projector: app.projector_state(),
        server: if app.is_going_down() { "going down" } else { OK },
    };
    let Readiness {
        database,
        clock,
        writes,
        projector,
        server,
        ..
    } = readiness;
    let is_ready = [database, clock, writes, projector, server]
        .iter()
        .all(|state| *state == OK);
    let mut response = if is_ready {
        HttpResponse::Ok()
    } else {
        let mut response = HttpResponse::ServiceUnavailable();
        response.insert_header((header::RETRY_AFTER, RETRY_AFTER.as_secs()));
        response
    };
    response
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .json(readiness)
}

/// The database's time, and whether it takes writes: a standby does not, nor one that was made read-only.
async fn look(app: &App) -> Result<(DateTime<Utc>, bool), sqlx::Error> {
    sqlx::query_as(
        "SELECT clock_timestamp(), NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off'",
    )
    .fetch_one(app.database.pool())
    .await
}

/// A full disk shows only in what comes of writes.
fn writes(app: &App, is_writable: bool) -> &'static str {
    if !is_writable {
        "read only"
    } else if app.writes.have_failed() {
        "failed"
    } else {
        OK
    }
}

fn clock(ours: DateTime<Utc>, theirs: DateTime<Utc>) -> &'static str {
    if (ours - theirs).abs() <= MAX_CLOCK_DIFFERENCE {
        OK
    } else {
        "wrong"
    }
}
