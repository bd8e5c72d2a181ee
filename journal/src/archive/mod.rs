//! A tenant's log as a file: newline-delimited JSON with hashes, verifiable without a database and importable by
//! another server with the same chain. Format: docs/chain-format.md.
//!
//! Data outside the log is transferred separately ([`People`]): data keys of personal data, and password hashes.

mod export;
mod import;
mod lines;
mod people;
mod reader;

pub use export::{ExportError, Exported};
pub use import::ImportError;
pub(crate) use import::insert as insert_events;
pub use lines::MAX_LINE_BYTES;
pub use people::{MAX_PEOPLE_BYTES, People, PeopleError, TransferSecret};
pub use reader::{ArchiveError, ArchiveReader, verify_file};
