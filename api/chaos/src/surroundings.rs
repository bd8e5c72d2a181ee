//! What a machine gives its processes, taken from some of them: room in memory, a fast disk, the right time.
//!
//! Control groups (version 1, where the kernel lets one limit the disk of processes that write through its cache) take
//! root; moving the clock takes Debian's libfaketime. Where these are missing a scenario is left out, and says so.

use nix::unistd::{Pid, geteuid};
use std::{
    fs, io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    process, thread,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// Where the kernel's control groups are.
const GROUPS: &str = "/sys/fs/cgroup";

/// How long processes may take to leave a group.
const LEAVING: Duration = Duration::from_secs(5);

/// A control group of our own; its processes go back where all are, with this value.
#[derive(Debug)]
pub struct Group {
    folder: PathBuf,
}

impl Group {
    /// Makes a group under a controller. `None` where the machine does not let us.
    pub fn make(controller: &str) -> Option<Self> {
        if !geteuid().is_root() {
            return None;
        }
        let folder = Path::new(GROUPS)
            .join(controller)
            .join(format!("caudal-chaos-{}", process::id()));
        fs::create_dir(&folder).ok()?;
        Some(Self { folder })
    }

    pub fn set(&self, limit: &str, value: &str) -> io::Result<()> {
        fs::write(self.folder.join(limit), value)
    }

    /// Takes a process in; those that it starts from then on are in as well.
    pub fn take(&self, pid: Pid) -> io::Result<()> {
        self.set("cgroup.procs", &pid.to_string())
    }

    /// What is put before a program so that it begins its life in the group.
    pub fn wrapper(&self) -> Vec<String> {
        let enter = format!("echo $$ > {}/cgroup.procs && exec \"$0\" \"$@\"", self.folder.display());
        ["sh".to_owned(), "-c".to_owned(), enter].into()
    }

    /// A number of its statistics.
    pub fn figure(&self, file: &str, name: &str) -> Option<u64> {
        let text = fs::read_to_string(self.folder.join(file)).ok()?;
        let line = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or(&text);
        line.trim().parse().ok()
    }

    /// Lets all of its processes go.
    pub fn release(&self) {
        let parent = self.folder.parent().map(|parent| parent.join("cgroup.procs"));
        let inside = fs::read_to_string(self.folder.join("cgroup.procs")).unwrap_or_default();
        for pid in inside.lines() {
            // One that ended meanwhile is out as well.
            let _ = parent.as_ref().map(|parent| fs::write(parent, pid));
        }
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let started = Instant::now();
        while fs::remove_dir(&self.folder).is_err() && started.elapsed() < LEAVING {
            self.release();
            thread::sleep(Duration::from_millis(50));
        }
    }
}

/// The disk that a folder is on, as limits name it.
pub fn device_of(folder: &Path) -> io::Result<String> {
    let number = fs::metadata(folder)?.dev();
    // As the C library makes them of it.
    let major = (number >> 32 & 0xffff_f000) | (number >> 8 & 0xfff);
    let minor = (number >> 12 & 0xffff_ff00) | (number & 0xff);
    Ok(format!("{major}:{minor}"))
}

/// Clock of some processes: the machine's, shifted by a number of seconds; timers are unaffected.
#[derive(Debug)]
pub struct Clock {
    library: PathBuf,
    folder: TempDir,
}

impl Clock {
    /// A clock that is right so far, kept in a folder. `None` without libfaketime.
    pub fn right(folder: TempDir) -> Option<Self> {
        let kinds = fs::read_dir("/usr/lib").ok()?;
        let library = kinds
            .filter_map(Result::ok)
            .map(|kind| kind.path().join("faketime/libfaketimeMT.so.1"))
            .find(|library| library.exists())?;
        let clock = Self { library, folder };
        clock.show(0);
        Some(clock)
    }

    /// Moves it; it is noticed within a second.
    pub fn show(&self, seconds: i64) {
        fs::write(self.offset(), format!("{seconds:+}\n")).expect("the clock can be written");
    }

    fn offset(&self) -> PathBuf {
        self.folder.path().join("clock")
    }

    /// What is put before a program that goes by it.
    pub fn wrapper(&self) -> Vec<String> {
        [
            "env".to_owned(),
            format!("LD_PRELOAD={}", self.library.display()),
            format!("FAKETIME_TIMESTAMP_FILE={}", self.offset().display()),
            "FAKETIME_CACHE_DURATION=1".to_owned(),
            "FAKETIME_DONT_FAKE_MONOTONIC=1".to_owned(),
            "DONT_FAKE_MONOTONIC=1".to_owned(),
        ]
        .into()
    }
}
