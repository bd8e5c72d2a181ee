//! Export of a log to a file. The chain is verified while writing; a broken log is not exported.

use super::{People, lines};
use crate::{
    error::JournalError,
    journal::Journal,
    log::stored,
    proof::verify::{self, Fault, LogEnd, PAGE, Verifier},
};
use caudal_domain::ids::TenantId;
use caudal_postgres::Transaction;
use std::{
    io::{self, Write},
    time::Duration,
};
use tokio::{sync::mpsc, time::timeout};

/// Events per piece: some hundred kilobytes.
const EVENTS_PER_PIECE: usize = 200;
/// Time for a reader to take a piece.
const STALL: Duration = Duration::from_secs(60);

/// Result of an export.
#[derive(Debug)]
pub struct Exported {
    pub end: LogEnd,
    /// Keys and passwords of the tenant's people, as of the same snapshot.
    pub people: People,
}

/// Export errors. The file written so far lacks its last line and is invalid.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error("the log is not whole: {0}")]
    Fault(#[from] Fault),
    #[error("the file can't be written")]
    Write(#[from] std::io::Error),
}

impl From<sqlx::Error> for ExportError {
    fn from(error: sqlx::Error) -> Self {
        Self::Journal(error.into())
    }
}

/// Where the lines of an export go.
trait Lines: Send {
    fn put(&mut self, lines: String) -> impl Future<Output = Result<(), ExportError>> + Send;
}

struct Written<'a, W>(&'a mut W);

impl<W: Write + Send> Lines for Written<'_, W> {
    async fn put(&mut self, lines: String) -> Result<(), ExportError> {
        Ok(self.0.write_all(lines.as_bytes())?)
    }
}

/// Lines for a reader, who may be gone.
struct Sent<'a>(&'a mpsc::Sender<Result<String, ExportError>>);

impl Lines for Sent<'_> {
    async fn put(&mut self, lines: String) -> Result<(), ExportError> {
        let failed = |kind: io::ErrorKind| ExportError::Write(kind.into());
        let sent = timeout(STALL, self.0.send(Ok(lines))).await;
        sent.map_err(|_| failed(io::ErrorKind::TimedOut))?
            .map_err(|_| failed(io::ErrorKind::BrokenPipe))
    }
}

impl Journal {
    /// Writes a tenant's log from one snapshot, line by line. `progress` receives the position reached and the last
    /// position.
    ///
    /// # Errors
    /// When the log is broken, the database fails, or the file can't be written; the file is then invalid.
    pub async fn export(
        &self,
        tenant: &TenantId,
        out: &mut (impl Write + Send),
        progress: impl FnMut(i64, i64) + Send,
    ) -> Result<Exported, ExportError> {
        let mut lines = Written(out);
        let (mut transaction, end) = self.export_events(tenant, &mut lines, progress).await?;
        // Without the people the export has failed, so the file must not look complete before.
        let people = People::load(&mut transaction, &self.shared.keyring, &self.shared.macs, tenant).await?;
        put_last(&mut lines, &end).await?;
        out.flush()?;
        Ok(Exported { end, people })
    }

    /// Sends what [`Self::export`] writes in pieces of some hundred kilobytes, without the keys of people.
    ///
    /// # Errors
    /// When the log is broken, the database fails, or nobody receives; what was sent lacks the last line.
    pub async fn export_pieces(
        &self,
        tenant: &TenantId,
        pieces: &mpsc::Sender<Result<String, ExportError>>,
    ) -> Result<(), ExportError> {
        let mut lines = Sent(pieces);
        let (_, end) = self.export_events(tenant, &mut lines, |_, _| ()).await?;
        put_last(&mut lines, &end).await
    }

    /// All lines but the last one.
    async fn export_events(
        &self,
        tenant: &TenantId,
        out: &mut impl Lines,
        mut progress: impl FnMut(i64, i64) + Send,
    ) -> Result<(Transaction, LogEnd), ExportError> {
        let begun = self.shared.database.begin_read(tenant.as_str()).await;
        let mut transaction = begun.map_err(JournalError::from)?;
        let (end, is_vouched_for) = verify::signed_end(&mut transaction, &self.shared.macs, tenant).await?;
        out.put(lines::write_first(tenant, &end).map_err(json)? + "\n").await?;
        let mut verifier = Verifier::new(tenant, &[]);
        loop {
            let events = stored::page(&mut transaction, tenant, verifier.position(), PAGE).await?;
            for some in events.chunks(EVENTS_PER_PIECE) {
                let mut piece = String::new();
                let mut fault = None;
                for event in some {
                    if let Err(found) = verifier.take(event) {
                        fault = Some(found);
                        break;
                    }
                    piece.push_str(&lines::write_event(event).map_err(json)?);
                    piece.push('\n');
                }
                // Events before a fault are written too: the file shows up to where the log is intact.
                out.put(piece).await?;
                if let Some(fault) = fault {
                    return Err(fault.into());
                }
            }
            progress(verifier.position(), end.position);
            if events.is_empty() {
                break;
            }
        }
        if let Some(fault) = verifier.finish(&end).fault {
            return Err(fault.into());
        }
        // The importing installation makes a MAC of its own: it would vouch for what none of this one does.
        if !is_vouched_for {
            let position = end.position;
            return Err(Fault::HeadUnsigned { position }.into());
        }
        Ok((transaction, end))
    }
}

async fn put_last(out: &mut impl Lines, end: &LogEnd) -> Result<(), ExportError> {
    out.put(lines::write_last(end).map_err(json)? + "\n").await
}

fn json(error: serde_json::Error) -> ExportError {
    ExportError::Journal(error.into())
}
