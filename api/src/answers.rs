//! Replay of answers: the same idempotency key gets the same answer, byte for byte, for the record's retention.
//!
//! | Request | Answer |
//! |---|---|
//! | first execution | composed by its handler, and stored before it is sent |
//! | repetition | the stored one; composed and stored again if a crash lost it |
//! | repetition that its handler refuses | the stored one: the data may have left the caller's scope |
//!
//! An answer derived from the idempotency record alone, such as that of a sale, is not stored: it is always equal. Nor is
//! an answer with the secret of an API key: a repetition has everything but the secret.

use crate::{app::App, extract::Caller, notes::Notes, preview, problem::ApiError, submit};
use actix_web::{
    HttpMessage as _, HttpRequest, HttpResponse,
    body::{EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{Method, StatusCode, header::ContentType},
    middleware::Next,
    web::Data,
};
use caudal_journal::{AnswerKey, KeptAnswer};
use serde_json::Value;
use std::collections::BTreeSet;
use uuid::Uuid;

/// Middleware: replays stored answers. Placed behind the gate, so that a caller without permission learns nothing.
pub async fn keep<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, actix_web::Error> {
    let asked = KeyedWrite::of(request.request());
    let response = next.call(request).await?;
    let Some(asked) = asked else {
        return Ok(response.map_into_left_body());
    };
    let (notes, status) = (Notes::of(response.request()), response.status());
    let is_done = status.is_success() && notes.is_committed();
    let may_be_done = status.is_client_error() || (is_done && notes.is_replayed());
    if notes.answers_by_record() || !(is_done || may_be_done) {
        return Ok(response.map_into_left_body());
    }
    let (app, tenant) = (&asked.app, &asked.caller.tenant);
    let under = AnswerKey {
        actor: asked.caller.actor(),
        key: asked.key,
        request_digest: submit::request_digest(response.request()),
    };
    if may_be_done {
        match app.journal.kept_answer(tenant, &under).await {
            Ok(Some(kept)) => return Ok(again(response, kept).map_into_right_body()),
            Ok(None) => {}
            Err(error) => return Ok(response.error_response(ApiError::from(error)).map_into_right_body()),
        }
    }
    if !is_done {
        return Ok(response.map_into_left_body());
    }
    let (request, answer) = response.into_parts();
    let (head, body) = answer.into_parts();
    let body = match body.try_into_bytes() {
        Ok(body) => body,
        // A stream; no command is answered by one.
        Err(body) => return Ok(ServiceResponse::new(request, head.set_body(body)).map_into_left_body()),
    };
    let answer = KeptAnswer {
        status: status.as_u16(),
        position: notes.position().unwrap_or_default(),
        body: body.to_vec(),
    };
    let mut mentioned = notes.stream().into_iter().collect();
    if let Ok(value) = serde_json::from_slice(&body) {
        ids_in(&value, &mut mentioned);
    }
    let response = ServiceResponse::new(request, head.set_body(body).map_into_boxed_body());
    match app
        .journal
        .keep_answer(tenant, &under, answer.clone(), &mentioned)
        .await
    {
        Ok(first) if first != answer => Ok(again(response, first).map_into_right_body()),
        Ok(_) => Ok(response.map_into_right_body()),
        Err(error) => {
            tracing::warn!(%tenant, %error, "an answer is not kept; a repetition of its key composes it again");
            Ok(response.map_into_right_body())
        }
    }
}

/// A write under an idempotency key, not a preview, by a caller admitted by the gate.
struct KeyedWrite {
    app: Data<App>,
    caller: Caller,
    key: String,
}

impl KeyedWrite {
    fn of(request: &HttpRequest) -> Option<Self> {
        if request.method() == Method::GET || preview::is_asked(request).unwrap_or(true) {
            return None;
        }
        Some(Self {
            key: submit::key_of(request).ok()??.to_owned(),
            caller: request.extensions().get::<Caller>().cloned()?,
            app: App::of(request).ok()?,
        })
    }
}

/// Replaces an answer by the stored one.
fn again<B>(response: ServiceResponse<B>, kept: KeptAnswer) -> ServiceResponse {
    let (request, _) = response.into_parts();
    Notes::repeated(&request, kept.position);
    let status = StatusCode::from_u16(kept.status).unwrap_or(StatusCode::OK);
    let mut answer = HttpResponse::build(status);
    let answer = if kept.body.is_empty() {
        answer.finish()
    } else {
        answer.content_type(ContentType::json()).body(kept.body)
    };
    ServiceResponse::new(request, answer)
}

/// Ids mentioned in an answer, of people or not.
fn ids_in(value: &Value, ids: &mut BTreeSet<Uuid>) {
    match value {
        Value::String(text) => ids.extend(Uuid::try_parse(text).ok()),
        Value::Array(values) => values.iter().for_each(|value| ids_in(value, ids)),
        Value::Object(fields) => fields.values().for_each(|value| ids_in(value, ids)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
