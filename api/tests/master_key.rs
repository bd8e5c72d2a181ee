//! Rotation of the master key while a node runs: personal data stays readable, and the log unchanged.

use crate::support::{self, Client, MANAGER, PASSWORD, Process, create_tenant};
use caudal_postgres_testing::TestDatabase;
use serde_json::{Value, json};
use sqlx::{Connection as _, PgConnection};
use std::{
    path::Path,
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

fn rotate(url: &str, folder: &Path, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_caudal"))
        .args(["keys", "rotate-master"])
        .args(arguments)
        .env("CAUDAL_DATA_DIR", folder)
        .env("DATABASE_URL", url)
        .env_remove("CAUDAL_MASTER_KEY_FILE")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Adds a manager, and reads its name back.
fn add(client: &Client, token: &str, number: usize) {
    let email = format!("m{number}@example.test");
    let new = json!({"name": format!("Manager Number {number}"), "email": email, "password": PASSWORD});
    let made = client.expect(201, token, "POST", "/users", Some(new));
    let path = format!("/users/{}", support::text(&made["id"]));
    let user = client.expect(200, token, "GET", &path, None);
    assert_eq!(user["name"], Value::String(format!("Manager Number {number}")));
}

async fn masters(owner: &mut PgConnection) -> Vec<String> {
    sqlx::query_scalar("SELECT DISTINCT master FROM journal.subject_keys WHERE master IS NOT NULL ORDER BY 1")
        .fetch_all(owner)
        .await
        .unwrap()
}

async fn hash(owner: &mut PgConnection) -> String {
    sqlx::query_scalar(
        "SELECT md5(string_agg(payload::text || encode(hash, 'hex'), '' ORDER BY position)) FROM journal.events",
    )
    .fetch_one(owner)
    .await
    .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_master_key_rotates_while_a_node_writes_and_the_old_key_can_be_removed() {
    let database = TestDatabase::new().await;
    let folder = tempfile::tempdir().unwrap();
    let (folder, url) = (folder.path(), database.url());
    create_tenant(url, folder, "acme");
    let node = Process::serve(url, folder);
    let client = node.client("acme");
    let token = client.login(MANAGER, PASSWORD);
    add(&client, &token, 0);
    let mut owner = PgConnection::connect(url).await.unwrap();
    sqlx::query("SELECT set_config('caudal.tenant', 'acme', false)")
        .execute(&mut owner)
        .await
        .unwrap();
    assert_eq!(masters(&mut owner).await, ["1"]);

    let done = Arc::new(AtomicBool::new(false));
    let (writing, its_client, its_token) = (done.clone(), client.clone(), token.clone());
    let writer = std::thread::spawn(move || {
        let mut number = 1;
        while !writing.load(Ordering::SeqCst) {
            add(&its_client, &its_token, number);
            number += 1;
        }
        number
    });
    let told = rotate(url, folder, &[]);
    assert!(told.starts_with("the master key is 2\n"), "{told}");
    done.store(true, Ordering::SeqCst);
    let number = writer.join().unwrap();
    assert!(number > 2, "it wrote meanwhile");
    assert_eq!(masters(&mut owner).await, ["2"]);

    let before = hash(&mut owner).await;
    let told = rotate(url, folder, &["--retire"]);
    assert!(told.ends_with("taken out of the key file: 1, 2\n"), "{told}");
    assert_eq!(hash(&mut owner).await, before, "the log stays as it is");
    assert_eq!(masters(&mut owner).await, ["3"]);
    add(&client, &token, number);
    // A node that starts with only the new key decrypts every person's data.
    drop(node);
    let node = Process::serve(url, folder);
    let client = node.client("acme");
    let token = client.login(MANAGER, PASSWORD);
    add(&client, &token, number + 1);
    let users = client.expect(200, &token, "GET", "/users?RecordsPerPage=0", None);
    let users = users["data"].as_array().unwrap();
    assert_eq!(users.len(), number + 3);
    assert!(
        users
            .iter()
            .all(|user| user["name"].as_str().is_some_and(|name| !name.is_empty()))
    );
    assert_eq!(masters(&mut owner).await, ["3"]);
    assert_eq!(rotate(url, folder, &["--resume"]), "acme: 0 keys wrapped anew\n");
}
