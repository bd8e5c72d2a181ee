//! A migrated database of its own for every test, on a real PostgreSQL.
//!
//! Every test process starts one temporary cluster at its first [`TestDatabase::new`], from a seed beside the test
//! programs that has the migrated schema as a template. The cluster goes with the process, however it ends.
//!
//! A test cannot go on without its database, so whatever fails here panics.
#![allow(clippy::expect_used, clippy::panic, reason = "only tests use this crate")]

mod cluster;

use caudal_postgres::{Database, Options};

use crate::cluster::{Created, Order};

/// An empty database with the current schema, dropped with this value.
#[derive(Debug)]
pub struct TestDatabase {
    name: String,
    url: String,
    node_url: String,
}

impl TestDatabase {
    /// Makes a database that no other test sees: in some 50 ms, the first of a process in half a second.
    pub async fn new() -> Self {
        let Created { name, url, node_url } = cluster::create().await;
        Self { name, url, node_url }
    }

    /// The owner's connection URL. The owner is held to row-level security like everyone.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The connection URL of nodes: a login that owns nothing.
    pub fn node_url(&self) -> &str {
        &self.node_url
    }

    /// Connects as a node does.
    pub async fn connect(&self) -> Database {
        self.connect_with(Options::default()).await
    }

    /// Connects as a node does, with other bounds.
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
