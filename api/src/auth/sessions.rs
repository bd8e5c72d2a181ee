//! Sessions: a refresh token that rotates at every use. Reuse after the grace period ends the session.

use crate::{
    auth::{
        caller::Viewer,
        mac::SessionHashes,
        origins::Origin,
        refresh::{self, Known, Rotation, Token, Verdict},
        tokens,
        turns::one_at_a_time,
    },
    problem::ApiError,
};
use caudal_domain::{
    ClaimKind,
    ids::{PartyId, TenantId},
};
use caudal_journal::{Keyring, RowMacs, SessionRow, ViewingRow, credential_mac, replace_credential};
use caudal_postgres::Database;
use chrono::{DateTime, Duration, Utc};
use sqlx::{PgConnection, Row as _, postgres::PgRow};
use uuid::Uuid;
use zeroize::Zeroizing;

/// Idle timeout.
pub const IDLE_LIFETIME: Duration = Duration::days(7);
/// Absolute lifetime.
pub const LIFETIME: Duration = Duration::days(30);
/// Open sessions per party; one more ends the oldest.
pub const MAX_SESSIONS: i64 = 20;
/// Retention of ended sessions, so that a stolen token is recognised; deleted at a later login.
const MEMORY: Duration = Duration::days(30);

/// A session with its current refresh token, which is stored nowhere else.
pub struct Opened {
    pub id: Uuid,
    pub party: PartyId,
    /// Token to send.
    pub token: Zeroizing<String>,
    /// Expiry of the token.
    pub expires_at: DateTime<Utc>,
    /// Whether the party never had a session before.
    pub is_first: bool,
}

/// A session by which a manager sees as a party.
pub struct Viewing {
    /// The session, which is the party's.
    pub session: Uuid,
    pub expires_at: DateTime<Utc>,
}

/// An open session with its last origin: browser, system, address.
pub struct OpenSession {
    pub session: SessionRow,
    /// `None` when it was last renewed by a version that kept none.
    pub origin: Option<(String, String, String)>,
    /// The manager who sees as the party in it; `None` for the party's own.
    pub viewer: Option<PartyId>,
}

/// Reason of a session's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Logout.
    Logout,
    /// Ended by its owner in another session, or by a manager.
    Closed,
    /// Token reuse.
    Reuse,
    /// Password change.
    Password,
    /// Session limit of the party.
    Limit,
}

impl End {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Logout => "logout",
            Self::Closed => "closed",
            Self::Reuse => "reuse",
            Self::Password => "password",
            Self::Limit => "limit",
        }
    }
}

/// Sessions in a database.
#[derive(Clone, Debug)]
pub struct Sessions {
    database: Database,
    macs: RowMacs,
    /// Key of the successors.
    successors: SessionHashes,
}

impl Sessions {
    /// Sessions whose tokens are derived from the session keys.
    pub const fn new(database: Database, macs: RowMacs, keyring: Keyring) -> Self {
        Self {
            database,
            macs,
            successors: SessionHashes::new(keyring, refresh::KEY_PURPOSE),
        }
    }

