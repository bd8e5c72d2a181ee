//! Conversion of lower layers' errors into API errors.

use super::{ApiError, CHANGED_MEANWHILE, More};
use actix_web::http::StatusCode;
use caudal_domain::{Refusal, RefusalKind};
use caudal_journal::{JournalError, KeyError, NotAuthentic, SubmitError, WithCauses};
use caudal_postgres::DatabaseError;
use caudal_projections::ReadError;
use sqlx::postgres::{PgDatabaseError, PgSeverity};
use std::time::Duration;

/// `Retry-After` of writes to a quarantined tenant, which waits for an operator.
const QUARANTINE_RETRY_AFTER: Duration = Duration::from_secs(60);
/// `Retry-After` of reads before a rebuild, which takes some minutes; a balancer may ask a node of the other version sooner.
const REBUILD_RETRY_AFTER: Duration = Duration::from_secs(10);

impl From<Refusal> for ApiError {
    fn from(refusal: Refusal) -> Self {
        let status = match refusal.kind {
            RefusalKind::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
            RefusalKind::Conflict => StatusCode::CONFLICT,
            RefusalKind::Forbidden => StatusCode::FORBIDDEN,
            RefusalKind::NotFound => StatusCode::NOT_FOUND,
        };
        let proposed = refusal.proposed.map(|figures| (*figures).into());
        Self {
            params: refusal.params,
            errors: refusal.errors,
            more: refusal
                .figures
                .map(|figures| Box::new(More::Figures((*figures).into(), proposed))),
            ..Self::new(status, refusal.code)
        }
    }
}

impl From<SubmitError> for ApiError {
    fn from(error: SubmitError) -> Self {
        match error {
            SubmitError::Refused(refusal) => refusal.into(),
            SubmitError::KeyInvalid => Self::unprocessable("idempotency_key_invalid"),
            SubmitError::KeyReused => Self::unprocessable("idempotency_key_reused"),
            SubmitError::Changed => Self::conflict(CHANGED_MEANWHILE),
            SubmitError::UnknownTenant => Self::unauthorized("tenant_unknown"),
            SubmitError::Busy { retry_after } => Self {
                retry_after: Some(retry_after),
                ..Self::unavailable("busy")
            },
            SubmitError::Unavailable {
                retry_after,
                ref source,
            } => {
                if let Some(source) = source {
                    tracing::error!(error = %WithCauses(source.as_ref()), "the journal is not available");
                }
                Self {
                    retry_after: Some(retry_after),
                    ..Self::unavailable("unavailable")
                }
            }
            SubmitError::Quarantined => Self {
                retry_after: Some(QUARANTINE_RETRY_AFTER),
                ..Self::unavailable("log_diverged")
            },
            SubmitError::OutcomeUnknown => Self::unavailable("outcome_unknown"),
            SubmitError::Failed(ref cause) if is_not_authentic(cause) => Self::not_authentic(),
            other => Self::internal(other),
        }
    }
}

impl From<ReadError> for ApiError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Refused(refusal) => refusal.into(),
            ReadError::NotYet { .. } => Self::unavailable("not_yet_projected"),
            ReadError::OtherVersion { .. } => Self {
                retry_after: Some(REBUILD_RETRY_AFTER),
                ..Self::unavailable("read_models_of_another_version")
            },
            ReadError::Journal(error) => error.into(),
            ReadError::Database(error) => error.into(),
            ReadError::Begin(error) => error.into(),
        }
    }
}

impl From<JournalError> for ApiError {
    fn from(error: JournalError) -> Self {
        match error {
            JournalError::UnknownTenant(_) => Self::unauthorized("tenant_unknown"),
            JournalError::Database(error) => error.into(),
            JournalError::Begin(error) => error.into(),
            ref unusable if is_not_authentic(unusable) => Self::not_authentic(),
            other => Self::internal(other),
        }
    }
}

/// Whether the database holds a row that Caudal did not write.
const fn is_not_authentic(error: &JournalError) -> bool {
    matches!(error, JournalError::NotAuthentic(_) | JournalError::Changed { .. })
}

impl From<KeyError> for ApiError {
    fn from(error: KeyError) -> Self {
        Self::internal(error)
    }
}

impl From<NotAuthentic> for ApiError {
    /// The row was logged and counted where it was found.
    fn from(_: NotAuthentic) -> Self {
        Self::not_authentic()
    }
}

impl ApiError {
    fn not_authentic() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "record_not_authentic")
    }
}

impl From<DatabaseError> for ApiError {
    fn from(error: DatabaseError) -> Self {
        tracing::error!(error = %WithCauses(&error), "the database is not available");
        Self::unavailable("unavailable")
    }
}

impl From<sqlx::Error> for ApiError {
    fn from(error: sqlx::Error) -> Self {
        if is_passing(&error) {
            tracing::error!(error = %error, "the database is not available");
            Self::unavailable("unavailable")
        } else {
            Self::internal(error)
        }
    }
}

/// SQLSTATE classes and codes (PostgreSQL's appendix A) of temporary errors: lost connections, serialisation failures,
/// exhausted resources, read-only standbys, locks, timeouts, shutdowns, I/O errors; and our own, of a tenant that moves to
/// another cell.
const PASSING: [&str; 9] = ["08", "25006", "25P03", "40", "53", "55P03", "57", "58", "CA001"];

/// Whether the error concerns the database's state, not the request.
fn is_passing(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Database(error) => {
            let ended = |error: &PgDatabaseError| matches!(error.severity(), PgSeverity::Fatal | PgSeverity::Panic);
            error.try_downcast_ref().is_some_and(ended)
                || error
                    .code()
                    .is_some_and(|code| PASSING.iter().any(|passing| code.starts_with(passing)))
        }
        sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed
        | sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        // A connection cut in the middle.
        | sqlx::Error::Protocol(_) => true,
        _ => false,
    }
}
