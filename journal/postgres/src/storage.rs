//! Where the database is: a server that was given, or one of our own.

use std::path::PathBuf;

use sqlx::Connection as _;
use thiserror::Error;

use crate::data_dir::DataDir;
use crate::embedded::{Archive, EmbeddedError, Server};
use crate::logins::{NODE_LOGIN, grant_login, prepare_node_login};
use crate::{LoginError, MigrationError, connect, migrate, migrate_or_check};

/// Why there is no database.
#[derive(Debug, Error)]
pub enum StorageError {
    /// The embedded server did not start or stop.
    #[error(transparent)]
    Embedded(#[from] EmbeddedError),
    /// The thread that starts or stops it was lost.
    #[error("the embedded PostgreSQL was given up")]
    Abandoned(#[source] tokio::task::JoinError),
    /// The node's login cannot be made in the embedded server.
    #[error("cannot make the login of nodes in the private PostgreSQL")]
    Login(#[source] sqlx::Error),
    /// The node's login cannot be let in.
    #[error(transparent)]
    Grant(#[from] LoginError),
    /// The schema is not up to date.
    #[error(transparent)]
    Migration(#[from] MigrationError),
    /// What was asked for needs the owner.
    #[error(
        "the user of DATABASE_URL does not own the database, and this command needs its owner: set CAUDAL_OWNER_DATABASE_URL"
    )]
    NoOwner,
}

/// The URLs of a database that was given.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// As nodes reach it; none for the private database.
    pub node: Option<String>,
    /// As the owner of the schemas reaches it. Where there is none, `node` may be the owner's.
    pub owner: Option<String>,
    /// The folder into which the private database archives, if it does.
    pub archive: Option<PathBuf>,
}

/// A database that answers, for as long as this value lives.
#[derive(Debug)]
pub struct Storage {
    node: String,
    owner: Option<String>,
    server: Option<Server>,
}

impl Storage {
    /// The given server where there is a URL; else the embedded one of this data folder, started, or joined when another
    /// process runs it already.
    ///
    /// # Errors
    /// When no embedded server can be started. A given server is not tried here.
    pub async fn open(data_dir: &DataDir, given: Given) -> Result<Self, StorageError> {
        let Given { node, owner, archive } = given;
        if let Some(node) = node.or_else(|| owner.clone()) {
            return Ok(Self {
                node,
                owner,
                server: None,
            });
        }
        let data_dir = data_dir.clone();
        let server = off_the_runtime(move || match archive {
            Some(folder) => Server::start_or_join_archiving(&data_dir, &Archive::at(&folder)?),
            None => Server::start_or_join(&data_dir),
        })
        .await?;
        Ok(Self {
            node: server.node_url(),
            owner: Some(server.url().to_owned()),
            server: Some(server),
        })
    }

    /// Brings the schema up to date as the owner. Where the owner is not known and the user of the node's URL is not the
    /// owner either, checks that the schema is up to date.
    ///
    /// # Errors
    /// When a migration fails, or the schema is behind and nobody here may change it.
    pub async fn prepare(&self) -> Result<(), StorageError> {
        let Some(owner) = &self.owner else {
            return Ok(migrate_or_check(&self.node).await?);
        };
        migrate(owner).await?;
        if self.server.is_some() {
            self.let_node_in(owner).await?;
        }
        Ok(())
    }

    /// In a private cluster: the node's login, and its membership.
    async fn let_node_in(&self, owner: &str) -> Result<(), StorageError> {
        let mut connection = connect(owner).await.map_err(StorageError::Login)?;
        prepare_node_login(&mut connection).await.map_err(StorageError::Login)?;
        let is_member: bool = sqlx::query_scalar("SELECT pg_has_role($1, 'caudal_node', 'MEMBER')")
            .bind(NODE_LOGIN)
            .fetch_one(&mut connection)
            .await
            .map_err(StorageError::Login)?;
        connection.close().await.map_err(StorageError::Login)?;
        if !is_member {
            grant_login(owner, NODE_LOGIN).await?;
        }
        Ok(())
    }

    /// The private server, where this is one.
    pub fn private(&self) -> Option<&Server> {
        self.server.as_ref()
    }

    /// The connection URL of nodes, for [`crate::Database::connect`].
    pub fn node_url(&self) -> &str {
        &self.node
    }

    /// The owner's connection URL, for statements that change the schema; the node's where no owner was named.
    pub fn owner_url(&self) -> &str {
        self.owner.as_deref().unwrap_or(&self.node)
    }

    /// As [`Storage::owner_url`], checked.
    ///
    /// # Errors
    /// When its user does not own the schema.
    pub async fn checked_owner_url(&self) -> Result<&str, StorageError> {
        let url = self.owner_url();
        let mut connection = connect(url).await.map_err(MigrationError::Connect)?;
        let owns: bool = sqlx::query_scalar(
            "SELECT COALESCE((SELECT pg_has_role(nspowner, 'USAGE') FROM pg_namespace WHERE nspname = 'journal'), false)",
        )
        .fetch_one(&mut connection)
        .await
        .map_err(MigrationError::State)?;
        connection.close().await.map_err(MigrationError::State)?;
        if owns { Ok(url) } else { Err(StorageError::NoOwner) }
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
