//! HTTP server of a node: middleware order, limits, shutdown.

use crate::{
    answers,
    app::App,
    cell_router, deadline, forward, gate, headers, health, metrics, notes, openapi, path_form, problem,
    problem::ApiError,
    registry::{Groups, Registry},
    request_id,
    routes::{self, feed::LazyTypes},
};
use actix_web::{
    App as Routing, HttpRequest, HttpResponse, HttpServer,
    dev::{Server, ServerHandle},
    get,
    http::{KeepAlive, header},
    middleware::{Compress, NormalizePath, TrailingSlash, from_fn},
    web::{self, Data, ServiceConfig},
};
use std::{
    io,
    net::{SocketAddr, TcpListener},
    time::Duration,
};
use utoipa_swagger_ui::{Config, SwaggerUi};

/// Timeout for receiving a request's head.
const HEAD_PATIENCE: Duration = Duration::from_secs(10);
/// Keep-alive of an idle connection; slightly longer than usual proxies'.
const KEEP_ALIVE: Duration = Duration::from_secs(75);
/// Grace period for running requests at shutdown.
const DRAIN_SECONDS: u64 = 20;
/// Connections per worker; two workers match a small machine's file descriptors.
const CONNECTIONS_PER_WORKER: usize = 10_000;
/// Path of the metrics.
const METRICS: &str = "/metrics";
/// Maximum workers; PostgreSQL does the work.
const MAX_WORKERS: usize = 16;

/// A bound server: `await` it in a task.
pub struct Listening {
    pub address: SocketAddr,
    pub server: Server,
    pub handle: ServerHandle,
}

/// Calls served by a listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// All.
    Whole,
    /// API, interface and health checks.
    Public,
    /// For operators and integrators: metrics, API documentation, health checks.
    Operations,
}

/// Listens for all calls.
///
/// # Errors
/// When the address can't be bound.
pub fn listen(app: Data<App>, address: SocketAddr) -> io::Result<Listening> {
    listen_for(Surface::Whole, app, address)
}

/// Listens for a surface.
///
/// # Errors
/// When the address can't be bound.
pub fn listen_for(surface: Surface, app: Data<App>, address: SocketAddr) -> io::Result<Listening> {
    let listener = TcpListener::bind(address)?;
    let address = listener.local_addr()?;
    let types = Data::new(LazyTypes::new(openapi::public_events::schemas));
    let workers = match surface {
        Surface::Operations => 1,
        Surface::Whole | Surface::Public => std::thread::available_parallelism()
            .map_or(1, usize::from)
            .min(MAX_WORKERS),
    };
    let server = HttpServer::new(move || {
        Routing::new()
            .app_data(app.clone())
            .app_data(app.form_memory.clone())
            .app_data(types.clone())
            .configure(|routes| configure(surface, routes))
            // The last one is the outermost: request id first, then the gate, replays last.
            .wrap(from_fn(answers::keep))
            .wrap(from_fn(gate::check))
            .wrap(from_fn(forward::forward))
            .wrap(from_fn(deadline::keep))
            .wrap(from_fn(notes::write))
            .wrap(from_fn(problem::render))
            .wrap(from_fn(gate::mark))
            .wrap(from_fn(forward::prove))
            .wrap(Compress::default())
            .wrap(from_fn(headers::secure))
            .wrap(from_fn(request_id::trace))
            // Chooses the node for all of the above.
            .wrap(from_fn(cell_router::route))
            // Must come before middlewares that hold a reference to the request, because it changes the path.
            .wrap(NormalizePath::new(TrailingSlash::Trim))
            .wrap(from_fn(path_form::normalise))
    })
    .workers(workers)
    .max_connections(CONNECTIONS_PER_WORKER)
    .keep_alive(KeepAlive::Timeout(KEEP_ALIVE))
    // An answer of several writes would otherwise wait for the client's delayed acknowledgement of the first one.
    .tcp_nodelay(true)
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

/// Registers the calls of a surface.
fn configure(surface: Surface, routes: &mut ServiceConfig) {
    routes.service(health::alive).service(health::ready);
    if surface != Surface::Operations {
        let mut calls = Groups::default();
        routes::configure(&mut Registry::Served(&mut calls));
        calls.serve(routes);
    }
    match surface {
        Surface::Public => {
            // Otherwise the interface would answer.
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

#[get("/api/openapi.json")]
async fn describe() -> Result<HttpResponse, ApiError> {
    let document = openapi::served().map_err(ApiError::internal)?;
    Ok(HttpResponse::Ok()
        .insert_header((header::CONTENT_TYPE, "application/json"))
        .insert_header((header::CACHE_CONTROL, "no-cache"))
        .body(document))
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