    /// Opens a session for a party that authenticated with the password set at `password_of`; fails if it was changed
    /// since. `only` is the id of one that can be opened once.
    ///
    /// # Errors
    /// 401 when the session `only` was opened before.
    pub async fn open(
        &self,
        tenant: &TenantId,
        party: PartyId,
        password_of: DateTime<Utc>,
        only: Option<Uuid>,
        origin: &Origin,
        now: DateTime<Utc>,
    ) -> Result<Opened, ApiError> {
        let id = only.unwrap_or_else(Uuid::now_v7);
        let (text, token) = Token::fresh(id, &self.successors.current(now)?)?;
        let expires_at = now + IDLE_LIFETIME;
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        // Two at once would each end the oldest session, the same.
        one_at_a_time(&mut transaction, "sessions", tenant, party).await?;
        sqlx::query("DELETE FROM journal.sessions WHERE tenant = $1 AND expires_at < $2")
            .bind(tenant.as_str())
            .bind(now - MEMORY)
            .execute(&mut *transaction)
            .await?;
        if only.is_some() {
            let is_there = "SELECT EXISTS (SELECT FROM journal.sessions WHERE tenant = $1 AND id = $2)";
            let is_there = sqlx::query_scalar(is_there).bind(tenant.as_str()).bind(id);
            if is_there.fetch_one(&mut *transaction).await? {
                return Err(ApiError::unauthorized("sign_on_failed"));
            }
        }
        for mut session in self.of_party(&mut transaction, tenant, party, MAX_SESSIONS - 1).await? {
            session.ended = Some((now, End::Limit.as_str().to_owned()));
            self.save(&mut transaction, tenant, &session).await?;
        }
        let session = SessionRow {
            id,
            party,
            token_hash: token.hash.to_vec(),
            created_at: now,
            renewed_at: now,
            expires_at,
            ended: None,
            password_of: Some(password_of),
            rotation: None,
            address: address_of(&mut transaction, tenant, party).await?,
        };
        self.insert(&mut transaction, tenant, &session).await?;
        note_origin(&mut transaction, tenant, id, origin).await?;
        let before: Option<Option<DateTime<Utc>>> =
            sqlx::query_scalar("SELECT last_access FROM journal.credentials WHERE tenant = $1 AND party = $2")
                .bind(tenant.as_str())
                .bind(party.0)
                .fetch_optional(&mut *transaction)
                .await?;
        note_access(&mut transaction, tenant, party, now).await?;
        transaction.commit().await?;
        Ok(Opened {
            id,
            party,
            token: text,
            expires_at,
            is_first: before.flatten().is_none(),
        })
    }

