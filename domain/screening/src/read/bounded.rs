//! A reader that counts: bytes of the file and of the entry, which it bounds, and lines.

use std::cell::Cell;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

/// What was read so far. Shared with the parser that owns the reader.
#[derive(Clone)]
pub struct Counters {
    file: Rc<Cell<u64>>,
    entry: Rc<Cell<u64>>,
    line: Rc<Cell<u64>>,
}

/// Which bound was exceeded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exceeded {
    File,
    Entry,
}

impl Counters {
    pub fn line(&self) -> u64 {
        self.line.get()
    }

    pub fn entry_begins(&self) {
        self.entry.set(0);
    }

    fn count(&self, bytes: &[u8]) {
        let read = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
        for (counter, n) in [
            (&self.file, read),
            (&self.entry, read),
            (&self.line, u64::try_from(lines).unwrap_or(0)),
        ] {
            counter.set(counter.get().saturating_add(n));
        }
    }
}

pub struct Bounded<R> {
    input: R,
    counters: Counters,
    file: u64,
    entry: u64,
}

impl<R> Bounded<R> {
    pub fn new(input: R, file: u64, entry: u64) -> (Self, Counters) {
        let counters = Counters {
            file: Rc::default(),
            entry: Rc::default(),
            line: Rc::new(Cell::new(1)),
        };
        let bounded = Self {
            input,
            counters: counters.clone(),
            file,
            entry,
        };
        (bounded, counters)
    }

    fn check(&self) -> io::Result<()> {
        let exceeded = if self.counters.file.get() > self.file {
            Exceeded::File
        } else if self.counters.entry.get() > self.entry {
            Exceeded::Entry
        } else {
            return Ok(());
        };
        Err(io::Error::other(exceeded))
    }
}

impl std::fmt::Display for Exceeded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("too large")
    }
}

impl std::error::Error for Exceeded {}

/// The bound that an error is about, if it is about one.
pub fn exceeded(error: &io::Error) -> Option<Exceeded> {
    error.get_ref()?.downcast_ref::<Exceeded>().copied()
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.check()?;
        let read = self.input.read(into)?;
        self.counters.count(&into[..read]);
        Ok(read)
    }
}

impl<R: BufRead> BufRead for Bounded<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.check()?;
        self.input.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        // The bytes are those of the last `fill_buf`, which has them still.
        if let Ok(bytes) = self.input.fill_buf() {
            self.counters.count(&bytes[..amount.min(bytes.len())]);
        }
        self.input.consume(amount);
    }
}
