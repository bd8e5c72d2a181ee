//! Rows beside the log, written in the same statement as the events that they belong to.
//!
//! | Module | What it is |
//! |---|---|
//! | [`receipts`] | idempotency records: the answer that was given under an idempotency key |
//! | [`answers`] | the API's answers under an idempotency key |
//! | [`retention`] | deletes idempotency records and answers that are older than their retention |
//! | [`claims`] | unique values: an e-mail, a code, a reference, each with one holder |
//! | [`credentials`] | password hashes of parties |
//! | [`authenticity`] | the MAC that each such row carries, and how rows from before MACs get theirs |
//!
//! A row is checked against its MAC before anything is done with it. People's data keys, whose rows carry a MAC too, stand
//! in [`crate::people`]; snapshots in [`crate::writer`].

pub(crate) mod answers;
pub(crate) mod authenticity;
pub(crate) mod claims;
pub(crate) mod credentials;
pub(crate) mod receipts;
pub(crate) mod retention;
