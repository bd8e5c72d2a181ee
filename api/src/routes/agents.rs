//! Agents, internal and external.

use super::{
    pages,
    parties::{Created, amend, password_policy, register, set_terms},
};
use crate::{
    extract::{JsonBody, PathId, Reading},
    input::{
        party::{AgentChangeInput, AgentInput},
        terms::TermsInput,
    },
    listing::Listing,
    offers,
    parameters::asked,
    problem::ApiError,
    registry::Registry,
    submit::Submit,
};
use actix_web::{HttpResponse, get, post, put};
use caudal_domain::{ids::PartyId, party::Role};
use caudal_projections::{
    lists, movement,
    party::agent::{self, Agent},
};

/// Roles of agents.
const AGENTS: &[Role] = &[Role::ExternalAgent, Role::InternalAgent];

asked! {
    AgentsParams = lists::AGENTS;
    AgentAssignmentsParams = lists::ASSIGNMENTS;
}

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(list_agents)
        .service(create_agent)
        .service(list_balance_assignments)
        .service(set_agent_terms)
        .service(get_agent)
        .service(update_agent);
}

/// Agents with their terms and balances.
#[utoipa::path(tag = "Agents", operation_id = "listAgents",
    params(AgentsParams),
    responses((status = 200, description = "A page.", body = pages::AgentPage)))]
#[get("/api/agent")]
async fn list_agents(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::AGENTS, |s, c, q| {
            Box::pin(async move { offers::page(agent::list(s, c, q).await?, s, c).await })
        })
        .await
}

/// One agent.
#[utoipa::path(tag = "Agents", operation_id = "getAgent", params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "It.", body = Agent)))]
#[get("/api/agent/{id}")]
async fn get_agent(reading: Reading, id: PathId) -> Result<HttpResponse, ApiError> {
    let (mut transaction, scope) = reading.begin().await?;
    Ok(HttpResponse::Ok().json(
        offers::one(
            agent::get(&mut transaction, &scope, PartyId(id.0)).await?,
            &mut transaction,
            &scope,
        )
        .await?,
    ))
}

/// Add an agent.
#[utoipa::path(tag = "Agents", operation_id = "createAgent", request_body = AgentInput,
    responses((status = 201, description = "Added.", body = Created)))]
#[post("/api/agent")]
async fn create_agent(submit: Submit, body: JsonBody<AgentInput>) -> Result<HttpResponse, ApiError> {
    let policy = password_policy(&submit).await?;
    let new = body.into_inner().new_party(PartyId::generate(), policy)?;
    register(&submit, new).await
}

/// Change an agent. Kind and agency are immutable; terms are changed by another call.
#[utoipa::path(tag = "Agents", operation_id = "updateAgent", request_body = AgentChangeInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "Changed.", body = Agent)))]
#[put("/api/agent/{id}")]
async fn update_agent(submit: Submit, id: PathId, body: JsonBody<AgentChangeInput>) -> Result<HttpResponse, ApiError> {
    let (id, input) = (PartyId(id.0), body.into_inner());
    let done = amend(&submit, id, AGENTS, input).await?;
    let (mut transaction, scope) = submit.read_back(&done).await?;
    Ok(HttpResponse::Ok().json(
        offers::one(
            agent::get(&mut transaction, &scope, id).await?,
            &mut transaction,
            &scope,
        )
        .await?,
    ))
}

/// Set an agent's terms for one payment group. An agent sets its own commission and name; the rest is set by its
/// superior.
#[utoipa::path(tag = "Agents", operation_id = "setAgentTerms", request_body = TermsInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "Set.", body = Agent)))]
#[put("/api/agent/exchange_rate/{id}")]
async fn set_agent_terms(submit: Submit, id: PathId, body: JsonBody<TermsInput>) -> Result<HttpResponse, ApiError> {
    let id = PartyId(id.0);
    let done = set_terms(&submit, id, AGENTS, body.into_inner()).await?;
    let (mut transaction, scope) = submit.read_back(&done).await?;
    Ok(HttpResponse::Ok().json(
        offers::one(
            agent::get(&mut transaction, &scope, id).await?,
            &mut transaction,
            &scope,
        )
        .await?,
    ))
}

/// Balance assignments to agents.
#[utoipa::path(tag = "Agents", operation_id = "listAgentBalanceAssignments",
    params(AgentAssignmentsParams),
    responses((status = 200, description = "A page.", body = pages::MovementPage)))]
#[get("/api/agent/balance_assignments")]
async fn list_balance_assignments(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::ASSIGNMENTS, |s, c, q| {
            Box::pin(async move {
                offers::page(movement::assignments(s, c, movement::Receivers::Agents, q).await?, s, c).await
            })
        })
        .await
}
