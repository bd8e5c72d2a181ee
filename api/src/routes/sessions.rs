//! Open sessions of a party: where and when it is logged in, and their end. A manager has these calls for everybody.

use super::{office, parties::addressee};
use crate::{
    app::App,
    auth::sessions::OpenSession,
    extract::{Caller, Filters, PathId},
    problem::ApiError,
    recorded_calls,
    registry::Registry,
};
use actix_web::{HttpRequest, HttpResponse, delete, get, web::Data};
use caudal_domain::{Refusal, ids::PartyId, office::Right, party::Role};
use caudal_projections::reading::ReadingKind;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(list_sessions).service(end_sessions).service(end_session);
}

/// The party whose sessions are meant.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct SessionsQuery {
    /// Party; absent for the caller. Others than the caller are for managers.
    party_id: Option<Uuid>,
}

/// An open session.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// Id of the session, for ending it.
    id: Uuid,
    /// Whether the call was made with this session.
    is_current: bool,
    /// Browser, as it describes itself: `chrome`, `edge`, `firefox`, `opera`, `safari`, `samsung` or `other`. Null for a
    /// session that was last renewed by an earlier version.
    #[schema(example = "firefox")]
    browser: Option<String>,
    /// Operating system, as the browser describes it: `android`, `chromeos`, `ios`, `linux`, `macos`, `windows` or
    /// `other`. Null for a session that was last renewed by an earlier version.
    #[schema(example = "android")]
    system: Option<String>,
    /// Address of the client at the last renewal. Null for a session that was last renewed by an earlier version.
    #[schema(example = "203.0.113.7")]
    address: Option<String>,
    /// Manager who sees as the party in this session, without writing; null for the party's own sessions.
    seen_by: Option<Viewer>,
    /// Time of the login.
    created: DateTime<Utc>,
    /// Time of the last renewal; a session in use is renewed every 15 minutes.
    last_used: DateTime<Utc>,
    /// Time at which the session ends unless it is renewed.
    expires_at: DateTime<Utc>,
}

/// A manager who sees as another party.
#[derive(Debug, Serialize, ToSchema)]
pub struct Viewer {
    /// Id of the party.
    id: Uuid,
    /// Name of the party.
    name: String,
}

/// Open sessions of a party, the last used first.
#[derive(Debug, Serialize, ToSchema)]
pub struct SessionList {
    /// All of them, 20 at most.
    results: Vec<Session>,
}

impl Session {
    fn of(open: OpenSession, seen_by: Option<Viewer>, caller: &Caller) -> Self {
        let OpenSession { session, origin, .. } = open;
        let (browser, system, address) = match origin {
            Some((browser, system, address)) => (Some(browser), Some(system), Some(address)),
            None => (None, None, None),
        };
        Self {
            id: session.id,
            is_current: session.id == caller.session,
            browser,
            system,
            address,
            seen_by,
            created: session.created_at,
            last_used: session.renewed_at,
            expires_at: session.expires_at,
        }
    }
}

/// Open sessions of the caller, or of another party for a manager.
#[utoipa::path(tag = "Session", operation_id = "listSessions", params(SessionsQuery),
    responses((status = 200, description = "All of them.", body = SessionList)))]
#[get("/api/sessions")]
async fn list_sessions(
    request: HttpRequest,
    app: Data<App>,
    caller: Caller,
    query: Filters<SessionsQuery>,
) -> Result<HttpResponse, ApiError> {
    let party = meant(&app, &caller, query.0, Right::Read).await?;
    if party != caller.party {
        // Its devices and addresses.
        recorded_calls::opens(&request, ReadingKind::User, party.0)?;
    }
    let open = app.sessions.list(&caller.tenant, party, app.now()).await?;
    let mut results = Vec::with_capacity(open.len());
    for open in open {
        let seen_by = match open.viewer {
            Some(viewer) => Some(Viewer {
                id: viewer.0,
                name: name_of(&app, &caller, viewer).await?,
            }),
            None => None,
        };
        results.push(Session::of(open, seen_by, &caller));
    }
    Ok(HttpResponse::Ok().json(SessionList { results }))
}

/// End all sessions of the caller but this one, or all of another party for a manager. Their tokens become invalid, and
/// their live streams end within a second.
#[utoipa::path(tag = "Session", operation_id = "endSessions", params(SessionsQuery),
    responses((status = 204, description = "Ended.")))]
#[delete("/api/sessions")]
async fn end_sessions(app: Data<App>, caller: Caller, query: Filters<SessionsQuery>) -> Result<HttpResponse, ApiError> {
    let party = meant(&app, &caller, query.0, Right::Write).await?;
    let keep = caller.session;
    app.sessions.end_others(&caller.tenant, party, keep, app.now()).await?;
    app.callers.forget_party(&caller.tenant, party);
    app.streams.check_sessions(&caller.tenant);
    Ok(HttpResponse::NoContent().finish())
}

/// End one session of the caller, or of another party for a manager. Its tokens become invalid, and its live streams end
/// within a second. A session that has ended already stays so.
#[utoipa::path(tag = "Session", operation_id = "endSession", params(("id" = Uuid, Path), SessionsQuery),
    responses((status = 204, description = "Ended.")))]
#[delete("/api/sessions/{id}")]
async fn end_session(
    app: Data<App>,
    caller: Caller,
    id: PathId,
    query: Filters<SessionsQuery>,
) -> Result<HttpResponse, ApiError> {
    let party = meant(&app, &caller, query.0, Right::Write).await?;
    if !app.sessions.end_of(&caller.tenant, party, id.0, app.now()).await? {
        return Err(ApiError::not_found("session_not_found"));
    }
    app.callers.forget(&caller.tenant, id.0).await;
    app.streams.check_sessions(&caller.tenant);
    Ok(HttpResponse::NoContent().finish())
}

async fn name_of(app: &App, caller: &Caller, party: PartyId) -> Result<String, ApiError> {
    let (state, _) = app.journal.state(&caller.tenant).await?;
    match state.party(party) {
        Some(party) => Ok(addressee(app, &caller.tenant, party).await?.0),
        None => Ok(String::new()),
    }
}

/// The party of a call. Others than the caller are visible to managers only.
async fn meant(app: &App, caller: &Caller, query: SessionsQuery, right: Right) -> Result<PartyId, ApiError> {
    match query.party_id.map(PartyId) {
        Some(party) if party != caller.party => {
            let (state, _) = app.journal.state(&caller.tenant).await?;
            let party = state.party(party).filter(|_| caller.role == Role::Manager);
            let party = party.ok_or_else(|| Refusal::not_found("party_not_found"))?;
            office::require_login(&state, caller, party, right)?;
            Ok(party.id)
        }
        _ => Ok(caller.party),
    }
}
