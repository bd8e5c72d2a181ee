//! A migrated database per test, on a real PostgreSQL.
//!
//! Each test process starts one temporary cluster at its first [`TestDatabase::new`], from a seed with the migrated
//! schema as template. The cluster is removed with the process, however it ends.
//!
//! Failures panic: a test cannot continue without its database.
#![allow(clippy::expect_used, clippy::panic, reason = "only tests use this crate")]

mod cluster;

use caudal_postgres::{Database, Options};
use sqlx::{Connection as _, PgConnection};

use crate::cluster::{Created, Order};

/// An empty database with the current schema; dropped with this value.
#[derive(Debug)]
pub struct TestDatabase {
    name: String,
    url: String,
    node_url: String,
}

impl TestDatabase {
    /// Creates an isolated database: about 50 ms, half a second for the first in a process.
    pub async fn new() -> Self {
        let Created { name, url, node_url } = cluster::create().await;
        Self { name, url, node_url }
    }

    /// The owner's URL. Row-level security applies to the owner too.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The nodes' URL: a login that owns nothing.
    pub fn node_url(&self) -> &str {
        &self.node_url
    }

    /// The URL of the server's superuser.
    pub fn superuser_url(&self) -> String {
        self.url.replace("caudal_owner@", "postgres@")
    }

    /// Runs `deploy/postgres/analysts.sql`, as an administrator does before the first login of an analyst.
    pub async fn prepare_for_analysts(&self) {
        let mut superuser = PgConnection::connect(&self.superuser_url())
            .await
            .expect("the test cluster's superuser connects");
        sqlx::raw_sql(include_str!("../../../../deploy/postgres/analysts.sql"))
            .execute(&mut superuser)
            .await
            .expect("a migrated database is prepared for analysts");
        superuser.close().await.expect("the connection ends");
    }

    pub async fn connect(&self) -> Database {
        self.connect_with(Options::default()).await
    }

    /// Connects with other limits.
    pub async fn connect_with(&self, options: Options) -> Database {
        Database::connect(&self.node_url, options)
            .await
            .expect("a test database takes connections")
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        cluster::send(Order::Drop {
            name: std::mem::take(&mut self.name),
        });
    }
}
