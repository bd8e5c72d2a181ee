//! Processing of remittances: assignment, error, cancellation, delivery, disputes.

use super::{super::pages, Changed, answer};
use crate::{
    catalogue,
    extract::{JsonBody, PathId, PathPart, QueryFields},
    files::{self, Owner},
    input::remittance::{AssignDealerInput, AttemptInput, ReasonInput},
    listing::Listing,
    multipart::Form,
    offers,
    parameters::asked,
    problem::ApiError,
    submit::Submit,
};
use actix_web::{FromRequest, HttpRequest, HttpResponse, dev::Payload, get, post, put, web::Bytes};
use caudal_domain::{
    Command,
    ids::RemittanceId,
    remittance::{
        self as rules, Action, CarriedTerms, CompleteRemittance, Facts, RemittanceCommand, SettleDispute, judge,
    },
};
use caudal_projections::{
    lists,
    remittance::{self, Remittance, RemittanceProof},
};
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::{
    future::{Ready, ready},
    str::FromStr,
};
use utoipa::ToSchema;

asked! {
    DisputesParams = lists::DISPUTES;
}

/// Assign to a dealer, or to one of its delivery men.
#[utoipa::path(tag = "Remittances", operation_id = "assignDealer", request_body = AssignDealerInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "The assigned remittance, with warnings.",
               body = Changed)))]
#[put("/api/remittances/{id}/assign/dealer")]
pub(super) async fn assign_dealer(
    submit: Submit,
    id: PathId,
    body: JsonBody<AssignDealerInput>,
) -> Result<HttpResponse, ApiError> {
    let command = RemittanceCommand::Assign(body.into_inner().command()?);
    act(&submit, id, command).await
}

/// Mark as in error, with the reason.
#[utoipa::path(tag = "Remittances", operation_id = "markRemittanceError", request_body = ReasonInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "The remittance with status error.", body = Remittance)))]
#[put("/api/remittances/{id}/error")]
pub(super) async fn mark_error(
    submit: Submit,
    id: PathId,
    body: JsonBody<ReasonInput>,
) -> Result<HttpResponse, ApiError> {
    let reason = body.into_inner().reason()?;
    act(&submit, id, RemittanceCommand::MarkError { reason }).await
}

/// Cancel, with the reason: the sale is reversed at its original amounts.
#[utoipa::path(tag = "Remittances", operation_id = "cancelRemittance", request_body = ReasonInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "The canceled remittance.", body = Remittance)))]
#[post("/api/remittances/{id}/cancel")]
pub(super) async fn cancel(submit: Submit, id: PathId, body: JsonBody<ReasonInput>) -> Result<HttpResponse, ApiError> {
    let reason = body.into_inner().reason()?;
    act(&submit, id, RemittanceCommand::Cancel { reason }).await
}

/// Proof of a delivery: JPEG, PNG or WebP, at most 5 MB each. `firmPicture` is optional for a card transfer.
#[derive(ToSchema)]
#[allow(dead_code, reason = "only describes the document's schema")]
#[schema(rename_all = "camelCase")]
struct CompleteInput {
    /// Photograph of the identification, or proof of the transfer.
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream", required = false)]
    identification_document: Vec<u8>,
    /// Signature of the recipient.
    #[schema(value_type = String, format = Binary, content_media_type = "application/octet-stream", required = false)]
    firm_picture: Vec<u8>,
    /// Id of a stored file that proves another visible delivery, in place of `identificationDocument`; for several
    /// remittances at one door.
    #[schema(value_type = String, required = false, pattern = "^[0-9a-f]{64}$")]
    identification_document_id: String,
    /// Id of a stored file that proves another visible delivery, in place of `firmPicture`.
    #[schema(value_type = String, required = false, pattern = "^[0-9a-f]{64}$")]
    firm_picture_id: String,
    /// Whether the recipient's authorised representative received it: `true` or `false`.
    #[schema(value_type = String, required = false, pattern = "^(true|false)$")]
    to_representative: String,
    /// Time of an offline delivery, RFC 3339: between the assignment and now, at most 30 days ago. Absent for now.
    #[schema(value_type = String, format = DateTime, required = false)]
    delivered_at: String,
    /// Payout that the caller delivered, as a decimal. If the remittance has another one by now, the delivery is refused
    /// (409 `remittance_was_edited`), or stored as a dispute where `orDispute` is true. Likewise for the other `expected`
    /// fields. Without this one, an offline delivery is compared with what the caller carried at `deliveredAt`.
    #[schema(value_type = String, required = false, pattern = "^[0-9]+([.][0-9]{1,2})?$")]
    expected_payout: String,
    /// Currency of the payout that the caller delivered, such as `CUP`.
    #[schema(value_type = String, required = false, pattern = "^[A-Z]{3}$")]
    expected_currency_to: String,
    /// Id of the recipient to whom the caller delivered.
    #[schema(value_type = uuid::Uuid, required = false)]
    expected_recipient_id: String,
    /// Id of the card to which the caller paid; absent for a home delivery.
    #[schema(value_type = uuid::Uuid, required = false)]
    expected_card_id: String,
    /// Whether it was made offline: `true` or `false`. If the remittance was canceled, reassigned or edited meanwhile, the
    /// delivery is stored with its proof as a dispute (202) instead of being refused. If it was put in review meanwhile, it
    /// is completed, and a manager settles that; with `atOnce` it is refused.
    #[schema(value_type = String, required = false, pattern = "^(true|false)$")]
    or_dispute: String,
}

