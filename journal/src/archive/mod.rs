//! A tenant's log as a file: newline-delimited JSON with hashes, which anybody can verify without a database, and from
//! which another server takes the tenant over with the same chain. docs/chain-format.md describes it.
//!
//! What the log does not hold travels apart ([`People`]): the data keys under which personal data is sealed, and the
//! hashes of passwords.

mod export;
mod import;
mod lines;
mod people;
mod reader;

pub use export::{ExportError, Exported};
pub use import::ImportError;
pub use lines::MAX_LINE_BYTES;
pub use people::{MAX_PEOPLE_BYTES, People, PeopleError, TransferSecret};
pub use reader::{ArchiveError, ArchiveReader, verify_file};
