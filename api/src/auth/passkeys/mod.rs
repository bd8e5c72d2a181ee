//! Passkeys: discoverable WebAuthn credentials with user verification (docs/decisions/passkeys.md).
//!
//! | Where | What |
//! |---|---|
//! | log | which passkeys are in force: a deleted or added row changes no login |
//! | `journal.passkeys` | public key, counter, time of the last challenge answered, the owner's name for it |
//! | cookie or answer | a ceremony under way, encrypted and bound to its browser or session: the server keeps none |
//!
//! An answer is accepted in one transaction that locks the row, and only to a challenge that was made after the last one
//! answered: of two requests with one answer, one is accepted.

pub mod webauthn;

use crate::{
    auth::{cookies::PublicUrl, mac::KeyedHash, refresh},
    base_url,
    problem::ApiError,
};
use actix_web::{HttpRequest, http::header::HOST};
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use caudal_domain::ids::{PartyId, SecondFactorId, TenantId};
use caudal_journal::{EncryptionKey, Keyring, PasskeyRow, RowMacs};
use caudal_postgres::Database;
use chrono::{DateTime, Duration, Utc};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, Row as _, postgres::PgRow};
use uuid::Uuid;
use webauthn::Registered;

/// Purpose strings of the keys, which are derived from the lookup key: it is never rotated.
const HANDLE_PURPOSE: &str = "passkey user handles";
const CEREMONY_PURPOSE: &str = "passkey ceremonies";
const NAME_PURPOSE: &str = "passkey names";

/// How long a ceremony may take: what browsers give their users, by the specification.
pub const LIFETIME: Duration = Duration::minutes(5);
/// Longest ceremony that is read; issued ones have less than 500 characters.
const MAX_CEREMONY: usize = 2_000;
/// The only host without TLS on which browsers have passkeys.
const LOCALHOST: &str = "localhost";

/// The relying party: for whom credentials are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RelyingParty {
    /// Domain to which browsers bind a credential.
    pub id: String,
    /// Origin of the pages that may use it.
    pub origin: String,
}

impl RelyingParty {
    /// By the public URL; without one, by the request's host where it is `localhost`.
    ///
    /// # Errors
    /// 409 where browsers have no passkeys: at an IP address, without TLS, or at a host that nobody configured.
    pub fn of(public_url: Option<&PublicUrl>, request: &HttpRequest) -> Result<Self, ApiError> {
        Self::find(public_url, request).ok_or_else(|| ApiError::conflict("passkeys_unavailable"))
    }

    pub fn find(public_url: Option<&PublicUrl>, request: &HttpRequest) -> Option<Self> {
        let url = match public_url {
            Some(url) => url.url().clone(),
            None => {
                let host = request.headers().get(HOST)?.to_str().ok()?;
                base_url::of_server(&format!("http://{host}")).filter(|url| url.host_str() == Some(LOCALHOST))?
            }
        };
        let id = url.domain()?.to_owned();
        (url.scheme() == "https" || id == LOCALHOST).then(|| Self {
            origin: url.origin().ascii_serialization(),
            id,
        })
    }
}

/// What a ceremony is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Purpose {
    /// A login. Its browser has the ceremony as a cookie.
    Login,
    /// A fresh confirmation in a session.
    Confirm { session: Uuid },
    /// A new passkey of a party, in a session.
    Enrol {
        session: Uuid,
        party: PartyId,
        factor: SecondFactorId,
    },
}

/// A ceremony under way.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Ceremony {
    pub purpose: Purpose,
    /// In Base64url.
    pub challenge: String,
    /// Microseconds since 1970.
    begun: i64,
}

impl Ceremony {
    /// Time at which the challenge was made.
    fn begun(&self) -> DateTime<Utc> {
        DateTime::from_timestamp_micros(self.begun).unwrap_or(DateTime::<Utc>::MIN_UTC)
    }

    /// What an answer must be made for.
    ///
    /// # Errors
    /// When the challenge can't be read.
    pub fn challenge(&self) -> Result<Vec<u8>, ApiError> {
        BASE64.decode(&self.challenge).map_err(ApiError::internal)
    }
}

/// A passkey as its owner sees it.
#[derive(Clone, Debug)]
pub struct Shown {
    pub factor: SecondFactorId,
    pub name: String,
    pub created_at: DateTime<Utc>,
    pub used_at: Option<DateTime<Utc>>,
}

/// Verdict on an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Right,
    /// To a challenge that was answered before, or to one older than that.
    Used,
    /// The counter is not above that of an earlier answer: there may be a copy of the passkey.
    CounterWentBack,
    Invalid(webauthn::Invalid),
    /// The row is gone.
    Unknown,
}

/// Passkeys in a database.
#[derive(Clone, Debug)]
pub struct Passkeys {
    database: Database,
    macs: RowMacs,
    handles: KeyedHash,
    ceremonies: EncryptionKey,
    names: EncryptionKey,
}

