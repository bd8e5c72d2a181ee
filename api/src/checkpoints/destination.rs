//! Where checkpoints go: a folder, an object store, a mailbox. What is there once is never written over.

use crate::{
    extract::Language,
    files::Bucket,
    mail::{Letter, Mail, Mailer, Undelivered},
};
use caudal_journal::Checkpoint;
use object_store::{Error as StoreError, ObjectStore, PutMode, local::LocalFileSystem, path::Path as StorePath};
use std::{fmt, path::PathBuf, str::FromStr, sync::Arc};

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
    /// A text that names no place.
    #[error("a destination is a folder, s3://BUCKET/PREFIX or mailto:ADDRESS, not {0:?}")]
    Unknown(String),
    /// The folder can't be made.
    #[error("the folder can't be made")]
    Folder(#[from] std::io::Error),
    /// The store did not take it.
    #[error("it was not stored")]
    Store(#[from] StoreError),
    /// It can't be written as JSON.
    #[error("it can't be written")]
    Json(#[from] serde_json::Error),
    /// The mail was not taken.
    #[error("the mail was not delivered")]
    Mail(#[from] Undelivered),
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
    /// Sends a checkpoint. One of the same name is there already where another node was faster, and stays. A mail was
    /// taken by the mail server when this returns.
    ///
    /// # Errors
    /// Where it can't be stored, or the mail server does not take it.
    pub async fn send(&self, checkpoint: &Checkpoint, mailer: &Mailer) -> Result<(), DestinationError> {
        let text = checkpoint.to_json()?;
        match self {
            Self::Folder(path) => {
                std::fs::create_dir_all(path)?;
                let store = LocalFileSystem::new_with_prefix(path)?.with_fsync(true);
                put(Arc::new(store), checkpoint, text).await
            }
            Self::Bucket(bucket) => put(bucket.open()?, checkpoint, text).await,
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
                Ok(mailer.send(&mail).await?)
            }
        }
    }
}

async fn put(store: Arc<dyn ObjectStore>, checkpoint: &Checkpoint, text: String) -> Result<(), DestinationError> {
    let path = StorePath::from(checkpoint.file_name());
    match store.put_opts(&path, text.into(), PutMode::Create.into()).await {
        Ok(_) | Err(StoreError::AlreadyExists { .. }) => Ok(()),
        Err(error) => Err(error.into()),
    }
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
}
