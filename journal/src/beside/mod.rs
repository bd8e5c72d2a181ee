//! Rows beside the log, written in the same statement as their events.
//!
//! | Module | Content |
//! |---|---|
//! | [`receipts`] | idempotency records |
//! | [`answers`] | stored API answers by idempotency key |
//! | [`retention`] | deletion of expired idempotency records and answers |
//! | [`claims`] | unique values: an e-mail, a code, a reference, each with one holder |
//! | [`implied`] | unique values that a log implies, for comparison |
//! | [`credentials`] | password hashes of parties |
//! | [`authenticity`] | row MACs, and their adoption by older rows |
//!
//! Every row is checked against its MAC before use. Data keys of people, whose rows have a MAC too, are in
//! [`crate::people`]; state snapshots in [`crate::writer`].

pub(crate) mod answers;
pub(crate) mod authenticity;
pub(crate) mod claims;
pub(crate) mod credentials;
pub(crate) mod implied;
pub(crate) mod receipts;
pub(crate) mod retention;
