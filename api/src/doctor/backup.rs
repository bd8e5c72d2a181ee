//! Checks of backups.

use super::{DatabaseUse, Facts, Finding, Outcome};
use crate::backups::{OLD_BACKUP, OLD_REHEARSAL};

pub fn examine(facts: &Facts) -> Outcome {
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
    Outcome::Examined(found)
}
