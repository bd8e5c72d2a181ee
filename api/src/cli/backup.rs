//! `caudal backup` and `caudal restore`: backups of the private database, and point-in-time restore.

use super::{Failure, Place, node::Node, say, verify};
use crate::backups::{self, Record};
use caudal_journal::KeyPlace;
use caudal_postgres::{
    DataDir, Storage,
    embedded::{Archive, Server, Target},
};
use chrono::{DateTime, Utc};
use clap::Args;
use std::path::{Path, PathBuf};

/// Format of a base backup's name: the time at which it ended.
const NAME: &str = "%Y%m%dT%H%M%SZ";

/// Backs the private database and the files up into the folder of --backup-to, while the server runs.
///
/// The server archives into the same folder continuously, so that any moment after the first backup can be restored. The key
/// file is not in the folder: keep its copy elsewhere.
#[derive(Args, Debug)]
pub struct Backup {
    /// Restore the newest backup into a scratch server and verify every tenant, in place of making one
    #[arg(long)]
    rehearse: bool,
    /// How many backups stay; older ones, and what was archived before them, are removed
    #[arg(long, value_name = "NUMBER", default_value_t = 7)]
    keep: usize,
    #[command(flatten)]
    place: Place,
}

/// Restores the private database from the folder of --backup-to, or its copy in a bucket, and verifies every tenant.
///
/// Caudal must be stopped. The present data are moved aside, not removed. Put the key file of the time of the backup in place
/// first.
#[derive(Args, Debug)]
pub struct Restore {
    /// The moment, like 2026-11-23T12:00:00Z
    /// [default: the last that was archived]
    #[arg(long, value_name = "TIME", verbatim_doc_comment)]
    to: Option<DateTime<Utc>>,
    #[command(flatten)]
    place: Place,
}

/// The archive of the private database; fails for any other database.
fn archive(place: &Place) -> Result<Archive, Failure> {
    let given = place.given();
    if given.node.is_some() || given.owner.is_some() {
        return Err(
            "this is for the private database; for the one of DATABASE_URL: scripts/backup and scripts/restore".into(),
        );
    }
    let folder = given.archive.ok_or(
        "where to? set --backup-to (CAUDAL_BACKUP_TO, backup-to in the configuration file), for the server too",
    )?;
    Ok(Archive::at(&folder)?)
}

impl Backup {
    pub async fn run(self) -> Result<(), Failure> {
        let archive = archive(&self.place)?;
        if self.rehearse {
            return rehearse(&self.place, &archive).await;
        }
        let data_dir = self.place.data_dir()?;
        let storage = Storage::open(&data_dir, self.place.given()).await?;
        let made = match storage.private() {
            Some(server) => server.back_up(&archive).await.map_err(Failure::from),
            None => Err("there is no private database".into()),
        };
        storage.shutdown().await?;
        let name = made?;
        if self.place.files.is_none() {
            copy_missing(&backups::files(data_dir.path()), &backups::files(archive.folder()))?;
        }
        archive.prune(self.keep)?;
        Record::note_backup(data_dir.path(), archive.folder(), Utc::now())?;
        say(&format!(
            "backed up to {} as {name}; keep the key file apart from it",
            archive.folder().display()
        ));
        Ok(())
    }
}

/// Restores the newest backup into a temporary folder and verifies every tenant there. Where a bucket has a copy, it is the
/// copy that is rehearsed.
async fn rehearse(place: &Place, archive: &Archive) -> Result<(), Failure> {
    let scratch = tempfile::Builder::new().prefix("caudal-rehearsal-").tempdir()?;
    let data_dir = place.data_dir()?;
    let restored = DataDir::at(scratch.path())?;
    let copied = scratch.path().join("copy");
    let archive = match place.backup_copy(&copied)? {
        Some(copy) => {
            let archive = Archive::at(&copied)?;
            copy.bring_back(&archive, None).await?;
            archive
        }
        None => archive.clone(),
    };
    let name = newest(&archive, None)?;
    restore(&restored, &archive, &name, None, false).await?;
    let keys = place.keys(&data_dir)?;
    let there = Place {
        data_dir: Some(scratch.path().to_owned()),
        backup_to: None,
        backup_copy_to: None,
        master_key_file: match keys.place {
            KeyPlace::File(path) => Some(path),
            KeyPlace::Environment(_) => None,
        },
        ..place.clone()
    };
    let tenants = verify_all(&there).await?;
    Record::note_rehearsal(data_dir.path(), Utc::now())?;
    say(&format!(
        "the backup {name} and what was archived since are whole; tenants: {tenants}"
    ));
    Ok(())
}

