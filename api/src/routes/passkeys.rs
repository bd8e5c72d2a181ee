//! Passkeys: the login by one, those of the caller, and a fresh confirmation by one (docs/decisions/passkeys.md).

use super::{
    auth::{Admitted, Login, attempt, attempt_of_nobody, open_session, password_of},
    parties::addressee,
    second_factor::{FreshSecondFactorCode, IsFirst, end, end_sessions, issue_with_first, own_attempt, spelled, tell},
    users::require_password,
};
use crate::{
    app::App,
    auth::{
        callers::permitted,
        cookies::{Cookies, Sort},
        limits::Shown,
        passkeys::{
            self, Ceremony, LIFETIME, Purpose, RelyingParty, Verdict,
            webauthn::{self, ALGORITHMS, Assertion, Expected},
        },
    },
    extract::{Caller, JsonBody, Language, PathId, tenant_of},
    fresh_code,
    input::passkey::{PasskeyAnswer, PasskeyAnswerInput, PasskeyBeginInput, PasskeyInput},
    mail::FactorNotice,
    problem::ApiError,
    registry::Registry,
    request_id,
    submit::Submit,
};
use actix_web::{HttpRequest, HttpResponse, delete, post, web::Data};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use caudal_domain::{
    Actor, Command, Refusal, TenantState,
    ids::{PartyId, SecondFactorId, TenantId},
    party::{Party, PartyCommand, PartyDetails},
};
use caudal_journal::Submission;
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Uuid;

/// Relying party's name where the tenant has none.
const NAME: &str = "Caudal";

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(begin_login)
        .service(finish_login)
        .service(begin_confirmation)
        .service(finish_confirmation)
        .service(begin_passkey)
        .service(finish_passkey)
        .service(remove_passkey);
}

/// A passkey of the caller.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasskeyView {
    id: Uuid,
    /// Its owner's name for it.
    #[schema(example = "Teléfono")]
    name: String,
    created_at: DateTime<Utc>,
    /// Time of its last use; null before the first.
    used_at: Option<DateTime<Utc>>,
}

impl From<passkeys::Shown> for PasskeyView {
    fn from(shown: passkeys::Shown) -> Self {
        Self {
            id: shown.factor.0,
            name: shown.name,
            created_at: shown.created_at,
            used_at: shown.used_at,
        }
    }
}

/// The begin of a ceremony with a passkey. It ends after five minutes.
#[derive(Serialize, ToSchema)]
pub struct PasskeyCeremony {
    /// To be sent with the answer; null for a login, whose browser has it as a cookie.
    ceremony: Option<String>,
    /// What the browser needs, as JSON of WebAuthn: for `PublicKeyCredential.parseCreationOptionsFromJSON` of a new passkey, else
    /// for `parseRequestOptionsFromJSON`.
    #[schema(value_type = Object)]
    options: Value,
}

/// A new passkey.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasskeyAdded {
    id: Uuid,
    /// Ten codes, shown this once, with the account's first second factor; null otherwise, and when the call is repeated.
    #[schema(example = json!(["abcde-fgh23"]))]
    recovery_codes: Option<Vec<String>>,
}

/// Begin a login by a passkey, which takes no e-mail address and no password. Sets a cookie with which `finishPasskeyLogin` ends
/// it.
#[utoipa::path(tag = "Session", operation_id = "beginPasskeyLogin",
    responses((status = 200, description = "For the browser.", body = PasskeyCeremony)))]
#[post("/api/auth0/passkey")]
async fn begin_login(request: HttpRequest, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let tenant = tenant_of(&request)?;
    let rp = RelyingParty::of(app.public_url.as_ref(), &request)?;
    let (ceremony, text) = app.passkeys.begin(&tenant, Purpose::Login, app.now())?;
    let cookies = Cookies::of(app.public_url.as_ref(), &app.proxies, &request);
    Ok(HttpResponse::Ok()
        .cookie(cookies.set(Sort::Passkey, &text, LIFETIME.num_seconds()))
        .json(PasskeyCeremony {
            ceremony: None,
            options: request_options(&rp, &ceremony, &[]),
        }))
}

