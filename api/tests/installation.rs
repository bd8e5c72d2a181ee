//! Set-up by the operator: the nodes' login, the keys and their sources, permissions of files.

use crate::support::{Call, Client, MANAGER, PASSWORD, Process, VAULT_KEY, VAULT_TOKEN, Vault, create_tenant, text};
use caudal_postgres_testing::TestDatabase;
use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

const PNG: &[u8] = include_bytes!("worked_day/id.png");

/// Timeout with slack for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// A database, a data folder and the settings of one installation.
struct Place {
    database: TestDatabase,
    folder: tempfile::TempDir,
}

impl Place {
    /// An installation with the tenant `acme`, created as the owner.
    async fn new() -> Self {
        let (database, folder) = (TestDatabase::new().await, tempfile::tempdir().unwrap());
        create_tenant(database.url(), folder.path(), "acme");
        Self { database, folder }
    }

    fn keys(&self) -> PathBuf {
        self.folder.path().join("keys/master.keys")
    }

    fn command(&self, url: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_caudal"));
        command
            .args(arguments)
            .env("DATABASE_URL", url)
            .env("CAUDAL_DATA_DIR", self.folder.path())
            .env("RUST_LOG", "warn")
            .env_remove("CAUDAL_MASTER_KEY_FILE")
            .stdin(Stdio::null());
        command
    }

    fn run(&self, url: &str, arguments: &[&str]) -> Output {
        self.command(url, arguments).output().unwrap()
    }

    /// The error of a server that refuses to start.
    fn refusal(&self, url: &str) -> String {
        said(&self.run(url, &["serve", "--listen", "127.0.0.1:0"]), false)
    }
}

/// Output of a command: standard output on success, standard error on failure.
fn said(output: &Output, succeeds: bool) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.success(), succeeds, "{error}");
    if succeeds {
        String::from_utf8_lossy(&output.stdout).into_owned()
    } else {
        error.into_owned()
    }
}

