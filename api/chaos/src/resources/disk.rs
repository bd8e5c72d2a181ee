//! A disk that is full, and one that is slow.

use crate::{
    fleet::Fleet,
    surroundings::{Group, device_of},
};
use nix::unistd::geteuid;
use std::{
    fs::{self, File},
    io::Write as _,
    path::{Path, PathBuf},
    process::Command,
};

/// How big the disk is that is filled: a new cluster, its log, and some room.
const DISK_MEGABYTES: u32 = 320;

/// How often PostgreSQL may write to a slow disk: a commit takes some tenths of a second, with others before it longer.
const WRITES_PER_SECOND: u32 = 10;

/// Limits the rate of PostgreSQL's writes.
pub(super) fn slow_down(fleet: &Fleet, group: &Group, folder: &Path) {
    let device = device_of(folder).expect("the folder is on a disk");
    let limit = format!("{device} {WRITES_PER_SECOND}");
    group
        .set("blkio.throttle.write_iops_device", &limit)
        .expect("the kernel limits disks");
    for pid in fleet.server.postmaster().into_iter().chain(fleet.server.processes()) {
        // A connection that ended meanwhile writes no more.
        let _ = group.take(pid);
    }
}

/// A small disk in memory.
#[derive(Debug)]
pub(super) struct Disk {
    pub(super) mount: PathBuf,
}

impl Disk {
    /// Only root may mount.
    pub(super) fn mount() -> Option<Self> {
        if !geteuid().is_root() {
            return None;
        }
        let mount = tempfile::Builder::new().prefix("caudal-disk-").tempdir().ok()?.keep();
        let status = Command::new("mount")
            .args([
                "-t",
                "tmpfs",
                "-o",
                &format!("size={DISK_MEGABYTES}m,mode=755"),
                "tmpfs",
            ])
            .arg(&mount)
            .status();
        if status.is_ok_and(|status| status.success()) {
            Some(Self { mount })
        } else {
            let _ = fs::remove_dir(&mount);
            None
        }
    }

    fn ballast(&self) -> PathBuf {
        self.mount.join("ballast")
    }

    /// Fills it to the last byte.
    pub(super) fn fill(&self) {
        let mut ballast = File::create(self.ballast()).expect("there is room yet");
        let (large, small) = (vec![0; 1 << 20], vec![0; 512]);
        while ballast.write_all(&large).is_ok() {}
        while ballast.write_all(&small).is_ok() {}
    }

    pub(super) fn empty(&self) {
        fs::remove_file(self.ballast()).expect("the ballast is ours");
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        // In use for another moment, perhaps: it goes when that ends.
        let _ = Command::new("umount").arg("-l").arg(&self.mount).status();
        let _ = fs::remove_dir(&self.mount);
    }
}
