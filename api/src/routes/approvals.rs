//! Approvals: rules, and the proposals of the commands that they cover (docs/decisions/approvals.md). All calls require a
//! session: a person approves.

use super::{
    customers, pages,
    parties::{LoginChange, addressee},
    screening, second_factor,
};
use crate::{
    app::App,
    cards,
    extract::{Caller, Filters, JsonBody, PathId, Reading},
    figures::Warning,
    input::{
        approval::{ApprovalInput, ApprovalRuleInput, RejectionInput},
        merge::Mergeable as _,
    },
    limits::after_a_rule,
    listing::Listing,
    mail::FactorNotice,
    parameters::asked,
    problem::ApiError,
    registry::Registry,
    submit::{Done, Submit},
};
use actix_web::{HttpResponse, delete, get, post, put, web::Data};
use caudal_domain::{
    Clear, Command, Event, Refusal, StreamId, StreamKind, TenantCommand,
    approval::{ApprovalKind, ApprovalRule, CommandProposed, ProposalCommand, ProposalEvent, ProposedCommand},
    customer::{AddCard, CustomerCommand, DecidePair},
    ids::{ApprovalRuleId, CustomerId, PartyId, ProposalId, TenantId},
    money::Amount,
    office::{self, Permission, Right},
    party::{PartyCommand, PartyDetails, Role},
};
use caudal_projections::{
    caught::{self, CaughtCommands},
    lists,
    proposal::{self, Proposal, PublicApprovalKind},
    public_events::PublicRole,
    scalar::Money,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

asked! {
    ProposalsParams = lists::PROPOSALS;
}

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(list_caught)
        .service(list_rules)
        .service(add_rule)
        .service(change_rule)
        .service(remove_rule)
        .service(list_proposals)
        .service(get_proposal)
        .service(approve)
        .service(reject)
        .service(withdraw);
}

/// A rule of approvals.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = ApprovalRule)]
pub struct RuleView {
    /// UUID.
    id: Uuid,
    /// Kind of commands that the rule covers.
    #[schema(example = "expense")]
    kind: PublicApprovalKind,
    /// Roles of the makers that it covers.
    makers: Vec<PublicRole>,
    /// Smallest covered amount in USD; null for every amount.
    from_amount: Option<Money>,
    /// Role that approves; managers always may.
    approvers: PublicRole,
    /// Hours after which a proposal can't be approved any more.
    #[schema(example = 24)]
    expires_after_hours: u32,
    /// Warnings about the rule; only in the answer to its change.
    warnings: Vec<Warning>,
}

impl RuleView {
    fn of(rule: &ApprovalRule, warnings: Vec<Warning>) -> Self {
        Self {
            id: rule.id.0,
            kind: rule.kind.into(),
            makers: rule.makers.iter().map(|role| (*role).into()).collect(),
            from_amount: rule.from_amount.map(Into::into),
            approvers: rule.approvers.into(),
            expires_after_hours: rule.expires_after_hours,
            warnings,
        }
    }
}

/// A proposal with its command.
#[derive(Debug, Serialize, ToSchema)]
pub struct ProposalDetail {
    #[serde(flatten)]
    proposal: Proposal,
    /// The command as it was given: its name in `command`, and its values, a card's number by its last digits. Null after the
    /// erasure of the person that it is about.
    #[schema(value_type = Option<Object>, example = json!({ "command": "reverse", "reason": "Typing error" }))]
    command: Option<serde_json::Value>,
}

/// All rules of approvals.
#[derive(Debug, Serialize, ToSchema)]
pub struct ApprovalRules {
    /// In the order in which they were added.
    results: Vec<RuleView>,
}

/// Rules of approvals.
#[utoipa::path(tag = "Approvals", operation_id = "listApprovalRules",
    responses((status = 200, description = "All approval rules.", body = ApprovalRules)))]
