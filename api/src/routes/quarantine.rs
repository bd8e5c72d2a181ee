//! The quarantine of a tenant: both histories, and what is lost.

use crate::{app::App, extract::Caller, problem::ApiError};
use actix_web::{HttpResponse, get, web::Data};
use caudal_journal::{Ended, LogPoint, Quarantine, StoredReport, to_hex};
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;
use utoipa_actix_web::service_config::ServiceConfig;
use uuid::Uuid;

/// Answers that are told of at most; the operator's command has the others.
const MAX_ANSWERS: usize = 500;

/// Registers these calls.
pub fn configure(cfg: &mut ServiceConfig<'_>) {
    cfg.service(get_quarantine);
}

/// A place in the log.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Place {
    /// The position; 0 before the first event.
    #[schema(examples(1788))]
    position: i64,
    /// The hash of the event there, in hexadecimal digits.
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

/// The last human numbers given out; 0 where none was.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct NumbersGiven {
    /// Of remittances.
    remittances: u64,
    /// Of movements.
    movements: u64,
    /// Of closures.
    closures: u64,
}

/// What one node reports.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct QuarantineReport {
    /// The report's id.
    id: Uuid,
    /// The node's process.
    node: Uuid,
    /// When the node noticed it.
    noticed_at: DateTime<Utc>,
    /// Which rule the log breaks: `shortened`, `rewritten`, `broken`, `head_changed`, `read_models` or `checkpoint`.
    #[schema(examples("shortened"))]
    kind: &'static str,
    /// The last place that the node had seen.
    known: Place,
    /// What the log has instead; null where nothing can be read.
    found: Option<Place>,
    /// When the node last saw the log grow; null where it never did.
    last_seen_at: Option<DateTime<Utc>>,
    /// The highest numbers that the node knows to have been given out.
    numbers: NumbersGiven,
}

/// An answer that had left for a position that is lost.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct LostAnswer {
    /// The position that it was for.
    position: i64,
    /// When it left.
    at: DateTime<Utc>,
    /// `system`, or the id of the party that asked.
    actor: String,
    /// The request's id.
    request: Uuid,
    /// What was made or changed.
    id: Uuid,
    /// Its human number; null where it has none.
    #[schema(examples("R-000349"))]
    number: Option<String>,
}

/// What the log lacks of what was seen.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct Losses {
    /// The log's end as it stands.
    end: Place,
    /// The last place at which the log is what nodes had seen; null where they agree on nothing that is kept.
    common: Option<Place>,
    /// First position that is lost; null where nothing is.
    lost_from: Option<i64>,
    /// Last position that is lost.
    lost_to: Option<i64>,
    /// The answers that had left for lost positions; at most 500.
    answers: Vec<LostAnswer>,
}

/// A quarantine that an operator ended.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct EndedQuarantine {
    /// The first report of it.
    noticed_at: DateTime<Utc>,
    /// When the operator decided.
    ended_at: DateTime<Utc>,
    /// The event that records the decision.
    accepted: Place,
    /// First position that was given up; null where nothing was.
    lost_from: Option<i64>,
    /// Last position that was given up.
    lost_to: Option<i64>,
    /// The operator's reason.
    reason: String,
}

/// Whether the tenant is in quarantine, and why.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct QuarantineState {
    /// Whether nothing can be written.
    active: bool,
    /// Since when; null where it is not active.
    since: Option<DateTime<Utc>>,
    /// The nodes' reports in force, the newest first.
    reports: Vec<QuarantineReport>,
    /// What the log lacks; null where it is not active.
    losses: Option<Losses>,
    /// The quarantines that have ended, the newest first.
    ended: Vec<EndedQuarantine>,
}

/// Tells whether the log contradicts what was seen of it, with both histories.
///
/// While it does nothing is written: writes answer 503 with the code `log_diverged`, and every answer bears the header
/// `X-Log-State: diverged`. An operator ends it with `caudal quarantine end`.
#[utoipa::path(tag = "Audit", operation_id = "getQuarantine",
               responses((status = 200, description = "The state.", body = QuarantineState)))]
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
        answers: answers.collect(),
    }
}

/// One entry a decision, whichever number of reports it ended.
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
