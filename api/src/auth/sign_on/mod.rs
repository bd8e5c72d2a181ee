//! Single sign-on by OpenID Connect: authorization code with PKCE (docs/decisions/single-sign-on.md).
//!
//! | Where | What |
//! |---|---|
//! | log | which provider a tenant has: it is switched off on all nodes with the commit |
//! | `journal.sign_on_secrets` | its client secrets by their ids, encrypted under a key of the key file; the log says which is in force |
//! | `journal.sign_on_subjects` | which login of the provider is which party |
//! | cookie | state, nonce and verifier of a login under way, encrypted: the server keeps none |

pub mod client;
pub mod flow;

use crate::{auth::mac::KeyedHash, problem::ApiError};
use caudal_domain::ids::{PartyId, SignOnId, SignOnSecretId, TenantId};
use caudal_journal::{EncryptionKey, Keyring, RowMacs, SignOnSecretRow, SignOnSubjectRow};
use caudal_postgres::Database;
use chrono::{DateTime, Utc};
use sqlx::Row as _;
use uuid::Uuid;
use zeroize::Zeroizing;

/// Purpose strings of the keys, which are derived from the lookup key: it is never rotated.
const SECRET_PURPOSE: &str = "sign-on client secrets";
const SUBJECT_PURPOSE: &str = "sign-on subjects";
const FLOW_PURPOSE: &str = "sign-on logins under way";

/// Secrets and bound logins in a database.
#[derive(Clone, Debug)]
pub struct SignOns {
    database: Database,
    macs: RowMacs,
    secrets: EncryptionKey,
    subjects: KeyedHash,
    flows: EncryptionKey,
}

impl SignOns {
    pub fn new(database: Database, macs: RowMacs, keyring: &Keyring) -> Self {
        Self {
            database,
            macs,
            secrets: keyring.encryption_key(SECRET_PURPOSE),
            subjects: KeyedHash::new(&keyring.derive(SUBJECT_PURPOSE)),
            flows: keyring.encryption_key(FLOW_PURPOSE),
        }
    }

    /// Stores a client secret beside the others. It is in force with the event that names it.
    pub async fn keep_secret(&self, tenant: &TenantId, id: SignOnSecretId, secret: &str) -> Result<(), ApiError> {
        let row = SignOnSecretRow {
            id,
            sealed: self.secrets.encrypt(&place(tenant, id), secret.as_bytes())?,
        };
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query(
            "INSERT INTO journal.sign_on_secrets (tenant, provider, sealed, mac) VALUES ($1, $2, $3, $4)
             ON CONFLICT (tenant, provider) DO UPDATE SET sealed = EXCLUDED.sealed, mac = EXCLUDED.mac",
        )
        .bind(tenant.as_str())
        .bind(id.0)
        .bind(&row.sealed)
        .bind(row.mac(&self.macs, tenant).finish())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// A client secret; `None` when there is none for this key file.
    ///
    /// # Errors
    /// When the row was changed.
    pub async fn secret(&self, tenant: &TenantId, id: SignOnSecretId) -> Result<Option<Zeroizing<String>>, ApiError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let row = sqlx::query(&format!(
            "SELECT {}, mac FROM journal.sign_on_secrets WHERE tenant = $1 AND provider = $2",
            SignOnSecretRow::COLUMNS
        ))
        .bind(tenant.as_str())
        .bind(id.0)
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let secret = SignOnSecretRow::from_row(&row)?;
        secret.mac(&self.macs, tenant).check(row.try_get("mac")?)?;
        let clear = self.secrets.open(&place(tenant, id), &secret.sealed);
        Ok(clear.and_then(|clear| String::from_utf8(clear.to_vec()).ok().map(Zeroizing::new)))
    }

