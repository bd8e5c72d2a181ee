//! Liveness and readiness.

use crate::app::App;
use actix_web::{HttpResponse, get, http::header, web::Data};
use caudal_journal::{JournalError, WithCauses};
use caudal_projections::{ProjectError, Projector};
use chrono::{DateTime, Duration, Utc};
use serde::Serialize;
use std::time::{Duration as StdDuration, Instant};

/// Tolerated difference between the node's clock and PostgreSQL's; events carry the node's time.
const MAX_CLOCK_DIFFERENCE: Duration = Duration::seconds(5);
/// Timeout of the database check.
const PATIENCE: StdDuration = StdDuration::from_secs(3);
/// `Retry-After` of a failed check; the usual probe interval.
const RETRY_AFTER: StdDuration = StdDuration::from_secs(5);

/// Liveness: the process runs.
#[get("/healthz")]
pub async fn alive() -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .content_type("text/plain; charset=utf-8")
        .body("ok\n")
}

/// Result of [`ready`]; failures are not detailed to outsiders.
#[derive(Clone, Debug, Serialize)]
struct Readiness {
    /// `diverged` when a tenant is quarantined. The node stays ready: it serves reads, and other tenants.
    log: &'static str,
    /// Quarantined tenants.
    quarantined: Vec<String>,
    database: &'static str,
    clock: &'static str,
    /// Whether the database accepts writes, and this node's latest ones succeeded.
    writes: &'static str,
    /// `of another version` until the read models are rebuilt: meanwhile a node of their version serves reads.
    projector: &'static str,
    /// `failed` while a background task panics: it is started again, and the node stays ready. A value in the database may be the
    /// cause, and so every node's.
    tasks: &'static str,
    server: &'static str,
}

const OK: &str = "ok";

/// Readiness: the database answers and accepts writes, the clock is right, projections run, and the node is not
/// shutting down.
#[get("/readyz")]
pub async fn ready(app: Data<App>) -> HttpResponse {
    let (database, clock, writes, projector) = match tokio::time::timeout(PATIENCE, look(&app)).await {
        Ok(Ok((theirs, is_writable, other_version))) => {
            let projector = match other_version {
                None => app.projector_state(),
                Some(_) => "of another version",
            };
            (OK, clock(app.now(), theirs), writes(&app, is_writable).await, projector)
        }
        Ok(Err(error)) => {
            tracing::error!(error = %WithCauses(&error), "the database does not answer");
            ("failed", "unknown", "unknown", app.projector_state())
        }
        Err(_) => ("slow", "unknown", "unknown", app.projector_state()),
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
        projector,
        tasks: if app.tasks.are_failing() { "failed" } else { OK },
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

/// The database's time, whether it accepts writes (a standby or a read-only server does not), and the version of its read models
/// where that is another.
async fn look(app: &App) -> Result<(DateTime<Utc>, bool, Option<i32>), ProjectError> {
    let (time, is_writable) = sqlx::query_as(
        "SELECT clock_timestamp(), NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off'",
    )
    .fetch_one(app.database.pool())
    .await?;
    Ok((time, is_writable, Projector::other_version(&app.database).await?))
}

/// A full disk shows only in the outcome of writes. After a failed one, a trial tells whether they succeed again.
async fn writes(app: &App, is_writable: bool) -> &'static str {
    if !is_writable {
        return "read only";
    }
    let began = Instant::now();
    if app.writes.begin_trial() {
        match tokio::time::timeout(PATIENCE, try_write(app)).await {
            Ok(Ok(())) => app.writes.trial_succeeded(began),
            Ok(Err(error)) => tracing::error!(error = %WithCauses(&error), "the database takes no writes"),
            Err(_) => tracing::error!("the database takes no writes in time"),
        }
    }
    if app.writes.have_failed() { "failed" } else { OK }
}

/// Rows of the trial write, some 10 KB each: free space within a page does not pass for free space on the disk.
const TRIAL_ROWS: i32 = 32;

/// Writes and commits rows that count nothing, and deletes them.
async fn try_write(app: &App) -> Result<(), JournalError> {
    let mut transaction = app.database.begin_directory_write().await?;
    sqlx::query(
        "INSERT INTO journal.attempts (subject, count, until, under_way)
         SELECT sha256(uuid_send(gen_random_uuid())), 0, now(), t.times
           FROM generate_series(1, $1) AS n,
                LATERAL (SELECT array_agg(to_timestamp(m + random() * 1e9)) AS times
                           FROM generate_series(n, n + 1249) AS m) AS t",
    )
    .bind(TRIAL_ROWS)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    let mut transaction = app.database.begin_directory_write().await?;
    sqlx::query("DELETE FROM journal.attempts WHERE tenant = '*' AND count = 0 AND until < now()")
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    Ok(())
}

fn clock(ours: DateTime<Utc>, theirs: DateTime<Utc>) -> &'static str {
    if (ours - theirs).abs() <= MAX_CLOCK_DIFFERENCE {
        OK
    } else {
        "wrong"
    }
}
