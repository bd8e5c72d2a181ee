//! Rows of requested verifications, and of who read personal data.

use super::{moment, optional_moment};
use crate::beside::authenticity::{RowMac, RowMacs, Table};
use caudal_domain::ids::{PartyId, TenantId};
use chrono::{DateTime, Utc};
use sqlx::{Row as _, postgres::PgRow};
use uuid::Uuid;

/// A row of `journal.verifications`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerificationRow {
    pub id: Uuid,
    /// The party that requested it.
    pub asked_by: PartyId,
    pub started_at: DateTime<Utc>,
    /// Heartbeat of the node that runs it.
    pub told_at: DateTime<Utc>,
    /// Time and outcome; `None` while running.
    pub ended: Option<(DateTime<Utc>, String)>,
    pub phase: String,
    /// Position reached in the phase.
    pub position: i64,
    /// Final position of the phase.
    pub head: i64,
    /// Hash of the last event, once the chain was found intact.
    pub hash: Option<Vec<u8>>,
    /// JSON text.
    pub findings: String,
    /// Number of checkpoints compared; `None` before that.
    pub checkpoints: Option<i64>,
}

impl VerificationRow {
    /// Columns to select from `journal.verifications`.
    pub const COLUMNS: &str = "id, asked_by, journal.micros(started_at) AS started_at, \
        journal.micros(told_at) AS told_at, journal.micros(finished_at) AS finished_at, phase, position, head, hash, \
        outcome, findings::text AS findings, checkpoints";

    pub fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        let finished_at = optional_moment(row, "finished_at")?;
        let outcome: Option<String> = row.try_get("outcome")?;
        // One without the other was not written by Caudal: no MAC matches.
        let ended = match (finished_at, outcome) {
            (None, None) => None,
            (at, outcome) => Some((at.unwrap_or(DateTime::<Utc>::MIN_UTC), outcome.unwrap_or_default())),
        };
        Ok(Self {
            id: row.try_get("id")?,
            asked_by: PartyId(row.try_get("asked_by")?),
            started_at: moment(row, "started_at")?,
            told_at: moment(row, "told_at")?,
            ended,
            phase: row.try_get("phase")?,
            position: row.try_get("position")?,
            head: row.try_get("head")?,
            hash: row.try_get("hash")?,
            findings: row.try_get("findings")?,
            checkpoints: row.try_get("checkpoints")?,
        })
    }

    #[must_use]
    pub fn mac(&self, macs: &RowMacs, tenant: &TenantId) -> RowMac {
        macs.row(Table::Verifications, tenant)
            .key_uuid(self.id)
            .uuid(self.asked_by.0)
            .time(self.started_at)
            .time(self.told_at)
            .optional(self.ended.as_ref(), |mac, (at, outcome)| mac.time(*at).text(outcome))
            .text(&self.phase)
            .number(self.position)
            .number(self.head)
            .optional(self.hash.as_deref(), RowMac::bytes)
            .text(&self.findings)
            .optional(self.checkpoints, RowMac::number)
    }
}

/// A row of `journal.readings`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadingRow {
    pub id: Uuid,
    pub read_at: DateTime<Utc>,
    pub party: PartyId,
    /// The party as which it was logged in to see.
    pub viewed_as: Option<PartyId>,
    pub session: Uuid,
    pub kind: String,
    /// Record of which data was read.
    pub subject: Option<Uuid>,
    /// Path of the call in the contract.
    pub call: String,
    /// Format of a file.
    pub format: Option<String>,
}

impl ReadingRow {
    /// The columns to read.
    pub const COLUMNS: &str =
        "id, journal.micros(read_at) AS read_at, party, viewed_as, session, kind, subject, call, format";

    pub fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            id: row.try_get("id")?,
            read_at: moment(row, "read_at")?,
            party: PartyId(row.try_get("party")?),
            viewed_as: row.try_get::<Option<Uuid>, _>("viewed_as")?.map(PartyId),
            session: row.try_get("session")?,
            kind: row.try_get("kind")?,
            subject: row.try_get("subject")?,
            call: row.try_get("call")?,
            format: row.try_get("format")?,
        })
    }

    #[must_use]
    pub fn mac(&self, macs: &RowMacs, tenant: &TenantId) -> RowMac {
        let optional = |id: Option<Uuid>| id.map_or_else(Vec::new, |id| id.as_bytes().to_vec());
        macs.row(Table::Readings, tenant)
            .key_uuid(self.id)
            .time(self.read_at)
            .uuid(self.party.0)
            .bytes(&optional(self.viewed_as.map(|party| party.0)))
            .uuid(self.session)
            .text(&self.kind)
            .bytes(&optional(self.subject))
            .text(&self.call)
            .text(self.format.as_deref().unwrap_or_default())
    }
}
