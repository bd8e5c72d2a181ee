//! `caudal migrate`.

use super::{Failure, Place, say};
use caudal_journal::{Journal, SystemClock, open_keyring};
use caudal_postgres::{DataDir, Database, Storage, grant_login, migrate};
use caudal_projections::{Projector, READ_MODELS_VERSION};
use clap::Args;
use std::sync::Arc;

/// Brings the schema up to date, as the owner: with CAUDAL_OWNER_DATABASE_URL, or DATABASE_URL where one user is both.
#[derive(Args, Debug)]
pub struct Migrate {
    /// Let this login work as a node: it must exist, own nothing and create no roles
    #[arg(long, value_name = "NAME")]
    grant_login: Option<String>,
    /// Give the rows beside the log, and the ends of logs, MACs as they are found, in a database of a version that wrote none
    #[arg(long)]
    adopt_rows: bool,
    #[command(flatten)]
    place: Place,
}

impl Migrate {
    pub async fn run(self) -> Result<(), Failure> {
        let data_dir = self.place.data_dir()?;
        let storage = Storage::open(&data_dir, self.place.given()).await?;
        let outcome = self.on(&data_dir, &storage).await;
        storage.shutdown().await?;
        outcome
    }

    async fn on(&self, data_dir: &DataDir, storage: &Storage) -> Result<(), Failure> {
        migrate(storage.owner_url()).await?;
        if let Some(login) = &self.grant_login {
            grant_login(storage.owner_url(), login).await?;
            say(&format!("{login} may work as a node: its URL is for DATABASE_URL"));
        }
        if self.adopt_rows {
            self.begin_adoption(data_dir, storage).await?;
            say("rows and ends of logs without a MAC receive one while nodes run, and are refused an hour from now");
        }
        self.tell_of_read_models(storage).await;
        Ok(())
    }

    /// Says that the read models are of another version. A database that no node may enter yet has none.
    async fn tell_of_read_models(&self, storage: &Storage) {
        let Ok(database) = Database::connect(storage.node_url(), self.place.options()).await else {
            return;
        };
        if let Ok(Some(version)) = Projector::other_version(&database).await {
            say(&format!(
                "the read models are of version {version}, this program's are of {READ_MODELS_VERSION}: nodes of this version read \
                 them after caudal rebuild, which a server with a private database does by itself"
            ));
        }
        database.close().await;
    }

    async fn begin_adoption(&self, data_dir: &DataDir, storage: &Storage) -> Result<(), Failure> {
        let database = Database::connect(storage.node_url(), self.place.options()).await?;
        let keyring = open_keyring(&database, &self.place.keys(data_dir)?).await?;
        Journal::begin_adoption(database, keyring, Arc::new(SystemClock)).await?;
        Ok(())
    }
}
