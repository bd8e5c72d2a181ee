//! Read models of another version: not read, and rebuilt by the only server over its database.

use crate::support::{Call, MANAGER, PASSWORD, Process, caudal_alone, create_tenant_by};
use caudal_postgres::{DataDir, Given, Storage};
use serde_json::json;
use sqlx::{Connection as _, Executor as _, PgConnection};
use std::{
    path::Path,
    time::{Duration, Instant},
};

/// Timeout with slack for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Makes the read models of a running server with a private database those of the version before.
fn age(folder: &Path) {
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let data_dir = DataDir::at(&folder.join("data")).unwrap();
        let storage = Storage::open(&data_dir, Given::default()).await.unwrap();
        let mut owner = PgConnection::connect(storage.owner_url()).await.unwrap();
        // Rows are a tenant's, also for the owner.
        owner.execute("SET caudal.tenant TO 'acme'").await.unwrap();
        let aged = owner.execute("UPDATE read.checkpoints SET version = version - 1").await;
        assert_eq!(aged.unwrap().rows_affected(), 1);
        owner.close().await.unwrap();
        storage.shutdown().await.unwrap();
    });
}

#[test]
fn read_models_of_an_earlier_version_are_not_read_and_a_server_with_a_private_database_rebuilds_them_at_its_start() {
    let folder = tempfile::tempdir().unwrap();
    let serve = || Process::spawn(caudal_alone(folder.path()).args(["serve", "--listen", "127.0.0.1:0"]));
    let mut server = serve();
    create_tenant_by(&mut caudal_alone(folder.path()), "acme");
    let client = server.client("acme");
    let manager = client.login(MANAGER, PASSWORD);
    let user = |number: u8| json!({"name": "Staff", "email": format!("{number}@example.test"), "password": PASSWORD});
    client.expect(201, &manager, "POST", "/users", Some(user(1)));
    client.expect(200, &manager, "GET", "/users", None);
    assert_eq!(client.send(Call::new("GET", "root:/readyz")).status, 200);

    age(folder.path());
    let refused = client.send(Call::new("GET", "/users").token(&manager));
    assert_eq!(
        (refused.status, refused.code()),
        (503, "read_models_of_another_version")
    );
    assert_eq!(refused.header("retry-after"), "10");
    let ready = client.send(Call::new("GET", "root:/readyz"));
    assert_eq!(
        (ready.status, &ready.body["projector"]),
        (503, &json!("of another version"))
    );
    let migrated = caudal_alone(folder.path()).arg("migrate").output().unwrap();
    let told = String::from_utf8_lossy(&migrated.stdout).into_owned();
    assert!(migrated.status.success() && told.contains("caudal rebuild"), "{told}");
    let examined = caudal_alone(folder.path()).args(["doctor", "--json"]).output().unwrap();
    let found = String::from_utf8_lossy(&examined.stdout).into_owned();
    assert!(found.contains("log.other_version"), "{found}");
    // A write is decided on the log, and answers without what cannot be read.
    let began = Instant::now();
    client.expect(201, &manager, "POST", "/users", Some(user(2)));
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    server.terminate();
    assert!(server.ended_well_within(PATIENCE));

    let server = serve();
    let client = server.client("acme");
    let deadline = Instant::now() + PATIENCE;
    while client.send(Call::new("GET", "root:/readyz")).status != 200 {
        assert!(Instant::now() < deadline);
        std::thread::sleep(Duration::from_millis(100));
    }
    let manager = client.login(MANAGER, PASSWORD);
    let users = client.expect(200, &manager, "GET", "/users", None);
    assert!(users.to_string().contains("2@example.test"), "{users}");
}
