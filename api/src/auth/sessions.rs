//! Sessions: a refresh token that changes at every use. One that is used twice ends its session.

use crate::problem::ApiError;
use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD as BASE64};
use caudal_domain::ids::{PartyId, TenantId};
use caudal_postgres::Database;
use chrono::{DateTime, Duration, Utc};
use sha2::{Digest as _, Sha256};
use sqlx::Row as _;
use uuid::Uuid;
use zeroize::Zeroizing;

/// A session that is not used for so long ends: a fortnight's holiday asks for a new login.
pub const IDLE_LIFETIME: Duration = Duration::days(7);
/// A session ends after so long however much it is used.
pub const LIFETIME: Duration = Duration::days(30);
/// So many sessions of one party are open at a time (its devices); one more ends the oldest.
pub const MAX_SESSIONS: i64 = 20;
/// What is over is kept for so long, so that a stolen token is recognised, and then deleted at the next login.
const MEMORY: Duration = Duration::days(30);

/// Bytes of a refresh token's secret.
const SECRET_BYTES: usize = 32;

/// A session with the refresh token now in force, which is not kept anywhere else.
pub struct Opened {
    /// The session.
    pub id: Uuid,
    /// Its party.
    pub party: PartyId,
    /// The token to send.
    pub token: Zeroizing<String>,
    /// Until when the token is good.
    pub expires_at: DateTime<Utc>,
}

/// Why a session ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Its party logged out.
    Logout,
    /// A token was used twice.
    Reuse,
    /// The password was changed.
    Password,
    /// The party has too many.
    Limit,
}

impl End {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Logout => "logout",
            Self::Reuse => "reuse",
            Self::Password => "password",
            Self::Limit => "limit",
        }
    }
}

/// The sessions of a database.
#[derive(Clone, Debug)]
pub struct Sessions {
    database: Database,
}

/// A refresh token as it is sent: the session's id and a secret.
struct Token {
    session: Uuid,
    hash: [u8; 32],
}

impl Token {
    fn new(session: Uuid) -> Result<(Zeroizing<String>, Self), ApiError> {
        let mut secret = Zeroizing::new([0; SECRET_BYTES]);
        getrandom::fill(secret.as_mut_slice()).map_err(ApiError::internal)?;
        let text = Zeroizing::new(format!("{}.{}", session.simple(), BASE64.encode(secret.as_slice())));
        let hash = Sha256::digest(text.as_bytes()).into();
        Ok((text, Self { session, hash }))
    }

    fn parse(text: &str) -> Option<Self> {
        let (session, secret) = text.split_once('.')?;
        let well_formed = BASE64.decode(secret).is_ok_and(|secret| secret.len() == SECRET_BYTES);
        well_formed.then_some(())?;
        Some(Self {
            session: Uuid::try_parse(session).ok()?,
            hash: Sha256::digest(text.as_bytes()).into(),
        })
    }
}

impl Sessions {
    /// Sessions kept in a database.
    pub const fn new(database: Database) -> Self {
        Self { database }
    }

