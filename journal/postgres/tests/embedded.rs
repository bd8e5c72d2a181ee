//! The embedded server, through its public door and with real processes.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where it cannot go on")]

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use caudal_postgres::embedded::{EmbeddedError, Server, Temporary};
use caudal_postgres::{DataDir, Database, Given, Options, Storage, can_rewrite_history};
use nix::errno::Errno;
use nix::sys::signal::{Signal, kill, killpg};
use nix::unistd::Pid;
use sqlx::{Connection, PgConnection};
use tempfile::TempDir;

/// Far more than anything here takes, so that only a real fault reaches it.
const PATIENCE: Duration = Duration::from_secs(60);

const ROLE: &str = "CAUDAL_TEST_ROLE";
const FOLDER: &str = "CAUDAL_TEST_FOLDER";

fn folder() -> (TempDir, DataDir) {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = DataDir::at(folder.path()).unwrap();
    (folder, data_dir)
}

async fn ask<T>(url: &str, query: &str) -> T
where
    T: for<'r> sqlx::Decode<'r, sqlx::Postgres> + sqlx::Type<sqlx::Postgres> + Send + Unpin,
{
    let mut connection = PgConnection::connect(url).await.unwrap();
    let answer = sqlx::query_scalar(query).fetch_one(&mut connection).await.unwrap();
    connection.close().await.unwrap();
    answer
}

async fn tell(url: &str, statement: &str) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    sqlx::raw_sql(statement).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

fn alive(pid: i32) -> bool {
    kill(Pid::from_raw(pid), None) != Err(Errno::ESRCH)
}

fn eventually(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < deadline, "{what}: not within {PATIENCE:?}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Another process with a server of its own or a joined one: this test program again, running one test that plays it.
struct Other {
    process: Child,
    said: HashMap<String, String>,
}

impl Other {
    fn start(role: &str, folder: &Path) -> Self {
        let mut process = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "plays_another_process_where_a_test_asks_for_one",
                "--nocapture",
            ])
            .env(ROLE, role)
            .env(FOLDER, folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .unwrap();
        let mut said = HashMap::new();
        for line in BufReader::new(process.stdout.as_mut().unwrap()).lines() {
            let line = line.unwrap();
            if line == "ready" {
                break;
            }
            if let Some((key, value)) = line.split_once(": ") {
                said.insert(key.to_owned(), value.to_owned());
            }
        }
        Self { process, said }
    }

    fn server(&self) -> i32 {
        self.said["server"].parse().unwrap()
    }

    fn end(mut self) {
        drop(self.process.stdin.take());
        assert!(self.process.wait().unwrap().success());
    }

    fn signal_group(mut self, signal: Signal) {
        killpg(Pid::from_raw(i32::try_from(self.process.id()).unwrap()), signal).unwrap();
        self.process.wait().unwrap();
    }
}

#[test]
fn plays_another_process_where_a_test_asks_for_one() {
    let Ok(role) = std::env::var(ROLE) else { return };
    let folder = PathBuf::from(std::env::var_os(FOLDER).unwrap());
    let server = match role.as_str() {
        "data folder" => Server::start_or_join(&DataDir::at(&folder).unwrap()).unwrap(),
        "temporary" => Server::temporary(Temporary::default()).unwrap(),
        other => panic!("no such role: {other}"),
    };
    println!(
        "\nserver: {}\nowner: {}\nurl: {}\nready",
        server.process_id().unwrap(),
        server.is_owner(),
        server.url()
    );
    std::io::stdout().flush().unwrap();
    std::io::stdin().read_to_end(&mut Vec::new()).unwrap();
    server.stop().unwrap();
}

#[tokio::test]
async fn a_new_cluster_is_fully_durable_and_its_owner_is_no_superuser() {
    let (_folder, data_dir) = folder();
    let server = Server::start_or_join(&data_dir).unwrap();
    for (setting, value) in [
        ("fsync", "on"),
        ("synchronous_commit", "on"),
        ("full_page_writes", "on"),
        ("is_superuser", "off"),
        ("server_encoding", "UTF8"),
        ("listen_addresses", ""),
        ("TimeZone", "UTC"),
    ] {
        let found: String = ask(server.url(), &format!("SELECT current_setting('{setting}')")).await;
        assert_eq!(found, value, "{setting}");
    }
    let provider: String = ask(
        server.url(),
        "SELECT datlocprovider::text FROM pg_database WHERE datname = current_database()",
    )
    .await;
    assert_eq!(provider, "i", "ICU sorts");
    let spanish: bool = ask(
        server.url(),
        "SELECT 'ñandú' BETWEEN 'nz' AND 'oa' AND upper('ñ') = 'Ñ'",
    )
    .await;
    assert!(spanish);
    server.stop().unwrap();
}

