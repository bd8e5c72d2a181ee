//! `caudal export`: a tenant's log as a file.

use super::{Failure, Place, node::Node, output::Output, progress::Progress, say};
use caudal_domain::ids::TenantId;
use caudal_journal::{Exported, to_hex};
use clap::Args;
use std::{io::Write as _, path::PathBuf};

/// Writes a tenant's log to a file, with which anybody can verify it, and another server take the tenant over.
///
/// Personal data is sealed in it. The keys, and the hashes of passwords, go into a file of their own if one is asked
/// for, which opens with a secret that is said once: send the secret another way than the file.
#[derive(Args, Debug)]
pub struct Export {
    /// The tenant
    tenant: TenantId,
    /// Where to write the log
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
    /// Where to write its people's keys and password hashes, encrypted
    #[arg(long, value_name = "FILE")]
    people: Option<PathBuf>,
    #[command(flatten)]
    place: Place,
}

impl Export {
    pub async fn run(self) -> Result<(), Failure> {
        let mut log = Output::create(&self.to)?;
        let people = self.people.as_deref().map(Output::create).transpose()?;
        let node = Node::open_for(&self.place, &self.tenant, "caudal export").await?;
        let mut progress = Progress::of(format!("{}, export", self.tenant));
        let told = |at, of| progress.tell(at, of);
        let exported = node.journal.export(&self.tenant, &mut log, told).await;
        let closed = node.close().await;
        let Exported { end, people: keys } = exported?;
        closed?;
        let secret = match people {
            None => None,
            Some(mut file) => {
                let (text, secret) = keys.encrypt(&self.tenant, &end)?;
                file.write_all(text.as_bytes())?;
                file.finish()?;
                Some(secret)
            }
        };
        log.finish()?;
        say(&format!(
            "{}: {} events, head {}",
            self.tenant,
            end.position,
            to_hex(&end.hash)
        ));
        if let Some(secret) = secret {
            say(&format!(
                "the keys of {} people open with this secret, which is kept nowhere:",
                keys.count()
            ));
            say(&secret.to_text());
        }
        Ok(())
    }
}
