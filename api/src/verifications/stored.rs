//! Verifications in the database: a row that was changed there says nothing, and makes the last verification wrong.

use super::{Outcome, Phase, VerificationError, VerificationRun, outcome_name};
use crate::{app::App, findings::Finding};
use caudal_domain::ids::TenantId;
use caudal_journal::{NotAuthentic, RowFault, RowProblem, Table, VerificationRow, to_hex};
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{PgConnection, Row as _, postgres::PgRow};

/// Time without progress after which a verification counts as dead with its node.
const SILENCE: TimeDelta = TimeDelta::seconds(120);

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

/// Ends verifications whose node died as failed. An unfinished one without a valid MAC would prevent all later ones: it is
/// deleted.
pub(super) async fn end_abandoned(
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

/// Replaces a stored verification by this node's own record of it.
pub(super) async fn keep(app: &App, tenant: &TenantId, row: &VerificationRow) -> Result<(), VerificationError> {
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
