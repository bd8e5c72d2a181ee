//! Operating-system user of the embedded server. PostgreSQL refuses to run as root.

use std::fs;
use std::io;
use std::os::unix::fs::{MetadataExt, chown};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use nix::unistd::{User, geteuid};

use super::error::EmbeddedError;

/// Tried in this order when root starts the server.
const CANDIDATES: [&str; 2] = ["postgres", "nobody"];

/// Search permission on a folder: owner, group, others.
const SEARCH: [u32; 3] = [0o100, 0o010, 0o001];

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Account {
    /// This process's user.
    Own,
    /// Another user, because this process runs as root.
    Other { name: String, uid: u32, gid: u32 },
}

impl Account {
    pub(super) fn choose() -> Result<Self, EmbeddedError> {
        if !geteuid().is_root() {
            return Ok(Self::Own);
        }
        CANDIDATES
            .iter()
            .find_map(|name| User::from_name(name).ok().flatten())
            .map(|user| Self::Other {
                name: user.name,
                uid: user.uid.as_raw(),
                gid: user.gid.as_raw(),
            })
            .ok_or(EmbeddedError::NoAccount)
    }

    /// Runs the command as this user.
    pub(super) fn run(&self, command: &mut Command) {
        if let Self::Other { uid, gid, .. } = self {
            command.uid(*uid).gid(*gid);
        }
    }

    /// Makes this user the owner of a file or folder.
    pub(super) fn own(&self, path: &Path) -> io::Result<()> {
        match self {
            Self::Own => Ok(()),
            Self::Other { uid, gid, .. } => chown(path, Some(*uid), Some(*gid)),
        }
    }

    /// Whether this user can traverse every folder of the canonical `path`.
    pub(super) fn reaches(&self, path: &Path) -> io::Result<bool> {
        let Self::Other { uid, gid, .. } = self else {
            return Ok(true);
        };
        for folder in path.ancestors() {
            let metadata = fs::metadata(folder)?;
            let [owner, group, others] = SEARCH;
            let needed = match () {
                () if !metadata.is_dir() => 0,
                () if metadata.uid() == *uid => owner,
                () if metadata.gid() == *gid => group,
                () => others,
            };
            if metadata.mode() & needed != needed {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Error for a program that could not be started as this user.
    pub(super) fn explain(&self, program: &Path, source: io::Error) -> EmbeddedError {
        match self {
            Self::Other { name, .. } if source.raw_os_error() == Some(nix::errno::Errno::EPERM as i32) => {
                EmbeddedError::MayNotChangeUser { account: name.clone() }
            }
            _ => EmbeddedError::Run {
                program: program.to_owned(),
                source,
            },
        }
    }
}
