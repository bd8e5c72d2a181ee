//! Sessions: a refresh token that changes at every use. One that is used again, later than a lost answer explains,
//! ends its session.

use crate::{
    auth::{
        mac::SessionHashes,
        refresh::{self, Known, Rotation, Token, Verdict},
    },
    problem::ApiError,
};
use caudal_domain::ids::{PartyId, TenantId};
use caudal_journal::{Keyring, RowMacs, replace_credential};
use caudal_postgres::Database;
use chrono::{DateTime, Duration, Utc};
use sqlx::{PgConnection, Row as _, postgres::PgRow};
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
    macs: RowMacs,
    /// Makes the token that follows another one.
    successors: SessionHashes,
}

impl Sessions {
    /// Sessions kept in a database; the session keys of an installation make their tokens.
    pub const fn new(database: Database, macs: RowMacs, keyring: Keyring) -> Self {
        Self {
            database,
            macs,
            successors: SessionHashes::new(keyring, refresh::KEY_PURPOSE),
        }
    }

    /// Opens a session for a party that showed its password, which was set at `password_of`: one that was changed in
    /// the meantime opens nothing.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn open(
        &self,
        tenant: &TenantId,
        party: PartyId,
        password_of: DateTime<Utc>,
        now: DateTime<Utc>,
    ) -> Result<Opened, ApiError> {
        let id = Uuid::now_v7();
        let (text, token) = Token::fresh(id)?;
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
            "INSERT INTO journal.sessions
                    (tenant, id, party, token_hash, created_at, renewed_at, expires_at, password_of)
             VALUES ($1, $2, $3, $4, $5, $5, $6, $7)",
        )
        .bind(tenant.as_str())
        .bind(id)
        .bind(party.0)
        .bind(token.hash)
        .bind(now)
        .bind(expires_at)
        .bind(password_of)
        .execute(&mut *transaction)
        .await?;
        note_access(&mut transaction, tenant, party, now).await?;
        transaction.commit().await?;
        Ok(Opened {
            id,
            party,
            token: text,
            expires_at,
        })
    }

    /// Takes a refresh token and gives the next one: the same one again where the token was rotated a moment ago. A
    /// token that was used before that ends its session.
    ///
    /// # Errors
    /// 401 where the token is not good.
    pub async fn renew(&self, tenant: &TenantId, text: &str, now: DateTime<Utc>) -> Result<Opened, ApiError> {
        let refused = || ApiError::unauthorized("session_ended");
        let token = Token::parse(text).ok_or_else(refused)?;
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        // Of two requests with one token the second waits for the first here and then finds the next token in force.
        let row = sqlx::query(
            "SELECT s.party, s.created_at, s.expires_at, s.token_hash, s.previous_hash, s.rotation_salt, s.rotated_at
               FROM journal.sessions AS s JOIN journal.credentials AS c ON c.tenant = s.tenant AND c.party = s.party
              WHERE s.tenant = $1 AND s.id = $2 AND s.ended_at IS NULL AND s.expires_at > $3
                AND c.set_at <= COALESCE(s.password_of, s.created_at)
                FOR UPDATE OF s",
        )
        .bind(tenant.as_str())
        .bind(token.session)
        .bind(now)
        .fetch_optional(&mut *transaction)
        .await?
        .ok_or_else(refused)?;
        let party = PartyId(row.try_get("party")?);
        let created_at: DateTime<Utc> = row.try_get("created_at")?;
        let mut expires_at: DateTime<Utc> = row.try_get("expires_at")?;
        let known = known(&row)?;
        let in_force = known.in_force.clone();
        let next = match known.judge(&token.hash, now) {
            Verdict::Rotate => {
                let salt = refresh::random()?;
                let (next, successor) = token.successor(text, &self.successors.current(now)?, salt.as_slice());
                expires_at = (now + IDLE_LIFETIME).min(created_at + LIFETIME);
                rotate(
                    &mut transaction,
                    tenant,
                    &token,
                    &successor,
                    salt.as_slice(),
                    expires_at,
                    now,
                )
                .await?;
                next
            }
            Verdict::Keep => Zeroizing::new(text.to_owned()),
            Verdict::Repeat(salt) => {
                // The session keys may have been rotated since: the successor is the one that is in force.
                let made = self.successors.valid(now).into_iter();
                let mut made = made.map(|key| token.successor(text, &key, &salt));
                made.find(|(_, successor)| in_force == successor.hash)
                    .ok_or_else(refused)?
                    .0
            }
            Verdict::Reuse => {
                end_one(&mut transaction, tenant, token.session, End::Reuse, now).await?;
                transaction.commit().await?;
                tracing::warn!(session = %token.session, "a refresh token was used twice; its session is over");
                metrics::counter!("caudal_refresh_token_reused").increment(1);
                return Err(refused());
            }
        };
        note_access(&mut transaction, tenant, party, now).await?;
        transaction.commit().await?;
        Ok(Opened {
            id: token.session,
            party,
            token: next,
            expires_at,
        })
    }

    /// Whether a session is open and its party's password has not been changed since the token was given.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn is_open(&self, tenant: &TenantId, session: Uuid, now: DateTime<Utc>) -> Result<bool, ApiError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let open = sqlx::query_scalar::<_, bool>(
            "SELECT s.ended_at IS NULL AND s.expires_at > $3 AND c.set_at <= COALESCE(s.password_of, s.created_at)
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
        end_one(&mut transaction, tenant, session, End::Logout, now).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Sets another password and ends the party's sessions, but for the one that goes on under it, all in one commit.
    ///
    /// # Errors
    /// Where the database fails.
    pub async fn set_password(
        &self,
        tenant: &TenantId,
        party: PartyId,
        hash: &str,
        keep: Option<Uuid>,
        now: DateTime<Utc>,
    ) -> Result<(), ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        // The sessions first, as wherever both are written: two that wait for each other would never end.
        sqlx::query(
            "UPDATE journal.sessions SET ended_at = $3, ended_by = $4
              WHERE tenant = $1 AND party = $2 AND ended_at IS NULL AND id IS DISTINCT FROM $5",
        )
        .bind(tenant.as_str())
        .bind(party.0)
        .bind(now)
        .bind(End::Password.as_str())
        .bind(keep)
        .execute(&mut *transaction)
        .await?;
        sqlx::query("UPDATE journal.sessions SET password_of = $4 WHERE tenant = $1 AND party = $2 AND id = $3")
            .bind(tenant.as_str())
            .bind(party.0)
            .bind(keep)
            .bind(now)
            .execute(&mut *transaction)
            .await?;
        replace_credential(&mut transaction, &self.macs, tenant, party, hash, now).await?;
        transaction.commit().await?;
        Ok(())
    }
}

