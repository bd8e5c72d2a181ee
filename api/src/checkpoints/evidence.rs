//! Every checkpoint at hand of a tenant: those in the database and those that can be read at the destinations. What is
//! signed by a known key is evidence; anything else is named.

use super::{CheckpointFailure, Checkpoints, Destination, destination::StoredFile};
use caudal_domain::ids::TenantId;
use caudal_journal::{Checkpoint, PublicKeys, WithCauses};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// How many files of a tenant are read at one destination, from the highest position down: more than a year of one an hour.
const MAX_FILES: usize = 10_000;
/// How many files are passed over, from the highest position down, until a valid one is found to sign after.
const MAX_INVALID: usize = 16;
/// How many checkpoints read from files are remembered: their files never change, and a bucket is paid by the request.
const MAX_REMEMBERED: usize = 20_000;

/// What is at hand of a tenant's checkpoints.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Those whose signature holds.
    pub checkpoints: Vec<Checkpoint>,
    /// What is wrong with others.
    pub flaws: Vec<Flaw>,
    /// How many are of a history that an operator has given up, and were left out.
    pub given_up: usize,
}

/// Something that should be evidence and is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A checkpoint that was changed, or signed with an unknown key.
    Invalid {
        /// Where it stands.
        place: String,
        /// The position that it stands for.
        position: i64,
        /// Why it is none.
        reason: String,
    },
    /// A destination that can't be read: what it holds was not compared.
    Unreachable {
        /// The destination.
        place: String,
        /// Why.
        reason: String,
    },
}

impl Flaw {
    /// Its name, by which interfaces say it in their own words.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Invalid { .. } => "checkpoint_invalid",
            Self::Unreachable { .. } => "checkpoint_unreachable",
        }
    }

    /// The position that it is about.
    #[must_use]
    pub const fn position(&self) -> Option<i64> {
        match self {
            Self::Invalid { position, .. } => Some(*position),
            Self::Unreachable { .. } => None,
        }
    }
}

impl std::fmt::Display for Flaw {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Invalid {
                place,
                position,
                reason,
            } => write!(
                f,
                "the checkpoint of position {position} in {place} proves nothing: {reason}"
            ),
            Self::Unreachable { place, reason } => {
                write!(
                    f,
                    "the checkpoints at {place} can't be read, and were not compared: {reason}"
                )
            }
        }
    }
}

/// A file by its destination and its name there.
type FileName = (String, String);

/// A file as it was read: its size, when it was changed (in microseconds), and the checkpoint in it.
type FileContent = (u64, i64, Option<Checkpoint>);

/// Checkpoints that were read from files.
#[derive(Clone, Default)]
pub(super) struct FilesRead(Arc<Mutex<HashMap<FileName, FileContent>>>);

impl FilesRead {
    async fn open(&self, destination: &Destination, file: &StoredFile) -> Result<Option<Checkpoint>, Flaw> {
        let name = (destination.to_string(), file.meta.location.to_string());
        let version = (file.meta.size, file.meta.last_modified.timestamp_micros());
        let known = {
            let files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            files.get(&name).cloned()
        };
        if let Some((size, modified, checkpoint)) = known
            && (size, modified) == version
        {
            return Ok(checkpoint);
        }
        let read = destination.open(file).await;
        let checkpoint = read.map_err(|error| unreachable(destination, &error))?;
        let mut files = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if files.len() >= MAX_REMEMBERED {
            files.clear();
        }
        files.insert(name, (version.0, version.1, checkpoint.clone()));
        Ok(checkpoint)
    }
}

fn unreachable(destination: &Destination, error: &dyn std::error::Error) -> Flaw {
    Flaw::Unreachable {
        place: destination.to_string(),
        reason: WithCauses(error).to_string(),
    }
}

