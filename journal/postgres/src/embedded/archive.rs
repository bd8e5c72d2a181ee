//! Base backups of a private cluster, its archived write-ahead log, and restores from both.
//!
//! ```text
//! FOLDER/
//!     wal/000000010000000000000007.gz     a segment, archived by the server at the latest a minute after it was begun
//!     base/20261123T120000Z/data/         a base backup, named after its end (UTC)
//! ```
//!
//! A base backup and the segments since make the cluster of any moment after the backup's end.

use std::fs::{self, DirBuilder, File};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::unistd::geteuid;
use sqlx::{Connection as _, PgConnection};

use super::account::Account;
use super::cluster::Cluster;
use super::error::{EmbeddedError, at};
use super::files::copy_folder;
use super::server::Server;
use crate::data_dir::{DataDir, PRIVATE};

/// What a base backup leaves out: the folders stay, empty; PostgreSQL fills them when it starts.
const EMPTIED: [&str; 8] = [
    "pg_wal",
    "pg_replslot",
    "pg_dynshmem",
    "pg_notify",
    "pg_serial",
    "pg_snapshots",
    "pg_stat_tmp",
    "pg_subtrans",
];
/// Files of the running server.
const OMITTED: [&str; 3] = ["postmaster.pid", "postmaster.opts", "pg_internal.init"];
/// What temporary files begin with.
const TEMPORARY: &str = "pgsql_tmp";

/// As root PostgreSQL's user passes through to its own folder.
const PASSABLE: u32 = 0o711;

/// A segment is archived at the latest this long after it was begun: what a lost disk costs.
const ARCHIVE_TIMEOUT_SECONDS: u32 = 60;

/// How long the archiving of a backup's last segment may take.
const ARCHIVED_PATIENCE: Duration = Duration::from_secs(600);

/// The folder of a cluster's backups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archive {
    folder: PathBuf,
}

/// The moment to which a cluster is restored.
#[derive(Debug, Clone, Default)]
pub struct Target {
    /// A time as PostgreSQL reads it; the end of the archive where there is none.
    pub time: Option<String>,
}

