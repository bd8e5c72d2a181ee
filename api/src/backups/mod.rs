//! What is known of backups: when the last good one was made, where, and when one was last restored for a try.
//!
//! The record is one file of the data folder, so that `caudal doctor`, the metrics, the managers' screen and scripts see the
//! same.

mod copy;

pub use copy::{BucketCopy, CopyError};

use caudal_projections::attention::{BackupAttention, BackupNeed};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};
use tokio::sync::watch;

/// The file in the data folder.
const FILE: &str = "backups.json";

/// The file that tells when everything was in the bucket: apart from the record, which other processes write.
const COPY_FILE: &str = "backups-copied-at";

/// The folder of the uploaded files, in a data folder and in one of backups.
#[must_use]
pub fn files(folder: &Path) -> PathBuf {
    folder.join("files")
}

/// Maximum age of the last backup: a day, and half a day for one that is late.
pub const OLD_BACKUP: TimeDelta = TimeDelta::hours(36);

/// Maximum age of the last rehearsal: a quarter of a year.
pub const OLD_REHEARSAL: TimeDelta = TimeDelta::days(92);

/// Maximum time for which the bucket may lack something: it is copied within seconds, a large backup within minutes.
pub const OLD_COPY: TimeDelta = TimeDelta::minutes(30);

/// Time that a new installation has for its first backup and its first rehearsal, before managers are told.
const FIRST_WEEK: TimeDelta = TimeDelta::days(7);

/// How often the record is looked at for the metrics.
const LOOK_INTERVAL: Duration = Duration::from_secs(60);

/// Tells the metrics how old the last backup, the last rehearsal and the copy in the bucket are, until `stop` turns true. What
/// was never made has no age, except the copy: one that never succeeds is as old as this server. Notes when a server first ran
/// on this data folder.
pub async fn watch(data_dir: PathBuf, is_copied: bool, mut stop: watch::Receiver<bool>) {
    let begun = Utc::now();
    if let Err(error) = Record::note_service(&data_dir, Utc::now()) {
        tracing::warn!(%error, "the record of the backups can't be written");
    }
    let age = |at: DateTime<Utc>| (Utc::now() - at).num_seconds().max(0) as f64;
    loop {
        let record = Record::read(&data_dir);
        if let Some(at) = record.backed_up_at {
            metrics::gauge!("caudal_backup_age_seconds").set(age(at));
        }
        if let Some(at) = record.rehearsed_at {
            metrics::gauge!("caudal_backup_rehearsal_age_seconds").set(age(at));
        }
        if is_copied {
            let at = copied_at(&data_dir).unwrap_or(begun);
            metrics::gauge!("caudal_backup_copy_age_seconds").set(age(at));
        }
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => return,
            () = tokio::time::sleep(LOOK_INTERVAL) => {}
        }
    }
}

/// Notes when everything in the folder of backups was in the bucket.
fn note_copy(data_dir: &Path, now: DateTime<Utc>) -> io::Result<()> {
    let part = data_dir.join(format!("{COPY_FILE}.part"));
    fs::write(&part, now.to_rfc3339())?;
    fs::rename(part, data_dir.join(COPY_FILE))
}

/// When everything in the folder of backups was in the bucket.
#[must_use]
pub fn copied_at(data_dir: &Path) -> Option<DateTime<Utc>> {
    fs::read_to_string(data_dir.join(COPY_FILE)).ok()?.trim().parse().ok()
}

/// What is known of backups.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// When the last good backup was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub backed_up_at: Option<DateTime<Utc>>,
    /// Where it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// When a backup was last restored for a try, and found whole.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rehearsed_at: Option<DateTime<Utc>>,
    /// When a server first ran on the data folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served_since: Option<DateTime<Utc>>,
}

impl Record {
    /// The record of a data folder; empty where there is none, or none that can be read.
    #[must_use]
    pub fn read(data_dir: &Path) -> Self {
        let text = fs::read(data_dir.join(FILE)).unwrap_or_default();
        serde_json::from_slice(&text).unwrap_or_default()
    }

    /// Puts the record into a data folder, whole or not at all.
    ///
    /// # Errors
    /// Where it can't be written.
    pub fn write(&self, data_dir: &Path) -> io::Result<()> {
        let part = data_dir.join(format!("{FILE}.part"));
        fs::write(&part, serde_json::to_vec(self)?)?;
        fs::File::open(&part)?.sync_all()?;
        fs::rename(part, data_dir.join(FILE))
    }

    /// Notes a backup that was made now.
    ///
    /// # Errors
    /// As [`Record::write`].
    pub fn note_backup(data_dir: &Path, folder: &Path, now: DateTime<Utc>) -> io::Result<()> {
        let record = Self {
            backed_up_at: Some(now),
            folder: Some(folder.to_owned()),
            ..Self::read(data_dir)
        };
        record.write(data_dir)
    }

    /// Notes a rehearsal that went well now.
    ///
    /// # Errors
    /// As [`Record::write`].
    pub fn note_rehearsal(data_dir: &Path, now: DateTime<Utc>) -> io::Result<()> {
        let record = Self {
            rehearsed_at: Some(now),
            ..Self::read(data_dir)
        };
        record.write(data_dir)
    }
}

