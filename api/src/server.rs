//! The HTTP server of a node: its middleware in order, its limits, its way down.

use crate::{
    answers, app::App, cluster, deadline, gate, headers, health, metrics, notes, openapi, problem, problem::ApiError,
    request_id, routes,
};
use actix_web::{
    App as Routing, HttpRequest, HttpResponse, HttpServer,
    dev::{Server, ServerHandle},
    get,
    http::{KeepAlive, header},
    middleware::{Compress, NormalizePath, TrailingSlash, from_fn},
    web::{self, Bytes, Data, ServiceConfig},
};
use std::{
    io,
    net::{SocketAddr, TcpListener},
    time::Duration,
};
use utoipa_actix_web::service_config::ServiceConfig as DescribedConfig;
use utoipa_swagger_ui::{Config, SwaggerUi};

/// How long a request's head may take to arrive.
const HEAD_PATIENCE: Duration = Duration::from_secs(10);
/// How long an idle connection is kept: a little longer than the proxies in front usually do.
const KEEP_ALIVE: Duration = Duration::from_secs(75);
/// How long requests under way may take once the server goes down.
const DRAIN_SECONDS: u64 = 20;
/// Connections of a worker; with two workers as many as a small machine has file descriptors for.
const CONNECTIONS_PER_WORKER: usize = 10_000;
/// Where the metrics are.
const METRICS: &str = "/metrics";
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

/// What a listener serves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// Everything.
    Whole,
    /// The API, the interface and the health checks.
    Public,
    /// What is for those who run and integrate the service: metrics, the API's pages, the health checks.
    Operations,
}

/// Starts to listen for everything.
///
/// # Errors
/// Where the address can't be bound.
pub fn listen(app: Data<App>, address: SocketAddr) -> io::Result<Listening> {
    listen_for(Surface::Whole, app, address)
}

/// Starts to listen for a part of what there is.
///
/// # Errors
/// Where the address can't be bound.
pub fn listen_for(surface: Surface, app: Data<App>, address: SocketAddr) -> io::Result<Listening> {
    let listener = TcpListener::bind(address)?;
    let address = listener.local_addr()?;
    let document = Bytes::from(serde_json::to_vec(&openapi::document()?)?);
    let workers = match surface {
        Surface::Operations => 1,
        Surface::Whole | Surface::Public => std::thread::available_parallelism()
            .map_or(1, usize::from)
            .min(MAX_WORKERS),
    };
    let server = HttpServer::new(move || {
        Routing::new()
            .app_data(app.clone())
            .app_data(Data::new(Document(document.clone())))
            .configure(|routes| configure(surface, routes))
            // The last one is the outermost: first the request's id, then the gate, last the answers that are repeated.
            .wrap(from_fn(answers::keep))
            .wrap(from_fn(gate::check))
            .wrap(from_fn(cluster::forward))
            .wrap(from_fn(deadline::keep))
            .wrap(from_fn(notes::write))
            .wrap(from_fn(problem::render))
            .wrap(from_fn(gate::mark))
            .wrap(from_fn(cluster::prove))
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

/// Registers what a surface serves.
fn configure(surface: Surface, routes: &mut ServiceConfig) {
    routes.service(health::alive).service(health::ready);
    if surface != Surface::Operations {
        routes::configure(&mut DescribedConfig::new(routes));
    }
    match surface {
        Surface::Public => {
            // The interface would answer for it.
            routes.route(METRICS, web::to(unknown));
        }
        Surface::Whole | Surface::Operations => {
            routes
                .service(describe)
                .service(docs)
                .service(SwaggerUi::new("/api/docs/{_:.*}").config(Config::new(["/api/openapi.json"])))
                .service(metrics::show);
        }
    }
    routes.default_service(match surface {
        Surface::Operations => web::to(unknown),
        Surface::Whole | Surface::Public => web::to(interface),
    });
}

async fn unknown() -> Result<HttpResponse, ApiError> {
    Err(ApiError::not_found("route_unknown"))
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
    match app.interface.answer(&request) {
        Err(missing) if missing.is_not_found() => app.earlier.answer(&request).await.unwrap_or(Err(missing)),
        answer => answer,
    }
}
