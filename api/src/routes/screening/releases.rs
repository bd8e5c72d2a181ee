//! Releases of remittances that were held for a match of which nobody is left to judge.

use super::cases::{ScreeningCaseDetail, answer_with};
use crate::{
    extract::{JsonBody, PathId},
    input::remittance::ReasonInput,
    problem::ApiError,
    submit::Submit,
};
use actix_web::{HttpResponse, post};
use caudal_domain::{
    Command, Refusal,
    ids::{CustomerId, PartyId, RemittanceId},
    remittance::{HoldOutcome, RemittanceCommand, ReviewHold},
};
use caudal_projections::screening as cases;

/// Release what is still held for a match of which nobody is left to judge: the customer's name or document was corrected, or a
/// list or its threshold changed. Each remittance is released with the reason; where releases need an approval, each is proposed.
#[utoipa::path(tag = "Screening", operation_id = "releaseScreeningHolds", request_body = ReasonInput,
    params(("id" = uuid::Uuid, Path, description = "Id of the customer")),
    responses((status = 200, description = "The case after it.", body = ScreeningCaseDetail)))]
#[post("/api/screening/cases/{id}/release")]
pub(super) async fn release_holds(
    submit: Submit,
    id: PathId,
    body: JsonBody<ReasonInput>,
) -> Result<HttpResponse, ApiError> {
    let reason = body.into_inner().reason()?;
    let id = CustomerId(id.0);
    let (mut transaction, _) = submit.read_now().await?;
    let found = cases::get_case(&mut transaction, id, submit.app.now()).await?;
    if found.case.status != "cleared" {
        return Err(Refusal::conflict("screening_case_not_cleared").into());
    }
    let holds = cases::holds_of(&mut transaction, id).await?;
    drop(transaction);
    if holds.is_empty() {
        return Err(Refusal::conflict("screening_nothing_held").into());
    }
    if submit.previews() {
        return Err(previewed_releases(&submit, holds, &reason).await?);
    }
    release(&submit, holds, &reason, None).await?;
    answer_with(&submit, id).await
}

/// Releases what was held for a customer once no candidate is left: as the caller, or as the maker whose decision the caller
/// approved. The caller's approval then holds for the releases too, where a rule covers them.
pub(in crate::routes) async fn release_cleared(
    submit: &Submit,
    id: CustomerId,
    reason: &str,
    maker: Option<PartyId>,
) -> Result<(), ApiError> {
    let (mut transaction, _) = submit.read_now().await?;
    let found = cases::get_case(&mut transaction, id, submit.app.now()).await?;
    if found.case.status != "cleared" {
        return Ok(());
    }
    let holds = cases::holds_of(&mut transaction, id).await?;
    drop(transaction);
    release(submit, holds, reason, maker).await
}

/// The preview of releases together: one that has become impossible is left out of it, as [`release`] leaves it out.
async fn previewed_releases(
    submit: &Submit,
    holds: Vec<(RemittanceId, u32)>,
    reason: &str,
) -> Result<ApiError, ApiError> {
    let mut all: Option<ApiError> = None;
    for (remittance, number) in holds {
        let Err(decided) = submit.run(release_of(remittance, number, reason)).await else {
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

fn release_of(remittance: RemittanceId, number: u32, reason: &str) -> Command {
    let review = ReviewHold {
        number,
        outcome: HoldOutcome::Release,
        reason: reason.to_owned(),
        // They are of the review of the customer, and stand with its decision.
        files: Vec::new(),
    };
    Command::Remittance(remittance, RemittanceCommand::ReviewHold(review))
}

/// Releases holds of a review that is over, each as a release of its own.
async fn release(
    submit: &Submit,
    holds: Vec<(RemittanceId, u32)>,
    reason: &str,
    maker: Option<PartyId>,
) -> Result<(), ApiError> {
    for (remittance, number) in holds {
        let release = release_of(remittance, number, reason);
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
