//! The event store: append, hash chain, sealing, receipts and claims, and the lanes that run commands.
