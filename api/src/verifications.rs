//! Verifications requested in the interface: run in the background by a node, with progress and stored results.

use crate::{
    app::App,
    checkpoints::{Evidence, Flaw},
    divergence::diverged,
};
use actix_web::web::Data;
use caudal_domain::ids::{PartyId, TenantId};
use caudal_journal::{Fault, LogPoint, Quarantine, RowsVerified, Verification, WithCauses, to_hex};
use caudal_postgres::{Database, DatabaseError};
use caudal_projections::verify::{Difference, replay};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use sqlx::{Row as _, postgres::PgRow};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use utoipa::ToSchema;
use uuid::Uuid;

/// Interval of progress updates.
const TELL_EVERY: Duration = Duration::from_millis(500);
/// Time without progress after which a verification counts as dead with its node.
const SILENCE: TimeDelta = TimeDelta::seconds(120);
/// Retention: verifications per tenant.
const MAX_KEPT: i64 = 50;
/// Maximum findings per verification.
const MAX_FINDINGS: usize = 100;

/// Code of a finding about something that could not be compared.
const UNREACHABLE: &str = "checkpoint_unreachable";

/// Phase of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Phase {
    /// Recomputing the chain and the ledger.
    Chain,
    /// Replaying the log to compare the read models.
    ReadModels,
}

/// Outcome of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Everything is as recorded.
    Whole,
    /// Something is wrong: see the findings.
    Wrong,
    /// Undetermined: the database failed, the node ended, or a destination of checkpoints can't be read.
    Failed,
}

/// A finding of a verification.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Finding {
    /// Code: a fault of the log (`missing`, `repeated`, `changed`, `backwards`, `unreadable`, `head_moved`,
    /// `head_changed`), a contradiction of a checkpoint (`rewritten`, `shortened`, `root_changed`), of the stored
    /// Merkle tree (`tree_changed`) or of this node's earlier verification (`went_back`), an invalid checkpoint
    /// (`checkpoint_invalid`), a missing (`checkpoint_missing`) or an unreadable one (`checkpoint_unreachable`), a tenant
    /// in quarantine (`quarantined`), `invariant`, `read_model`, or a row beside the log (`row_changed`,
    /// `row_without_mac`, `row_missing`, `row_contradicts_log`, `rows_not_compared`).
    pub code: String,
    /// First affected position, for a fault of the log; null otherwise.
    pub position: Option<i64>,
    /// Description, in English.
    pub detail: String,
}

impl Finding {
    /// A fault of the log.
    #[must_use]
    pub fn of_fault(fault: &Fault) -> Self {
        Self {
            code: fault.code().to_owned(),
            position: Some(fault.position()),
            detail: fault.to_string(),
        }
    }

    /// A divergence from what nodes have seen, which no operator has decided on.
    #[must_use]
    pub fn of_quarantine(report: &Quarantine) -> Self {
        Self {
            code: "quarantined".to_owned(),
            position: Some(report.divergence.known.position),
            detail: report.divergence.to_string(),
        }
    }

    /// A flaw of a checkpoint.
    #[must_use]
    pub fn of_flaw(flaw: &Flaw) -> Self {
        Self {
            code: flaw.code().to_owned(),
            position: flaw.position(),
            detail: flaw.to_string(),
        }
    }
}

/// A verification, running or finished.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct VerificationRun {
    /// UUID.
    pub id: Uuid,
    /// Id of the party that requested it.
    pub asked_by: Uuid,
    /// Start, RFC 3339 in UTC.
    pub started_at: DateTime<Utc>,
    /// End, RFC 3339 in UTC; null while running.
    pub finished_at: Option<DateTime<Utc>>,
    /// Current or last phase.
    pub phase: Phase,
    /// Position reached in this phase.
    pub position: i64,
    /// Final position of this phase.
    pub head: i64,
    /// Rate so far over both phases, in events per second.
    pub rate: i64,
    /// Estimated remaining seconds of this phase; null when unknown.
    pub seconds_left: Option<i64>,
    /// Hash of the last event, once the chain was found intact: 64 hexadecimal digits.
    pub hash: Option<String>,
    /// Number of checkpoints compared, from the database and all destinations; null before that, and for verifications
    /// of earlier versions.
    pub checkpoints: Option<i64>,
    /// Outcome; null while running.
    pub outcome: Option<Outcome>,
    /// Findings; empty when there are none.
    pub findings: Vec<Finding>,
}

