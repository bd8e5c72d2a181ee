//! Signed checkpoints: signing of log ends, delivery outside the database, and later comparison with the log.
//!
//! A log's end is signed only if the log extends everything signed before: all stored rows, and the last file at every
//! readable destination. Signing keys are loaded at each signing, so that a rotation needs no restart.

mod destination;
mod evidence;
mod schedule;
mod stored;
mod witnesses;

pub use destination::{Destination, DestinationError};
pub use evidence::{Evidence, Flaw};
pub use schedule::{Schedule, parse_interval};
pub use stored::{CheckpointStatus, StoredCheckpoint};
pub use witnesses::{WitnessUrl, Witnesses};

use crate::{divergence::diverged, mail::Mailer};
use caudal_domain::ids::TenantId;
use caudal_journal::{
    Clock, DossierSignature, Fault, Journal, JournalError, KeyError, LogPoint, PublicKeys, SignError, SignedCheckpoint,
    SigningKeys, WithCauses,
};
use caudal_postgres::{Database, DatabaseError};
use evidence::FilesRead;
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::sync::OnceCell;

/// Limit of the comparison before a node's first command for a tenant.
const COMPARED_WITHIN: Duration = Duration::from_secs(5);

/// Maximum attempts to sign when other nodes sign concurrently.
const SIGNING_ATTEMPTS: u32 = 5;

