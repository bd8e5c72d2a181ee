//! The HTTP server of a node: its middleware in order, its limits, its way down.

use crate::{
    app::App, deadline, gate, headers, health, metrics, notes, openapi, problem, problem::ApiError, request_id, routes,
};
use actix_web::{
    App as Routing, HttpRequest, HttpResponse, HttpServer,
    dev::{Server, ServerHandle},
    get,
    http::{KeepAlive, header},
    middleware::{Compress, NormalizePath, TrailingSlash, from_fn},
    web::{Bytes, Data},
};
use std::{
    io,
    net::{SocketAddr, TcpListener},
    time::Duration,
};
use utoipa_actix_web::AppExt as _;
use utoipa_swagger_ui::{Config, SwaggerUi};

/// How long a request's head may take to arrive.
const HEAD_PATIENCE: Duration = Duration::from_secs(10);
/// How long an idle connection is kept: a little longer than the proxies in front usually do.
const KEEP_ALIVE: Duration = Duration::from_secs(75);
/// How long requests under way may take once the server goes down.
const DRAIN_SECONDS: u64 = 20;
/// Connections of a worker; with two workers as many as a small machine has file descriptors for.
const CONNECTIONS_PER_WORKER: usize = 10_000;
/// How many workers at most: the work is PostgreSQL's.
const MAX_WORKERS: usize = 16;

/// A server that listens and is yet to be driven: `await` it in a task.
pub struct Listening {
    /// Where it listens.
    pub address: SocketAddr,
    /// Drives it.
    pub server: Server,
    /// Stops it.
    pub handle: ServerHandle,
}

/// Starts to listen.
///
/// # Errors
/// Where the address can't be bound.
pub fn listen(app: Data<App>, address: SocketAddr) -> io::Result<Listening> {
    let listener = TcpListener::bind(address)?;
    let address = listener.local_addr()?;
    let document = Bytes::from(serde_json::to_vec(&openapi::document()?)?);
    let workers = std::thread::available_parallelism()
        .map_or(1, usize::from)
        .min(MAX_WORKERS);
    let server = HttpServer::new(move || {
        let (routing, _) = Routing::new()
            .into_utoipa_app()
            .app_data(app.clone())
            .app_data(Data::new(Document(document.clone())))
            .configure(routes::configure)
            .split_for_parts();
        routing
            .service(describe)
            .service(docs)
            .service(SwaggerUi::new("/api/docs/{_:.*}").config(Config::new(["/api/openapi.json"])))
            .service(health::alive)
            .service(health::ready)
            .service(metrics::show)
            .default_service(actix_web::web::to(interface))
            // The last one is the outermost: first the request's id, last the gate.
            .wrap(from_fn(gate::check))
            .wrap(from_fn(deadline::keep))
            .wrap(from_fn(notes::write))
            .wrap(from_fn(problem::render))
            .wrap(Compress::default())
            .wrap(from_fn(headers::secure))
            .wrap(from_fn(request_id::trace))
            // It changes the request, which it can't once another one holds on to it.
            .wrap(NormalizePath::new(TrailingSlash::Trim))
    })
    .workers(workers)
    .max_connections(CONNECTIONS_PER_WORKER)
    .keep_alive(KeepAlive::Timeout(KEEP_ALIVE))
    .client_request_timeout(HEAD_PATIENCE)
    .shutdown_timeout(DRAIN_SECONDS)
    .disable_signals()
    .listen(listener)?
    .run();
    Ok(Listening {
        address,
        handle: server.handle(),
        server,
    })
}

struct Document(Bytes);

#[get("/api/openapi.json")]
async fn describe(document: Data<Document>) -> HttpResponse {
    HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "application/json"))
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .body(document.0.clone())
}

#[get("/api/docs")]
async fn docs() -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, "/api/docs/index.html"))
        .finish()
}

async fn interface(request: HttpRequest, app: Data<App>) -> Result<HttpResponse, ApiError> {
    if request.path().starts_with("/api") {
        return Err(ApiError::not_found("route_unknown"));
    }
    app.interface.answer(&request)
}
