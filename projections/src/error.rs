//! Errors of queries and projections, for callers and operators.

use crate::table::READ_MODELS_VERSION;
use caudal_domain::{Refusal, ids::TenantId};
use caudal_journal::JournalError;
use caudal_postgres::DatabaseError;
use std::time::Duration;
use uuid::Uuid;

/// Suggested delay before a retry of [`ReadError::NotYet`].
pub const READ_RETRY_AFTER: Duration = Duration::from_secs(1);

/// Why a query failed.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The read models are behind the requested position; retry after [`READ_RETRY_AFTER`].
    #[error("tenant {tenant}: projected to {projected}, {wanted} was asked for")]
    NotYet {
        tenant: TenantId,
        /// Requested position.
        wanted: i64,
        /// Position of the read models.
        projected: i64,
    },
    /// The tables were built by another version of the program: what they mean here is unknown, until a rebuild.
    #[error("tenant {tenant}: the read models are of version {found}, this program's are of {READ_MODELS_VERSION}")]
    OtherVersion {
        tenant: TenantId,
        /// Version of the tables.
        found: i32,
    },
    /// The log can't be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Begin(#[from] DatabaseError),
}

/// Why a tenant's projection stopped.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// The log can't be read: a gap, an unknown event, or a wrong key. A retry does not help.
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("position {position}: {table} has no {id}")]
    Missing {
        position: i64,
        /// Table of the read model.
        table: &'static str,
        /// Key of the missing row.
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
    /// Whether an operator must act because retries do not help.
    #[must_use]
    pub const fn is_halt(&self) -> bool {
        match self {
            Self::Journal(error) => !matches!(error, JournalError::Database(_) | JournalError::Begin(_)),
            Self::Missing { .. } | Self::Overflow { .. } => true,
            Self::Database(_) | Self::Begin(_) => false,
        }
    }
}
