//! Which server a pool is connected to, and whether that server may be trusted with a commit.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where it cannot go on")]

use std::fs;
use std::path::Path;
use std::time::Duration;

use caudal_postgres::embedded::{Server, Temporary};
use caudal_postgres::{DataDir, Database, DatabaseError, Durability, Options, ServerError, migrate};
use caudal_postgres_testing::TestDatabase;
use sqlx::{Connection as _, Executor as _, PgConnection};

/// Far more than anything here takes, so that only a real fault reaches it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A migrated cluster of its own with settings of the server, and a node's URL.
async fn server_with(settings: &[&str]) -> Server {
    let settings = settings.iter().map(|setting| (*setting).to_owned()).collect();
    let server = Server::temporary(Temporary { seed: None, settings }).unwrap();
    migrate(server.url()).await.unwrap();
    server
}

/// Why a server is refused.
async fn refusal(url: &str, options: Options) -> ServerError {
    match Database::connect(url, options).await.unwrap_err() {
        DatabaseError::Refused(error) => error,
        other => panic!("{other}"),
    }
}

async fn setting(database: &Database, name: &str) -> String {
    sqlx::query_scalar(&format!("SELECT current_setting('{name}')"))
        .fetch_one(database.pool())
        .await
        .unwrap()
}

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

#[tokio::test]
async fn a_server_that_may_lose_or_destroy_what_it_acknowledged_is_refused_unless_accepted_by_name() {
    for durability in [Durability::Fsync, Durability::FullPageWrites] {
        let server = server_with(&[&format!("{durability}=off")]).await;
        let refused = refusal(server.url(), Options::default()).await;
        let value = "off".to_owned();
        assert_eq!(
            refused,
            ServerError::Volatile {
                setting: durability,
                value
            }
        );
        let said = refused.to_string();
        assert!(said.contains(&format!("{durability} = off")), "{said}");
        assert!(said.contains(&format!("CAUDAL_ACCEPT_VOLATILE={durability}")), "{said}");
        let accepting = |accept_volatile| Options {
            accept_volatile,
            ..Options::default()
        };
        let another = accepting(vec![Durability::SynchronousCommit]);
        assert_eq!(refusal(server.url(), another).await, refused);
        let database = Database::connect(server.url(), accepting(vec![durability]))
            .await
            .unwrap();
        assert_eq!(setting(&database, durability.name()).await, "off");
        database.close().await;
        server.stop().unwrap();
    }
}

#[tokio::test]
async fn commits_wait_for_the_disk_whatever_server_database_and_role_say() {
    let server = server_with(&["synchronous_commit=off"]).await;
    let mut owner = PgConnection::connect(server.url()).await.unwrap();
    owner
        .execute(
            "ALTER ROLE CURRENT_USER SET synchronous_commit TO off;
             ALTER DATABASE caudal SET synchronous_commit TO local",
        )
        .await
        .unwrap();
    let database = Database::connect(server.url(), Options::default()).await.unwrap();
    assert_eq!(setting(&database, "synchronous_commit").await, "on");
    let mut transaction = database.begin_write("acme").await.unwrap();
    let inside: String = sqlx::query_scalar("SELECT current_setting('synchronous_commit')")
        .fetch_one(&mut *transaction)
        .await
        .unwrap();
    assert_eq!(inside, "on");
    drop(transaction);
    database.close().await;
    let accepting = Options {
        accept_volatile: vec![Durability::SynchronousCommit],
        ..Options::default()
    };
    let database = Database::connect(server.url(), accepting).await.unwrap();
    assert_eq!(setting(&database, "synchronous_commit").await, "off");
    database.close().await;
    owner
        .execute("ALTER ROLE CURRENT_USER SET synchronous_commit TO remote_apply")
        .await
        .unwrap();
    let database = Database::connect(server.url(), Options::default()).await.unwrap();
    assert_eq!(setting(&database, "synchronous_commit").await, "remote_apply");
    database.close().await;
    server.stop().unwrap();
}

#[tokio::test]
async fn a_server_that_becomes_volatile_gets_no_new_connections() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = DataDir::at(folder.path()).unwrap();
    let server = Server::start_or_join(&data_dir).unwrap();
    migrate(server.url()).await.unwrap();
    let options = Options {
        acquire_timeout: Duration::from_secs(2),
        ..Options::default()
    };
    let database = Database::connect(server.url(), options.clone()).await.unwrap();
    server.stop().unwrap();
    // As a server that takes the first one's place.
    let volatile = server_with(&["fsync=off"]).await;
    let standin: Vec<_> = fs::read_dir(volatile.log().parent().unwrap().join("socket"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    let place = data_dir.path().join("postgres/socket");
    for name in standin {
        // The lock's file is not needed to connect.
        if name.to_string_lossy().ends_with(".lock") {
            continue;
        }
        std::os::unix::fs::symlink(
            volatile.log().parent().unwrap().join("socket").join(&name),
            place.join(&name),
        )
        .unwrap();
    }
    let refused = database.begin_read("acme").await.unwrap_err();
    assert!(
        matches!(
            refused,
            DatabaseError::Refused(ServerError::Volatile {
                setting: Durability::Fsync,
                ..
            })
        ),
        "{refused}"
    );
    database.close().await;
    volatile.stop().unwrap();
}

#[tokio::test]
async fn a_required_synchronous_standby_must_be_configured() {
    let test = TestDatabase::new().await;
    let required = Options {
        require_synchronous_standby: true,
        ..Options::default()
    };
    let refused = refusal(test.node_url(), required).await;
    assert!(refused.to_string().contains("synchronous_standby_names"), "{refused}");
}