/// Log in with a passkey: it is password and second factor in one. Sets the cookies of a login.
#[utoipa::path(tag = "Session", operation_id = "finishPasskeyLogin", request_body = PasskeyAnswerInput,
    responses((status = 200, description = "Logged in.", body = Login)))]
#[post("/api/auth0/passkey/finish")]
async fn finish_login(
    request: HttpRequest,
    app: Data<App>,
    body: JsonBody<PasskeyAnswerInput>,
) -> Result<HttpResponse, ApiError> {
    let (tenant, now) = (tenant_of(&request)?, app.now());
    let answer = body.into_inner().answer()?;
    let rp = RelyingParty::of(app.public_url.as_ref(), &request)?;
    let cookies = Cookies::of(app.public_url.as_ref(), &app.proxies, &request);
    let guess = attempt_of_nobody(&app, &request, &tenant, "passkey");
    let admission = app.code_limits.admit(&guess, now).await?;
    let sent = cookies.sent(&request, Sort::Passkey);
    let ceremony = sent
        .and_then(|text| app.passkeys.ceremony(&tenant, &text, now))
        .filter(|ceremony| ceremony.purpose == Purpose::Login);
    let Some(ceremony) = ceremony else {
        return Err(ApiError::conflict("passkey_expired"));
    };
    let (state, _) = app.journal.state(&tenant).await?;
    let judged = judge(&request, &app, &tenant, &state, &rp, &ceremony, &answer, now).await;
    let (party, factor) = match judged {
        Ok(found) => found,
        Err(error) => {
            admission.counts().await?;
            metrics::counter!("caudal_logins_failed").increment(1);
            tracing::info!(%tenant, way = "passkey", "a login was refused");
            return Err(error);
        }
    };
    admission.succeeded().await?;
    permitted(&state, party.id, now)?;
    let (_, email) = addressee(&app, &tenant, party).await?;
    let admitted = Admitted {
        party: party.clone(),
        password_of: password_of(&app, &tenant, party.id, &email).await?,
        factor: Some(factor),
        account: PartyDetails::normal_email(&email),
        attempt: attempt(&app, &request, &tenant, &email, Shown::Nothing),
        way: "passkey",
        provider: None,
        logout: None,
        session: None,
    };
    let mut answer = open_session(&request, &app, &tenant, admitted, now).await?;
    answer
        .add_cookie(&cookies.remove(Sort::Passkey))
        .map_err(ApiError::internal)?;
    Ok(answer)
}

/// Begin a confirmation by a passkey, for calls that need a fresh code.
#[utoipa::path(tag = "Second factor", operation_id = "beginPasskeyConfirmation",
    responses((status = 200, description = "For the browser.", body = PasskeyCeremony)))]
#[post("/api/second_factor/passkey")]
async fn begin_confirmation(request: HttpRequest, app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let rp = RelyingParty::of(app.public_url.as_ref(), &request)?;
    let (state, _) = app.journal.state(&caller.tenant).await?;
    let in_force = state.passkeys(caller.party);
    let known = app.passkeys.credentials(&caller.tenant, caller.party, in_force).await?;
    if known.is_empty() {
        return Err(ApiError::not_found("passkey_not_found"));
    }
    let purpose = Purpose::Confirm {
        session: caller.session,
    };
    let (ceremony, text) = app.passkeys.begin(&caller.tenant, purpose, app.now())?;
    Ok(HttpResponse::Ok().json(PasskeyCeremony {
        ceremony: Some(text),
        options: request_options(&rp, &ceremony, &known),
    }))
}

/// Confirm by a passkey, in place of a code. It is fresh in this session for five minutes.
#[utoipa::path(tag = "Second factor", operation_id = "finishPasskeyConfirmation", request_body = PasskeyAnswerInput,
    responses((status = 200, description = "Right.", body = FreshSecondFactorCode)))]
