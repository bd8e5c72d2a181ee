//! A database URL with several hosts: the pool works on the one that takes writes, also after a failover.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where it cannot go on")]

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use caudal_postgres::embedded::{Server, Temporary};
use caudal_postgres::{DataDir, Database, Options, connect, migrate};
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use sqlx::postgres::PgConnectOptions;

/// What the issue promises after a promotion.
const FAILOVER_LIMIT: Duration = Duration::from_secs(2);
/// Far more than anything here takes, so that only a real fault reaches it.
const PATIENCE: Duration = Duration::from_secs(60);

/// Conninfo of the servers and of one host without a listener, as libpq writes it.
fn conninfo(servers: &[&Server]) -> String {
    let hosts: Vec<PgConnectOptions> = servers.iter().map(|server| server.url().parse().unwrap()).collect();
    let first = &hosts[0];
    let sockets: Vec<String> = hosts
        .iter()
        .map(|host| host.get_socket().unwrap().display().to_string())
        .collect();
    let ports: Vec<String> = hosts.iter().map(|host| host.get_port().to_string()).collect();
    format!(
        "host=/nowhere,{} port=5432,{} dbname={} user={} target_session_attrs=read-write",
        sockets.join(","),
        ports.join(","),
        first.get_database().unwrap(),
        first.get_username(),
    )
}

/// A server on a copy of a stopped one's data, as its standby.
fn standby(data_dir: &DataDir, copy: &Path) -> Server {
    let mut server = Server::start_or_join(data_dir).unwrap();
    server.halt().unwrap();
    fs::write(copy.join("standby.signal"), "").unwrap();
    server.replace_data(copy).unwrap();
    server.resume().unwrap();
    server
}

/// As `pg_ctl promote` does.
fn promote(server: &Server, data_dir: &DataDir) {
    let mut folders = fs::read_dir(data_dir.path().join("postgres")).unwrap();
    let data = folders
        .find_map(|entry| Some(entry.unwrap().path()).filter(|path| path.join("PG_VERSION").exists()))
        .unwrap();
    fs::write(data.join("promote"), "").unwrap();
    kill(Pid::from_raw(server.process_id().unwrap()), Signal::SIGUSR1).unwrap();
}

async fn timeline(database: &Database) -> Result<i64, sqlx::Error> {
    sqlx::query_scalar("SELECT ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint")
        .fetch_one(database.pool())
        .await
}

/// Time until the pool answers from a timeline.
async fn until_on(database: &Database, wanted: i64) -> Duration {
    let started = Instant::now();
    loop {
        assert!(started.elapsed() < PATIENCE, "the pool never got to timeline {wanted}");
        if timeline(database).await.is_ok_and(|found| found == wanted) {
            return started.elapsed();
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_pool_of_several_hosts_is_back_within_two_seconds_of_a_promotion() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy");
    let mut primary = Server::temporary(Temporary::default()).unwrap();
    migrate(primary.url()).await.unwrap();
    primary.halt().unwrap();
    primary.copy_data(&copy).unwrap();
    primary.resume().unwrap();
    let data_dir = DataDir::at(&folder.path().join("standby")).unwrap();
    let standby = standby(&data_dir, &copy);

    let url = conninfo(&[&standby, &primary]);
    let database = Database::connect(&url, Options::default()).await.unwrap();
    assert_eq!(timeline(&database).await.unwrap(), 1, "the standby is not used");
    assert_eq!(database.server().borrow().unwrap().timeline, 1);

    primary.halt().unwrap();
    promote(&standby, &data_dir);
    let pause = until_on(&database, 2).await;
    assert!(pause < FAILOVER_LIMIT, "{pause:?}");
    assert_eq!(database.server().borrow().unwrap().timeline, 2);

    // The former primary returns and accepts writes as well, until it is stopped.
    primary.resume().unwrap();
    let mut owner = connect(&url).await.unwrap();
    let is_on_new: bool =
        sqlx::query_scalar("SELECT left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) = '00000002'")
            .fetch_one(&mut owner)
            .await
            .unwrap();
    assert!(is_on_new, "of two that take writes the newer timeline is used");
    assert_eq!(timeline(&database).await.unwrap(), 2);
    database.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_old_primary_is_left_for_the_promoted_standby() {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy");
    let mut primary = Server::temporary(Temporary::default()).unwrap();
    migrate(primary.url()).await.unwrap();
    primary.halt().unwrap();
    primary.copy_data(&copy).unwrap();
    primary.resume().unwrap();
    let data_dir = DataDir::at(&folder.path().join("standby")).unwrap();
    let standby = standby(&data_dir, &copy);
    let database = Database::connect(&conninfo(&[&primary, &standby]), Options::default())
        .await
        .unwrap();
    assert_eq!(timeline(&database).await.unwrap(), 1);

    promote(&standby, &data_dir);
    let pause = until_on(&database, 2).await;
    assert!(pause < FAILOVER_LIMIT, "{pause:?}");
    database.close().await;
}

#[tokio::test]
async fn a_migration_by_several_hosts_runs_on_the_one_that_takes_writes() {
    let primary = Server::temporary(Temporary::default()).unwrap();
    migrate(&conninfo(&[&primary])).await.unwrap();
    let database = Database::connect(&conninfo(&[&primary]), Options::default())
        .await
        .unwrap();
    assert_eq!(timeline(&database).await.unwrap(), 1);
    database.close().await;
}
