//! Ends of sessions that no refresh token asks for: of one, of all but one, and with another password.

use super::{End, Sessions, rows::address_of};
use crate::problem::ApiError;
use caudal_domain::ids::{PartyId, TenantId};
use caudal_journal::{SessionRow, replace_credential};
use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

impl Sessions {
    pub async fn end(&self, tenant: &TenantId, session: Uuid, now: DateTime<Utc>) -> Result<(), ApiError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        self.end_in(&mut transaction, tenant, session, now).await?;
        transaction.commit().await?;
        Ok(())
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

    pub(super) async fn end_in(
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
}
