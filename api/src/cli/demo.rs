//! `caudal demo`.

use super::{Failure, Place, node::Node, say};
use crate::demo::{self, Filled, LOGINS, PASSWORD};
use caudal_projections::Projector;
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
    let files = node.files()?;
    let filled = demo::fill(&node.database, &node.keyring, &files, node.clock.now()).await?;
    if filled == Filled::Now {
        let projector = Projector::new(node.database.clone(), node.journal.clone());
        projector.catch_up(&demo::tenant()?).await?;
    }
    Ok(filled)
}

/// Prints the logins of the demonstration.
pub fn say_logins() {
    say(&format!("tenant default, password {PASSWORD}:"));
    for (role, email) in LOGINS {
        say(&format!("  {role:<15} {email}"));
    }
}
