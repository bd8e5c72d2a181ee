//! `caudal migrate`.

use super::{Failure, Place, say};
use caudal_postgres::{Storage, grant_login, migrate};
use clap::Args;

/// Brings the schema up to date, as the owner: with CAUDAL_OWNER_DATABASE_URL, or DATABASE_URL where one user is both.
#[derive(Args, Debug)]
pub struct Migrate {
    /// Let this login work as a node: it must exist, own nothing and create no roles
    #[arg(long, value_name = "NAME")]
    grant_login: Option<String>,
    #[command(flatten)]
    place: Place,
}

impl Migrate {
    pub async fn run(self) -> Result<(), Failure> {
        let data_dir = self.place.data_dir()?;
        let storage = Storage::open(&data_dir, self.place.given()).await?;
        let outcome = self.on(&storage).await;
        storage.shutdown().await?;
        outcome
    }

    async fn on(&self, storage: &Storage) -> Result<(), Failure> {
        migrate(storage.owner_url()).await?;
        if let Some(login) = &self.grant_login {
            grant_login(storage.owner_url(), login).await?;
            say(&format!("{login} may work as a node: its URL is for DATABASE_URL"));
        }
        Ok(())
    }
}
