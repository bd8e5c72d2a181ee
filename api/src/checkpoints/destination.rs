//! Destinations of checkpoints: a folder, an object store, a mailbox. Existing files are never overwritten; a file
//! written by another node must sign the same end. Folders and object stores are read back: earlier checkpoints are
//! compared with the log.

use crate::{
    files::Bucket,
    language::Language,
    mail::{Letter, Mail, Mailer, Undelivered},
};
use caudal_domain::ids::TenantId;
use caudal_journal::{MAX_CHECKPOINT_BYTES, SignedCheckpoint};
use object_store::{
    Error as StoreError, ObjectMeta, ObjectStore, ObjectStoreExt as _, PutMode, local::LocalFileSystem,
    path::Path as StorePath,
};
use std::{fmt, path::PathBuf, str::FromStr, sync::Arc, time::Duration};
use tokio::time::{error::Elapsed, timeout};

/// A destination, in its configuration syntax.
#[derive(Clone, PartialEq, Eq)]
pub enum Destination {
    /// A folder, preferably on another machine's disk.
    Folder(PathBuf),
    /// An S3-compatible bucket with prefix; credentials come from the environment (`AWS_ACCESS_KEY_ID` and so on).
    Bucket(Bucket),
    Mailbox(String),
}

/// Why a checkpoint was not delivered.
#[derive(Debug, thiserror::Error)]
pub enum DestinationError {
    #[error("a destination is a folder, s3://BUCKET/PREFIX or mailto:ADDRESS, not {0:?}")]
    Unknown(String),
    #[error("the folder is not there: mount it, or make it where it is new")]
    NoFolder,
    #[error("the folder can't be made")]
    Folder(#[from] std::io::Error),
    #[error("it was not stored")]
    Store(#[from] StoreError),
    #[error("it can't be written")]
    Json(#[from] serde_json::Error),
    #[error("no answer within {} seconds", READ_PATIENCE.as_secs())]
    Silent(#[from] Elapsed),
    #[error("the mail was not delivered")]
    Mail(#[from] Undelivered),
    #[error(
        "{place} is there already and is another checkpoint: the log was rewritten, or the file was; keep both and compare \
         them"
    )]
    Conflict {
        place: String,
        /// The existing file's checkpoint; `None` when it is none.
        found: Option<Box<SignedCheckpoint>>,
    },
}

/// Read timeout of a destination; listing a year of files takes a second, while the store's own retries last minutes.
const READ_PATIENCE: Duration = Duration::from_secs(15);

/// File name suffix of checkpoints.
const FILE_END: &str = ".checkpoint.json";

/// Position in the name of a tenant's checkpoint file.
fn position_in(tenant: &TenantId, name: &str) -> Option<i64> {
    let digits = name
        .strip_prefix(tenant.as_str())?
        .strip_prefix('-')?
        .strip_suffix(FILE_END)?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

/// A checkpoint file at a destination.
#[derive(Clone, Debug)]
pub struct StoredFile {
    /// Position in its name.
    pub position: i64,
    /// Name, size, time and tag.
    pub meta: ObjectMeta,
}

impl FromStr for Destination {
    type Err = DestinationError;

    fn from_str(text: &str) -> Result<Self, DestinationError> {
        let unknown = || DestinationError::Unknown(text.to_owned());
        if let Some(address) = text.strip_prefix("mailto:") {
            let shaped = address
                .split_once('@')
                .is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
            return if shaped {
                Ok(Self::Mailbox(address.to_owned()))
            } else {
                Err(unknown())
            };
        }
        if let Ok(bucket) = text.parse() {
            return Ok(Self::Bucket(bucket));
        }
        if text.is_empty() || text.contains("://") {
            return Err(unknown());
        }
        Ok(Self::Folder(PathBuf::from(text)))
    }
}

impl fmt::Display for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Folder(path) => path.display().fmt(f),
            Self::Bucket(bucket) => bucket.fmt(f),
            Self::Mailbox(address) => write!(f, "mailto:{address}"),
        }
    }
}

impl fmt::Debug for Destination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Destination {
    /// Delivers a checkpoint. An existing file of the position stays; it must sign the same end. A mail is accepted by
    /// the mail server on return.
    ///
    /// # Errors
    /// When it can't be stored or mailed, or an existing file contradicts it.
    pub async fn send(&self, checkpoint: &SignedCheckpoint, mailer: &Mailer) -> Result<(), DestinationError> {
        let text = checkpoint.to_json()?;
        let store = match self {
            Self::Folder(path) => {
                // Later on, a folder that is not there is a disk that is not mounted.
                if checkpoint.is_first() {
                    std::fs::create_dir_all(path)?;
                }
                self.store()?
            }
            Self::Bucket(_) => self.store()?,
            Self::Mailbox(address) => {
                let mail = Mail {
                    to: address.clone(),
                    language: Language::Spanish,
                    letter: Letter::Checkpoint {
                        tenant: checkpoint.tenant.to_string(),
                        file_name: checkpoint.file_name(),
                        text,
                    },
                };
                return Ok(mailer.send(&mail).await?);
            }
        };
        let Some(store) = store else { return Ok(()) };
        let path = StorePath::from(checkpoint.file_name());
        match store.put_opts(&path, text.into(), PutMode::Create.into()).await {
            Ok(_) => Ok(()),
            Err(StoreError::AlreadyExists { .. }) => {
                let found = timeout(READ_PATIENCE, read(&*store, &path)).await??;
                if found.as_ref().is_some_and(|found| found.agrees_with(checkpoint)) {
                    return Ok(());
                }
                Err(DestinationError::Conflict {
                    place: format!("{self}/{path}"),
                    found: found.map(Box::new),
                })
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Store of a folder or a bucket; `None` for a mailbox.
    fn store(&self) -> Result<Option<Arc<dyn ObjectStore>>, DestinationError> {
        match self {
            Self::Folder(path) if path.is_dir() => {
                Ok(Some(Arc::new(LocalFileSystem::new_with_prefix(path)?.with_fsync(true))))
            }
            Self::Folder(_) => Err(DestinationError::NoFolder),
            Self::Bucket(bucket) => Ok(Some(bucket.open()?)),
            Self::Mailbox(_) => Ok(None),
        }
    }

    /// A tenant's checkpoint files, highest position first; empty for a mailbox.
    ///
    /// # Errors
    /// When the destination can't be read, or is a folder that is not there.
    pub async fn files(&self, tenant: &TenantId) -> Result<Vec<StoredFile>, DestinationError> {
        let Some(store) = self.store()? else {
            return Ok(Vec::new());
        };
        let listed = timeout(READ_PATIENCE, store.list_with_delimiter(None)).await??;
        let named = |meta: ObjectMeta| {
            let position = position_in(tenant, meta.location.filename()?)?;
            Some(StoredFile { position, meta })
        };
        let mut files: Vec<_> = listed.objects.into_iter().filter_map(named).collect();
        files.sort_by_key(|file| std::cmp::Reverse(file.position));
        Ok(files)
    }

    /// The checkpoint in a file; `None` when it is none.
    ///
    /// # Errors
    /// When the destination can't be read.
    pub async fn open(&self, file: &StoredFile) -> Result<Option<SignedCheckpoint>, DestinationError> {
        match self.store()? {
            Some(store) => timeout(READ_PATIENCE, read(&*store, &file.meta.location)).await?,
            None => Ok(None),
        }
    }
}

async fn read(store: &dyn ObjectStore, path: &StorePath) -> Result<Option<SignedCheckpoint>, DestinationError> {
    let found = store.get(path).await?;
    if found.meta.size > MAX_CHECKPOINT_BYTES as u64 {
        return Ok(None);
    }
    let bytes = found.bytes().await?;
    let text = std::str::from_utf8(&bytes).ok();
    Ok(text.and_then(|text| SignedCheckpoint::from_json(text).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destinations_parse_and_print_alike() {
        for text in [
            "/var/checkpoints",
            "s3://bucket/caudal/acme",
            "mailto:auditor@example.org",
        ] {
            assert_eq!(text.parse::<Destination>().unwrap().to_string(), text);
        }
        for text in ["", "ftp://host", "s3://", "mailto:nobody"] {
            assert!(text.parse::<Destination>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_file_is_one_tenant_s_by_its_name() {
        let acme: TenantId = "acme".parse().unwrap();
        assert_eq!(position_in(&acme, "acme-000000000012.checkpoint.json"), Some(12));
        for other in [
            "acme-2-000000000012.checkpoint.json",
            "acme-.checkpoint.json",
            "acme-+12.checkpoint.json",
            "acme-000000000012.json",
            "acme-99999999999999999999.checkpoint.json",
        ] {
            assert_eq!(position_in(&acme, other), None, "{other}");
        }
    }
}
