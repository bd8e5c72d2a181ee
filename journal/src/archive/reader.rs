//! Reader and verifier of a log file.

use super::lines::{self, Line, MAX_LINE_BYTES};
use crate::{
    log::stored::StoredEvent,
    proof::{
        checkpoint::SignedCheckpoint,
        verify::{Fault, LogEnd, Verification, Verifier},
    },
};
use caudal_domain::ids::TenantId;
use std::io::{self, BufRead};

/// Interval of progress reports, in events.
const TELL_EVERY: i64 = 1_000;

/// Why a file can't be read on.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    #[error("the file can't be read")]
    Read(#[from] io::Error),
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// Reads a log file line by line.
#[derive(Debug)]
pub struct ArchiveReader<R> {
    input: R,
    line: u64,
    tenant: TenantId,
    end: LogEnd,
    /// Events read so far.
    events: i64,
    is_done: bool,
}

impl<R: BufRead> ArchiveReader<R> {
    /// Reads the first line.
    ///
    /// # Errors
    /// When the file can't be read or has another format.
    pub fn open(mut input: R) -> Result<Self, ArchiveError> {
        let damaged = |reason: String| Fault::Damaged {
            position: 0,
            line: 1,
            reason,
        };
        let line = read_line(&mut input)?
            .map_err(|reason| damaged(reason.to_owned()))?
            .ok_or_else(|| damaged("the file is empty".to_owned()))?;
        let (tenant, end) = lines::read_first(&line).map_err(damaged)?;
        Ok(Self {
            input,
            line: 1,
            tenant,
            end,
            events: 0,
            is_done: false,
        })
    }

    #[must_use]
    pub const fn tenant(&self) -> &TenantId {
        &self.tenant
    }

    /// The log's end according to the first line.
    #[must_use]
    pub const fn end(&self) -> &LogEnd {
        &self.end
    }

    /// Next event; `None` after the last line, which must agree with the first and end the file.
    ///
    /// # Errors
    /// When the file can't be read, is damaged, or ends without its last line.
    pub fn next_event(&mut self) -> Result<Option<StoredEvent>, ArchiveError> {
        if self.is_done {
            return Ok(None);
        }
        let position = self.events + 1;
        self.line += 1;
        let at = self.line;
        let damaged = |reason: String| Fault::Damaged {
            position,
            line: at,
            reason,
        };
        let line = read_line(&mut self.input)?.map_err(|reason| damaged(reason.to_owned()))?;
        let Some(line) = line else {
            return Err(damaged("the file ends here, without its last line: it is a part of one".to_owned()).into());
        };
        match lines::read(&line).map_err(damaged)? {
            Line::Event(event) => {
                self.events += 1;
                Ok(Some(event))
            }
            Line::Last(last) => {
                if (last.position, last.hash) != (self.end.position, self.end.hash) {
                    return Err(damaged("the last line names another end than the first".to_owned()).into());
                }
                if read_line(&mut self.input)?
                    .map_err(|reason| damaged(reason.to_owned()))?
                    .is_some()
                {
                    return Err(damaged("something follows the last line".to_owned()).into());
                }
                self.is_done = true;
                Ok(None)
            }
        }
    }
}

/// A line without its terminator; `None` at the end of the file. The inner error describes an invalid line.
fn read_line(input: &mut impl BufRead) -> io::Result<Result<Option<String>, &'static str>> {
    let mut bytes = Vec::new();
    let read = io::Read::take(&mut *input, MAX_LINE_BYTES as u64 + 1).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(Ok(None));
    }
    if bytes.pop() != Some(b'\n') {
        return Ok(Err(if read > MAX_LINE_BYTES {
            "longer than any line that Caudal writes"
        } else {
            "the file ends within this line"
        }));
    }
    Ok(String::from_utf8(bytes).map(Some).map_err(|_| "not UTF-8"))
}

/// Verifies a log file from its first event, without a database. `progress` receives the position reached and the
/// file's last position.
///
/// # Errors
/// When the file can't be read; the log's state is then unknown.
pub fn verify_file<R: BufRead>(
    mut reader: ArchiveReader<R>,
    checkpoints: &[SignedCheckpoint],
    mut progress: impl FnMut(i64, i64),
) -> io::Result<Verification> {
    let (tenant, end) = (reader.tenant().clone(), *reader.end());
    let mut verifier = Verifier::new(&tenant, checkpoints);
    loop {
        let next = match reader.next_event() {
            Ok(next) => next,
            Err(ArchiveError::Read(error)) => return Err(error),
            Err(ArchiveError::Fault(fault)) => return Ok(verifier.stop(fault)),
        };
        let Some(event) = next else {
            progress(verifier.position(), end.position);
            return Ok(verifier.finish(&end));
        };
        if let Err(fault) = verifier.take(&event) {
            return Ok(verifier.stop(fault));
        }
        if verifier.position() % TELL_EVERY == 0 {
            progress(verifier.position(), end.position);
        }
    }
}
