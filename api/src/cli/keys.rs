//! `caudal keys`: the keys that checkpoints are signed with.

use super::{Failure, Place, say};
use caudal_journal::SigningKeys;
use chrono::Utc;
use clap::{Args, Subcommand};

/// What to do with the signing keys.
#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    /// Say the public keys, in the form in which /api/audit/keys publishes them; the first time they are made
    Show(Show),
    /// Make a new key that signs from now on, and destroy the private half of the one before
    ///
    /// What was signed before can still be checked. Servers that run take the new key from the next signing on.
    Rotate(Rotate),
}

/// Says the public keys.
#[derive(Args, Debug)]
pub struct Show {
    #[command(flatten)]
    place: Place,
}

/// Makes a new key.
#[derive(Args, Debug)]
pub struct Rotate {
    #[command(flatten)]
    place: Place,
}

impl KeysCommand {
    pub fn run(self) -> Result<(), Failure> {
        let (Self::Show(Show { place }) | Self::Rotate(Rotate { place })) = &self;
        let path = SigningKeys::path(place.data_dir()?.path());
        let now = Utc::now();
        let mut keys = SigningKeys::open_or_create(&path, now)?;
        if matches!(self, Self::Rotate(_)) {
            keys = keys.rotate(&path, now)?;
        }
        say(&keys.public().to_json()?);
        Ok(())
    }
}