/// A delivery stored as a dispute until the office settles it.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct DisputedDelivery {
    /// Id of the remittance.
    id: uuid::Uuid,
    /// Human number of the remittance, such as `R-000001`.
    #[schema(example = "R-000001")]
    code: String,
    /// Refusal code of the delivery.
    #[schema(example = "remittance_is_canceled")]
    refused: String,
    /// Text of the refusal in the caller's language.
    detail: String,
    /// Stored proof.
    proof: RemittanceProof,
}

/// Record a failed delivery attempt.
#[utoipa::path(tag = "Remittances", operation_id = "recordDeliveryAttempt", request_body = AttemptInput,
    params(("id" = uuid::Uuid, Path)),
    responses((status = 200, description = "The remittance, which stays in shipping.", body = Remittance)))]
#[post("/api/remittances/{id}/attempts")]
pub(super) async fn record_attempt(
    submit: Submit,
    id: PathId,
    body: JsonBody<AttemptInput>,
) -> Result<HttpResponse, ApiError> {
    let input = body.into_inner();
    let (mut transaction, scope) = submit.read_now().await?;
    let carrying = remittance::carrying(&submit.app.journal, &mut transaction, &scope, RemittanceId(id.0)).await?;
    drop(transaction);
    let attempt = input.command(carrying.since())?;
    act(&submit, id, RemittanceCommand::Attempt(attempt)).await
}

/// Disputed deliveries in the caller's scope: for a dealer, those reported by him or his delivery men.
#[utoipa::path(tag = "Remittances", operation_id = "listDeliveryDisputes", params(DisputesParams),
    responses((status = 200, description = "The page of delivery disputes with the count.",
               body = pages::DeliveryDisputePage)))]
#[get("/api/remittances/disputes")]
pub(super) async fn list_disputes(listing: Listing) -> Result<HttpResponse, ApiError> {
    listing
        .answer(&lists::DISPUTES, |s, c, q| {
            Box::pin(async move { offers::page(remittance::disputes(s, c, q).await?, s, c).await })
        })
        .await
}

/// A settled dispute.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct SettledDispute {
    /// Id of the remittance.
    id: uuid::Uuid,
    /// Number of the dispute within the remittance, from 1.
    number: u32,
}

/// Settle a disputed delivery, with findings and actions taken. Only a manager settles his own.
#[utoipa::path(tag = "Remittances", operation_id = "settleDeliveryDispute", request_body = ReasonInput,
    params(("id" = uuid::Uuid, Path), ("number" = u32, Path, description = "The dispute's number.", minimum = 1)),
    responses((status = 200, description = "Id and number of the settled dispute.", body = SettledDispute)))]
#[put("/api/remittances/{id}/disputes/{number}")]
pub(super) async fn settle_dispute(
    submit: Submit,
    path: PathPart,
    body: JsonBody<ReasonInput>,
) -> Result<HttpResponse, ApiError> {
    let reason = body.into_inner().reason()?;
    let PathPart { id, number } = path;
    let settle = RemittanceCommand::SettleDispute(SettleDispute { number, reason });
    submit.run(Command::Remittance(RemittanceId(id), settle)).await?;
    Ok(HttpResponse::Ok().json(SettledDispute { id, number }))
}

