//! Parallel COPY of a log: several connections on one exported snapshot copy alternating ranges of positions, while
//! earlier ranges are verified. PostgreSQL does the larger part of the work.

use super::{copy, signed_end, verifier::LogEnd};
use crate::{error::JournalError, journal::Shared};
use caudal_domain::ids::TenantId;
use futures::TryStreamExt as _;
use sqlx::{Postgres, pool::PoolConnection};
use tokio::{
    sync::mpsc::{Receiver, Sender, channel},
    task::JoinSet,
};

/// Number of connections.
const READERS: usize = 2;
/// Positions per range: some 6 MB of the log.
const RANGE: i64 = 5_000;
/// Bytes per message, and messages that a reader may be ahead: 8 MB, a range and a little.
const PART: usize = 256 * 1024;
const PARTS: usize = 32;

/// Bytes of a range, or its end.
type Part = Result<Option<Vec<u8>>, JournalError>;

/// A log being copied.
pub(super) struct Readers {
    parts: Vec<Receiver<Part>>,
    /// Current and last range.
    range: usize,
    last: usize,
    /// Readers are aborted on drop.
    _readers: JoinSet<()>,
}

impl Readers {
    /// Starts copying. Returns the log's end in the same snapshot, and whether its MAC is valid.
    pub(super) async fn begin(shared: &Shared, tenant: &TenantId) -> Result<(Self, LogEnd, bool), JournalError> {
        let mut snapshots = shared.database.begin_copies(tenant.as_str(), READERS).await?;
        let first = snapshots.first_mut().ok_or_else(gone)?;
        let (end, is_vouched_for) = signed_end(first, &shared.macs, tenant).await?;
        let last = usize::try_from(end.position / RANGE).unwrap_or_default();
        let (mut parts, mut readers) = (Vec::new(), JoinSet::new());
        for (number, snapshot) in snapshots.into_iter().enumerate() {
            let (sender, receiver) = channel(PARTS);
            parts.push(receiver);
            readers.spawn(async move {
                if let Err(error) = read(snapshot, (number..=last).step_by(READERS), last, &sender).await {
                    // No receiver is left once the verification has ended.
                    let _ = sender.send(Err(error)).await;
                }
            });
        }
        let begun = Self {
            parts,
            range: 0,
            last,
            _readers: readers,
        };
        Ok((begun, end, is_vouched_for))
    }

    pub(super) const fn has_more(&self) -> bool {
        self.range <= self.last
    }

    /// Last position of the ranges read; `None` when that range is unbounded.
    pub(super) fn through(&self) -> Option<i64> {
        let ended = i64::try_from(self.range).ok().filter(|_| self.has_more())?;
        ended.checked_mul(RANGE)
    }

    /// Next bytes of the range, which is a COPY of its own; `None` at its end.
    ///
    /// # Errors
    /// Why its reader failed.
    pub(super) async fn next(&mut self) -> Result<Option<Vec<u8>>, JournalError> {
        let reader = self.parts.get_mut(self.range % READERS).ok_or_else(gone)?;
        let part = reader.recv().await.ok_or_else(gone)??;
        if part.is_none() {
            self.range += 1;
        }
        Ok(part)
    }
}

fn gone() -> JournalError {
    JournalError::Unexpected("a reader of the log ended too early".to_owned())
}

/// Copies alternating ranges, the last of which is unbounded: events beyond the head are found too.
async fn read(
    mut snapshot: PoolConnection<Postgres>,
    ranges: impl Iterator<Item = usize>,
    last: usize,
    parts: &Sender<Part>,
) -> Result<(), JournalError> {
    for range in ranges {
        let after = i64::try_from(range).map_or(i64::MAX, |range| range.saturating_mul(RANGE));
        let through = if range == last { i64::MAX } else { after + RANGE };
        // COPY takes no parameters; the transaction has set the tenant.
        let copy = format!(
            "COPY (SELECT {} FROM journal.events
                    WHERE tenant = NULLIF(current_setting('caudal.tenant', true), '')
                      AND position > {after} AND position <= {through}
                    ORDER BY position) TO STDOUT (FORMAT binary)",
            copy::COLUMNS
        );
        let mut copied = snapshot.copy_out_raw(&copy).await?;
        let mut part = Vec::with_capacity(PART);
        while let Some(bytes) = copied.try_next().await? {
            part.extend_from_slice(&bytes);
            if part.len() >= PART {
                let full = std::mem::replace(&mut part, Vec::with_capacity(PART));
                if parts.send(Ok(Some(full))).await.is_err() {
                    return Ok(());
                }
            }
        }
        drop(copied);
        if parts.send(Ok(Some(part))).await.is_err() || parts.send(Ok(None)).await.is_err() {
            return Ok(());
        }
    }
    Ok(())
}
