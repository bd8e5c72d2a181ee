//! The server by its calls, and its command.
//!
//! One program: each of fifty would be linked alone, in minutes and gigabytes.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "a test ends where something is missing"
)]

mod actions;
mod api_keys;
mod approval_ways;
mod approvals;
mod attacks;
mod audit;
mod audit_command;
mod backup_copy;
mod bad_input;
mod beside;
mod business_metrics;
mod cells;
mod command;
mod contacts;
mod deleted_parties;
mod demonstration;
mod disputes;
mod doctor;
mod document_pictures;
mod dossier;
mod edits;
mod evidence;
mod exports;
mod feed;
mod files;
mod forgetting;
mod forwarding;
mod imports;
mod installation;
mod limits;
mod live;
mod live_sessions;
mod lost_updates;
mod master_key;
mod modules;
mod offers;
mod office;
mod open_sessions;
mod operations;
mod passkeys;
mod passwords;
mod policy;
mod preview;
mod problems;
mod proofs;
mod provisioning;
mod quarantine;
mod races;
mod rates;
mod read_models;
mod readings;
mod replays;
mod reviews;
mod scopes;
mod screening;
mod second_factor;
mod sessions;
mod shutdown;
mod sign_on;
mod standby;
mod support;
mod telemetry;
mod texts;
mod traces;
mod two_nodes;
mod two_worlds;
mod unchanged;
mod upgrades;
mod users;
mod viewing;
mod webhook_dispatch;
mod webhooks;
mod witness;
mod worked_day;
