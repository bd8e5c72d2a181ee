//! A verification under way: its start, its progress and its end.

use super::{
    Outcome, Phase, VerificationError, VerificationRun,
    compare::{VerificationProgress, VerificationResult, found},
    outcome_name, phase_name,
    stored::{end_abandoned, keep, last},
};
use crate::app::App;
use actix_web::web::Data;
use caudal_domain::ids::{PartyId, TenantId};
use caudal_journal::{VerificationRow, WithCauses};
use chrono::SubsecRound as _;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use uuid::Uuid;

/// Interval of progress updates.
const TELL_EVERY: Duration = Duration::from_millis(500);
/// Retention: verifications per tenant.
const MAX_KEPT: i64 = 50;

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

/// Runs a verification and records its progress.
async fn run(app: &App, tenant: &TenantId, mut row: VerificationRow) {
    let (telling, mut told) = mpsc::unbounded_channel();
    let (mut stop, mut going_down) = (std::pin::pin!(found(app, tenant, telling)), app.watch_going_down());
    let mut last = Instant::now();
    let ended = loop {
        tokio::select! {
            found = &mut stop => break found,
            // Dropped at once: the guard must not be held across an await.
            () = async { drop(going_down.wait_for(|down| *down).await) } => break VerificationResult::failed(),
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

impl VerificationProgress {
    fn note(&self, row: &mut VerificationRow) {
        phase_name(self.phase).clone_into(&mut row.phase);
        (row.position, row.head) = (self.position, self.head);
    }
}

fn now_is_due(told: &VerificationProgress, last: Instant) -> bool {
    told.position == 0 || told.position >= told.head || last.elapsed() >= TELL_EVERY
}

async fn finish(
    app: &App,
    tenant: &TenantId,
    mut row: VerificationRow,
    ended: &VerificationResult,
) -> Result<(), VerificationError> {
    let now = app.now().trunc_subsecs(6);
    row.told_at = now;
    row.ended = Some((now, outcome_name(ended.outcome).to_owned()));
    row.findings = serde_json::to_string(&ended.findings)?;
    row.hash = ended.hash.map(|hash| hash.to_vec());
    row.checkpoints = ended.checkpoints;
    keep(app, tenant, &row).await
}
