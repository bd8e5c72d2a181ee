//! The HTTP API and the caudal command.
//!
//! A request passes the [`gate`] (policy and token), then its handler in [`routes`] runs a command ([`submit`]) or a
//! query. Errors are problems ([`problem`]) with the codes of one [`catalogue`]. [`extract`] tells how a handler
//! takes its input.

pub mod app;
pub mod auth;
pub mod catalogue;
pub mod extract;
pub mod gate;
mod input;
mod notes;
pub mod openapi;
pub mod policy;
pub mod problem;
pub mod request_id;
pub mod routes;
pub mod submit;
