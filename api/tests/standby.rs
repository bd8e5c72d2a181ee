//! A node that reads from a streaming standby: a query sees its caller's writes, also while the standby lags or is
//! away.

use crate::support::{Business, Call, Process, create_tenant};
use caudal_postgres::{
    DataDir, connect,
    embedded::{Server, Temporary},
    migrate,
};
use serde_json::json;
use sqlx::postgres::PgConnectOptions;
use std::{fs, io::Write as _, path::Path, time::Instant};

const TENANT: &str = "shared";

/// A primary and a streaming standby.
struct Servers {
    primary: Server,
    standby: Server,
    superuser: String,
    folder: tempfile::TempDir,
}

impl Servers {
    async fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let copy = folder.path().join("copy");
        let mut primary = Server::temporary(Temporary::default()).unwrap();
        migrate(primary.url()).await.unwrap();
        let superuser = superuser_of(primary.url()).await;
        primary.halt().unwrap();
        primary.copy_data(&copy).unwrap();
        append(&copy.join("pg_hba.conf"), "local replication all trust\n");
        primary.replace_data(&copy).unwrap();
        primary.resume().unwrap();

        let at: PgConnectOptions = primary.url().parse().unwrap();
        let (socket, port) = (at.get_socket().unwrap().display(), at.get_port());
        let source = format!("primary_conninfo = 'host={socket} port={port} user={superuser}'\n");
        append(&copy.join("postgresql.auto.conf"), &source);
        fs::write(copy.join("standby.signal"), "").unwrap();
        let home = DataDir::at(&folder.path().join("standby")).unwrap();
        let mut standby = Server::start_or_join(&home).unwrap();
        standby.halt().unwrap();
        standby.replace_data(&copy).unwrap();
        standby.resume().unwrap();
        Self {
            primary,
            standby,
            superuser,
            folder,
        }
    }

    /// Runs a function that controls the standby's replay.
    async fn on_standby(&self, function: &str) {
        let at: PgConnectOptions = self.standby.url().parse().unwrap();
        let mut connection = sqlx::ConnectOptions::connect(&at.username(&self.superuser))
            .await
            .unwrap();
        let statement = format!("SELECT {function}");
        sqlx::query(&statement).execute(&mut connection).await.unwrap();
    }
}

async fn superuser_of(url: &str) -> String {
    let mut owner = connect(url).await.unwrap();
    let found = sqlx::query_scalar("SELECT rolname::text FROM pg_roles WHERE rolsuper AND rolcanlogin");
    found.fetch_one(&mut owner).await.unwrap()
}

fn append(file: &Path, line: &str) {
    let mut file = fs::File::options().append(true).open(file).unwrap();
    file.write_all(line.as_bytes()).unwrap();
}

/// Number of queries sent to the standby, by outcome.
fn read(node: &Process, outcome: &str) -> u64 {
    let metrics = ureq::get(format!("http://{}/metrics", node.address())).call();
    let text = metrics.unwrap().body_mut().read_to_string().unwrap();
    let name = format!("caudal_standby_reads{{outcome=\"{outcome}\"}} ");
    let line = text.lines().find_map(|line| line.strip_prefix(name.as_str()));
    line.map_or(0, |count| count.parse().unwrap())
}

/// Maximum number of deposits, one a second, until a list is read from the standby.
const READ_WITHIN: usize = 12;

#[test]
fn standby_reads_include_their_callers_writes_whatever_the_standbys_state() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let mut servers = runtime.block_on(Servers::start());
    let keys = servers.folder.path().join("keys");
    create_tenant(servers.primary.url(), &keys, TENANT);
    let standby = servers.standby.url().to_owned();
    let arguments = ["--standby-database-url", standby.as_str()];
    let node = Process::serve_with(servers.primary.url(), &keys, "warn", &arguments);
    let business = Business::set_up(node.client(TENANT));
    let deposits = |number: usize| {
        let body = json!({"currency": "CUP", "amount": "1.00"});
        let call = Call::new("POST", "/sources/deposit/manager").token(&business.manager);
        let done = business.client.send(call.json(&body));
        assert_eq!(done.status, 201, "{}", done.body);
        let asked = Instant::now();
        let list = Call::new("GET", "/sources/movements?RecordsPerPage=100").token(&business.manager);
        let list = business.client.send(list);
        assert_eq!(list.status, 200, "{}", list.body);
        let found = list.body["data"].as_array().unwrap().iter();
        let found = found.filter(|row| row.to_string().contains("\"1.00\"")).count();
        assert_eq!(found, number, "the list shows the deposit just made: {}", list.body);
        asked.elapsed()
    };

    // The standby has just started, or is catching up.
    let until_read = |mut number: usize| {
        let last = number + READ_WITHIN;
        loop {
            let before = read(&node, "read");
            number += 1;
            deposits(number);
            if read(&node, "read") > before {
                return number;
            }
            assert!(number < last, "the standby is read within seconds");
            std::thread::sleep(std::time::Duration::from_secs(1));
        }
    };
    let made = until_read(0);
    // A node that starts while a standby streams and PostgreSQL waits for none.
    let second = Process::serve_with(servers.primary.url(), &keys, "warn", &[]);
    let deadline = Instant::now() + std::time::Duration::from_secs(10);
    let warning = "standbys stream from this PostgreSQL, and it waits for none";
    while !second.log().iter().any(|line| line.contains(warning)) {
        assert!(Instant::now() < deadline, "{:?}", second.log());
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    drop(second);

    runtime.block_on(servers.on_standby("pg_wal_replay_pause()"));
    let took = deposits(made + 1);
    assert!(read(&node, "behind") > 0, "the standby lags, and the primary was read");
    assert!(took.as_millis() < 2_000, "{took:?}");

    runtime.block_on(servers.on_standby("pg_wal_replay_resume()"));
    let made = until_read(made + 1);

    servers.standby.halt().unwrap();
    deposits(made + 1);
    assert!(
        read(&node, "unavailable") > 0,
        "the standby is away, and the primary was read"
    );
}