#[get("/api/approval-rules")]
async fn list_rules(app: Data<App>, caller: Caller) -> Result<HttpResponse, ApiError> {
    let (state, _) = app.journal.state(&caller.tenant).await?;
    let results = state.approval_rules().map(|rule| RuleView::of(rule, Vec::new()));
    Ok(HttpResponse::Ok().json(ApprovalRules {
        results: results.collect(),
    }))
}

/// A rule whose past is asked about.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
struct CaughtQuery {
    /// Kind of commands that the rule covers.
    #[param(value_type = PublicApprovalKind, example = "expense")]
    kind: String,
    /// Roles of the makers that it covers, comma-separated.
    #[param(example = "dealer,delivery_man", pattern = r"^[a-z_]+(,[a-z_]+)*$")]
    makers: String,
    /// Smallest covered amount in USD; absent for every amount. Not for kinds without an amount.
    #[param(value_type = Option<Money>)]
    from_amount: Option<String>,
}

impl CaughtQuery {
    /// The rule; who approves and until when decide nothing about what it covers.
    fn rule(self) -> Result<ApprovalRule, Refusal> {
        let kind = ApprovalKind::ALL.iter().find(|kind| kind.as_str() == self.kind);
        let kind = *kind.ok_or_else(|| Refusal::invalid("kind", "value_unknown"))?;
        let role = |name: &str| Role::ALL.iter().copied().find(|role| role.as_str() == name);
        let names = self.makers.split(',').filter(|name| !name.is_empty());
        let makers: Option<BTreeSet<Role>> = names.map(role).collect();
        let makers = makers.ok_or_else(|| Refusal::invalid("makers", "value_unknown"))?;
        let from = self.from_amount.filter(|amount| !amount.is_empty());
        let from = from.map(|amount| amount.parse::<Amount>()).transpose();
        let rule = ApprovalRule {
            id: ApprovalRuleId::generate(),
            kind,
            makers,
            from_amount: from.map_err(|_| Refusal::invalid("fromAmount", "number_invalid"))?,
            approvers: Role::Manager,
            expires_after_hours: 1,
        };
        rule.validate()?;
        Ok(rule)
    }
}

/// Commands of the last 30 days that a rule would have covered, approved or not: number, sum and the newest. The rule need not
/// exist. Requires the reading of what the rule is about.
#[utoipa::path(tag = "Approvals", operation_id = "listCaughtCommands", params(CaughtQuery),
    responses((status = 200, description = "Number, sum and newest of the commands that the rule would have covered.",
               body = CaughtCommands)))]
#[get("/api/approval-rules/caught")]
async fn list_caught(reading: Reading, query: Filters<CaughtQuery>) -> Result<HttpResponse, ApiError> {
    let rule = query.0.rule()?;
    let (mut transaction, scope) = reading.begin().await?;
    let areas = rule.kind.areas();
    if let (Some(area), false) = (areas.first(), scope.permissions.may_in_one(areas, Right::Read)) {
        let (area, right) = (*area, Right::Read);
        return Err(Refusal::forbidden("permission_missing")
            .with("permission", Permission { area, right })
            .into());
    }
    let (state, _) = reading.app.journal.state(&reading.caller.tenant).await?;
    let now = reading.app.now();
    let (journal, permissions) = (&reading.app.journal, scope.permissions);
    let caught = caught::caught(journal, &mut transaction, &rule, &state, permissions, now).await?;
    Ok(HttpResponse::Ok().json(caught))
}

/// Add a rule of approvals. Commands that it covers answer 202 with a proposal, and take effect when somebody else
/// approves them.
#[utoipa::path(tag = "Approvals", operation_id = "addApprovalRule", request_body = ApprovalRuleInput,
    responses((status = 201, description = "The new approval rule.", body = RuleView)))]
#[post("/api/approval-rules")]
async fn add_rule(submit: Submit, body: JsonBody<ApprovalRuleInput>) -> Result<HttpResponse, ApiError> {
    let rule = body.into_inner().rule(ApprovalRuleId::generate())?;
    let rule = set(&submit, rule).await?;
    Ok(HttpResponse::Created().json(rule))
}

