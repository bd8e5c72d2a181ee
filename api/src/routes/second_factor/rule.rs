//! The tenant's rule: which roles need a second factor, and from which amount on movements ask for a fresh code.

use crate::{
    app::App,
    extract::{Caller, JsonBody},
    input::{merge::Mergeable as _, second_factor::SecondFactorRuleInput},
    problem::ApiError,
    submit::Submit,
};
use actix_web::{HttpResponse, get, put, web::Data};
use caudal_domain::{Command, SecondFactorRule, TenantCommand};
use caudal_projections::{public_events::PublicRole, scalar::Money};
use serde::Serialize;
use utoipa::ToSchema;

/// Roles that need a second factor, and which movements ask for a code of it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SecondFactorRoles {
    /// All of them.
    roles: Vec<PublicRole>,
    /// Smallest movement or payment in USD that asks who has a second factor for a fresh code; null for none.
    code_from: Option<Money>,
}

impl From<&SecondFactorRule> for SecondFactorRoles {
    fn from(rule: &SecondFactorRule) -> Self {
        Self {
            roles: rule.roles.iter().map(|role| (*role).into()).collect(),
            code_from: rule.code_from.map(Into::into),
        }
    }
}

/// Roles whose parties need a second factor to log in, and the amount from which movements and payments ask who has one for
/// a fresh code.
#[utoipa::path(tag = "Second factor", operation_id = "getSecondFactorRoles",
    responses((status = 200, description = "All of them.", body = SecondFactorRoles)))]
#[get("/api/settings/second_factor")]
pub(super) async fn get_rule(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let (state, _) = app.journal.state(&caller.tenant).await?;
    Ok(HttpResponse::Ok().json(SecondFactorRoles::from(state.second_factor_rule())))
}

/// Set the roles whose parties need a second factor to log in, and the amount from which movements and payments ask who has
/// one for a fresh code.
///
/// A party of such a role that has none can only enrol one, from its next call on. API keys go on.
#[utoipa::path(tag = "Second factor", operation_id = "setSecondFactorRoles", request_body = SecondFactorRuleInput,
    responses((status = 200, description = "Set.", body = SecondFactorRoles)))]
#[put("/api/settings/second_factor")]
pub(super) async fn set_rule(submit: Submit, body: JsonBody<SecondFactorRuleInput>) -> Result<HttpResponse, ApiError> {
    let input = body.into_inner();
    let set = submit.amend(async |submit| {
        let (state, _) = submit.app.journal.state(&submit.caller.tenant).await?;
        let stands = state.second_factor_rule();
        let merged = input.clone().merged(|| SecondFactorRuleInput::standing(stands))?;
        let rule = merged.rule(stands)?;
        let answer = SecondFactorRoles::from(&rule);
        submit
            .run(Command::Tenant(TenantCommand::RequireSecondFactor(rule)))
            .await?;
        Ok(answer)
    });
    Ok(HttpResponse::Ok().json(set.await?))
}
