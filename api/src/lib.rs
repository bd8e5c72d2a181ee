//! HTTP API and the `caudal` command.
//!
//! A request passes the [`gate`] (policy and token), then its handler in [`routes`] runs a command ([`submit`]) or a
//! query. Errors are problem details ([`problem`]) with codes from one [`catalogue`]. [`extract`] documents how a
//! handler takes its input.

pub mod answers;
pub mod app;
pub mod auth;
pub mod backups;
mod base_url;
pub mod catalogue;
pub mod checkpoints;
pub mod cli;
pub mod cluster;
pub mod continuous;
mod deadline;
pub mod dispatcher;
pub mod divergence;
pub mod doctor;
mod dossier;
pub mod earlier;
pub mod extract;
mod figures;
pub mod files;
mod findings;
mod forward;
pub mod gate;
mod headers;
mod health;
mod images;
pub mod imports;
pub mod input;
pub mod language;
pub mod listing;
pub mod live;
pub mod mail;
mod memory;
pub mod metrics;
pub mod multipart;
mod notes;
mod offers;
pub mod openapi;
mod parameters;
pub mod policy;
mod preview;
pub mod problem;
pub mod proofs;
pub mod proposal_expiry;
pub mod rate_schedule;
pub mod rates;
pub mod request_id;
pub mod routes;
pub mod server;
pub mod settings;
pub mod spa;
pub mod submit;
pub mod telemetry;
mod tls;
pub mod vault;
pub mod verifications;
pub mod waits;
pub mod webhooks;
pub mod witness;
mod world;
mod writes;
mod written;
