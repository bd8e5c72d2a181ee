//! The calls, one file a resource. Each file has a `configure` that registers its handlers, from which the OpenAPI
//! document is made too; a handler's path is written whole (`/api/agency/{id}`), as in the policy table.
//!
//! Handlers are flat: read the input, run the command or the query, answer. `#[utoipa::path]` stands above the route's
//! attribute; `tag` and `operation_id` are those of the contract, the doc comment is the summary:
//!
//! ```text
//! /// Makes an agency with its login.
//! #[utoipa::path(tag = "Agencies", operation_id = "createAgency", request_body = AgencyInput,
//!                responses((status = 201, description = "Made.", body = Created)))]
//! #[post("/api/agency")]
//! async fn create(submit: Submit, body: JsonBody<AgencyInput>) -> Result<HttpResponse, ApiError> { … }
//!
//! pub fn configure(cfg: &mut ServiceConfig<'_>) { cfg.service(create); }
//! ```
//!
//! Problems, security and the common headers are added to every operation by [`crate::openapi`].

mod accounting;
mod agencies;
mod agents;
mod audit;
pub mod auth;
mod balances;
mod customers;
mod dashboard;
mod dealers;
mod debits;
mod deposits;
mod documents;
mod events;
mod files;
mod movements;
mod nomenclators;
mod pages;
mod parties;
mod passwords;
mod proofs;
mod quarantine;
mod rates;
mod remittances;
mod reports;
mod users;
mod world;

use utoipa_actix_web::service_config::ServiceConfig;

/// Registers all calls. The order of two calls that fit one path is the order here: the more literal one first.
pub fn configure(cfg: &mut ServiceConfig<'_>) {
    auth::configure(cfg);
    passwords::configure(cfg);
    users::configure(cfg);
    files::configure(cfg);
    events::configure(cfg);
    nomenclators::configure(cfg);
    world::configure(cfg);
    rates::configure(cfg);
    agencies::configure(cfg);
    agents::configure(cfg);
    // Before what takes an id in the same place.
    documents::configure(cfg);
    dealers::configure(cfg);
    customers::configure(cfg);
    remittances::configure(cfg);
    deposits::configure(cfg);
    movements::configure(cfg);
    debits::configure(cfg);
    accounting::configure(cfg);
    balances::configure(cfg);
    dashboard::configure(cfg);
    reports::configure(cfg);
    audit::configure(cfg);
    quarantine::configure(cfg);
    proofs::configure(cfg);
}
