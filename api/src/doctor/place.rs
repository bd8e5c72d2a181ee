//! Checks of the machine: the process, the folders, the disks.

use super::{Finding, InstallationFacts, Outcome};

/// Streams, connections of callers and files together; below this some callers are refused on a busy day.
const OPEN_FILES: u64 = 8_192;

/// A disk with less is about to stop the database, which refuses writes on a full disk.
const TOO_FULL: u64 = 5;
/// A disk with less should be looked at.
const RATHER_FULL: u64 = 15;
/// Room for a day of a busy firm, with photographs.
const LEAST_BYTES: u64 = 1 << 30;

/// Bits of a mode that let others write.
const WRITABLE: u32 = 0o022;

pub fn process(facts: &InstallationFacts) -> Outcome {
    let process = facts.process;
    let mut found = Vec::new();
    if process.is_root {
        found.push(Finding::warning(
            "process.root",
            "this runs as root, and a server that is taken over could do anything on the machine",
            "run it as a user of its own, as the package's unit does: systemctl enable --now caudal",
        ));
    }
    if let Some(files) = process.open_files
        && files < OPEN_FILES
    {
        found.push(Finding::warning(
            "process.open_files",
            format!("the process may open {files} files at once, and each caller takes one"),
            format!("LimitNOFILE={} in the systemd unit, or ulimit -n", OPEN_FILES * 8),
        ));
    }
    if process.is_debug_build {
        found.push(Finding::warning(
            "process.debug_build",
            "this program was built for debugging and is some ten times slower",
            "install the package, or cargo build --locked --release --bin caudal",
        ));
    }
    Outcome::Examined(found)
}

pub fn folders(facts: &InstallationFacts) -> Outcome {
    let mut found = Vec::new();
    for folder in &facts.folders {
        let path = folder.path.display();
        let Some(mode) = folder.mode else {
            if folder.must_exist {
                found.push(Finding::wrong(
                    "folder.missing",
                    format!("there is no {} {path}", folder.holds),
                    format!("mount it, or name the right one in --data-dir; for a new one: install -d -m 700 -o caudal {path}"),
                ));
            }
            continue;
        };
        if let Some(owner) = &folder.owned_by_other {
            found.push(Finding::wrong(
                "folder.owner",
                format!(
                    "the {} {path} belongs to {owner}, not to the user that runs this",
                    folder.holds
                ),
                format!("run this as {owner}, or chown -R to the user that runs Caudal: chown -R caudal: {path}"),
            ));
        } else if let Some(why) = &folder.unwritable {
            found.push(Finding::wrong(
                "folder.unwritable",
                format!("nothing can be written to the {} {path}: {why}", folder.holds),
                format!("mount it for writing, and chown caudal: {path}"),
            ));
        }
        let beyond = mode & 0o077 & !folder.allowed;
        if beyond & WRITABLE != 0 {
            found.push(Finding::wrong(
                "folder.writable_by_others",
                format!("others can write to the {} {path} (mode {mode:o})", folder.holds),
                format!("chmod 700 {path}"),
            ));
        } else if beyond != 0 {
            found.push(Finding::warning(
                "folder.readable_by_others",
                format!("others can look into the {} {path} (mode {mode:o})", folder.holds),
                format!("chmod 700 {path}"),
            ));
        }
        if folder.is_in_memory {
            found.push(Finding::wrong(
                "folder.in_memory",
                format!(
                    "the {} {path} is in memory (tmpfs) and gone after a restart of the machine",
                    folder.holds
                ),
                "name a folder on a disk in --data-dir",
            ));
        }
    }
    Outcome::Examined(found)
}

pub fn disk(facts: &InstallationFacts) -> Outcome {
    let mut found = Vec::new();
    for disk in &facts.disks {
        let path = disk.path.display();
        let percent = disk.free_bytes.saturating_mul(100) / disk.bytes.max(1);
        let megabytes = disk.free_bytes >> 20;
        if percent < TOO_FULL || disk.free_bytes < LEAST_BYTES {
            found.push(Finding::wrong(
                "disk.full",
                format!("the disk of {path} has {megabytes} MB left ({percent} %): a full one stops all writes"),
                "make room or a larger disk; old backups and PostgreSQL's logs go first, nothing in the data folder",
            ));
        } else if percent < RATHER_FULL {
            found.push(Finding::warning(
                "disk.rather_full",
                format!("the disk of {path} has {megabytes} MB left ({percent} %)"),
                "plan a larger disk",
            ));
        }
        if disk.inodes > 0 && disk.free_inodes.saturating_mul(100) / disk.inodes < TOO_FULL {
            found.push(Finding::wrong(
                "disk.inodes",
                format!("the file system of {path} has {} inodes left", disk.free_inodes),
                "remove many small files (df -i tells where), or move the data folder to a file system with more inodes",
            ));
        }
    }
    Outcome::Examined(found)
}