/// Errors of storing or reading verifications.
#[derive(Debug, thiserror::Error)]
pub enum VerificationError {
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Begin(#[from] DatabaseError),
    #[error("a verification that is kept can't be read")]
    Json(#[from] serde_json::Error),
}

/// Progress of a verification.
#[derive(Clone, Copy, Debug)]
struct Told {
    phase: Phase,
    position: i64,
    head: i64,
}

const COLUMNS: &str = "id, asked_by, started_at, told_at, finished_at, phase, position, head, hash, outcome, findings::text, \
     checkpoints";

/// A tenant's last verification; `None` when there was none.
pub async fn last(database: &Database, tenant: &TenantId) -> Result<Option<VerificationRun>, VerificationError> {
    let mut transaction = database.begin_read(tenant.as_str()).await?;
    let text = format!(
        "SELECT {COLUMNS} FROM journal.verifications WHERE tenant = $1 ORDER BY started_at DESC, id DESC LIMIT 1"
    );
    let row = sqlx::query(&text)
        .bind(tenant.as_str())
        .fetch_optional(&mut *transaction)
        .await?;
    row.as_ref().map(read).transpose()
}

/// Starts a verification unless one is running. Returns the running one.
pub async fn begin(
    app: Data<App>,
    tenant: TenantId,
    asked_by: PartyId,
) -> Result<Option<VerificationRun>, VerificationError> {
    let now = app.now();
    let id = Uuid::now_v7();
    let mut transaction = app.database.begin_write(tenant.as_str()).await?;
    // A verification whose node died ends as failed.
    sqlx::query(
        "UPDATE journal.verifications SET finished_at = $2, outcome = 'failed'
          WHERE tenant = $1 AND finished_at IS NULL AND told_at < $3",
    )
    .bind(tenant.as_str())
    .bind(now)
    .bind(now - SILENCE)
    .execute(&mut *transaction)
    .await?;
    let made = sqlx::query(
        "INSERT INTO journal.verifications (tenant, id, asked_by, started_at, told_at, phase, position, head, findings)
         VALUES ($1, $2, $3, $4, $4, 'chain', 0, 0, '[]') ON CONFLICT (tenant) WHERE finished_at IS NULL DO NOTHING",
    )
    .bind(tenant.as_str())
    .bind(id)
    .bind(asked_by.0)
    .bind(now)
    .execute(&mut *transaction)
    .await?;
    sqlx::query(
        "DELETE FROM journal.verifications WHERE tenant = $1 AND id IN (
             SELECT id FROM journal.verifications WHERE tenant = $1 ORDER BY started_at DESC, id DESC OFFSET $2)",
    )
    .bind(tenant.as_str())
    .bind(MAX_KEPT)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    if made.rows_affected() > 0 {
        let (app, tenant) = (app.clone(), tenant.clone());
        tokio::spawn(async move { run(&app, &tenant, id).await });
    }
    last(&app.database, &tenant).await
}

/// Result of a verification.
#[derive(Debug)]
struct Found {
    outcome: Outcome,
    findings: Vec<Finding>,
    hash: Option<[u8; 32]>,
    /// Number of checkpoints compared with the log.
    checkpoints: Option<i64>,
}

impl Found {
    /// Undetermined.
    const fn failed() -> Self {
        Self {
            outcome: Outcome::Failed,
            findings: Vec::new(),
            hash: None,
            checkpoints: None,
        }
    }
}

/// Runs a verification and records its progress.
async fn run(app: &App, tenant: &TenantId, id: Uuid) {
    let (telling, mut told) = mpsc::unbounded_channel();
    let (mut stop, mut going_down) = (std::pin::pin!(found(app, tenant, telling)), app.watch_going_down());
    let mut last = Instant::now();
    let ended = loop {
        tokio::select! {
            found = &mut stop => break found,
            // Dropped at once: the guard must not be held across an await.
            () = async { drop(going_down.wait_for(|down| *down).await) } => break Found::failed(),
            Some(now) = told.recv() => {
                // The first of a phase, then at intervals.
                if now_is_due(&now, last) {
                    last = Instant::now();
                    keep(app, tenant, id, now).await;
                }
            }
        }
    };
    // The last progress message has the final position.
    let mut at = None;
    while let Ok(now) = told.try_recv() {
        at = Some(now);
    }
    if let Some(at) = at {
        keep(app, tenant, id, at).await;
    }
    if let Err(error) = finish(app, tenant, id, &ended).await {
        tracing::error!(%tenant, error = %WithCauses(&error), "a verification's end could not be written down");
    }
    if ended.outcome == Outcome::Wrong {
        metrics::counter!("caudal_verifications_wrong_total").increment(1);
        tracing::error!(%tenant, findings = ended.findings.len(), "a verification found what should not be");
    }
}

fn now_is_due(told: &Told, last: Instant) -> bool {
    told.position == 0 || told.position >= told.head || last.elapsed() >= TELL_EVERY
}

/// Findings of a verification.
async fn found(app: &App, tenant: &TenantId, telling: mpsc::UnboundedSender<Told>) -> Found {
    let tell = |phase| {
        let telling = telling.clone();
        move |position, head| {
            // The receiver lives as long as the verification.
            let _ = telling.send(Told { phase, position, head });
        }
    };
    let Evidence { checkpoints, flaws, .. } = match app.checkpoints.evidence(tenant).await {
        Ok(evidence) => evidence,
        Err(error) => {
            tracing::error!(%tenant, error = %WithCauses(&error), "a verification failed");
            return Found::failed();
        }
    };
    let verification = match app.journal.verify(tenant, &checkpoints, tell(Phase::Chain)).await {
        Ok(verification) => verification,
        Err(error) => {
            tracing::error!(%tenant, error = %WithCauses(&error), "a verification failed");
            return Found::failed();
        }
    };
    if let Some(fault) = &verification.fault {
        let last_good = LogPoint {
            position: verification.events,
            hash: verification.hash,
        };
        diverged(&app.journal, tenant, fault, last_good, &checkpoints).await;
    }
    let compared = i64::try_from(checkpoints.len()).unwrap_or(i64::MAX);
    let ended = |outcome, findings, hash| Found {
        outcome,
        findings,
        hash,
        checkpoints: Some(compared),
    };
    let mut findings = of_log(&verification, &flaws);
    let quarantines = app.journal.quarantines();
    if let Some(report) = quarantines.iter().find(|report| report.tenant == *tenant) {
        findings.push(Finding::of_quarantine(report));
    }
    // What could not be compared is neither right nor wrong.
    if !findings.is_empty() && findings.iter().all(|finding| finding.code == UNREACHABLE) {
        return ended(Outcome::Failed, findings, Some(verification.hash));
    }
    if !findings.is_empty() {
        let hash = verification.fault.is_none().then_some(verification.hash);
        return ended(Outcome::Wrong, findings, hash);
    }
    let findings = match app.journal.verify_rows(tenant).await {
        Ok(rows) => of_rows(&rows),
        Err(error) => {
            tracing::error!(%tenant, error = %WithCauses(&error), "a verification failed");
            return ended(Outcome::Failed, Vec::new(), Some(verification.hash));
        }
    };
    if !findings.is_empty() {
        return ended(Outcome::Wrong, findings, Some(verification.hash));
    }
    let replayed = replay(&app.database, &app.journal, tenant, tell(Phase::ReadModels)).await;
    match replayed {
        Ok(differences) => {
            let findings: Vec<_> = differences.iter().take(MAX_FINDINGS).map(of_difference).collect();
            let outcome = if findings.is_empty() {
                Outcome::Whole
            } else {
                Outcome::Wrong
            };
            ended(outcome, findings, Some(verification.hash))
        }
        Err(error) => {
            tracing::error!(%tenant, error = %WithCauses(&error), "a verification failed");
            ended(Outcome::Failed, Vec::new(), Some(verification.hash))
        }
    }
}

fn of_log(verification: &Verification, flaws: &[Flaw]) -> Vec<Finding> {
    let fault = verification.fault.iter().map(Finding::of_fault);
    let violations = verification.violations.iter().map(|violation| Finding {
        code: "invariant".to_owned(),
        position: None,
        detail: violation.to_string(),
    });
    let flaws = flaws.iter().map(Finding::of_flaw);
    fault.chain(violations).chain(flaws).take(MAX_FINDINGS).collect()
}

fn of_rows(rows: &RowsVerified) -> Vec<Finding> {
    let faults = rows.faults.iter().map(|fault| Finding {
        code: fault.problem.code().to_owned(),
        position: None,
        detail: fault.to_string(),
    });
    let not_compared = rows.not_compared.iter().map(|reason| Finding {
        code: "rows_not_compared".to_owned(),
        position: None,
        detail: format!("the rows beside the log could not be compared with it: {reason}"),
    });
    faults.chain(not_compared).take(MAX_FINDINGS).collect()
}

fn of_difference(difference: &Difference) -> Finding {
    Finding {
        code: "read_model".to_owned(),
        position: None,
        detail: difference.to_string(),
    }
}

/// Records progress; a failure is made up by the next update.
async fn keep(app: &App, tenant: &TenantId, id: Uuid, told: Told) {
    let kept = async {
        let mut transaction = app.database.begin_write(tenant.as_str()).await?;
        sqlx::query(
            "UPDATE journal.verifications SET phase = $3, position = $4, head = $5, told_at = $6
              WHERE tenant = $1 AND id = $2",
        )
        .bind(tenant.as_str())
        .bind(id)
        .bind(phase_name(told.phase))
        .bind(told.position)
        .bind(told.head)
        .bind(app.now())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok::<_, VerificationError>(())
    };
    if let Err(error) = kept.await {
        tracing::warn!(%tenant, %error, "how far a verification is could not be written down");
    }
}

async fn finish(app: &App, tenant: &TenantId, id: Uuid, ended: &Found) -> Result<(), VerificationError> {
    let mut transaction = app.database.begin_write(tenant.as_str()).await?;
    sqlx::query(
        "UPDATE journal.verifications
            SET finished_at = $3, told_at = $3, outcome = $4, findings = $5::json, hash = $6, checkpoints = $7
          WHERE tenant = $1 AND id = $2",
    )
    .bind(tenant.as_str())
    .bind(id)
    .bind(app.now())
    .bind(outcome_name(ended.outcome))
    .bind(serde_json::to_string(&ended.findings)?)
    .bind(ended.hash)
    .bind(ended.checkpoints)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(())
}

const fn phase_name(phase: Phase) -> &'static str {
    match phase {
        Phase::Chain => "chain",
        Phase::ReadModels => "read_models",
    }
}

