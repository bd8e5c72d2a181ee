//! Verifying a tenant's chain: every event in order, in one snapshot, in bounded memory.

use crate::{
    chain::{self, Hash},
    error::JournalError,
    journal::Journal,
};
use caudal_domain::ids::TenantId;
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Row as _, postgres::PgRow};

/// How many events are read at a time.
const PAGE: i64 = 5_000;

/// What a verification found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verification {
    /// How many events were found in order before the first fault.
    pub events: i64,
    /// The hash of the last of them.
    pub hash: Hash,
    /// The first fault.
    pub fault: Option<Fault>,
}

/// The first place at which a log is not what it was when it was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// An event is not there: deleted, or moved.
    #[error("position {position} is missing; {found} follows")]
    Missing {
        /// The position that should follow.
        position: i64,
        /// The one that does.
        found: i64,
    },
    /// An event's hash is not that of its content and the event before.
    #[error("position {position} was changed: its hash does not match")]
    Changed {
        /// Its position.
        position: i64,
    },
    /// Time goes backwards.
    #[error("position {position} was recorded before the event before it")]
    Backwards {
        /// Its position.
        position: i64,
    },
    /// The head is not at the last event: events were cut off or added, or the head was changed.
    #[error("the log ends at position {end}, but the head says {head}")]
    HeadMoved {
        /// The last event's position.
        end: i64,
        /// The head's.
        head: i64,
    },
    /// The head is at the last event, with another hash.
    #[error("the head's hash is not that of the last event, at position {position}")]
    HeadChanged {
        /// The last event's position.
        position: i64,
    },
}

/// The chain so far.
struct Walk<'a> {
    tenant: &'a TenantId,
    position: i64,
    hash: Hash,
    recorded_at: DateTime<Utc>,
}

impl Walk<'_> {
    fn step(&mut self, row: &PgRow) -> Result<Option<Fault>, sqlx::Error> {
        let position: i64 = row.try_get("position")?;
        if position != self.position + 1 {
            return Ok(Some(Fault::Missing {
                position: self.position + 1,
                found: position,
            }));
        }
        let recorded_at: DateTime<Utc> = row.try_get("recorded_at")?;
        let link = chain::Link {
            tenant: self.tenant.as_str(),
            position,
            aggregate_type: row.try_get("aggregate_type")?,
            aggregate_id: row.try_get("aggregate_id")?,
            sequence: row.try_get("sequence")?,
            event_type: row.try_get("event_type")?,
            event_version: row.try_get("event_version")?,
            recorded_at,
            metadata: row.try_get("metadata")?,
            payload: row.try_get("payload")?,
        };
        let hash = chain::hash(&self.hash, &link);
        if row.try_get::<&[u8], _>("hash")? != hash {
            return Ok(Some(Fault::Changed { position }));
        }
        if recorded_at < self.recorded_at {
            return Ok(Some(Fault::Backwards { position }));
        }
        *self = Walk {
            tenant: self.tenant,
            position,
            hash,
            recorded_at,
        };
        Ok(None)
    }

    async fn page(&self, transaction: &mut PgConnection) -> Result<Vec<PgRow>, sqlx::Error> {
        sqlx::query(
            "SELECT position, aggregate_type, aggregate_id, sequence, event_type, event_version,
                    payload::text AS payload, metadata::text AS metadata, recorded_at, hash
               FROM journal.events WHERE tenant = $1 AND position > $2 ORDER BY position LIMIT $3",
        )
        .bind(self.tenant.as_str())
        .bind(self.position)
        .bind(PAGE)
        .fetch_all(transaction)
        .await
    }
}

impl Journal {
    /// Recomputes a tenant's chain from event 1 and compares it with the head. `progress` is told the position
    /// reached and the head's, page by page.
    ///
    /// # Errors
    /// Where the tenant is unknown or the database fails: nothing is then known of the log.
    pub async fn verify_chain(
        &self,
        tenant: &TenantId,
        mut progress: impl FnMut(i64, i64) + Send,
    ) -> Result<Verification, JournalError> {
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        let head = sqlx::query("SELECT position, hash FROM journal.heads WHERE tenant = $1")
            .bind(tenant.as_str())
            .fetch_optional(&mut *transaction)
            .await?
            .ok_or_else(|| JournalError::UnknownTenant(tenant.clone()))?;
        let (head_position, head_hash): (i64, Vec<u8>) = (head.try_get("position")?, head.try_get("hash")?);
        let hash = chain::genesis(tenant.as_str());
        let mut walk = Walk {
            tenant,
            position: 0,
            hash,
            recorded_at: DateTime::<Utc>::MIN_UTC,
        };
        loop {
            let rows = walk.page(&mut transaction).await?;
            for row in &rows {
                if let Some(fault) = walk.step(row)? {
                    return Ok(Verification {
                        events: walk.position,
                        hash: walk.hash,
                        fault: Some(fault),
                    });
                }
            }
            progress(walk.position, head_position);
            if rows.is_empty() {
                break;
            }
        }
        let fault = if walk.position != head_position {
            Some(Fault::HeadMoved {
                end: walk.position,
                head: head_position,
            })
        } else if head_hash != walk.hash {
            Some(Fault::HeadChanged {
                position: walk.position,
            })
        } else {
            None
        };
        Ok(Verification {
            events: walk.position,
            hash: walk.hash,
            fault,
        })
    }
}
