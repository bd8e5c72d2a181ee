//! Verifications requested in the interface: run in the background by a node, with progress and stored results.

use crate::{
    app::App,
    checkpoints::{Evidence, Flaw},
    divergence::diverged,
    findings::Finding,
    rows_beside::verify_rows,
};
use actix_web::web::Data;
use caudal_domain::ids::{PartyId, TenantId};
use caudal_journal::{
    LogPoint, NotAuthentic, RowFault, RowProblem, RowsVerified, Table, Verification, VerificationRow, WithCauses,
    to_hex,
};
use caudal_postgres::DatabaseError;
use caudal_projections::verify::{Difference, replay};
use chrono::{DateTime, SubsecRound as _, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, Row as _, postgres::PgRow};
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
    /// Undetermined: the database failed, the node ended, a destination of checkpoints can't be read, or the result was stored
    /// by an earlier version.
    Failed,
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

/// A tenant's last verification; `None` when there was none. With a stored result that was changed in the database, the last
/// one counts as wrong.
pub async fn last(app: &App, tenant: &TenantId) -> Result<Option<VerificationRun>, VerificationError> {
    let mut transaction = app.database.begin_read(tenant.as_str()).await?;
    let text = format!(
        "SELECT {}, mac FROM journal.verifications WHERE tenant = $1 ORDER BY started_at DESC, id DESC",
        VerificationRow::COLUMNS
    );
    let rows = sqlx::query(&text)
        .bind(tenant.as_str())
        .fetch_all(&mut *transaction)
        .await?;
    let mut newest = None;
    let mut changed = Vec::new();
    for found in &rows {
        let row = VerificationRow::from_row(found)?;
        let authentic = authentic(app, tenant, &row, found)?;
        let is_first = newest.is_none();
        match authentic {
            Authentic::Yes if is_first => newest = Some(told(row)?),
            Authentic::Yes => {}
            Authentic::WithoutMac if is_first => newest = Some(of_earlier_version(row, app.now())),
            Authentic::WithoutMac => {}
            Authentic::Changed(finding) => {
                changed.push(finding);
                if is_first {
                    newest = Some(without_result(row, app.now()));
                }
            }
        }
    }
    let Some(mut last) = newest else { return Ok(None) };
    if last.outcome.is_some() && !changed.is_empty() {
        last.outcome = Some(Outcome::Wrong);
        changed.append(&mut last.findings);
        last.findings = changed;
    }
    Ok(Some(last))
}

/// Whether a stored verification is as a node wrote it.
enum Authentic {
    Yes,
    /// Of an earlier version, or stripped: it counts for nothing.
    WithoutMac,
    Changed(Finding),
}

fn authentic(
    app: &App,
    tenant: &TenantId,
    row: &VerificationRow,
    found: &PgRow,
) -> Result<Authentic, VerificationError> {
    let Some(mac) = found.try_get::<Option<Vec<u8>>, _>("mac")? else {
        return Ok(Authentic::WithoutMac);
    };
    let checked = row.mac(app.journal.row_macs(), tenant).check(Some(&mac));
    let problem = RowProblem::Changed;
    Ok(checked.map_or_else(
        |NotAuthentic { table, key, .. }| {
            Authentic::Changed(Finding::of_row(&RowFault {
                table: table.as_str(),
                key,
                problem,
            }))
        },
        |()| Authentic::Yes,
    ))
}

/// Starts a verification unless one is running. Returns the running one.
pub async fn begin(
    app: Data<App>,
    tenant: TenantId,
    asked_by: PartyId,
) -> Result<Option<VerificationRun>, VerificationError> {
    let now = app.now().trunc_subsecs(6);
    let begun = VerificationRow {
        id: Uuid::now_v7(),
        asked_by,
        started_at: now,
        told_at: now,
        ended: None,
        phase: phase_name(Phase::Chain).to_owned(),
        position: 0,
        head: 0,
        hash: None,
        findings: "[]".to_owned(),
        checkpoints: None,
    };
    let mut transaction = app.database.begin_write(tenant.as_str()).await?;
    end_abandoned(&app, &mut transaction, &tenant, now).await?;
    let made = sqlx::query(
        "INSERT INTO journal.verifications (tenant, id, asked_by, started_at, told_at, phase, position, head, findings, mac)
         VALUES ($1, $2, $3, $4, $4, $5, 0, 0, $6::json, $7)
         ON CONFLICT (tenant) WHERE finished_at IS NULL DO NOTHING",
    )
    .bind(tenant.as_str())
    .bind(begun.id)
    .bind(asked_by.0)
    .bind(now)
    .bind(&begun.phase)
    .bind(&begun.findings)
    .bind(begun.mac(app.journal.row_macs(), &tenant).finish())
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
        tokio::spawn(async move { run(&app, &tenant, begun).await });
    }
    last(&app, &tenant).await
}

