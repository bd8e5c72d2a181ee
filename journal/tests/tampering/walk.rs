//! The walk along a long log, remembered on the way.

use crate::tampering::file::Line;
use caudal_domain::ids::TenantId;
use caudal_journal::{ArchiveError, ArchiveReader, Fault, Verifier};
use std::io::{BufRead, Read};

/// How often the walk along the long log is remembered, in events: what stands before a tampering is not walked again.
const REMEMBERED_EVERY: usize = 100;

/// Reads lines that follow one another.
struct Reader<'a> {
    lines: &'a [Line],
    at: usize,
}

impl Read for Reader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let read = self.fill_buf()?.read(buffer)?;
        self.consume(read);
        Ok(read)
    }
}

impl BufRead for Reader<'_> {
    fn fill_buf(&mut self) -> std::io::Result<&[u8]> {
        Ok(self.lines.first().map_or(&[], |line| &line[self.at..]))
    }

    fn consume(&mut self, amount: usize) {
        self.at += amount;
        if self.lines.first().is_some_and(|line| line.len() == self.at) {
            (self.lines, self.at) = (&self.lines[1..], 0);
        }
    }
}

/// Walks along the events of a file as [`verify_file`] does, remembering the walk on the way.
pub fn remember<'a>(lines: &[Line], tenant: &'a TenantId) -> Vec<Verifier<'a>> {
    let mut verifier = Verifier::new(tenant, &[]);
    let mut remembered = vec![verifier.clone()];
    let mut reader = ArchiveReader::open(Reader { lines, at: 0 }).unwrap();
    while let Some(event) = reader.next_event().unwrap() {
        verifier.take(&event).unwrap();
        if usize::try_from(event.position).unwrap() % REMEMBERED_EVERY == 0 {
            remembered.push(verifier.clone());
        }
    }
    let end = *reader.end();
    assert_eq!(verifier.finish(&end).fault, None);
    remembered
}

/// The fault in a file whose first lines are as they were: found from the last remembered walk before it on.
pub fn fault_from(remembered: &[Verifier<'_>], lines: &[Line], untouched: usize) -> Option<Fault> {
    let from = (untouched / REMEMBERED_EVERY).min(remembered.len() - 1);
    let mut verifier = remembered[from].clone();
    let skipped = from * REMEMBERED_EVERY;
    let rest = Reader {
        lines: &lines[1 + skipped..],
        at: 0,
    };
    let mut reader = ArchiveReader::open(lines[0].as_slice().chain(rest)).unwrap();
    let end = *reader.end();
    loop {
        match reader.next_event() {
            Ok(Some(event)) => {
                if let Err(fault) = verifier.take(&event) {
                    return Some(fault);
                }
            }
            Ok(None) => return verifier.finish(&end).fault,
            // It counts from the first line that it was given.
            Err(ArchiveError::Fault(Fault::Damaged { position, line, reason })) => {
                let skipped = i64::try_from(skipped).unwrap();
                return Some(Fault::Damaged {
                    position: position + skipped,
                    line: line + skipped.unsigned_abs(),
                    reason,
                });
            }
            Err(error) => panic!("{error}"),
        }
    }
}
