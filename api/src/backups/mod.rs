//! What is known of backups: when the last good one was made, where, and when one was last restored for a try.
//!
//! The record is one file of the data folder, so that `caudal doctor`, the metrics and scripts see the same.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use std::{
    fs, io,
    path::{Path, PathBuf},
    time::Duration,
};
use tokio::sync::watch;

/// The file in the data folder.
const FILE: &str = "backups.json";

/// The folder of the uploaded files, in a data folder and in one of backups.
#[must_use]
pub fn files(folder: &Path) -> PathBuf {
    folder.join("files")
}

/// How often the record is looked at for the metrics.
const LOOK_INTERVAL: Duration = Duration::from_secs(60);

/// Tells the metrics how old the last backup and the last rehearsal are, until `stop` turns true. What was never made has no
/// age.
pub async fn watch(data_dir: PathBuf, mut stop: watch::Receiver<bool>) {
    let age = |at: DateTime<Utc>| (Utc::now() - at).num_seconds().max(0) as f64;
    loop {
        let record = Record::read(&data_dir);
        if let Some(at) = record.backed_up_at {
            metrics::gauge!("caudal_backup_age_seconds").set(age(at));
        }
        if let Some(at) = record.rehearsed_at {
            metrics::gauge!("caudal_backup_rehearsal_age_seconds").set(age(at));
        }
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => return,
            () = tokio::time::sleep(LOOK_INTERVAL) => {}
        }
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backup_and_a_rehearsal_are_noted_side_by_side() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(Record::read(folder.path()), Record::default());
        let (first, second) = (DateTime::UNIX_EPOCH, DateTime::UNIX_EPOCH + chrono::TimeDelta::days(1));
        Record::note_backup(folder.path(), Path::new("/mnt/backup"), first).unwrap();
        Record::note_rehearsal(folder.path(), second).unwrap();
        let record = Record::read(folder.path());
        assert_eq!(record.backed_up_at, Some(first));
        assert_eq!(record.rehearsed_at, Some(second));
        assert_eq!(record.folder.as_deref(), Some(Path::new("/mnt/backup")));
        fs::write(folder.path().join(FILE), "{").unwrap();
        assert_eq!(Record::read(folder.path()), Record::default());
    }
}
