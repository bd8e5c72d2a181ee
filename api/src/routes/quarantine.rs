//! Quarantine of a tenant: both histories, and the losses.

use crate::{app::App, extract::Caller, problem::ApiError, registry::Registry};
use actix_web::{HttpResponse, get, web::Data};
use caudal_journal::{Ended, LogPoint, Quarantine, StoredReport, to_hex};
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

/// Maximum lost answers returned; the operator's command prints all.
const MAX_ANSWERS: usize = 500;

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(get_quarantine);
}

/// A point of the log.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Place {
    /// Position; 0 before the first event.
    #[schema(examples(1788))]
    position: i64,
    /// Hash of the event there: 64 hexadecimal digits.
    hash: String,
}

impl From<LogPoint> for Place {
    fn from(point: LogPoint) -> Self {
        Self {
            position: point.position,
            hash: to_hex(&point.hash),
        }
    }
}

/// Last human numbers issued; 0 before the first.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NumbersGiven {
    /// Of remittances (`R-000001`).
    remittances: u64,
    /// Of movements (`M-000001`).
    movements: u64,
    /// Of closures (`C-000001`).
    closures: u64,
}

/// Report of one node.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct QuarantineReport {
    /// Id of the report.
    id: Uuid,
    /// Process id of the node.
    node: Uuid,
    /// Time of detection, RFC 3339 in UTC.
    noticed_at: DateTime<Utc>,
    /// Kind of the divergence: `shortened`, `rewritten`, `broken`, `head_changed`, `head_unsigned`, `read_models`,
    /// `checkpoint` or `report_changed`.
    #[schema(examples("shortened"))]
    kind: &'static str,
    /// Last point that the node had seen.
    known: Place,
    /// Point found instead; null when nothing can be read.
    found: Option<Place>,
    /// Time at which the node last saw the log grow; null when never.
    last_seen_at: Option<DateTime<Utc>>,
    /// Upper bounds of the numbers issued, as known to the node.
    numbers: NumbersGiven,
}

/// An answer sent for a lost position.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LostAnswer {
    /// Position of the answered command.
    position: i64,
    /// Time of sending, RFC 3339 in UTC.
    at: DateTime<Utc>,
    /// `system`, or the id of the calling party.
    actor: String,
    /// Id of the request.
    request: Uuid,
    /// Id of the created or changed record.
    id: Uuid,
    /// Human number of the record; null without one.
    #[schema(examples("R-000349"))]
    number: Option<String>,
}

/// Difference between the log and what nodes had seen.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Losses {
    /// Current end of the log.
    end: Place,
    /// Last common point; null when no retained point agrees.
    common: Option<Place>,
    /// First lost position; null when nothing is lost.
    lost_from: Option<i64>,
    /// Last lost position; null when nothing is lost.
    lost_to: Option<i64>,
    /// First position of a log without loss that no node had seen, where the head has no valid MAC: somebody may have added it to
    /// the database; null otherwise.
    unsigned_from: Option<i64>,
    /// Answers sent for lost positions; at most 500.
    answers: Vec<LostAnswer>,
}

/// A quarantine ended by an operator.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EndedQuarantine {
    /// Time of the first report, RFC 3339 in UTC.
    noticed_at: DateTime<Utc>,
    /// Time of the decision, RFC 3339 in UTC.
    ended_at: DateTime<Utc>,
    /// Point of the event that records the decision.
    accepted: Place,
    /// First abandoned position; null when none.
    lost_from: Option<i64>,
    /// Last abandoned position; null when none.
    lost_to: Option<i64>,
    /// The operator's reason.
    reason: String,
}

/// Quarantine state of the tenant.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct QuarantineState {
    /// Whether the tenant is quarantined: nothing can be written.
    active: bool,
    /// Start of the quarantine; null when not active.
    since: Option<DateTime<Utc>>,
    /// Current reports of the nodes, newest first.
    reports: Vec<QuarantineReport>,
    /// Losses of the log; null when not active.
    losses: Option<Losses>,
    /// Ended quarantines, newest first.
    ended: Vec<EndedQuarantine>,
}

/// Quarantine state: whether the log diverged from what nodes have seen, with both histories.
///
/// During a quarantine writes answer 503 with the code `log_diverged`, and every answer has the header `X-Log-State:
/// diverged`. An operator ends it with `caudal quarantine end`.
#[utoipa::path(tag = "Audit", operation_id = "getQuarantine",
               responses((status = 200, description = "The quarantine's state, with both histories during one.",
                          body = QuarantineState)))]
#[get("/api/audit/quarantine")]
async fn get_quarantine(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let reports = app.journal.quarantine_reports(&caller.tenant).await?;
    let losses = app.journal.quarantine_losses(&caller.tenant).await?;
    let in_force: Vec<&Quarantine> = reports
        .iter()
        .filter(|stored| stored.decision.is_none())
        .map(|stored| &stored.report)
        .collect();
    let state = QuarantineState {
        active: !in_force.is_empty(),
        since: in_force.iter().map(|report| report.since).min(),
        losses: losses.map(|losses| lost(losses, &in_force)),
        reports: in_force.into_iter().map(told).collect(),
        ended: ended(&reports),
    };
    Ok(HttpResponse::Ok().json(state))
}

fn told(report: &Quarantine) -> QuarantineReport {
    QuarantineReport {
        id: report.id,
        node: report.node,
        noticed_at: report.since,
        kind: report.divergence.kind.as_str(),
        known: report.divergence.known.into(),
        found: report.divergence.found.map(Into::into),
        last_seen_at: report.seen.last().map(|batch| batch.at),
        numbers: NumbersGiven {
            remittances: report.numbers.remittances,
            movements: report.numbers.movements,
            closures: report.numbers.closures,
        },
    }
}

fn lost(losses: Ended, reports: &[&Quarantine]) -> Losses {
    let answers = losses
        .lost_answers(reports.iter().copied())
        .into_iter()
        .take(MAX_ANSWERS)
        .map(|(at, answer)| LostAnswer {
            position: answer.position,
            at,
            actor: answer.actor.clone(),
            request: answer.request,
            id: answer.id,
            number: answer.number.clone(),
        });
    Losses {
        end: losses.end.into(),
        common: losses.common.map(Into::into),
        lost_from: losses.lost_from,
        lost_to: losses.lost_to,
        unsigned_from: losses.unsigned_from(),
        answers: answers.collect(),
    }
}

/// One entry per decision, however many reports it ended.
fn ended(reports: &[StoredReport]) -> Vec<EndedQuarantine> {
    let mut ended: Vec<(Uuid, EndedQuarantine)> = Vec::new();
    for stored in reports {
        let Some(decision) = &stored.decision else { continue };
        match ended.iter_mut().find(|(id, _)| *id == decision.id) {
            Some((_, known)) => known.noticed_at = known.noticed_at.min(stored.report.since),
            None => ended.push((
                decision.id,
                EndedQuarantine {
                    noticed_at: stored.report.since,
                    ended_at: decision.at,
                    accepted: decision.accepted.into(),
                    lost_from: decision.lost_from,
                    lost_to: decision.lost_to,
                    reason: decision.reason.clone(),
                },
            )),
        }
    }
    ended.into_iter().map(|(_, ended)| ended).collect()
}
