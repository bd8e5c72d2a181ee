//! Forwarding of commands to the node that holds the tenant's writer lease.
//!
//! | Outcome | Action of this node |
//! |---|---|
//! | the other node answers | relays the answer |
//! | the other node is unreachable, or no node of this installation | runs the command here |
//! | the other node answers that it has lost the lease (421), and has run nothing | runs the command here |
//! | the other node loses the lease before it answers, or its answer is lost | runs the command here, under the same idempotency key; a refusal or an error is answered as an unknown outcome |
//!
//! That nothing was done is not final in the last case: the other node may run the command later, when the rules allow it. Repeating
//! the command tells. The other node refuses what it finds in its socket after it stood still, since its lease has ended.
//!
//! Not forwarded: commands without an idempotency key, previews, and uploads, whose bytes would travel twice.

use crate::{
    app::App,
    cluster::{Cluster, Forwarded, NodeAddress, Nonce, RequestLine},
    extract::{read_json_body, tenant_of},
    gate,
    notes::POSITION,
    policy, preview,
    problem::ApiError,
    request_id,
    submit::key_of,
};
use actix_web::{
    HttpMessage as _, HttpRequest, HttpResponse,
    body::{EitherBody, MessageBody},
    dev::{Payload, ServiceRequest, ServiceResponse},
    http::{
        StatusCode,
        header::{self, HeaderName, HeaderValue},
    },
    middleware::Next,
    web::{Bytes, BytesMut, Data},
};
use caudal_domain::ids::TenantId;
use caudal_journal::{SubmitError, Unanswered, Writer};
use futures::stream;
use reqwest::Method;

/// Header of the mutual proof between nodes.
const NODE: HeaderName = HeaderName::from_static("x-caudal-node");

/// Maximum relayed answer: a bulk assignment of 1,000 remittances yields some hundred kilobytes. A larger one is
/// composed here from the idempotency record.
const MAX_ANSWER_BYTES: usize = 8 << 20;

/// Routes whose limits count by client address.
const USERS: &str = "/api/users";

/// Hop-by-hop headers, and those that this node writes.
const NOT_FORWARDED: &[&str] = &[
    "connection",
    "transfer-encoding",
    "content-length",
    "content-encoding",
    "accept-encoding",
    "upgrade",
    "te",
    "trailer",
    "expect",
    "host",
    "cookie",
    "date",
    "vary",
    "traceparent",
    "tracestate",
    "x-request-id",
    "x-caudal-node",
];

