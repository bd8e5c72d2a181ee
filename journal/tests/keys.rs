//! Check of the key file: every key must be the one that the database was written with.

use crate::common;
use crate::common::owner_of;
use caudal_domain::{Actor, Command, Tenant, TenantCommand, ids::PartyId, party::Registration};
use caudal_journal::{
    Journal, JournalError, KeyError, KeySource, Keyring, MASTER_KEY_FILE, SESSION_KEY_LEAD, SystemClock,
    inspect_keyring, open_keyring,
};
use caudal_postgres_testing::TestDatabase;
use chrono::Utc;
use std::{
    fs,
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// A database with a tenant whose manager's data key is wrapped, and its key file.
struct Installation {
    database: TestDatabase,
    folder: TempDir,
}

impl Installation {
    async fn new() -> Self {
        let (database, folder) = (TestDatabase::new().await, tempfile::tempdir().unwrap());
        let new = Self { database, folder };
        let journal = new.open().await.unwrap();
        let tenant = common::tenant("worked");
        journal.create_tenant(&tenant).await.unwrap();
        let zoned = Tenant {
            name: "Worked".into(),
            time_zone: caudal_domain::DEFAULT_ZONE,
        };
        let manager = common::register(PartyId::generate(), Registration::Manager, "Ana", "ana@example.com");
        for command in [Command::Tenant(TenantCommand::Open(zoned)), manager] {
            let submission = common::submission(Actor::System, command);
            journal.submit(&tenant, submission).await.unwrap();
        }
        journal.close().await;
        new
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join(MASTER_KEY_FILE)
    }

    fn source(&self) -> KeySource {
        KeySource::file(&self.path())
    }

    /// Starts a node.
    async fn open(&self) -> Result<Journal, JournalError> {
        let database = self.database.connect().await;
        let keyring = open_keyring(&database, &self.source()).await?;
        Journal::open(database, keyring, Arc::new(SystemClock)).await
    }

    async fn refusal(&self) -> KeyError {
        match self.open().await.err() {
            Some(JournalError::Keys(error)) => error,
            other => panic!("{other:?}"),
        }
    }

    fn text(&self) -> String {
        fs::read_to_string(self.path()).unwrap()
    }

    /// Replaces the file's text in place, which keeps its permissions.
    fn write(&self, text: &str) {
        fs::write(self.path(), text).unwrap();
    }

    async fn as_owner(&self, statement: &str) {
        let mut owner = owner_of(self.database.url(), &common::tenant("worked")).await;
        sqlx::query(statement).execute(&mut owner).await.unwrap();
    }
}

/// A key file's text with a different master key under an id.
fn with_other_master(text: &str, id: &str) -> String {
    let other = tempfile::tempdir().unwrap();
    let path = other.path().join("master.keys");
    Keyring::open_or_create(&path).unwrap();
    let other = fs::read_to_string(&path).unwrap();
    let key = other.lines().find_map(|line| line.strip_prefix("master 1 ")).unwrap();
    let line = |line: &str| match line.strip_prefix(&format!("master {id} ")) {
        Some(_) => format!("master {id} {key}\n"),
        None => format!("{line}\n"),
    };
    text.lines().map(line).collect()
}

#[tokio::test]
async fn a_wrong_master_key_with_the_right_lookup_key_is_refused() {
    let installation = Installation::new().await;
    let right = installation.text();
    installation.write(&with_other_master(&right, "1"));
    let refused = installation.refusal().await;
    assert!(matches!(&refused, KeyError::OtherMaster(id) if id == "1"), "{refused}");
    installation.write(&right);
    installation.open().await.unwrap();
}

#[tokio::test]
async fn a_wrong_master_key_is_refused_in_a_database_from_before_the_proofs() {
    let installation = Installation::new().await;
    let right = installation.text();
    installation.as_owner("DELETE FROM journal.master_keys").await;
    installation.write(&with_other_master(&right, "1"));
    let refused = installation.refusal().await;
    assert!(matches!(refused, KeyError::OtherMaster(_)), "{refused}");
    installation.write(&right);
    installation.open().await.unwrap();
}

#[tokio::test]
async fn a_missing_key_file_beside_data_is_refused_and_not_replaced() {
    let installation = Installation::new().await;
    let kept = installation.text();
    fs::remove_file(installation.path()).unwrap();
    let refused = installation.refusal().await;
    assert!(matches!(refused, KeyError::Missing(_)), "{refused}");
    assert!(!installation.path().exists());
    installation.as_owner("DELETE FROM journal.keyring").await;
    let refused = installation.refusal().await;
    assert!(matches!(refused, KeyError::Missing(_)), "{refused}");
    Keyring::open_or_create(&installation.path()).unwrap();
    installation.write(&kept);
    let refused = installation.refusal().await;
    assert!(matches!(refused, KeyError::NoProof), "{refused}");
}

#[tokio::test]
async fn a_master_key_can_be_removed_only_when_it_wraps_no_key() {
    let installation = Installation::new().await;
    let before = installation.text();
    let journal = installation.open().await.unwrap();
    assert_eq!(journal.rotate_master(&installation.source()).await.unwrap(), "2");
    let both = installation.text();
    journal.close().await;
    let without_the_first: String = both
        .lines()
        .filter(|line| !line.starts_with("master 1 "))
        .map(|line| format!("{line}\n"))
        .collect();
    installation.write(&without_the_first);
    let refused = installation.refusal().await;
    assert!(
        matches!(&refused, KeyError::MissingMaster(id) if id == "1"),
        "{refused}"
    );
    installation.write(&both);
    let journal = installation.open().await.unwrap();
    assert_eq!(journal.rewrap(&common::tenant("worked")).await.unwrap().keys, 1);
    journal.close().await;
    installation.write(&without_the_first);
    installation.open().await.unwrap().close().await;
    // A key file from before the rotation lacks the key that now wraps all others.
    installation.write(&before);
    let refused = installation.refusal().await;
    assert!(
        matches!(&refused, KeyError::MissingMaster(id) if id == "2"),
        "{refused}"
    );
}

#[tokio::test]
async fn copies_of_the_key_file_rotated_separately_have_no_key_id_in_common() {
    let installation = Installation::new().await;
    let copy = tempfile::tempdir().unwrap();
    let elsewhere = copy.path().join("master.keys");
    fs::copy(installation.path(), &elsewhere).unwrap();
    let journal = installation.open().await.unwrap();
    assert_eq!(journal.rotate_master(&installation.source()).await.unwrap(), "2");
    assert_eq!(journal.rotate_master(&KeySource::file(&elsewhere)).await.unwrap(), "3");
    journal.close().await;
    installation.write(&with_other_master(&installation.text(), "2"));
    let refused = installation.refusal().await;
    assert!(matches!(&refused, KeyError::OtherMaster(id) if id == "2"), "{refused}");
}

#[tokio::test]
async fn a_session_key_that_is_another_ones_under_the_same_id_is_refused() {
    let installation = Installation::new().await;
    let copy = tempfile::tempdir().unwrap();
    let elsewhere = copy.path().join("master.keys");
    fs::copy(installation.path(), &elsewhere).unwrap();
    let (source, apart, now) = (installation.source(), KeySource::file(&elsewhere), Utc::now());
    assert_eq!(source.rotate_sessions(SESSION_KEY_LEAD, now).unwrap(), "1");
    assert_eq!(apart.rotate_sessions(SESSION_KEY_LEAD, now).unwrap(), "1");
    installation.open().await.unwrap().close().await;
    // A second start finds the proof of the first.
    installation.open().await.unwrap().close().await;
    let right = installation.text();
    installation.write(&fs::read_to_string(&elsewhere).unwrap());
    let refused = installation.refusal().await;
    assert!(matches!(&refused, KeyError::OtherSession(id) if id == "1"), "{refused}");
    let inspected = inspect_keyring(installation.database.url(), &source).await;
    assert!(
        matches!(&inspected, Err(JournalError::Keys(KeyError::OtherSession(_)))),
        "{inspected:?}"
    );
    // The remedy where the right file is lost.
    assert_eq!(source.revoke_sessions(now).unwrap(), "2");
    installation.open().await.unwrap().close().await;
    // The key of a rotation is proven while the node runs.
    installation.write(&right);
    let journal = installation.open().await.unwrap();
    assert_eq!(source.revoke_sessions(now).unwrap(), "2");
    assert!(matches!(installation.refusal().await, KeyError::OtherSession(id) if id == "2"));
    journal.close().await;
}

#[tokio::test]
async fn a_running_node_proves_the_session_key_of_a_rotation() {
    let installation = Installation::new().await;
    let journal = installation.open().await.unwrap();
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let watching = tokio::spawn(journal.clone().watch(stopped));
    installation
        .source()
        .rotate_sessions(SESSION_KEY_LEAD, Utc::now())
        .unwrap();
    let mut owner = owner_of(installation.database.url(), &common::tenant("worked")).await;
    let deadline = Instant::now() + Duration::from_secs(20);
    loop {
        let proven: bool = sqlx::query_scalar("SELECT EXISTS (SELECT FROM journal.master_keys WHERE id = 'session 1')")
            .fetch_one(&mut owner)
            .await
            .unwrap();
        if proven {
            break;
        }
        assert!(Instant::now() < deadline, "the proof is stored");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    stop.send(true).unwrap();
    watching.await.unwrap();
}
