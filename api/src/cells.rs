//! Cells: a process serves the tenants of several databases, each with a node of its own. A request goes to the node of the
//! cell in which its tenant lives (docs/decisions/cells.md).

use actix_web::web::Data;
use caudal_domain::ids::TenantId;
use caudal_journal::{CellName, Directory, Whereabouts};
use std::{collections::BTreeMap, sync::OnceLock, time::Duration};
use tokio::{sync::watch, time::Instant};

/// From the announcement of a move's end until every node keeps writes waiting: two looks and their answers.
pub const NOTICE: Duration = Duration::from_millis(600);
/// From the opening of a tenant in its new cell until no node reads in the old one, nor has a stream open there.
pub const LAST_READS: Duration = Duration::from_secs(3);
/// How long a write waits for the end of a move; longer than a move's last steps take.
const WRITE_PATIENCE: Duration = Duration::from_secs(15);

/// The other cells of a process, each with its node's state `A`.
pub struct Cells<A> {
    others: OnceLock<BTreeMap<CellName, Data<A>>>,
    pub directory: watch::Sender<Directory>,
}

impl<A> Default for Cells<A> {
    fn default() -> Self {
        Self {
            others: OnceLock::new(),
            directory: watch::Sender::default(),
        }
    }
}

impl<A> Cells<A> {
    /// Sets the nodes of the other cells, once.
    pub fn join(&self, others: BTreeMap<CellName, Data<A>>) {
        let _ = self.others.set(others);
    }

    pub fn others(&self) -> impl Iterator<Item = (&CellName, &Data<A>)> {
        self.others.get().into_iter().flatten()
    }

    pub fn are_none(&self) -> bool {
        self.others.get().is_none_or(BTreeMap::is_empty)
    }

    /// The node of another cell, by name.
    pub fn other(&self, cell: Option<&CellName>) -> Option<Data<A>> {
        self.others.get()?.get(cell?).cloned()
    }

    /// The cell of a request's tenant. A write waits, with a timeout, while its tenant is between two cells.
    pub async fn cell_of(&self, tenant: &TenantId, is_write: bool) -> Option<CellName> {
        let mut seen = self.directory.subscribe();
        let deadline = Instant::now() + WRITE_PATIENCE;
        loop {
            let at = seen.borrow_and_update().locate(tenant);
            let found = match at {
                Whereabouts::Lives { cell, takes_writes } if takes_writes || !is_write => return Some(cell),
                Whereabouts::Lives { cell, .. } => Some(cell),
                Whereabouts::Between => None,
            };
            // What comes after the deadline is refused by the database, or taken when the hold has run out.
            if !matches!(tokio::time::timeout_at(deadline, seen.changed()).await, Ok(Ok(()))) {
                return found;
            }
        }
    }

    /// Completes when a tenant no longer lives in this cell.
    pub async fn gone(mut seen: watch::Receiver<Directory>, tenant: TenantId, at: Option<CellName>) {
        let cell = |directory: &Directory| match directory.locate(&tenant) {
            Whereabouts::Lives { cell, .. } => Some(cell),
            Whereabouts::Between => None,
        };
        if seen.wait_for(|directory| cell(directory) != at).await.is_err() {
            std::future::pending().await
        }
    }
}
