//! `caudal demo`.

use super::{Failure, Place, node::Node, say};
use crate::{
    auth::passwords::hash_now,
    extract::DEFAULT_TENANT,
    files::{Files, Owner},
};
use bytes::Bytes;
use caudal_domain::ids::{RemittanceId, TenantId};
use caudal_generators::{
    self as generators,
    demo::{self, Filled, LOGINS, PASSWORD},
};
use caudal_projections::Projector;
use chrono::{DateTime, Utc};
use clap::Args;

/// Fills the demonstration tenant.
#[derive(Args, Debug)]
pub struct Demo {
    #[command(flatten)]
    place: Place,
}

impl Demo {
    pub async fn run(self) -> Result<(), Failure> {
        let node = Node::open(&self.place, "caudal demo").await?;
        let outcome = fill(&node).await;
        node.close().await?;
        match outcome? {
            Filled::Now => say("the demonstration is there"),
            Filled::Before => say("the demonstration was there"),
            Filled::Occupied => say("the tenant has business of its own, which is left alone"),
        }
        Ok(())
    }
}

/// Fills the tenant if it is empty, and waits for its read models.
pub async fn fill(node: &Node) -> Result<Filled, Failure> {
    let server = Lent(node.files()?);
    let tenant: TenantId = DEFAULT_TENANT.parse()?;
    let filled = demo::fill(&node.database, &node.keyring, &server, &tenant, node.clock.now()).await?;
    if filled == Filled::Now {
        let projector = Projector::new(node.database.clone(), node.journal.clone());
        projector.catch_up(&tenant).await?;
    }
    Ok(filled)
}

/// What the generators take of the server.
pub struct Lent(pub Files);

impl generators::Server for Lent {
    fn hash(&self, password: &str) -> Result<String, Failure> {
        Ok(hash_now(password)?)
    }

    async fn keep(
        &self,
        tenant: &TenantId,
        image: &'static [u8],
        proves: &[RemittanceId],
        at: DateTime<Utc>,
    ) -> Result<String, Failure> {
        let owners: Vec<_> = proves.iter().map(|id| Owner::Remittance(*id)).collect();
        let image = Bytes::from_static(image);
        let kept = self.0.keep(tenant, None, "file", image, &owners, at).await?;
        Ok(kept.hash)
    }
}

/// Says how to log in.
pub fn say_logins() {
    say(&format!("tenant default, password {PASSWORD}:"));
    for (role, email) in LOGINS {
        say(&format!("  {role:<15} {email}"));
    }
}
