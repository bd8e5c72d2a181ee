//! Checks of the settings themselves.

use super::{Finding, InstallationFacts, Outcome};

pub fn examine(facts: &InstallationFacts) -> Outcome {
    let settings = &facts.settings;
    let mut found: Vec<_> = settings
        .broken
        .iter()
        .map(|broken| {
            Finding::wrong(
                "settings.broken",
                format!("{}: {}", broken.source, broken.problem),
                broken.remedy.clone(),
            )
        })
        .collect();
    if let Some((file, mode)) = &settings.exposed_file {
        found.push(Finding::wrong(
            "settings.exposed",
            format!(
                "everybody can read {} (mode {mode:o}), and it holds passwords",
                file.display()
            ),
            format!("chmod 640 {0} && chgrp caudal {0}", file.display()),
        ));
    }
    for setting in &settings.accepted_volatile {
        found.push(Finding::warning(
            "settings.volatile",
            format!("CAUDAL_ACCEPT_VOLATILE accepts {setting} = off: a crash may lose what callers were told is done"),
            format!("take {setting} out of CAUDAL_ACCEPT_VOLATILE, unless this is a copy for trying things out"),
        ));
    }
    if !settings.has_checkpoints_elsewhere {
        found.push(Finding::warning(
            "settings.checkpoints",
            "no signed checkpoint leaves this installation: nobody outside could prove that the log was rewritten",
            "set --checkpoint-to (CAUDAL_CHECKPOINT_TO) to a folder on another machine, a bucket or mailto:ADDRESS",
        ));
    }
    for folder in &settings.checkpoint_folders_inside {
        found.push(Finding::warning(
            "settings.checkpoints_inside",
            format!(
                "checkpoints are kept in {}, within the data folder that they should outlive",
                folder.display()
            ),
            "name a folder on another machine's disk in --checkpoint-to",
        ));
    }
    for (folder, why) in &settings.unwritable_checkpoint_folders {
        found.push(Finding::wrong(
            "settings.checkpoints_unwritable",
            format!("no checkpoint can be written to {}: {why}", folder.display()),
            format!("mount {0}, or chown it to the user that runs Caudal", folder.display()),
        ));
    }
    Outcome::Examined(found)
}
