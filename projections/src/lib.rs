//! Read models, their queries, reports and exports.
//!
//! One projector per tenant ([`Projector`]) applies every event to all read models and moves their position in the same
//! transaction. [`Reads`] provides consistent [`ReadTransaction`]s (read transactions), on which each module's queries run
//! with the caller's [`Scope`]. Their results are the API's own shapes.

pub mod accounting;
pub mod api_key;
pub mod attention;
pub mod audit;
mod batch;
pub mod business;
pub mod caught;
pub mod changes;
pub mod closure;
mod codes;
pub mod customer;
pub mod debit;
pub mod document;
pub mod dossier;
pub mod erasure;
mod error;
pub mod export;
pub mod from_log;
pub mod late;
pub mod ledger;
pub mod limit;
mod list;
pub mod lists;
pub mod movement;
mod names;
pub mod news;
pub mod offer;
pub mod page;
pub mod party;
pub mod plaintext;
pub mod print;
mod projector;
pub mod proposal;
pub mod public_events;
pub mod rates;
mod read_transaction;
pub mod reading;
mod reads;
pub mod rebuild;
pub mod reference_data;
pub mod refs;
pub mod remittance;
pub mod report;
mod rows;
pub mod scalar;
mod scope;
pub mod screening;
mod search;
mod sql;
mod standby;
mod table;
mod tally;
mod tenant;
pub mod verify;
pub mod webhook;

pub use error::{ProjectError, READ_RETRY_AFTER, ReadError};
pub use page::{ListQuery, Page};
pub use projector::{
    Lag, MAX_LAG, Progress, Projector, ProjectorState, READ_MODELS_VERSION, TenantStatus, other_version,
};
pub use read_transaction::ReadTransaction;
pub use reads::Reads;
pub use scope::Scope;

/// URL path of a stored file.
fn file_address(id: &str) -> String {
    format!("/api/files/{id}")
}
