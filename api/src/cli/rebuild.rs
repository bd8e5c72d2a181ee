//! `caudal rebuild`: the read models built anew while the service runs.

use super::{Failure, Place, node::Node, progress::Progress, say};
use caudal_projections::rebuild::{Rebuild as Run, Rebuilt, Step};
use clap::Args;
use std::collections::HashMap;

/// Builds the read models of all tenants anew beside those that serve, compares the two row by row, says what differs,
/// and puts the new ones in their place. It can be ended at any time: until the last step the old ones stay. What is kept
/// of the logs' Merkle trees is made from the logs once more.
#[derive(Args, Debug)]
pub struct Rebuild {
    #[command(flatten)]
    place: Place,
}

impl Rebuild {
    pub async fn run(self) -> Result<(), Failure> {
        let node = Node::open(&self.place, "caudal rebuild").await?;
        let outcome = async {
            for tenant in node.journal.tenants().await? {
                node.journal.rebuild_tree(&tenant).await?;
            }
            rebuild(&node).await
        }
        .await;
        let closed = node.close().await;
        let rebuilt = outcome?;
        closed?;
        for Rebuilt {
            tenant,
            position,
            differences,
        } in rebuilt
        {
            match differences {
                None => say(&format!(
                    "{tenant}: the read models were of another version, and are new"
                )),
                Some(differences) if differences.is_empty() => {
                    say(&format!(
                        "{tenant}: at position {position} the old and the new were equal"
                    ));
                }
                Some(differences) => {
                    for difference in differences {
                        say(&format!("{tenant}: at position {position} put right: {difference}"));
                    }
                }
            }
        }
        say("the new read models serve");
        Ok(())
    }
}

async fn rebuild(node: &Node) -> Result<Vec<Rebuilt>, Failure> {
    let run = Run::begin(node.owner_url().await?, &node.database, &node.journal).await?;
    // Two tenants are replayed at once.
    let mut begun: HashMap<String, Progress> = HashMap::new();
    let mut tell = |what: String, unit, done, of| {
        let progress = begun.entry(what.clone());
        progress.or_insert_with(|| Progress::of_unit(what, unit)).tell(done, of);
    };
    let count = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
    let rebuilt = run.run(|step| match step {
        Step::Replaying { tenant, position, of } => tell(format!("{tenant}, replay"), "events", position, of),
        Step::Indexing { made, of } => tell("indexes".to_owned(), "indexes", count(made), count(of)),
        Step::Comparing { tenant, compared, of } => {
            tell(format!("{tenant}, comparison"), "tables", count(compared), count(of));
        }
        Step::Swapping => say("swapping"),
    });
    Ok(rebuilt.await?)
}
