//! Limits: rules, and reviews of what they hold (docs/decisions/limits.md). All calls require a session.

use super::reviews::require_of;
use crate::{
    app::App,
    extract::{Caller, JsonBody, PathId, PathPart, Reading},
    files::Owner,
    input::{
        limit::{HoldReview, HoldReviewInput, LimitRuleInput},
        merge::Mergeable as _,
        remittance::ReasonInput,
    },
    limits::after_a_rule,
    problem::ApiError,
    registry::Registry,
    submit::Submit,
};
use actix_web::{HttpResponse, delete, get, post, put, web::Data};
use caudal_domain::{
    Command, Refusal, TenantCommand,
    ids::{LimitRuleId, RemittanceId},
    limits::LimitRule,
    remittance::{HoldReason, HoldRemittance, RemittanceCommand, ReviewHold},
};
use caudal_projections::{
    limit::{PublicLimitNeed, PublicLimitOutcome, PublicLimitSide, PublicLimitWindow},
    remittance::{self, RemittanceHold},
    scalar::Money,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(list_rules)
        .service(add_rule)
        .service(change_rule)
        .service(remove_rule)
        .service(list_holds)
        .service(hold)
        .service(review_hold)
        .service(settle_breach);
}

/// A rule of limits.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = LimitRule)]
pub struct RuleView {
    /// UUID.
    id: Uuid,
    /// The customer of a sale that it is about.
    side: PublicLimitSide,
    /// What it adds up.
    #[schema(example = "days30")]
    window: PublicLimitWindow,
    /// Ids of the payment groups whose sales count; empty for all.
    groups: Vec<Uuid>,
    /// Largest allowed sum of amounts sent, in USD; null for any.
    amount: Option<Money>,
    /// Largest allowed number of remittances; null for any.
    #[schema(example = 10)]
    count: Option<u32>,
    /// What happens to a sale beyond it.
    outcome: PublicLimitOutcome,
    /// What a sale beyond it needs; empty unless the outcome is `needs`.
    needs: Vec<PublicLimitNeed>,
}

impl From<&LimitRule> for RuleView {
    fn from(rule: &LimitRule) -> Self {
        Self {
            id: rule.id.0,
            side: rule.side.into(),
            window: rule.window.into(),
            groups: rule.groups.iter().map(|group| group.0).collect(),
            amount: rule.amount.map(Into::into),
            count: rule.count,
            outcome: rule.outcome.into(),
            needs: rule.needs.iter().map(|need| (*need).into()).collect(),
        }
    }
}

/// All rules of limits.
#[derive(Debug, Serialize, ToSchema)]
pub struct LimitRules {
    /// In the order in which they were added.
    results: Vec<RuleView>,
}

/// All holds of a remittance.
#[derive(Debug, Serialize, ToSchema)]
pub struct RemittanceHolds {
    /// Oldest first.
    results: Vec<RemittanceHold>,
}

/// Rules of limits.
#[utoipa::path(tag = "Limits", operation_id = "listLimitRules",
    responses((status = 200, description = "All rules.", body = LimitRules)))]
#[get("/api/limit-rules")]
async fn list_rules(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let (state, _) = app.journal.state(&caller.tenant).await?;
    let results = state.limits().rules().map(RuleView::from).collect();
    Ok(HttpResponse::Ok().json(LimitRules { results }))
}

/// Add a rule of limits. It is applied to the next sale, and knows the sales before it. Customers of before the first rule are
/// identified by their documents; in a large business that goes on for some seconds after the answer.
#[utoipa::path(tag = "Limits", operation_id = "addLimitRule", request_body = LimitRuleInput,
    responses((status = 201, description = "Added.", body = RuleView)))]
#[post("/api/limit-rules")]
async fn add_rule(submit: Submit, body: JsonBody<LimitRuleInput>) -> Result<HttpResponse, ApiError> {
    let rule = body.into_inner().rule(LimitRuleId::generate())?;
    let rule = set(&submit, rule).await?;
    after_a_rule(&submit.app, &submit.caller.tenant).await;
    Ok(HttpResponse::Created().json(rule))
}

/// Change a rule of limits. What it held stays held.
#[utoipa::path(tag = "Limits", operation_id = "changeLimitRule", request_body = LimitRuleInput,
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "Changed.", body = RuleView)))]
#[put("/api/limit-rules/{id}")]
async fn change_rule(submit: Submit, id: PathId, body: JsonBody<LimitRuleInput>) -> Result<HttpResponse, ApiError> {
    let id = LimitRuleId(id.0);
    let input = body.into_inner();
    let amended = submit.amend(async |submit| {
        let (state, _) = submit.app.journal.state(&submit.caller.tenant).await?;
        let Some(stands) = state.limits().rule(id) else {
            // What is wrong by itself is told first.
            input.clone().rule(id)?;
            return Err(Refusal::not_found("limit_rule_not_found").into());
        };
        let rule = input.clone().merged(|| LimitRuleInput::standing(stands))?.rule(id)?;
        set(submit, rule).await
    });
    let rule = amended.await?;
    after_a_rule(&submit.app, &submit.caller.tenant).await;
    Ok(HttpResponse::Ok().json(rule))
}

