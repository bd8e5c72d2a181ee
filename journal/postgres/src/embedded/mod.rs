//! A private PostgreSQL cluster in the data folder, with full durability.
//!
//! One process holds the folder's lock: it starts the server, restarts it if it dies, and stops it at the end. Other
//! processes on the folder join the running server and never stop it; when the holder exits first, one of them takes
//! the lock and starts the server at the same address, so that its pool reconnects.
//!
//! The server listens on a Unix socket only, in a folder accessible to its user and root.

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
