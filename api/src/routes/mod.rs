//! Calls of the API, one file per resource. Each file's `configure` registers its handlers, from which the OpenAPI
//! document is also generated; a handler's path is complete (`/api/agency/{id}`), as in the policy table.
//!
//! Handlers are flat: read the input, run the command or query, answer. `#[utoipa::path]` precedes the route's
//! attribute; `tag` and `operation_id` are part of the contract, the doc comment is the summary:
//!
//! ```text
//! /// Add an agency with its login.
//! #[utoipa::path(tag = "Agencies", operation_id = "createAgency", request_body = AgencyInput,
//!                responses((status = 201, description = "The id of the new agency.", body = Created)))]
//! #[post("/api/agency")]
//! async fn create(submit: Submit, body: JsonBody<AgencyInput>) -> Result<HttpResponse, ApiError> { … }
//!
//! pub fn configure(cfg: &mut Registry<'_, '_>) { cfg.service(create); }
//! ```
//!
//! [`crate::openapi`] adds problems, security and common headers to every operation.

mod accounting;
mod agencies;
mod agents;
mod api_keys;
mod approvals;
mod audit;
pub mod auth;
mod balances;
mod business;
mod customers;
mod dashboard;
mod dealers;
mod debits;
mod deposits;
mod document_pictures;
mod documents;
mod dossiers;
mod events;
pub mod feed;
mod files;
mod imports;
mod limits;
mod movements;
mod nomenclators;
mod office;
mod pages;
mod parties;
mod passkeys;
pub mod password_policy;
mod passwords;
mod proofs;
mod quarantine;
mod rates;
mod remittances;
pub mod reports;
mod reviews;
mod screening;
mod second_factor;
mod sessions;
mod sign_on;
mod users;
mod viewing;
mod webhooks;
mod world;

use crate::registry::Registry;

/// Registers all calls. Of two calls that match a path the first one wins: register the more literal one first.
pub fn configure(cfg: &mut Registry<'_, '_>) {
    auth::configure(cfg);
    business::configure(cfg);
    password_policy::configure(cfg);
    passwords::configure(cfg);
    sessions::configure(cfg);
    sign_on::configure(cfg);
    viewing::configure(cfg);
    passkeys::configure(cfg);
    second_factor::configure(cfg);
    users::configure(cfg);
    office::configure(cfg);
    api_keys::configure(cfg);
    webhooks::configure(cfg);
    approvals::configure(cfg);
    limits::configure(cfg);
    reviews::configure(cfg);
    document_pictures::configure(cfg);
    screening::configure(cfg);
    files::configure(cfg);
    imports::configure(cfg);
    events::configure(cfg);
    feed::configure(cfg);
    nomenclators::configure(cfg);
    world::configure(cfg);
    rates::configure(cfg);
    agencies::configure(cfg);
    agents::configure(cfg);
    // Before calls with an id in the same place.
    documents::configure(cfg);
    dealers::configure(cfg);
    customers::configure(cfg);
    dossiers::configure(cfg);
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