#[tokio::test]
async fn the_server_log_contains_errors_but_no_stored_data() {
    let (folder, data_dir) = folder();
    let server = Server::start_or_join(&data_dir).unwrap();
    let url = server.url();
    tell(
        url,
        "CREATE TABLE person (name text PRIMARY KEY CHECK (name <> 'Ernestina'));
         INSERT INTO person VALUES ('Filomena')",
    )
    .await;
    let mut connection = PgConnection::connect(url).await.unwrap();
    for name in ["Filomena", "Ernestina"] {
        let by_value = sqlx::query("INSERT INTO person VALUES ($1)").bind(name);
        assert!(by_value.execute(&mut connection).await.is_err());
        let by_text = format!("INSERT INTO person VALUES ('{name}')");
        assert!(sqlx::raw_sql(&by_text).execute(&mut connection).await.is_err());
    }
    let log = std::fs::read_to_string(find(folder.path(), "server.log")).unwrap();
    for error in ["duplicate key value", "violates check constraint"] {
        assert!(log.contains(error), "{log}");
    }
    for name in ["Filomena", "Ernestina", "INSERT"] {
        assert!(!log.contains(name), "{log}");
    }
    server.stop().unwrap();
}

/// The file of this name, wherever it is below a folder.
fn find(folder: &Path, name: &str) -> PathBuf {
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let entry = entry.unwrap();
            if entry.file_name() == name {
                return entry.path();
            }
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path());
            }
        }
    }
    panic!("there is no {name}");
}

#[tokio::test]
async fn a_second_start_finds_the_data_again() {
    let (_folder, data_dir) = folder();
    let first = Server::start_or_join(&data_dir).unwrap();
    let url = first.url().to_owned();
    tell(&url, "CREATE TABLE kept AS SELECT 7 AS number").await;
    first.stop().unwrap();

    let second = Server::start_or_join(&data_dir).unwrap();
    assert_eq!(second.url(), url);
    assert_eq!(ask::<i32>(&url, "SELECT number FROM kept").await, 7);
    second.stop().unwrap();
}

#[tokio::test]
async fn a_stopped_or_dropped_server_has_ended() {
    let (_folder, data_dir) = folder();
    let server = Server::start_or_join(&data_dir).unwrap();
    let pid = server.process_id().unwrap();
    server.stop().unwrap();
    assert!(!alive(pid));

    let server = Server::start_or_join(&data_dir).unwrap();
    let pid = server.process_id().unwrap();
    drop(server);
    assert!(!alive(pid));
}

#[tokio::test]
async fn a_killed_process_leaves_no_server_behind_and_loses_nothing_committed() {
    let (folder, data_dir) = folder();
    let other = Other::start("data folder", folder.path());
    let pid = other.server();
    tell(&other.said["url"], "CREATE TABLE kept AS SELECT 7 AS number").await;
    other.signal_group(Signal::SIGKILL);
    eventually("the orphan ends", || !alive(pid));

    let server = Server::start_or_join(&data_dir).unwrap();
    assert!(server.is_owner());
    assert_eq!(ask::<i32>(server.url(), "SELECT number FROM kept").await, 7);
    server.stop().unwrap();
}

#[tokio::test]
async fn an_interrupted_process_leaves_no_server_behind() {
    let (folder, _) = folder();
    let other = Other::start("data folder", folder.path());
    let pid = other.server();
    other.signal_group(Signal::SIGINT);
    eventually("the server ends", || !alive(pid));
}

#[tokio::test]
async fn a_killed_process_and_server_recover_at_the_next_start() {
    let (folder, data_dir) = folder();
    let other = Other::start("data folder", folder.path());
    let pid = other.server();
    tell(&other.said["url"], "CREATE TABLE kept AS SELECT 7 AS number").await;
    kill(Pid::from_raw(pid), Signal::SIGKILL).unwrap();
    other.signal_group(Signal::SIGKILL);

    let server = Server::start_or_join(&data_dir).unwrap();
    assert_eq!(ask::<i32>(server.url(), "SELECT number FROM kept").await, 7);
    server.stop().unwrap();
}

#[tokio::test]
async fn a_second_process_joins_the_running_server_and_never_stops_it() {
    let (folder, data_dir) = folder();
    let server = Server::start_or_join(&data_dir).unwrap();
    assert!(server.is_owner());

    let guest = Other::start("data folder", folder.path());
    assert_eq!(guest.said["owner"], "false");
    assert_eq!(guest.server(), server.process_id().unwrap());
    assert_eq!(guest.said["url"], server.url());
    guest.end();

    let killed = Other::start("data folder", folder.path());
    killed.signal_group(Signal::SIGKILL);
    assert_eq!(ask::<i32>(server.url(), "SELECT 1").await, 1);
    server.stop().unwrap();
}

#[tokio::test]
async fn concurrent_first_starts_share_one_cluster() {
    let (folder, data_dir) = folder();
    let path = folder.path().to_owned();
    let other = std::thread::spawn(move || Other::start("data folder", &path));
    let server = Server::start_or_join(&data_dir).unwrap();
    let other = other.join().unwrap();
    assert_ne!(server.is_owner().to_string(), other.said["owner"]);
    assert_eq!(Some(other.server()), server.process_id());
    other.end();
    server.stop().unwrap();
}

