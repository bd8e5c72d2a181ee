//! The PostgreSQL that Caudal runs on - embedded or given - with its roles and migrations.
//!
//! [`Storage`] answers "where is the database": a server named by `DATABASE_URL`, or a private cluster in the
//! [`DataDir`] that [`embedded`] starts, watches and stops. [`migrate`] brings its schema up to date as the owner;
//! [`Database`] is the bounded pool a node works through, as a role that owns nothing.

mod data_dir;
mod database;
pub mod embedded;
mod hosts;
mod logins;
mod migrations;
mod server;
mod storage;
mod transaction;

pub use data_dir::{DataDir, DataDirError, make_new_files_private};
pub use database::{Database, DatabaseError, Failovers, Options, PLAN_ANEW, PLAN_ONCE};
pub use hosts::connect;
pub use logins::{LoginError, NODE_LOGIN, can_rewrite_history, grant_login};
pub use migrations::{MigrationError, check_schema, fingerprint, migrate, migrate_or_check};
pub use server::{ACCEPT_VOLATILE_VARIABLE, Durability, ServerError, ServerIdentity};
pub use storage::{Given, Storage, StorageError};
pub use transaction::Transaction;
