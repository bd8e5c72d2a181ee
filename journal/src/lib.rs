//! The event store: a tenant's log, its proofs, people's keys, and the writers that run commands.
//!
//! | Folder | Content |
//! |---|---|
//! | [`mod@log`] | events, head, hash chain, and subscribers |
//! | [`writer`] | one task per tenant and node that runs the tenant's commands in batches |
//! | [`beside`] | rows written with the events: idempotency records, unique values, credentials, each with a MAC |
//! | [`people`] | data keys, under which personal parts of events are encrypted |
//! | [`keys`] | keys outside the database: master keys, lookup key, session keys |
//! | [`proof`] | verification, signed checkpoints, the Merkle tree |
//! | [`leases`] | which node decides a tenant's commands |
//! | [`history`] | what this node has seen of each log, and quarantine after a divergence |
//! | [`placement`] | cells: where a tenant lives, and its move to another database |
//! | [`archive`] | export and import of a tenant's log as a file |
//!
//! A tenant's log is the only truth of its business, and its consistency boundary: every append advances one head row
//! per tenant, which makes positions gap-free and in commit order. [`Journal`] is the public interface;
//! `migrations/schema` has the SQL half, and docs/chain-format.md specifies the hash chain.

/// Target of the spans that belong to traces: requests, batches, waits.
pub const TRACED: &str = "caudal::trace";

mod archive;
mod beside;
mod cache;
mod clock;
mod error;
mod history;
mod journal;
mod keys;
mod leases;
mod log;
mod opening;
mod people;
mod placement;
mod proof;
mod submission;
mod writer;

pub use archive::{
    ArchiveError, ArchiveReader, ExportError, Exported, ImportError, MAX_LINE_BYTES, MAX_PEOPLE_BYTES, People,
    PeopleError, TransferSecret, verify_file,
};
pub use beside::answers::{AnswerKey, KeptAnswer};
pub use beside::authenticity::{
    Adopted, Adoption, FileOwnerRow, FileRow, Mac, NotAuthentic, PasskeyRow, ReadingRow, ResetCodeRow, RowMac, RowMacs,
    SecondFactorRow, SessionRow, SignOnSecretRow, SignOnSubjectRow, StepUpRow, Table, VerificationRow, ViewingRow,
    WINDOW,
};
pub use beside::credentials::{StoredCredential, mac as credential_mac, replace_credential};
pub use beside::idempotency_records::{MAX_KEY_BYTES, RequestDigest};
pub use beside::retention::RECORD_RETENTION;
pub use clock::{Clock, SystemClock};
pub use error::{JournalError, RETRY_AFTER, SubmitError, Unreadable, WithCauses};
pub use history::{
    Acknowledgement, Decision, Divergence, DivergenceKind, EndError, Ended, Evidence, EvidenceError, LoadedEvidence,
    LogPoint, Quarantine, RECENT_BATCHES, RecordedDecision, SeenBatch, StoredReport,
};
pub use journal::Journal;
pub use keys::encryption_key::EncryptionKey;
pub use keys::proofs::{inspect_keyring, open_keyring};
pub use keys::{
    DerivedKey, KEY_FILE_LOOK, KeyError, KeyPlace, KeyService, KeySource, Keyring, MASTER_KEY_FILE,
    MASTER_KEY_FILE_VARIABLE, MASTER_KEYS_VARIABLE, SESSION_KEY_LEAD, SESSION_KEY_OVERLAP, Secret, ServiceError,
    check_private,
};
pub use leases::{CurrentLeases, Holder, LEASE, Lease, LeaseTable, Leases, Unanswered, Writer};
pub use log::chain::{Hash, from_hex, to_hex};
pub use log::cqrs::{JournalRepository, ReadOnly};
pub use log::head::Head;
pub use log::read::{MAX_EVENTS, Metadata, Recorded};
pub use log::stored::StoredEvent;
pub use opening::{Manager, Opening, OpeningError};
pub use people::rewrap::Rewrapped;
pub use placement::{
    CellName, CellNameError, Copied, Directory, MoveError, Placement, PlacementState, Relocation, Whereabouts,
};
pub use proof::checkpoint::{
    CheckpointError, Cosignature, CosignatureError, DossierSignature, MAX_CHECKPOINT_BYTES, Previous, PublicKey,
    PublicKeys, SIGNING_KEY_FILE, SIGNING_KEY_FILE_VARIABLE, SignError, SignedCheckpoint, SignedTree, SigningKeys,
};
pub use proof::merkle::{empty_root, is_consistent, is_included, nodes::Consistency};
pub use proof::verify::{Fault, LogEnd, RowFault, RowProblem, RowsVerified, Verification, Verifier, Walk, Walked};
pub use submission::{Committed, Credential, Previewed, Submission};
pub use writer::rehearsal::{Rehearsal, Rehearsed};
