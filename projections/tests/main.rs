//! The read models, their queries and what is made of them, on a real PostgreSQL.
//!
//! One program: each of nine would be linked alone.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test ends where something is missing"
)]

mod accounting;
mod analysts;
mod changes;
mod common;
mod earlier_versions;
mod exports;
mod journals;
mod projector;
mod queries;
mod rebuild;
mod reports;
