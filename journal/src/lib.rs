//! The event store: append, hash chain, sealing, receipts and claims, and the lanes that run commands.
//!
//! A tenant's log is the only truth of its business, and its consistency boundary: a head row a tenant, which every
//! append advances, makes positions gap-free and in commit order. [`Journal`] is the front; `migrations/0010_journal.sql`
//! is the other half, and docs/chain-format.md says how the chain is computed.

mod append;
mod cache;
mod chain;
mod claims;
mod clock;
mod cqrs;
mod credentials;
mod error;
mod head;
mod journal;
mod keys;
mod lane;
mod link;
mod read;
mod receipts;
mod seal;
mod snapshot;
mod state;
mod subjects;
mod submission;
mod verify;
mod wake;

pub use chain::Hash;
pub use clock::{Clock, SystemClock};
pub use cqrs::{JournalRepository, ReadOnly};
pub use credentials::StoredCredential;
pub use error::{JournalError, RETRY_AFTER, SubmitError, Unreadable};
pub use head::Head;
pub use journal::Journal;
pub use keys::{KeyError, Keyring, MASTER_KEY_FILE, MASTER_KEY_FILE_VARIABLE, Secret};
pub use read::{MAX_EVENTS, Metadata, Recorded};
pub use receipts::{MAX_KEY_BYTES, RequestDigest};
pub use snapshot::EVENTS_BETWEEN_SNAPSHOTS;
pub use submission::{Committed, Credential, Submission};
pub use verify::{Fault, Verification};
