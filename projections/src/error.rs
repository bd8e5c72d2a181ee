//! What can go wrong, for the caller and for the operator.

use caudal_domain::{Refusal, ids::TenantId};
use caudal_journal::JournalError;
use caudal_postgres::DatabaseError;
use std::time::Duration;
use uuid::Uuid;

/// When a caller that asked for what is not projected yet should try again.
pub const READ_RETRY_AFTER: Duration = Duration::from_secs(1);

/// Why a query has no answer.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The read models have not got that far; see [`READ_RETRY_AFTER`].
    #[error("tenant {tenant}: projected to {projected}, {wanted} was asked for")]
    NotYet {
        tenant: TenantId,
        /// The position that was asked for.
        wanted: i64,
        /// The position reached.
        projected: i64,
    },
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Begin(#[from] DatabaseError),
}

/// Why a tenant's read models don't move on.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// The log can't be read: a gap, an unknown event, a key that doesn't fit. Waiting doesn't help.
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("position {position}: {table} has no {id}")]
    Missing {
        position: i64,
        /// The read model.
        table: &'static str,
        /// What it lacks.
        id: Uuid,
    },
    #[error("position {position}: the account {account} is beyond 64 bits")]
    Overflow { position: i64, account: String },
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Begin(#[from] DatabaseError),
}

impl ProjectError {
    /// Whether trying again can't help: somebody has to look.
    #[must_use]
    pub const fn is_halt(&self) -> bool {
        match self {
            Self::Journal(error) => !matches!(error, JournalError::Database(_) | JournalError::Begin(_)),
            Self::Missing { .. } | Self::Overflow { .. } => true,
            Self::Database(_) | Self::Begin(_) => false,
        }
    }
}
