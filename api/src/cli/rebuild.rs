//! `caudal rebuild`: the read models built anew while the service runs.

use super::{Failure, Place, node::Node, progress::Progress, say};
use caudal_journal::{Journal, WithCauses};
use caudal_postgres::Database;
use caudal_projections::{
    Projector, READ_MODELS_VERSION,
    rebuild::{Rebuild as Run, Rebuilt, Step},
};
use clap::Args;
use std::{
    collections::HashMap,
    time::{Duration, Instant},
};
use tokio::sync::watch;

/// Pause after a rebuild at the start of a server that did not succeed; somebody else's may be under way.
const PAUSE: Duration = Duration::from_secs(10);
/// Time between two lines of the log on a rebuild at the start of a server.
const TOLD_EVERY: Duration = Duration::from_secs(10);

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

/// What a rebuild at the start of a server needs.
#[derive(Clone)]
pub struct AfterUpgrade {
    pub owner_url: String,
    pub database: Database,
    pub journal: Journal,
}

impl AfterUpgrade {
    /// Rebuilds read models of an earlier version while the server runs, until it succeeds or `stop` turns true. For the only server
    /// over its database: of several nodes those of the earlier version serve reads until an operator decides.
    pub async fn run(self, mut stop: watch::Receiver<bool>) {
        let mut ended = stop.clone();
        while let Err(error) = tokio::select! {
            done = self.rebuild() => done,
            _ = ended.wait_for(|stop| *stop) => return,
        } {
            tracing::warn!(error = %WithCauses(error.as_ref()), "the read models could not be rebuilt; trying again");
            tokio::select! {
                () = tokio::time::sleep(PAUSE) => {}
                _ = stop.wait_for(|stop| *stop) => return,
            }
        }
    }

    async fn rebuild(&self) -> Result<(), Failure> {
        let own = READ_MODELS_VERSION;
        match Projector::other_version(&self.database).await? {
            None => return Ok(()),
            Some(version) if version > own => {
                let what =
                    "the read models are of a later version of this program: start that one, or run caudal rebuild";
                tracing::error!(version, own, "{what}");
                return Ok(());
            }
            Some(version) => {
                let what =
                    "the read models are of an earlier version and are rebuilt; until then reads are answered 503";
                tracing::info!(version, own, "{what}");
            }
        }
        let begun = Instant::now();
        let mut told = begun;
        let run = Run::begin(&self.owner_url, &self.database, &self.journal).await?;
        run.run(|step| {
            if let Step::Replaying { tenant, position, of } = step
                && told.elapsed() >= TOLD_EVERY
            {
                told = Instant::now();
                tracing::info!(%tenant, position, of, "rebuilding the read models");
            }
        })
        .await?;
        tracing::info!(seconds = begun.elapsed().as_secs(), "the read models are rebuilt");
        Ok(())
    }
}
