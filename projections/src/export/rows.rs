//! Row source of exports: a task walks a list within one read transaction and sends batches through a bounded channel,
//! so that memory is bounded however slow the reader.

use super::ExportFailure;
use crate::error::ReadError;
use futures::{Stream, future::BoxFuture, stream};
use std::{
    sync::{Arc, LazyLock},
    time::Duration,
};
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore, mpsc},
    time::{Instant, timeout, timeout_at},
};

/// Concurrent exports per node; each holds a connection from first to last row.
pub const EXPORTS_AT_ONCE: usize = 6;
/// Timeout for a permit.
const PATIENCE: Duration = Duration::from_secs(10);
/// Timeout of an idle reader.
const STALL: Duration = Duration::from_secs(60);
/// Maximum duration of an export; its read transaction delays PostgreSQL's vacuum.
const LONGEST: Duration = Duration::from_secs(15 * 60);
/// Capacity of the batch channel.
const BATCHES_AHEAD: usize = 2;

static EXPORTS: LazyLock<Turns> = LazyLock::new(Turns::new);

/// Semaphore of concurrent exports.
struct Turns(Arc<Semaphore>);

impl Turns {
    fn new() -> Self {
        Self(Arc::new(Semaphore::new(EXPORTS_AT_ONCE)))
    }

    async fn take(&self) -> Result<Turn, ExportFailure> {
        match timeout(PATIENCE, Arc::clone(&self.0).acquire_owned()).await {
            Ok(Ok(permit)) => Ok(Turn { _permit: permit }),
            _ => Err(ExportFailure::Busy),
        }
    }
}

/// Permit to export. Take it before a read transaction.
#[derive(Debug)]
pub struct Turn {
    _permit: OwnedSemaphorePermit,
}

impl Turn {
    /// Waits for a permit.
    ///
    /// # Errors
    /// [`ExportFailure::Busy`] after the timeout.
    pub async fn take() -> Result<Self, ExportFailure> {
        EXPORTS.take().await
    }
}

/// Source of rows in batches.
pub(crate) trait Source: Send + 'static {
    type Row: Send + 'static;

    /// Next rows, and whether more follow.
    fn next(&mut self) -> BoxFuture<'_, Result<Batch<Self::Row>, ReadError>>;
}

#[derive(Debug)]
pub(crate) struct Batch<T> {
    pub(crate) rows: Vec<T>,
    pub(crate) is_last: bool,
}

/// Why a row stream ends early.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Torn {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("the export took longer than {} minutes", LONGEST.as_secs() / 60)]
    TooLong,
    #[error("the task that reads the rows ended")]
    Ended,
}

enum Part<T> {
    Rows(Vec<T>),
    End,
    Torn(Torn),
}

/// Streams the rows of a source. The first batch is read before returning, so that refusals are reported in time.
pub(crate) async fn stream<S: Source>(
    mut source: S,
    turn: Turn,
) -> Result<impl Stream<Item = Result<S::Row, Torn>> + Send + 'static, ReadError> {
    let first = source.next().await?;
    let (sender, receiver) = mpsc::channel(BATCHES_AHEAD);
    tokio::spawn(async move {
        let deadline = Instant::now() + LONGEST;
        let end = match timeout_at(deadline, hand_over(source, first, &sender)).await {
            Ok(Ok(())) => Part::End,
            Ok(Err(torn)) => Part::Torn(torn),
            Err(_) => Part::Torn(Torn::TooLong),
        };
        drop(turn);
        // A missing reader is ignored; a stuck one gets `Ended`.
        let _ = timeout(STALL, sender.send(end)).await;
    });
    Ok(taken(receiver))
}

/// Sends all rows. A missing reader looks like the end.
async fn hand_over<S: Source>(
    mut source: S,
    first: Batch<S::Row>,
    sender: &mpsc::Sender<Part<S::Row>>,
) -> Result<(), Torn> {
    let mut batch = first;
    loop {
        match timeout(STALL, sender.send(Part::Rows(batch.rows))).await {
            Ok(Ok(())) if !batch.is_last => batch = source.next().await?,
            Ok(_) => return Ok(()),
            Err(_) => return Err(Torn::Ended),
        }
    }
}

/// Receives rows. A stream without an end mark is torn.
fn taken<T: Send + 'static>(receiver: mpsc::Receiver<Part<T>>) -> impl Stream<Item = Result<T, Torn>> + Send + 'static {
    let begin = Some((receiver, Vec::new().into_iter()));
    stream::unfold(begin, |state| async move {
        let (mut receiver, mut rows) = state?;
        loop {
            if let Some(row) = rows.next() {
                return Some((Ok(row), Some((receiver, rows))));
            }
            match receiver.recv().await {
                Some(Part::Rows(more)) => rows = more.into_iter(),
                Some(Part::End) => return None,
                Some(Part::Torn(torn)) => return Some((Err(torn), None)),
                None => return Some((Err(Torn::Ended), None)),
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use caudal_export::{Cell, Row};
    use futures::{FutureExt as _, StreamExt as _};

    /// Yields a number of one-row batches, then optionally an error.
    struct Counting {
        left: i64,
        fails: bool,
    }

    impl Source for Counting {
        type Row = Row;

        fn next(&mut self) -> BoxFuture<'_, Result<Batch<Row>, ReadError>> {
            self.left -= 1;
            let batch = if self.left == 0 && self.fails {
                Err(ReadError::Database(sqlx::Error::PoolClosed))
            } else {
                Ok(Batch {
                    rows: vec![vec![Cell::Integer(self.left)]],
                    is_last: self.left == 0,
                })
            };
            async { batch }.boxed()
        }
    }

    async fn run(left: i64, fails: bool) -> (usize, bool) {
        let turn = Turn::take().await.unwrap();
        let rows: Vec<_> = stream(Counting { left, fails }, turn).await.unwrap().collect().await;
        (
            rows.iter().filter(|row| row.is_ok()).count(),
            rows.iter().any(|row| row.is_err()),
        )
    }

    #[tokio::test]
    async fn all_rows_come_and_then_the_end() {
        assert_eq!(run(7, false).await, (7, false));
        assert_eq!(run(1, false).await, (1, false));
    }

    #[tokio::test]
    async fn a_source_that_fails_ends_in_an_error() {
        assert_eq!(run(5, true).await, (4, true));
    }

    #[tokio::test]
    async fn an_immediate_failure_is_reported_before_the_file_begins() {
        let turn = Turn::take().await.unwrap();
        assert!(stream(Counting { left: 1, fails: true }, turn).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn a_reader_that_stands_still_is_left_and_never_hears_that_these_were_all() {
        let turn = Turn::take().await.unwrap();
        let mut rows = Box::pin(
            stream(
                Counting {
                    left: 100,
                    fails: false,
                },
                turn,
            )
            .await
            .unwrap(),
        );
        assert!(rows.next().await.unwrap().is_ok());
        tokio::time::sleep(STALL * 3).await;
        let rest: Vec<_> = rows.collect().await;
        assert!(rest.last().unwrap().is_err(), "{rest:?}");
        assert!(rest.len() < 10);
    }

    #[tokio::test(start_paused = true)]
    async fn exports_beyond_the_limit_queue_and_time_out() {
        let node = Turns::new();
        let mut turns = Vec::new();
        for _ in 0..EXPORTS_AT_ONCE {
            turns.push(node.take().await.unwrap());
        }
        assert!(matches!(node.take().await, Err(ExportFailure::Busy)));
        turns.pop();
        assert!(node.take().await.is_ok());
    }
}
