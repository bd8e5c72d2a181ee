//! `caudal checkpoint`: signs the end of a log, to be kept elsewhere.

use super::{
    Failure, Place, complain,
    node::{Node, Nodes},
    say,
    serve::Mail,
};
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
    /// Sign the log though it contradicts what was signed: the history that was signed is given up. The new checkpoint
    /// names the last one of that history, so that the break stays visible
    #[arg(long, requires = "tenant")]
    accept_history: bool,
    #[command(flatten)]
    mail: Mail,
    #[command(flatten)]
    place: Place,
}

impl Checkpoint {
    pub async fn run(self) -> Result<(), Failure> {
        if let Some(tenant) = &self.tenant {
            let node = Node::open_for(&self.place, tenant, "caudal checkpoint").await?;
            let outcome = self.sign(&node).await;
            node.close().await?;
            return outcome;
        }
        let nodes = Nodes::open(&self.place, "caudal checkpoint").await?;
        let mut outcome = Ok(());
        for node in nodes.nodes.values() {
            // A cell whose logs can't be signed does not prevent the others' from being signed.
            outcome = outcome.and(self.sign(node).await);
        }
        nodes.close().await?;
        outcome
    }

    async fn sign(&self, node: &Node) -> Result<(), Failure> {
        let mailer = Mailer::new(&self.mail.settings(), node.data_dir.path())?;
        let checkpoints = Checkpoints::new(
            node.journal.clone(),
            node.database.clone(),
            node.clock.clone(),
            node.data_dir.path(),
        )
        .sending_to(self.to.clone());
        let tenants = match &self.tenant {
            Some(tenant) => vec![tenant.clone()],
            None => node.journal.tenants().await?,
        };
        let (mut undelivered, mut unsigned) = (0, 0);
        for tenant in tenants {
            // A tenant whose log can't be signed does not prevent the others' from being signed.
            let accepted = match self.accept_history {
                true => checkpoints.accept(&tenant).await?,
                false => None,
            };
            if let Some(accepted) = &accepted {
                say(&format!(
                    "{tenant}: the log as it is up to position {} is accepted and signed",
                    accepted.position
                ));
            }
            let checkpoint = match checkpoints.take(&tenant).await {
                Ok(checkpoint) => checkpoint,
                Err(error) => {
                    complain(&error);
                    unsigned += 1;
                    continue;
                }
            };
            if self.to.is_empty() {
                say(&checkpoint.to_json()?);
            }
            // A destination that fails does not prevent the checkpoint from reaching the others.
            for destination in &self.to {
                match checkpoints.deliver(&checkpoint, destination, &mailer).await {
                    Ok(()) => say(&format!("{tenant}: position {} to {destination}", checkpoint.position)),
                    Err(error) => {
                        complain(&error);
                        undelivered += 1;
                    }
                }
            }
        }
        if unsigned > 0 {
            return Err(format!("{unsigned} logs were not signed").into());
        }
        if undelivered > 0 {
            return Err(format!("{undelivered} checkpoints were not delivered").into());
        }
        Ok(())
    }
}
