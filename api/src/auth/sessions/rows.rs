//! Rows of sessions, each read and written with its MAC, and what is recorded of their use.

use super::Sessions;
use crate::{auth::origins::Origin, problem::ApiError};
use caudal_domain::{
    UniqueValueKind,
    ids::{PartyId, TenantId},
};
use caudal_journal::{SessionRow, credential_mac};
use chrono::{DateTime, Utc};
use sqlx::{PgConnection, Row as _, postgres::PgRow};
use uuid::Uuid;

impl Sessions {
    /// Reads a session; `None` when its MAC does not match: the party must log in again.
    pub(super) fn authentic(&self, row: &PgRow, tenant: &TenantId) -> Result<Option<SessionRow>, sqlx::Error> {
        let session = SessionRow::from_row(row)?;
        let checked = session.mac(&self.macs, tenant).check(row.try_get("mac")?);
        Ok(checked.is_ok().then_some(session))
    }

    /// An open session whose party's password and address are unchanged since; `None` otherwise.
    pub(super) async fn usable(
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
        .bind(UniqueValueKind::Email.as_str())
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
    pub(super) async fn of_party(
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

    /// Keeps a new session.
    pub(super) async fn insert(
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

    /// Writes the mutable columns of a session.
    pub(super) async fn save(
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
pub(super) enum Lock {
    None,
    ForUpdate,
}

/// Digest of the e-mail address with which a party logs in.
pub(super) async fn address_of(
    connection: &mut PgConnection,
    tenant: &TenantId,
    party: PartyId,
) -> Result<Option<Vec<u8>>, sqlx::Error> {
    sqlx::query_scalar("SELECT digest FROM journal.claims WHERE tenant = $1 AND kind = $2 AND owner = $3")
        .bind(tenant.as_str())
        .bind(UniqueValueKind::Email.as_str())
        .bind(party.0)
        .fetch_optional(connection)
        .await
}

/// Whether a session's party has the address that it had at the login, by the claim that another address replaces in its commit.
pub(super) fn has_address(session: &SessionRow, row: &PgRow) -> Result<bool, sqlx::Error> {
    let current: Option<Vec<u8>> = row.try_get("current_address")?;
    Ok(session.address.is_none() || session.address == current)
}

/// Records where a session is used.
pub(super) async fn note_origin(
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
pub(super) async fn note_access(
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
