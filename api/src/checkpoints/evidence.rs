//! Evidence: all available checkpoints of a tenant, from the database and the readable destinations. Those signed by a
//! known key count; others are reported.

use super::{
    CheckpointFailure, Checkpoints, Destination,
    destination::{DestinationError, StoredFile},
};
use caudal_domain::ids::TenantId;
use caudal_journal::{Hash, PublicKeys, SignedCheckpoint, WithCauses};
use std::{
    collections::{BTreeSet, HashMap, HashSet},
    sync::{Arc, Mutex, PoisonError},
};

/// Maximum files read per tenant and destination, from the highest position down: more than a year of hourly ones.
const MAX_FILES: usize = 10_000;
/// Maximum files skipped until a valid one is found to continue from.
const MAX_INVALID: usize = 16;
/// Cache size of checkpoints read from files: files are immutable, and buckets charge per request.
const MAX_REMEMBERED: usize = 20_000;

/// Available checkpoints of a tenant.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// With valid signatures.
    pub checkpoints: Vec<SignedCheckpoint>,
    /// Invalid or unreadable ones.
    pub flaws: Vec<Flaw>,
    /// Number of excluded checkpoints of an abandoned history.
    pub given_up: usize,
}

/// A flaw of the evidence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// A checkpoint that was changed, or signed with an unknown key.
    Invalid {
        /// Location.
        place: String,
        /// Position that it claims.
        position: i64,
        /// Why it is invalid.
        reason: String,
    },
    /// A destination that can't be read; its checkpoints were not compared.
    Unreachable { place: String, reason: String },
    /// A checkpoint that a later one names as its predecessor, and that is at no place.
    Missing {
        /// Its position.
        position: i64,
        /// Position of the one that names it.
        named_by: i64,
    },
}

impl Flaw {
    /// Stable code, translated by interfaces.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Invalid { .. } => "checkpoint_invalid",
            Self::Unreachable { .. } => "checkpoint_unreachable",
            Self::Missing { .. } => "checkpoint_missing",
        }
    }

    /// Position concerned.
    #[must_use]
    pub const fn position(&self) -> Option<i64> {
        match self {
            Self::Invalid { position, .. } | Self::Missing { position, .. } => Some(*position),
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
            Self::Missing { position, named_by } => write!(
                f,
                "the checkpoint of position {position}, which the one of position {named_by} names, is in no place"
            ),
        }
    }
}

/// Destination and file name.
type FileName = (String, String);

/// Cached content: size, modification time in microseconds, and checkpoint.
type FileContent = (u64, i64, Option<SignedCheckpoint>);

/// Cache of checkpoints read from files.
#[derive(Clone, Default)]
pub(super) struct FilesRead(Arc<Mutex<HashMap<FileName, FileContent>>>);

impl FilesRead {
    async fn open(&self, destination: &Destination, file: &StoredFile) -> Result<Option<SignedCheckpoint>, Flaw> {
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

/// A file's checkpoint, if it belongs to the tenant and the position in its name, and is signed by a known key.
fn checked(
    destination: &Destination,
    file: &StoredFile,
    found: Option<SignedCheckpoint>,
    tenant: &TenantId,
    keys: &PublicKeys,
) -> Result<SignedCheckpoint, Flaw> {
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

/// Predecessors that are at no place. The oldest checkpoints are deleted in time, so what is before all others at hand is
/// not missed.
fn missing(in_force: &[SignedCheckpoint], all: &HashSet<Hash>) -> Vec<Flaw> {
    let oldest = in_force.iter().map(|checkpoint| checkpoint.position).min();
    // The same checkpoint may be at several places.
    let missing: BTreeSet<(i64, i64)> = in_force
        .iter()
        .filter_map(|checkpoint| Some((checkpoint.position, checkpoint.tree?.previous?)))
        .filter(|(_, previous)| {
            oldest.is_some_and(|oldest| previous.position >= oldest) && !all.contains(&previous.digest)
        })
        .map(|(named_by, previous)| (previous.position, named_by))
        .collect();
    missing
        .into_iter()
        .map(|(position, named_by)| Flaw::Missing { position, named_by })
        .collect()
}

impl Checkpoints {
    /// All available checkpoints, verified with this installation's public keys.
    ///
    /// # Errors
    /// When the database or the keys fail.
    pub async fn evidence(&self, tenant: &TenantId) -> Result<Evidence, CheckpointFailure> {
        let keys = self.public_keys().await?;
        self.evidence_under(tenant, &keys).await
    }

    /// All available checkpoints signed with one of these keys.
    pub async fn evidence_under(&self, tenant: &TenantId, keys: &PublicKeys) -> Result<Evidence, CheckpointFailure> {
        let mut evidence = self.rows(tenant, keys).await?;
        let is_first = evidence.checkpoints.is_empty() && evidence.flaws.is_empty();
        for destination in self.destinations.iter() {
            let files = match destination.files(tenant).await {
                Ok(files) => files,
                Err(DestinationError::NoFolder) if is_first => continue,
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
        let all: HashSet<Hash> = evidence.checkpoints.iter().map(SignedCheckpoint::digest).collect();
        let found = evidence.checkpoints.len();
        evidence.checkpoints = self.journal.in_force(tenant, evidence.checkpoints).await?;
        evidence.given_up = found - evidence.checkpoints.len();
        evidence.flaws.extend(missing(&evidence.checkpoints, &all));
        Ok(evidence)
    }

    /// Whether a checkpoint belongs to an abandoned history.
    pub(super) async fn is_given_up(
        &self,
        tenant: &TenantId,
        checkpoint: &SignedCheckpoint,
    ) -> Result<bool, CheckpointFailure> {
        let keys = self.public_keys().await?;
        let mut all = self.rows(tenant, &keys).await?.checkpoints;
        if !all.contains(checkpoint) {
            all.push(checkpoint.clone());
        }
        Ok(!self.journal.in_force(tenant, all).await?.contains(checkpoint))
    }

    /// The last checkpoint at each readable destination.
    pub(super) async fn last_delivered(
        &self,
        tenant: &TenantId,
        keys: &PublicKeys,
    ) -> Result<Vec<SignedCheckpoint>, CheckpointFailure> {
        let unreadable = |place: String, reason: String| CheckpointFailure::Unreadable {
            tenant: tenant.clone(),
            place,
            reason,
        };
        let is_first = !self.has_rows(tenant).await?;
        let mut last = Vec::new();
        for destination in self.destinations.iter() {
            let place = || destination.to_string();
            let files = match destination.files(tenant).await {
                Err(DestinationError::NoFolder) if is_first => continue,
                files => files.map_err(|error| unreadable(place(), WithCauses(&error).to_string()))?,
            };
            let before = last.len();
            let mut is_of_unknown_key = false;
            for file in files.iter().take(MAX_INVALID) {
                let found = self.files.open(destination, file).await;
                let found = found.map_err(|flaw| unreadable(place(), flaw.to_string()))?;
                is_of_unknown_key |= found.as_ref().is_some_and(|found| keys.find(&found.key).is_none());
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
            if last.len() == before && is_of_unknown_key {
                let reason = format!(
                    "none of its last {MAX_INVALID} is signed by a known key: put the file of signing keys back"
                );
                return Err(unreadable(place(), reason));
            }
        }
        Ok(last)
    }
}