    /// Ids of a tenant's stored secrets.
    pub async fn secrets(&self, tenant: &TenantId) -> Result<Vec<SignOnSecretId>, ApiError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let ids: Vec<Uuid> = sqlx::query_scalar("SELECT provider FROM journal.sign_on_secrets WHERE tenant = $1")
            .bind(tenant.as_str())
            .fetch_all(&mut *transaction)
            .await?;
        Ok(ids.into_iter().map(SignOnSecretId).collect())
    }

    /// Deletes secrets.
    pub async fn forget_secrets(&self, tenant: &TenantId, ids: &[SignOnSecretId]) -> Result<(), ApiError> {
        let ids: Vec<Uuid> = ids.iter().map(|id| id.0).collect();
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query("DELETE FROM journal.sign_on_secrets WHERE tenant = $1 AND provider = ANY ($2)")
            .bind(tenant.as_str())
            .bind(ids)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Frees all parties of a tenant.
    pub async fn unbind_all(&self, tenant: &TenantId) -> Result<(), ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query("DELETE FROM journal.sign_on_subjects WHERE tenant = $1")
            .bind(tenant.as_str())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Frees a party: its next login by the provider is bound anew by its e-mail address.
    pub async fn unbind(&self, tenant: &TenantId, party: PartyId) -> Result<(), ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query("DELETE FROM journal.sign_on_subjects WHERE tenant = $1 AND party = $2")
            .bind(tenant.as_str())
            .bind(party.0)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Takes back the binding of one login of a provider.
    pub async fn release(&self, tenant: &TenantId, provider: SignOnId, subject: &str) -> Result<(), ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query("DELETE FROM journal.sign_on_subjects WHERE tenant = $1 AND provider = $2 AND subject = $3")
            .bind(tenant.as_str())
            .bind(provider.0)
            .bind(self.hash(tenant, provider, subject))
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// The party to which a login of the provider is bound.
    ///
    /// # Errors
    /// When the row was changed.
    pub async fn party_of(
        &self,
        tenant: &TenantId,
        provider: SignOnId,
        subject: &str,
    ) -> Result<Option<PartyId>, ApiError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let row = sqlx::query(&format!(
            "SELECT {}, mac FROM journal.sign_on_subjects WHERE tenant = $1 AND provider = $2 AND subject = $3",
            SignOnSubjectRow::COLUMNS
        ))
        .bind(tenant.as_str())
        .bind(provider.0)
        .bind(self.hash(tenant, provider, subject))
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let bound = SignOnSubjectRow::from_row(&row)?;
        bound.mac(&self.macs, tenant).check(row.try_get("mac")?)?;
        Ok(Some(bound.party))
    }

    /// Binds a login of the provider to a party; false when the party has another one, also by a request at the same time.
    pub async fn bind(
        &self,
        tenant: &TenantId,
        provider: SignOnId,
        subject: &str,
        party: PartyId,
        now: DateTime<Utc>,
    ) -> Result<bool, ApiError> {
        let row = SignOnSubjectRow {
            provider,
            subject: self.hash(tenant, provider, subject),
            party,
            bound_at: now,
        };
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        let bound = sqlx::query(
            "INSERT INTO journal.sign_on_subjects (tenant, provider, subject, party, bound_at, mac)
             VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING",
        )
        .bind(tenant.as_str())
        .bind(provider.0)
        .bind(&row.subject)
        .bind(party.0)
        .bind(now)
        .bind(row.mac(&self.macs, tenant).finish())
        .execute(&mut *transaction)
        .await?
        .rows_affected();
        transaction.commit().await?;
        Ok(bound == 1)
    }

    fn hash(&self, tenant: &TenantId, provider: SignOnId, subject: &str) -> Vec<u8> {
        let parts = [tenant.as_str().as_bytes(), provider.0.as_bytes(), subject.as_bytes()];
        self.subjects.of(&parts).to_vec()
    }
}

fn place(tenant: &TenantId, secret: SignOnSecretId) -> Vec<u8> {
    [tenant.as_str().as_bytes(), b"/", secret.0.as_bytes()].concat()
}
