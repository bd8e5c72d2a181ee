//! The log, its writer and its keys, on a real PostgreSQL.
//!
//! One program: each of seventeen would be linked alone.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test ends where something is missing"
)]

mod adoption;
mod archive;
mod beside;
mod common;
mod connections;
mod forgetting;
mod held_open;
mod histories;
mod keys;
mod limits;
mod log;
mod lookups;
mod lost_commits;
mod merkle;
mod moves;
mod protocol;
mod retention;
mod tampering;
mod upgrades;
mod writers;