impl Archive {
    /// The backups in a folder, which is made if it is missing.
    ///
    /// # Errors
    /// When it cannot be made.
    pub fn at(folder: &Path) -> Result<Self, EmbeddedError> {
        let mode = if geteuid().is_root() { PASSABLE } else { PRIVATE };
        make(folder, mode)?;
        let folder = folder.canonicalize().map_err(at(folder))?;
        let archive = Self { folder };
        make(&archive.base(), PRIVATE)?;
        make(&archive.wal(), PRIVATE)?;
        let account = Account::choose()?;
        account.own(&archive.wal()).map_err(at(&archive.wal()))?;
        Ok(archive)
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Lets PostgreSQL's user read a segment that was put into the archive.
    ///
    /// # Errors
    /// When its owner cannot be changed.
    pub fn give_to_postgres(&self, segment: &Path) -> Result<(), EmbeddedError> {
        Account::choose()?.own(segment).map_err(at(segment))
    }

    fn wal(&self) -> PathBuf {
        self.folder.join("wal")
    }

    fn base(&self) -> PathBuf {
        self.folder.join("base")
    }

    /// The settings of a server that archives here.
    pub(super) fn settings(&self) -> Vec<String> {
        // A segment that is there already is the same one, archived before a crash, or the folder is another cluster's.
        let segment = format!("{}/%f", in_shell(&self.wal()));
        let command = format!(
            "if [ -e {segment}.gz ]; then gzip -dc {segment}.gz | cmp -s - %p; \
             else gzip -c %p > {segment}.part && sync {segment}.part && mv {segment}.part {segment}.gz; fi"
        );
        vec![
            "archive_mode=on".to_owned(),
            format!("archive_command={command}"),
            format!("archive_timeout={ARCHIVE_TIMEOUT_SECONDS}"),
        ]
    }

    /// How a server that is restored gets its segments: from here, or from the data that it replaces.
    fn restore_command(&self, replaced: Option<&Path>) -> String {
        let segment = format!("{}/%f.gz", in_shell(&self.wal()));
        let archived = format!("[ -e {segment} ] && gzip -dc {segment} > %p");
        match replaced {
            Some(data) => format!("{{ {archived}; }} || cp {}/%f %p", in_shell(&data.join("pg_wal"))),
            None => archived,
        }
    }

    /// The base backups by the times of their ends, the oldest first.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn base_backups(&self) -> Result<Vec<String>, EmbeddedError> {
        let base = self.base();
        let mut names = Vec::new();
        for entry in fs::read_dir(&base).map_err(at(&base))? {
            let name = entry.map_err(at(&base))?.file_name().to_string_lossy().into_owned();
            if name.ends_with('Z') {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    /// Keeps the newest base backups, and the segments since the oldest of those.
    ///
    /// # Errors
    /// When something cannot be removed.
    pub fn prune(&self, keep: usize) -> Result<(), EmbeddedError> {
        let names = self.base_backups()?;
        let (old, kept) = names.split_at(names.len().saturating_sub(keep.max(1)));
        let Some(oldest) = kept.first() else { return Ok(()) };
        let label = self.data_of(oldest).join("backup_label");
        let text = fs::read_to_string(&label).map_err(at(&label))?;
        let Some(first) = first_segment(&text) else {
            return Ok(());
        };
        for name in old {
            let folder = self.base().join(name);
            fs::remove_dir_all(&folder).map_err(at(&folder))?;
        }
        let wal = self.wal();
        for entry in fs::read_dir(&wal).map_err(at(&wal))? {
            let path = entry.map_err(at(&wal))?.path();
            let name = path
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default();
            if is_before(&name, first) {
                fs::remove_file(&path).map_err(at(&path))?;
            }
        }
        Ok(())
    }

    fn data_of(&self, name: &str) -> PathBuf {
        self.base().join(name).join("data")
    }
}

/// A path for a shell within a setting that PostgreSQL expands.
fn in_shell(path: &Path) -> String {
    let text = path.to_string_lossy().replace('%', "%%").replace('\'', "'\\''");
    format!("'{text}'")
}

fn make(folder: &Path, mode: u32) -> Result<(), EmbeddedError> {
    if folder.is_dir() {
        return Ok(());
    }
    DirBuilder::new()
        .recursive(true)
        .mode(mode)
        .create(folder)
        .map_err(at(folder))?;
    // The umask may have taken bits away.
    fs::set_permissions(folder, fs::Permissions::from_mode(mode)).map_err(at(folder))
}

/// The first segment that a base backup needs, of its label: `START WAL LOCATION: 0/2000028 (file 000000010000000000000002)`.
fn first_segment(label: &str) -> Option<&str> {
    let line = label.lines().find(|line| line.starts_with("START WAL LOCATION"))?;
    line.split_once("(file ")?.1.strip_suffix(')')
}

/// Whether a file of the archive is a segment from before another. Timelines, the first eight digits, do not count:
/// segments of later ones have higher numbers.
fn is_before(name: &str, first: &str) -> bool {
    const TIMELINE: usize = 8;
    const SEGMENT: usize = 24;
    let digits = |name: &str| {
        let is_segment = name.len() >= SEGMENT && name.bytes().take(SEGMENT).all(|byte| byte.is_ascii_hexdigit());
        is_segment
            .then(|| name.get(TIMELINE..SEGMENT).map(str::to_owned))
            .flatten()
    };
    matches!((digits(name), digits(first)), (Some(one), Some(other)) if one < other)
}

impl Server {
    /// Makes a base backup of the running server, and waits until the segments that it needs are archived. Returns its name.
    ///
    /// # Errors
    /// When the server does not archive into this folder, or something cannot be copied.
    pub async fn back_up(&self, archive: &Archive) -> Result<String, EmbeddedError> {
        let mut superuser = PgConnection::connect(&self.cluster.url("postgres", "postgres")).await?;
        let command: String = sqlx::query_scalar(
            "SELECT CASE WHEN current_setting('archive_mode') = 'off' THEN '' ELSE current_setting('archive_command') END",
        )
        .fetch_one(&mut superuser)
        .await?;
        if !command.contains(&in_shell(&archive.wal())) {
            return Err(EmbeddedError::NotArchiving(archive.folder.clone()));
        }
        // Ends by itself with the connection, where the copy fails.
        sqlx::query("SELECT pg_backup_start('caudal', true)")
            .execute(&mut superuser)
            .await?;
        let major = self.cluster.major()?.unwrap_or_default();
        let (data, part) = (self.cluster.data(major), archive.base().join("part"));
        let copied = part.clone();
        let copying = tokio::task::spawn_blocking(move || {
            if copied.exists() {
                fs::remove_dir_all(&copied)?;
            }
            DirBuilder::new().mode(PRIVATE).create(&copied)?;
            copy_running(&data, &copied.join("data"))
        });
        copying
            .await
            .map_err(|_| EmbeddedError::Unsupervised)?
            .map_err(at(&part))?;
        let stop = sqlx::query_as(
            "SELECT labelfile, spcmapfile, to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYYMMDD\"T\"HH24MISS\"Z\"')
               FROM pg_backup_stop(true)",
        );
        let stopped = tokio::time::timeout(ARCHIVED_PATIENCE, stop.fetch_one(&mut superuser)).await;
        let (label, _, name): (String, String, String) =
            stopped.map_err(|_| EmbeddedError::NotArchived(archive.folder.clone()))??;
        superuser.close().await?;
        let label_file = part.join("data/backup_label");
        fs::write(&label_file, label).map_err(at(&label_file))?;
        let done = archive.base().join(&name);
        let install = || -> io::Result<()> {
            File::open(&label_file)?.sync_all()?;
            fs::rename(&part, &done)?;
            File::open(archive.base())?.sync_all()
        };
        install().map_err(at(&done))?;
        Ok(name)
    }

    /// Puts a base backup into a data folder and lets PostgreSQL replay the archive up to a moment. The server is stopped then;
    /// data that were there before are put aside, beside the new ones. Where the restored cluster is to go on it archives from
    /// here on.
    ///
    /// # Errors
    /// When a server runs on the data folder, or the archive has not what is needed.
    pub fn restore(
        data_dir: &DataDir,
        archive: &Archive,
        name: &str,
        target: &Target,
        goes_on: bool,
    ) -> Result<(), EmbeddedError> {
        let mut cluster = Cluster::prepare(data_dir)?;
        let lock = cluster.lock_file()?;
        if lock.try_lock().is_err() || cluster.postmaster().is_some() {
            return Err(EmbeddedError::Running(cluster.root().to_owned()));
        }
        let from = archive.data_of(name);
        let version = from.join("PG_VERSION");
        let major = fs::read_to_string(&version).map_err(at(&version))?;
        let major = major
            .trim()
            .parse()
            .map_err(|_| at(&version)(io::ErrorKind::InvalidData.into()))?;
        let replaced = cluster.put_aside()?;
        let staging = cluster.staging()?;
        copy_folder(&from, &staging, &|_| true, &|path| cluster.account.own(path)).map_err(at(&from))?;
        let signal = staging.join("recovery.signal");
        File::create(&signal)
            .and_then(|_| cluster.account.own(&signal))
            .map_err(at(&signal))?;
        cluster.install(&staging, major)?;
        cluster.settings = vec![
            format!("restore_command={}", archive.restore_command(replaced.as_deref())),
            "recovery_target_action=promote".to_owned(),
            // A server that takes queries while it replays calls itself ready before it is restored.
            "hot_standby=off".to_owned(),
        ];
        if let Some(time) = &target.time {
            cluster.settings.push(format!("recovery_target_time={time}"));
        }
        if goes_on {
            cluster.settings.extend(archive.settings());
        }
        drop(lock);
        Self::run_once(cluster)
    }
}

/// Copies the data of a running server: files may vanish meanwhile, and change, which the replay mends.
fn copy_running(from: &Path, to: &Path) -> io::Result<()> {
    DirBuilder::new().mode(PRIVATE).create(to)?;
    for entry in fs::read_dir(from)? {
        let source = entry?.path();
        let Some(name) = source.file_name().and_then(|name| name.to_str()) else {
            continue;
        };
        if OMITTED.contains(&name) || name.starts_with(TEMPORARY) {
            continue;
        }
        let target = to.join(name);
        let copied = match fs::symlink_metadata(&source) {
            Ok(metadata) if metadata.is_dir() && EMPTIED.contains(&name) => {
                DirBuilder::new().mode(PRIVATE).create(&target)?;
                if name == "pg_wal" {
                    DirBuilder::new().mode(PRIVATE).create(target.join("archive_status"))?;
                }
                Ok(())
            }
            Ok(metadata) if metadata.is_dir() => copy_running(&source, &target),
            Ok(_) => fs::copy(&source, &target).and_then(|_| File::open(&target)?.sync_all()),
            Err(error) => Err(error),
        };
        match copied {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            copied => copied?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_label_tells_the_first_segment_and_older_ones_are_before_it() {
        let label = "START WAL LOCATION: 0/2000028 (file 000000010000000000000002)\nCHECKPOINT LOCATION: 0/2000060\n";
        let first = first_segment(label).unwrap();
        assert_eq!(first, "000000010000000000000002");
        assert!(is_before("000000010000000000000001.gz", first));
        assert!(!is_before("000000010000000000000002.gz", first));
        assert!(!is_before("000000020000000000000003.gz", first));
        assert!(!is_before("00000002.history.gz", first));
    }

    #[test]
    fn a_path_is_one_word_of_the_shell_and_has_no_expansion() {
        assert_eq!(in_shell(Path::new("/mnt/it's 5%")), "'/mnt/it'\\''s 5%%'");
    }
}