/// A file's checkpoint, where it is one of the tenant's and of the position in its name, signed by a known key.
fn checked(
    destination: &Destination,
    file: &StoredFile,
    found: Option<Checkpoint>,
    tenant: &TenantId,
    keys: &PublicKeys,
) -> Result<Checkpoint, Flaw> {
    let invalid = |reason: String| Flaw::Invalid {
        place: destination.to_string(),
        position: file.position,
        reason,
    };
    let found = found.ok_or_else(|| invalid("it is no checkpoint file".to_owned()))?;
    found.check(tenant, keys).map_err(|error| invalid(error.to_string()))?;
    if found.position == file.position {
        Ok(found)
    } else {
        Err(invalid(format!("it is one of position {}", found.position)))
    }
}

impl Checkpoints {
    /// All checkpoints at hand, with the public keys of this installation.
    ///
    /// # Errors
    /// Where the database or the keys fail.
    pub async fn evidence(&self, tenant: &TenantId) -> Result<Evidence, CheckpointFailure> {
        let keys = self.public_keys().await?;
        self.evidence_under(tenant, &keys).await
    }

    /// All checkpoints at hand that are signed with one of these keys.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn evidence_under(&self, tenant: &TenantId, keys: &PublicKeys) -> Result<Evidence, CheckpointFailure> {
        let mut evidence = self.rows(tenant, keys).await?;
        for destination in self.destinations.iter() {
            let files = match destination.files(tenant).await {
                Ok(files) => files,
                Err(error) => {
                    evidence.flaws.push(unreachable(destination, &error));
                    continue;
                }
            };
            for file in files.iter().take(MAX_FILES) {
                let opened = self.files.open(destination, file).await;
                match opened.and_then(|found| checked(destination, file, found, tenant, keys)) {
                    Ok(checkpoint) => evidence.checkpoints.push(checkpoint),
                    Err(flaw) => {
                        let is_over = matches!(flaw, Flaw::Unreachable { .. });
                        evidence.flaws.push(flaw);
                        if is_over {
                            break;
                        }
                    }
                }
            }
        }
        let all = evidence.checkpoints.len();
        evidence.checkpoints = self.journal.in_force(tenant, evidence.checkpoints).await?;
        evidence.given_up = all - evidence.checkpoints.len();
        Ok(evidence)
    }

    /// Whether a checkpoint is of a history that an operator has given up.
    pub(super) async fn is_given_up(
        &self,
        tenant: &TenantId,
        checkpoint: &Checkpoint,
    ) -> Result<bool, CheckpointFailure> {
        let keys = self.public_keys().await?;
        let mut all = self.rows(tenant, &keys).await?.checkpoints;
        if !all.contains(checkpoint) {
            all.push(checkpoint.clone());
        }
        Ok(!self.journal.in_force(tenant, all).await?.contains(checkpoint))
    }

    /// The last checkpoint at each destination that can be read.
    pub(super) async fn last_delivered(
        &self,
        tenant: &TenantId,
        keys: &PublicKeys,
    ) -> Result<Vec<Checkpoint>, CheckpointFailure> {
        let failed = |flaw: Flaw| match flaw {
            Flaw::Invalid { place, reason, .. } | Flaw::Unreachable { place, reason } => {
                CheckpointFailure::Unreadable {
                    tenant: tenant.clone(),
                    place,
                    reason,
                }
            }
        };
        let mut last = Vec::new();
        for destination in self.destinations.iter() {
            let files = destination.files(tenant).await;
            let files = files.map_err(|error| failed(unreachable(destination, &error)))?;
            for file in files.iter().take(MAX_INVALID) {
                let found = self.files.open(destination, file).await.map_err(failed)?;
                match checked(destination, file, found, tenant, keys) {
                    Ok(checkpoint) => {
                        last.push(checkpoint);
                        break;
                    }
                    Err(flaw) => {
                        metrics::counter!("caudal_checkpoint_conflicts_total").increment(1);
                        tracing::error!(%tenant, %flaw, "a file at a destination is no evidence");
                    }
                }
            }
        }
        Ok(last)
    }
}
