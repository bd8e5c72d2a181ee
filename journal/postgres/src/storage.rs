//! Location of the database: an external server or the embedded one.

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
    #[error(transparent)]
    Embedded(#[from] EmbeddedError),
    #[error("the embedded PostgreSQL was given up")]
    Abandoned(#[source] tokio::task::JoinError),
    #[error("cannot make the login of nodes in the private PostgreSQL")]
    Login(#[source] sqlx::Error),
    #[error(transparent)]
    Grant(#[from] LoginError),
    #[error(transparent)]
    Migration(#[from] MigrationError),
    #[error(
        "the user of DATABASE_URL does not own the database, and this command needs its owner: set CAUDAL_OWNER_DATABASE_URL"
    )]
    NoOwner,
}

/// URLs of an external database.
#[derive(Debug, Clone, Default)]
pub struct Given {
    /// URL for nodes; `None` selects the embedded database.
    pub node: Option<String>,
    /// URL of the schemas' owner. Without it, `node` may be the owner's.
    pub owner: Option<String>,
    /// The folder into which the private database archives, if it does.
    pub archive: Option<PathBuf>,
}

/// A reachable database, for the lifetime of this value.
#[derive(Debug)]
pub struct Storage {
    node: String,
    owner: Option<String>,
    server: Option<Server>,
}

impl Storage {
    /// Selects the external server when a URL is given; otherwise starts or joins the embedded server of the data
    /// folder.
    ///
    /// # Errors
    /// When the embedded server cannot be started. An external server is not contacted here.
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

    /// Migrates the schema as its owner. When no owner is known, checks that the schema is current.
    ///
    /// # Errors
    /// When a migration fails, or the schema is outdated and no known user may change it.
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

    /// Creates the node's login in a private cluster and grants its membership.
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

    /// The owner's connection URL, for schema changes; the node's when no owner was given.
    pub fn owner_url(&self) -> &str {
        self.owner.as_deref().unwrap_or(&self.node)
    }

    /// The owner's URL, verified.
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
    /// When the server had to be killed.
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
