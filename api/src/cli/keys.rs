//! `caudal keys`: the keys that checkpoints are signed with, and the master key that people's keys are wrapped with.

use super::{Failure, Place, node::Node, say};
use caudal_journal::{KEY_FILE_LOOK, Keyring, SigningKeys};
use chrono::Utc;
use clap::{Args, Subcommand};

/// What to do with the keys.
#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    /// Say the public keys, in the form in which /api/audit/keys publishes them; the first time they are made
    Show(Show),
    /// Make a new key that signs from now on, and destroy the private half of the one before
    ///
    /// What was signed before can still be checked. Servers that run take the new key from the next signing on.
    Rotate(Rotate),
    /// Make a new master key and wrap all people's keys with it, while servers run; the log stays as it is
    RotateMaster(RotateMaster),
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

/// Rotates the master key.
#[derive(Args, Debug)]
pub struct RotateMaster {
    /// Make no new key: finish a rotation that was cut off
    #[arg(long)]
    resume: bool,
    /// Take the earlier master keys out of the key file once nothing is wrapped with them any more
    ///
    /// Backups made before can then be read only with a copy of the key file from before.
    #[arg(long)]
    retire: bool,
    #[command(flatten)]
    place: Place,
}

impl RotateMaster {
    async fn run(self) -> Result<(), Failure> {
        let node = Node::open(&self.place, "caudal keys").await?;
        let outcome = self.rotate(&node).await;
        let closed = node.close().await;
        outcome?;
        closed
    }

    async fn rotate(&self, node: &Node) -> Result<(), Failure> {
        let path = Keyring::path(node.data_dir.path());
        if !self.resume {
            let id = Keyring::rotate_master(&path)?;
            say(&format!("the master key is {id}"));
        }
        // From then on every node wraps with the new one.
        tokio::time::sleep(KEY_FILE_LOOK * 2).await;
        for tenant in node.journal.tenants().await? {
            let rewrapped = node.journal.rewrap(&tenant).await?;
            let left = node.journal.under_earlier_masters(&tenant).await?;
            if left > 0 {
                let problem = "is the key file of every server the new one? Repeat with --resume";
                return Err(format!("{tenant}: {left} keys are still under earlier master keys: {problem}").into());
            }
            say(&format!("{tenant}: {} keys wrapped anew", rewrapped.keys));
        }
        if self.retire {
            let retired = Keyring::retire_masters(&path)?;
            say(&format!("taken out of the key file: {}", retired.join(", ")));
        }
        Ok(())
    }
}

impl KeysCommand {
    pub async fn run(self) -> Result<(), Failure> {
        match self {
            Self::Show(Show { place }) => signing(&place, false),
            Self::Rotate(Rotate { place }) => signing(&place, true),
            Self::RotateMaster(rotate) => rotate.run().await,
        }
    }
}

fn signing(place: &Place, rotate: bool) -> Result<(), Failure> {
    let path = SigningKeys::path(place.data_dir()?.path());
    let now = Utc::now();
    let mut keys = SigningKeys::open_or_create(&path, now)?;
    if rotate {
        keys = keys.rotate(&path, now)?;
    }
    say(&keys.public().to_json()?);
    Ok(())
}