    /// Opens a session by which a manager sees as a party, and ends the one that he may have open: a party has one at a time.
    /// Nobody gets its refresh token, so it is never renewed.
    pub async fn open_viewing(
        &self,
        tenant: &TenantId,
        party: PartyId,
        viewer: Viewer,
        origin: &Origin,
        now: DateTime<Utc>,
    ) -> Result<Viewing, ApiError> {
        let id = Uuid::now_v7();
        let (_, token) = Token::fresh(id, &self.successors.current(now)?)?;
        let expires_at = now + tokens::LIFETIME;
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        // Of two at once neither would see the other's.
        one_at_a_time(&mut transaction, "viewings", tenant, viewer.party).await?;
        let open: Vec<Uuid> = sqlx::query_scalar(
            "SELECT s.id FROM journal.viewings AS v
               JOIN journal.sessions AS s ON s.tenant = v.tenant AND s.id = v.session
              WHERE v.tenant = $1 AND v.viewer = $2 AND s.ended_at IS NULL ORDER BY s.id FOR UPDATE OF s",
        )
        .bind(tenant.as_str())
        .bind(viewer.party.0)
        .fetch_all(&mut *transaction)
        .await?;
        for session in open {
            self.end_in(&mut transaction, tenant, session, now).await?;
        }
        let session = SessionRow {
            id,
            party,
            token_hash: token.hash.to_vec(),
            created_at: now,
            renewed_at: now,
            expires_at,
            ended: None,
            password_of: Some(now),
            rotation: None,
            address: address_of(&mut transaction, tenant, party).await?,
        };
        self.insert(&mut transaction, tenant, &session).await?;
        let row = ViewingRow {
            session: id,
            viewer: viewer.party,
            viewer_session: viewer.session,
        };
        sqlx::query(
            "INSERT INTO journal.viewings (tenant, session, viewer, viewer_session, mac) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(tenant.as_str())
        .bind(id)
        .bind(viewer.party.0)
        .bind(viewer.session)
        .bind(row.mac(&self.macs, tenant).finish())
        .execute(&mut *transaction)
        .await?;
        note_origin(&mut transaction, tenant, id, origin).await?;
        transaction.commit().await?;
        Ok(Viewing {
            session: id,
            expires_at,
        })
    }

    /// Keeps a new session.
    async fn insert(
        &self,
        transaction: &mut PgConnection,
        tenant: &TenantId,
        session: &SessionRow,
    ) -> Result<(), ApiError> {
        sqlx::query(
            "INSERT INTO journal.sessions
                    (tenant, id, party, token_hash, created_at, renewed_at, expires_at, password_of, address, mac)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        )
        .bind(tenant.as_str())
        .bind(session.id)
        .bind(session.party.0)
        .bind(&session.token_hash)
        .bind(session.created_at)
        .bind(session.renewed_at)
        .bind(session.expires_at)
        .bind(session.password_of)
        .bind(&session.address)
        .bind(session.mac(&self.macs, tenant).finish())
        .execute(transaction)
        .await?;
        Ok(())
    }

    /// Exchanges a refresh token for its successor; within the grace period the same successor again. Reuse ends the
    /// session.
    ///
    /// # Errors
    /// 401 for an invalid token.
    pub async fn renew(
        &self,
        tenant: &TenantId,
        text: &str,
        origin: &Origin,
        now: DateTime<Utc>,
    ) -> Result<Opened, ApiError> {
        let refused = || ApiError::unauthorized("session_ended");
        let token = Token::parse(text).ok_or_else(refused)?;
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        // Of two requests with one token the second waits here and then sees the successor.
        let mut session = self
            .usable(&mut transaction, tenant, token.session, now, Lock::ForUpdate)
            .await?
            .ok_or_else(refused)?;
        let party = session.party;
        let in_force = session.token_hash.clone();
        let next = match known(&session).judge(&token.hash, now) {
            Verdict::Rotate => {
                let salt = refresh::random()?;
                let (next, successor) = token.successor(text, &self.successors.current(now)?, salt.as_slice());
                session.expires_at = (now + IDLE_LIFETIME).min(session.created_at + LIFETIME);
                session.token_hash = successor.hash.to_vec();
                session.rotation = Some((token.hash.to_vec(), salt.to_vec(), now));
                session.renewed_at = now;
                self.save(&mut transaction, tenant, &session).await?;
                next
            }
            Verdict::Keep => Zeroizing::new(text.to_owned()),
            Verdict::Repeat(salt) => {
                // The session keys may have been rotated since: compare with the current token.
                let made = self.successors.valid(now).into_iter();
                let mut made = made.map(|key| token.successor(text, &key, &salt));
                made.find(|(_, successor)| in_force == successor.hash)
                    .ok_or_else(refused)?
                    .0
            }
            // Nobody was given it: who made it up learned no more than the session's id.
            Verdict::Reuse if !token.was_issued(&self.successors.valid(now)) => return Err(refused()),
            Verdict::Reuse => {
                session.ended = Some((now, End::Reuse.as_str().to_owned()));
                self.save(&mut transaction, tenant, &session).await?;
                transaction.commit().await?;
                tracing::warn!(session = %token.session, "a refresh token was used twice; its session is over");
                metrics::counter!("caudal_refresh_token_reused").increment(1);
                return Err(refused());
            }
        };
        note_origin(&mut transaction, tenant, token.session, origin).await?;
        note_access(&mut transaction, tenant, party, now).await?;
        transaction.commit().await?;
        Ok(Opened {
            id: token.session,
            party,
            token: next,
            expires_at: session.expires_at,
            is_first: false,
        })
    }

    /// Whether a session is open and its party's password and address unchanged since the login.
    pub async fn is_open(&self, tenant: &TenantId, session: Uuid, now: DateTime<Utc>) -> Result<bool, ApiError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let session = self.usable(&mut transaction, tenant, session, now, Lock::None).await?;
        Ok(session.is_some())
    }

    /// Ends the session of a refresh token, and returns its id. A token that was not issued for it is ignored.
    pub async fn end_by_token(
        &self,
        tenant: &TenantId,
        token: &str,
        now: DateTime<Utc>,
    ) -> Result<Option<Uuid>, ApiError> {
        let Some(token) = Token::parse(token) else {
            return Ok(None);
        };
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        let session = self
            .usable(&mut transaction, tenant, token.session, now, Lock::ForUpdate)
            .await?;
        let Some(mut session) = session else {
            return Ok(None);
        };
        // An older token suffices: its holder could end the session by using it.
        let is_known = matches!(
            known(&session).judge(&token.hash, now),
            Verdict::Rotate | Verdict::Keep | Verdict::Repeat(_)
        );
        if !is_known && !token.was_issued(&self.successors.valid(now)) {
            return Ok(None);
        }
        session.ended = Some((now, End::Logout.as_str().to_owned()));
        self.save(&mut transaction, tenant, &session).await?;
        transaction.commit().await?;
        Ok(Some(token.session))
    }

