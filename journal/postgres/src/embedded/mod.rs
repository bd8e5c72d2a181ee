//! A private cluster of real PostgreSQL in the data folder, with full durability.
//!
//! One process holds the folder's lock: it starts the server, starts it again if it dies, and stops it at the end.
//! Another process on the same folder joins the running server and never stops it; should the holder end first, the
//! one that joined takes the lock and starts the server itself, at the same address, so that its pool reconnects.
//!
//! The server listens on a Unix socket alone, in a folder that only its user (and root) can enter.

mod account;
mod archive;
mod binaries;
mod cluster;
mod death_signal;
mod error;
mod files;
mod guardian;
mod package;
mod server;
mod supervisor;

pub use archive::{Archive, Target};
pub use binaries::installed_version;
pub use error::EmbeddedError;
pub use server::{Server, Temporary};
