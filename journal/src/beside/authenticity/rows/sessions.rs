//! Rows of sessions, with their fresh codes and viewers.

use super::{moment, optional_moment};
use crate::beside::authenticity::{RowMac, RowMacs, Table};
use caudal_domain::ids::{PartyId, SecondFactorId, TenantId};
use chrono::{DateTime, Utc};
use sqlx::{Row as _, postgres::PgRow};
use uuid::Uuid;

/// A row of `journal.sessions`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionRow {
    pub id: Uuid,
    pub party: PartyId,
    /// SHA-256 of the current refresh token.
    pub token_hash: Vec<u8>,
    /// Time of the login.
    pub created_at: DateTime<Utc>,
    /// Start of the current token's validity.
    pub renewed_at: DateTime<Utc>,
    /// Expiry of the token.
    pub expires_at: DateTime<Utc>,
    /// Time and reason of the end; `None` for an open session.
    pub ended: Option<(DateTime<Utc>, String)>,
    /// The `set_at` of the password used at login; `None` for sessions older than this column.
    pub password_of: Option<DateTime<Utc>>,
    /// Hash of the previous token, salt of the current one, and time of the rotation; `None` before the first rotation.
    pub rotation: Option<(Vec<u8>, Vec<u8>, DateTime<Utc>)>,
    /// Digest of the party's e-mail address at login; `None` for sessions older than this column.
    pub address: Option<Vec<u8>>,
}

impl SessionRow {
    /// Columns to select from `journal.sessions`.
    pub const COLUMNS: &str = "id, party, token_hash, journal.micros(created_at) AS created_at, \
        journal.micros(renewed_at) AS renewed_at, journal.micros(expires_at) AS expires_at, \
        journal.micros(ended_at) AS ended_at, ended_by, journal.micros(password_of) AS password_of, \
        previous_hash, rotation_salt, journal.micros(rotated_at) AS rotated_at, address";

    pub fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        let ended_at = optional_moment(row, "ended_at")?;
        let ended_by: Option<String> = row.try_get("ended_by")?;
        let from: Option<Vec<u8>> = row.try_get("previous_hash")?;
        let salt: Option<Vec<u8>> = row.try_get("rotation_salt")?;
        let rotated_at = optional_moment(row, "rotated_at")?;
        // A pair with one part missing was not written by Caudal; it maps to a time without meaning, so that no MAC
        // matches.
        let never = DateTime::<Utc>::MIN_UTC;
        let ended = match (ended_at, ended_by) {
            (None, None) => None,
            (at, by) => Some((at.unwrap_or(never), by.unwrap_or_default())),
        };
        let rotation = match (from, salt, rotated_at) {
            (None, None, None) => None,
            (from, salt, at) => Some((from.unwrap_or_default(), salt.unwrap_or_default(), at.unwrap_or(never))),
        };
        Ok(Self {
            id: row.try_get("id")?,
            party: PartyId(row.try_get("party")?),
            token_hash: row.try_get("token_hash")?,
            created_at: moment(row, "created_at")?,
            renewed_at: moment(row, "renewed_at")?,
            expires_at: moment(row, "expires_at")?,
            ended,
            password_of: optional_moment(row, "password_of")?,
            rotation,
            address: row.try_get("address")?,
        })
    }

    #[must_use]
    pub fn mac(&self, macs: &RowMacs, tenant: &TenantId) -> RowMac {
        let mac = macs
            .row(Table::Sessions, tenant)
            .key_uuid(self.id)
            .uuid(self.party.0)
            .bytes(&self.token_hash)
            .time(self.created_at)
            .time(self.renewed_at)
            .time(self.expires_at)
            .optional(self.ended.as_ref(), |mac, (at, by)| mac.time(*at).text(by))
            .optional(self.password_of, RowMac::time)
            .optional(self.rotation.as_ref(), |mac, (from, salt, at)| {
                mac.bytes(from).bytes(salt).time(*at)
            });
        match &self.address {
            // As before the column was added.
            None => mac,
            Some(address) => mac.bytes(address),
        }
    }
}

/// A row of `journal.step_ups`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepUpRow {
    pub session: Uuid,
    /// The factor whose code was given.
    pub factor: SecondFactorId,
    /// Time of the last code.
    pub given_at: DateTime<Utc>,
}

impl StepUpRow {
    /// The columns to read.
    pub const COLUMNS: &str = "session, factor, journal.micros(given_at) AS given_at";

    pub fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            session: row.try_get("session")?,
            factor: SecondFactorId(row.try_get("factor")?),
            given_at: moment(row, "given_at")?,
        })
    }

    #[must_use]
    pub fn mac(&self, macs: &RowMacs, tenant: &TenantId) -> RowMac {
        macs.row(Table::StepUps, tenant)
            .key_uuid(self.session)
            .uuid(self.factor.0)
            .time(self.given_at)
    }
}

/// A row of `journal.viewings`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ViewingRow {
    /// The session, which is that of the party that is seen as.
    pub session: Uuid,
    pub viewer: PartyId,
    /// The viewer's own session, in which the viewing began.
    pub viewer_session: Uuid,
}

impl ViewingRow {
    /// The columns to read.
    pub const COLUMNS: &str = "session, viewer, viewer_session";

    pub fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            session: row.try_get("session")?,
            viewer: PartyId(row.try_get("viewer")?),
            viewer_session: row.try_get("viewer_session")?,
        })
    }

    #[must_use]
    pub fn mac(&self, macs: &RowMacs, tenant: &TenantId) -> RowMac {
        macs.row(Table::Viewings, tenant)
            .key_uuid(self.session)
            .uuid(self.viewer.0)
            .uuid(self.viewer_session)
    }
}
