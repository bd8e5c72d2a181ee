//! `caudal checkpoint`: the end of a log, signed, to be kept elsewhere.

use super::{Failure, Place, complain, node::Node, say, serve::Mail};
use crate::{
    checkpoints::{Checkpoints, Destination},
    mail::Mailer,
};
use caudal_domain::ids::TenantId;
use clap::Args;

/// Signs the present end of a tenant's log, or of every tenant's, and sends it to where it is told.
#[derive(Args, Debug)]
pub struct Checkpoint {
    /// The tenant; every one where none is named
    tenant: Option<TenantId>,
    /// A folder, s3://BUCKET/PREFIX or mailto:ADDRESS; it can be given several times; without one it is said
    #[arg(long, value_name = "DESTINATION")]
    to: Vec<Destination>,
    #[command(flatten)]
    mail: Mail,
    #[command(flatten)]
    place: Place,
}

impl Checkpoint {
    pub async fn run(self) -> Result<(), Failure> {
        let node = Node::open(&self.place, "caudal checkpoint").await?;
        let outcome = self.sign(&node).await;
        let closed = node.close().await;
        outcome?;
        closed
    }

    async fn sign(&self, node: &Node) -> Result<(), Failure> {
        let mailer = Mailer::new(&self.mail.settings(), node.data_dir.path())?;
        let checkpoints = Checkpoints::new(
            node.journal.clone(),
            node.database.clone(),
            node.clock.clone(),
            node.data_dir.path(),
        );
        let tenants = match &self.tenant {
            Some(tenant) => vec![tenant.clone()],
            None => node.journal.tenants().await?,
        };
        let mut undelivered = 0;
        for tenant in tenants {
            let checkpoint = checkpoints.keep(checkpoints.sign(&tenant).await?).await?;
            if self.to.is_empty() {
                say(&checkpoint.to_json()?);
            }
            // What one place does not take still goes to the others.
            for destination in &self.to {
                match destination.send(&checkpoint, &mailer).await {
                    Ok(()) => say(&format!("{tenant}: position {} to {destination}", checkpoint.position)),
                    Err(error) => {
                        complain(&error);
                        undelivered += 1;
                    }
                }
            }
        }
        if undelivered > 0 {
            return Err(format!("{undelivered} checkpoints were not delivered").into());
        }
        Ok(())
    }
}