/// Record the delivery with its proof.
#[utoipa::path(tag = "Remittances", operation_id = "completeRemittance",
    request_body(content = CompleteInput, content_type = "multipart/form-data"),
    params(("id" = uuid::Uuid, Path),
        ("atOnce" = Option<bool>, Query,
            description = "Whether this is the first try of a delivery that was made just now: a remittance in review is refused \
                           (409 `remittance_is_held`), as the carrier could know it. It says how the request is sent and not what it \
                           does: a later try without it, under the same idempotency key, is the same request.")),
    responses(
        (status = 200, description = "The completed remittance.", body = Remittance),
        (status = 202, description = "Refused by the remittance's state and kept as a dispute, where `orDispute` is true.",
            body = DisputedDelivery)))]
#[post("/api/remittances/{id}/complete")]
pub(super) async fn complete(
    submit: Submit,
    id: PathId,
    AtOnce(at_once): AtOnce,
    mut form: Form,
) -> Result<HttpResponse, ApiError> {
    form.has_only(&[
        "identificationDocument",
        "firmPicture",
        "identificationDocumentId",
        "firmPictureId",
        "toRepresentative",
        "deliveredAt",
        "orDispute",
        "expectedPayout",
        "expectedCurrencyTo",
        "expectedRecipientId",
        "expectedCardId",
    ])?;
    let to_representative = flag(&mut form, "toRepresentative")?;
    let or_dispute = flag(&mut form, "orDispute")?;
    let delivered_at = moment(&mut form, "deliveredAt")?;
    let expected = CarriedTerms {
        payout: parsed(&mut form, "expectedPayout", "number_invalid")?,
        currency: parsed(&mut form, "expectedCurrencyTo", "currency_code_invalid")?,
        recipient: parsed(&mut form, "expectedRecipientId", "id_invalid")?,
        card: parsed(&mut form, "expectedCardId", "id_invalid")?,
    };
    let identification = Proof::taken(&mut form, "identificationDocument", "identificationDocumentId")?;
    let signature = Proof::taken(&mut form, "firmPicture", "firmPictureId")?;
    let (mut transaction, scope) = submit.read_now().await?;
    let carrying = remittance::carrying(&submit.app.journal, &mut transaction, &scope, RemittanceId(id.0)).await?;
    drop(transaction);
    let carried_since = carrying.since();
    let may_dispute = or_dispute && carried_since.is_some();
    let carried = if may_dispute && expected.payout.is_none() {
        // A telephone of an earlier version does not say what it showed, and not when it was where its time was refused.
        let known = delivered_at.map_or_else(|| carrying.terms_at_unknown_time(), |at| carrying.terms(at));
        known.unwrap_or(expected)
    } else {
        expected
    };
    let completes = |own: &rules::Remittance| judge(scope.caller(), Facts::from(own), Action::Complete).is_ok();
    // Images are not stored for a remittance that can't be completed; the decision gives the reason, or an earlier attempt of this
    // request has completed it.
    let (identification, signature) = if may_dispute || carrying.present().is_some_and(completes) {
        (
            identification.keep(&submit, id).await?,
            signature.keep(&submit, id).await?,
        )
    } else {
        (None, None)
    };
    let proof = RemittanceProof {
        identification_document: identification.as_deref().map(files::address),
        firm_picture: signature.as_deref().map(files::address),
    };
    let complete = CompleteRemittance {
        identification,
        signature,
        to_representative,
        delivered_at,
        carried_since,
        carried,
        or_dispute,
        at_once,
    };
    let command = Command::Remittance(RemittanceId(id.0), RemittanceCommand::Complete(complete));
    let done = submit.run(command).await?;
    let language = submit.language();
    match done.answer.disputed.clone() {
        Some(refused) => Ok(HttpResponse::Accepted().json(DisputedDelivery {
            id: id.0,
            code: done.answer.number.unwrap_or_default(),
            detail: catalogue::text(&refused, language, &Default::default()),
            refused,
            proof,
        })),
        None => answer(&submit, done, RemittanceId(id.0)).await,
    }
}

/// Query parameter of a delivery that is sent the moment it was made. It is no part of the form, whose digest distinguishes
/// requests under one idempotency key: a later try leaves it out.
pub(super) struct AtOnce(bool);

