//! State of a witness: one file per log, replaced atomically and synced before the cosignature is sent.
//!
//! `STATE/INSTALLATION/TENANT.json` is the last cosigned checkpoint; `STATE/INSTALLATION/TENANT.evidence/` has
//! contradictions of it.

use caudal_domain::ids::TenantId;
use caudal_journal::{Cosignature, SignedCheckpoint, to_hex};
use serde::{Deserialize, Serialize};
use std::{
    fs::{self, File, OpenOptions},
    io::{self, Write as _},
    os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
};

/// Maximum logs; some kilobytes each, and only trusted keys create one.
const MAX_LOGS: usize = 10_000;
/// Maximum stored contradictions per log; one is proof enough.
const MAX_EVIDENCE: usize = 100;

/// Last cosigned checkpoint of a log.
#[derive(Clone, Debug)]
pub struct Seen {
    pub checkpoint: SignedCheckpoint,
    /// The answer to it.
    pub cosignature: Cosignature,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Stored {
    checkpoint: serde_json::Value,
    cosignature: Cosignature,
}

/// Errors of reading or writing the state.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    #[error("{path}: {source}")]
    File { path: PathBuf, source: io::Error },
    /// A malformed file. Never ignored: damage would otherwise allow anything to be cosigned.
    #[error("{0} is damaged: restore it, or end this log's witnessing by moving it away")]
    Damaged(PathBuf),
    #[error("{MAX_LOGS} logs are kept already")]
    Full,
    #[error("JSON")]
    Json(#[from] serde_json::Error),
}

/// Folder of the state.
#[derive(Clone, Debug)]
pub struct State(PathBuf);

impl State {
    /// Opens or creates the folder.
    ///
    /// # Errors
    /// When it can't be created.
    pub fn open(folder: &Path) -> Result<Self, StateError> {
        make_folder(folder)?;
        Ok(Self(folder.to_owned()))
    }

    fn file(&self, installation: &str, tenant: &TenantId) -> PathBuf {
        self.0.join(installation).join(format!("{tenant}.json"))
    }

    /// The last cosigned checkpoint of a log; `None` for a new log.
    ///
    /// # Errors
    /// When the file can't be read, or is damaged.
    pub fn last(&self, installation: &str, tenant: &TenantId) -> Result<Option<Seen>, StateError> {
        let path = self.file(installation, tenant);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => return Err(StateError::File { path, source }),
        };
        let stored: Option<Stored> = serde_json::from_str(&text).ok();
        let seen = stored.and_then(|stored| {
            Some(Seen {
                checkpoint: SignedCheckpoint::from_json(&stored.checkpoint.to_string()).ok()?,
                cosignature: stored.cosignature,
            })
        });
        seen.map(Some).ok_or(StateError::Damaged(path))
    }

    /// Stores the answer durably before it is sent.
    ///
    /// # Errors
    /// When it can't be written, or there are too many logs.
    pub fn keep(&self, installation: &str, seen: &Seen) -> Result<(), StateError> {
        let path = self.file(installation, &seen.checkpoint.tenant);
        let folder = self.0.join(installation);
        make_folder(&folder)?;
        if !path.exists() && count(&folder)? >= MAX_LOGS {
            return Err(StateError::Full);
        }
        replace(&path, &text(seen)?)
    }

    /// Stores a checkpoint that contradicts the last one, together with it.
    ///
    /// # Errors
    /// When it can't be written.
    pub fn keep_evidence(
        &self,
        installation: &str,
        last: &SignedCheckpoint,
        contradiction: &SignedCheckpoint,
    ) -> Result<(), StateError> {
        let folder = self.0.join(installation).join(format!("{}.evidence", last.tenant));
        make_folder(&self.0.join(installation))?;
        make_folder(&folder)?;
        for checkpoint in [last, contradiction] {
            let digest = to_hex(&checkpoint.digest());
            let path = folder.join(format!("{:012}-{}.checkpoint.json", checkpoint.position, &digest[..16]));
            if !path.exists() && count(&folder)? < MAX_EVIDENCE {
                replace(&path, &checkpoint.to_json()?)?;
            }
        }
        Ok(())
    }
}

fn text(seen: &Seen) -> serde_json::Result<String> {
    serde_json::to_string_pretty(&Stored {
        checkpoint: serde_json::from_str(&seen.checkpoint.to_json()?)?,
        cosignature: seen.cosignature.clone(),
    })
}

fn count(folder: &Path) -> Result<usize, StateError> {
    let failed = |source| StateError::File {
        path: folder.to_owned(),
        source,
    };
    Ok(fs::read_dir(folder).map_err(failed)?.count())
}

fn make_folder(path: &Path) -> Result<(), StateError> {
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(path);
    made.and_then(|()| sync_parent(path))
        .map_err(|source| StateError::File {
            path: path.to_owned(),
            source,
        })
}

/// Replaces a file atomically and durably.
fn replace(path: &Path, text: &str) -> Result<(), StateError> {
    let part = path.with_extension("part");
    let written = (|| {
        let mut options = OpenOptions::new();
        let mut file = options
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&part)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&part, path)?;
        sync_parent(path)
    })();
    written.map_err(|source| StateError::File {
        path: path.to_owned(),
        source,
    })
}

fn sync_parent(path: &Path) -> io::Result<()> {
    match path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        Some(parent) => File::open(parent)?.sync_all(),
        None => Ok(()),
    }
}
