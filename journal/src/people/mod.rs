//! Personal data in the log: the personal part of an event is encrypted under its person's data key.
//!
//! | Module | Content |
//! |---|---|
//! | [`seal`] | encryption of personal parts under data keys, and wrapping of data keys under the master key |
//! | [`subjects`] | data keys and tombstones: rows and cache |
//! | [`rewrap`] | wrapping all data keys under a new master key, online |
//!
//! Erasure destroys a person's data key: the events stay, the chain still verifies, and the part reads as erased.

pub(crate) mod encryption;
pub(crate) mod rewrap;
pub(crate) mod subjects;
