//! Proofs of the log for an auditor, who need not trust the database.
//!
//! | Module | What it is |
//! |---|---|
//! | [`verify`] | every event, every row beside the log and the ledger's invariants, checked in one read snapshot |
//! | [`checkpoint`] | the end of a log, signed with Ed25519, each naming the one before; cosignatures of witnesses |
//! | [`merkle`] | the Merkle tree over the log: inclusion and consistency proofs in the style of RFC 6962 |

pub(crate) mod checkpoint;
pub(crate) mod merkle;
pub(crate) mod verify;
