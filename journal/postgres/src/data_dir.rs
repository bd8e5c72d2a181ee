//! The data folder of a node: embedded cluster, keys, files, outbox, evidence.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use nix::sys::stat::{Mode, umask};
use nix::unistd::geteuid;
use thiserror::Error;

/// Permissions removed from new files: all of group and others.
const UMASK: Mode = Mode::S_IRWXG.union(Mode::S_IRWXO);

/// Sets the umask, so that files made by this process and its children are private unless chmod'ed later. Libraries
/// that write files rely on the umask.
pub fn make_new_files_private() {
    umask(UMASK);
}

/// State folder for root: root's home is inaccessible to the user that runs PostgreSQL.
const STATE_FOLDER: &str = "/var/lib/caudal";

/// Owner only.
pub(crate) const PRIVATE: u32 = 0o700;

/// Mode for root's folder: PostgreSQL's user can traverse it but not list it.
const PASSABLE: u32 = 0o711;

/// Why the data folder cannot be used.
#[derive(Debug, Error)]
pub enum DataDirError {
    #[error("no folder for the data: set CAUDAL_DATA_DIR, or HOME")]
    Homeless,
    #[error("cannot use the data folder {path}")]
    Unusable {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataDir {
    path: PathBuf,
}

impl DataDir {
    /// Resolves the data folder: `--data-dir` or CAUDAL_DATA_DIR, else `/var/lib/caudal` for root and
    /// `$XDG_DATA_HOME/caudal` or `~/.local/share/caudal` for others. Created when missing.
    ///
    /// # Errors
    /// When no location is known, or the folder cannot be created.
    pub fn resolve(asked: Option<PathBuf>) -> Result<Self, DataDirError> {
        match asked {
            Some(path) => Self::at(&path),
            None => Self::at(&customary()?),
        }
    }

    /// The path that [`DataDir::resolve`] would take, which may not be there yet.
    ///
    /// # Errors
    /// When there is nowhere to put it.
    pub fn path_of(asked: Option<PathBuf>) -> Result<PathBuf, DataDirError> {
        asked.map_or_else(customary, Ok)
    }

    /// The folder at `path`, made if it is missing.
    ///
    /// # Errors
    /// When it cannot be made or entered.
    pub fn at(path: &Path) -> Result<Self, DataDirError> {
        prepare(path).map_err(|source| DataDirError::Unusable {
            path: path.to_owned(),
            source,
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// A folder in root's state folder that every user can traverse.
pub(crate) fn state_folder(name: &str) -> Result<DataDir, DataDirError> {
    let state = DataDir::at(Path::new(STATE_FOLDER))?;
    DataDir::at(&state.path().join(name))
}

fn customary() -> Result<PathBuf, DataDirError> {
    if geteuid().is_root() {
        return Ok(PathBuf::from(STATE_FOLDER));
    }
    let set = |name: &str| {
        std::env::var_os(name)
            .filter(|value| !value.is_empty())
            .map(PathBuf::from)
    };
    set("XDG_DATA_HOME")
        .or_else(|| set("HOME").map(|home| home.join(".local/share")))
        .map(|base| base.join("caudal"))
        .ok_or(DataDirError::Homeless)
}

fn prepare(path: &Path) -> io::Result<DataDir> {
    fs::create_dir_all(path)?;
    let path = path.canonicalize()?;
    // A folder with content may be shared: its permissions stay.
    if fs::read_dir(&path)?.next().is_none() {
        let mode = if geteuid().is_root() { PASSABLE } else { PRIVATE };
        fs::set_permissions(&path, fs::Permissions::from_mode(mode))?;
    }
    Ok(DataDir { path })
}
