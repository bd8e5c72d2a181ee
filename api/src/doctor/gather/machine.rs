//! Facts of the machine: the process, folders and disks.

use super::Settings;
use crate::doctor::{DiskFacts, FolderFacts, ProcessFacts};
use nix::{
    sys::{statfs, statvfs::statvfs},
    unistd::{AccessFlags, Uid, User, access, geteuid},
};
use std::{
    fs,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

/// Where Linux tells a process's limits.
const LIMITS: &str = "/proc/self/limits";

/// Where root makes the data folder, PostgreSQL's user may pass through it and list nothing.
const PASSABLE: u32 = 0o011;

pub fn process() -> ProcessFacts {
    ProcessFacts {
        is_root: geteuid().is_root(),
        open_files: fs::read_to_string(LIMITS).ok().and_then(|limits| open_files(&limits)),
        is_debug_build: cfg!(debug_assertions),
    }
}

/// The soft limit of open files.
fn open_files(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"))?;
    match line.split_whitespace().next()? {
        "unlimited" => Some(u64::MAX),
        number => number.parse().ok(),
    }
}

pub fn data_folder(settings: &Settings) -> FolderFacts {
    let mut facts = folder(&settings.data_dir, "data folder");
    facts.must_exist = true;
    facts.allowed = if geteuid().is_root() { PASSABLE } else { 0 };
    facts
}

/// A folder that the first start makes where it is missing.
pub fn private_folder(path: &Path, holds: &'static str) -> FolderFacts {
    folder(path, holds)
}

fn folder(path: &Path, holds: &'static str) -> FolderFacts {
    let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_dir);
    let owner = metadata.as_ref().map(fs::Metadata::uid);
    let other = owner.filter(|owner| *owner != geteuid().as_raw());
    FolderFacts {
        path: path.to_owned(),
        holds,
        must_exist: false,
        mode: metadata.as_ref().map(|metadata| metadata.permissions().mode() & 0o7777),
        allowed: 0,
        unwritable: metadata.is_some().then(|| unwritable(path)).flatten(),
        owned_by_other: other.map(user),
        is_in_memory: is_in_memory(path),
    }
}

fn user(id: u32) -> String {
    let known = User::from_uid(Uid::from_raw(id)).ok().flatten();
    known.map_or_else(|| format!("the user {id}"), |user| user.name)
}

/// Why nothing can be written into a folder.
pub fn unwritable(path: &Path) -> Option<String> {
    access(path, AccessFlags::W_OK | AccessFlags::X_OK)
        .err()
        .map(|error| error.desc().to_lowercase())
}

#[cfg(target_os = "linux")]
fn is_in_memory(path: &Path) -> bool {
    statfs::statfs(path).is_ok_and(|of| of.filesystem_type() == statfs::TMPFS_MAGIC)
}

#[cfg(not(target_os = "linux"))]
fn is_in_memory(_: &Path) -> bool {
    false
}

/// The disk of a folder; none where the folder is missing.
#[allow(clippy::useless_conversion, reason = "other systems count in other sizes of numbers")]
pub fn disk(path: &Path) -> Option<DiskFacts> {
    let of = statvfs(path).ok()?;
    let block = u64::from(of.fragment_size());
    Some(DiskFacts {
        path: path.to_owned(),
        bytes: u64::from(of.blocks()).saturating_mul(block),
        free_bytes: u64::from(of.blocks_available()).saturating_mul(block),
        inodes: u64::from(of.files()),
        free_inodes: u64::from(of.files_available()),
    })
}

/// Which disk a folder is on.
pub fn device(path: &Path) -> Option<u64> {
    fs::metadata(path).ok().map(|metadata| metadata.dev())
}

/// A file with secrets that everybody can read, with its mode.
pub fn exposed(file: &Path) -> Option<(PathBuf, u32)> {
    let mode = fs::metadata(file).ok()?.permissions().mode() & 0o7777;
    (mode & 0o007 != 0).then(|| (file.to_owned(), mode))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_soft_limit_of_open_files_is_read() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max processes             7               7               processes \n\
                      Max open files            1024                 524288               files     \n";
        assert_eq!(open_files(limits), Some(1_024));
        assert_eq!(
            open_files("Max open files            unlimited  unlimited files\n"),
            Some(u64::MAX)
        );
        assert_eq!(open_files(""), None);
    }

    #[test]
    fn a_folder_tells_its_mode_and_whether_it_can_be_written() {
        let folder = tempfile::tempdir().unwrap();
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o750)).unwrap();
        let facts = private_folder(folder.path(), "folder");
        assert_eq!(
            (facts.mode, facts.unwritable, facts.owned_by_other),
            (Some(0o750), None, None)
        );
        let missing = private_folder(&folder.path().join("missing"), "folder");
        assert_eq!(missing.mode, None);
        assert!(disk(folder.path()).is_some_and(|disk| disk.bytes > disk.free_bytes));
    }
}
