//! The `caudal` command over a given database.

use crate::support::{Call, Client, PASSWORD, secret_of};
use caudal_api::auth::totp;
use caudal_postgres_testing::TestDatabase;
use chrono::Utc;
use serde_json::json;
use std::{
    io::{BufRead as _, BufReader, Read as _, Write as _},
    path::Path,
    process::{Child, Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

fn caudal(folder: &Path, url: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_caudal"));
    command
        .args(arguments)
        .env("CAUDAL_DATA_DIR", folder)
        .env("DATABASE_URL", url)
        .env_remove("CAUDAL_LISTEN")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn run(folder: &Path, url: &str, arguments: &[&str], input: &str) -> Output {
    let mut child = caudal(folder, url, arguments).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn said(output: &Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// A running `caudal serve` with its address.
struct Serving {
    child: Child,
    address: String,
    lines: BufReader<std::process::ChildStdout>,
}

impl Serving {
    fn start(folder: &Path, url: &str, arguments: &[&str]) -> Self {
        let mut all = vec!["serve", "--listen", "127.0.0.1:0"];
        all.extend(arguments);
        Self::run(&mut caudal(folder, url, &all))
    }

    fn run(command: &mut Command) -> Self {
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut line = String::new();
        lines.read_line(&mut line).unwrap();
        let Some(address) = line.trim().strip_prefix("listening on ") else {
            let mut error = String::new();
            let told = child.stderr.take().map(|mut stderr| stderr.read_to_string(&mut error));
            panic!("{line}{error} {told:?}");
        };
        Self {
            address: address.to_owned(),
            child,
            lines,
        }
    }

    fn client(&self, tenant: &str) -> Client {
        Client::new(self.address.clone(), tenant)
    }

    /// Stops the process as Ctrl-C does. Returns whether it ended with success.
    fn stop(&mut self) -> bool {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        self.child.wait().unwrap().success()
    }
}

impl Drop for Serving {
    fn drop(&mut self) {
        // The process has already ended if the test reached its end.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn tenant_create_is_idempotent_beside_a_running_server_and_its_manager_logs_in() {
    let database = TestDatabase::new().await;
    let folder = tempfile::tempdir().unwrap();
    let (folder, url) = (folder.path(), database.url());
    let mut serving = Serving::start(folder, url, &[]);
    let create = [
        "tenant",
        "create",
        "acme",
        "--name",
        "Acme",
        "--manager-email",
        "m@acme.test",
        "--manager-password-stdin",
    ];
    said(&run(folder, url, &create, "Caudal#2026\n"));
    said(&run(folder, url, &create, "Caudal#2026\n"));
    assert_eq!(said(&run(folder, url, &["tenant", "list"], "")), "acme\n");
    let client = serving.client("acme");
    let token = client.login("m@acme.test", "Caudal#2026");
    let currencies = client.expect(
        200,
        &token,
        "GET",
        "/nomenclators/currency?RecordsPerPage=0&sort=code",
        None,
    );
    let codes: Vec<_> = currencies["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| row["code"].clone())
        .collect();
    assert_eq!(json!(codes), json!(["CUP", "EUR", "MLC", "USD"]));
    let provinces = client.expect(200, &token, "GET", "/nomenclators/cuban_states", None);
    assert_eq!(provinces["results"].as_array().unwrap().len(), 16);

    let other = [
        "tenant",
        "create",
        "acme",
        "--name",
        "Other",
        "--manager-email",
        "m@acme.test",
        "--manager-password-stdin",
    ];
    let refused = run(folder, url, &other, "Caudal#2026\n");
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("the tenant is there already"));
    let weak = [
        "tenant",
        "create",
        "weak",
        "--name",
        "Weak",
        "--manager-email",
        "m@weak.test",
        "--manager-password-stdin",
    ];
    let refused = run(folder, url, &weak, "password\n");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("The password needs a digit"));
    assert!(serving.stop(), "it ends in good order");
}

#[tokio::test]
async fn the_operator_lets_in_a_manager_who_lost_the_second_factor() {
    let database = TestDatabase::new().await;
    let folder = tempfile::tempdir().unwrap();
    let (folder, url) = (folder.path(), database.url());
    let mut serving = Serving::start(folder, url, &[]);
    let (email, password) = ("m@acme.test", "Caudal#2026");
    let create = [
        "tenant",
        "create",
        "acme",
        "--name",
        "Acme",
        "--manager-email",
        email,
        "--manager-password-stdin",
    ];
    said(&run(folder, url, &create, password));
    let client = serving.client("acme");
    let token = client.login(email, password);
    let begun = client.expect(
        201,
        &token,
        "POST",
        "/second_factor/enrolments",
        Some(json!({"password": password})),
    );
    let code = totp::code(&secret_of(begun["secret"].as_str().unwrap()), totp::step_of(Utc::now()));
    let path = format!("/second_factor/enrolments/{}/confirm", begun["id"].as_str().unwrap());
    client.expect(200, &token, "POST", &path, Some(json!({"code": code.as_str()})));
    let login = || {
        let body = json!({"email": email, "password": password});
        client.send(Call::new("POST", "/auth0/login").json(&body))
    };
    assert_eq!(login().body["code"], "second_factor_required");

    let end = ["tenant", "end-second-factor", "acme", email];
    let told = said(&run(folder, url, &end, ""));
    assert_eq!(told, "m@acme.test logs in to acme with the password alone\n");
    let deadline = Instant::now() + Duration::from_secs(20);
    while client.send(Call::new("GET", "/users/profile").token(&token)).status != 401 {
        assert!(Instant::now() < deadline, "the sessions end");
        thread::sleep(Duration::from_millis(100));
    }
    let answer = login();
    assert_eq!(answer.status, 200, "{}", answer.body);
    let token = answer.body["token"]["accessToken"].as_str().unwrap().to_owned();
    let told = client.expect(200, &token, "GET", "/audit/events?eventType=SecondFactorRemoved", None);
    assert_eq!(told["data"][0]["actor"]["id"], json!(null), "the system did it");
    for (address, why) in [(email, "no second factor"), ("nobody@acme.test", "no such party")] {
        let refused = run(folder, url, &["tenant", "end-second-factor", "acme", address], "");
        assert!(!refused.status.success(), "{why}");
    }
    assert!(serving.stop());
}

#[tokio::test]
async fn the_demonstration_fills_an_empty_tenant_once_with_a_login_for_every_role() {
    let database = TestDatabase::new().await;
    let folder = tempfile::tempdir().unwrap();
    let (folder, url) = (folder.path(), database.url());
    let mut serving = Serving::start(folder, url, &["--demo"]);
    let mut lines = Vec::new();
    for _ in 0..=caudal_generators::demo::LOGINS.len() {
        let mut line = String::new();
        serving.lines.read_line(&mut line).unwrap();
        lines.push(line);
    }
    assert!(lines[0].contains(PASSWORD), "{lines:?}");
    let client = serving.client("default");
    for (_, email) in caudal_generators::demo::LOGINS {
        let token = client.login(email, caudal_generators::demo::PASSWORD);
        let seen = client.expect(200, &token, "GET", "/remittances", None);
        assert!(
            seen["totalRecords"].as_i64() > Some(10),
            "{email}: {}",
            seen["totalRecords"]
        );
    }
    let manager = client.login("manager@caudal.demo", caudal_generators::demo::PASSWORD);
    for status in 0..5 {
        let seen = client.expect(200, &manager, "GET", &format!("/remittances?status={status}"), None);
        assert!(seen["totalRecords"].as_i64() > Some(0), "none in status {status}");
    }
    let all = client.expect(200, &manager, "GET", "/remittances", None)["totalRecords"].clone();
    assert!(serving.stop());

    assert_eq!(said(&run(folder, url, &["demo"], "")), "the demonstration was there\n");
    let mut again = Serving::start(folder, url, &["--demo"]);
    let client = again.client("default");
    let manager = client.login("manager@caudal.demo", caudal_generators::demo::PASSWORD);
    assert_eq!(
        client.expect(200, &manager, "GET", "/remittances", None)["totalRecords"],
        all
    );
    assert!(again.stop());
}

#[tokio::test]
async fn demo_does_not_change_a_tenant_with_business_of_its_own() {
    let database = TestDatabase::new().await;
    let folder = tempfile::tempdir().unwrap();
    let (folder, url) = (folder.path(), database.url());
    let create = [
        "tenant",
        "create",
        "default",
        "--name",
        "Ours",
        "--manager-email",
        "m@ours.test",
        "--manager-password-stdin",
    ];
    said(&run(folder, url, &create, "Caudal#2026\n"));
    assert!(said(&run(folder, url, &["demo"], "")).contains("left alone"));
    let mut serving = Serving::start(folder, url, &["--demo"]);
    let refused = serving.client("default").send(
        Call::new("POST", "/auth0/login").json(&json!({"email": "manager@caudal.demo", "password": "Caudal#2026"})),
    );
    assert_eq!(refused.status, 401);
    assert!(serving.stop());
}

#[test]
fn every_command_has_a_help_text() {
    for command in [
        &["--help"][..],
        &["serve", "--help"],
        &["migrate", "--help"],
        &["tenant", "create", "--help"],
        &["tenant", "list", "--help"],
        &["demo", "--help"],
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_caudal"))
            .args(command)
            .output()
            .unwrap();
        assert!(output.status.success(), "{command:?}");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(text.contains("Usage: caudal"), "{text}");
        assert_eq!(text.contains("--data-dir"), command.len() > 1, "{text}");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_log_that_cannot_be_written_does_not_stop_the_server() {
    let database = TestDatabase::new().await;
    let folder = tempfile::tempdir().unwrap();
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = caudal(folder.path(), database.url(), &["serve", "--listen", "127.0.0.1:0"]);
    let mut serving = Serving::run(command.env("RUST_LOG", "debug").stderr(full));
    let client = serving.client("nobody");
    for _ in 0..3 {
        assert_eq!(client.send(Call::new("GET", "root:/readyz")).status, 200);
        let body = json!({"email": "m@acme.test", "password": PASSWORD});
        let answer = client.send(Call::new("POST", "/auth0/login").json(&body));
        assert_eq!(answer.status, 401, "{}", answer.body);
    }
    assert!(serving.stop());
}
