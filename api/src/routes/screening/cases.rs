//! Cases: customers who are like listed people, and one of them beside these, as a reviewer reads it.

use super::{
    super::{approvals::stored_command, pages},
    ListedEntryView, as_listed,
};
use crate::{
    extract::{Language, PathId, Reading},
    listing::Listing,
    parameters::asked,
    problem::ApiError,
    screening::{Chosen, ListFreshness},
    submit::Submit,
};
use actix_web::{HttpRequest, HttpResponse, get};
use caudal_domain::{
    RefusalKind,
    approval::ProposedCommand,
    ids::{CustomerId, ProposalId, TenantId},
};
use caudal_projections::{
    ReadError, ReadTransaction, Scope,
    customer::{self, Customer},
    lists,
    refs::ReviewFile,
    screening::{self as cases, CaseDetail, ProposedReview, PublicPairOutcome, ScreeningCase},
};
use caudal_screening::Language as Spoken;
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::collections::BTreeMap;
use utoipa::ToSchema;

asked! {
    ScreeningCasesParams = lists::SCREENING_CASES;
}

/// A case with its candidates.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(super) struct ScreeningCaseDetail {
    #[serde(flatten)]
    case: ScreeningCase,
    /// The customer's data, to be compared; null for a deleted customer.
    person: Option<Customer>,
    /// Candidates: open ones first, best first.
    candidates: Vec<ScreeningCandidateView>,
    /// Releases of remittances in review for the match that wait for an approval, oldest first.
    proposed_releases: Vec<ProposedReview>,
}

/// A listed entry that the customer is like.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ScreeningCandidateView {
    #[schema(example = "ofac-sdn")]
    list: String,
    /// The entry's identifier within the list.
    #[schema(example = "18001")]
    entry: String,
    /// The listed name that was most similar when it was found.
    name: String,
    /// Likeness in percent when it was found.
    #[schema(example = 94)]
    score: u8,
    /// Why, by the present data and version of the list; null where they are not alike any more, or the list is gone.
    explanation: Option<String>,
    /// The entry: of a decided pair as it was when decided, of an open one in the present version of the list; null where it is
    /// gone.
    listed: Option<ListedEntryView>,
    /// The decision; null while it is open.
    decision: Option<PairDecisionView>,
    /// The decision that they are two persons, proposed and waiting for its approval; null where none waits. A second one would wait
    /// beside it.
    proposed: Option<ProposedReview>,
}

/// A decision of a pair.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct PairDecisionView {
    #[schema(example = "different")]
    outcome: PublicPairOutcome,
    /// Reason in the reviewer's words.
    reason: String,
    at: DateTime<Utc>,
    by: Option<caudal_projections::refs::Ref>,
    /// Files that the reviewer attached.
    files: Vec<ReviewFile>,
}

/// Customers who are like listed people.
#[utoipa::path(tag = "Screening", operation_id = "listScreeningCases", params(ScreeningCasesParams),
    responses((status = 200, description = "A page.", body = pages::ScreeningCasePage)))]
#[get("/api/screening/cases")]
pub(super) async fn list_cases(listing: Listing) -> Result<HttpResponse, ApiError> {
    let now = listing.now();
    listing
        .answer(&lists::SCREENING_CASES, move |s, c, q| {
            Box::pin(cases::list(s, c, q, now))
        })
        .await
}

/// One customer beside the listed people that the customer is like.
#[utoipa::path(tag = "Screening", operation_id = "getScreeningCase",
    params(("id" = uuid::Uuid, Path, description = "Id of the customer")),
    responses((status = 200, description = "The case.", body = ScreeningCaseDetail)))]
#[get("/api/screening/cases/{id}")]
pub(super) async fn get_case(reading: Reading, request: HttpRequest, id: PathId) -> Result<HttpResponse, ApiError> {
    let (transaction, scope) = reading.begin().await?;
    let language = Language::of(&request);
    let found = detail(
        &reading.app,
        &reading.caller.tenant,
        transaction,
        &scope,
        CustomerId(id.0),
        language,
    )
    .await?;
    Ok(HttpResponse::Ok().json(found))
}

/// The case as it is now.
pub(super) async fn answer_with(submit: &Submit, id: CustomerId) -> Result<HttpResponse, ApiError> {
    let (transaction, scope) = submit.read_now().await?;
    let found = detail(
        &submit.app,
        &submit.caller.tenant,
        transaction,
        &scope,
        id,
        submit.language(),
    )
    .await?;
    Ok(HttpResponse::Ok().json(found))
}

async fn detail(
    app: &crate::app::App,
    tenant: &TenantId,
    mut transaction: ReadTransaction,
    scope: &Scope,
    id: CustomerId,
    language: Language,
) -> Result<ScreeningCaseDetail, ApiError> {
    let CaseDetail {
        case,
        candidates,
        waiting,
    } = cases::get_case(&mut transaction, id, app.now()).await?;
    let person = match customer::get(&mut transaction, scope, id).await {
        Err(ReadError::Refused(refusal)) if refusal.kind == RefusalKind::NotFound => None,
        outcome => Some(outcome?),
    };
    let subject = cases::subjects(&app.journal, &mut transaction, &[id])
        .await?
        .into_iter()
        .next();
    drop(transaction);
    let (mut decisions, mut proposed_releases) = (BTreeMap::new(), Vec::new());
    for proposed in waiting {
        if proposed.remittance.is_some() {
            proposed_releases.push(proposed);
            continue;
        }
        // The pair stands in the proposal's event alone: it is personal data.
        let stored = stored_command(app, tenant, ProposalId(proposed.id)).await?;
        if let Some(ProposedCommand::DecidePair { pair, .. }) = stored {
            decisions.entry((pair.list, pair.entry)).or_insert(proposed);
        }
    }
    let (state, _) = app.journal.state(tenant).await?;
    let lists = app
        .screening
        .lists(tenant, &Chosen::of(&state), ListFreshness::Shown)
        .await?;
    drop(state);
    let spoken = match language {
        Language::Spanish => Spoken::Spanish,
        Language::English => Spoken::English,
    };
    let mut views = Vec::with_capacity(candidates.len());
    for own in candidates {
        let explained = subject
            .as_ref()
            .and_then(|subject| lists.explain(subject, &own.list, &own.entry, spoken));
        let explanation = explained.as_ref().filter(|found| found.score.is_some());
        let when_decided = own.decision.as_ref().and_then(|own| own.listed.clone());
        let entry = when_decided.or_else(|| explained.as_ref().map(|found| as_listed(&found.entry)));
        views.push(ScreeningCandidateView {
            explanation: explanation.map(|found| found.words.clone()),
            listed: entry.map(ListedEntryView::from),
            proposed: decisions.remove(&(own.list.clone(), own.entry.clone())),
            list: own.list,
            entry: own.entry,
            name: own.name,
            score: own.score,
            decision: own.decision.map(|own| PairDecisionView {
                outcome: own.outcome.into(),
                reason: own.reason,
                at: own.at,
                by: own.by,
                files: own.files,
            }),
        });
    }
    Ok(ScreeningCaseDetail {
        case,
        person,
        candidates: views,
        proposed_releases,
    })
}
