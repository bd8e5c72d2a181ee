//! The auditor's commands, run as processes: verify, export, import, rebuild, keys.

use crate::support::{self, Business, Call, MANAGER, Manner, PASSWORD, Process, S3, SmtpSink, create_tenant};
use caudal_postgres_testing::TestDatabase;
use sqlx::{Connection as _, Executor as _, PgConnection};
use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
    time::Duration,
};

/// An installation: its database and its data folder.
struct Place {
    database: TestDatabase,
    folder: tempfile::TempDir,
}

impl Place {
    async fn new() -> Self {
        Self {
            database: TestDatabase::new().await,
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_caudal"));
        command
            .args(arguments)
            .env("CAUDAL_DATA_DIR", self.folder.path())
            .env("DATABASE_URL", self.database.url())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn run_with(&self, arguments: &[&str], input: &str) -> Ran {
        let mut child = self.command(arguments).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        child.wait_with_output().unwrap().into()
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        self.run_with(arguments, "")
    }

    fn serve(&self) -> Process {
        Process::serve(self.database.url(), self.folder.path())
    }

    async fn owner(&self, tenant: &str) -> PgConnection {
        let mut connection = PgConnection::connect(self.database.url()).await.unwrap();
        let set = format!("SELECT set_config('caudal.tenant', '{tenant}', false)");
        connection.execute(set.as_str()).await.unwrap();
        connection
    }
}

#[derive(Debug)]
struct Ran {
    status: i32,
    said: String,
    complained: String,
}

impl From<Output> for Ran {
    fn from(output: Output) -> Self {
        Self {
            status: output.status.code().unwrap_or(-1),
            said: String::from_utf8(output.stdout).unwrap(),
            complained: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

impl Ran {
    #[track_caller]
    fn ends_with(self, status: i32) -> Self {
        assert_eq!(self.status, status, "{self:?}");
        self
    }

    /// The last head printed by a command.
    fn head(&self) -> String {
        let (_, head) = self.said.rsplit_once("head ").unwrap();
        head.split_whitespace().next().unwrap().to_owned()
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

/// A tenant with some business, and a running server.
async fn busy(tenant: &str) -> (Place, Process) {
    let place = Place::new().await;
    create_tenant(place.database.url(), place.folder.path(), tenant);
    let process = place.serve();
    let client = process.client(tenant);
    tokio::task::spawn_blocking(move || {
        let business = Business::set_up(client);
        business.as_manager(
            201,
            "POST",
            "/sources/deposit/manager",
            serde_json::json!({"currency": "USD", "amount": "1000.00", "note": "Para María"}),
        );
        business.fund("9000.00");
        for amount in ["10.00", "5.50", "7.25"] {
            let sale = business.sale(amount);
            business.as_agency(201, "POST", "/remittances", sale);
        }
    })
    .await
    .unwrap();
    (place, process)
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exported_tenant_imported_elsewhere_verifies_with_the_same_head() {
    let (place, process) = busy("acme").await;
    let verified = place.run(&["verify", "acme"]).ends_with(0);
    assert!(verified.said.contains("the ledger's invariants hold"), "{verified:?}");
    assert!(verified.said.contains("the read models equal a replay"), "{verified:?}");
    assert!(verified.complained.contains("(100 %)"), "{verified:?}");
    assert!(verified.complained.contains(" a second"), "{verified:?}");

    let (log, people) = (place.path("acme.ndjson"), place.path("acme.people"));
    let exported = place
        .run(&["export", "acme", "--to", text(&log), "--people", text(&people)])
        .ends_with(0);
    assert_eq!(exported.head(), verified.head());
    let again = place.run(&["export", "acme", "--to", text(&log)]).ends_with(1);
    assert!(again.complained.contains("is there already"), "{again:?}");
    let offline = place.run(&["verify", "--file", text(&log)]).ends_with(0);
    assert_eq!(offline.head(), verified.head());
    let other = place.run(&["verify", "other", "--file", text(&log)]).ends_with(1);
    assert!(other.said.contains("the log of acme"), "{other:?}");
    drop(process);

    let there = Place::new().await;
    let arguments = ["import", text(&log), "--people", text(&people)];
    let refused = there.run_with(&arguments, "no secret\n").ends_with(1);
    assert!(refused.complained.contains("no secret"), "{refused:?}");
    let secret = exported.said.lines().last().unwrap();
    let imported = there.run_with(&arguments, secret).ends_with(0);
    assert_eq!(imported.head(), verified.head());
    assert_eq!(there.run(&["verify", "acme"]).ends_with(0).head(), verified.head());
    let twice = there.run_with(&arguments, secret).ends_with(1);
    assert!(twice.complained.contains("has a log already"), "{twice:?}");
    // Logins of the exported tenant work after the import.
    let process = there.serve();
    let client = process.client("acme");
    tokio::task::spawn_blocking(move || {
        let manager = client.login(MANAGER, PASSWORD);
        let agencies = client.expect(200, &manager, "GET", "/agency", None);
        assert_eq!(agencies["data"][0]["name"], "Agency");
        client.login("agency@example.test", PASSWORD);
    })
    .await
    .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_log_taken_away_from_the_interface_is_verified_elsewhere_with_its_checkpoint_and_keys() {
    let (place, process) = busy("acme").await;
    let client = process.client("acme");
    let [log, checkpoint, keys] = tokio::task::spawn_blocking(move || {
        let manager = client.login(MANAGER, PASSWORD);
        let agency = client.login("agency@example.test", PASSWORD);
        assert_eq!(client.send(Call::new("GET", "/audit/log").token(&agency)).status, 403);
        let signed = client.expect(200, &manager, "GET", "/audit/checkpoint", None);
        let keys = client.send(Call::new("GET", "/audit/keys")).bytes;
        let log = client.send(Call::new("GET", "/audit/log").token(&manager));
        assert_eq!(log.status, 200, "{}", log.body);
        let readings = client.expect(200, &manager, "GET", "/audit/readings?kind=file", None);
        assert_eq!(readings["data"][0]["call"], "/api/audit/log");
        [log.bytes, signed.to_string().into_bytes(), keys]
    })
    .await
    .unwrap();
    drop(process);
    let elsewhere = Place::new().await;
    let paths = ["acme.ndjson", "acme.checkpoint.json", "keys.json"].map(|name| elsewhere.path(name));
    for (path, content) in paths.iter().zip([&log, &checkpoint, &keys]) {
        std::fs::write(path, content).unwrap();
    }
    let verify = || {
        let [log, checkpoint, keys] = paths.each_ref().map(|path| text(path));
        elsewhere.run(&[
            "verify",
            "--file",
            log,
            "--checkpoint",
            checkpoint,
            "--public-keys",
            keys,
        ])
    };
    let whole = verify().ends_with(0);
    assert!(whole.said.contains("agrees with the checkpoint"), "{whole:?}");
    // As the command line writes it, but for what was written since.
    let file = place.path("again.ndjson");
    place.run(&["export", "acme", "--to", text(&file)]).ends_with(0);
    let events = |content: &[u8]| {
        String::from_utf8(content.to_vec())
            .unwrap()
            .lines()
            .skip(1)
            .take(12)
            .collect::<String>()
    };
    assert_eq!(events(&log), events(&std::fs::read(&file).unwrap()));
    assert!(!String::from_utf8_lossy(&log).contains("agency@example.test"));

    let said = String::from_utf8(log).unwrap();
    let mut lines: Vec<_> = said.lines().map(str::to_owned).collect();
    lines[12] = lines[12].replacen("\"sequence\":1", "\"sequence\":2", 1);
    std::fs::write(&paths[0], lines.join("\n") + "\n").unwrap();
    let found = verify().ends_with(1);
    assert!(found.said.contains("position 12:"), "{found:?}");
    // A download that was cut off.
    let cut = said.lines().count() - 1;
    std::fs::write(&paths[0], said.lines().take(cut).collect::<Vec<_>>().join("\n") + "\n").unwrap();
    assert_ne!(verify().status, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn faults_are_named_and_set_the_exit_status() {
    let (place, process) = busy("acme").await;
    drop(process);
    let log = place.path("acme.ndjson");
    place.run(&["export", "acme", "--to", text(&log)]).ends_with(0);
    let whole = std::fs::read_to_string(&log).unwrap();
    let mut lines: Vec<_> = whole.lines().map(str::to_owned).collect();
    lines[12] = lines[12].replacen("\"sequence\":1", "\"sequence\":2", 1);
    std::fs::write(&log, lines.join("\n") + "\n").unwrap();
    let found = place.run(&["verify", "--file", text(&log)]).ends_with(1);
    assert!(found.said.contains("position 12:"), "{found:?}");

    let mut owner = place.owner("acme").await;
    let tampering = "UPDATE read.accounts SET balance = balance + 1 WHERE account = 'treasury/USD'";
    owner.execute(tampering).await.unwrap();
    let found = place.run(&["verify", "acme"]).ends_with(1);
    assert!(
        found.said.contains("accounts: 1 rows") && found.said.contains("acme/treasury/USD"),
        "{found:?}"
    );
    place.run(&["verify", "acme", "--log-only"]).ends_with(0);
    let rebuilt = place.run(&["rebuild"]).ends_with(0);
    assert!(rebuilt.said.contains("put right: accounts"), "{rebuilt:?}");
    place.run(&["verify", "acme"]).ends_with(0);
    owner
        .execute("UPDATE journal.events SET recorded_at = recorded_at + interval '1 us' WHERE position = 9")
        .await
        .unwrap();
    let found = place.run(&["verify", "acme"]).ends_with(1);
    assert!(found.said.contains("position 9:"), "{found:?}");
    let refused = place
        .run(&["export", "acme", "--to", text(&place.path("tampered.ndjson"))])
        .ends_with(1);
    assert!(refused.complained.contains("position 9"), "{refused:?}");
    assert!(!place.path("tampered.ndjson").exists());
    assert!(!place.path("tampered.ndjson.part").exists());
    // An incomplete verification has an exit status of its own.
    place.run(&["verify", "nobody"]).ends_with(2);
    place
        .run(&["verify", "--file", text(&place.path("missing"))])
        .ends_with(2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_rebuild_leaves_the_service_unchanged() {
    let (place, process) = busy("acme").await;
    let client = process.client("acme");
    let manager = {
        let client = client.clone();
        tokio::task::spawn_blocking(move || client.login(MANAGER, PASSWORD))
            .await
            .unwrap()
    };
    let trade = move |client: &support::Client, token: &str| {
        let body = serde_json::json!({"currency": "USD", "amount": "1.00"});
        client.expect(201, token, "POST", "/sources/deposit/manager", Some(body));
        let entries = client.expect(200, token, "GET", "/accounting/entries?RecordsPerPage=5", None);
        entries["totalRecords"].as_i64().unwrap()
    };
    let mut seen = 0;
    for round in 0..8_u64 {
        let mut rebuilding: Child = place.command(&["rebuild"]).spawn().unwrap();
        tokio::time::sleep(Duration::from_millis(60 * round)).await;
        rebuilding.kill().unwrap();
        rebuilding.wait().unwrap();
        let (client, manager) = (client.clone(), manager.clone());
        let entries = tokio::task::spawn_blocking(move || trade(&client, &manager))
            .await
            .unwrap();
        assert!(entries > seen, "{entries} after {seen}");
        seen = entries;
    }
    // The server notices the end of a killed client's connection after a moment.
    let mut last = place.run(&["rebuild"]);
    for _ in 0..50 {
        if last.status == 0 {
            break;
        }
        assert!(last.complained.contains("another rebuild"), "{last:?}");
        tokio::time::sleep(Duration::from_millis(100)).await;
        last = place.run(&["rebuild"]);
    }
    assert!(last.said.contains("the old and the new were equal"), "{last:?}");
    place.run(&["verify", "acme"]).ends_with(0);
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<_> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

#[tokio::test(flavor = "multi_thread")]
async fn exported_checkpoints_reveal_a_rewritten_or_cut_log() {
    let (place, process) = busy("acme").await;
    drop(process);
    let keys = place.path("public.json");
    std::fs::write(&keys, place.run(&["keys", "show"]).ends_with(0).said).unwrap();
    // A folder, an object store and a mailbox get the same file; existing files are never replaced.
    let (kept, bucket, mailbox) = (place.path("kept"), S3::start(), SmtpSink::start(Manner::Takes));
    let arguments = [
        "checkpoint",
        "acme",
        "--to",
        text(&kept),
        "--to",
        "s3://bucket/caudal",
        "--to",
        "mailto:auditor@example.org",
    ];
    let send = |smtp_url: &str| {
        let mut command = place.command(&arguments);
        command
            .env("CAUDAL_SMTP_URL", smtp_url)
            .env("CAUDAL_MAIL_FROM", "Caudal <no-reply@example.org>")
            .env("AWS_ENDPOINT", bucket.endpoint())
            .env("AWS_ALLOW_HTTP", "true")
            .env("AWS_ACCESS_KEY_ID", "test")
            .env("AWS_SECRET_ACCESS_KEY", "test");
        Ran::from(command.output().unwrap())
    };
    send(&mailbox.url()).ends_with(0);
    let checkpoint = files(&kept).pop().unwrap();
    let said = std::fs::read_to_string(&checkpoint).unwrap();
    let name = checkpoint.file_name().unwrap().to_str().unwrap();
    let stored = format!("/bucket/caudal/{name}");
    assert_eq!(
        bucket.content(&stored).as_deref(),
        Some(said.as_bytes()),
        "{:?}",
        bucket.names()
    );
    let mail = mailbox.mails(1).remove(0);
    assert_eq!(mail.to, ["auditor@example.org"]);
    // Quoted-printable decoded.
    let mailed = mail.data.replace("\r\n", "\n").replace("=\n", "").replace("=3D", "=");
    assert!(mailed.contains(name) && mailed.contains(&said), "{mailed}");
    send(&mailbox.url()).ends_with(0);
    assert_eq!((files(&kept).len(), bucket.names().len()), (1, 1));
    assert_eq!(std::fs::read_to_string(&checkpoint).unwrap(), said);
    assert_eq!(bucket.content(&stored).as_deref(), Some(said.as_bytes()));
    // An unreachable mailbox is reported and sets the exit status.
    let unreachable = send("smtp://127.0.0.1:1").ends_with(1);
    assert!(
        unreachable.complained.contains("the mail was not delivered"),
        "{unreachable:?}"
    );
    let position = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap()["position"].clone();

    let log = place.path("acme.ndjson");
    place.run(&["export", "acme", "--to", text(&log)]).ends_with(0);
    let with = |place: &Place, more: &[&str]| {
        let mut arguments = vec!["verify"];
        arguments.extend(more);
        arguments.extend(["--checkpoint", text(&checkpoint), "--public-keys", text(&keys)]);
        place.run(&arguments)
    };
    let agreed = with(&place, &["--file", text(&log)]).ends_with(0);
    assert!(agreed.said.contains("agrees with the checkpoint"), "{agreed:?}");
    with(&place, &["acme", "--log-only"]).ends_with(0);
    // After a rotation the previous key verifies what it signed, and signs no more.
    let rotated = place.run(&["keys", "rotate"]).ends_with(0);
    let published: serde_json::Value = serde_json::from_str(&rotated.said).unwrap();
    assert_eq!(published["keys"].as_array().unwrap().len(), 2);
    place
        .run(&["verify", "acme", "--log-only", "--checkpoint", text(&checkpoint)])
        .ends_with(0);

    // The log is cut in the database, and the head set to fit.
    let mut owner = place.owner("acme").await;
    owner
        .execute(
            "DELETE FROM journal.events WHERE position > 10;
             UPDATE journal.heads AS h SET position = 10, hash = e.hash, recorded_at = e.recorded_at
               FROM journal.events AS e WHERE e.tenant = h.tenant AND e.position = 10",
        )
        .await
        .unwrap();
    // The checkpoint in the database contradicts the log, whether or not a file is given.
    let kept = place.run(&["verify", "acme", "--log-only"]).ends_with(1);
    owner.execute("DELETE FROM journal.checkpoints").await.unwrap();
    // What nodes have seen is left, unless their evidence is lost as well.
    let quarantined = place.run(&["verify", "acme", "--log-only"]).ends_with(1);
    assert!(quarantined.said.contains("in quarantine"), "{quarantined:?}");
    let given = with(&place, &["acme", "--log-only"]).ends_with(1);
    for found in [kept, given] {
        assert!(
            found.said.contains("position 11") && found.said.contains("cut off"),
            "{found:?}"
        );
    }
    // Another history under the same tenant id.
    let (other, process) = busy("acme").await;
    drop(process);
    let found = with(&other, &["acme", "--log-only"]).ends_with(1);
    assert!(found.said.contains("rewritten"), "{found:?}");
    // A modified checkpoint proves nothing and is rejected.
    std::fs::write(
        &checkpoint,
        said.replace(&format!("\"position\": {}", position(&said)), "\"position\": 3"),
    )
    .unwrap();
    let refused = with(&place, &["acme", "--log-only"]).ends_with(2);
    assert!(refused.complained.contains("signature"), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_sends_checkpoints_on_a_schedule() {
    let place = Place::new().await;
    create_tenant(place.database.url(), place.folder.path(), "acme");
    let kept = place.path("kept");
    let arguments = [
        "serve",
        "--listen",
        "127.0.0.1:0",
        "--checkpoint-to",
        text(&kept),
        "--checkpoint-every",
        "1s",
    ];
    let mut serving = place
        .command(&arguments)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut waited = 0;
    while files(&kept).is_empty() && waited < 100 {
        tokio::time::sleep(Duration::from_millis(100)).await;
        waited += 1;
    }
    serving.kill().unwrap();
    serving.wait().unwrap();
    let checkpoint = files(&kept).pop().expect("a checkpoint within ten seconds");
    place
        .run(&["verify", "acme", "--checkpoint", text(&checkpoint)])
        .ends_with(0);
}
