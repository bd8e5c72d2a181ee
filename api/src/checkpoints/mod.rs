//! Checkpoints: the signed ends of logs, and where they are sent, outside the database.
//!
//! The signing keys are read anew at every signing, so that a rotation needs no restart.

mod destination;
mod kept;
mod schedule;

pub use destination::{Destination, DestinationError};
pub use kept::Standing;
pub use schedule::{Schedule, parse_interval};

use caudal_domain::ids::TenantId;
use caudal_journal::{Checkpoint, Clock, Journal, JournalError, KeyError, PublicKeys, SigningKeys};
use caudal_postgres::{Database, DatabaseError};
use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

/// Why there is no checkpoint.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointFailure {
    /// The signing keys.
    #[error("the signing keys")]
    Keys(#[from] KeyError),
    /// The log's end can't be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The kept ones can't be read or written.
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
    /// No transaction could be begun.
    #[error(transparent)]
    Begin(#[from] DatabaseError),
    /// It can't be written as JSON.
    #[error("a checkpoint can't be written as JSON")]
    Json(#[from] serde_json::Error),
    /// Reading the keys was cut off.
    #[error("reading the signing keys was cut off")]
    Cut(#[from] tokio::task::JoinError),
}

/// Signs the ends of logs. Clones share it.
#[derive(Clone)]
pub struct Checkpoints {
    journal: Journal,
    database: Database,
    clock: Arc<dyn Clock>,
    keys: PathBuf,
}

impl Checkpoints {
    /// Signs with the keys of a data folder, which are made at the first signing.
    pub fn new(journal: Journal, database: Database, clock: Arc<dyn Clock>, data_dir: &Path) -> Self {
        Self {
            journal,
            database,
            clock,
            keys: SigningKeys::path(data_dir),
        }
    }

    async fn keys(&self) -> Result<SigningKeys, CheckpointFailure> {
        let (path, now) = (self.keys.clone(), self.clock.now());
        Ok(tokio::task::spawn_blocking(move || SigningKeys::open_or_create(&path, now)).await??)
    }

    /// The public keys: the present one, and those before it.
    ///
    /// # Errors
    /// Where the file of the keys can't be read or made.
    pub async fn public_keys(&self) -> Result<PublicKeys, CheckpointFailure> {
        Ok(self.keys().await?.public())
    }

    /// Signs the present end of a tenant's log.
    ///
    /// # Errors
    /// Where the tenant is unknown, or the database or the keys fail.
    pub async fn sign(&self, tenant: &TenantId) -> Result<Checkpoint, CheckpointFailure> {
        let keys = self.keys().await?;
        Ok(self.journal.checkpoint(tenant, &keys).await?)
    }

    /// The tenants whose logs there are.
    async fn tenants(&self) -> Result<Vec<TenantId>, JournalError> {
        self.journal.tenants().await
    }
}