fn status(client: &Client, token: &str) -> u16 {
    client.send(Call::new("GET", "/users").token(token)).status
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_runs_as_a_login_that_owns_nothing_and_owner_commands_are_refused() {
    let place = Place::new().await;
    let login = place.database.node_url();
    let node = Process::serve(login, place.folder.path());
    let client = node.client("acme");
    let token = client.login(MANAGER, PASSWORD);
    let user = serde_json::json!({"name": "Second Manager", "email": "second@example.test", "password": PASSWORD});
    client.expect(201, &token, "POST", "/users", Some(user));
    for command in [
        &["rebuild"] as &[&str],
        &["forget", "acme", "0195d2a8-0000-7000-8000-000000000000"],
    ] {
        let refused = said(&place.run(login, command), false);
        assert!(refused.contains("CAUDAL_OWNER_DATABASE_URL"), "{refused}");
    }
    let owned = place
        .command(login, &["rebuild"])
        .env("CAUDAL_OWNER_DATABASE_URL", place.database.url())
        .output()
        .unwrap();
    assert!(said(&owned, true).contains("the new read models serve"));
    client.expect(200, &token, "GET", "/users", None);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_runs_as_the_owner_warns() {
    let place = Place::new().await;
    for (url, warns) in [(place.database.url(), true), (place.database.node_url(), false)] {
        let log = place.folder.path().join("log");
        let mut serving = place
            .command(url, &["serve", "--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(fs::File::create(&log).unwrap())
            .spawn()
            .unwrap();
        let mut listening = String::new();
        std::io::BufRead::read_line(
            &mut std::io::BufReader::new(serving.stdout.take().unwrap()),
            &mut listening,
        )
        .unwrap();
        assert!(listening.starts_with("listening on"), "{listening}");
        serving.kill().unwrap();
        serving.wait().unwrap();
        let log = fs::read_to_string(&log).unwrap();
        assert_eq!(log.contains("caudal migrate --grant-login"), warns, "{log}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_exposed_or_missing_key_file_prevents_the_start_and_the_error_names_the_remedy() {
    let place = Place::new().await;
    let url = place.database.url();
    fs::set_permissions(place.keys(), fs::Permissions::from_mode(0o644)).unwrap();
    let refused = place.refusal(url);
    assert!(
        refused.contains(&format!("chmod 600 {}", place.keys().display())),
        "{refused}"
    );
    let elsewhere = place.folder.path().join("kept");
    fs::rename(place.keys(), &elsewhere).unwrap();
    let refused = place.refusal(url);
    assert!(refused.contains("there is no key file"), "{refused}");
    assert!(!place.keys().exists());
    fs::rename(&elsewhere, place.keys()).unwrap();
    fs::set_permissions(place.keys(), fs::Permissions::from_mode(0o600)).unwrap();
    let node = Process::serve(url, place.folder.path());
    node.client("acme").login(MANAGER, PASSWORD);
}

#[tokio::test(flavor = "multi_thread")]
async fn session_key_rotation_keeps_logins_and_revocation_ends_access_tokens_only() {
    let place = Place::new().await;
    let url = place.database.node_url();
    let node = Process::serve(url, place.folder.path());
    let client = node.client("acme");
    let body = serde_json::json!({"email": MANAGER, "password": PASSWORD});
    let login = client.send(Call::new("POST", "/auth0/login").json(&body));
    let token = text(&login.body["token"]["accessToken"]);
    let cookie = login.header("Set-Cookie").split(';').next().unwrap().to_owned();
    let rotated = said(&place.run(url, &["keys", "rotate", "--sessions", "--in", "1s"]), true);
    assert!(rotated.starts_with("the session key is 1 from "), "{rotated}");
    let key_of = |token: &str| jsonwebtoken::decode_header(token).unwrap().kid;
    let started = Instant::now();
    let new = loop {
        assert_eq!(status(&client, &token), 200);
        let new = client.login(MANAGER, PASSWORD);
        assert_eq!(status(&client, &new), 200);
        if key_of(&new).as_deref() == Some("1") {
            break new;
        }
        assert!(started.elapsed() < PATIENCE, "the node goes on with the key before");
        std::thread::sleep(Duration::from_millis(100));
    };
    assert_eq!((key_of(&token), status(&client, &token)), (None, 200));
    said(&place.run(url, &["keys", "rotate", "--sessions", "--revoke"]), true);
    let started = Instant::now();
    while status(&client, &new) == 200 {
        assert!(
            started.elapsed() < PATIENCE,
            "a token under a removed key is still good"
        );
        std::thread::sleep(Duration::from_millis(100));
    }
    assert_eq!((status(&client, &token), status(&client, &new)), (401, 401));
    let renewed = client.send(Call::new("POST", "/auth0/token").header("Cookie", &cookie));
    assert_eq!(renewed.status, 200, "{}", renewed.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_encrypted_by_vault_need_its_token_and_rotate_while_a_node_runs() {
    let place = Place::new().await;
    let url = place.database.node_url();
    let vault = Vault::start();
    let token_file = place.folder.path().join("vault-token");
    fs::write(&token_file, VAULT_TOKEN).unwrap();
    fs::set_permissions(&token_file, fs::Permissions::from_mode(0o600)).unwrap();
    let with_vault = |arguments: &[&str]| {
        let mut command = place.command(url, arguments);
        command
            .env("CAUDAL_VAULT_ADDRESS", vault.address())
            .env("CAUDAL_VAULT_KEY", VAULT_KEY)
            .env("CAUDAL_VAULT_TOKEN_FILE", &token_file);
        command
    };
    let sealed = said(
        &with_vault(&["keys", "seal", "--with", "vault"]).output().unwrap(),
        true,
    );
    assert!(sealed.starts_with("keys encrypted in "), "{sealed}");
    let keys = fs::read_to_string(place.keys()).unwrap();
    assert_eq!(keys.matches(" vault:v1:").count(), 2, "{keys}");
    assert_eq!(mode(&place.keys()), 0o600);
    let without = place.refusal(url);
    assert!(
        without.contains("key management service that is not configured"),
        "{without}"
    );

    let node = Process::spawn(&mut with_vault(&["serve", "--listen", "127.0.0.1:0"]));
    let client = node.client("acme");
    let token = client.login(MANAGER, PASSWORD);
    let calls = vault.calls();
    for _ in 0..5 {
        client.expect(200, &token, "GET", "/users", None);
    }
    assert_eq!(vault.calls(), calls, "requests do not wait for the service");
    let rotated = said(
        &with_vault(&["keys", "rotate-master", "--retire"]).output().unwrap(),
        true,
    );
    assert!(rotated.ends_with("taken out of the key file: 1\n"), "{rotated}");
    let user = serde_json::json!({"name": "Second Manager", "email": "second@example.test", "password": PASSWORD});
    client.expect(201, &token, "POST", "/users", Some(user));
    let keys = fs::read_to_string(place.keys()).unwrap();
    assert!(
        keys.contains("master 2 vault:v1:") && !keys.contains("master 1 "),
        "{keys}"
    );

    fs::write(&token_file, "s.another-token").unwrap();
    let refused = with_vault(&["serve", "--listen", "127.0.0.1:0"]).output().unwrap();
    let refused = said(&refused, false);
    assert!(refused.contains("permission denied"), "{refused}");
    assert!(!refused.contains("s.another-token"), "{refused}");
    fs::set_permissions(&token_file, fs::Permissions::from_mode(0o644)).unwrap();
    let refused = said(
        &with_vault(&["serve", "--listen", "127.0.0.1:0"]).output().unwrap(),
        false,
    );
    assert!(refused.contains("chmod 600"), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_a_server_are_readable_by_its_user_only() {
    let place = Place::new().await;
    let node = Process::serve(place.database.node_url(), place.folder.path());
    let client = node.client("acme");
    let token = client.login(MANAGER, PASSWORD);
    let call = Call::new("POST", "/files/uploadfile").token(&token);
    let kept = client.send(call.multipart([("file", "a.png", PNG)]));
    assert_eq!(kept.status, 201, "{}", kept.body);
    client.send(Call::new("POST", &format!("/users/forgot_password/{MANAGER}")));
    let mut seen = Vec::new();
    let mut waiting = vec![place.folder.path().join("files"), place.folder.path().join("keys")];
    waiting.push(place.folder.path().join("outbox"));
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            assert_eq!(mode(&path), 0o700, "{}", path.display());
            waiting.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            assert_eq!(mode(&path), 0o600, "{}", path.display());
            seen.push(path);
        }
    }
    let hash = text(&kept.body["id"]);
    assert!(seen.iter().any(|path| path.ends_with(&hash)), "{seen:?}");
}
