//! The rows of a log, copied by several connections that see the same snapshot and take turns, a range of positions each:
//! while what one has copied is verified, the others copy on. PostgreSQL's part is the larger one.

use super::{copy, end, verifier::LogEnd};
use crate::error::JournalError;
use caudal_domain::ids::TenantId;
use caudal_postgres::Database;
use futures::TryStreamExt as _;
use sqlx::{Postgres, pool::PoolConnection};
use tokio::{
    sync::mpsc::{Receiver, Sender, channel},
    task::JoinSet,
};

/// How many connections copy.
const READERS: usize = 2;
/// How many positions a range has: some 6 MB of the log.
const RANGE: i64 = 5_000;
/// How many bytes are handed over at a time, and how many times a reader may be ahead: 8 MB, a range and a little.
const PART: usize = 256 * 1024;
const PARTS: usize = 32;

/// What a reader hands over: bytes of a range, or its end.
type Part = Result<Option<Vec<u8>>, JournalError>;

/// A log as it is being copied.
pub(super) struct Readers {
    parts: Vec<Receiver<Part>>,
    /// The range that is being read, and the last one.
    range: usize,
    last: usize,
    /// They end when this is dropped.
    _readers: JoinSet<()>,
}

impl Readers {
    /// Begins to copy. Returns the log's end in the same snapshot.
    pub(super) async fn begin(database: &Database, tenant: &TenantId) -> Result<(Self, LogEnd), JournalError> {
        let mut snapshots = database.begin_copies(tenant.as_str(), READERS).await?;
        let first = snapshots.first_mut().ok_or_else(gone)?;
        let end = end(first, tenant).await?;
        let last = usize::try_from(end.position / RANGE).unwrap_or_default();
        let (mut parts, mut readers) = (Vec::new(), JoinSet::new());
        for (number, snapshot) in snapshots.into_iter().enumerate() {
            let (sender, receiver) = channel(PARTS);
            parts.push(receiver);
            readers.spawn(async move {
                if let Err(error) = read(snapshot, (number..=last).step_by(READERS), last, &sender).await {
                    // Nobody is there to be told where the verification has ended.
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
        Ok((begun, end))
    }

    /// Whether there is another range.
    pub(super) const fn has_more(&self) -> bool {
        self.range <= self.last
    }

    /// The last position of the ranges that were read; none where that one has no end.
    pub(super) fn through(&self) -> Option<i64> {
        let ended = i64::try_from(self.range).ok().filter(|_| self.has_more())?;
        ended.checked_mul(RANGE)
    }

    /// The next bytes of the range, a COPY of its own; none at its end.
    ///
    /// # Errors
    /// What kept its reader from copying.
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

/// Copies some of the ranges, the last of which has no end: what lies behind the log's head is found too.
async fn read(
    mut snapshot: PoolConnection<Postgres>,
    ranges: impl Iterator<Item = usize>,
    last: usize,
    parts: &Sender<Part>,
) -> Result<(), JournalError> {
    for range in ranges {
        let after = i64::try_from(range).map_or(i64::MAX, |range| range.saturating_mul(RANGE));
        let through = if range == last { i64::MAX } else { after + RANGE };
        // COPY takes no parameters; the transaction knows its tenant.
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
