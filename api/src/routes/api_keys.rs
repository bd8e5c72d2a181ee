//! API keys. All calls require a session: a key cannot issue, rotate or revoke keys.

use super::pages;
use crate::{
    auth::api_keys::Minted,
    extract::{Filters, JsonBody, PathId, Reading},
    input::api_key::{ApiKeyInput, ApiKeyRotationInput},
    listing::Listing,
    offers,
    parameters::asked,
    policy,
    problem::ApiError,
    registry::Registry,
    submit::{Done, Submit},
};
use actix_web::{HttpResponse, get, post};
use caudal_domain::{
    Command, FieldError, Refusal,
    api_key::{ApiKeyCommand, IssueApiKey},
    ids::{ApiKeyId, PartyId},
    party::Role,
};
use caudal_projections::{
    Scope,
    api_key::{self, ApiKey},
    lists,
};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

asked! {
    ApiKeysParams = lists::API_KEYS;
}

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(list_keys)
        .service(issue_key)
        .service(list_scopes)
        .service(rotate_key)
        .service(revoke_key);
}

/// An API key with its secret.
#[derive(Debug, Serialize, ToSchema)]
pub struct ApiKeyWithSecret {
    /// The key.
    key: ApiKey,
    /// The secret, for the header `Authorization: Bearer`. It is answered once: null when the request is repeated under
    /// the same idempotency key.
    #[schema(example = "caudal_live_9f3c20ab…")]
    secret: Option<String>,
}

/// A call that a scope permits.
#[derive(Debug, Serialize, ToSchema)]
pub struct ScopedCall {
    /// HTTP method.
    #[schema(value_type = String, example = "POST")]
    method: &'static str,
    /// Path as in the OpenAPI document.
    #[schema(value_type = String, example = "/api/remittances")]
    path: &'static str,
}

/// A scope with its calls.
#[derive(Debug, Serialize, ToSchema)]
pub struct ApiKeyScope {
    /// Name: the first part of the calls' path, and `read` for GET or `write` for all other methods.
    #[schema(example = "remittances:write")]
    scope: String,
    /// Calls that it permits to the role.
    calls: Vec<ScopedCall>,
}

/// Scopes that a party's keys can have.
#[derive(Debug, Serialize, ToSchema)]
pub struct ApiKeyScopes {
    /// All of them, by name.
    results: Vec<ApiKeyScope>,
}

/// The party whose keys are asked about.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct ScopesQuery {
    /// Party; absent for the caller.
    party_id: Option<Uuid>,
}

/// API keys: a manager sees all, others see their own.
#[utoipa::path(tag = "Keys", operation_id = "listApiKeys", params(ApiKeysParams),
    responses((status = 200, description = "A page.", body = pages::ApiKeyPage)))]
#[get("/api/keys")]
async fn list_keys(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::API_KEYS, |s, c, q| {
            Box::pin(async move { offers::page(api_key::list(s, c, q).await?, s, c).await })
        })
        .await
}

/// Issue an API key for the caller; a manager also for another party.
///
/// The answer has the secret, which is shown this once. A repetition under the same idempotency key answers without it.
#[utoipa::path(tag = "Keys", operation_id = "issueApiKey", request_body = ApiKeyInput,
    responses((status = 201, description = "Issued.", body = ApiKeyWithSecret)))]
#[post("/api/keys")]
async fn issue_key(submit: Submit, body: JsonBody<ApiKeyInput>) -> Result<HttpResponse, ApiError> {
    // The secret must not be stored with the answer.
    submit.answers_by_record();
    let minted = submit.app.api_keys.mint(&submit.caller.tenant)?;
    let wanted = body.into_inner().command(submit.caller.party, minted.secret.clone())?;
    require_scopes_of_role(&submit, &wanted).await?;
    let command = Command::ApiKey(ApiKeyId::generate(), ApiKeyCommand::Issue(wanted));
    let done = submit.run(command).await?;
    let answer = with_secret(&submit, &done, &minted).await?;
    Ok(HttpResponse::Created().json(answer))
}

/// Scopes that keys of the caller, or of another party, can have. They derive from the calls that the party's role may
/// make; calls that require a session are in none.
#[utoipa::path(tag = "Keys", operation_id = "listApiKeyScopes", params(ScopesQuery),
    responses((status = 200, description = "All of them.", body = ApiKeyScopes)))]
