//! Histories: the database goes back or is edited under running nodes, each with a data folder of its own.
//!
//! | Phase of a variant | What |
//! |---|---|
//! | 1 | business; PostgreSQL is stopped and its files are copied aside; more business |
//! | 2 | the change: the older files take the place of the newer ones, or the owner's statements |
//! | 3 | every node says that the tenant is in quarantine, in time; nothing is acknowledged from the change on |
//! | 4 | writes answer 503 `log_diverged`, reads answer and are marked, all of it after a restart of all nodes as well |
//! | 5 | `quarantine show` names every acknowledged command that is lost, and no other |
//! | 6 | the way out; business goes on with new numbers, `caudal verify` finds the log whole |

mod database;
mod desk;
mod notice;
mod stage;
mod variants;

pub use variants::Variant;

use crate::tally::{Report, Tally};
use stage::Stage;
use std::{path::Path, sync::Arc, time::Duration};

/// How big a run is.
#[derive(Clone, Debug)]
pub struct Size {
    /// Decides at which nodes commands are given, and when.
    pub seed: u64,
    /// How many nodes serve.
    pub nodes: usize,
    /// What is done, one after the other to the same tenant.
    pub variants: Vec<Variant>,
    /// How long a node may take to notice.
    pub noticed_within: Duration,
}

/// Runs variants on a program. `progress` is told of each that is over, with the milliseconds that nodes took to notice.
pub fn run(program: &Path, size: &Size, mut progress: impl FnMut(&Variant, &[u64])) -> Report {
    let tally = Arc::new(Tally::default());
    let mut stage = Stage::set(program, size, tally.clone());
    for variant in &size.variants {
        let noticed = stage.play(variant);
        progress(variant, &noticed);
        if !tally.report("", 0).is_clean() {
            break;
        }
    }
    stage.clear();
    let title = format!("Histories, {} node(s), {} variants", size.nodes, size.variants.len());
    tally.report(&title, size.seed)
}
