//! Which server a pool is connected to, and whether that server may be trusted with a commit.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where it cannot go on")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use caudal_postgres::embedded::Server;
use caudal_postgres::{DataDir, Database, Options, migrate};
use caudal_postgres_testing::TestDatabase;

/// Far more than anything here takes, so that only a real fault reaches it.
const PATIENCE: Duration = Duration::from_secs(60);

/// The folder of the cluster's data, of whatever major version is installed.
fn data_of(data_dir: &DataDir) -> std::path::PathBuf {
    let mut folders = fs::read_dir(data_dir.path().join("postgres")).unwrap();
    let versioned = |path: &Path| path.join("PG_VERSION").exists();
    folders
        .find_map(|entry| Some(entry.unwrap().path()).filter(|path| versioned(path)))
        .unwrap()
}

#[tokio::test]
async fn the_servers_identity_is_known_once_connected() {
    let test = TestDatabase::new().await;
    let (one, two) = (test.connect().await, test.connect().await);
    let identity = one.server().borrow().unwrap();
    assert_ne!(identity.system_identifier, 0);
    assert_eq!(identity.timeline, 1);
    assert_eq!(*two.server().borrow(), Some(identity));
}

#[tokio::test]
async fn a_new_timeline_is_published_with_the_first_connection_to_it() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = DataDir::at(folder.path()).unwrap();
    let server = Server::start_or_join(&data_dir).unwrap();
    migrate(server.url()).await.unwrap();
    let database = Database::connect(server.url(), Options::default()).await.unwrap();
    let mut watched = database.server();
    let before = watched.borrow_and_update().unwrap();
    sqlx::query("SELECT 1").execute(database.pool()).await.unwrap();
    assert!(!watched.has_changed().unwrap());

    server.stop().unwrap();
    // An archive recovery that finds nothing in the archive ends at once, on a new timeline, as a promotion does.
    let data = data_of(&data_dir);
    fs::write(data.join("recovery.signal"), "").unwrap();
    let settings = data.join("postgresql.auto.conf");
    let kept = fs::read_to_string(&settings).unwrap();
    fs::write(&settings, format!("{kept}restore_command = 'false'\n")).unwrap();
    let server = Server::start_or_join(&data_dir).unwrap();

    tokio::time::timeout(PATIENCE, async {
        while sqlx::query("SELECT 1").execute(database.pool()).await.is_err() {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        watched.changed().await.unwrap();
    })
    .await
    .unwrap();
    let after = watched.borrow_and_update().unwrap();
    assert_eq!(after.system_identifier, before.system_identifier);
    assert_eq!((before.timeline, after.timeline), (1, 2));
    database.close().await;
    server.stop().unwrap();
}