    pub async fn end(&self, tenant: &TenantId, session: Uuid, now: DateTime<Utc>) -> Result<(), ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        self.end_in(&mut transaction, tenant, session, now).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Open sessions of a party, the last used first.
    pub async fn list(
        &self,
        tenant: &TenantId,
        party: PartyId,
        now: DateTime<Utc>,
    ) -> Result<Vec<OpenSession>, ApiError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let rows = sqlx::query(&format!(
            "SELECT s.*, o.browser, o.system, o.address AS network_address, h.digest AS current_address,
                    journal.micros(c.set_at) AS credential_set_at, v.viewer
               FROM (SELECT {}, mac FROM journal.sessions
                      WHERE tenant = $1 AND party = $2 AND ended_at IS NULL AND expires_at > $3) AS s
               JOIN journal.credentials AS c ON c.tenant = $1 AND c.party = s.party
               LEFT JOIN journal.claims AS h ON h.tenant = $1 AND h.kind = $4 AND h.owner = s.party
               LEFT JOIN journal.session_origins AS o ON o.tenant = $1 AND o.session = s.id
               LEFT JOIN journal.viewings AS v ON v.tenant = $1 AND v.session = s.id
              ORDER BY s.renewed_at DESC, s.id",
            SessionRow::COLUMNS
        ))
        .bind(tenant.as_str())
        .bind(party.0)
        .bind(now)
        .bind(ClaimKind::Email.as_str())
        .fetch_all(&mut *transaction)
        .await?;
        let mut open = Vec::with_capacity(rows.len());
        for row in rows {
            let Some(session) = self.authentic(&row, tenant)? else {
                continue;
            };
            let set_at: Option<i64> = row.try_get("credential_set_at")?;
            let password_of = session.password_of.unwrap_or(session.created_at);
            if set_at.is_none_or(|set_at| set_at > password_of.timestamp_micros()) || !has_address(&session, &row)? {
                continue;
            }
            let [browser, system, address]: [Option<String>; 3] = [
                row.try_get("browser")?,
                row.try_get("system")?,
                row.try_get("network_address")?,
            ];
            let origin = browser.zip(system).zip(address);
            let origin = origin.map(|((browser, system), address)| (browser, system, address));
            let viewer = row.try_get::<Option<Uuid>, _>("viewer")?.map(PartyId);
            open.push(OpenSession {
                session,
                origin,
                viewer,
            });
        }
        Ok(open)
    }

    /// Ends a session of a party; false when the party has had none with this id.
    pub async fn end_of(
        &self,
        tenant: &TenantId,
        party: PartyId,
        session: Uuid,
        now: DateTime<Utc>,
    ) -> Result<bool, ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        let row = sqlx::query(&format!(
            "SELECT {}, mac FROM journal.sessions WHERE tenant = $1 AND id = $2 AND party = $3 FOR UPDATE",
            SessionRow::COLUMNS
        ))
        .bind(tenant.as_str())
        .bind(session)
        .bind(party.0)
        .fetch_optional(&mut *transaction)
        .await?;
        let Some(mut session) = row.map(|row| self.authentic(&row, tenant)).transpose()?.flatten() else {
            return Ok(false);
        };
        if session.ended.is_none() {
            session.ended = Some((now, End::Closed.as_str().to_owned()));
            self.save(&mut transaction, tenant, &session).await?;
        }
        transaction.commit().await?;
        Ok(true)
    }

    /// Ends all sessions of a party except one, which goes on also under another address.
    pub async fn end_others(
        &self,
        tenant: &TenantId,
        party: PartyId,
        keep: Uuid,
        now: DateTime<Utc>,
    ) -> Result<(), ApiError> {
        self.end_except(tenant, party, Some(keep), now).await
    }

    /// Ends all sessions of a party.
    pub async fn end_all(&self, tenant: &TenantId, party: PartyId, now: DateTime<Utc>) -> Result<(), ApiError> {
        self.end_except(tenant, party, None, now).await
    }

    async fn end_except(
        &self,
        tenant: &TenantId,
        party: PartyId,
        keep: Option<Uuid>,
        now: DateTime<Utc>,
    ) -> Result<(), ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        let open = self.of_party(&mut transaction, tenant, party, 0).await?;
        for mut session in open {
            if Some(session.id) == keep {
                session.address = address_of(&mut transaction, tenant, party).await?;
            } else {
                session.ended = Some((now, End::Closed.as_str().to_owned()));
            }
            self.save(&mut transaction, tenant, &session).await?;
        }
        transaction.commit().await?;
        Ok(())
    }

    /// Sets a password and ends the party's other sessions, in one commit; false when the password is no longer the one set at
    /// `password_of`, which the caller has shown or has a code for.
    pub async fn set_password(
        &self,
        tenant: &TenantId,
        (party, password_of): (PartyId, DateTime<Utc>),
        hash: &str,
        keep: Option<Uuid>,
        now: DateTime<Utc>,
    ) -> Result<bool, ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        // Sessions are locked first, as in all such transactions, to avoid deadlocks.
        let sessions = self.of_party(&mut transaction, tenant, party, 0).await?;
        let set_at: Option<i64> = sqlx::query_scalar(
            "SELECT journal.micros(set_at) FROM journal.credentials WHERE tenant = $1 AND party = $2 FOR UPDATE",
        )
        .bind(tenant.as_str())
        .bind(party.0)
        .fetch_optional(&mut *transaction)
        .await?;
        if set_at != Some(password_of.timestamp_micros()) {
            return Ok(false);
        }
        for mut session in sessions {
            if Some(session.id) == keep {
                session.password_of = Some(now);
            } else {
                session.ended = Some((now, End::Password.as_str().to_owned()));
            }
            self.save(&mut transaction, tenant, &session).await?;
        }
        replace_credential(&mut transaction, &self.macs, tenant, party, hash, now).await?;
        transaction.commit().await?;
        Ok(true)
    }
}