/// Change a rule of approvals. Proposals that wait keep their approvers and their expiry.
#[utoipa::path(tag = "Approvals", operation_id = "changeApprovalRule", request_body = ApprovalRuleInput,
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "The approval rule after the change.", body = RuleView)))]
#[put("/api/approval-rules/{id}")]
async fn change_rule(submit: Submit, id: PathId, body: JsonBody<ApprovalRuleInput>) -> Result<HttpResponse, ApiError> {
    let id = ApprovalRuleId(id.0);
    let input = body.into_inner();
    let amended = submit.amend(async |submit| {
        let (state, _) = submit.app.journal.state(&submit.caller.tenant).await?;
        let Some(stands) = state.approval_rule(id) else {
            // What is wrong by itself is told first.
            input.clone().rule(id)?;
            return Err(Refusal::not_found("approval_rule_not_found").into());
        };
        let rule = input.clone().merged(|| ApprovalRuleInput::standing(stands))?.rule(id)?;
        set(submit, rule).await
    });
    Ok(HttpResponse::Ok().json(amended.await?))
}

async fn set(submit: &Submit, rule: ApprovalRule) -> Result<RuleView, ApiError> {
    let command = Command::Tenant(TenantCommand::SetApprovalRule(rule.clone()));
    let done = submit.run(command).await?;
    let rule = ApprovalRule {
        id: ApprovalRuleId(done.answer.id),
        ..rule
    };
    Ok(RuleView::of(
        &rule,
        Warning::all(done.answer.warnings, submit.language()),
    ))
}

/// Remove a rule of approvals. Proposals that wait keep waiting.
#[utoipa::path(tag = "Approvals", operation_id = "removeApprovalRule", params(("id" = Uuid, Path)),
    responses((status = 204, description = "The approval rule is removed.")))]
#[delete("/api/approval-rules/{id}")]
async fn remove_rule(submit: Submit, id: PathId) -> Result<HttpResponse, ApiError> {
    let command = TenantCommand::RemoveApprovalRule(ApprovalRuleId(id.0));
    submit.run_as_read(Command::Tenant(command)).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Proposals: a manager sees all, an agency also those of its agents that it approves, others their own. Those that wait
/// are counted by `waiting=true`.
#[utoipa::path(tag = "Approvals", operation_id = "listProposals", params(ProposalsParams),
    responses((status = 200, description = "The page of proposals with the count.", body = pages::ProposalPage)))]
#[get("/api/proposals")]
async fn list_proposals(listing: Listing) -> Result<HttpResponse, ApiError> {
    let now = listing.now();
    listing
        .answer(&lists::PROPOSALS, move |s, c, q| Box::pin(proposal::list(s, c, q, now)))
        .await
}

/// One proposal, with its command.
#[utoipa::path(tag = "Approvals", operation_id = "getProposal", params(("id" = Uuid, Path)),
    responses((status = 200, description = "The proposal with its command.", body = ProposalDetail)))]
#[get("/api/proposals/{id}")]
async fn get_proposal(reading: Reading, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = ProposalId(id.0);
    let (mut transaction, scope) = reading.begin().await?;
    let proposal = proposal::get_proposal(&mut transaction, &scope, id, reading.app.now()).await?;
    drop(transaction);
    let stored = stored_command(&reading.app, &reading.caller.tenant, id).await?;
    if proposal.maker.id != scope.party.0 {
        // Kinds of several areas: the command tells which one.
        let (state, _) = reading.app.journal.state(&reading.caller.tenant).await?;
        let reads =
            |stored: &ProposedCommand| office::reads(&stored.clone().into(), scope.party, scope.permissions, &state);
        if !stored.as_ref().is_none_or(reads) {
            return Err(Refusal::not_found("proposal_not_found").into());
        }
    }
    let command = stored.map(|stored| serde_json::to_value(Clear(&stored))).transpose();
    let mut command = command.map_err(ApiError::internal)?;
    command.iter_mut().for_each(cards::mask);
    Ok(HttpResponse::Ok().json(ProposalDetail { proposal, command }))
}

