//! A tenant's log: events, head, and subscribers.
//!
//! | Module | Content |
//! |---|---|
//! | [`append`] | the one writing statement: a batch, with the rows that belong to it |
//! | [`head`] | end of the log: position, hash, epoch, time; read, locked or fenced |
//! | [`chain`] | hash of an event over its predecessor |
//! | [`read`] | events by position or by stream, decoded, with personal parts decrypted or encrypted |
//! | [`stored`] | events as covered by the chain: texts and numbers, not decoded |
//! | [`wake`] | subscribers in this process: committed position, and the newest events from memory |
//! | [`cqrs`] | the log as a cqrs-es repository |
//!
//! Positions have no gaps and follow commit order: every append advances one head row per tenant, and only from the
//! position, epoch, hash and time that the batch was decided on. docs/chain-format.md specifies the hashes.

pub(crate) mod append;
pub(crate) mod chain;
pub(crate) mod cqrs;
pub(crate) mod head;
pub(crate) mod postgres;
pub(crate) mod read;
pub(crate) mod stored;
pub(crate) mod tenant_log;
pub(crate) mod wake;
