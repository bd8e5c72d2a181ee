//! Sessions: a refresh token that rotates at every use. Reuse after the grace period ends the session.
//!
//! | File | What |
//! |---|---|
//! | here | what a session is, and which are open |
//! | `opening.rs` | a session begins: by a login, or by a manager who sees as a party |
//! | `presented.rs` | what a presented refresh token does |
//! | `ending.rs` | ends that no token asks for, and another password |
//! | `rows.rs` | reads and writes of the rows |

mod ending;
mod opening;
mod presented;
mod rows;

pub use opening::Viewing;

use crate::{
    auth::{mac::SessionHashes, refresh},
    problem::ApiError,
};
use caudal_domain::{
    UniqueValueKind,
    ids::{PartyId, TenantId},
};
use caudal_journal::{Keyring, RowMacs, SessionRow};
use caudal_postgres::Database;
use chrono::{DateTime, Duration, Utc};
use rows::{Lock, has_address};
use sqlx::Row as _;
use uuid::Uuid;
use zeroize::Zeroizing;

/// Idle timeout.
pub const IDLE_LIFETIME: Duration = Duration::days(7);
/// Absolute lifetime.
pub const LIFETIME: Duration = Duration::days(30);
/// Open sessions per party; one more ends the oldest.
pub const MAX_SESSIONS: i64 = 20;

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

    /// Whether a session is open and its party's password and address unchanged since the login.
    pub async fn is_open(&self, tenant: &TenantId, session: Uuid, now: DateTime<Utc>) -> Result<bool, ApiError> {
        let mut transaction = self.database.begin_read(tenant.as_str()).await?;
        let session = self.usable(&mut transaction, tenant, session, now, Lock::None).await?;
        Ok(session.is_some())
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
        .bind(UniqueValueKind::Email.as_str())
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
}
