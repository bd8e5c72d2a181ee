//! Owner-only files: creation, and rejection of files that others can read.

use super::KeyError;
use std::{
    fs, io,
    io::Write as _,
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::Path,
};

/// Mode bits of group and others.
const BEYOND_THE_OWNER: u32 = 0o077;

/// Mode bits of a folder that let others replace its files.
const WRITABLE_BY_OTHERS: u32 = 0o022;

pub(crate) fn create_private_folder(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

pub(crate) fn write_private(path: &Path, text: &str) -> io::Result<()> {
    let mut file = fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// Rejects a secret file that others can read or write, or whose folder lets them replace it.
///
/// # Errors
/// [`KeyError::Permissions`] with the command that corrects it; [`KeyError::File`] for a missing file.
pub fn check_private(path: &Path) -> Result<(), KeyError> {
    let mode = |of: &Path| {
        fs::metadata(of)
            .map(|metadata| metadata.permissions().mode() & 0o7777)
            .map_err(|source| KeyError::File {
                path: of.to_owned(),
                source,
            })
    };
    let refuse = |of: &Path, mode, wanted| {
        Err(KeyError::Permissions {
            path: of.to_owned(),
            mode,
            wanted,
        })
    };
    let found = mode(path)?;
    if found & BEYOND_THE_OWNER != 0 {
        return refuse(path, found, "600");
    }
    let folder = match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let found = mode(folder)?;
    if found & WRITABLE_BY_OTHERS != 0 {
        return refuse(folder, found, "700");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_others_can_read_and_a_folder_that_others_can_write_are_refused_with_the_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secret");
        write_private(&path, "x").unwrap();
        check_private(&path).unwrap();
        let set = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        for mode in [0o644, 0o640, 0o604, 0o620, 0o602, 0o610] {
            set(&path, mode);
            let refused = check_private(&path).unwrap_err();
            assert!(matches!(refused, KeyError::Permissions { .. }), "{refused}");
            let remedy = format!("chmod 600 {}", path.display());
            assert!(refused.to_string().contains(&remedy), "{refused}");
        }
        for mode in [0o600, 0o400] {
            set(&path, mode);
            check_private(&path).unwrap();
        }
        for mode in [0o777, 0o1777, 0o770, 0o702] {
            set(folder.path(), mode);
            let refused = check_private(&path).unwrap_err();
            let remedy = format!("chmod 700 {}", folder.path().display());
            assert!(refused.to_string().contains(&remedy), "{refused}");
        }
        for mode in [0o700, 0o711, 0o755] {
            set(folder.path(), mode);
            check_private(&path).unwrap();
        }
    }
}
