//! Checks of the keys.

use super::{Finding, InstallationFacts, KeyFault, Outcome};

pub fn examine(facts: &InstallationFacts) -> Outcome {
    let keys = &facts.keys;
    let path = keys.path.display();
    let put_back = "put the right key file back from its copy, or name it with CAUDAL_MASTER_KEY_FILE";
    let mut found = Vec::new();
    if let Some(fault) = &keys.fault {
        found.push(match fault {
            KeyFault::Missing => Finding::wrong(
                "keys.missing",
                format!("there is no key file {path}, and the database was written with one"),
                format!("{put_back}; a new one opens no name, telephone or e-mail"),
            ),
            KeyFault::Permissions(path, mode, wanted) => Finding::wrong(
                "keys.permissions",
                format!(
                    "others than its owner reach the keys: {} has the mode {mode:o}",
                    path.display()
                ),
                format!(
                    "chmod {wanted} {}, and think of rotating the keys: caudal keys rotate-master",
                    path.display()
                ),
            ),
            KeyFault::Unreadable(why) => Finding::wrong(
                "keys.unreadable",
                format!("this user can't read the key file {path}: {why}"),
                format!("chown caudal: {path}"),
            ),
            KeyFault::Format(why) => Finding::wrong("keys.format", format!("{path} is no key file: {why}"), put_back),
            KeyFault::OtherDatabase => Finding::wrong(
                "keys.other_database",
                format!("the key file {path} is not the one that this database was written with"),
                put_back,
            ),
            KeyFault::OtherMaster(id) => Finding::wrong(
                "keys.other_master",
                format!("the master key {id} in {path} is not the one that the database knows by that name"),
                put_back,
            ),
            KeyFault::MissingMaster(id) => Finding::wrong(
                "keys.missing_master",
                format!("the master key {id} is not in {path}, and people's keys are still wrapped with it"),
                "put back a copy of the file that has it, then caudal keys rotate-master --resume",
            ),
            KeyFault::NoProof => Finding::wrong(
                "keys.no_proof",
                "the database has tenants, and the row is gone by which the key file is recognised (journal.keyring)",
                "restore the database, or that row, from a backup",
            ),
            KeyFault::Service(why) => Finding::wrong(
                "keys.service",
                format!("the key management service does not open the keys: {why}"),
                "check CAUDAL_VAULT_ADDRESS, CAUDAL_VAULT_TOKEN_FILE (mode 600) and that Vault is unsealed",
            ),
        });
    }
    if keys.are_in_environment {
        found.push(Finding::warning(
            "keys.in_environment",
            "the keys stand in the environment, where every program of this user can read them and none can rotate them",
            "put them into a file of mode 600 and name it with CAUDAL_MASTER_KEY_FILE",
        ));
    }
    if keys.is_beside_backups {
        found.push(Finding::warning(
            "keys.beside_backups",
            "the key file lies in the folder of the backups: whoever finds them reads everybody's data",
            "keep the copy of the key file elsewhere",
        ));
    }
    Outcome::Examined(found)
}
