//! Where the database is: a server that was given, or one of our own.

use thiserror::Error;

use crate::data_dir::DataDir;
use crate::embedded::{EmbeddedError, Server};

/// Why there is no database.
#[derive(Debug, Error)]
pub enum StorageError {
    /// The embedded server did not start or stop.
    #[error(transparent)]
    Embedded(#[from] EmbeddedError),
    /// The thread that starts or stops it was lost.
    #[error("the embedded PostgreSQL was given up")]
    Abandoned(#[source] tokio::task::JoinError),
}

/// A database that answers, for as long as this value lives.
#[derive(Debug)]
pub struct Storage {
    url: String,
    server: Option<Server>,
}

impl Storage {
    /// The given server where there is a `database_url`; else the embedded one of this data folder, started, or
    /// joined when another process runs it already.
    ///
    /// # Errors
    /// When no embedded server can be started. A given server is not tried here.
    pub async fn open(data_dir: &DataDir, database_url: Option<String>) -> Result<Self, StorageError> {
        if let Some(url) = database_url {
            return Ok(Self { url, server: None });
        }
        let data_dir = data_dir.clone();
        let server = off_the_runtime(move || Server::start_or_join(&data_dir)).await?;
        Ok(Self {
            url: server.url().to_owned(),
            server: Some(server),
        })
    }

    /// The owner's connection URL, for [`crate::migrate`] and [`crate::Database::connect`].
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Stops the embedded server if this process started it. Close the pools first.
    ///
    /// # Errors
    /// When the server did not stop in good order within its time.
    pub async fn shutdown(self) -> Result<(), StorageError> {
        match self.server {
            Some(server) => off_the_runtime(move || server.stop()).await,
            None => Ok(()),
        }
    }
}

async fn off_the_runtime<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, EmbeddedError> + Send + 'static,
) -> Result<T, StorageError> {
    Ok(tokio::task::spawn_blocking(work)
        .await
        .map_err(StorageError::Abandoned)??)
}