#[post("/api/second_factor/passkey/finish")]
async fn finish_confirmation(
    request: HttpRequest,
    app: Data<App>,
    caller: Caller,
    body: JsonBody<PasskeyAnswerInput>,
) -> Result<HttpResponse, ApiError> {
    let (tenant, now) = (&caller.tenant, app.now());
    let answer = body.into_inner().answer()?;
    let rp = RelyingParty::of(app.public_url.as_ref(), &request)?;
    let purpose = Purpose::Confirm {
        session: caller.session,
    };
    let ceremony = answer
        .ceremony
        .as_deref()
        .and_then(|text| app.passkeys.ceremony(tenant, text, now))
        .filter(|ceremony| ceremony.purpose == purpose)
        .ok_or_else(|| ApiError::conflict("passkey_expired"))?;
    let admission = app
        .second_factor_limits
        .admit(&own_attempt(&request, &app, &caller).await?, now)
        .await?;
    let (state, _) = app.journal.state(tenant).await?;
    let judged = judge(&request, &app, tenant, &state, &rp, &ceremony, &answer, now).await;
    let judged = judged.and_then(|(party, factor)| {
        let own = (party.id == caller.party).then_some(factor);
        own.ok_or_else(|| ApiError::forbidden("passkey_refused"))
    });
    let factor = match judged {
        Ok(factor) => factor,
        Err(error) => {
            admission.counts().await?;
            return Err(error);
        }
    };
    admission.succeeded().await?;
    let fresh_until = app
        .second_factors
        .note_code(tenant, caller.session, factor, now)
        .await?;
    Ok(HttpResponse::Ok().json(FreshSecondFactorCode::new(fresh_until)))
}

/// Begin a new passkey. The caller's password is checked as for its change, and a caller with a second factor needs a fresh code.
#[utoipa::path(tag = "Second factor", operation_id = "beginPasskey", request_body = PasskeyBeginInput,
    responses((status = 200, description = "For the browser.", body = PasskeyCeremony)))]
#[post("/api/second_factor/passkeys")]
async fn begin_passkey(
    request: HttpRequest,
    app: Data<App>,
    caller: Caller,
    body: JsonBody<PasskeyBeginInput>,
) -> Result<HttpResponse, ApiError> {
    let password = body.into_inner().password()?;
    let rp = RelyingParty::of(app.public_url.as_ref(), &request)?;
    let (state, _) = app.journal.state(&caller.tenant).await?;
    let party = state
        .party(caller.party)
        .ok_or_else(|| Refusal::not_found("party_not_found"))?;
    let (name, email) = addressee(&app, &caller.tenant, party).await?;
    require_password(&request, &app, &caller, &email, "password", &password).await?;
    let purpose = Purpose::Enrol {
        session: caller.session,
        party: caller.party,
        factor: SecondFactorId::generate(),
    };
    let (ceremony, text) = app.passkeys.begin(&caller.tenant, purpose, app.now())?;
    let in_force = state.passkeys(caller.party);
    let known = app.passkeys.credentials(&caller.tenant, caller.party, in_force).await?;
    let tenant_name = state.tenant().map_or(NAME, |tenant| tenant.name.as_str());
    let handle = app.passkeys.user_handle(&caller.tenant, caller.party);
    let algorithms = ALGORITHMS.map(|alg| json!({"type": "public-key", "alg": alg}));
    let options = json!({
        "rp": {"id": rp.id, "name": tenant_name},
        "user": {"id": BASE64.encode(handle), "name": email, "displayName": name},
        "challenge": ceremony.challenge,
        "pubKeyCredParams": algorithms,
        "timeout": LIFETIME.num_milliseconds(),
        "excludeCredentials": descriptors(&known),
        "authenticatorSelection": {
            "residentKey": "required",
            "requireResidentKey": true,
            "userVerification": "required",
        },
        "attestation": "none",
    });
    Ok(HttpResponse::Ok().json(PasskeyCeremony {
        ceremony: Some(text),
        options,
    }))
}

