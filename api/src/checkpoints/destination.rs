//! Where checkpoints go: a folder, an object store, a mailbox. A file that is there is never written over; where another
//! node was faster it must sign the same end of the log. Folders and object stores are read again: what was signed once is
//! held against the log.

use crate::{
    extract::Language,
    files::Bucket,
    mail::{Letter, Mail, Mailer, Undelivered},
};
use caudal_domain::ids::TenantId;
use caudal_journal::{Checkpoint, MAX_CHECKPOINT_BYTES};
use object_store::{
    Error as StoreError, ObjectMeta, ObjectStore, ObjectStoreExt as _, PutMode, local::LocalFileSystem,
    path::Path as StorePath,
};
use std::{fmt, path::PathBuf, str::FromStr, sync::Arc, time::Duration};
use tokio::time::{error::Elapsed, timeout};

/// A place that checkpoints are sent to, as it is written in settings.
#[derive(Clone, PartialEq, Eq)]
pub enum Destination {
    /// A folder: best on another machine's disk.
    Folder(PathBuf),
    /// An S3-compatible bucket and the prefix in it; the rest is in the environment, `AWS_ACCESS_KEY_ID` and so on.
    Bucket(Bucket),
    /// An e-mail address.
    Mailbox(String),
}

/// Why a checkpoint did not get to a place.
#[derive(Debug, thiserror::Error)]
pub enum DestinationError {
    #[error("a destination is a folder, s3://BUCKET/PREFIX or mailto:ADDRESS, not {0:?}")]
    Unknown(String),
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
        /// What it holds; none where it is no checkpoint.
        found: Option<Box<Checkpoint>>,
    },
}

/// How long a destination may take to be read: a listing of a year's files takes a second. The store's own retries would
/// go on for minutes.
const READ_PATIENCE: Duration = Duration::from_secs(15);

/// What the name of a checkpoint's file ends with.
const FILE_END: &str = ".checkpoint.json";

/// The position that a file's name says, where it is one of a tenant's checkpoints.
fn position_in(tenant: &TenantId, name: &str) -> Option<i64> {
    let digits = name
        .strip_prefix(tenant.as_str())?
        .strip_prefix('-')?
        .strip_suffix(FILE_END)?;
    let is_number = digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

/// A checkpoint's file at a destination.
#[derive(Clone, Debug)]
pub struct StoredFile {
    /// The position that its name says.
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
    /// Sends a checkpoint. A file of the same position that is there already stays; it must sign the same end of the log.
    /// A mail was taken by the mail server when this returns.
    ///
    /// # Errors
    /// Where it can't be stored, the mail server does not take it, or the file that is there contradicts it.
    pub async fn send(&self, checkpoint: &Checkpoint, mailer: &Mailer) -> Result<(), DestinationError> {
        let text = checkpoint.to_json()?;
        let store = match self {
            Self::Folder(path) => {
                std::fs::create_dir_all(path)?;
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

    /// The store of a folder that is there, or of a bucket; a mailbox can't be read.
    fn store(&self) -> Result<Option<Arc<dyn ObjectStore>>, DestinationError> {
        match self {
            Self::Folder(path) if path.is_dir() => {
                Ok(Some(Arc::new(LocalFileSystem::new_with_prefix(path)?.with_fsync(true))))
            }
            Self::Bucket(bucket) => Ok(Some(bucket.open()?)),
            Self::Folder(_) | Self::Mailbox(_) => Ok(None),
        }
    }

    /// A tenant's checkpoint files, the highest position first; none at a mailbox, or in a folder that is not there yet.
    ///
    /// # Errors
    /// Where the place can't be read.
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

    /// What a checkpoint file holds; none where it is no checkpoint.
    ///
    /// # Errors
    /// Where the place can't be read.
    pub async fn open(&self, file: &StoredFile) -> Result<Option<Checkpoint>, DestinationError> {
        match self.store()? {
            Some(store) => timeout(READ_PATIENCE, read(&*store, &file.meta.location)).await?,
            None => Ok(None),
        }
    }
}

async fn read(store: &dyn ObjectStore, path: &StorePath) -> Result<Option<Checkpoint>, DestinationError> {
    let found = store.get(path).await?;
    if found.meta.size > MAX_CHECKPOINT_BYTES as u64 {
        return Ok(None);
    }
    let bytes = found.bytes().await?;
    let text = std::str::from_utf8(&bytes).ok();
    Ok(text.and_then(|text| Checkpoint::from_json(text).ok()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_destination_is_read_as_it_is_written() {
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
