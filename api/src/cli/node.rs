//! Common start of all commands: the database with an up-to-date schema, the keys, and the journal.

use super::{Failure, Place};
use crate::{
    files::{Bucket, Files, FilesError},
    problem::Refused,
};
use caudal_domain::{Actor, Command, ids::TenantId};
use caudal_journal::{
    Clock, Committed, Evidence, Journal, KeySource, Keyring, Submission, SubmitError, SystemClock, open_keyring,
};
use caudal_postgres::{
    DataDir, Database, Options, Storage, StorageError, can_rewrite_history, has_asynchronous_standbys_only,
};
use std::sync::Arc;

pub struct Node {
    pub data_dir: DataDir,
    pub database: Database,
    pub keyring: Keyring,
    pub keys: KeySource,
    pub clock: Arc<dyn Clock>,
    pub journal: Journal,
    storage: Storage,
    bucket: Option<Bucket>,
}

impl Node {
    /// Starts or joins the database of an installation, migrates it and opens the journal.
    pub async fn open(place: &Place, application_name: &str) -> Result<Self, Failure> {
        let data_dir = place.data_dir()?;
        let storage = Storage::open(&data_dir, place.given()).await?;
        let keys = place.keys(&data_dir)?;
        match Self::on(place, &data_dir, &storage, &keys, application_name).await {
            Ok((database, keyring, clock, journal)) => Ok(Self {
                data_dir,
                database,
                keyring,
                keys,
                clock,
                journal,
                storage,
                bucket: place.files.clone(),
            }),
            Err(error) => {
                storage.shutdown().await?;
                Err(error)
            }
        }
    }

    /// Submits a command of the operator. Repeated, these change nothing, so that they need no idempotency key.
    pub async fn submit(&self, tenant: &TenantId, command: Command) -> Result<Committed, Failure> {
        let submission = Submission::of(Actor::System, command);
        match self.journal.submit(tenant, submission).await {
            Err(SubmitError::Refused(refusal)) => Err(Refused(refusal).into()),
            outcome => Ok(outcome?),
        }
    }

    async fn on(
        place: &Place,
        data_dir: &DataDir,
        storage: &Storage,
        keys: &KeySource,
        application_name: &str,
    ) -> Result<(Database, Keyring, Arc<dyn Clock>, Journal), Failure> {
        storage.prepare().await?;
        let options = Options {
            application_name: application_name.to_owned(),
            ..place.options()
        };
        let database = Database::connect(storage.node_url(), options).await?;
        let keyring = open_keyring(&database, keys).await?;
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let evidence = Evidence::open(data_dir.path())?;
        let journal =
            Journal::open_with_evidence(database.clone(), keyring.clone(), clock.clone(), Some(evidence)).await?;
        Ok((database, keyring, clock, journal))
    }

    pub fn files(&self) -> Result<Files, FilesError> {
        let macs = self.journal.row_macs().clone();
        Files::open(self.bucket.as_ref(), self.data_dir.path(), self.database.clone(), macs)
    }

    /// The owner's URL of the database.
    ///
    /// Fails if the configured URL is of a login that does not own the schemas.
    pub async fn owner_url(&self) -> Result<&str, StorageError> {
        self.storage.checked_owner_url().await
    }

    /// Says in the log what an operator should know of the database's user and its standbys.
    pub async fn warn_of_risks(&self) -> Result<(), Failure> {
        if has_asynchronous_standbys_only(self.database.pool()).await? {
            tracing::warn!(
                "standbys stream from this PostgreSQL, and it waits for none: a failover may lose acknowledged commits. Name \
                 them in synchronous_standby_names, and set CAUDAL_REQUIRE_SYNCHRONOUS_STANDBY=true"
            );
        }
        if can_rewrite_history(self.database.pool()).await? {
            tracing::warn!(
                "the user of DATABASE_URL owns the database or may make itself its owner: whoever takes this server over can \
                 rewrite the log. For more than trying Caudal, give it a login that owns nothing: caudal migrate --grant-login"
            );
        }
        Ok(())
    }

    /// Completes the work in progress, and stops the database if this process started it.
    pub async fn close(self) -> Result<(), Failure> {
        self.journal.close().await;
        self.database.close().await;
        Ok(self.storage.shutdown().await?)
    }
}