/// Put a new passkey into force. The first second factor of an account comes with ten recovery codes, which are shown this once,
/// and ends the caller's other sessions. A caller with another needs a fresh code here, too.
#[utoipa::path(tag = "Second factor", operation_id = "finishPasskey", request_body = PasskeyInput,
    responses((status = 201, description = "In force.", body = PasskeyAdded)))]
#[post("/api/second_factor/passkeys/finish")]
async fn finish_passkey(
    request: HttpRequest,
    submit: Submit,
    body: JsonBody<PasskeyInput>,
) -> Result<HttpResponse, ApiError> {
    // Recovery codes must not be stored with the answer.
    submit.answers_by_record();
    let (app, caller) = (&submit.app, &submit.caller);
    let (tenant, party, now) = (&caller.tenant, caller.party, app.now());
    let new = body.into_inner().passkey()?;
    let rp = RelyingParty::of(app.public_url.as_ref(), &request)?;
    let ceremony = app.passkeys.ceremony(tenant, &new.ceremony, now);
    let ceremony = ceremony.ok_or_else(|| ApiError::conflict("passkey_expired"))?;
    let factor = match ceremony.purpose {
        Purpose::Enrol {
            session,
            party: of,
            factor,
        } if session == caller.session && of == party => factor,
        _ => return Err(ApiError::conflict("passkey_expired")),
    };
    let (state, _) = app.journal.state(tenant).await?;
    if state.passkeys(party).contains(&factor) {
        // The answer to the first request was lost.
        return Ok(added(factor, None));
    }
    let challenge = ceremony.challenge()?;
    let expected = Expected {
        challenge: &challenge,
        origin: &rp.origin,
        rp_id: &rp.id,
    };
    let registered = webauthn::register(expected, &new.client_data, &new.attestation).map_err(refused)?;
    fresh_code::require_of(app, caller, &state.second_factors(party)).await?;
    let in_force = state.passkeys(party);
    app.passkeys
        .add(
            tenant,
            (party, factor),
            &ceremony,
            (registered, &new.name),
            in_force,
            now,
        )
        .await?;
    let added_to_log = submit.amend(async |submit| {
        let (state, _) = app.journal.state(tenant).await?;
        let others = state.second_factors(party);
        fresh_code::require_of(app, caller, &others).await?;
        let command = Command::Party(party, PartyCommand::AddPasskey(factor));
        submit.run(command).await?;
        Ok(IsFirst(others.is_empty()))
    });
    let is_first = match added_to_log.await {
        Ok(is_first) => is_first,
        Err(error) => {
            app.passkeys.delete(tenant, party, factor).await?;
            return Err(error);
        }
    };
    let codes = issue_with_first(app, caller, factor, is_first).await?;
    if is_first.0 {
        end_sessions(app, tenant, party, caller.session).await?;
    } else {
        app.callers.forget_party(tenant, party);
    }
    tell(app, tenant, party, Language::of(&request), FactorNotice::PasskeyAdded);
    Ok(added(factor, codes.map(|codes| spelled(&codes))))
}

/// Remove a passkey of the caller. The other sessions end. A party whose role needs a second factor and who has no other is led to
/// enrol one.
#[utoipa::path(tag = "Second factor", operation_id = "removePasskey", params(("id" = Uuid, Path)),
    responses((status = 204, description = "Removed.")))]
#[delete("/api/second_factor/passkeys/{id}")]
async fn remove_passkey(request: HttpRequest, submit: Submit, id: PathId) -> Result<HttpResponse, ApiError> {
    let (factor, party) = (SecondFactorId(id.0), submit.caller.party);
    let command = PartyCommand::RemovePasskey(factor);
    let answer = end(&request, &submit, party, command, FactorNotice::PasskeyRemoved).await?;
    submit.app.passkeys.delete(&submit.caller.tenant, party, factor).await?;
    Ok(answer)
}

