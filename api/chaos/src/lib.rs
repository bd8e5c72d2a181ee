//! Crashes and faults: real `caudal` processes under a load of mixed commands, while they, their PostgreSQL and the
//! network between them are killed, stopped, cut, delayed and starved.
//!
//! [`crash`] kills at random points and looks at the end whether what was acknowledged is what is stored. [`resources`]
//! takes one resource away at a time and looks at what clients are told meanwhile. [`histories`] takes the database back, or edits it, under
//! running nodes. [`moves`] moves tenants between databases and kills in the middle. [`cluster`] fails a real cluster over. All say what they
//! did and found as a [`Report`]; the same seed chooses the same faults and commands, though not the same instants.
//!
//! A harness cannot go on without what it asks for, so whatever fails here outside of the test itself panics.
#![allow(
    clippy::expect_used,
    clippy::panic,
    clippy::unwrap_used,
    reason = "only tests use this crate"
)]

mod audit;
mod business;
mod client;
pub mod cluster;
pub mod crash;
mod dice;
mod engine;
mod faults;
mod fleet;
pub mod histories;
mod model;
pub mod moves;
mod node;
mod operator;
mod proxy;
pub mod resources;
mod surroundings;
mod tally;
mod worker;

pub use tally::Report;