impl Sessions {
    /// Reads a session; `None` when its MAC does not match: the party must log in again.
    fn authentic(&self, row: &PgRow, tenant: &TenantId) -> Result<Option<SessionRow>, sqlx::Error> {
        let session = SessionRow::from_row(row)?;
        let checked = session.mac(&self.macs, tenant).check(row.try_get("mac")?);
        Ok(checked.is_ok().then_some(session))
    }

    async fn end_in(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        session: Uuid,
        now: DateTime<Utc>,
    ) -> Result<(), ApiError> {
        let row = sqlx::query(&format!(
            "SELECT {}, mac FROM journal.sessions
              WHERE tenant = $1 AND id = $2 AND ended_at IS NULL FOR UPDATE",
            SessionRow::COLUMNS
        ))
        .bind(tenant.as_str())
        .bind(session)
        .fetch_optional(&mut *connection)
        .await?;
        if let Some(mut session) = row.map(|row| self.authentic(&row, tenant)).transpose()?.flatten() {
            session.ended = Some((now, End::Logout.as_str().to_owned()));
            self.save(&mut *connection, tenant, &session).await?;
        }
        Ok(())
    }

    /// An open session whose party's password and address are unchanged since; `None` otherwise.
    async fn usable(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        id: Uuid,
        now: DateTime<Utc>,
        lock: Lock,
    ) -> Result<Option<SessionRow>, ApiError> {
        let row = sqlx::query(&format!(
            "SELECT s.*, c.hash AS credential_hash, journal.micros(c.set_at) AS credential_set_at, c.mac AS credential_mac,
                    h.digest AS current_address
               FROM (SELECT {}, mac FROM journal.sessions WHERE tenant = $1 AND id = $2) AS s
               JOIN journal.credentials AS c ON c.tenant = $1 AND c.party = s.party
               LEFT JOIN journal.claims AS h ON h.tenant = $1 AND h.kind = $3 AND h.owner = s.party {}",
            SessionRow::COLUMNS,
            match lock {
                Lock::ForUpdate => "FOR UPDATE OF s",
                Lock::None => "",
            }
        ))
        .bind(tenant.as_str())
        .bind(id)
        .bind(ClaimKind::Email.as_str())
        .fetch_optional(connection)
        .await?;
        let Some(row) = row else { return Ok(None) };
        let Some(session) = self.authentic(&row, tenant)? else {
            return Ok(None);
        };
        let set_at: Option<i64> = row.try_get("credential_set_at")?;
        let set_at = set_at
            .and_then(DateTime::from_timestamp_micros)
            .unwrap_or(DateTime::<Utc>::MAX_UTC);
        credential_mac(
            &self.macs,
            tenant,
            session.party,
            row.try_get("credential_hash")?,
            set_at,
        )
        .check(row.try_get("credential_mac")?)?;
        let is_usable = session.ended.is_none()
            && session.expires_at > now
            && has_address(&session, &row)?
            && set_at <= session.password_of.unwrap_or(session.created_at);
        Ok(is_usable.then_some(session))
    }