    /// Opens a session for a party that showed its password.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn open(&self, tenant: &TenantId, party: PartyId, now: DateTime<Utc>) -> Result<Opened, ApiError> {
        let id = Uuid::now_v7();
        let (text, token) = Token::new(id)?;
        let expires_at = now + IDLE_LIFETIME;
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query("DELETE FROM journal.sessions WHERE tenant = $1 AND expires_at < $2")
            .bind(tenant.as_str())
            .bind(now - MEMORY)
            .execute(&mut *transaction)
            .await?;
        sqlx::query(
            "UPDATE journal.sessions SET ended_at = $3, ended_by = $4
              WHERE tenant = $1 AND id IN (
                    SELECT id FROM journal.sessions WHERE tenant = $1 AND party = $2 AND ended_at IS NULL
                     ORDER BY created_at DESC OFFSET $5)",
        )
        .bind(tenant.as_str())
        .bind(party.0)
        .bind(now)
        .bind(End::Limit.as_str())
        .bind(MAX_SESSIONS - 1)
        .execute(&mut *transaction)
        .await?;
        sqlx::query(
            "INSERT INTO journal.sessions (tenant, id, party, token_hash, created_at, renewed_at, expires_at)
             VALUES ($1, $2, $3, $4, $5, $5, $6)",
        )
        .bind(tenant.as_str())
        .bind(id)
        .bind(party.0)
        .bind(token.hash)
        .bind(now)
        .bind(expires_at)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(Opened {
            id,
            party,
            token: text,
            expires_at,
        })
    }

    /// Takes a refresh token and gives the next one. A token that is not the one in force ends its session.
    ///
    /// # Errors
    /// 401 where the token is not good.
    pub async fn renew(&self, tenant: &TenantId, token: &str, now: DateTime<Utc>) -> Result<Opened, ApiError> {
        let refused = || ApiError::unauthorized("session_ended");
        let token = Token::parse(token).ok_or_else(refused)?;
        let (text, next) = Token::new(token.session)?;
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        // Of two requests with one token the second waits for the first here and then finds another hash.
        let row = sqlx::query(
            "UPDATE journal.sessions
                SET token_hash = $4, renewed_at = $5, expires_at = LEAST($6, created_at + $7)
              WHERE tenant = $1 AND id = $2 AND token_hash = $3 AND ended_at IS NULL AND expires_at > $5
          RETURNING party, expires_at",
        )
        .bind(tenant.as_str())
        .bind(token.session)
        .bind(token.hash)
        .bind(next.hash)
        .bind(now)
        .bind(now + IDLE_LIFETIME)
        .bind(LIFETIME)
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(row) = row else {
            let ended = sqlx::query(
                "UPDATE journal.sessions SET ended_at = $4, ended_by = $5
                  WHERE tenant = $1 AND id = $2 AND token_hash <> $3 AND ended_at IS NULL",
            )
            .bind(tenant.as_str())
            .bind(token.session)
            .bind(token.hash)
            .bind(now)
            .bind(End::Reuse.as_str())
            .execute(&mut *transaction)
            .await?;
            transaction.commit().await?;
            if ended.rows_affected() > 0 {
                tracing::warn!(session = %token.session, "a refresh token was used twice; its session is over");
                metrics::counter!("caudal_refresh_token_reused").increment(1);
            }
            return Err(refused());
        };
        let opened = Opened {
            id: token.session,
            party: PartyId(row.try_get("party")?),
            token: text,
            expires_at: row.try_get("expires_at")?,
        };
        transaction.commit().await?;
        Ok(opened)
    }

    /// Whether a session is open and its party's password has not been changed since the token was given.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn is_open(&self, tenant: &TenantId, session: Uuid, now: DateTime<Utc>) -> Result<bool, ApiError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let open = sqlx::query_scalar::<_, bool>(
            "SELECT s.ended_at IS NULL AND s.expires_at > $3 AND c.set_at <= s.created_at
               FROM journal.sessions AS s JOIN journal.credentials AS c ON c.tenant = s.tenant AND c.party = s.party
              WHERE s.tenant = $1 AND s.id = $2",
        )
        .bind(tenant.as_str())
        .bind(session)
        .bind(now)
        .fetch_optional(&mut *transaction)
        .await?;
        Ok(open.unwrap_or(false))
    }

    /// Ends the session of a refresh token. A token that means nothing ends nothing. Gives back the session's id.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn end_by_token(
        &self,
        tenant: &TenantId,
        token: &str,
        now: DateTime<Utc>,
    ) -> Result<Option<Uuid>, ApiError> {
        let Some(token) = Token::parse(token) else {
            return Ok(None);
        };
        // An older token will do: whoever has it could end the session by using it.
        self.end(tenant, token.session, now).await?;
        Ok(Some(token.session))
    }

    /// Ends a session.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn end(&self, tenant: &TenantId, session: Uuid, now: DateTime<Utc>) -> Result<(), ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query(
            "UPDATE journal.sessions SET ended_at = $3, ended_by = $4
              WHERE tenant = $1 AND id = $2 AND ended_at IS NULL",
        )
        .bind(tenant.as_str())
        .bind(session)
        .bind(now)
        .bind(End::Logout.as_str())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Ends all sessions of a party but one.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn end_others(
        &self,
        tenant: &TenantId,
        party: PartyId,
        keep: Option<Uuid>,
        why: End,
        now: DateTime<Utc>,
    ) -> Result<(), ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query(
            "UPDATE journal.sessions SET ended_at = $3, ended_by = $4
              WHERE tenant = $1 AND party = $2 AND ended_at IS NULL AND id IS DISTINCT FROM $5",
        )
        .bind(tenant.as_str())
        .bind(party.0)
        .bind(now)
        .bind(why.as_str())
        .bind(keep)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }
}
