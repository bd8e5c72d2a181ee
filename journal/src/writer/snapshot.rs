//! Snapshots of the state: a disposable cache that shortens the start. A snapshot is valid only while the log's hash
//! at its position and the schema of the state equal those of its writing.
//!
//! The state is JSON, compressed here: as plain text it is held several times on its way to PostgreSQL, and with 60,000 open
//! remittances that was a third of the node's memory.

use crate::{
    beside::authenticity::{RowMac, RowMacs, Table, expected_mac, moment},
    error::JournalError,
    log::chain::Hash,
    writer::state::State,
};
use base64::{Engine as _, prelude::BASE64_STANDARD, write::EncoderStringWriter};
use caudal_domain::{STATE_FINGERPRINT, TenantState, ids::TenantId};
use caudal_postgres::Database;
use chrono::{DateTime, SubsecRound as _, Utc};
use flate2::{Compression, read::DeflateDecoder, write::DeflateEncoder};
use sqlx::Row as _;
use std::io::{self, BufWriter, Read as _};

/// Minimum number of events between two snapshots: replaying that many takes a moment.
const LEAST_EVENTS_BETWEEN: i64 = 10_000;

/// Maximum number of events between two snapshots: replaying that many takes less than a second.
const MOST_EVENTS_BETWEEN: i64 = 60_000;

/// Minimum number of events for which a writer that ends writes a snapshot.
pub(crate) const EVENTS_WORTH_A_SNAPSHOT: i64 = 1_000;

/// Number of events after which the next snapshot is due: as many as there are open remittances. Writing a snapshot takes as long
/// as there are, so that all snapshots together cost each event the same, however large the state is.
pub(crate) fn events_between(tenant_state: &TenantState) -> i64 {
    between(tenant_state.open_remittances())
}

fn between(open: usize) -> i64 {
    let open = i64::try_from(open).unwrap_or(i64::MAX);
    open.clamp(LEAST_EVENTS_BETWEEN, MOST_EVENTS_BETWEEN)
}

/// A state as of a position.
pub(crate) struct StateSnapshot {
    pub(crate) position: i64,
    pub(crate) hash: Hash,
    pub(crate) recorded_at: DateTime<Utc>,
    pub(crate) tenant_state: TenantState,
}

impl From<&State> for StateSnapshot {
    fn from(state: &State) -> Self {
        Self {
            position: state.head.position,
            hash: state.head.hash,
            recorded_at: state.head.recorded_at,
            tenant_state: state.tenant_state.clone(),
        }
    }
}

/// The tenant's valid snapshot, if any. A snapshot with a wrong MAC is ignored: the log is replayed instead.
pub(crate) async fn read(
    database: &Database,
    macs: &RowMacs,
    tenant: &TenantId,
) -> Result<Option<StateSnapshot>, JournalError> {
    let mut transaction = database.begin_read(tenant.as_str()).await?;
    let row = sqlx::query(&format!(
        "SELECT s.*, journal.micros(e.recorded_at) AS recorded_at
           FROM (SELECT {}, mac FROM journal.snapshots WHERE tenant = $1 AND fingerprint = $2) AS s
           JOIN journal.events AS e ON e.tenant = $1 AND e.position = s.position AND e.hash = s.hash",
        Table::Snapshots.columns()
    ))
    .bind(tenant.as_str())
    .bind(STATE_FINGERPRINT)
    .fetch_optional(&mut *transaction)
    .await?;
    let Some(row) = row else { return Ok(None) };
    if expected_mac(macs, Table::Snapshots, tenant, &row)?
        .check(row.try_get("mac")?)
        .is_err()
    {
        return Ok(None);
    }
    match unpack(row.try_get("state")?) {
        Ok(tenant_state) => Ok(Some(StateSnapshot {
            position: row.try_get("position")?,
            hash: row.try_get("hash")?,
            recorded_at: moment(&row, "recorded_at")?,
            tenant_state,
        })),
        Err(error) => {
            // The log holds the same facts; an unreadable cache must not prevent a start.
            tracing::warn!(%tenant, %error, "a snapshot of the books can't be read and is passed over");
            Ok(None)
        }
    }
}

