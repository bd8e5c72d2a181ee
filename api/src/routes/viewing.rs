//! Seeing as another: a manager reads what another party reads, for a quarter of an hour, and writes nothing
//! (docs/decisions/seeing-as-another.md).

use super::{office, parties::addressee};
use crate::{
    app::App,
    auth::{caller::Viewer, callers::may_see_as, origins::Origin},
    extract::{Caller, Language, PathId},
    mail::{Letter, Mail},
    policy,
    problem::ApiError,
    registry::Registry,
};
use actix_web::{HttpRequest, HttpResponse, delete, post, web::Data};
use caudal_domain::{
    Refusal,
    ids::{PartyId, TenantId},
    office::Right,
};
use chrono::{DateTime, Utc};
use serde::Serialize;
use utoipa::ToSchema;

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(begin_viewing).service(end_viewing);
}

/// Access as another party.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ViewingToken {
    /// Bearer token that reads as the party. It can't be renewed.
    access_token: String,
    /// Time at which it ends.
    expires_at: DateTime<Utc>,
    /// Name of the party.
    name: String,
}

/// See as another party, for a quarter of an hour. Nothing can be written with the token, and each read is recorded.
///
/// The party is told by mail, sees it among its sessions, and can end it there. A manager sees as one party at a time.
#[utoipa::path(tag = "Session", operation_id = "beginViewing", params(("id" = uuid::Uuid, Path)),
    responses((status = 201, description = "Begun.", body = ViewingToken)))]
#[post("/api/users/{id}/viewing")]
async fn begin_viewing(
    request: HttpRequest,
    app: Data<App>,
    caller: Caller,
    id: PathId,
) -> Result<HttpResponse, ApiError> {
    let (seen, now, tenant) = (PartyId(id.0), app.now(), &caller.tenant);
    let (state, _) = app.journal.state(tenant).await?;
    let party = state.party(seen).ok_or_else(|| Refusal::not_found("party_not_found"))?;
    office::require_login(&state, &caller, party, Right::Write)?;
    may_see_as(&state, caller.party, seen, now)?;
    let (name, _) = addressee(&app, tenant, party).await?;
    let call = policy::pattern(request.path());
    app.readings.note_viewing((&caller).into(), seen, call, now).await?;
    let viewer = Viewer {
        party: caller.party,
        session: caller.session,
    };
    let origin = Origin::of(&request, app.proxies.client(&request));
    let viewing = app.sessions.open_viewing(tenant, seen, viewer, &origin, now).await?;
    let access_token = app
        .tokens
        .issue_viewing(tenant, (seen, party.role), viewing.session, viewer, now)
        .map_err(ApiError::internal)?;
    app.callers.forget_party(tenant, seen);
    app.streams.check_sessions(tenant);
    tell(
        &app,
        tenant,
        seen,
        caller.party,
        Language::of(&request),
        viewing.expires_at,
    );
    Ok(HttpResponse::Created().json(ViewingToken {
        access_token,
        expires_at: viewing.expires_at,
        name,
    }))
}

/// Stop seeing as another party.
#[utoipa::path(tag = "Session", operation_id = "endViewing", responses((status = 204, description = "Ended.")))]
#[delete("/api/viewing")]
async fn end_viewing(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    if caller.viewer.is_none() {
        return Err(ApiError::conflict("seeing_as_nobody"));
    }
    app.sessions.end(&caller.tenant, caller.session, app.now()).await?;
    app.callers.forget(&caller.tenant, caller.session).await;
    app.streams.check_sessions(&caller.tenant);
    Ok(HttpResponse::NoContent().finish())
}

/// Tells a party that a manager sees as it. A full mail queue is ignored: its sessions show it, too.
fn tell(app: &Data<App>, tenant: &TenantId, seen: PartyId, viewer: PartyId, language: Language, until: DateTime<Utc>) {
    let (node, tenant) = (app.clone(), tenant.clone());
    let told = app.mailer.post(async move {
        let (state, _) = node.journal.state(&tenant).await?;
        let (Some(seen), Some(viewer)) = (state.party(seen), state.party(viewer)) else {
            return Ok(None);
        };
        let (name, to) = addressee(&node, &tenant, seen).await?;
        let (viewer, _) = addressee(&node, &tenant, viewer).await?;
        let zone = state.zone();
        let until = format!("{} ({zone})", until.with_timezone(&zone).format("%Y-%m-%d %H:%M"));
        let letter = Letter::SeenAs { name, viewer, until };
        Ok(Some(Mail { to, language, letter }))
    });
    if let Err(error) = told {
        tracing::warn!(%error, "a party is not told by mail that a manager sees as it");
    }
}