impl Restore {
    pub async fn run(self) -> Result<(), Failure> {
        let archive = archive(&self.place)?;
        let data_dir = self.place.data_dir()?;
        let keys = self.place.keys(&data_dir)?;
        if let KeyPlace::File(path) = &keys.place
            && !path.is_file()
        {
            return Err(format!("put the key file of the time of the backup to {} first", path.display()).into());
        }
        if let Some(copy) = self.place.backup_copy(archive.folder())? {
            let limit = self.to.map(|to| to.format(NAME).to_string());
            copy.bring_back(&archive, limit.as_deref()).await?;
        }
        let name = newest(&archive, self.to)?;
        restore(&data_dir, &archive, &name, self.to, true).await?;
        if self.place.files.is_none() {
            copy_missing(&backups::files(archive.folder()), &backups::files(data_dir.path()))?;
        }
        let tenants = verify_all(&self.place).await?;
        say(&format!(
            "restored from {name} and the archive since; tenants, all whole: {tenants}"
        ));
        say("go on with docs/operations.md, after a restore: quarantines, and whom to forget again");
        Ok(())
    }
}

/// The newest backup that ended before a time.
fn newest(archive: &Archive, to: Option<DateTime<Utc>>) -> Result<String, Failure> {
    let names = archive.base_backups()?;
    let limit = to.map(|to| to.format(NAME).to_string());
    let found = names
        .iter()
        .rev()
        .find(|name| limit.as_ref().is_none_or(|limit| *name <= limit));
    found.cloned().ok_or_else(|| match (&limit, names.first()) {
        (Some(_), Some(first)) => format!("the oldest backup is of {first}: nothing before it can be restored").into(),
        _ => format!("there is no backup in {}", archive.folder().display()).into(),
    })
}

async fn restore(
    data_dir: &DataDir,
    archive: &Archive,
    name: &str,
    to: Option<DateTime<Utc>>,
    goes_on: bool,
) -> Result<(), Failure> {
    let (data_dir, archive, name) = (data_dir.clone(), archive.clone(), name.to_owned());
    let target = Target {
        time: to.map(|to| to.to_rfc3339()),
    };
    let restoring = move || Server::restore(&data_dir, &archive, &name, &target, goes_on);
    Ok(tokio::task::spawn_blocking(restoring).await??)
}

/// Verifies the chain, the ledger and the rows beside the log of every tenant. Returns the number of tenants.
async fn verify_all(place: &Place) -> Result<usize, Failure> {
    let node = Node::open(place, "caudal restore").await?;
    let outcome = verify::logs(&node).await;
    node.close().await?;
    outcome
}

/// Copies missing files. A file is named after the hash of its content and never changes.
fn copy_missing(from: &Path, to: &Path) -> std::io::Result<()> {
    if !from.is_dir() {
        return Ok(());
    }
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from)? {
        let source = entry?.path();
        let Some(name) = source.file_name() else { continue };
        let target: PathBuf = to.join(name);
        if source.is_dir() {
            copy_missing(&source, &target)?;
        } else if !target.exists() {
            let mut part = target.clone().into_os_string();
            part.push(".part");
            std::fs::copy(&source, &part)?;
            std::fs::File::open(&part)?.sync_all()?;
            std::fs::rename(&part, &target)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_that_are_missing_are_copied_with_their_folders() {
        let folder = tempfile::tempdir().unwrap();
        let (from, to) = (folder.path().join("from"), folder.path().join("to"));
        std::fs::create_dir_all(from.join("acme/ab")).unwrap();
        std::fs::write(from.join("acme/ab/one"), "1").unwrap();
        copy_missing(&from, &to).unwrap();
        std::fs::write(from.join("acme/ab/two"), "2").unwrap();
        copy_missing(&from, &to).unwrap();
        assert_eq!(std::fs::read(to.join("acme/ab/two")).unwrap(), b"2");
        assert_eq!(std::fs::read_dir(to.join("acme/ab")).unwrap().count(), 2);
        copy_missing(&folder.path().join("nothing"), &to).unwrap();
    }
}
