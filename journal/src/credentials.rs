//! What parties sign in with: kept beside the log, never in an event.

use crate::{claims, error::JournalError, journal::Journal};
use caudal_domain::{
    ClaimKind,
    ids::{PartyId, TenantId},
    party::PartyDetails,
};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Row as _, postgres::PgRow};

/// A party's credential as it is stored.
#[derive(Clone)]
pub struct StoredCredential {
    /// The party.
    pub party: PartyId,
    /// An argon2 hash, as a PHC string.
    pub hash: String,
    /// Since when; tokens issued before are worth nothing.
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
    fn from_row(row: &PgRow) -> Result<Self, sqlx::Error> {
        let party = PartyId(row.try_get("party")?);
        Ok(Self {
            party,
            hash: row.try_get("hash")?,
            set_at: row.try_get("set_at")?,
        })
    }
}

impl Journal {
    /// The credential of whoever signs in with an e-mail address; none where the address is nobody's, or its party
    /// has no credential.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn credential_by_email(
        &self,
        tenant: &TenantId,
        email: &str,
    ) -> Result<Option<StoredCredential>, JournalError> {
        let email = PartyDetails::normal_email(email);
        let digest = claims::digest(&self.shared.keyring, tenant, ClaimKind::Email, &email);
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        let row = sqlx::query(
            "SELECT c.party, c.hash, c.set_at
               FROM journal.claims AS h JOIN journal.credentials AS c ON c.tenant = h.tenant AND c.party = h.owner
              WHERE h.tenant = $1 AND h.kind = $2 AND h.digest = $3",
        )
        .bind(tenant.as_str())
        .bind(ClaimKind::Email.as_str())
        .bind(digest)
        .fetch_optional(&mut *transaction)
        .await?;
        Ok(row.as_ref().map(StoredCredential::from_row).transpose()?)
    }

    /// A party's credential.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn credential(
        &self,
        tenant: &TenantId,
        party: PartyId,
    ) -> Result<Option<StoredCredential>, JournalError> {
        let mut transaction = self.shared.database.begin_read(tenant.as_str()).await?;
        let row = sqlx::query("SELECT party, hash, set_at FROM journal.credentials WHERE tenant = $1 AND party = $2")
            .bind(tenant.as_str())
            .bind(party.0)
            .fetch_optional(&mut *transaction)
            .await?;
        Ok(row.as_ref().map(StoredCredential::from_row).transpose()?)
    }

    /// Replaces a party's credential: a changed or reset password. It is no event.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn replace_credential(&self, tenant: &TenantId, party: PartyId, hash: &str) -> Result<(), JournalError> {
        let mut transaction = self.shared.database.begin_write(tenant.as_str()).await?;
        replace_credential(&mut transaction, tenant, party, hash, self.shared.clock.now()).await?;
        transaction.commit().await?;
        Ok(())
    }
}

/// Replaces a party's credential as a part of a transaction of its tenant, with which its sessions end.
///
/// # Errors
/// Where the database fails.
pub async fn replace_credential(
    connection: &mut PgConnection,
    tenant: &TenantId,
    party: PartyId,
    hash: &str,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO journal.credentials (tenant, party, hash, set_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (tenant, party) DO UPDATE SET hash = EXCLUDED.hash, set_at = EXCLUDED.set_at",
    )
    .bind(tenant.as_str())
    .bind(party.0)
    .bind(hash)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}
