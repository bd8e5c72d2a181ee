//! Common start of all commands: the database with an up-to-date schema, the keys, and the journal.

use super::{Failure, Place, cells::Cell};
use crate::{
    files::{Bucket, Files, FilesError},
    problem::Refused,
};
use caudal_domain::{Actor, Command, ids::TenantId};
use caudal_journal::{
    CellName, Clock, Committed, Directory, Evidence, Journal, KeySource, Keyring, Submission, SubmitError, SystemClock,
    Whereabouts, WithCauses, open_keyring,
};
use caudal_postgres::{
    DataDir, Database, Given, Options, Storage, StorageError, can_rewrite_history, has_asynchronous_standbys_only,
};
use std::{collections::BTreeMap, fs::DirBuilder, os::unix::fs::DirBuilderExt as _, path::Path, sync::Arc};

/// Folder in the data folder with what was seen of other cells' logs, one folder per cell.
const CELLS_FOLDER: &str = "cells";
/// Permissions of such a folder.
const PRIVATE_FOLDER: u32 = 0o700;

pub struct Node {
    pub data_dir: DataDir,
    pub database: Database,
    pub keyring: Keyring,
    pub keys: KeySource,
    pub clock: Arc<dyn Clock>,
    pub journal: Journal,
    storage: Storage,
    bucket: Option<Bucket>,
}

impl Node {
    /// Starts or joins the database of an installation, migrates it and opens the journal.
    pub async fn open(place: &Place, application_name: &str) -> Result<Self, Failure> {
        let data_dir = place.data_dir()?;
        let storage = Storage::open(&data_dir, place.given()).await?;
        let keys = place.keys(&data_dir)?;
        match Self::on(place, data_dir.path(), &storage, &keys, application_name).await {
            Ok((database, keyring, clock, journal)) => Ok(Self {
                data_dir,
                database,
                keyring,
                keys,
                clock,
                journal,
                storage,
                bucket: place.files.clone(),
            }),
            Err(error) => {
                storage.shutdown().await?;
                Err(error)
            }
        }
    }

    /// The node of another cell, with the keys and files of this one. What it has seen of its logs is kept apart.
    pub async fn of_cell(&self, place: &Place, cell: &Cell, application_name: &str) -> Result<Self, Failure> {
        let in_cell = |error: Failure| Failure::from(format!("cell {}: {}", cell.name, WithCauses(error.as_ref())));
        let given = Given {
            node: Some(cell.url.clone()),
            ..Given::default()
        };
        let storage = Storage::open(&self.data_dir, given).await?;
        let seen = self.data_dir.path().join(CELLS_FOLDER).join(cell.name.as_str());
        DirBuilder::new().recursive(true).mode(PRIVATE_FOLDER).create(&seen)?;
        let opened = Self::on(place, &seen, &storage, &self.keys, application_name).await;
        let (database, keyring, clock, journal) = opened.map_err(in_cell)?;
        Ok(Self {
            data_dir: self.data_dir.clone(),
            database,
            keyring,
            keys: self.keys.clone(),
            clock,
            journal,
            storage,
            bucket: self.bucket.clone(),
        })
    }

    /// The node of the cell in which a tenant lives.
    pub async fn open_for(place: &Place, tenant: &TenantId, application_name: &str) -> Result<Self, Failure> {
        let home = Self::open(place, application_name).await?;
        if place.cells.is_empty() {
            return Ok(home);
        }
        Nodes::beside(home, place, application_name)
            .await?
            .into_node_of(tenant)
            .await
    }

    /// Submits a command of the operator. Repeated, these change nothing, so that they need no idempotency key.
    pub async fn submit(&self, tenant: &TenantId, command: Command) -> Result<Committed, Failure> {
        let submission = Submission::of(Actor::System, command);
        match self.journal.submit(tenant, submission).await {
            Err(SubmitError::Refused(refusal)) => Err(Refused(refusal).into()),
            outcome => Ok(outcome?),
        }
    }

