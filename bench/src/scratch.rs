//! A PostgreSQL for the measurements alone, and a new database on it for each.

use caudal_postgres::{
    Database, Options,
    embedded::{Server, Temporary},
    migrate,
};
use sqlx::{Connection as _, PgConnection, postgres::PgConnectOptions};
use std::{cell::Cell, path::PathBuf, process::Command};

/// Log size that no measurement reaches, so that no checkpoint runs during one.
const LOG_KEPT: &str = "max_wal_size=8GB";

/// Writes 3 GB of log, as much as a part of the measurements does.
const SEASONING: &str =
    "SELECT count(pg_logical_emit_message(false, 'bench', repeat('x', 1048576))) FROM generate_series(1, 3072)";

/// CREATE DATABASE with `file_copy` forces a checkpoint without superuser.
const CHECKPOINT: &str = "CREATE DATABASE seasoned STRATEGY file_copy";

/// A server with durability at its defaults; it goes with this value.
#[derive(Debug)]
pub struct Scratch {
    server: Server,
    databases: Cell<u32>,
}

impl Scratch {
    pub fn start() -> Self {
        Self {
            server: Server::temporary(Temporary {
                settings: vec![LOG_KEPT.to_owned()],
                ..Temporary::default()
            })
            .expect("a PostgreSQL is installed and starts"),
            databases: Cell::new(0),
        }
    }

    /// Writes as much as the server keeps of its log, so that from now on files of the log are used again, as on any server
    /// that has been at work for a while. A new one makes each of them while whoever commits waits, 20 to 60 ms.
    pub async fn season(&self) {
        let mut owner = self.owner(self.server.url()).await;
        for statement in [SEASONING, CHECKPOINT] {
            sqlx::raw_sql(statement)
                .execute(&mut owner)
                .await
                .expect("the owner writes to the log");
        }
    }

    /// Makes an empty database and answers its URL.
    pub async fn empty(&self) -> String {
        let number = self.databases.get() + 1;
        self.databases.set(number);
        let name = format!("bench_{number}");
        let mut owner = self.owner(self.server.url()).await;
        sqlx::raw_sql(&format!("CREATE DATABASE {name}"))
            .execute(&mut owner)
            .await
            .expect("the owner makes databases");
        self.server.url_of(&name)
    }

    /// Makes a database with Caudal's schema and answers its URL.
    pub async fn migrated(&self) -> String {
        let url = self.empty().await;
        migrate(&url).await.expect("the migrations run on an empty database");
        url
    }

    /// Connects to a database as its owner.
    pub async fn owner(&self, url: &str) -> PgConnection {
        PgConnection::connect(url).await.expect("the server takes connections")
    }

    /// PostgreSQL's version.
    pub async fn version(&self) -> String {
        let mut owner = self.owner(self.server.url()).await;
        sqlx::query_scalar("SHOW server_version")
            .fetch_one(&mut owner)
            .await
            .expect("it has a version")
    }

    /// A program of PostgreSQL that is to work on a database.
    pub fn client_program(&self, program: &str, url: &str) -> Command {
        let options: PgConnectOptions = url.parse().expect("the server's URL");
        let mut command = Command::new(program);
        let folder: &PathBuf = options.get_socket().expect("it listens on a Unix socket");
        command
            .arg("--host")
            .arg(folder)
            .args(["--port", &options.get_port().to_string()])
            .args(["--username", options.get_username()]);
        command
    }
}

/// Connects to a database as a node does.
pub async fn connect(url: &str) -> Database {
    Database::connect(url, Options::default())
        .await
        .expect("a migrated database takes connections")
}