/// Middleware: recognises forwarded requests, and proves this node's identity in the answer. Outside of the middleware
/// that renders problems, which replaces answers.
pub async fn prove<B: MessageBody>(
    request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, actix_web::Error> {
    let forwarded = forwarded(request.request());
    if forwarded.is_some() {
        request.extensions_mut().insert(Forwarded);
    }
    let mut response = next.call(request).await?;
    if let Some((app, nonce)) = forwarded {
        let proof = app.cluster.proofs.of_answer(nonce, response.status().as_u16());
        if let Ok(proof) = HeaderValue::from_str(&proof) {
            response.headers_mut().insert(NODE, proof);
        }
    }
    Ok(response)
}

fn forwarded(request: &HttpRequest) -> Option<(Data<App>, Nonce)> {
    let value = request.headers().get(NODE)?.to_str().ok()?;
    let app = App::of(request).ok()?;
    let nonce = app.cluster.proofs.check_request(value, line(request))?;
    Some((app, nonce))
}

/// Whether a forwarded request arrived at a node that has lost the tenant's lease.
fn is_misdirected(request: &HttpRequest) -> bool {
    request.extensions().get::<Forwarded>().is_some()
        && match (App::of(request), tenant_of(request)) {
            (Ok(app), Ok(tenant)) => !app.cluster.leases.accepts_forwarded(&tenant),
            _ => false,
        }
}

/// Middleware: forwards a command to the tenant's writer, which authenticates and authorises it.
pub async fn forward<B: MessageBody>(
    mut request: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<EitherBody<B>>, actix_web::Error> {
    if is_misdirected(request.request()) {
        let answer = HttpResponse::build(StatusCode::MISDIRECTED_REQUEST).finish();
        return Ok(request.into_response(answer).map_into_right_body());
    }
    let mut may_run_elsewhere = false;
    if let Some((app, tenant)) = command(request.request())
        && let Writer::At(holder) = app.cluster.leases.writer_of(&tenant).await
    {
        if let Err(refusal) = gate::check_key_here(request.request()).await {
            return Ok(request.error_response(refusal).map_into_right_body());
        }
        let payload = request.take_payload();
        let body = match read_json_body(request.request(), payload).await {
            Ok(body) => body,
            Err(refusal) => return Ok(request.error_response(refusal).map_into_right_body()),
        };
        let asking = app.cluster.ask(request.request(), &holder.address, body.clone());
        match app.cluster.leases.answer_of(&tenant, &holder, asking).await {
            Ok(answer) => {
                metrics::counter!("caudal_commands_forwarded", "outcome" => "answered").increment(1);
                note_written(request.request(), &app, &answer);
                return Ok(request.into_response(answer).map_into_right_body());
            }
            Err(why) => {
                metrics::counter!("caudal_commands_forwarded", "outcome" => "unanswered").increment(1);
                tracing::warn!(%tenant, node = %holder.address, %why, "a forwarded command is run here");
                may_run_elsewhere = why.leaves_refusals_open();
            }
        }
        request.set_payload(Payload::Stream {
            payload: Box::pin(stream::once(std::future::ready(Ok(body)))),
        });
    }
    let response = next.call(request).await?;
    if may_run_elsewhere && !response.status().is_success() {
        let (request, _) = response.into_parts();
        let unknown = ApiError::from(SubmitError::OutcomeUnknown);
        return Ok(ServiceResponse::from_err(unknown, request).map_into_right_body());
    }
    Ok(response.map_into_left_body())
}

/// Remembers what the session of a forwarded command wrote: its next query may come here.
fn note_written(request: &HttpRequest, app: &App, answer: &HttpResponse) {
    let position = answer
        .headers()
        .get(POSITION)
        .and_then(|value| value.to_str().ok()?.parse().ok());
    if let (Some(position), Some(claims)) = (position, gate::claims(request, app)) {
        app.wrote(&claims.tenant, claims.sid, position);
    }
}

/// Node and tenant of a forwardable request.
fn command(request: &HttpRequest) -> Option<(Data<App>, TenantId)> {
    let path = request.path();
    let is_command = !request.method().is_safe() && policy::has_preview(path) && !path.starts_with(USERS);
    if !is_command || request.extensions().get::<Forwarded>().is_some() || brings_files(request) {
        return None;
    }
    key_of(request).ok()??;
    if preview::is_asked(request).unwrap_or(true) {
        return None;
    }
    Some((App::of(request).ok()?, tenant_of(request).ok()?))
}

fn brings_files(request: &HttpRequest) -> bool {
    let kind = request.headers().get(header::CONTENT_TYPE);
    kind.is_some_and(|kind| !kind.as_bytes().starts_with(b"application/json"))
}

/// Why what came back is no answer.
#[derive(Debug, thiserror::Error)]
enum NoAnswer {
    #[error("what answers there is no node of this installation")]
    NoNode,
    #[error("the answer is larger than what is passed on")]
    TooLarge,
}

fn unanswered(error: reqwest::Error) -> Unanswered {
    if error.is_connect() {
        Unanswered::NotReached(error.into())
    } else {
        Unanswered::AnswerLost(error.into())
    }
}

impl Cluster {
    async fn ask(&self, request: &HttpRequest, holder: &NodeAddress, body: Bytes) -> Result<HttpResponse, Unanswered> {
        let line = line(request);
        let (nonce, proof) = self.proofs.of_request(line);
        let method = Method::from_bytes(line.method.as_bytes()).unwrap_or(Method::POST);
        let mut forwarded = self.client.request(method, holder.with(line.path_and_query));
        for (name, value) in request.headers().iter().filter(|(name, _)| is_forwarded(name)) {
            forwarded = forwarded.header(name.as_str(), value.as_bytes());
        }
        if let Some(parent) = request_id::trace_parent(request) {
            forwarded = forwarded.header("traceparent", parent);
        }
        let mut response = forwarded
            .header(request_id::HEADER.as_str(), request_id::of(request).to_string())
            .header(NODE.as_str(), proof)
            .body(body)
            .send()
            .await
            .map_err(unanswered)?;
        let status = response.status().as_u16();
        let proof = response
            .headers()
            .get(NODE.as_str())
            .and_then(|value| value.to_str().ok());
        if !proof.is_some_and(|proof| self.proofs.check_answer(proof, nonce, status)) {
            return Err(Unanswered::NotReached(NoAnswer::NoNode.into()));
        }
        if status == StatusCode::MISDIRECTED_REQUEST.as_u16() {
            return Err(Unanswered::Misdirected);
        }
        let mut body = BytesMut::new();
        while let Some(chunk) = response.chunk().await.map_err(unanswered)? {
            if body.len() + chunk.len() > MAX_ANSWER_BYTES {
                return Err(Unanswered::AnswerLost(NoAnswer::TooLarge.into()));
            }
            body.extend_from_slice(&chunk);
        }
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::BAD_GATEWAY);
        let mut answer = HttpResponse::build(status);
        for (name, value) in response.headers() {
            let parts = (
                HeaderName::from_bytes(name.as_str().as_bytes()),
                HeaderValue::from_bytes(value.as_bytes()),
            );
            if let (Ok(name), Ok(value)) = parts
                && is_forwarded(&name)
            {
                answer.insert_header((name, value));
            }
        }
        Ok(answer.body(body.freeze()))
    }
}

fn line(request: &HttpRequest) -> RequestLine<'_> {
    let authorization = request.headers().get(header::AUTHORIZATION);
    RequestLine {
        method: request.method().as_str(),
        path_and_query: request.uri().path_and_query().map_or("/", |both| both.as_str()),
        authorization: authorization.map_or(&[], HeaderValue::as_bytes),
    }
}

fn is_forwarded(name: &HeaderName) -> bool {
    !NOT_FORWARDED.contains(&name.as_str())
}
