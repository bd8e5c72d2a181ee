//! Errors of the journal, for callers and operators.

use crate::{beside::authenticity::NotAuthentic, history::Divergence, keys::KeyError, log::append::was_rolled_back};
use caudal_domain::{
    DecodeError, Refusal,
    ids::{SubjectId, TenantId},
};
use caudal_postgres::DatabaseError;
use std::{sync::Arc, time::Duration};

/// Suggested delay before a retry after [`SubmitError::Busy`].
pub const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Why the journal can't be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Begin(#[from] DatabaseError),
    #[error("there is no tenant {0}")]
    UnknownTenant(TenantId),
    #[error("the tenant {0} exists")]
    TenantExists(TenantId),
    #[error("tenant {tenant}, position {position}: the event can't be read")]
    Unreadable {
        tenant: TenantId,
        position: i64,
        #[source]
        source: Unreadable,
    },
    #[error("tenant {tenant}: position {expected} is missing, {found} follows")]
    Gap {
        tenant: TenantId,
        /// Position expected next.
        expected: i64,
        /// Position found, or the head's position at the end.
        found: i64,
    },
    #[error("tenant {tenant}: {divergence}")]
    Diverged {
        tenant: TenantId,
        /// How it does.
        divergence: Divergence,
    },
    #[error(transparent)]
    Keys(#[from] KeyError),
    #[error("the data key of {0} can't be unwrapped: its master key is not in the key file, or it was changed")]
    LockedKey(SubjectId),
    #[error(transparent)]
    NotAuthentic(#[from] NotAuthentic),
    #[error(
        "journal.keyring: since when rows are authenticated was changed without this installation's key file; restore \
         journal.keyring from a backup"
    )]
    AdoptionChanged,
    #[error(
        "journal.keyring: since when rows are authenticated was removed or put back, although rows had MACs; restore \
         journal.keyring from a backup"
    )]
    AdoptionTakenBack,
    #[error(
        "the rows beside the log, or the ends of logs, have no MACs: the database was written by a version that had none, or \
         somebody removed them. Compare it with a backup and run `caudal migrate --adopt-rows` once: they receive MACs as they \
         are found"
    )]
    AdoptionNotBegun,
    #[error("the evidence folder can't be written")]
    Evidence(#[source] std::io::Error),
    #[error(
        "tenant {tenant}, position {position}: the event was changed: its hash does not match; run `caudal verify`"
    )]
    Changed { tenant: TenantId, position: i64 },
    #[error("the database holds something unexpected: {0}")]
    Unexpected(String),
    #[error("JSON")]
    Json(#[from] serde_json::Error),
}

impl JournalError {
    /// Whether the connection was lost, in contrast to a refusal or a full pool. A database that timed out is not
    /// retried at once.
    pub(crate) fn is_lost_connection(&self) -> bool {
        match self {
            Self::Database(error) | Self::Begin(DatabaseError::Begin(error)) => match error {
                sqlx::Error::Io(error) => error.kind() != std::io::ErrorKind::TimedOut,
                sqlx::Error::Protocol(_) => true,
                sqlx::Error::Database(_) => !was_rolled_back(error),
                _ => false,
            },
            _ => false,
        }
    }
}

/// Defect of a stored event.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    #[error(transparent)]
    Event(#[from] DecodeError),
    #[error("unknown stream {kind} {id}")]
    Stream {
        /// The stream's kind.
        kind: String,
        /// The stream's id.
        id: String,
    },
    #[error("unknown metadata")]
    Metadata(#[source] serde_json::Error),
    #[error("its personal part doesn't open: wrong master key, or it was changed")]
    Sealed,
    #[error("{0} has neither a data key nor a tombstone: the row was deleted from journal.subject_keys")]
    NoKey(SubjectId),
    #[error(
        "its personal part is in clear: Caudal writes it encrypted, and this event was written without the key file"
    )]
    InClear,
    #[error("its personal part")]
    Personal(#[source] serde_json::Error),
    #[error("its time is no moment")]
    Time,
    #[error("its hash has a wrong length")]
    Hash,
}

/// Why a command was not committed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SubmitError {
    #[error("refused: {0}")]
    Refused(Refusal),
    #[error("the idempotency key is not valid")]
    KeyInvalid,
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// The record changed since the caller read it, or the tenant has rules that the caller did not know of; nothing was written.
    #[error("what the command was made from has changed")]
    Changed,
    /// The tenant is in quarantine: its log diverged from what nodes have seen. No writes until an operator decides.
    #[error("the tenant is in quarantine: its log contradicts what was seen of it")]
    Quarantined,
    #[error("there is no such tenant")]
    UnknownTenant,
    #[error("too many commands are waiting")]
    Busy {
        /// When to try again.
        retry_after: Duration,
    },
    #[error("the journal is not available")]
    Unavailable {
        /// When to try again.
        retry_after: Duration,
        /// Cause, for the operator.
        #[source]
        source: Option<Arc<JournalError>>,
    },
    /// The connection was lost during the commit, and the outcome could not be determined. Repeating the command with
    /// its idempotency key settles it.
    #[error("whether the command was committed is not known")]
    OutcomeUnknown,
    #[error("the journal failed")]
    Failed(#[source] Arc<JournalError>),
}

/// An error with its causes, for logs and operators: each error's own text does not repeat its cause's.
#[derive(Clone, Copy, Debug)]
pub struct WithCauses<'a>(pub &'a (dyn std::error::Error + 'a));

impl std::fmt::Display for WithCauses<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.0)?;
        let causes = std::iter::successors(self.0.source(), |error| error.source());
        causes.into_iter().try_for_each(|cause| write!(f, ": {cause}"))
    }
}