/// Approve a proposal: its command is decided now, as its maker. Its preview has the postings with the present balances.
///
/// If the figures changed since the proposal, it is refused with the current ones and the proposal's (409
/// `quote_changed`). The current ones can be confirmed in `expected`.
#[utoipa::path(tag = "Approvals", operation_id = "approveProposal", request_body = ApprovalInput,
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "The approved proposal; its command was executed.", body = Proposal)))]
#[post("/api/proposals/{id}/approve")]
async fn approve(submit: Submit, id: PathId, body: JsonBody<ApprovalInput>) -> Result<HttpResponse, ApiError> {
    let expected = body.into_inner().expected()?;
    let id = ProposalId(id.0);
    let command = proposed_command(&submit, id).await?;
    let sets_limit = matches!(&command, Command::Tenant(TenantCommand::SetLimitRule(_)));
    let ends_factors_of = match &command {
        Command::Party(party, PartyCommand::EndSecondFactors) => Some(*party),
        _ => None,
    };
    let (app, caller, language) = (submit.app.clone(), submit.caller.clone(), submit.language());
    let submit = submit.expecting(expected);
    if let Command::Customer(customer, CustomerCommand::DecidePair(pair)) = command {
        return approve_pair(&submit, id, customer, pair).await;
    }
    if let Command::Customer(customer, CustomerCommand::AddCard(card)) = command {
        return approve_card(&submit, id, customer, card).await;
    }
    let of_login = match &command {
        Command::Party(party, PartyCommand::Change(change)) => {
            let (state, _) = app.journal.state(&caller.tenant).await?;
            match state.party(*party) {
                None => None,
                Some(before) => {
                    let (name, email) = addressee(&app, &caller.tenant, before).await?;
                    let before = PartyDetails {
                        name,
                        email,
                        ..PartyDetails::default()
                    };
                    Some((*party, LoginChange::of(before, &change.details, false)))
                }
            }
        }
        _ => None,
    };
    let approved = decide(&submit, id, ProposalCommand::Approve(Box::new(command))).await?;
    if sets_limit {
        after_a_rule(&app, &caller.tenant).await;
    }
    if let Some(party) = ends_factors_of {
        second_factor::after_end(&app, &caller, party, FactorNotice::RemovedByManager, language).await?;
    }
    if let Some((party, of_login)) = of_login {
        of_login.follow(&app, &caller, party, language).await?;
    }
    Ok(approved)
}

/// Approves that a customer is somebody else than a listed person: whether others remain is read now. What was held for the
/// customer is released with the last one, as the maker; this approval holds for it.
async fn approve_pair(
    submit: &Submit,
    id: ProposalId,
    customer: CustomerId,
    pair: DecidePair,
) -> Result<HttpResponse, ApiError> {
    require_seen(submit, id).await?;
    let (maker, _) = proposed(&submit.app, &submit.caller.tenant, id).await?;
    let done = submit
        .amend(async |submit| {
            let pair = screening::as_of_now(submit, customer, pair.clone()).await;
            // The customer is not like the listed person any more.
            let pair = pair.map_err(|error| {
                if error.is_not_found() {
                    Refusal::conflict("proposal_outdated").into()
                } else {
                    error
                }
            })?;
            let command = Command::Customer(customer, CustomerCommand::DecidePair(pair));
            let approval = ProposalCommand::Approve(Box::new(command));
            submit.run(Command::Proposal(id, approval)).await
        })
        .await?;
    let approved = decided(submit, id, &done).await?;
    screening::release_cleared(submit, customer, &pair.reason, Some(PartyId(maker)), done.position).await?;
    Ok(approved)
}

