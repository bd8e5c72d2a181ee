//! `caudal keys`: the keys that sign checkpoints, and the master key that wraps people's keys.

use super::{Failure, Place, node::Node, say};
use crate::checkpoints::parse_interval;
use caudal_journal::{CellName, Directory, KEY_FILE_LOOK, SESSION_KEY_LEAD, SESSION_KEY_OVERLAP, SigningKeys};
use chrono::{TimeDelta, Utc};
use clap::{Args, Subcommand, ValueEnum};
use std::time::Duration;

/// What to do with the keys.
#[derive(Debug, Subcommand)]
pub enum KeysCommand {
    /// Say the public keys, in the form in which /api/audit/keys publishes them; the first time they are made
    Show(Show),
    /// Make a new key that signs from now on, and destroy the private half of the one before
    ///
    /// What was signed before can still be checked. Servers that run take the new key from the next signing on. With
    /// --sessions it is the key of access tokens, refresh tokens and reset codes that is rotated, and nobody is logged out
    Rotate(Rotate),
    /// Encrypt the keys of the key file by a key management service, which opens them at every start
    Seal(Seal),
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
    /// Rotate the key of access tokens, refresh tokens and reset codes in place of the one that signs checkpoints
    #[arg(long)]
    sessions: bool,
    /// When servers begin to sign with it, like 10s or 1h: the time to bring the key file to all of them, where they do not
    /// share it. Tokens under the key before stay good for an hour after that
    #[arg(long = "in", requires = "sessions", value_name = "INTERVAL", value_parser = parse_interval, verbatim_doc_comment)]
    lead: Option<Duration>,
    /// Take the keys before away at once, as after a theft: every access token and reset code ends, and people go on with
    /// their refresh token
    #[arg(long, requires = "sessions", conflicts_with = "lead", verbatim_doc_comment)]
    revoke: bool,
    #[command(flatten)]
    place: Place,
}

/// Encrypts the key file.
#[derive(Args, Debug)]
pub struct Seal {
    /// The service; where it is, is in CAUDAL_VAULT_ADDRESS, CAUDAL_VAULT_KEY and CAUDAL_VAULT_TOKEN_FILE
    #[arg(long, value_name = "SERVICE")]
    with: Service,
    #[command(flatten)]
    place: Place,
}

/// What encrypts keys.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Service {
    /// The transit engine of HashiCorp Vault, or of OpenBao
    Vault,
}

impl Seal {
    async fn run(self) -> Result<(), Failure> {
        let Service::Vault = self.with;
        let keys = self.place.keys(&self.place.data_dir()?)?;
        let path = keys.path()?.to_owned();
        let sealed = tokio::task::spawn_blocking(move || keys.encrypt()).await??;
        say(&format!("keys encrypted in {}: {sealed}", path.display()));
        say("copies of the file from before hold the keys in clear: keep one where only the emergency finds it");
        Ok(())
    }
}

impl Rotate {
    async fn run(self) -> Result<(), Failure> {
        if !self.sessions {
            return signing(&self.place, true);
        }
        let keys = self.place.keys(&self.place.data_dir()?)?;
        let lead = self.lead.map_or(Ok(SESSION_KEY_LEAD), TimeDelta::from_std)?;
        let (now, revoke) = (Utc::now(), self.revoke);
        let rotated = tokio::task::spawn_blocking(move || {
            if revoke {
                keys.revoke_sessions(now)
            } else {
                keys.rotate_sessions(lead, now)
            }
        });
        let id = rotated.await??;
        if revoke {
            say(&format!("the session key is {id}, and no other is good any more"));
        } else {
            say(&format!(
                "the session key is {id} from {} on; what was signed before stays good for {} minutes after that",
                (now + lead).format("%FT%TZ"),
                SESSION_KEY_OVERLAP.num_minutes()
            ));
        }
        Ok(())
    }
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

    /// A move copies keys as they are wrapped: those that it copied before would stay under the earlier master key.
    async fn require_no_moves(&self, node: &Node) -> Result<(), Failure> {
        let mut directory = Directory::default();
        directory.update(CellName::home(), node.journal.placements().await?);
        for cell in &self.place.cells {
            let other = node.of_cell(&self.place, cell, "caudal keys").await?;
            let placements = other.journal.placements().await;
            other.close().await?;
            directory.update(cell.name.clone(), placements?);
        }
        match directory.is_still() {
            true => Ok(()),
            false => Err("a tenant is moving to another cell: end its move first, with caudal tenant move".into()),
        }
    }

    async fn rotate(&self, node: &Node) -> Result<(), Failure> {
        if !self.place.cells.is_empty() {
            self.require_no_moves(node).await?;
        }
        if !self.resume {
            let id = node.journal.rotate_master(&node.keys).await?;
            say(&format!("the master key is {id}"));
        }
        // After this wait every node has read the key file and wraps with the new key.
        tokio::time::sleep(KEY_FILE_LOOK * 2).await;
        wrap_anew(node).await?;
        for cell in &self.place.cells {
            // Opened now: it reads the key file again.
            let other = node.of_cell(&self.place, cell, "caudal keys").await?;
            let outcome = wrap_anew(&other).await;
            other.close().await?;
            outcome?;
        }
        if self.retire {
            let retired = node.keys.retire_masters()?;
            say(&format!("taken out of the key file: {}", retired.join(", ")));
        }
        Ok(())
    }
}

/// Wraps the keys of all tenants of a cell anew.
async fn wrap_anew(node: &Node) -> Result<(), Failure> {
    for tenant in node.journal.tenants().await? {
        let rewrapped = node.journal.rewrap(&tenant).await?;
        let left = node.journal.under_earlier_masters(&tenant).await?;
        if left > 0 {
            let problem = "is the key file of every server the new one? Repeat with --resume";
            return Err(format!("{tenant}: {left} keys are still under earlier master keys: {problem}").into());
        }
        say(&format!("{tenant}: {} keys wrapped anew", rewrapped.keys));
    }
    Ok(())
}

impl KeysCommand {
    pub async fn run(self) -> Result<(), Failure> {
        match self {
            Self::Show(Show { place }) => signing(&place, false),
            Self::Rotate(rotate) => rotate.run().await,
            Self::Seal(seal) => seal.run().await,
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
