//! Proofs of the log for an auditor who does not trust the database.
//!
//! | Module | Content |
//! |---|---|
//! | [`verify`] | verification of every event, every row beside the log and the ledger's invariants, in one read transaction |
//! | [`checkpoint`] | signed ends of a log, each referencing the previous one; cosignatures of witnesses |
//! | [`merkle`] | Merkle tree over the log: inclusion and consistency proofs as in RFC 6962 |

pub(crate) mod checkpoint;
pub(crate) mod merkle;
pub(crate) mod verify;