/// Approves a card, unless another with its number was added since.
async fn approve_card(
    submit: &Submit,
    id: ProposalId,
    customer: CustomerId,
    card: AddCard,
) -> Result<HttpResponse, ApiError> {
    let approved = submit.amend(async |submit| {
        let card = customers::under_known_id(submit, customer, card.clone()).await?;
        let command = Command::Customer(customer, CustomerCommand::AddCard(card));
        decide(submit, id, ProposalCommand::Approve(Box::new(command))).await
    });
    approved.await
}

/// Reject a proposal. Its maker reads the reason.
#[utoipa::path(tag = "Approvals", operation_id = "rejectProposal", request_body = RejectionInput,
    params(("id" = Uuid, Path)),
    responses((status = 200, description = "The rejected proposal.", body = Proposal)))]
#[post("/api/proposals/{id}/reject")]
async fn reject(submit: Submit, id: PathId, body: JsonBody<RejectionInput>) -> Result<HttpResponse, ApiError> {
    let reason = body.into_inner().reason()?;
    let id = ProposalId(id.0);
    require_seen(&submit, id).await?;
    decide(&submit, id, ProposalCommand::Reject { reason }).await
}

/// Withdraw a proposal of one's own.
#[utoipa::path(tag = "Approvals", operation_id = "withdrawProposal", params(("id" = Uuid, Path)),
    responses((status = 200, description = "The withdrawn proposal.", body = Proposal)))]
#[post("/api/proposals/{id}/withdraw")]
async fn withdraw(submit: Submit, id: PathId) -> Result<HttpResponse, ApiError> {
    let id = ProposalId(id.0);
    require_seen(&submit, id).await?;
    decide(&submit, id, ProposalCommand::Withdraw).await
}

/// Answers 404 for a proposal outside of the caller's scope.
async fn require_seen(submit: &Submit, id: ProposalId) -> Result<Proposal, ApiError> {
    let (mut transaction, scope) = submit.read_now().await?;
    Ok(proposal::get_proposal(&mut transaction, &scope, id, submit.app.now()).await?)
}

/// The proposed command, from the log: the read models have no copy of its personal data.
async fn proposed_command(submit: &Submit, id: ProposalId) -> Result<Command, ApiError> {
    require_seen(submit, id).await?;
    let command = stored_command(&submit.app, &submit.caller.tenant, id).await?;
    Ok(command.ok_or_else(|| Refusal::conflict("proposal_erased"))?.into())
}

/// A proposed command; `None` after the erasure of the person that it is about.
pub(super) async fn stored_command(
    app: &App,
    tenant: &TenantId,
    id: ProposalId,
) -> Result<Option<ProposedCommand>, ApiError> {
    let (_, proposed) = proposed(app, tenant, id).await?;
    Ok(proposed.personal.get().cloned())
}

/// A proposal and its maker, from the log.
async fn proposed(app: &App, tenant: &TenantId, id: ProposalId) -> Result<(Uuid, Box<CommandProposed>), ApiError> {
    let stream = StreamId::new(StreamKind::Proposal, id);
    let events = app.journal.authentic_stream(tenant, stream).await?;
    let proposed = events.into_iter().find_map(|recorded| match recorded.event {
        Event::Proposal(ProposalEvent::CommandProposed(proposed)) => {
            Some((recorded.metadata.actor.parse().ok()?, proposed))
        }
        _ => None,
    });
    proposed.ok_or_else(|| Refusal::not_found("proposal_not_found").into())
}

async fn decide(submit: &Submit, id: ProposalId, command: ProposalCommand) -> Result<HttpResponse, ApiError> {
    let done = submit.run(Command::Proposal(id, command)).await?;
    decided(submit, id, &done).await
}

async fn decided(submit: &Submit, id: ProposalId, done: &Done) -> Result<HttpResponse, ApiError> {
    let (mut transaction, scope) = submit.read_back(done).await?;
    let decided = proposal::get_proposal(&mut transaction, &scope, id, submit.app.now()).await?;
    Ok(HttpResponse::Ok().json(decided))
}
