//! Discovery of PostgreSQL's programs: PG_BIN_DIR, then the npm package, then the system's.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::account::Account;
use super::error::EmbeddedError;
use super::package;

/// Oldest version that the migrations support.
const OLDEST_MAJOR: u32 = 15;

/// Packagers' folders that contain `VERSION/bin`, each with the prefix of the version.
const SYSTEM_FOLDERS: [(&str, &str); 4] = [
    ("/usr/lib/postgresql", ""),
    ("/usr", "pgsql-"),
    ("/opt/homebrew/opt", "postgresql@"),
    ("/usr/local/opt", "postgresql@"),
];

/// Programs of one PostgreSQL version, in one folder.
#[derive(Debug, Clone)]
pub(super) struct Binaries {
    folder: PathBuf,
    pub(super) major: u32,
    /// Such as `17.10`.
    pub(super) version: String,
}

impl Binaries {
    /// The first that fits: of the major version `wanted`, since only that can read existing data, or any that the
    /// migrations run on.
    pub(super) fn find(wanted: Option<u32>, account: &Account) -> Result<Self, EmbeddedError> {
        let fits = |binaries: &Self| wanted.map_or(binaries.major >= OLDEST_MAJOR, |major| binaries.major == major);
        if let Some(folder) = std::env::var_os("PG_BIN_DIR").filter(|folder| !folder.is_empty()) {
            return Self::named(Path::new(&folder), wanted, fits);
        }
        if let Some(package) = package::find() {
            package::complete(&package)?;
            if let Some(binaries) = Self::inspect(&package.join("native/bin")).filter(fits) {
                let folder = package::reachable(&package, &binaries.version, account)?;
                return Ok(Self { folder, ..binaries });
            }
        }
        system_folders()
            .iter()
            .filter_map(|folder| Self::inspect(folder))
            .filter(fits)
            .max_by_key(|binaries| binaries.major)
            .ok_or_else(|| EmbeddedError::NoBinaries {
                wanted,
                command: install_command(),
            })
    }

    pub(super) fn program(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    fn named(folder: &Path, wanted: Option<u32>, fits: impl Fn(&Self) -> bool) -> Result<Self, EmbeddedError> {
        let found = Self::inspect(folder);
        let version = found
            .as_ref()
            .map_or("none".to_owned(), |binaries| binaries.version.clone());
        found.filter(fits).ok_or_else(|| EmbeddedError::WrongBinaries {
            path: folder.to_owned(),
            found: version,
            wanted: wanted.map_or(format!("{OLDEST_MAJOR} or later"), |major| {
                format!("{major}, which wrote the data,")
            }),
        })
    }

    /// What is in a folder, if that is a complete PostgreSQL.
    fn inspect(folder: &Path) -> Option<Self> {
        if !folder.join("initdb").is_file() {
            return None;
        }
        let output = Command::new(folder.join("postgres")).arg("--version").output().ok()?;
        let said = String::from_utf8(output.stdout).ok()?;
        // "postgres (PostgreSQL) 15.10 (Debian 15.10-0+deb12u1)"
        let version = said.split_whitespace().nth(2)?.to_owned();
        let major = version
            .chars()
            .take_while(char::is_ascii_digit)
            .collect::<String>()
            .parse()
            .ok()?;
        Some(Self {
            folder: folder.canonicalize().ok()?,
            major,
            version,
        })
    }
}

/// The version of PostgreSQL that a new cluster would run on, such as `17.10`.
///
/// # Errors
/// When none is installed; the error names the command that does it.
pub fn installed_version() -> Result<String, EmbeddedError> {
    Ok(Binaries::find(None, &Account::choose()?)?.version)
}

fn system_folders() -> Vec<PathBuf> {
    let mut folders = Vec::new();
    for (parent, prefix) in SYSTEM_FOLDERS {
        let Ok(entries) = fs::read_dir(parent) else { continue };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.strip_prefix(prefix));
            if number.is_some_and(|number| number.parse::<u32>().is_ok()) {
                folders.push(entry.path().join("bin"));
            }
        }
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    folders.extend(std::env::split_paths(&path));
    folders
}

fn install_command() -> String {
    package::install_command().unwrap_or_else(|| {
        if cfg!(target_os = "macos") {
            "brew install postgresql@17"
        } else {
            "apt-get install postgresql"
        }
        .to_owned()
    })
}