#[tokio::test]
async fn the_process_that_joined_takes_over_when_the_owner_ends() {
    for signal in [None, Some(Signal::SIGKILL)] {
        let (folder, data_dir) = folder();
        let first = Other::start("data folder", folder.path());
        let guest = Server::start_or_join(&data_dir).unwrap();
        assert!(!guest.is_owner());
        let pid = first.server();
        match signal {
            None => first.end(),
            Some(signal) => first.signal_group(signal),
        }
        eventually("the guest's server runs", || {
            guest.is_owner() && guest.process_id().is_some_and(|new| new != pid)
        });
        eventually("it answers", || {
            std::thread::scope(|scope| {
                let connect = || {
                    tokio::runtime::Runtime::new()
                        .unwrap()
                        .block_on(PgConnection::connect(guest.url()))
                };
                scope.spawn(move || connect().is_ok()).join().unwrap()
            })
        });
        guest.stop().unwrap();
    }
}

#[tokio::test]
async fn a_server_that_dies_is_started_again_at_the_same_address() {
    let (_folder, data_dir) = folder();
    let server = Server::start_or_join(&data_dir).unwrap();
    let pid = server.process_id().unwrap();
    kill(Pid::from_raw(pid), Signal::SIGKILL).unwrap();
    let deadline = Instant::now() + PATIENCE;
    while PgConnection::connect(server.url()).await.is_err() {
        assert!(Instant::now() < deadline);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_ne!(server.process_id().unwrap(), pid);
    server.stop().unwrap();
}

#[tokio::test]
async fn a_folder_that_the_servers_user_cannot_reach_still_works() {
    let closed = tempfile::tempdir().unwrap();
    std::fs::set_permissions(closed.path(), std::fs::Permissions::from_mode(0o700)).unwrap();
    let path = closed
        .path()
        .join("in a folder, with a comma and much more of a name than the path of a socket can take");
    let data_dir = DataDir::at(&path).unwrap();
    for _ in 0..2 {
        let server = Server::start_or_join(&data_dir).unwrap();
        assert_eq!(ask::<i32>(server.url(), "SELECT 1").await, 1);
        server.stop().unwrap();
    }
    // As root the data lie in the state folder, with a link to them.
    std::fs::remove_dir_all(path.join("postgres").canonicalize().unwrap()).unwrap();
}

#[tokio::test]
async fn a_temporary_cluster_goes_with_its_process_however_that_ends() {
    for signal in [None, Some(Signal::SIGKILL)] {
        let (folder, _) = folder();
        let other = Other::start("temporary", folder.path());
        let pid = other.server();
        let url = &other.said["url"];
        let socket = url
            .split("host=")
            .nth(1)
            .and_then(|rest| rest.split('&').next())
            .unwrap();
        let home = Path::new(socket).ancestors().nth(2).unwrap().to_owned();
        assert!(home.is_dir());
        match signal {
            None => other.end(),
            Some(signal) => other.signal_group(signal),
        }
        eventually("the server and its folder are gone", || !alive(pid) && !home.exists());
    }
}

#[test]
fn data_of_another_major_version_are_refused_and_not_passed_over() {
    let (folder, data_dir) = folder();
    let old = folder.path().join("postgres/9");
    std::fs::create_dir_all(&old).unwrap();
    std::fs::write(old.join("PG_VERSION"), "9\n").unwrap();
    match Server::start_or_join(&data_dir).unwrap_err() {
        EmbeddedError::NoBinaries {
            wanted: Some(9),
            command,
        } => assert!(!command.is_empty()),
        other => panic!("{other}"),
    }
}

#[tokio::test]
async fn an_external_server_is_used_without_starting_one() {
    let (folder, data_dir) = folder();
    let given = Given {
        node: Some("postgres://somewhere/caudal".to_owned()),
        owner: Some("postgres://owner@somewhere/caudal".to_owned()),
        ..Given::default()
    };
    let storage = Storage::open(&data_dir, given).await.unwrap();
    assert_eq!(storage.node_url(), "postgres://somewhere/caudal");
    assert_eq!(storage.owner_url(), "postgres://owner@somewhere/caudal");
    storage.shutdown().await.unwrap();
    assert!(std::fs::read_dir(folder.path()).unwrap().next().is_none());
}

#[tokio::test]
async fn storage_without_a_given_server_runs_its_own_until_shutdown_and_nodes_own_nothing_in_it() {
    let (_folder, data_dir) = folder();
    let storage = Storage::open(&data_dir, Given::default()).await.unwrap();
    storage.prepare().await.unwrap();
    storage.prepare().await.unwrap();
    let url = storage.owner_url().to_owned();
    assert_eq!(ask::<i32>(&url, "SELECT 1").await, 1);
    let database = Database::connect(storage.node_url(), Options::default()).await.unwrap();
    assert!(!can_rewrite_history(database.pool()).await.unwrap());
    database.close().await;
    storage.shutdown().await.unwrap();
    assert!(PgConnection::connect(&url).await.is_err());
}
