//! What can go wrong with a server of our own, in words for whoever runs it.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use crate::data_dir::DataDirError;

/// Why the embedded server cannot be used.
#[derive(Debug, Error)]
pub enum EmbeddedError {
    /// No binaries anywhere.
    #[error("no PostgreSQL {wanted} found; to install one: {command}", wanted = wanted.map_or("15 or later".to_owned(), |major| major.to_string()))]
    NoBinaries {
        /// The major version the data needs, where there are data.
        wanted: Option<u32>,
        /// The one command that installs it.
        command: String,
    },
    /// PG_BIN_DIR names something else than a PostgreSQL that fits.
    #[error("PG_BIN_DIR: {path} has PostgreSQL {found}, but {wanted} is needed")]
    WrongBinaries {
        /// The folder named.
        path: PathBuf,
        /// What is there.
        found: String,
        /// What would do.
        wanted: String,
    },
    /// PostgreSQL refuses to run as root, and there is no other user for it.
    #[error("PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody")]
    NoAccount,
    /// Root without the right to become another user.
    #[error("PostgreSQL does not run as root, and this process may not change to the user {account}")]
    MayNotChangeUser {
        /// The user it would run as.
        account: String,
    },
    /// The temporary folder, or its path, cannot be used.
    #[error(transparent)]
    DataDir(#[from] DataDirError),
    /// A file or folder cannot be read or written.
    #[error("cannot use {path}")]
    File {
        /// Which.
        path: PathBuf,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
    /// A program cannot be started at all.
    #[error("cannot run {program}")]
    Run {
        /// Which.
        program: PathBuf,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
    /// initdb, or the first statements, failed.
    #[error("cannot make a new cluster in {path}: {output}")]
    Initialise {
        /// Where.
        path: PathBuf,
        /// What the program said.
        output: String,
    },
    /// The server ended before it was ready.
    #[error("PostgreSQL did not start; it wrote to {log}:\n{said}")]
    Start {
        /// The server's log.
        log: PathBuf,
        /// What this start wrote there.
        said: String,
    },
    /// The server, or the process that holds the folder, does not become ready.
    #[error("PostgreSQL in {path} was not ready within {} s", patience.as_secs())]
    NotReady {
        /// The cluster's folder.
        path: PathBuf,
        /// How long it was waited for.
        patience: Duration,
    },
    /// The server had to be killed; it recovers at the next start.
    #[error("PostgreSQL did not stop within {} s and was killed; it recovers at the next start", patience.as_secs())]
    Killed {
        /// How long it was waited for.
        patience: Duration,
    },
    /// The running server archives elsewhere, or not at all.
    #[error(
        "the private PostgreSQL does not archive into {0}: set --backup-to (CAUDAL_BACKUP_TO) for the server too, and start it \
         again"
    )]
    NotArchiving(PathBuf),
    /// The segments of a backup did not get into the archive.
    #[error("the last segment of the backup was not archived into {0}; the server's log says why")]
    NotArchived(PathBuf),
    /// A server runs on the data that are to be replaced.
    #[error("a PostgreSQL runs on {0}: stop Caudal first")]
    Running(PathBuf),
    /// The server refused a statement.
    #[error("the private PostgreSQL failed")]
    Statement(#[from] sqlx::Error),
    /// The supervising thread is gone.
    #[error("the thread that supervises PostgreSQL is gone")]
    Unsupervised,
}

/// Says which path an I/O error is about.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> EmbeddedError {
    let path = path.to_owned();
    move |source| EmbeddedError::File { path, source }
}
