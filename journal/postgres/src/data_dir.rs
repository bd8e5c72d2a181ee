//! The folder in which a node keeps what is not in a given database: the embedded cluster, keys, files, outbox.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use nix::sys::stat::{Mode, umask};
use nix::unistd::geteuid;
use thiserror::Error;

/// What nobody but the owner may do with files and folders that this process makes: anything.
const UMASK: Mode = Mode::S_IRWXG.union(Mode::S_IRWXO);

/// Makes every file that this process and its children make from now on readable by their user alone, unless its mode is
/// set afterwards. The libraries that write files leave the mode to the umask.
pub fn make_new_files_private() {
    umask(UMASK);
}

/// Where root's data lies: root's home folder is closed to the user that PostgreSQL must run as.
const STATE_FOLDER: &str = "/var/lib/caudal";

/// Only the user who runs Caudal may look inside.
pub(crate) const PRIVATE: u32 = 0o700;

/// As root, PostgreSQL runs as another user, who must pass through to its own folder (and can list nothing).
const PASSABLE: u32 = 0o711;

/// Why the data folder cannot be used.
#[derive(Debug, Error)]
pub enum DataDirError {
    /// Neither a folder was named nor is there a home to put one in.
    #[error("no folder for the data: set CAUDAL_DATA_DIR, or HOME")]
    Homeless,
    /// The folder cannot be made or entered.
    #[error("cannot use the data folder {path}")]
    Unusable {
        /// The folder.
        path: PathBuf,
        /// What the operating system said.
        #[source]
        source: io::Error,
    },
}

/// The data folder, existing and absolute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataDir {
    path: PathBuf,
}

impl DataDir {
    /// The folder that was asked for (`--data-dir`, CAUDAL_DATA_DIR), else the customary one: `/var/lib/caudal` as
    /// root, `$XDG_DATA_HOME/caudal` or `~/.local/share/caudal` otherwise. It is made if it is missing.
    ///
    /// # Errors
    /// When there is nowhere to put it, or it cannot be made.
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

    /// The absolute path.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// A folder in root's state folder that every user can pass through.
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
    // A folder that already has something in it may be somebody else's too: its permissions stay as they are.
    if fs::read_dir(&path)?.next().is_none() {
        let mode = if geteuid().is_root() { PASSABLE } else { PRIVATE };
        fs::set_permissions(&path, fs::Permissions::from_mode(mode))?;
    }
    Ok(DataDir { path })
}