impl FromRequest for AtOnce {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        const FIELD: &str = "atOnce";
        ready(
            QueryFields::read(request.query_string()).and_then(|fields| match fields.get(FIELD) {
                None | Some("false") => Ok(Self(false)),
                Some("true") => Ok(Self(true)),
                Some(_) => Err(ApiError::invalid(FIELD, "boolean_expected")),
            }),
        )
    }
}

/// A boolean form field; false when absent.
fn flag(form: &mut Form, field: &'static str) -> Result<bool, ApiError> {
    match form.take(field).as_deref() {
        None | Some(b"false") => Ok(false),
        Some(b"true") => Ok(true),
        Some(_) => Err(ApiError::invalid(field, "boolean_expected")),
    }
}

/// A form field of text; the code says what is wrong with another one.
fn parsed<T: FromStr>(form: &mut Form, field: &'static str, code: &'static str) -> Result<Option<T>, ApiError> {
    let Some(text) = form.take(field) else { return Ok(None) };
    std::str::from_utf8(&text)
        .ok()
        .and_then(|text| text.parse().ok())
        .map(Some)
        .ok_or_else(|| ApiError::invalid(field, code))
}

/// An RFC 3339 form field.
fn moment(form: &mut Form, field: &'static str) -> Result<Option<DateTime<Utc>>, ApiError> {
    let Some(text) = form.take(field) else { return Ok(None) };
    std::str::from_utf8(&text)
        .ok()
        .and_then(|text| DateTime::parse_from_rfc3339(text).ok())
        .map(|moment| Some(moment.to_utc()))
        .ok_or_else(|| ApiError::invalid(field, "time_invalid"))
}

/// A part of a delivery's proof in the form.
enum Proof {
    /// Nothing.
    None,
    Image(&'static str, Bytes),
    /// Hash of a file that proves another delivery.
    Known(&'static str, String),
}

impl Proof {
    /// An image, or the id of a stored one.
    fn taken(form: &mut Form, image: &'static str, id: &'static str) -> Result<Self, ApiError> {
        match (form.take(image), form.take(id)) {
            (None, None) => Ok(Self::None),
            (Some(content), None) => Ok(Self::Image(image, content)),
            (Some(_), Some(_)) => Err(ApiError::invalid(id, "duplicate")),
            (None, Some(hash)) => {
                let hash = std::str::from_utf8(&hash).map_err(|_| ApiError::invalid(id, "file_not_found"))?;
                Ok(Self::Known(id, hash.to_owned()))
            }
        }
    }

    /// Stores the image for this remittance and returns its hash.
    async fn keep(self, submit: &Submit, id: PathId) -> Result<Option<String>, ApiError> {
        let (app, caller) = (&submit.app, &submit.caller);
        let owner = Owner::Remittance(RemittanceId(id.0));
        match self {
            Self::None => Ok(None),
            Self::Image(field, content) if submit.previews() => {
                Ok(Some(app.files.examine(field, content).await?.0.hash))
            }
            Self::Image(field, content) => {
                let kept = app
                    .files
                    .keep(&caller.tenant, Some(caller.party), field, content, &[owner], app.now())
                    .await?;
                Ok(Some(kept.hash))
            }
            Self::Known(field, hash) => {
                let found = app.files.find(&caller.tenant, &hash).await?;
                let owners = found.map(|(_, owners)| owners).unwrap_or_default();
                if !proves_a_delivery_in_sight(submit, &owners, &hash).await? {
                    return Err(ApiError::invalid(field, "file_not_found"));
                }
                if !submit.previews() {
                    app.files.add_owner(&caller.tenant, &hash, owner).await?;
                }
                Ok(Some(hash))
            }
        }
    }
}

/// Whether a file proves a delivery that the caller sees or reported.
async fn proves_a_delivery_in_sight(submit: &Submit, owners: &[Owner], hash: &str) -> Result<bool, ApiError> {
    let (journal, caller) = (&submit.app.journal, &submit.caller);
    for owner in owners {
        let Owner::Remittance(of) = owner else { continue };
        if remittance::proves(journal, &caller.tenant, &caller.scope(), *of, hash).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Runs the command and answers with the remittance after it.
async fn act(submit: &Submit, id: PathId, command: RemittanceCommand) -> Result<HttpResponse, ApiError> {
    let id = RemittanceId(id.0);
    let done = submit.run(Command::Remittance(id, command)).await?;
    answer(submit, done, id).await
}
