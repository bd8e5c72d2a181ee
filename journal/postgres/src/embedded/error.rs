//! Errors of the embedded server, worded for its operator.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use crate::data_dir::DataDirError;

/// Why the embedded server cannot be used.
#[derive(Debug, Error)]
pub enum EmbeddedError {
    #[error("no PostgreSQL {wanted} found; to install one: {command}", wanted = wanted.map_or("15 or later".to_owned(), |major| major.to_string()))]
    NoBinaries {
        /// Major version that the existing data needs.
        wanted: Option<u32>,
        /// The one command that installs it.
        command: String,
    },
    #[error("PG_BIN_DIR: {path} has PostgreSQL {found}, but {wanted} is needed")]
    WrongBinaries {
        /// The folder named.
        path: PathBuf,
        found: String,
        /// What would do.
        wanted: String,
    },
    #[error("PostgreSQL does not run as root, and there is neither a user postgres nor a user nobody")]
    NoAccount,
    #[error("PostgreSQL does not run as root, and this process may not change to the user {account}")]
    MayNotChangeUser {
        /// The user it would run as.
        account: String,
    },
    #[error(transparent)]
    DataDir(#[from] DataDirError),
    #[error("cannot use {path}")]
    File {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("cannot run {program}")]
    Run {
        program: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error("cannot make a new cluster in {path}: {output}")]
    Initialise {
        /// Where.
        path: PathBuf,
        /// What the program said.
        output: String,
    },
    #[error("PostgreSQL did not start; it wrote to {log}:\n{said}")]
    Start {
        log: PathBuf,
        /// Log output of this start.
        said: String,
    },
    #[error("PostgreSQL in {path} was not ready within {} s", patience.as_secs())]
    NotReady {
        /// The cluster's folder.
        path: PathBuf,
        /// Time waited.
        patience: Duration,
    },
    #[error("PostgreSQL did not stop within {} s and was killed; it recovers at the next start", patience.as_secs())]
    Killed {
        /// Time waited.
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

/// Attaches the path to an I/O error.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> EmbeddedError {
    let path = path.to_owned();
    move |source| EmbeddedError::File { path, source }
}