/// The MAC of a snapshot's row.
pub(crate) fn mac(
    macs: &RowMacs,
    tenant: &TenantId,
    fingerprint: &str,
    position: i64,
    hash: &[u8],
    state: &str,
    written_at: DateTime<Utc>,
) -> RowMac {
    macs.row(Table::Snapshots, tenant)
        .key_text(fingerprint)
        .number(position)
        .bytes(hash)
        .text(state)
        .time(written_at)
}

fn pack(tenant_state: &TenantState) -> io::Result<String> {
    let encoding = EncoderStringWriter::new(&BASE64_STANDARD);
    let compressing = DeflateEncoder::new(encoding, Compression::fast());
    // The serializer writes a few bytes at a time.
    let mut writer = BufWriter::new(compressing);
    serde_json::to_writer(&mut writer, tenant_state)?;
    let compressing = writer.into_inner().map_err(io::IntoInnerError::into_error)?;
    Ok(compressing.finish()?.into_inner())
}

fn unpack(state: &str) -> io::Result<TenantState> {
    let compressed = BASE64_STANDARD.decode(state).map_err(io::Error::other)?;
    let mut text = String::new();
    DeflateDecoder::new(compressed.as_slice()).read_to_string(&mut text)?;
    Ok(serde_json::from_str(&text)?)
}

/// Replaces an older snapshot, on a connection of its own.
pub(crate) async fn write(
    database: &Database,
    macs: &RowMacs,
    tenant: &TenantId,
    snapshot: StateSnapshot,
    now: DateTime<Utc>,
) -> Result<(), JournalError> {
    let StateSnapshot {
        position,
        hash,
        tenant_state,
        ..
    } = snapshot;
    let written_at = now.trunc_subsecs(6);
    let (of, with) = (tenant.clone(), macs.clone());
    let (state, mac) = tokio::task::spawn_blocking(move || {
        let state = pack(&tenant_state)?;
        let mac = mac(&with, &of, STATE_FINGERPRINT, position, &hash, &state, written_at).finish();
        Ok::<_, io::Error>((state, mac))
    })
    .await
    .unwrap_or_else(|failed| Err(failed.into()))
    .map_err(|error| JournalError::Unexpected(error.to_string()))?;
    let mut transaction = database.begin_write(tenant.as_str()).await?;
    sqlx::query(
        "INSERT INTO journal.snapshots AS s (tenant, fingerprint, position, hash, state, written_at, mac)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (tenant, fingerprint) DO UPDATE
            SET position = EXCLUDED.position, hash = EXCLUDED.hash, state = EXCLUDED.state,
                written_at = EXCLUDED.written_at, mac = EXCLUDED.mac",
    )
    .bind(tenant.as_str())
    .bind(STATE_FINGERPRINT)
    .bind(position)
    .bind(hash)
    .bind(state)
    .bind(written_at)
    .bind(mac)
    .execute(&mut *transaction)
    .await?;
    // Other builds leave their snapshots behind; a build that still runs writes its own again.
    sqlx::query(
        "DELETE FROM journal.snapshots
          WHERE tenant = $1 AND fingerprint <> $2 AND written_at < $3::timestamptz - interval '30 days'",
    )
    .bind(tenant.as_str())
    .bind(STATE_FINGERPRINT)
    .bind(written_at)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_larger_the_state_the_rarer_are_its_snapshots_within_what_a_start_may_replay() {
        let open = [0, 9_999, 10_000, 30_000, 60_000, 2_000_000];
        assert_eq!(open.map(between), [10_000, 10_000, 10_000, 30_000, 60_000, 60_000]);
        assert_eq!(events_between(&TenantState::default()), 10_000);
    }
}
