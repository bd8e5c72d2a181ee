//! Backups of the private database in a bucket: a lost machine comes back from it.

use crate::support::{Call, Process, S3, caudal_alone, create_tenant_by};
use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

/// A machine with a private database, whose backups are copied to a bucket.
struct Machine {
    folder: tempfile::TempDir,
    endpoint: String,
}

impl Machine {
    fn new(store: &S3) -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
            endpoint: store.endpoint(),
        }
    }

    fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    fn wal(&self) -> PathBuf {
        self.folder.path().join("backup/wal")
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = caudal_alone(self.folder.path());
        command
            .args(arguments)
            .env("CAUDAL_BACKUP_TO", self.folder.path().join("backup"))
            .env("CAUDAL_BACKUP_COPY_TO", "s3://backups/office")
            .env("AWS_ENDPOINT", &self.endpoint)
            .env("AWS_ALLOW_HTTP", "true")
            .env("AWS_REGION", "us-east-1")
            .env("AWS_ACCESS_KEY_ID", "test")
            .env("AWS_SECRET_ACCESS_KEY", "test");
        command
    }

    fn serve(&self) -> Process {
        Process::spawn(&mut self.command(&["serve", "--listen", "127.0.0.1:0"]))
    }

    fn run(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().unwrap();
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {error}");
        String::from_utf8(output.stdout).unwrap()
    }

    fn create_tenant(&self, tenant: &str) {
        create_tenant_by(&mut self.command(&[]), tenant);
    }
}

fn eventually(what: &str, is_so: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !is_so() {
        assert!(Instant::now() < deadline, "{what}");
        std::thread::sleep(Duration::from_millis(200));
    }
}

fn end(mut server: Process) {
    server.terminate();
    assert!(server.ended_well_within(Duration::from_secs(60)));
}

fn segments(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.filter(|name| !name.ends_with(".part")).collect()
}

#[test]
fn a_lost_machine_comes_back_from_the_bucket_with_what_was_archived_after_the_backup() {
    let store = S3::start();
    let lost = Machine::new(&store);
    let server = lost.serve();
    lost.create_tenant("before");
    lost.run(&["backup"]);
    lost.create_tenant("after");
    // PostgreSQL archives its last segment when it stops.
    end(server);
    let archived = segments(&lost.wal());
    let server = lost.serve();
    eventually("everything is in the bucket", || {
        let names = store.names();
        let is_there = |segment: &String| names.contains(&format!("/backups/office/wal/{segment}"));
        let has_backup = names
            .iter()
            .any(|name| name.starts_with("/backups/office/base/") && name.ends_with("Z.json"));
        has_backup && archived.iter().all(is_there) && lost.data().join("backups-copied-at").exists()
    });
    end(server);
    assert!(
        !store.names().iter().any(|name| name.contains("master.keys")),
        "the key file is not in the bucket"
    );

    let other = Machine::new(&store);
    fs::create_dir_all(other.data().join("keys")).unwrap();
    fs::set_permissions(other.data(), fs::Permissions::from_mode(0o711)).unwrap();
    fs::set_permissions(other.data().join("keys"), fs::Permissions::from_mode(0o700)).unwrap();
    fs::copy(
        lost.data().join("keys/master.keys"),
        other.data().join("keys/master.keys"),
    )
    .unwrap();
    drop(lost);
    other.run(&["restore"]);
    let tenants = other.run(&["tenant", "list"]);
    assert!(tenants.contains("before") && tenants.contains("after"), "{tenants}");
    let rehearsed = other.run(&["backup", "--rehearse"]);
    assert!(rehearsed.contains("tenants: 2"), "{rehearsed}");
}

/// The alert on a late copy looks at this age: without one it would never tell of a bucket that was wrong from the start.
#[test]
fn a_copy_that_never_succeeds_has_an_age_and_is_found_by_the_doctor() {
    let mut machine = Machine::new(&S3::start());
    machine.endpoint = "http://127.0.0.1:1".to_owned();
    let server = machine.serve();
    let text = || {
        let answer = server.client("acme").send(Call::new("GET", "root:/metrics"));
        String::from_utf8(answer.bytes).unwrap()
    };
    eventually("the age of the copy is shown", || {
        text().contains("\ncaudal_backup_copy_age_seconds ")
    });
    machine.run(&["backup"]);
    let doctor = |machine: &Machine| {
        let output = machine.command(&["doctor", "--json"]).output().unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let found = doctor(&machine);
    assert!(found.contains("\"bucket.unreachable\""), "{found}");
    end(server);
    machine.endpoint = S3::start().endpoint();
    let found = doctor(&machine);
    assert!(found.contains("\"backup.never_copied\""), "{found}");
    let copied_at = machine.data().join("backups-copied-at");
    fs::write(&copied_at, "2026-01-01T00:00:00+00:00").unwrap();
    let found = doctor(&machine);
    assert!(found.contains("\"backup.copy_late\""), "{found}");
    fs::remove_file(copied_at).unwrap();
    let server = machine.serve();
    eventually("the copy is there", || {
        !doctor(&machine).contains("\"backup.never_copied\"")
    });
    end(server);
}