impl Passkeys {
    pub fn new(database: Database, macs: RowMacs, keyring: &Keyring) -> Self {
        Self {
            database,
            macs,
            handles: KeyedHash::new(&keyring.derive(HANDLE_PURPOSE)),
            ceremonies: keyring.encryption_key(CEREMONY_PURPOSE),
            names: keyring.encryption_key(NAME_PURPOSE),
        }
    }

    /// Begins a ceremony, and returns it with the text that its browser brings back.
    ///
    /// # Errors
    /// When the system has no randomness.
    pub fn begin(
        &self,
        tenant: &TenantId,
        purpose: Purpose,
        now: DateTime<Utc>,
    ) -> Result<(Ceremony, String), ApiError> {
        let ceremony = Ceremony {
            purpose,
            challenge: BASE64.encode(refresh::random()?.as_slice()),
            begun: now.timestamp_micros(),
        };
        let clear = serde_json::to_vec(&ceremony).map_err(ApiError::internal)?;
        let sealed = self.ceremonies.encrypt(tenant.as_str().as_bytes(), &clear)?;
        Ok((ceremony, BASE64.encode(sealed)))
    }

    /// The ceremony of a text, in the tenant and within its time.
    pub fn ceremony(&self, tenant: &TenantId, text: &str, now: DateTime<Utc>) -> Option<Ceremony> {
        if text.len() > MAX_CEREMONY {
            return None;
        }
        let sealed = BASE64.decode(text).ok()?;
        let clear = self.ceremonies.open(tenant.as_str().as_bytes(), &sealed)?;
        let ceremony: Ceremony = serde_json::from_slice(&clear).ok()?;
        (ceremony.begun() + LIFETIME > now).then_some(ceremony)
    }

    /// What an authenticator knows a party by: in each tenant another, and it tells nothing.
    pub fn user_handle(&self, tenant: &TenantId, party: PartyId) -> [u8; 32] {
        self.handles.of(&[tenant.as_str().as_bytes(), party.0.as_bytes()])
    }

    /// Stores a new passkey; it logs in once the log has it. Deletes those of the party that never came into the log.
    ///
    /// # Errors
    /// 409 when the credential is there already.
    pub async fn add(
        &self,
        tenant: &TenantId,
        (party, factor): (PartyId, SecondFactorId),
        ceremony: &Ceremony,
        (registered, name): (Registered, &str),
        in_force: &[SecondFactorId],
        now: DateTime<Utc>,
    ) -> Result<(), ApiError> {
        let row = PasskeyRow {
            factor,
            party,
            credential: registered.credential,
            public_key: registered.public_key,
            sign_count: registered.sign_count.into(),
            last_challenge: ceremony.begun(),
            name: self.names.encrypt(&place(tenant, factor), name.as_bytes())?,
            created_at: now,
            used_at: None,
        };
        let kept: Vec<Uuid> = in_force.iter().map(|factor| factor.0).collect();
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query(
            "DELETE FROM journal.passkeys
              WHERE tenant = $1 AND party = $2 AND factor <> ALL ($3) AND (factor = $4 OR created_at < $5)",
        )
        .bind(tenant.as_str())
        .bind(party.0)
        .bind(&kept)
        .bind(factor.0)
        .bind(now - LIFETIME)
        .execute(&mut *transaction)
        .await?;
        let added = sqlx::query(
            "INSERT INTO journal.passkeys
                    (tenant, factor, party, credential, public_key, sign_count, last_challenge, name, created_at, mac)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING",
        )
        .bind(tenant.as_str())
        .bind(factor.0)
        .bind(party.0)
        .bind(&row.credential)
        .bind(&row.public_key)
        .bind(row.sign_count)
        .bind(row.last_challenge)
        .bind(&row.name)
        .bind(row.created_at)
        .bind(row.mac(&self.macs, tenant).finish())
        .execute(&mut *transaction)
        .await?
        .rows_affected();
        if added == 0 {
            return Err(ApiError::conflict("passkey_registered"));
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Passkeys of a party that are in force, in the order in which they were added.
    pub async fn list(
        &self,
        tenant: &TenantId,
        party: PartyId,
        in_force: &[SecondFactorId],
    ) -> Result<Vec<Shown>, ApiError> {
        let rows = self.rows(tenant, party, in_force).await?;
        let shown = rows.into_iter().map(|row| {
            let name = self.names.open(&place(tenant, row.factor), &row.name);
            let name = name.and_then(|name| String::from_utf8(name.to_vec()).ok());
            Shown {
                factor: row.factor,
                name: name.unwrap_or_default(),
                created_at: row.created_at,
                used_at: row.used_at,
            }
        });
        Ok(shown.collect())
    }

    /// Ids of a party's credentials in force, in Base64url.
    pub async fn credentials(
        &self,
        tenant: &TenantId,
        party: PartyId,
        in_force: &[SecondFactorId],
    ) -> Result<Vec<String>, ApiError> {
        let rows = self.rows(tenant, party, in_force).await?;
        Ok(rows.iter().map(|row| BASE64.encode(&row.credential)).collect())
    }

    /// Party and passkey of a credential; `None` for one that the tenant does not know.
    pub async fn owner(
        &self,
        tenant: &TenantId,
        credential: &[u8],
    ) -> Result<Option<(PartyId, SecondFactorId)>, ApiError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let row = self.row(&mut transaction, tenant, credential, "").await?;
        Ok(row.map(|row| (row.party, row.factor)))
    }

    /// Judges an answer to a ceremony by a credential's row, and uses the challenge up when it is right. `verify` checks the
    /// signature by the public key, and returns the counter.
    pub async fn accept(
        &self,
        tenant: &TenantId,
        credential: &[u8],
        ceremony: &Ceremony,
        now: DateTime<Utc>,
        verify: impl FnOnce(&[u8]) -> Result<u32, webauthn::Invalid>,
    ) -> Result<Verdict, ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        // Of two requests with one answer the second waits here, and then sees the first's challenge.
        let Some(mut row) = self.row(&mut transaction, tenant, credential, "FOR UPDATE").await? else {
            return Ok(Verdict::Unknown);
        };
        let count = match verify(&row.public_key) {
            Ok(count) => i64::from(count),
            Err(invalid) => return Ok(Verdict::Invalid(invalid)),
        };
        if ceremony.begun() <= row.last_challenge {
            return Ok(Verdict::Used);
        }
        // Authenticators that synchronise a passkey have no counter: it stays 0.
        let has_counter = count > 0 || row.sign_count > 0;
        let verdict = if has_counter && count <= row.sign_count {
            Verdict::CounterWentBack
        } else {
            row.sign_count = count;
            row.used_at = Some(now);
            Verdict::Right
        };
        row.last_challenge = ceremony.begun();
        sqlx::query(
            "UPDATE journal.passkeys SET sign_count = $3, last_challenge = $4, used_at = $5, mac = $6
              WHERE tenant = $1 AND factor = $2",
        )
        .bind(tenant.as_str())
        .bind(row.factor.0)
        .bind(row.sign_count)
        .bind(row.last_challenge)
        .bind(row.used_at)
        .bind(row.mac(&self.macs, tenant).finish())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(verdict)
    }

