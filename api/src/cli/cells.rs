//! Cells on the command line, and `caudal tenant move`.

use super::{Failure, Place, node::Nodes, progress::Progress, say};
use crate::cells::{LAST_READS, NOTICE};
use caudal_domain::ids::TenantId;
use caudal_journal::{CellName, Relocation, Whereabouts};
use caudal_projections::Projector;
use clap::Args;
use std::{
    fmt,
    str::FromStr,
    time::{Duration, Instant},
};

/// How long the database of the old cell refuses writes at most. The steps within take a fraction of it; if the command dies
/// in them, the tenant works again after this time.
const HOLD: Duration = Duration::from_secs(10);
/// Passes before the last one: each copies what was written during the one before.
const MAX_PASSES: usize = 10;
/// A pass that copies so few events, in so short a time, is followed by the last one: what is written meanwhile is left for it.
const FEW_EVENTS: i64 = 500;
const SHORT_PASS: Duration = Duration::from_secs(2);

/// Another database, with its name.
#[derive(Clone, PartialEq, Eq)]
pub struct Cell {
    pub name: CellName,
    pub url: String,
}

/// Without the URL, which may have a password.
impl fmt::Debug for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Cell").field("name", &self.name).finish_non_exhaustive()
    }
}

impl FromStr for Cell {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, url) = text.trim().split_once('=').ok_or("a cell is given as NAME=URL")?;
        let name: CellName = name.trim().parse().map_err(|error| format!("{error}"))?;
        if name.is_home() {
            return Err("home is the database of --database-url".to_owned());
        }
        match url.trim() {
            "" => Err(format!("the cell {name} has no URL")),
            url => Ok(Self {
                name,
                url: url.to_owned(),
            }),
        }
    }
}

/// Moves a tenant to another cell while it works.
///
/// Its log is copied and verified, then its writes wait for a moment, and it goes on in the other cell. A move that ended early
/// is completed by the same command, or given up with --undo.
#[derive(Args, Debug)]
pub struct Move {
    /// The tenant
    tenant: TenantId,
    /// The cell to which it moves; home is the database of --database-url
    #[arg(long, value_name = "CELL")]
    to: CellName,
    /// Give up a move that ended early: the tenant stays where it is
    #[arg(long)]
    undo: bool,
    #[command(flatten)]
    place: Place,
}

impl Move {
    pub async fn run(self) -> Result<(), Failure> {
        let nodes = Nodes::open(&self.place, "caudal tenant").await?;
        let outcome = self.on(&nodes).await;
        nodes.close().await?;
        outcome
    }

    async fn on(&self, nodes: &Nodes) -> Result<(), Failure> {
        let (tenant, to) = (&self.tenant, &self.to);
        let target = nodes
            .nodes
            .get(to)
            .ok_or_else(|| format!("there is no cell {to}: name it in CAUDAL_CELLS"))?;
        let from = match nodes.directory.locate(tenant) {
            Whereabouts::Lives { cell, .. } if cell == *to => return self.is_there(nodes).await,
            Whereabouts::Lives { cell, .. } => cell,
            Whereabouts::Between => {
                let waiting = nodes.directory.of(to, tenant).map(|arriving| arriving.peer.clone());
                waiting.ok_or_else(|| format!("the tenant {tenant} has left for another cell than {to}"))?
            }
        };
        let source = nodes
            .nodes
            .get(&from)
            .ok_or_else(|| format!("there is no cell {from}"))?;
        let mut relocation = Relocation::begin((&source.journal, &from), (&target.journal, to), tenant).await?;
        if self.undo {
            relocation.undo().await?;
            say(&format!("{tenant} stays in the cell {from}"));
            return Ok(());
        }
        let projector = Projector::new(target.database.clone(), target.journal.clone());
        let pause = match relocation.has_left() {
            true => None,
            false => {
                self.copy(&mut relocation, &projector).await?;
                match self.switch(&mut relocation, &projector).await {
                    Ok(pause) => Some(pause),
                    Err(error) => {
                        // The tenant goes on at once, not when the hold has run out.
                        let stays = Relocation::begin((&source.journal, &from), (&target.journal, to), tenant).await;
                        return match stays {
                            Ok(stays) if !stays.has_left() => Err(error),
                            _ => Err(format!("{error}; it may have left: run the command again").into()),
                        };
                    }
                }
            }
        };
        relocation.open().await?;
        tokio::time::sleep(LAST_READS).await;
        relocation.discard().await?;
        say(&match pause {
            Some(pause) => format!(
                "{tenant} lives in the cell {to}; its writes waited for {} ms",
                pause.as_millis()
            ),
            None => format!("{tenant} lives in the cell {to}"),
        });
        Ok(())
    }

    /// Completes what a move that ended after its last step but one left: the discarding of the old copy.
    async fn is_there(&self, nodes: &Nodes) -> Result<(), Failure> {
        let (tenant, to) = (&self.tenant, &self.to);
        let here = nodes.directory.of(to, tenant);
        if let Some(here) = here
            && let (Some(source), Some(target)) = (nodes.nodes.get(&here.peer), nodes.nodes.get(to))
            && nodes
                .directory
                .of(&here.peer, tenant)
                .is_some_and(|left| left.moved_by == here.moved_by)
        {
            let begun = Relocation::begin((&source.journal, &here.peer), (&target.journal, to), tenant).await?;
            // The tenant may have opened here a moment ago.
            tokio::time::sleep(LAST_READS).await;
            begun.discard().await?;
        }
        say(&format!("{tenant} lives in the cell {to}"));
        Ok(())
    }

    /// Copies while the tenant works, until little is left.
    async fn copy(&self, relocation: &mut Relocation, projector: &Projector) -> Result<(), Failure> {
        for pass in 0..MAX_PASSES {
            let begun = Instant::now();
            let mut progress = Progress::of(format!("{}, copy", self.tenant));
            let copied = relocation.copy(|at, of| progress.tell(at, of)).await?;
            projector.catch_up(&self.tenant).await?;
            if pass == 0 {
                relocation.snapshot().await?;
            }
            if copied.events <= FEW_EVENTS && begun.elapsed() <= SHORT_PASS {
                break;
            }
        }
        Ok(())
    }

    /// The end of the move. Returns how long writes waited.
    async fn switch(&self, relocation: &mut Relocation, projector: &Projector) -> Result<Duration, Failure> {
        let begun = Instant::now();
        relocation.announce().await?;
        tokio::time::sleep(NOTICE).await;
        relocation.hold(HOLD).await?;
        relocation.copy(|_, _| {}).await?;
        projector.catch_up(&self.tenant).await?;
        relocation.compare().await?;
        relocation.leave().await?;
        relocation.open().await?;
        Ok(begun.elapsed())
    }
}