#[get("/api/keys/scopes")]
async fn list_scopes(reading: Reading, query: Filters<ScopesQuery>) -> Result<HttpResponse, ApiError> {
    let caller = &reading.caller;
    let (role, permissions) = match query.0.party_id.map(PartyId) {
        Some(party) if party != caller.party => {
            let (state, _) = reading.app.journal.state(&caller.tenant).await?;
            let party = state.party(party).filter(|_| caller.role == Role::Manager);
            let party = party.ok_or_else(|| Refusal::not_found("party_not_found"))?;
            (party.role, Scope::of(party, &state).permissions)
        }
        _ => (caller.role, caller.permissions),
    };
    let results = policy::scopes(role, permissions)
        .into_iter()
        .map(|(scope, rows)| ApiKeyScope {
            scope,
            calls: rows
                .iter()
                .map(|row| ScopedCall {
                    method: row.method,
                    path: row.path,
                })
                .collect(),
        });
    Ok(HttpResponse::Ok().json(ApiKeyScopes {
        results: results.collect(),
    }))
}

/// Give an API key a new secret. The one before stays valid for the overlap.
///
/// The answer has the secret, which is shown this once. A repetition under the same idempotency key answers without it.
#[utoipa::path(tag = "Keys", operation_id = "rotateApiKey", request_body = ApiKeyRotationInput,
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "Rotated.", body = ApiKeyWithSecret)))]
#[post("/api/keys/{id}/rotate")]
async fn rotate_key(submit: Submit, id: PathId, body: JsonBody<ApiKeyRotationInput>) -> Result<HttpResponse, ApiError> {
    submit.answers_by_record();
    let minted = submit.app.api_keys.mint(&submit.caller.tenant)?;
    let rotation = body.into_inner().command(minted.secret.clone())?;
    let command = Command::ApiKey(ApiKeyId(id.0), ApiKeyCommand::Rotate(rotation));
    let done = submit.run(command).await?;
    Ok(HttpResponse::Ok().json(with_secret(&submit, &done, &minted).await?))
}

/// End an API key at once, on all nodes. It cannot be restored.
#[utoipa::path(tag = "Keys", operation_id = "revokeApiKey", params(("id" = Uuid, Path)),
    responses((status = 200, description = "Revoked.", body = ApiKey)))]
#[post("/api/keys/{id}/revoke")]
async fn revoke_key(submit: Submit, id: PathId) -> Result<HttpResponse, ApiError> {
    let command = Command::ApiKey(ApiKeyId(id.0), ApiKeyCommand::Revoke);
    let done = submit.run(command).await?;
    Ok(HttpResponse::Ok().json(shown(&submit, &done).await?))
}

/// Refuses scopes that the party's role has no calls for. A party outside the caller's scope is left to the decision.
async fn require_scopes_of_role(submit: &Submit, wanted: &IssueApiKey) -> Result<(), ApiError> {
    let caller = &submit.caller;
    if caller.role != Role::Manager && wanted.party != caller.party {
        return Ok(());
    }
    let (state, _) = submit.app.journal.state(&caller.tenant).await?;
    let Some(party) = state.party(wanted.party) else {
        return Ok(());
    };
    let known = policy::scopes(party.role, Scope::of(party, &state).permissions);
    let foreign = wanted.scopes.iter().filter(|scope| !known.contains_key(scope.as_str()));
    let faults: Vec<_> = foreign
        .map(|scope| FieldError {
            field: "scopes".into(),
            code: "scope_not_for_role",
            params: [("scope", scope.to_string())].into(),
        })
        .collect();
    if faults.is_empty() {
        Ok(())
    } else {
        Err(ApiError::all_invalid(faults))
    }
}

async fn with_secret(submit: &Submit, done: &Done, minted: &Minted) -> Result<ApiKeyWithSecret, ApiError> {
    Ok(ApiKeyWithSecret {
        key: shown(submit, done).await?,
        // A repetition minted a secret that no key has.
        secret: (!done.replayed).then(|| minted.text.to_string()),
    })
}

async fn shown(submit: &Submit, done: &Done) -> Result<ApiKey, ApiError> {
    let (mut transaction, scope) = submit.read_back(done).await?;
    let key = api_key::get_key(&mut transaction, &scope, ApiKeyId(done.answer.id)).await?;
    Ok(offers::one(key, &mut transaction, &scope).await?)
}