    async fn on(
        place: &Place,
        seen: &Path,
        storage: &Storage,
        keys: &KeySource,
        application_name: &str,
    ) -> Result<(Database, Keyring, Arc<dyn Clock>, Journal), Failure> {
        storage.prepare().await?;
        let options = Options {
            application_name: application_name.to_owned(),
            ..place.options()
        };
        let database = Database::connect(storage.node_url(), options).await?;
        let keyring = open_keyring(&database, keys).await?;
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        if storage.private().is_some() {
            // Who could change this database could read the key file beside it: nothing is gained by asking the operator.
            Journal::begin_adoption(database.clone(), keyring.clone(), clock.clone()).await?;
        }
        let evidence = Evidence::open(seen)?;
        let journal =
            Journal::open_with_evidence(database.clone(), keyring.clone(), clock.clone(), Some(evidence)).await?;
        Ok((database, keyring, clock, journal))
    }

    pub fn files(&self) -> Result<Files, FilesError> {
        let macs = self.journal.row_macs().clone();
        Files::open(self.bucket.as_ref(), self.data_dir.path(), self.database.clone(), macs)
    }

    /// The owner's URL of the database.
    ///
    /// Fails if the configured URL is of a login that does not own the schemas.
    pub async fn owner_url(&self) -> Result<&str, StorageError> {
        self.storage.checked_owner_url().await
    }

    /// Says in the log what an operator should know of the database's user and its standbys.
    pub async fn warn_of_risks(&self) -> Result<(), Failure> {
        if has_asynchronous_standbys_only(self.database.pool()).await? {
            tracing::warn!(
                "standbys stream from this PostgreSQL, and it waits for none: a failover may lose acknowledged commits. Name \
                 them in synchronous_standby_names, and set CAUDAL_REQUIRE_SYNCHRONOUS_STANDBY=true"
            );
        }
        if can_rewrite_history(self.database.pool()).await? {
            tracing::warn!(
                "the user of DATABASE_URL owns the database or may make itself its owner: whoever takes this server over can \
                 rewrite the log. For more than trying Caudal, give it a login that owns nothing: caudal migrate --grant-login"
            );
        }
        Ok(())
    }

    /// Completes the work in progress, and stops the database if this process started it.
    pub async fn close(self) -> Result<(), Failure> {
        self.journal.close().await;
        self.database.close().await;
        Ok(self.storage.shutdown().await?)
    }
}

/// The nodes of all cells, by name.
pub struct Nodes {
    pub nodes: BTreeMap<CellName, Node>,
    pub directory: Directory,
}

impl Nodes {
    /// Opens all cells, and asks them who lives in them.
    pub async fn open(place: &Place, application_name: &str) -> Result<Self, Failure> {
        let home = Node::open(place, application_name).await?;
        Self::beside(home, place, application_name).await
    }

    async fn beside(home: Node, place: &Place, application_name: &str) -> Result<Self, Failure> {
        let mut nodes = BTreeMap::from([(CellName::home(), home)]);
        let mut directory = Directory::default();
        let gathered = async {
            for cell in &place.cells {
                let Some(home) = nodes.get(&CellName::home()) else {
                    break;
                };
                let node = home.of_cell(place, cell, application_name).await?;
                nodes.insert(cell.name.clone(), node);
            }
            for (name, node) in &nodes {
                directory.update(name.clone(), node.journal.placements().await?);
            }
            Ok::<_, Failure>(())
        };
        let gathered = gathered.await;
        let all = Self { nodes, directory };
        match gathered {
            Ok(()) => Ok(all),
            Err(error) => {
                all.close().await?;
                Err(error)
            }
        }
    }

    /// Keeps the node of a tenant's cell, and closes the others.
    async fn into_node_of(mut self, tenant: &TenantId) -> Result<Node, Failure> {
        let cell = match self.directory.locate(tenant) {
            Whereabouts::Lives { cell, .. } => Some(cell),
            Whereabouts::Between => None,
        };
        let node = cell.and_then(|cell| self.nodes.remove(&cell));
        self.close().await?;
        node.ok_or_else(|| {
            let what = "is between two cells, or in one that is not named: end its move with caudal tenant move";
            format!("the tenant {tenant} {what}").into()
        })
    }

    pub async fn close(self) -> Result<(), Failure> {
        for (_, node) in self.nodes {
            node.close().await?;
        }
        Ok(())
    }
}
