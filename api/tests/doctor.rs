//! `caudal doctor` and the settings: the real command over real databases.

use crate::support::{Collector, Manner, Process, Receiver, Reply, S3, SmtpSink, create_tenant};
use caudal_journal::SigningKeys;
use caudal_postgres::embedded::{Server, Temporary};
use caudal_postgres_testing::TestDatabase;
use serde_json::Value;
use sqlx::{Connection as _, Executor as _, PgConnection};
use std::{
    collections::BTreeMap,
    fs,
    net::TcpListener,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::{Duration, Instant},
};

/// Variables that may be set on the machine that runs the test.
const FOREIGN: [&str; 8] = [
    "DATABASE_URL",
    "CAUDAL_OWNER_DATABASE_URL",
    "CAUDAL_DATA_DIR",
    "CAUDAL_LISTEN",
    "CAUDAL_SMTP_URL",
    "CAUDAL_MAIL_FROM",
    "CREDENTIALS_DIRECTORY",
    "RUST_LOG",
];

/// The installation under examination: a data folder and the server's variables.
struct Installation {
    folder: tempfile::TempDir,
    variables: BTreeMap<String, String>,
}

impl Installation {
    fn new(url: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        fs::create_dir(&data).unwrap();
        set_mode(&data, 0o700);
        let mut installation = Self {
            folder,
            variables: BTreeMap::new(),
        };
        let empty = installation.path("caudal.toml");
        fs::write(&empty, "").unwrap();
        installation.set("CAUDAL_CONFIG", empty.to_str().unwrap());
        installation.set("DATABASE_URL", url);
        installation.set("CAUDAL_DATA_DIR", data.to_str().unwrap());
        installation.set("CAUDAL_LISTEN", "127.0.0.1:0");
        installation
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn data(&self) -> PathBuf {
        self.path("data")
    }

    fn keys(&self) -> PathBuf {
        self.data().join("keys/master.keys")
    }

    fn set(&mut self, name: &str, value: &str) {
        self.variables.insert(name.to_owned(), value.to_owned());
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_caudal"));
        for name in FOREIGN {
            command.env_remove(name);
        }
        command.args(arguments).envs(&self.variables).output().unwrap()
    }

    /// The doctor's findings: remedies by code.
    fn examine(&self, arguments: &[&str]) -> BTreeMap<String, String> {
        let mut all = vec!["doctor", "--json"];
        all.extend(arguments);
        let output = self.run(&all);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{error}"));
        assert_eq!(output.status.success(), report["wrong"] == 0, "{report}");
        let checks = report["checks"].as_array().unwrap().iter();
        checks
            .flat_map(|check| check["findings"].as_array().unwrap())
            .map(|finding| {
                let text = |name: &str| finding[name].as_str().unwrap().to_owned();
                (text("code"), text("remedy"))
            })
            .collect()
    }

    /// Runs the doctor and expects a finding whose remedy contains a text.
    fn expect(&self, arguments: &[&str], code: &str, remedy: &str) {
        let found = self.examine(arguments);
        let said = found
            .get(code)
            .unwrap_or_else(|| panic!("{code} is not among {found:#?}"));
        assert!(said.contains(remedy), "{code}: {said}");
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// The lines of a server's log that contain a text, once there is one.
fn logged(serving: &Process, part: &str) -> Vec<String> {
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        let lines = serving.log();
        if lines.iter().any(|line| line.contains(part)) {
            return lines;
        }
        assert!(Instant::now() < deadline, "{part:?} was not logged: {lines:#?}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

async fn execute(url: &str, sql: &str) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    connection.execute(sql).await.unwrap();
    connection.close().await.unwrap();
}

/// Mistakes that need a real database to be found, and a URL that leads to none.
#[tokio::test]
async fn mistakes_with_the_database_are_found_with_their_remedies() {
    let database = TestDatabase::new().await;
    let mut of_login = Installation::new(database.node_url());
    let found = of_login.examine(&[]);
    assert!(
        !found
            .keys()
            .any(|code| code.starts_with("database.owner") || code.starts_with("schema.")),
        "{found:#?}"
    );
    assert!(found.contains_key("log.no_tenant"), "{found:#?}");
    Installation::new(database.url()).expect(&[], "database.owner_as_login", "--grant-login");

    let url = database.node_url().to_owned();
    let at_no_port = "postgres://caudal_login@127.0.0.1:1/caudal";
    of_login.set("DATABASE_URL", at_no_port);
    of_login.expect(&[], "database.not_running", "systemctl start postgresql");
    of_login.set("DATABASE_URL", "postgres//caudal");
    of_login.expect(&[], "database.url", "postgres://caudal_login:PASSWORD@HOST");
    let other = url.replace(url.split('/').nth(3).unwrap().split('?').next().unwrap(), "nowhere");
    of_login.set("DATABASE_URL", &other);
    of_login.expect(&[], "database.no_such_database", "CREATE DATABASE");
    of_login.set("DATABASE_URL", &url.replace("caudal_login", "nobody_at_all"));
    of_login.expect(&[], "database.not_let_in", "LOGIN");
    of_login.set("DATABASE_URL", &url);

    of_login.set("CAUDAL_OWNER_DATABASE_URL", &url);
    let found = of_login.examine(&[]);
    assert!(
        found.contains_key("owner.same_user") && found.contains_key("owner.owns_nothing"),
        "{found:#?}"
    );
    of_login.set("CAUDAL_OWNER_DATABASE_URL", database.url());
    assert!(!of_login.examine(&[]).keys().any(|code| code.starts_with("owner.")));
    let elsewhere = TestDatabase::new().await;
    of_login.set("CAUDAL_OWNER_DATABASE_URL", elsewhere.url());
    of_login.expect(&[], "owner.other_database", "same host");
    of_login.set("CAUDAL_OWNER_DATABASE_URL", database.url());

    of_login.expect(&["--standby-database-url", &url], "standby.primary", "standby");
    of_login.expect(
        &["--standby-database-url", at_no_port],
        "database.not_running",
        "PostgreSQL",
    );
    of_login.expect(
        &["--require-synchronous-standby"],
        "database.no_synchronous_standby",
        "synchronous_standby_names",
    );
    of_login.expect(
        &["--accept-volatile", "fsync"],
        "settings.volatile",
        "CAUDAL_ACCEPT_VOLATILE",
    );

    let newer = "INSERT INTO _sqlx_migrations (version, description, success, checksum, execution_time)
                 VALUES (99999, 'of tomorrow', true, '', 0)";
    execute(database.url(), newer).await;
    of_login.expect(&[], "schema.newer", "newer one");
    let older =
        "DELETE FROM _sqlx_migrations WHERE version IN (SELECT version FROM _sqlx_migrations ORDER BY 1 DESC LIMIT 2)";
    execute(database.url(), older).await;
    of_login.expect(&[], "schema.behind", "caudal migrate");
}

#[tokio::test]
async fn unsafe_server_settings_and_a_missing_schema_are_found() {
    let settings = [
        "fsync=off",
        "full_page_writes=off",
        "synchronous_commit=off",
        "max_connections=15",
        "log_min_error_statement=error",
    ];
    let server = Server::temporary(Temporary {
        settings: settings.map(str::to_owned).to_vec(),
        ..Temporary::default()
    })
    .unwrap();
    execute(server.url(), "CREATE ROLE caudal_login LOGIN NOINHERIT").await;
    let login = Installation::new(&server.node_url());
    let found = login.examine(&[]);
    for code in [
        "database.fsync",
        "database.full_page_writes",
        "database.synchronous_commit",
        "database.max_connections",
        "database.telling_log",
        "database.checksums",
        "schema.missing",
    ] {
        assert!(found.contains_key(code), "{code}: {found:#?}");
    }
    let migrate = Installation::new(server.url());
    assert!(migrate.run(&["migrate"]).status.success());
    login.expect(
        &[],
        "database.not_a_member",
        "caudal migrate --grant-login caudal_login",
    );
    let alter = "ALTER DATABASE caudal SET default_transaction_read_only = on";
    execute(server.url(), alter).await;
    login.expect(&[], "database.read_only", "RESET");
}

#[tokio::test]
async fn mistakes_with_keys_folders_and_backups_are_found_with_their_remedies() {
    let database = TestDatabase::new().await;
    let mut place = Installation::new(database.node_url());
    create_tenant(database.node_url(), &place.data(), "acme");
    assert!(!place.examine(&[]).keys().any(|code| code.starts_with("keys.")));

    set_mode(&place.keys(), 0o644);
    place.expect(&[], "keys.permissions", "chmod 600");
    set_mode(&place.keys(), 0o600);
    let folder = place.data().join("keys");
    set_mode(&folder, 0o777);
    place.expect(&[], "keys.permissions", "chmod 700");
    set_mode(&folder, 0o700);
    let right = fs::read(place.keys()).unwrap();
    fs::remove_file(place.keys()).unwrap();
    place.expect(&[], "keys.missing", "CAUDAL_MASTER_KEY_FILE");
    fs::write(place.keys(), "nothing\n").unwrap();
    set_mode(&place.keys(), 0o600);
    place.expect(&[], "keys.format", "put the right key file back");
    let (elsewhere, other) = (TestDatabase::new().await, Installation::new(database.node_url()));
    create_tenant(elsewhere.node_url(), &other.data(), "other");
    fs::copy(other.keys(), place.keys()).unwrap();
    place.expect(&[], "keys.other_database", "put the right key file back");
    let named = place.path("named.keys");
    fs::write(&named, &right).unwrap();
    set_mode(&named, 0o600);
    let found = place.examine(&["--master-key-file", named.to_str().unwrap()]);
    assert!(!found.keys().any(|code| code.starts_with("keys.")), "{found:#?}");
    fs::write(place.keys(), &right).unwrap();

    let signed = place.run(&["checkpoint", "acme"]);
    assert!(signed.status.success(), "{signed:?}");
    assert!(!place.examine(&[]).keys().any(|code| code.starts_with("keys.")));
    let signing = place.data().join("keys/signing.keys");
    set_mode(&signing, 0o644);
    place.expect(&[], "keys.signing_permissions", "chmod 600");
    set_mode(&signing, 0o600);
    let right = fs::read(&signing).unwrap();
    fs::remove_file(&signing).unwrap();
    place.expect(&[], "keys.signing_missing", "CAUDAL_SIGNING_KEY_FILE");
    fs::copy(other.keys(), &signing).unwrap();
    place.expect(&[], "keys.signing_format", "put the file back");
    fs::remove_file(&signing).unwrap();
    let made = SigningKeys::open_or_create(&signing, chrono::Utc::now()).unwrap();
    place.expect(&[], "keys.signing_other", "put the file back");
    assert!(!right.is_empty() && made.public().keys().len() == 1);
    fs::write(&signing, &right).unwrap();
    assert!(!place.examine(&[]).keys().any(|code| code.starts_with("keys.")));

    set_mode(&place.data(), 0o755);
    place.expect(&[], "folder.readable_by_others", "chmod 700");
    set_mode(&place.data(), 0o777);
    place.expect(&[], "folder.writable_by_others", "chmod 700");
    set_mode(&place.data(), 0o700);
    place.expect(&["--data-dir", "/nowhere/caudal"], "folder.missing", "--data-dir");

    place.expect(&[], "backup.none", "scripts/backup");
    let record = place.data().join("backups.json");
    let noted = format!(
        r#"{{"backed_up_at":"2020-01-01T00:00:00Z","folder":{:?}}}"#,
        place.data()
    );
    fs::write(&record, noted).unwrap();
    let found = place.examine(&[]);
    for code in [
        "backup.old",
        "backup.never_rehearsed",
        "backup.same_disk",
        "keys.beside_backups",
    ] {
        assert!(found.contains_key(code), "{code}: {found:#?}");
    }
    fs::write(
        &record,
        r#"{"backed_up_at":"2020-01-01T00:00:00Z","folder":"/nowhere"}"#,
    )
    .unwrap();
    place.expect(&[], "backup.gone", "mount it");

    place.expect(&[], "settings.checkpoints", "--checkpoint-to");
    let inside = place.data().join("checkpoints");
    place.expect(
        &["--checkpoint-to", inside.to_str().unwrap()],
        "settings.checkpoints_inside",
        "another machine",
    );
    let text = "database-url = \"postgres://u:secret@db/caudal\"\n";
    let file = place.path("caudal.toml");
    fs::write(&file, text).unwrap();
    set_mode(&file, 0o644);
    place.expect(&[], "settings.exposed", "chmod 640");
    set_mode(&file, 0o640);
    assert!(!place.examine(&[]).contains_key("settings.exposed"));
    fs::write(&file, "lisen = \"127.0.0.1:1\"\n").unwrap();
    place.expect(&[], "settings.broken", "did you mean listen?");
    place.set("CAUDAL_PUBLIC_URL", "caudal.example.org");
    place.expect(&[], "settings.broken", "");
}

#[tokio::test]
async fn mistakes_with_addresses_and_mail_are_found_with_their_remedies() {
    let database = TestDatabase::new().await;
    let mut place = Installation::new(database.node_url());
    for (arguments, code, remedy) in [
        (&["--listen", "0.0.0.0:0"][..], "network.plain_cookies", "--public-url"),
        (
            &["--listen", "0.0.0.0:0"],
            "network.open_metrics",
            "--operations-listen",
        ),
        (
            &["--listen", "0.0.0.0:0", "--public-url", "http://caudal.example.org"],
            "network.public_http",
            "https://",
        ),
        (
            &["--public-url", "https://caudal.example.org"],
            "network.no_proxies",
            "--trusted-proxies",
        ),
        (
            &["--trusted-proxies", "0.0.0.0/0"],
            "network.everybody_trusted",
            "own addresses",
        ),
        (
            &["--listen", "0.0.0.0:0", "--node-address", "http://localhost:8080"],
            "network.node_loopback",
            "private network",
        ),
        (
            &["--node-address", "http://10.0.0.2:8080"],
            "network.node_unreachable",
            "--listen",
        ),
        (
            &["--listen", "0.0.0.0:0", "--node-address", "http://203.0.113.9:8080"],
            "network.node_in_clear",
            "https://",
        ),
        (
            &["--listen", "192.0.2.1:8080"],
            "network.not_our_address",
            "address of this machine",
        ),
        (&[], "mail.outbox", "CAUDAL_SMTP_URL"),
        (
            &["--smtp-url", "mail.example.org", "--mail-from", "a@envios.com"],
            "mail.url",
            "smtps://",
        ),
        (&["--smtp-url", "smtp://127.0.0.1:1"], "mail.refused", "password"),
        (
            &["--smtp-url", "smtp://127.0.0.1:1"],
            "mail.no_sender",
            "CAUDAL_MAIL_FROM",
        ),
        (
            &["--smtp-url", "smtp://127.0.0.1:1", "--mail-from", "Caudal"],
            "mail.sender",
            "CAUDAL_MAIL_FROM",
        ),
    ] {
        place.expect(arguments, code, remedy);
    }
    let sink = SmtpSink::start(Manner::Takes);
    let url = sink.url();
    let found = place.examine(&["--smtp-url", &url, "--mail-from", "Caudal <no-reply@envios.com>"]);
    assert!(!found.keys().any(|code| code.starts_with("mail.")), "{found:#?}");

    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    place.expect(&["--listen", &address], "network.port_taken", "ss -ltnp");
    let serving = Process::serve(database.node_url(), &place.data());
    place.set("CAUDAL_LISTEN", serving.address());
    let found = place.examine(&[]);
    assert!(
        !found.contains_key("network.port_taken"),
        "Caudal itself may listen there: {found:#?}"
    );
}

#[tokio::test]
async fn mistakes_with_the_buckets_copy_and_the_collector_are_found_with_their_remedies() {
    const NOWHERE: &str = "http://127.0.0.1:1";
    let database = TestDatabase::new().await;
    let mut place = Installation::new(database.node_url());
    let skips = |place: &Installation, check: &str| {
        let report: Value = serde_json::from_slice(&place.run(&["doctor", "--json"]).stdout).unwrap();
        let mut checks = report["checks"].as_array().unwrap().iter();
        checks.any(|known| known["check"] == check && known["skipped"].is_string())
    };
    assert!(skips(&place, "bucket") && skips(&place, "telemetry"));

    let store = S3::start();
    for (name, value) in [
        ("AWS_ENDPOINT", store.endpoint().as_str()),
        ("AWS_ALLOW_HTTP", "true"),
        ("AWS_REGION", "us-east-1"),
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test"),
    ] {
        place.set(name, value);
    }
    let copied = ["--backup-copy-to", "s3://backups/office"];
    let found = place.examine(&copied);
    assert!(!found.contains_key("bucket.unreachable"), "{found:#?}");
    place.expect(&copied, "backup.copy_of_nothing", "CAUDAL_BACKUP_TO");
    let folder = place.path("backup");
    place.set("CAUDAL_BACKUP_TO", folder.to_str().unwrap());
    // Beside another server's database nothing is copied.
    place.expect(&copied, "backup.copy_of_nothing", "scripts/backup");
    place.set("AWS_ENDPOINT", NOWHERE);
    for setting in ["--backup-copy-to", "--files", "--checkpoint-to"] {
        place.expect(&[setting, "s3://backups/office"], "bucket.unreachable", "AWS_ENDPOINT");
    }

    let collector = Collector::start();
    let found = place.examine(&["--otlp-endpoint", &collector.endpoint()]);
    assert!(!found.keys().any(|code| code.starts_with("telemetry.")), "{found:#?}");
    assert_eq!(
        collector.bodies(),
        [r#"{"resourceSpans":[]}"#, r#"{"resourceMetrics":[]}"#]
    );
    place.expect(&["--otlp-endpoint", NOWHERE], "telemetry.unreachable", "4318");
    let refusing = Receiver::start(Reply::Status(401));
    place.expect(
        &["--otlp-endpoint", &refusing.url()],
        "telemetry.refused",
        "CAUDAL_OTLP_HEADERS",
    );
    place.expect(
        &["--otlp-headers", "authorization=Bearer abc"],
        "telemetry.no_collector",
        "CAUDAL_OTLP_ENDPOINT",
    );
}

#[tokio::test]
async fn the_text_report_has_a_line_for_each_check_and_each_finding() {
    let database = TestDatabase::new().await;
    let place = Installation::new(database.node_url());
    let output = place.run(&["doctor"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(
        said.lines()
            .any(|line| line.starts_with("ok       the clock is the database's")),
        "{said}"
    );
    assert!(
        said.lines()
            .any(|line| line.starts_with("WRONG    backup.none: no backup")),
        "{said}"
    );
    assert!(said.contains(" -> scripts/backup FOLDER"), "{said}");
    assert!(
        said.lines().any(|line| line.starts_with("skipped  the standby")),
        "{said}"
    );
    assert!(said.lines().last().unwrap().contains("wrong; "), "{said}");
    assert_eq!(output.status.code(), Some(1));
}

#[tokio::test]
async fn config_prints_values_and_sources_without_passwords() {
    let mut place = Installation::new("");
    let secret = place.path("secret");
    fs::write(&secret, "postgres://u:hidden@db/caudal\n").unwrap();
    fs::write(
        place.path("caudal.toml"),
        format!("write-rate = 7\ndatabase-url-file = {secret:?}\n"),
    )
    .unwrap();
    place.set("CAUDAL_SMTP_URL", "smtps://me:hidden@mail.example.org");
    let output = place.run(&["config", "--upload-files", "5"]);
    let said = String::from_utf8(output.stdout).unwrap();
    let line = |key: &str| {
        said.lines()
            .find(|line| line.split_whitespace().next() == Some(key))
            .unwrap()
    };
    assert!(line("write-rate").contains("caudal.toml, line 1"), "{said}");
    assert!(line("upload-files").contains("--upload-files"), "{said}");
    assert!(line("listen").contains("CAUDAL_LISTEN"), "{said}");
    assert!(line("verify-rate").ends_with("default"), "{said}");
    assert!(line("database-url").contains("postgres://u:...@db/caudal"), "{said}");
    assert!(!said.contains("hidden"), "{said}");
    let set = String::from_utf8(place.run(&["config", "--set"]).stdout).unwrap();
    assert!(!set.contains("verify-rate") && set.contains("write-rate"), "{set}");
}

#[tokio::test]
async fn sighup_applies_limits_and_names_settings_that_need_a_restart() {
    let database = TestDatabase::new().await;
    let place = Installation::new(database.node_url());
    let file = place.path("caudal.toml");
    let serving = Process::serve_with(
        database.node_url(),
        &place.data(),
        "",
        &["--config", file.to_str().unwrap()],
    );
    fs::write(&file, "write-rate = 3\nverify-rate = 1\n").unwrap();
    serving.signal("HUP");
    let lines = logged(&serving, "need a restart");
    let of = |part: &str| lines.iter().find(|line| line.contains(part)).cloned().unwrap();
    assert!(of("the settings were read again").contains("write-rate"), "{lines:?}");
    assert!(of("need a restart").contains("verify-rate"), "{lines:?}");
    fs::write(&file, "write-rat = 3\n").unwrap();
    serving.signal("HUP");
    logged(&serving, "did you mean write-rate?");
}

#[test]
fn the_configuration_page_is_current() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/configuration.md");
    assert!(
        fs::read_to_string(path).unwrap() == caudal_api::settings::page(&caudal_api::cli::command()),
        "run `cargo run -p caudal-api --example configuration > docs/configuration.md`"
    );
}