/// What a session's row knows of its tokens.
fn known(row: &PgRow) -> Result<Known, sqlx::Error> {
    let at: Option<DateTime<Utc>> = row.try_get("rotated_at")?;
    let rotation = match at {
        None => None,
        Some(at) => Some(Rotation {
            from: row.try_get("previous_hash")?,
            salt: row.try_get("rotation_salt")?,
            at,
        }),
    };
    Ok(Known {
        in_force: row.try_get("token_hash")?,
        rotation,
    })
}

async fn rotate(
    connection: &mut PgConnection,
    tenant: &TenantId,
    from: &Token,
    to: &Token,
    salt: &[u8],
    expires_at: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE journal.sessions
            SET token_hash = $4, previous_hash = $3, rotation_salt = $5, rotated_at = $7, renewed_at = $7,
                expires_at = $6
          WHERE tenant = $1 AND id = $2",
    )
    .bind(tenant.as_str())
    .bind(from.session)
    .bind(from.hash)
    .bind(to.hash)
    .bind(salt)
    .bind(expires_at)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

async fn end_one(
    connection: &mut PgConnection,
    tenant: &TenantId,
    session: Uuid,
    why: End,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "UPDATE journal.sessions SET ended_at = $3, ended_by = $4
          WHERE tenant = $1 AND id = $2 AND ended_at IS NULL",
    )
    .bind(tenant.as_str())
    .bind(session)
    .bind(now)
    .bind(why.as_str())
    .execute(connection)
    .await?;
    Ok(())
}

/// Notes when a party was last there.
async fn note_access(
    connection: &mut PgConnection,
    tenant: &TenantId,
    party: PartyId,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query("UPDATE journal.credentials SET last_access = $3 WHERE tenant = $1 AND party = $2")
        .bind(tenant.as_str())
        .bind(party.0)
        .bind(now)
        .execute(connection)
        .await?;
    Ok(())
}
