//! What every command begins with: the database, migrated, and the journal on it.

use super::{Failure, Place};
use crate::files::{Bucket, Files, FilesError};
use caudal_journal::{Clock, Evidence, Journal, Keyring, SystemClock};
use caudal_postgres::{DataDir, Database, Options, Storage, migrate};
use std::sync::Arc;

/// The database and the journal of a command.
pub struct Node {
    pub data_dir: DataDir,
    pub database: Database,
    pub keyring: Keyring,
    pub clock: Arc<dyn Clock>,
    pub journal: Journal,
    storage: Storage,
    bucket: Option<Bucket>,
}

impl Node {
    /// Starts or joins the database of a place, brings it up to date and opens the journal.
    pub async fn open(place: &Place, application_name: &str) -> Result<Self, Failure> {
        let data_dir = place.data_dir()?;
        let storage = Storage::open(&data_dir, place.database_url()).await?;
        match Self::on(&data_dir, &storage, application_name).await {
            Ok((database, keyring, clock, journal)) => Ok(Self {
                data_dir,
                database,
                keyring,
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

    async fn on(
        data_dir: &DataDir,
        storage: &Storage,
        application_name: &str,
    ) -> Result<(Database, Keyring, Arc<dyn Clock>, Journal), Failure> {
        migrate(storage.url()).await?;
        let options = Options {
            application_name: application_name.to_owned(),
            ..Options::default()
        };
        let database = Database::connect(storage.url(), options).await?;
        let keyring = Keyring::open_or_create(&Keyring::path(data_dir.path()))?;
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let evidence = Evidence::open(data_dir.path())?;
        let journal =
            Journal::open_with_evidence(database.clone(), keyring.clone(), clock.clone(), Some(evidence)).await?;
        Ok((database, keyring, clock, journal))
    }

    /// The uploaded files.
    pub fn files(&self) -> Result<Files, FilesError> {
        let macs = self.journal.row_macs().clone();
        Files::open(self.bucket.as_ref(), self.data_dir.path(), self.database.clone(), macs)
    }

    /// The database as its owner reaches it.
    pub fn owner_url(&self) -> &str {
        self.storage.url()
    }

    /// Finishes what is under way and stops the database if it was started here.
    pub async fn close(self) -> Result<(), Failure> {
        self.journal.close().await;
        self.database.close().await;
        Ok(self.storage.shutdown().await?)
    }
}
