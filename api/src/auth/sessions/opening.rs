//! Opening of sessions: by a login, and by a manager who sees as a party.

use super::{
    End, IDLE_LIFETIME, MAX_SESSIONS, Opened, Sessions,
    rows::{address_of, note_access, note_origin},
};
use crate::{
    auth::{caller::Viewer, origins::Origin, refresh::Token, tokens, turns::one_at_a_time},
    problem::ApiError,
};
use caudal_domain::ids::{PartyId, TenantId};
use caudal_journal::{SessionRow, ViewingRow};
use chrono::{DateTime, Duration, Utc};
use uuid::Uuid;

/// Retention of ended sessions, so that a stolen token is recognised; deleted at a later login.
const MEMORY: Duration = Duration::days(30);

/// A session by which a manager sees as a party.
pub struct Viewing {
    /// The session, which is the party's.
    pub session: Uuid,
    pub expires_at: DateTime<Utc>,
}

impl Sessions {
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
}
