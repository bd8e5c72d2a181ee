//! The event store: append, hash chain, sealing, receipts and claims, and the lanes that run commands.
//!
//! A tenant's log is the only truth of its business, and its consistency boundary: a head row a tenant, which every
//! append advances, makes positions gap-free and in commit order. [`Journal`] is the front; `migrations/0010_journal.sql`
//! is the other half, and docs/chain-format.md says how the chain is computed.

mod append;
mod archive;
mod authenticity;
mod cache;
mod chain;
mod checkpoint;
mod claims;
mod clock;
mod cqrs;
mod credentials;
mod error;
mod head;
mod history;
mod journal;
mod keys;
mod lane;
mod link;
mod merkle;
mod proofs;
mod read;
mod receipts;
mod rewrap;
mod seal;
mod snapshot;
mod state;
mod stored;
mod subjects;
mod submission;
mod verify;
mod wake;

pub use archive::{
    ArchiveError, ArchiveReader, ExportError, Exported, ImportError, MAX_LINE_BYTES, MAX_PEOPLE_BYTES, People,
    PeopleError, TransferSecret, verify_file,
};
pub use authenticity::{
    Adoption, FileOwnerRow, FileRow, Mac, NotAuthentic, ResetCodeRow, RowMac, RowMacs, SessionRow, Table, WINDOW,
};
pub use chain::{Hash, from_hex, to_hex};
pub use checkpoint::{
    Checkpoint, CheckpointError, Cosignature, CosignatureError, MAX_CHECKPOINT_BYTES, Previous, PublicKey, PublicKeys,
    SIGNING_KEY_FILE, SIGNING_KEY_FILE_VARIABLE, SignError, SignedTree, SigningKeys,
};
pub use clock::{Clock, SystemClock};
pub use cqrs::{JournalRepository, ReadOnly};
pub use credentials::{StoredCredential, mac as credential_mac, replace_credential};
pub use error::{JournalError, RETRY_AFTER, SubmitError, Unreadable};
pub use head::Head;
pub use history::{
    Acknowledgement, Decision, Divergence, DivergenceKind, EndError, Ended, Evidence, EvidenceError, LoadedEvidence,
    LogPoint, Quarantine, RECENT_BATCHES, SeenBatch, StoredReport,
};
pub use journal::Journal;
pub use keys::{
    DerivedKey, KEY_FILE_LOOK, KeyError, KeyPlace, KeyService, KeySource, Keyring, MASTER_KEY_FILE,
    MASTER_KEY_FILE_VARIABLE, MASTER_KEYS_VARIABLE, SESSION_KEY_LEAD, SESSION_KEY_OVERLAP, Secret, ServiceError,
    check_private,
};
pub use merkle::{empty_root, is_consistent, is_included, nodes::Consistency};
pub use proofs::open_keyring;
pub use read::{MAX_EVENTS, Metadata, Recorded};
pub use receipts::{MAX_KEY_BYTES, RequestDigest};
pub use rewrap::Rewrapped;
pub use snapshot::EVENTS_BETWEEN_SNAPSHOTS;
pub use stored::StoredEvent;
pub use submission::{Committed, Credential, Submission};
pub use verify::{Fault, LogEnd, RowFault, RowProblem, RowsVerified, Verification, Verifier, Walk, Walked};