const fn outcome_name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Whole => "whole",
        Outcome::Wrong => "wrong",
        Outcome::Failed => "failed",
    }
}

fn read(row: &PgRow) -> Result<VerificationRun, VerificationError> {
    let named = |name: &str| serde_json::Value::String(name.to_owned());
    let (started_at, told_at): (DateTime<Utc>, DateTime<Utc>) = (row.try_get("started_at")?, row.try_get("told_at")?);
    let finished_at: Option<DateTime<Utc>> = row.try_get("finished_at")?;
    let (position, head): (i64, i64) = (row.try_get("position")?, row.try_get("head")?);
    let phase: Phase = serde_json::from_value(named(row.try_get("phase")?))?;
    let outcome: Option<String> = row.try_get("outcome")?;
    // The second phase processes the same events again.
    let done = if phase == Phase::ReadModels {
        head + position
    } else {
        position
    };
    let took = (finished_at.unwrap_or(told_at) - started_at).num_milliseconds().max(1);
    let rate = done.saturating_mul(1_000) / took;
    let is_over = finished_at.is_some();
    let hash: Option<Vec<u8>> = row.try_get("hash")?;
    Ok(VerificationRun {
        id: row.try_get("id")?,
        asked_by: row.try_get("asked_by")?,
        started_at,
        finished_at,
        phase,
        position,
        head,
        rate,
        seconds_left: (!is_over && rate > 0).then(|| (head - position).max(0) / rate),
        hash: hash.and_then(|hash| hash.try_into().ok()).map(|hash| to_hex(&hash)),
        checkpoints: row.try_get("checkpoints")?,
        outcome: outcome
            .map(|outcome| serde_json::from_value(named(&outcome)))
            .transpose()?,
        findings: serde_json::from_str(row.try_get("findings")?)?,
    })
}
