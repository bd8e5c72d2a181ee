//! The end of second factors: of the app by its owner, and of all by a manager.

use super::{codes::require_code_or_fresh, end_sessions, tell};
use crate::{
    app::App,
    extract::{Caller, JsonBody, Language, PathId},
    input::second_factor::OptionalSecondFactorCodeInput,
    mail::FactorNotice,
    problem::ApiError,
    submit::Submit,
};
use actix_web::{HttpRequest, HttpResponse, delete, post, web::Data};
use caudal_domain::{Command, ids::PartyId, party::PartyCommand};

/// End the caller's authenticator app with a code; without one, this session needs a fresh one. The other sessions end. A party
/// whose role needs a second factor and who has no passkey is led to enrol another.
#[utoipa::path(tag = "Second factor", operation_id = "removeSecondFactor", request_body = OptionalSecondFactorCodeInput,
    responses((status = 204, description = "Ended.")))]
#[post("/api/second_factor/remove")]
pub(super) async fn remove_second_factor(
    request: HttpRequest,
    submit: Submit,
    body: JsonBody<OptionalSecondFactorCodeInput>,
) -> Result<HttpResponse, ApiError> {
    let (app, caller) = (&submit.app, &submit.caller);
    let code = body.into_inner().optional_code()?;
    let (state, _) = app.journal.state(&caller.tenant).await?;
    let factor = state
        .second_factor(caller.party)
        .ok_or_else(|| ApiError::conflict("second_factor_missing"))?;
    require_code_or_fresh(&request, app, caller, code).await?;
    let command = PartyCommand::RemoveSecondFactor(factor);
    let notice = match state.passkeys(caller.party) {
        [] => FactorNotice::Removed,
        _ => FactorNotice::AppRemoved,
    };
    end(&request, &submit, caller.party, command, notice).await
}

/// End the authenticator app and the passkeys of a party who has lost them. All sessions of the party end, and the party is told by mail.
#[utoipa::path(tag = "Second factor", operation_id = "resetSecondFactor", params(("id" = Uuid, Path)),
    responses((status = 204, description = "Ended.")))]
#[delete("/api/users/{id}/second_factor")]
pub(super) async fn reset_second_factor(
    request: HttpRequest,
    submit: Submit,
    id: PathId,
) -> Result<HttpResponse, ApiError> {
    let party = PartyId(id.0);
    let (state, _) = submit.app.journal.state(&submit.caller.tenant).await?;
    if state.party(party).is_none() {
        return Err(ApiError::not_found("party_not_found"));
    }
    let (command, notice) = (PartyCommand::EndSecondFactors, FactorNotice::RemovedByManager);
    end(&request, &submit, party, command, notice).await
}

/// Ends factors by a command, and deletes what only they needed.
pub(in crate::routes) async fn end(
    request: &HttpRequest,
    submit: &Submit,
    party: PartyId,
    command: PartyCommand,
    notice: FactorNotice,
) -> Result<HttpResponse, ApiError> {
    submit.run(Command::Party(party, command)).await?;
    after_end(&submit.app, &submit.caller, party, notice, Language::of(request)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// What follows the end of a factor: its rows go, other sessions of its party end, and the party is told.
pub(in crate::routes) async fn after_end(
    app: &Data<App>,
    caller: &Caller,
    party: PartyId,
    notice: FactorNotice,
    language: Language,
) -> Result<(), ApiError> {
    let (state, _) = app.journal.state(&caller.tenant).await?;
    if state.second_factors(party).is_empty() {
        app.second_factors.delete_all(&caller.tenant, party).await?;
        app.passkeys.delete_all(&caller.tenant, party).await?;
    }
    end_sessions(app, &caller.tenant, party, caller.session).await?;
    tell(app, &caller.tenant, party, language, notice);
    Ok(())
}