/// Why a log's end was not signed.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointFailure {
    #[error("the signing keys")]
    Keys(#[from] KeyError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("{tenant}: the log does not extend what was signed before, and was not signed: {fault}")]
    Diverged { tenant: TenantId, fault: Fault },
    #[error("{tenant}: nothing was signed: the last checkpoint at {place} can't be read: {reason}")]
    Unreadable {
        tenant: TenantId,
        place: String,
        reason: String,
    },
    #[error("{0}: other nodes signed at the same time; try again")]
    Busy(TenantId),
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Begin(#[from] DatabaseError),
    #[error("a checkpoint can't be written as JSON")]
    Json(#[from] serde_json::Error),
    #[error("reading the signing keys was cut off")]
    Cut(#[from] tokio::task::JoinError),
}

/// Whether a stored checkpoint names a key that is not among these.
fn is_of_unknown_key(stored: &str, keys: &PublicKeys) -> bool {
    SignedCheckpoint::from_json(stored).is_ok_and(|stored| keys.find(&stored.key).is_none())
}

/// Signs log ends. Clones share it.
#[derive(Clone)]
pub struct Checkpoints {
    journal: Journal,
    database: Database,
    clock: Arc<dyn Clock>,
    keys: PathBuf,
    /// Destinations, which are also read back.
    destinations: Arc<[Destination]>,
    files: FilesRead,
    compared: FirstComparisons,
}

/// One comparison per tenant and process.
type FirstComparisons = Arc<Mutex<HashMap<TenantId, Arc<OnceCell<()>>>>>;

impl Checkpoints {
    /// Signs with the keys of a data folder, created at the first signing.
    pub fn new(journal: Journal, database: Database, clock: Arc<dyn Clock>, data_dir: &Path) -> Self {
        Self {
            journal,
            database,
            clock,
            keys: SigningKeys::path(data_dir),
            destinations: Arc::default(),
            files: FilesRead::default(),
            compared: FirstComparisons::default(),
        }
    }

    /// Adds destinations.
    #[must_use]
    pub fn sending_to(mut self, destinations: Vec<Destination>) -> Self {
        self.destinations = destinations.into();
        self
    }

    /// The signing keys, created before the first signature. A new key would sign whatever the log is now.
    ///
    /// # Errors
    /// When the key file can't be read or created, or is missing where checkpoints were signed.
    pub async fn keys(&self) -> Result<SigningKeys, CheckpointFailure> {
        let (path, now) = (self.keys.clone(), self.clock.now());
        if !path.exists() {
            for tenant in self.tenants().await? {
                if self.has_rows(&tenant).await? {
                    return Err(KeyError::SigningMissing(path).into());
                }
            }
        }
        Ok(tokio::task::spawn_blocking(move || SigningKeys::open_or_create(&path, now)).await??)
    }

    /// Public keys: the current and earlier ones.
    ///
    /// # Errors
    /// When the key file can't be read or created.
    pub async fn public_keys(&self) -> Result<PublicKeys, CheckpointFailure> {
        Ok(self.keys().await?.public())
    }

    /// Signs the canonical bytes of a dossier.
    ///
    /// # Errors
    /// When the key file can't be read or created.
    pub async fn sign_dossier(&self, canonical: &[u8]) -> Result<DossierSignature, CheckpointFailure> {
        Ok(DossierSignature::sign(&self.keys().await?, canonical))
    }

    /// Signs the current end of a tenant's log and stores the checkpoint. Returns the last one when the log has not
    /// grown.
    ///
    /// # Errors
    /// When the log does not extend what was signed, the tenant is unknown, or the database, the keys or a destination
    /// fail.
    pub async fn take(&self, tenant: &TenantId) -> Result<SignedCheckpoint, CheckpointFailure> {
        let keys = self.keys().await?;
        let public = keys.public();
        let delivered = self.last_delivered(tenant, &public).await?;
        for _ in 0..SIGNING_ATTEMPTS {
            let generation = self.journal.history_generation(tenant);
            let (rows, last) = self.signed(tenant, &public).await?;
            if rows.is_empty() && last.as_deref().is_some_and(|last| is_of_unknown_key(last, &public)) {
                return Err(KeyError::SigningMissing(self.keys.clone()).into());
            }
            let signed: Vec<_> = rows.iter().chain(&delivered).cloned().collect();
            let signed = self.journal.in_force(tenant, signed).await?;
            let checkpoint = match self.journal.checkpoint(tenant, &keys, &signed).await {
                Ok(checkpoint) => checkpoint,
                Err(SignError::Diverged { tenant, fault }) => {
                    metrics::counter!("caudal_checkpoints_refused_total").increment(1);
                    let genesis = LogPoint::genesis(tenant.as_str());
                    diverged(&self.journal, &tenant, generation, &fault, genesis, &signed).await;
                    return Err(CheckpointFailure::Diverged { tenant, fault });
                }
                Err(SignError::Journal(error)) => return Err(error.into()),
            };
            if rows.contains(&checkpoint) || self.insert_after(&checkpoint, last.as_deref()).await? {
                return Ok(checkpoint);
            }
        }
        Err(CheckpointFailure::Busy(tenant.clone()))
    }

    /// Signs a log that contradicts earlier checkpoints, because an operator accepts it; `None` without a
    /// contradiction. Checkpoints of the abandoned history are kept but no longer compared.
    pub async fn accept(&self, tenant: &TenantId) -> Result<Option<SignedCheckpoint>, CheckpointFailure> {
        let keys = self.keys().await?;
        let (contradicting, last) = self.contradicting(tenant, &keys.public()).await?;
        let Some(given_up) = contradicting.iter().max_by_key(|checkpoint| checkpoint.signed_at) else {
            return Ok(None);
        };
        let accepted = match self.journal.accept_history(tenant, &keys, given_up).await {
            Ok(accepted) => accepted,
            Err(SignError::Diverged { tenant, fault }) => return Err(CheckpointFailure::Diverged { tenant, fault }),
            Err(SignError::Journal(error)) => return Err(error.into()),
        };
        if !self.insert_after(&accepted, last.as_deref()).await? {
            return Err(CheckpointFailure::Busy(tenant.clone()));
        }
        tracing::warn!(%tenant, position = accepted.position, given_up = given_up.position, "a history was accepted and signed");
        Ok(Some(accepted))
    }

    /// Whether any checkpoint contradicts a tenant's log: a stored row, or the last file at a destination.
    ///
    /// # Errors
    /// When the database, the keys or a destination fail.
    pub async fn is_contradicted(&self, tenant: &TenantId) -> Result<bool, CheckpointFailure> {
        let public = self.public_keys().await?;
        let (contradicting, _) = self.contradicting(tenant, &public).await?;
        Ok(!contradicting.is_empty())
    }

    /// Compares a tenant's log with what was signed, once: before the first command of a node that has no evidence of the
    /// log. A contradiction puts the tenant into quarantine. A destination that can't be read, or takes longer than
    /// [`COMPARED_WITHIN`], does not keep the tenant from being written to: continuous verification repeats the comparison.
    pub async fn compare_before_writing(&self, tenant: &TenantId) {
        if self.destinations.is_empty() || self.journal.has_evidence(tenant) {
            return;
        }
        let compared = {
            let mut compared = self.compared.lock().unwrap_or_else(PoisonError::into_inner);
            compared.entry(tenant.clone()).or_default().clone()
        };
        let compare = || async {
            match tokio::time::timeout(COMPARED_WITHIN, self.compare_with_signed(tenant)).await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => {
                    tracing::warn!(%tenant, error = %WithCauses(&error), "the log could not be compared with what was signed");
                }
                Err(_) => tracing::warn!(%tenant, "the log could not be compared with what was signed in time"),
            }
        };
        compared.get_or_init(compare).await;
    }

    async fn compare_with_signed(&self, tenant: &TenantId) -> Result<(), CheckpointFailure> {
        let generation = self.journal.history_generation(tenant);
        let public = self.public_keys().await?;
        let (contradicting, _) = self.contradicting(tenant, &public).await?;
        if let Some(fault) = self.journal.compare(tenant, &contradicting).await? {
            let genesis = LogPoint::genesis(tenant.as_str());
            diverged(&self.journal, tenant, generation, &fault, genesis, &contradicting).await;
        }
        Ok(())
    }

    /// Checkpoints that contradict the log and are not abandoned, and the last stored row's text.
    async fn contradicting(
        &self,
        tenant: &TenantId,
        public: &PublicKeys,
    ) -> Result<(Vec<SignedCheckpoint>, Option<String>), CheckpointFailure> {
        let delivered = self.last_delivered(tenant, public).await?;
        let (rows, last) = self.signed(tenant, public).await?;
        let signed: Vec<_> = rows.into_iter().chain(delivered).collect();
        let signed = self.journal.in_force(tenant, signed).await?;
        let mut contradicting = Vec::new();
        for checkpoint in signed {
            let found = self.journal.compare(tenant, std::slice::from_ref(&checkpoint)).await?;
            if found.is_some() {
                contradicting.push(checkpoint);
            }
        }
        Ok((contradicting, last))
    }

    /// Delivers a checkpoint to a destination. An existing one of the position with another hash raises an alarm.
    ///
    /// # Errors
    /// When the destination fails, or holds a contradiction.
    pub async fn deliver(
        &self,
        checkpoint: &SignedCheckpoint,
        destination: &Destination,
        mailer: &Mailer,
    ) -> Result<(), DestinationError> {
        let generation = self.journal.history_generation(&checkpoint.tenant);
        let sent = destination.send(checkpoint, mailer).await;
        if let Err(DestinationError::Conflict { place, found }) = &sent {
            metrics::counter!("caudal_checkpoint_conflicts_total").increment(1);
            tracing::error!(
                tenant = %checkpoint.tenant,
                position = checkpoint.position,
                place,
                "a destination holds another checkpoint for a position that was signed"
            );
            let is_signed = match (found, self.public_keys().await) {
                (Some(found), Ok(keys)) => found.check(&checkpoint.tenant, &keys).is_ok(),
                _ => false,
            };
            if let Some(found) = found.as_deref().filter(|_| is_signed) {
                let fault = Fault::Rewritten {
                    position: found.position,
                };
                let genesis = LogPoint::genesis(checkpoint.tenant.as_str());
                let contradiction = std::slice::from_ref(found);
                let tenant = &checkpoint.tenant;
                diverged(&self.journal, tenant, generation, &fault, genesis, contradiction).await;
            }
        }
        sent
    }

    async fn tenants(&self) -> Result<Vec<TenantId>, JournalError> {
        self.journal.tenants().await
    }
}