fn added(factor: SecondFactorId, recovery_codes: Option<Vec<String>>) -> HttpResponse {
    HttpResponse::Created().json(PasskeyAdded {
        id: factor.0,
        recovery_codes,
    })
}

/// Options of an authentication, by any passkey or by these.
fn request_options(rp: &RelyingParty, ceremony: &Ceremony, known: &[String]) -> Value {
    json!({
        "challenge": ceremony.challenge,
        "rpId": rp.id,
        "timeout": LIFETIME.num_milliseconds(),
        "allowCredentials": descriptors(known),
        "userVerification": "required",
    })
}

fn descriptors(known: &[String]) -> Vec<Value> {
    let descriptor = |id: &String| json!({"type": "public-key", "id": id});
    known.iter().map(descriptor).collect()
}

/// The active party of a right answer, and its passkey. A challenge is used up by it. A counter that went back is recorded.
#[expect(clippy::too_many_arguments, reason = "all that an answer is judged by")]
async fn judge<'b>(
    request: &HttpRequest,
    app: &Data<App>,
    tenant: &TenantId,
    state: &'b TenantState,
    rp: &RelyingParty,
    ceremony: &Ceremony,
    answer: &PasskeyAnswer,
    now: DateTime<Utc>,
) -> Result<(&'b Party, SecondFactorId), ApiError> {
    let unknown = || ApiError::forbidden("passkey_refused");
    let owner = app.passkeys.owner(tenant, &answer.credential).await?;
    let (party, factor) = owner.ok_or_else(unknown)?;
    // The log decides: an ended passkey whose row came back is refused.
    if !state.passkeys(party).contains(&factor) {
        return Err(unknown());
    }
    let party = state.party(party).ok_or_else(unknown)?;
    let handle = app.passkeys.user_handle(tenant, party.id);
    if answer.user_handle.as_ref().is_some_and(|told| *told != handle) {
        return Err(unknown());
    }
    let challenge = ceremony.challenge()?;
    let expected = Expected {
        challenge: &challenge,
        origin: &rp.origin,
        rp_id: &rp.id,
    };
    let assertion = Assertion {
        client_data: &answer.client_data,
        authenticator_data: &answer.authenticator_data,
        signature: &answer.signature,
    };
    let verify = |key: &[u8]| webauthn::authenticate(expected, assertion, key);
    let verdict = app
        .passkeys
        .accept(tenant, &answer.credential, ceremony, now, verify)
        .await?;
    match verdict {
        Verdict::Right if party.is_active => Ok((party, factor)),
        // Told only to who has the passkey.
        Verdict::Right => Err(ApiError::unauthorized("account_inactive")),
        Verdict::Unknown => Err(unknown()),
        Verdict::Used => Err(ApiError::forbidden("passkey_used")),
        Verdict::Invalid(invalid) => Err(refused(invalid)),
        Verdict::CounterWentBack => {
            record_copy(request, app, tenant, party.id, factor).await?;
            Err(ApiError::forbidden("passkey_counter_went_back"))
        }
    }
}

fn refused(invalid: webauthn::Invalid) -> ApiError {
    tracing::info!(%invalid, "an answer of a passkey was refused");
    ApiError::forbidden("passkey_refused")
}

/// Records in the log that there may be a copy of a passkey, and tells its owner.
async fn record_copy(
    request: &HttpRequest,
    app: &Data<App>,
    tenant: &TenantId,
    party: PartyId,
    factor: SecondFactorId,
) -> Result<(), ApiError> {
    let command = Command::Party(party, PartyCommand::RefusePasskey(factor));
    let submission = Submission {
        request_id: request_id::of(request),
        ..Submission::of(Actor::System, command)
    };
    app.checkpoints.compare_before_writing(tenant).await;
    app.journal.submit(tenant, submission).await?;
    tell(app, tenant, party, Language::of(request), FactorNotice::PasskeyRefused);
    Ok(())
}
