//! Decisions whether a customer is a listed person.

use super::{
    super::reviews::require_of,
    as_listed,
    cases::{ScreeningCaseDetail, answer_with},
    releases::release_cleared,
};
use crate::{
    extract::{JsonBody, PathId},
    files::Owner,
    input::screening::PairDecisionInput,
    problem::ApiError,
    screening::{Chosen, ListFreshness},
    submit::Submit,
};
use actix_web::{HttpResponse, post};
use caudal_domain::{
    Command, Refusal,
    customer::{CustomerCommand, DecidePair, PairOutcome},
    ids::CustomerId,
};
use caudal_projections::screening::{self as cases, ReviewedPair};

/// Decide whether the customer is a listed person. When the last candidate is somebody else and another search finds nobody,
/// the remittances that were held for it are released with the same reason. A match that is decided to be the same person keeps
/// the customer in review until it is decided again.
///
/// Where a rule of approvals covers releases, `different` answers 202 with a proposal, whatever its amount from. The customer stays
/// in review until it is approved; the approval holds for the releases.
#[utoipa::path(tag = "Screening", operation_id = "decideScreeningPair", request_body = PairDecisionInput,
    params(("id" = uuid::Uuid, Path, description = "Id of the customer")),
    responses((status = 200, description = "The screening case after the decision.", body = ScreeningCaseDetail)))]
#[post("/api/screening/cases/{id}/decisions")]
pub(super) async fn decide_pair(
    submit: Submit,
    id: PathId,
    body: JsonBody<PairDecisionInput>,
) -> Result<HttpResponse, ApiError> {
    let given = body.into_inner().decision()?;
    let id = CustomerId(id.0);
    require_of(
        &submit.app,
        &submit.caller.tenant,
        Owner::ScreeningReview(id),
        &given.files,
    )
    .await?;
    let (app, tenant) = (&submit.app, &submit.caller.tenant);
    let (state, _) = app.journal.state(tenant).await?;
    let lists = app
        .screening
        .lists(tenant, &Chosen::of(&state), ListFreshness::Shown)
        .await?;
    drop(state);
    let present = lists.entry(&given.list, &given.entry).map(as_listed);
    let given = DecidePair {
        list: given.list,
        entry: given.entry,
        outcome: given.outcome,
        reason: given.reason,
        files: given.files,
        // Until it is read.
        others_remain: true,
        listed: present,
    };
    let done = submit
        .amend(async |submit| {
            let pair = as_of_now(submit, id, given.clone()).await?;
            submit
                .run(Command::Customer(id, CustomerCommand::DecidePair(pair)))
                .await
        })
        .await?;
    submit.read_back(&done).await?;
    release_cleared(&submit, id, &given.reason, None, done.position).await?;
    answer_with(&submit, id).await
}

/// A decision of a pair as it is now: whether other candidates keep the customer in review, by the log. Whom another search finds is
/// recorded.
///
/// # Errors
/// 404 for a pair that is not found any more.
pub(in crate::routes) async fn as_of_now(
    submit: &Submit,
    id: CustomerId,
    given: DecidePair,
) -> Result<DecidePair, ApiError> {
    let (mut transaction, _) = submit.read_now().await?;
    let review = cases::review(&submit.app.journal, &mut transaction, id).await?;
    drop(transaction);
    let is_pair = |own: &ReviewedPair| own.found.list == given.list && own.found.entry == given.entry;
    let Some(own) = review.pairs.iter().find(|own| is_pair(own)) else {
        return Err(Refusal::not_found("screening_case_not_found").into());
    };
    let keeps = |own: &ReviewedPair| own.outcome != Some(PairOutcome::Different) && !is_pair(own);
    let mut others_remain = review.pairs.iter().any(keeps);
    if given.outcome == PairOutcome::Different && !others_remain {
        // The last one that is shown: the search may have been cut to the best ones.
        let (app, tenant) = (&submit.app, &submit.caller.tenant);
        others_remain = app.finds_others(tenant, id, &own.found, !submit.previews()).await?;
    }
    Ok(DecidePair {
        others_remain,
        listed: given.listed.or_else(|| own.listed.clone()),
        ..given
    })
}
