//! All rows of a list on their way into a file: a task walks through them within one snapshot and hands them over
//! batch by batch, so that never more than a few batches are in memory, however slowly they are taken.

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

/// Exports of a node at a time: each holds a connection from its first row to its last, and other calls need theirs.
pub const EXPORTS_AT_ONCE: usize = 6;
/// How long an export waits for its turn.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long a reader may take none of the rows: longer, and it is gone or stuck.
const STALL: Duration = Duration::from_secs(60);
/// How long an export may last: the snapshot that it holds keeps PostgreSQL from clearing away what is outdated.
const LONGEST: Duration = Duration::from_secs(15 * 60);
/// Batches that may wait to be taken.
const BATCHES_AHEAD: usize = 2;

static EXPORTS: LazyLock<Turns> = LazyLock::new(Turns::new);

/// Who exports now, and who waits.
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

/// The right to export now. Ask for it before a snapshot is taken.
#[derive(Debug)]
pub struct Turn {
    _permit: OwnedSemaphorePermit,
}

impl Turn {
    /// Waits for a turn.
    ///
    /// # Errors
    /// [`ExportFailure::Busy`] where others took too long.
    pub async fn take() -> Result<Self, ExportFailure> {
        EXPORTS.take().await
    }
}

/// Where rows come from, batch by batch.
pub(crate) trait Source: Send + 'static {
    type Row: Send + 'static;

    /// The next rows, and whether there are more.
    fn next(&mut self) -> BoxFuture<'_, Result<Batch<Self::Row>, ReadError>>;
}

/// Some rows.
#[derive(Debug)]
pub(crate) struct Batch<T> {
    pub(crate) rows: Vec<T>,
    pub(crate) is_last: bool,
}

/// Why rows end before their end.
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

/// The rows of a source. Its first batch is read before this returns, so that what is refused is refused in time.
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
        // Nobody may be there to hear it; one who is stuck hears `Ended` instead.
        let _ = timeout(STALL, sender.send(end)).await;
    });
    Ok(taken(receiver))
}

/// Sends all rows; nothing is told apart from an end where the reader is gone, since nobody hears it.
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

/// The rows that are handed over. Without the word that these were all, they were not.
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

    /// So many batches of one row, then perhaps a failure.
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
    async fn what_fails_at_once_is_refused_before_there_is_a_file() {
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
    async fn more_than_so_many_exports_wait_and_are_then_told_to_come_back() {
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
