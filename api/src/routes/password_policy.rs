//! What a login page needs to know of a tenant, and what its new passwords must be.

use super::sign_on;
use crate::{
    app::App,
    auth::{passkeys::RelyingParty, passwords::lengths},
    extract::{JsonBody, tenant_of},
    input::{
        merge::Mergeable as _,
        password_policy::{PasswordKind, PasswordPolicyInput},
    },
    problem::ApiError,
    registry::Registry,
    submit::Submit,
};
use actix_web::{HttpRequest, HttpResponse, get, put, web::Data};
use caudal_domain::{Command, PasswordPolicy, TenantCommand, TenantState, ids::TenantId};
use serde::Serialize;
use utoipa::ToSchema;

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(get_login_options).service(set_password_policy);
}

/// Rules of new passwords.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PasswordRules {
    policy: PasswordKind,
    /// Least number of characters.
    #[schema(example = 8)]
    min_length: usize,
    /// Greatest number of characters.
    #[schema(example = 15)]
    max_length: usize,
}

impl From<PasswordPolicy> for PasswordRules {
    fn from(policy: PasswordPolicy) -> Self {
        let length = lengths(policy);
        Self {
            policy: policy.into(),
            min_length: *length.start(),
            max_length: *length.end(),
        }
    }
}

/// What a page needs to know before anybody logged in.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct LoginOptions {
    /// Rules of new passwords.
    passwords: PasswordRules,
    /// Host of the provider of single sign-on; null where there is none.
    #[schema(example = "login.example")]
    sign_on: Option<String>,
    /// Whether passkeys log in on this address.
    passkeys: bool,
}

/// What new passwords of a tenant must be; the default for a tenant that does not exist, whose absence is not told.
pub(super) async fn policy_of(app: &App, tenant: &TenantId) -> Result<PasswordPolicy, ApiError> {
    Ok(known(app, tenant)
        .await?
        .map_or_else(Default::default, |state| state.password_policy()))
}

/// A tenant's state; `None` for a tenant that does not exist.
async fn known(app: &App, tenant: &TenantId) -> Result<Option<TenantState>, ApiError> {
    match app.journal.state(tenant).await.map_err(ApiError::from) {
        Ok((state, _)) => Ok(Some(state)),
        Err(error) if error.code() == "tenant_unknown" => Ok(None),
        Err(error) => Err(error),
    }
}

/// What a login page needs to know of a tenant. A tenant that does not exist has the default values.
#[utoipa::path(tag = "Session", operation_id = "getLoginOptions",
    responses((status = 200, description = "The options.", body = LoginOptions)))]
#[get("/api/auth0/options")]
async fn get_login_options(request: HttpRequest, app: Data<App>) -> Result<HttpResponse, ApiError> {
    let passkeys = RelyingParty::find(app.public_url.as_ref(), &request).is_some();
    let options = match known(&app, &tenant_of(&request)?).await? {
        Some(state) => LoginOptions {
            passwords: state.password_policy().into(),
            sign_on: sign_on::offered(&state),
            passkeys,
        },
        None => LoginOptions {
            passwords: PasswordPolicy::default().into(),
            sign_on: None,
            passkeys,
        },
    };
    Ok(HttpResponse::Ok().json(options))
}

/// Set what new passwords must be. Existing ones stay valid.
#[utoipa::path(tag = "Session", operation_id = "setPasswordPolicy", request_body = PasswordPolicyInput,
    responses((status = 200, description = "Set.", body = PasswordRules)))]
#[put("/api/settings/passwords")]
async fn set_password_policy(submit: Submit, body: JsonBody<PasswordPolicyInput>) -> Result<HttpResponse, ApiError> {
    let input = body.into_inner();
    let amended = submit.amend(async |submit| {
        let (state, _) = submit.app.journal.state(&submit.caller.tenant).await?;
        let stands = state.password_policy();
        drop(state);
        let policy = input
            .clone()
            .merged(|| PasswordPolicyInput::standing(stands))?
            .policy()?;
        submit
            .run(Command::Tenant(TenantCommand::SetPasswordPolicy(policy)))
            .await?;
        Ok(policy)
    });
    let policy = amended.await?;
    Ok(HttpResponse::Ok().json(PasswordRules::from(policy)))
}
