//! Rows of uploaded files, and of who may read them.

use super::moment;
use crate::beside::authenticity::{RowMac, RowMacs, Table};
use caudal_domain::ids::TenantId;
use chrono::{DateTime, Utc};
use sqlx::{Row as _, postgres::PgRow};
use uuid::Uuid;

/// A row of `journal.files`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileRow {
    /// SHA-256 of the content, in hexadecimal.
    pub hash: String,
    pub media_type: String,
    /// In bytes.
    pub size: i64,
    /// Time of the upload.
    pub stored_at: DateTime<Utc>,
}

impl FileRow {
    /// The columns to read.
    pub const COLUMNS: &str = "hash, media_type, size, journal.micros(stored_at) AS stored_at";

    pub fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            hash: row.try_get("hash")?,
            media_type: row.try_get("media_type")?,
            size: row.try_get("size")?,
            stored_at: moment(row, "stored_at")?,
        })
    }

    #[must_use]
    pub fn mac(&self, macs: &RowMacs, tenant: &TenantId) -> RowMac {
        macs.row(Table::Files, tenant)
            .key_text(&self.hash)
            .text(&self.media_type)
            .number(self.size)
            .time(self.stored_at)
    }
}

/// A row of `journal.file_owners`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileOwnerRow {
    pub hash: String,
    /// `party` or `remittance`.
    pub kind: String,
    pub owner: Uuid,
}

impl FileOwnerRow {
    /// The columns to read.
    pub const COLUMNS: &str = "hash, kind, owner";

    pub fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        Ok(Self {
            hash: row.try_get("hash")?,
            kind: row.try_get("kind")?,
            owner: row.try_get("owner")?,
        })
    }

    #[must_use]
    pub fn mac(&self, macs: &RowMacs, tenant: &TenantId) -> RowMac {
        macs.row(Table::FileOwners, tenant)
            .key_text(&self.hash)
            .key_text(&self.kind)
            .key_uuid(self.owner)
    }
}
