//! `caudal migrate`.

use super::{Failure, Place};
use caudal_postgres::{Storage, migrate};
use clap::Args;

/// Brings the schema up to date.
#[derive(Args, Debug)]
pub struct Migrate {
    #[command(flatten)]
    place: Place,
}

impl Migrate {
    pub async fn run(self) -> Result<(), Failure> {
        let data_dir = self.place.data_dir()?;
        let storage = Storage::open(&data_dir, self.place.database_url()).await?;
        let outcome = migrate(storage.url()).await;
        storage.shutdown().await?;
        Ok(outcome?)
    }
}