/// Ends verifications whose node died as failed. An unfinished one without a valid MAC would prevent all later ones: it is
/// deleted.
async fn end_abandoned(
    app: &App,
    connection: &mut PgConnection,
    tenant: &TenantId,
    now: DateTime<Utc>,
) -> Result<(), VerificationError> {
    let text = format!(
        "SELECT {}, mac FROM journal.verifications WHERE tenant = $1 AND finished_at IS NULL FOR UPDATE",
        VerificationRow::COLUMNS
    );
    let rows = sqlx::query(&text)
        .bind(tenant.as_str())
        .fetch_all(&mut *connection)
        .await?;
    for found in &rows {
        let mut row = VerificationRow::from_row(found)?;
        if !matches!(authentic(app, tenant, &row, found)?, Authentic::Yes) {
            sqlx::query("DELETE FROM journal.verifications WHERE tenant = $1 AND id = $2")
                .bind(tenant.as_str())
                .bind(row.id)
                .execute(&mut *connection)
                .await?;
        } else if row.told_at < now - SILENCE {
            row.ended = Some((now, outcome_name(Outcome::Failed).to_owned()));
            write(app, connection, tenant, &row).await?;
        }
    }
    Ok(())
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
async fn run(app: &App, tenant: &TenantId, mut row: VerificationRow) {
    let (telling, mut told) = mpsc::unbounded_channel();
    let (mut stop, mut going_down) = (std::pin::pin!(found(app, tenant, telling)), app.watch_going_down());
    let mut last = Instant::now();
    let ended = loop {
        tokio::select! {
            found = &mut stop => break found,
            // Dropped at once: the guard must not be held across an await.
            () = async { drop(going_down.wait_for(|down| *down).await) } => break Found::failed(),
            Some(now) = told.recv() => {
                now.note(&mut row);
                // The first of a phase, then at intervals.
                if now_is_due(&now, last) {
                    last = Instant::now();
                    row.told_at = app.now().trunc_subsecs(6);
                    // A failure is made up by the next update.
                    if let Err(error) = keep(app, tenant, &row).await {
                        tracing::warn!(%tenant, %error, "how far a verification is could not be written down");
                    }
                }
            }
        }
    };
    // The last progress message has the final position.
    while let Ok(now) = told.try_recv() {
        now.note(&mut row);
    }
    if let Err(error) = finish(app, tenant, row, &ended).await {
        tracing::error!(%tenant, error = %WithCauses(&error), "a verification's end could not be written down");
    }
    if ended.outcome == Outcome::Wrong {
        metrics::counter!("caudal_verifications_wrong_total").increment(1);
        tracing::error!(%tenant, findings = ended.findings.len(), "a verification found what should not be");
    }
}

impl Told {
    fn note(&self, row: &mut VerificationRow) {
        phase_name(self.phase).clone_into(&mut row.phase);
        (row.position, row.head) = (self.position, self.head);
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
    let generation = app.journal.history_generation(tenant);
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
        diverged(&app.journal, tenant, generation, fault, last_good, &checkpoints).await;
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
    let findings = match verify_rows(&app.journal, &app.screening.store, tenant).await {
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
    let faults = rows.faults.iter().map(Finding::of_row);
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

/// Replaces a stored verification by this node's own record of it.
async fn keep(app: &App, tenant: &TenantId, row: &VerificationRow) -> Result<(), VerificationError> {
    let mut transaction = app.database.begin_write(tenant.as_str()).await?;
    write(app, &mut transaction, tenant, row).await?;
    transaction.commit().await?;
    Ok(())
}

async fn write(
    app: &App,
    connection: &mut PgConnection,
    tenant: &TenantId,
    row: &VerificationRow,
) -> Result<(), VerificationError> {
    let (finished_at, outcome) = row.ended.clone().unzip();
    sqlx::query(
        "UPDATE journal.verifications
            SET asked_by = $3, started_at = $4, told_at = $5, finished_at = $6, phase = $7, position = $8, head = $9,
                hash = $10, outcome = $11, findings = $12::json, checkpoints = $13, mac = $14
          WHERE tenant = $1 AND id = $2",
    )
    .bind(tenant.as_str())
    .bind(row.id)
    .bind(row.asked_by.0)
    .bind(row.started_at)
    .bind(row.told_at)
    .bind(finished_at)
    .bind(&row.phase)
    .bind(row.position)
    .bind(row.head)
    .bind(&row.hash)
    .bind(outcome)
    .bind(&row.findings)
    .bind(row.checkpoints)
    .bind(row.mac(app.journal.row_macs(), tenant).finish())
    .execute(connection)
    .await?;
    Ok(())
}

async fn finish(
    app: &App,
    tenant: &TenantId,
    mut row: VerificationRow,
    ended: &Found,
) -> Result<(), VerificationError> {
    let now = app.now().trunc_subsecs(6);
    row.told_at = now;
    row.ended = Some((now, outcome_name(ended.outcome).to_owned()));
    row.findings = serde_json::to_string(&ended.findings)?;
    row.hash = ended.hash.map(|hash| hash.to_vec());
    row.checkpoints = ended.checkpoints;
    keep(app, tenant, &row).await
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

/// A stored verification as answered.
fn told(row: VerificationRow) -> Result<VerificationRun, VerificationError> {
    let named = |name: String| serde_json::Value::String(name);
    let phase: Phase = serde_json::from_value(named(row.phase))?;
    let (finished_at, outcome) = row.ended.unzip();
    // The second phase processes the same events again.
    let done = if phase == Phase::ReadModels {
        row.head + row.position
    } else {
        row.position
    };
    let took = (finished_at.unwrap_or(row.told_at) - row.started_at)
        .num_milliseconds()
        .max(1);
    let rate = done.saturating_mul(1_000) / took;
    let is_running = finished_at.is_none();
    Ok(VerificationRun {
        id: row.id,
        asked_by: row.asked_by.0,
        started_at: row.started_at,
        finished_at,
        phase,
        position: row.position,
        head: row.head,
        rate,
        seconds_left: (is_running && rate > 0).then(|| (row.head - row.position).max(0) / rate),
        hash: row.hash.and_then(|hash| hash.try_into().ok()).map(|hash| to_hex(&hash)),
        checkpoints: row.checkpoints,
        outcome: outcome
            .map(|outcome| serde_json::from_value(named(outcome)))
            .transpose()?,
        findings: serde_json::from_str(&row.findings)?,
    })
}

/// A verification whose row was changed in the database: nothing that it says counts.
fn without_result(row: VerificationRow, now: DateTime<Utc>) -> VerificationRun {
    let shown = |at: DateTime<Utc>| at.clamp(DateTime::UNIX_EPOCH, now);
    let ended = row.ended.map_or(row.told_at, |(at, _)| at);
    VerificationRun {
        id: row.id,
        asked_by: row.asked_by.0,
        started_at: shown(row.started_at),
        finished_at: Some(shown(ended)),
        phase: Phase::Chain,
        position: 0,
        head: 0,
        rate: 0,
        seconds_left: None,
        hash: None,
        checkpoints: None,
        outcome: Some(Outcome::Wrong),
        findings: Vec::new(),
    }
}

/// A verification whose result bears no MAC: what it found is unknown.
fn of_earlier_version(row: VerificationRow, now: DateTime<Utc>) -> VerificationRun {
    let finding = Finding::of_row(&RowFault {
        table: Table::Verifications.as_str(),
        key: row.id.to_string(),
        problem: RowProblem::WithoutMac,
    });
    VerificationRun {
        outcome: Some(Outcome::Failed),
        findings: vec![finding],
        ..without_result(row, now)
    }
}
