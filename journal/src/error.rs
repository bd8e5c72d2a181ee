//! What can go wrong, for the caller and for the operator.

use crate::{beside::authenticity::NotAuthentic, history::Divergence, keys::KeyError, log::append::was_rolled_back};
use caudal_domain::{
    DecodeError, Refusal,
    ids::{SubjectId, TenantId},
};
use caudal_postgres::DatabaseError;
use std::{sync::Arc, time::Duration};

/// When a caller that found the journal busy should try again.
pub const RETRY_AFTER: Duration = Duration::from_secs(1);

/// Why the journal can't be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The database did not do what was asked.
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
    /// No transaction could be begun.
    #[error(transparent)]
    Begin(#[from] DatabaseError),
    /// There is no such tenant.
    #[error("there is no tenant {0}")]
    UnknownTenant(TenantId),
    /// The tenant is there already.
    #[error("the tenant {0} exists")]
    TenantExists(TenantId),
    /// An event that this build can't read: written by a newer one, or damaged.
    #[error("tenant {tenant}, position {position}: the event can't be read")]
    Unreadable {
        /// The tenant.
        tenant: TenantId,
        /// The event's position.
        position: i64,
        /// What is wrong with it.
        #[source]
        source: Unreadable,
    },
    /// The log has a hole.
    #[error("tenant {tenant}: position {expected} is missing, {found} follows")]
    Gap {
        /// The tenant.
        tenant: TenantId,
        /// The position that should follow.
        expected: i64,
        /// The one that does, or the head's where none does.
        found: i64,
    },
    /// The log contradicts what was seen of it.
    #[error("tenant {tenant}: {divergence}")]
    Diverged {
        /// The tenant.
        tenant: TenantId,
        /// How it does.
        divergence: Divergence,
    },
    /// The keys are not usable.
    #[error(transparent)]
    Keys(#[from] KeyError),
    /// A person's data key can't be unwrapped.
    #[error("the data key of {0} can't be unwrapped: its master key is not in the key file, or it was changed")]
    LockedKey(SubjectId),
    /// A row beside the log was written without the key file.
    #[error(transparent)]
    NotAuthentic(#[from] NotAuthentic),
    /// The moments of the adoption do not fit their MAC.
    #[error(
        "journal.keyring: since when rows are authenticated was changed without this installation's key file; restore \
         journal.keyring from a backup"
    )]
    AdoptionChanged,
    /// Rows have MACs, but the database says that there are none yet.
    #[error(
        "journal.keyring: since when rows are authenticated was removed, although rows have MACs; restore \
         journal.keyring from a backup"
    )]
    AdoptionTakenBack,
    /// An event that a decision needs was changed in place.
    #[error(
        "tenant {tenant}, position {position}: the event was changed: its hash does not match; run `caudal verify`"
    )]
    Changed {
        /// The tenant.
        tenant: TenantId,
        /// The event's position.
        position: i64,
    },
    /// What the database holds is not what this build writes.
    #[error("the database holds something unexpected: {0}")]
    Unexpected(String),
    /// A value can't be written as JSON, or read back.
    #[error("JSON")]
    Json(#[from] serde_json::Error),
}

impl JournalError {
    /// Whether the connection was lost, rather than that the database refused something or has none free. A database
    /// that says nothing for long is not asked at once again.
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

/// What is wrong with a stored event.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// Its type, version or payload is unknown to this build.
    #[error(transparent)]
    Event(#[from] DecodeError),
    /// Its stream is unknown to this build.
    #[error("unknown stream {kind} {id}")]
    Stream {
        /// The stream's kind.
        kind: String,
        /// The stream's id.
        id: String,
    },
    /// Its metadata is not what this build writes.
    #[error("unknown metadata")]
    Metadata(#[source] serde_json::Error),
    /// Its personal part doesn't open with its person's key.
    #[error("its personal part doesn't open: wrong master key, or it was changed")]
    Sealed,
    /// Its person has neither a key nor a tombstone.
    #[error("{0} has neither a data key nor a tombstone: the row was deleted from journal.subject_keys")]
    NoKey(SubjectId),
    /// Its personal part opens, but is not what the event holds.
    #[error("its personal part")]
    Personal(#[source] serde_json::Error),
    /// Its time is no moment.
    #[error("its time is no moment")]
    Time,
    /// Its hash is not 32 bytes.
    #[error("its hash has a wrong length")]
    Hash,
}

/// Why a command was not committed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SubmitError {
    /// The business rules refuse it; nothing was changed.
    #[error("refused: {0}")]
    Refused(Refusal),
    /// The idempotency key is empty, too long or holds control characters.
    #[error("the idempotency key is not valid")]
    KeyInvalid,
    /// The idempotency key was used for another request.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// What the command changes was changed after it was read; nothing was changed by it.
    #[error("the stream was changed after it was read")]
    Changed,
    /// The tenant is in quarantine: its log contradicts what was seen of it. Nothing is written until an operator decides.
    #[error("the tenant is in quarantine: its log contradicts what was seen of it")]
    Quarantined,
    /// There is no such tenant.
    #[error("there is no such tenant")]
    UnknownTenant,
    /// Too much is waiting; nothing was changed.
    #[error("too many commands are waiting")]
    Busy {
        /// When to try again.
        retry_after: Duration,
    },
    /// The database does not answer, or this node is going down; nothing was changed.
    #[error("the journal is not available")]
    Unavailable {
        /// When to try again.
        retry_after: Duration,
        /// What failed, for the operator.
        #[source]
        source: Option<Arc<JournalError>>,
    },
    /// The connection was lost while committing, and the database does not say whether it did. Repeating the command
    /// with its idempotency key settles it.
    #[error("whether the command was committed is not known")]
    OutcomeUnknown,
    /// Something that should not happen; nothing was changed.
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
