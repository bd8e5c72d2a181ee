//! Password hashes of parties: stored beside the log, never in an event.

use crate::{
    beside::{
        authenticity::{RowMac, RowMacs, Table, moment},
        unique_values,
    },
    error::JournalError,
    journal::Journal,
};
use caudal_domain::{
    UniqueValueKind,
    ids::{PartyId, TenantId},
    party::PartyDetails,
};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Row as _, postgres::PgRow};
use uuid::Uuid;

/// A party's stored credential.
#[derive(Clone)]
pub struct StoredCredential {
    pub party: PartyId,
    /// Argon2 hash as a PHC string.
    pub hash: String,
    /// Time it was set; earlier tokens are invalid.
    pub set_at: DateTime<Utc>,
}

impl std::fmt::Debug for StoredCredential {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { party, set_at, .. } = self;
        f.debug_struct("StoredCredential")
            .field("party", party)
            .field("set_at", set_at)
            .finish_non_exhaustive()
    }
}

impl StoredCredential {
    /// Reads a credential and checks its MAC.
    pub(crate) fn authentic(row: &PgRow, macs: &RowMacs, tenant: &TenantId) -> Result<Self, JournalError> {
        let stored = Self {
            party: PartyId(row.try_get("party")?),
            hash: row.try_get("hash")?,
            set_at: moment(row, "set_at")?,
        };
        mac(macs, tenant, stored.party, &stored.hash, stored.set_at).check(row.try_get("mac")?)?;
        Ok(stored)
    }
}

/// MAC of a credential's row. Excludes the time of the last access, which is only displayed.
#[must_use]
pub fn mac(macs: &RowMacs, tenant: &TenantId, party: PartyId, hash: &str, set_at: DateTime<Utc>) -> RowMac {
    macs.row(Table::Credentials, tenant)
        .key_uuid(party.0)
        .text(hash)
        .time(set_at)
}

impl Journal {
    /// Credential by e-mail address; `None` for an unknown address or a party without credential.
    ///
    /// # Errors
    /// When the database fails, or a row does not match its MAC.
    pub async fn credential_by_email(
        &self,
        tenant: &TenantId,
        email: &str,
    ) -> Result<Option<StoredCredential>, JournalError> {
        let email = PartyDetails::normal_email(email);
        let digest = unique_values::digest(&self.shared.keyring, tenant, UniqueValueKind::Email, &email);
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        let row = sqlx::query(
            "SELECT c.party, c.hash, journal.micros(c.set_at) AS set_at, c.mac, h.owner, h.mac AS claim_mac
               FROM journal.claims AS h LEFT JOIN journal.credentials AS c ON c.tenant = h.tenant AND c.party = h.owner
              WHERE h.tenant = $1 AND h.kind = $2 AND h.digest = $3",
        )
        .bind(tenant.as_str())
        .bind(UniqueValueKind::Email.as_str())
        .bind(digest)
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let macs = &self.shared.macs;
        let owner: Uuid = row.try_get("owner")?;
        unique_values::mac(macs, tenant, UniqueValueKind::Email.as_str(), &digest, owner)
            .check(row.try_get("claim_mac")?)?;
        if row.try_get::<Option<Uuid>, _>("party")?.is_none() {
            return Ok(None);
        }
        StoredCredential::authentic(&row, macs, tenant).map(Some)
    }

    /// A party's credential.
    ///
    /// # Errors
    /// When the database fails, or the row does not match its MAC.
    pub async fn credential(
        &self,
        tenant: &TenantId,
        party: PartyId,
    ) -> Result<Option<StoredCredential>, JournalError> {
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        let row = sqlx::query(
            "SELECT party, hash, journal.micros(set_at) AS set_at, mac
               FROM journal.credentials WHERE tenant = $1 AND party = $2",
        )
        .bind(tenant.as_str())
        .bind(party.0)
        .fetch_optional(&mut *transaction)
        .await?;
        row.map(|row| StoredCredential::authentic(&row, &self.shared.macs, tenant))
            .transpose()
    }

    /// Replaces a party's credential after a change or reset. Not recorded as an event.
    pub async fn replace_credential(&self, tenant: &TenantId, party: PartyId, hash: &str) -> Result<(), JournalError> {
        let mut transaction = self.shared.database.begin_write(tenant.as_str()).await?;
        let now = self.shared.clock.now();
        replace_credential(&mut transaction, &self.shared.macs, tenant, party, hash, now).await?;
        transaction.commit().await?;
        Ok(())
    }
}

/// Replaces a party's credential within a transaction that also ends its sessions.
pub async fn replace_credential(
    connection: &mut PgConnection,
    macs: &RowMacs,
    tenant: &TenantId,
    party: PartyId,
    hash: &str,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO journal.credentials (tenant, party, hash, set_at, mac) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tenant, party) DO UPDATE SET hash = EXCLUDED.hash, set_at = EXCLUDED.set_at, mac = EXCLUDED.mac",
    )
    .bind(tenant.as_str())
    .bind(party.0)
    .bind(hash)
    .bind(now)
    .bind(mac(macs, tenant, party, hash, now).finish())
    .execute(connection)
    .await?;
    Ok(())
}
