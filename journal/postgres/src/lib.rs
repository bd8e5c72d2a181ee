//! PostgreSQL for Caudal, embedded or external, with roles and migrations.
//!
//! [`Storage`] locates the database: the server of `DATABASE_URL`, or a private cluster in the [`DataDir`] that
//! [`embedded`] starts, supervises and stops. [`migrate`] updates the schema as its owner; [`Database`] is a node's
//! bounded pool, with a role that owns nothing.

mod analysts;
mod data_dir;
mod database;
pub mod embedded;
mod hosts;
mod logins;
mod migrations;
mod server;
mod storage;
mod timestamp;
mod transaction;

pub use analysts::{Analyst, AnalystError, analysts, grant_analyst, revoke_analyst};
pub use data_dir::{DataDir, DataDirError, make_new_files_private};
pub use database::{Database, DatabaseError, Failovers, Options, PLAN_ANEW, PLAN_ONCE};
pub use hosts::connect;
pub use logins::{LoginError, NODE_LOGIN, can_rewrite_history, grant_login};
pub use migrations::{MigrationError, check_schema, fingerprint, migrate, migrate_or_check};
pub use server::{ACCEPT_VOLATILE_VARIABLE, Durability, ServerError, ServerIdentity, has_asynchronous_standbys_only};
pub use storage::{Given, Storage, StorageError};
pub use timestamp::Timestamp;
pub use transaction::Transaction;