impl Record {
    /// Notes that a server runs on the data folder, once.
    ///
    /// # Errors
    /// As [`Record::write`].
    pub fn note_service(data_dir: &Path, now: DateTime<Utc>) -> io::Result<()> {
        let record = Self::read(data_dir);
        if record.served_since.is_some() {
            return Ok(());
        }
        let record = Self {
            served_since: Some(now),
            ..record
        };
        record.write(data_dir)
    }

    /// What the managers of the business must have done about the backups. A database of another server that was never
    /// backed up by Caudal's programs may have backups that Caudal does not know.
    #[must_use]
    pub fn need(&self, is_private: bool, now: DateTime<Utc>) -> Option<BackupAttention> {
        let is_past = |at: DateTime<Utc>, age: TimeDelta| now - at > age;
        let is_new = self.served_since.is_none_or(|since| !is_past(since, FIRST_WEEK));
        let need = |need, since| Some(BackupAttention { need, since });
        let Some(backed_up_at) = self.backed_up_at else {
            return if is_private && !is_new {
                need(BackupNeed::NeverMade, None)
            } else {
                None
            };
        };
        if is_past(backed_up_at, OLD_BACKUP) {
            return need(BackupNeed::Old, Some(backed_up_at));
        }
        match self.rehearsed_at {
            None if is_new => None,
            None => need(BackupNeed::NeverRehearsed, None),
            Some(at) if is_past(at, OLD_REHEARSAL) => need(BackupNeed::RehearsedLongAgo, Some(at)),
            Some(_) => None,
        }
    }
}

/// The record of a node's data folder.
#[derive(Clone, Debug)]
pub struct Backups {
    data_dir: PathBuf,
    is_private: bool,
}

impl Backups {
    /// The record of a data folder, beside a database of another server.
    #[must_use]
    pub fn of(data_dir: &Path) -> Self {
        Self {
            data_dir: data_dir.to_owned(),
            is_private: false,
        }
    }

    /// The same, where the database is the private one.
    #[must_use]
    pub fn with_private_database(self, is_private: bool) -> Self {
        Self { is_private, ..self }
    }

    /// What the managers must have done now.
    pub async fn need(&self, now: DateTime<Utc>) -> Option<BackupAttention> {
        let data_dir = self.data_dir.clone();
        let record = tokio::task::spawn_blocking(move || Record::read(&data_dir)).await;
        record.unwrap_or_default().need(self.is_private, now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backup_and_a_rehearsal_are_noted_side_by_side() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Record::read(folder.path()), Record::default());
        let (first, second) = (DateTime::UNIX_EPOCH, DateTime::UNIX_EPOCH + TimeDelta::days(1));
        Record::note_backup(folder.path(), Path::new("/mnt/backup"), first).unwrap();
        Record::note_rehearsal(folder.path(), second).unwrap();
        let record = Record::read(folder.path());
        assert_eq!(record.backed_up_at, Some(first));
        assert_eq!(record.rehearsed_at, Some(second));
        assert_eq!(record.folder.as_deref(), Some(Path::new("/mnt/backup")));
        fs::write(folder.path().join(FILE), "{").unwrap();
        assert_eq!(Record::read(folder.path()), Record::default());
    }

    #[test]
    fn managers_are_told_of_old_and_missing_backups_and_rehearsals_but_not_in_the_first_week() {
        let now = DateTime::UNIX_EPOCH + TimeDelta::days(1_000);
        let ago = |days| Some(now - TimeDelta::days(days));
        let needed = |record: &Record, is_private| record.need(is_private, now).map(|need| need.need);
        let of = |served, backed_up, rehearsed| Record {
            backed_up_at: backed_up,
            folder: None,
            rehearsed_at: rehearsed,
            served_since: served,
        };
        for (record, need) in [
            (of(None, None, None), None),
            (of(ago(6), None, None), None),
            (of(ago(8), None, None), Some(BackupNeed::NeverMade)),
            (of(ago(8), ago(2), ago(1)), Some(BackupNeed::Old)),
            (of(ago(6), ago(1), None), None),
            (of(ago(8), ago(1), None), Some(BackupNeed::NeverRehearsed)),
            (of(ago(200), ago(1), ago(93)), Some(BackupNeed::RehearsedLongAgo)),
            (of(ago(200), ago(1), ago(30)), None),
        ] {
            assert_eq!(needed(&record, true), need, "{record:?}");
        }
        assert_eq!(needed(&of(ago(8), None, None), false), None, "another server's backups");
        assert_eq!(needed(&of(ago(8), ago(2), None), false), Some(BackupNeed::Old));
    }

    #[test]
    fn the_first_start_is_noted_once() {
        let folder = tempfile::tempdir().unwrap();
        let (first, second) = (DateTime::UNIX_EPOCH, DateTime::UNIX_EPOCH + TimeDelta::days(1));
        Record::note_service(folder.path(), first).unwrap();
        Record::note_backup(folder.path(), Path::new("/mnt/backup"), second).unwrap();
        Record::note_service(folder.path(), second).unwrap();
        let record = Record::read(folder.path());
        assert_eq!((record.served_since, record.backed_up_at), (Some(first), Some(second)));
    }
}