    /// Deletes the row of a passkey that was ended.
    pub async fn delete(&self, tenant: &TenantId, party: PartyId, factor: SecondFactorId) -> Result<(), ApiError> {
        self.delete_where(tenant, party, Some(factor)).await
    }

    /// Deletes all rows of a party.
    pub async fn delete_all(&self, tenant: &TenantId, party: PartyId) -> Result<(), ApiError> {
        self.delete_where(tenant, party, None).await
    }

    async fn delete_where(
        &self,
        tenant: &TenantId,
        party: PartyId,
        factor: Option<SecondFactorId>,
    ) -> Result<(), ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query(
            "DELETE FROM journal.passkeys WHERE tenant = $1 AND party = $2 AND ($3::uuid IS NULL OR factor = $3)",
        )
        .bind(tenant.as_str())
        .bind(party.0)
        .bind(factor.map(|factor| factor.0))
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }

    async fn rows(
        &self,
        tenant: &TenantId,
        party: PartyId,
        in_force: &[SecondFactorId],
    ) -> Result<Vec<PasskeyRow>, ApiError> {
        let which: Vec<Uuid> = in_force.iter().map(|factor| factor.0).collect();
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let rows = sqlx::query(&format!(
            "SELECT {}, mac FROM journal.passkeys AS p WHERE tenant = $1 AND party = $2 AND factor = ANY ($3)
              ORDER BY p.created_at, p.factor",
            PasskeyRow::COLUMNS
        ))
        .bind(tenant.as_str())
        .bind(party.0)
        .bind(&which)
        .fetch_all(&mut *transaction)
        .await?;
        rows.iter().map(|row| self.authentic(tenant, row)).collect()
    }

    async fn row(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        credential: &[u8],
        lock: &'static str,
    ) -> Result<Option<PasskeyRow>, ApiError> {
        let row = sqlx::query(&format!(
            "SELECT {}, mac FROM journal.passkeys WHERE tenant = $1 AND credential = $2 {lock}",
            PasskeyRow::COLUMNS
        ))
        .bind(tenant.as_str())
        .bind(credential)
        .fetch_optional(connection)
        .await?;
        row.map(|row| self.authentic(tenant, &row)).transpose()
    }

    fn authentic(&self, tenant: &TenantId, row: &PgRow) -> Result<PasskeyRow, ApiError> {
        let found = PasskeyRow::from_row(row)?;
        found.mac(&self.macs, tenant).check(row.try_get("mac")?)?;
        Ok(found)
    }
}

fn place(tenant: &TenantId, factor: SecondFactorId) -> Vec<u8> {
    [tenant.as_str().as_bytes(), b"/", factor.0.as_bytes()].concat()
}