    /// Open sessions of a party except the newest, locked.
    async fn of_party(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        party: PartyId,
        newest: i64,
    ) -> Result<Vec<SessionRow>, sqlx::Error> {
        let rows = sqlx::query(&format!(
            "SELECT {columns}, mac FROM journal.sessions AS s
              WHERE s.tenant = $1 AND s.party = $2 AND s.ended_at IS NULL
              ORDER BY s.created_at DESC OFFSET $3 FOR UPDATE",
            columns = SessionRow::COLUMNS
        ))
        .bind(tenant.as_str())
        .bind(party.0)
        .bind(newest)
        .fetch_all(connection)
        .await?;
        let sessions = rows.iter().map(|row| self.authentic(row, tenant));
        sessions.filter_map(Result::transpose).collect()
    }

    /// Writes the mutable columns of a session.
    async fn save(
        &self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        session: &SessionRow,
    ) -> Result<(), sqlx::Error> {
        let (ended_at, ended_by) = session.ended.as_ref().map(|(at, by)| (*at, by.as_str())).unzip();
        let rotation = session.rotation.as_ref();
        sqlx::query(
            "UPDATE journal.sessions
                SET token_hash = $3, renewed_at = $4, expires_at = $5, ended_at = $6, ended_by = $7, password_of = $8,
                    previous_hash = $9, rotation_salt = $10, rotated_at = $11, address = $12, mac = $13
              WHERE tenant = $1 AND id = $2",
        )
        .bind(tenant.as_str())
        .bind(session.id)
        .bind(&session.token_hash)
        .bind(session.renewed_at)
        .bind(session.expires_at)
        .bind(ended_at)
        .bind(ended_by)
        .bind(session.password_of)
        .bind(rotation.map(|(from, ..)| from))
        .bind(rotation.map(|(_, salt, _)| salt))
        .bind(rotation.map(|(.., at)| *at))
        .bind(&session.address)
        .bind(session.mac(&self.macs, tenant).finish())
        .execute(connection)
        .await?;
        Ok(())
    }
}

/// Row lock of a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lock {
    None,
    ForUpdate,
}

/// Digest of the e-mail address with which a party logs in.
async fn address_of(
    connection: &mut PgConnection,
    tenant: &TenantId,
    party: PartyId,
) -> Result<Option<Vec<u8>>, sqlx::Error> {
    sqlx::query_scalar("SELECT digest FROM journal.claims WHERE tenant = $1 AND kind = $2 AND owner = $3")
        .bind(tenant.as_str())
        .bind(ClaimKind::Email.as_str())
        .bind(party.0)
        .fetch_optional(connection)
        .await
}

/// Whether a session's party has the address that it had at the login, by the claim that another address replaces in its commit.
fn has_address(session: &SessionRow, row: &PgRow) -> Result<bool, sqlx::Error> {
    let current: Option<Vec<u8>> = row.try_get("current_address")?;
    Ok(session.address.is_none() || session.address == current)
}

/// Token state of a session's row.
fn known(session: &SessionRow) -> Known {
    Known {
        in_force: session.token_hash.clone(),
        rotation: session
            .rotation
            .clone()
            .map(|(from, salt, at)| Rotation { from, salt, at }),
    }
}

/// Records where a session is used.
async fn note_origin(
    connection: &mut PgConnection,
    tenant: &TenantId,
    session: Uuid,
    origin: &Origin,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "INSERT INTO journal.session_origins AS o (tenant, session, browser, system, address) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (tenant, session)
         DO UPDATE SET browser = EXCLUDED.browser, system = EXCLUDED.system, address = EXCLUDED.address
          WHERE (o.browser, o.system, o.address) IS DISTINCT FROM (EXCLUDED.browser, EXCLUDED.system, EXCLUDED.address)",
    )
    .bind(tenant.as_str())
    .bind(session)
    .bind(origin.browser)
    .bind(origin.system)
    .bind(origin.address.to_string())
    .execute(connection)
    .await?;
    Ok(())
}

/// Records the time of a party's last access.
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