async fn set(submit: &Submit, rule: LimitRule) -> Result<RuleView, ApiError> {
    let command = Command::Tenant(TenantCommand::SetLimitRule(rule.clone()));
    let done = submit.run(command).await?;
    let rule = LimitRule {
        id: LimitRuleId(done.answer.id),
        ..rule
    };
    Ok(RuleView::from(&rule))
}

/// Remove a rule of limits. What it held stays held.
#[utoipa::path(tag = "Limits", operation_id = "removeLimitRule", params(("id" = Uuid, Path)),
    responses((status = 204, description = "Removed.")))]
#[delete("/api/limit-rules/{id}")]
async fn remove_rule(submit: Submit, id: PathId) -> Result<HttpResponse, ApiError> {
    let command = TenantCommand::RemoveLimitRule(LimitRuleId(id.0));
    submit.run_as_read(Command::Tenant(command)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Holds of a remittance, open and released.
#[utoipa::path(tag = "Limits", operation_id = "listRemittanceHolds", params(("id" = Uuid, Path)),
    responses((status = 200, description = "All holds.", body = RemittanceHolds)))]
#[get("/api/remittances/{id}/holds")]
async fn list_holds(reading: Reading, id: PathId) -> Result<HttpResponse, ApiError> {
    let (mut transaction, scope) = reading.begin().await?;
    let results = remittance::holds(&mut transaction, &scope, RemittanceId(id.0)).await?;
    Ok(HttpResponse::Ok().json(RemittanceHolds { results }))
}

/// Put a remittance in review, with the reason: until the hold is released it can be canceled, and not assigned, completed or
/// edited. Each call adds a hold.
#[utoipa::path(tag = "Limits", operation_id = "holdRemittance", request_body = ReasonInput,
    params(("id" = Uuid, Path)),
    responses((status = 201, description = "In review.", body = RemittanceHolds)))]
#[post("/api/remittances/{id}/holds")]
async fn hold(submit: Submit, id: PathId, body: JsonBody<ReasonInput>) -> Result<HttpResponse, ApiError> {
    let hold = HoldRemittance {
        reason: HoldReason::Manual,
        reference: None,
        note: body.into_inner().reason()?,
    };
    let id = RemittanceId(id.0);
    let done = submit
        .run(Command::Remittance(id, RemittanceCommand::Hold(hold)))
        .await?;
    let (mut transaction, scope) = submit.read_back(&done).await?;
    let results = remittance::holds(&mut transaction, &scope, id).await?;
    Ok(HttpResponse::Created().json(RemittanceHolds { results }))
}

/// Review a hold: release it, or keep it with a reason. The remittance moves again when no hold is open.
#[utoipa::path(tag = "Limits", operation_id = "reviewRemittanceHold", request_body = HoldReviewInput,
    params(("id" = Uuid, Path), ("number" = u32, Path, description = "The hold's number.", minimum = 1)),
    responses((status = 200, description = "Reviewed.", body = RemittanceHolds)))]
#[post("/api/remittances/{id}/holds/{number}/review")]
async fn review_hold(
    submit: Submit,
    path: PathPart,
    body: JsonBody<HoldReviewInput>,
) -> Result<HttpResponse, ApiError> {
    let HoldReview { outcome, reason, files } = body.into_inner().review()?;
    let PathPart { id, number } = path;
    let id = RemittanceId(id);
    require_of(&submit.app, &submit.caller.tenant, Owner::HoldReview(id), &files).await?;
    let review = ReviewHold {
        number,
        outcome,
        reason,
        files,
    };
    let command = Command::Remittance(id, RemittanceCommand::ReviewHold(review));
    let done = submit.run(command).await?;
    let (mut transaction, scope) = submit.read_back(&done).await?;
    let results = remittance::holds(&mut transaction, &scope, id).await?;
    Ok(HttpResponse::Ok().json(RemittanceHolds { results }))
}

/// A settled delivery of a remittance that was in review.
#[derive(Debug, Serialize, ToSchema)]
struct SettledBreach {
    /// Id of the remittance.
    id: Uuid,
}

/// Settle a delivery that was made offline while the remittance was in review, with findings and actions taken.
#[utoipa::path(tag = "Limits", operation_id = "settleHoldBreach", request_body = ReasonInput,
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "Settled.", body = SettledBreach)))]
#[put("/api/remittances/{id}/breach")]
async fn settle_breach(submit: Submit, id: PathId, body: JsonBody<ReasonInput>) -> Result<HttpResponse, ApiError> {
    let reason = body.into_inner().reason()?;
    let settle = RemittanceCommand::SettleHoldBreach { reason };
    submit.run(Command::Remittance(RemittanceId(id.0), settle)).await?;
    Ok(HttpResponse::Ok().json(SettledBreach { id: id.0 }))
}
