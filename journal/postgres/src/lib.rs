//! The PostgreSQL that Caudal runs on - embedded or given - with its roles and migrations.
//!
//! [`Storage`] answers "where is the database": a server named by `DATABASE_URL`, or a private cluster in the
//! [`DataDir`] that [`embedded`] starts, watches and stops. [`migrate`] brings its schema up to date as the owner;
//! [`Database`] is the bounded pool a node works through, as a role that owns nothing.

mod data_dir;
mod database;
pub mod embedded;
mod migrations;
mod server;
mod storage;
mod transaction;

pub use data_dir::{DataDir, DataDirError};
pub use database::{Database, DatabaseError, Options, PLAN_ANEW, PLAN_ONCE};
pub use migrations::{MigrationError, fingerprint, migrate};
pub use server::{ServerError, ServerIdentity};
pub use storage::{Storage, StorageError};
pub use transaction::Transaction;
