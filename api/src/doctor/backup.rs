//! Checks of backups.

use super::{BucketUse, DatabaseUse, Finding, InstallationFacts, Outcome};
use crate::backups::{OLD_BACKUP, OLD_COPY, OLD_REHEARSAL};

pub fn examine(facts: &InstallationFacts) -> Outcome {
    let backup = &facts.backup;
    let database = match &facts.database {
        DatabaseUse::NotMade => return Outcome::Skipped("there is nothing to back up yet"),
        other => other.facts(),
    };
    let is_archived = database.is_some_and(|database| database.archive.is_on && database.archive.archived_at.is_some());
    let is_private = match &facts.database {
        DatabaseUse::Answers(database) => database.is_private,
        DatabaseUse::NotStarted(_) | DatabaseUse::NotMade => true,
        DatabaseUse::Unreachable(_) => false,
    };
    let make = if is_private {
        "set backup-to (CAUDAL_BACKUP_TO) to a folder on another disk, restart, and run caudal backup every night"
    } else {
        "scripts/backup FOLDER, every night, to another machine; or archive_mode = on with pg_basebackup"
    };
    let mut found = Vec::new();
    match backup.backed_up_at {
        // A server with an archive of its own may be backed up by others.
        None if is_archived => {}
        None => found.push(Finding::wrong(
            "backup.none",
            "no backup was ever made, as far as this data folder knows",
            make,
        )),
        Some(at) if facts.now - at > OLD_BACKUP => {
            let hours = (facts.now - at).num_hours();
            found.push(Finding::wrong(
                "backup.old",
                format!("the last good backup is {hours} hours old"),
                format!("see why the nightly one fails, and make one now: {make}"),
            ));
        }
        Some(_) => {}
    }
    if backup.backed_up_at.is_some() {
        match backup.rehearsed_at {
            None => found.push(Finding::warning(
                "backup.never_rehearsed",
                "no backup was ever restored for a try",
                "caudal backup --rehearse, or scripts/restore into an empty database",
            )),
            Some(at) if facts.now - at > OLD_REHEARSAL => found.push(Finding::warning(
                "backup.rehearsed_long_ago",
                format!(
                    "a backup was last restored for a try {} days ago",
                    (facts.now - at).num_days()
                ),
                "caudal backup --rehearse, once a month",
            )),
            Some(_) => {}
        }
    }
    if let Some(folder) = &backup.folder {
        if backup.is_gone {
            found.push(Finding::wrong(
                "backup.gone",
                format!("the folder of the last backup is not there: {}", folder.display()),
                "mount it, or make a backup elsewhere",
            ));
        } else if backup.is_on_the_same_disk {
            found.push(Finding::warning(
                "backup.same_disk",
                format!(
                    "{} is on the disk of the data: one broken disk takes both",
                    folder.display()
                ),
                "keep backups on another machine, or at least on another disk",
            ));
        }
    }
    found.extend(copy(facts));
    Outcome::Examined(found)
}

/// The copy in a bucket. Where the bucket itself does not answer, the check of the buckets says so.
fn copy(facts: &InstallationFacts) -> Option<Finding> {
    let copy = facts.backup.copy.as_ref()?;
    if !copy.has_source {
        return Some(Finding::wrong(
            "backup.copy_of_nothing",
            "a bucket is set for the copy of the backups, and there is no folder of a private database's backups to copy",
            "set backup-to (CAUDAL_BACKUP_TO) too and restart; for the database of DATABASE_URL take scripts/backup",
        ));
    }
    let is_unreachable = |bucket: &super::BucketFacts| bucket.holds == BucketUse::Backups && bucket.fault.is_some();
    if facts.buckets.iter().any(is_unreachable) {
        return None;
    }
    match copy.copied_at {
        None => facts.backup.backed_up_at.map(|_| {
            Finding::wrong(
                "backup.never_copied",
                "the bucket never had all backups",
                "the running server copies them: start it with backup-copy-to, and see in its log why the copy fails",
            )
        }),
        Some(at) if facts.now - at > OLD_COPY => Some(Finding::wrong(
            "backup.copy_late",
            format!(
                "for {} minutes the bucket has not had all backups: a lost machine would take them along",
                (facts.now - at).num_minutes()
            ),
            "start the server, which copies them; if it runs, its log says why the copy fails (may it write to the bucket?)",
        )),
        Some(_) => None,
    }
}
