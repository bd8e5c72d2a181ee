//! Releases of remittances that were held for a match of which nobody is left to judge.

use super::{
    super::approvals::stored_command,
    cases::{ScreeningCaseDetail, answer_with},
};
use crate::{
    extract::{JsonBody, PathId},
    input::remittance::ReasonInput,
    problem::ApiError,
    submit::{Done, Submit},
};
use actix_web::{HttpResponse, post};
use caudal_domain::{
    Command, Refusal,
    approval::ProposedCommand,
    ids::{CustomerId, PartyId, RemittanceId},
    remittance::{HoldOutcome, RemittanceCommand, ReviewHold},
};
use caudal_projections::screening as cases;
use uuid::Uuid;

/// Release what is still held for a match of which nobody is left to judge: the customer's name or document was corrected, or a
/// list or its threshold changed. Each remittance is released with the reason; where releases need an approval, each is proposed.
#[utoipa::path(tag = "Screening", operation_id = "releaseScreeningHolds", request_body = ReasonInput,
    params(("id" = uuid::Uuid, Path, description = "Id of the customer")),
    responses((status = 200, description = "The screening case after the release.", body = ScreeningCaseDetail)))]
#[post("/api/screening/cases/{id}/release")]
pub(super) async fn release_holds(
    submit: Submit,
    id: PathId,
    body: JsonBody<ReasonInput>,
) -> Result<HttpResponse, ApiError> {
    let reason = body.into_inner().reason()?;
    let id = CustomerId(id.0);
    if let Some(first) = submit.repeats(release_of_none(id, &reason)).await? {
        complete(&submit, id, &reason, &first).await?;
        return answer_with(&submit, id).await;
    }
    let (mut transaction, _) = submit.read_now().await?;
    let journal = &submit.app.journal;
    if !cases::review(journal, &mut transaction, id).await?.is_cleared {
        return Err(Refusal::conflict("screening_case_not_cleared").into());
    }
    let holds = cases::holds_of(journal, &mut transaction, id, i64::MAX).await?;
    drop(transaction);
    if submit.previews() {
        return Err(previewed_releases(&submit, id, holds, &reason).await?);
    }
    let others = released_first(&submit, id, holds, &reason).await?;
    release(&submit, id, others, &reason, None).await?;
    answer_with(&submit, id).await
}

/// Releases what was held for a customer up to the position of the decision by which no candidate is left: as the caller, or as
/// the maker whose decision the caller approved. The caller's approval then holds for the releases too, where a rule covers them.
pub(in crate::routes) async fn release_cleared(
    submit: &Submit,
    id: CustomerId,
    reason: &str,
    maker: Option<PartyId>,
    through: i64,
) -> Result<(), ApiError> {
    let holds = cleared_holds(submit, id, through).await?;
    release(submit, id, holds, reason, maker).await
}

/// Holds of a review that is over, put on up to a position; none while somebody is left to judge.
async fn cleared_holds(submit: &Submit, id: CustomerId, through: i64) -> Result<Vec<(RemittanceId, u32)>, ApiError> {
    let (mut transaction, _) = submit.read_now().await?;
    let journal = &submit.app.journal;
    if !cases::review(journal, &mut transaction, id).await?.is_cleared {
        return Ok(Vec::new());
    }
    Ok(cases::holds_of(journal, &mut transaction, id, through).await?)
}

/// Releases what an earlier sending of the request left held because it failed in between: neither what it released or proposed
/// first, nor what was held since.
async fn complete(submit: &Submit, id: CustomerId, reason: &str, first: &Done) -> Result<(), ApiError> {
    let proposed = match &first.answer.proposal {
        Some(proposal) => stored_command(&submit.app, &submit.caller.tenant, proposal.id).await?,
        None => None,
    };
    let tried = match proposed {
        Some(ProposedCommand::ReviewHold { id, .. }) => id,
        Some(_) | None => RemittanceId(first.answer.id),
    };
    let mut holds = cleared_holds(submit, id, first.position).await?;
    holds.retain(|(remittance, _)| *remittance != tried);
    release(submit, id, holds, reason, None).await
}

/// Tries the releases in their order, up to the first that is done or proposed: its record has the request's own idempotency key,
/// those of the others have keys of parts. So another request under a used key is refused, and a lost answer is asked for by the
/// key. Returns the holds that are left.
async fn released_first(
    submit: &Submit,
    customer: CustomerId,
    holds: Vec<(RemittanceId, u32)>,
    reason: &str,
) -> Result<Vec<(RemittanceId, u32)>, ApiError> {
    if holds.is_empty() {
        return Err(Refusal::conflict("screening_nothing_held").into());
    }
    let mut left = holds.into_iter();
    for (remittance, number) in left.by_ref() {
        match submit.run(release_of(customer, remittance, number, reason)).await {
            Ok(_) => break,
            Err(error) if error.is_proposed() => break,
            // Released, canceled or completed meanwhile.
            Err(error) if error.is_refused() && !error.is_key_reused() => {}
            Err(error) => return Err(error),
        }
    }
    Ok(left.collect())
}

/// The preview of releases together: one that has become impossible is left out of it, as [`release`] leaves it out.
async fn previewed_releases(
    submit: &Submit,
    customer: CustomerId,
    holds: Vec<(RemittanceId, u32)>,
    reason: &str,
) -> Result<ApiError, ApiError> {
    let mut all: Option<ApiError> = None;
    for (remittance, number) in holds {
        let Err(decided) = submit.run(release_of(customer, remittance, number, reason)).await else {
            continue;
        };
        if let Some(view) = decided.preview() {
            all = Some(match all {
                Some(before) => before.with_preview(view.clone()),
                None => decided,
            });
        } else if !decided.is_refused() {
            return Err(decided);
        }
    }
    Ok(all.unwrap_or_else(|| Refusal::conflict("screening_nothing_held").into()))
}

/// A release that is always refused: no remittance has this id, and none a hold of this number.
fn release_of_none(customer: CustomerId, reason: &str) -> Command {
    release_of(customer, RemittanceId(Uuid::nil()), 0, reason)
}

fn release_of(customer: CustomerId, remittance: RemittanceId, number: u32, reason: &str) -> Command {
    let review = ReviewHold {
        number,
        outcome: HoldOutcome::Release,
        reason: reason.to_owned(),
        // They are of the review of the customer, and stand with its decision.
        files: Vec::new(),
        about: Some(customer),
    };
    Command::Remittance(remittance, RemittanceCommand::ReviewHold(review))
}

/// Releases holds of a review that is over, each as a release of its own.
async fn release(
    submit: &Submit,
    customer: CustomerId,
    holds: Vec<(RemittanceId, u32)>,
    reason: &str,
    maker: Option<PartyId>,
) -> Result<(), ApiError> {
    for (remittance, number) in holds {
        let release = release_of(customer, remittance, number, reason);
        let part = format!("{remittance} {number}");
        let outcome = match maker {
            None => submit.run_part(part, release).await.map(|_| ()),
            Some(maker) => submit.run_entailed(maker, part, release).await,
        };
        match outcome {
            // A rule that was made since the decision: the release is proposed.
            Err(error) if error.is_proposed() => {}
            // Released, canceled or completed meanwhile.
            Err(error) if error.is_refused() => {}
            outcome => outcome?,
        }
    }
    Ok(())
}
