//! The test process's cluster, and the thread that creates and drops databases in it.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use caudal_postgres::embedded::{Server, Temporary, installed_version};
use caudal_postgres::{NODE_LOGIN, fingerprint, grant_login, migrate};
use sqlx::{Connection, PgConnection};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::{mpsc, oneshot};

/// Migrated template database.
const TEMPLATE: &str = "caudal_template";

pub(crate) enum Order {
    Create { reply: oneshot::Sender<Created> },
    Drop { name: String },
}

/// A new database: its name and its URLs for owner and nodes.
pub(crate) struct Created {
    pub(crate) name: String,
    pub(crate) url: String,
    pub(crate) node_url: String,
}

pub(crate) async fn create() -> Created {
    let (reply, created) = oneshot::channel();
    send(Order::Create { reply });
    created
        .await
        .expect("the cluster's thread makes a database; its panic is above")
}

pub(crate) fn send(order: Order) {
    static ORDERS: OnceLock<mpsc::UnboundedSender<Order>> = OnceLock::new();
    let orders = ORDERS.get_or_init(|| {
        let (orders, inbox) = mpsc::unbounded_channel();
        // A thread, not a task: a runtime ends with the first test that created it.
        thread::spawn(|| administer(inbox));
        orders
    });
    // The thread is gone only after a panic, which `create` reports.
    let _ = orders.send(order);
}

fn administer(mut inbox: mpsc::UnboundedReceiver<Order>) {
    let server = Server::temporary(Temporary {
        seed: Some(seed()),
        // A connection of a test runs each statement a few times: planned five times before PostgreSQL keeps a plan.
        settings: vec!["plan_cache_mode=force_generic_plan".to_owned()],
    })
    .expect("the test cluster starts");
    runtime().block_on(async {
        let mut connection = PgConnection::connect(server.url())
            .await
            .expect("the test cluster takes connections");
        let mut count = 0_u32;
        while let Some(order) = inbox.recv().await {
            let statement = match &order {
                Order::Create { .. } => {
                    count += 1;
                    format!("CREATE DATABASE test_{count} TEMPLATE {TEMPLATE}")
                }
                Order::Drop { name } => format!("DROP DATABASE {name} WITH (FORCE)"),
            };
            let done = sqlx::raw_sql(&statement).execute(&mut connection).await;
            // A database that stays in use goes with the cluster.
            if let Order::Create { reply } = order {
                done.expect("a test database is made");
                let name = format!("test_{count}");
                let (url, node_url) = (server.url_of(&name), server.node_url_of(&name));
                // The requesting test may have ended.
                let _ = reply.send(Created { name, url, node_url });
            }
        }
    });
}

/// Folder with a migrated cluster's data, one per version of PostgreSQL and schema.
fn seed() -> PathBuf {
    let program = std::env::current_exe().expect("a test program knows where it is");
    let folder = program
        .parent()
        .expect("a program lies in a folder")
        .join("postgres-seeds");
    fs::create_dir_all(&folder).expect("the folder of the test programs can be written to");
    let version = installed_version().expect("a PostgreSQL is installed");
    let seed = folder.join(format!("{version}-{}", fingerprint()));
    let lock = File::create(folder.join("lock")).expect("the seeds' lock can be written");
    lock.lock().expect("the seeds can be locked");
    if !seed.is_dir() {
        discard_old_seeds(&folder);
        sow(&folder, &seed);
    }
    seed
}

/// Minimum age at which an old schema's seed is deleted; a running test may be copying a younger one.
fn discard_old_seeds(folder: &Path) {
    const OLD: Duration = Duration::from_secs(3600);
    for entry in fs::read_dir(folder).expect("the seeds can be listed").flatten() {
        let age = entry
            .metadata()
            .and_then(|seed| seed.modified())
            .ok()
            .and_then(|time| time.elapsed().ok());
        if entry.path().is_dir() && age.is_some_and(|age| age > OLD) {
            fs::remove_dir_all(entry.path()).expect("an old seed can be removed");
        }
    }
}

fn sow(folder: &Path, seed: &Path) {
    let server = Server::temporary(Temporary::default()).expect("the seed's cluster starts");
    runtime().block_on(async {
        let mut connection = PgConnection::connect(server.url())
            .await
            .expect("the seed's cluster takes connections");
        sqlx::raw_sql(&format!("CREATE DATABASE {TEMPLATE}"))
            .execute(&mut connection)
            .await
            .expect("the owner makes databases");
        sqlx::raw_sql(&format!(
            "CREATE ROLE {NODE_LOGIN} LOGIN NOINHERIT; GRANT {NODE_LOGIN} TO CURRENT_USER"
        ))
        .execute(&mut connection)
        .await
        .expect("the owner makes roles");
        connection.close().await.expect("the connection ends");
        migrate(&server.url_of(TEMPLATE))
            .await
            .expect("the migrations run on an empty database");
        grant_login(&server.url_of(TEMPLATE), NODE_LOGIN)
            .await
            .expect("the login of nodes owns nothing");
    });
    let staging = tempfile::tempdir_in(folder).expect("the folder of the test programs can be written to");
    let copy = staging.path().join("data");
    server.save(&copy).expect("the seed is kept");
    fs::rename(&copy, seed).expect("the seed takes its place");
}

fn runtime() -> Runtime {
    Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime starts")
}
