//! The event store
