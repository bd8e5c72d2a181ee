//! The task of every node: previews and runs, some rows at a time.
//!
//! | Phase | What |
//! |---|---|
//! | look | imports of all tenants that wait for a node |
//! | hold | one import, by its row |
//! | plan | rows become commands |
//! | decide | a preview rehearses them; a run submits them, in order, some at a time |
//! | note | outcomes and progress in one transaction |
//!
//! | Module | Responsibility |
//! |---|---|
//! | here | looks, holds, releases |
//! | [`worker`] | a pass over an import's rows |
//! | [`file`] | the rehearsal of a file by `caudal rehearse` |
//! | [`planner`] | plans and rehearsals of rows |
//! | [`rows`] | a row's plan, its submissions and its outcome |
//! | [`moneys`] | sums and balances of a preview |
//!
//! A node that is killed between submitting and noting leaves rows that are submitted again, under the same keys: the log
//! answers with what was done.

mod file;
mod moneys;
mod planner;
mod rows;
mod worker;

pub use file::{Rehearsed, rehearse_file};
pub use planner::{Interrupted, Means};

use crate::{
    app::App,
    imports::{
        import::{Due, ImportState},
        store::StoreError,
    },
    screening::ScreeningError,
};
use actix_web::web::Data;
use caudal_journal::{SubmitError, WithCauses};
use std::{
    collections::{HashMap, HashSet},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{sync::watch, task::JoinSet};
use worker::{Ended, work};

/// Poll interval.
const ROUND: Duration = Duration::from_millis(500);
/// Imports at work per node: each takes a share of the writer's batches.
const MAX_AT_WORK: usize = 2;
/// Imports that a round looks at, so that those of other owners are found behind many of one.
const MAX_DUE: i64 = 64;
/// Interval of erasing contents whose retention has ended.
const ERASING: Duration = Duration::from_secs(3_600);
/// Interrupted passes in a row, without a further row, after which an import is paused with the reason `unavailable`. Each ends with
/// a hold of ten seconds, so that a database or writer may be away for five minutes.
const MAX_INTERRUPTED: u32 = 30;

/// What a node knows of the imports that it works on.
#[derive(Default)]
struct Desk {
    /// At work here.
    busy: HashSet<Due>,
    /// Interrupted the last time.
    interrupted: HashMap<Due, Tries>,
}

/// Interrupted passes of an import in a row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tries {
    /// Row at which the latest one began.
    at: i32,
    number: u32,
}

impl Tries {
    /// Notes another one, and tells whether it was the last. Rows that were done begin a new count.
    fn is_last(&mut self, at: i32) -> bool {
        self.number = if at == self.at { self.number + 1 } else { 1 };
        self.at = at;
        self.number >= MAX_INTERRUPTED
    }
}

type Shared = Arc<Mutex<Desk>>;

fn locked(desk: &Shared) -> MutexGuard<'_, Desk> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Works on imports until `stop` turns true. What is under way is given up: the next node goes on.
pub async fn run(app: Data<App>, mut stop: watch::Receiver<bool>) {
    let mut at_work = JoinSet::new();
    let desk = Shared::default();
    let rounds = async {
        let mut erased_at: Option<tokio::time::Instant> = None;
        loop {
            if erased_at.is_none_or(|at| at.elapsed() > ERASING) {
                erase(&app).await;
                erased_at = Some(tokio::time::Instant::now());
            }
            while at_work.try_join_next().is_some() {}
            match app.imports.due(MAX_DUE).await {
                Ok(due) => begin(&app, due, &desk, &mut at_work),
                Err(error) => {
                    tracing::warn!(error = %WithCauses(&error), "imports can't be looked at; they are again in a moment");
                }
            }
            tokio::time::sleep(ROUND).await;
        }
    };
    tokio::select! {
        _ = stop.wait_for(|stop| *stop) => {}
        () = rounds => {}
    }
    at_work.shutdown().await;
}

async fn erase(app: &App) {
    let tenants = match app.journal.tenants().await {
        Ok(tenants) => tenants,
        Err(error) => {
            tracing::warn!(error = %WithCauses(&error), "old imports are not erased; they are in an hour");
            return;
        }
    };
    for tenant in tenants {
        if let Err(error) = app.imports.erase_old(&tenant, app.now()).await {
            tracing::warn!(%tenant, error = %WithCauses(&error), "old imports are not erased; they are in an hour");
        }
    }
}

/// Frees an import when its pass ends, also by a panic.
struct Freed(Shared, Due);

impl Drop for Freed {
    fn drop(&mut self) {
        locked(&self.0).busy.remove(&self.1);
    }
}

/// Begins passes as far as there are places: of owners of whom none is at work here, then of the others.
fn begin(app: &Data<App>, due: Vec<Due>, desk: &Shared, at_work: &mut JoinSet<()>) {
    for may_be_second in [false, true] {
        for due in &due {
            if at_work.len() >= MAX_AT_WORK {
                return;
            }
            if !take(desk, due, may_be_second) {
                continue;
            }
            let freed = Freed(desk.clone(), due.clone());
            let (app, desk, due) = (app.clone(), desk.clone(), due.clone());
            at_work.spawn(async move {
                let _freed = freed;
                if let Err(error) = pass(&app, &due, &desk).await {
                    let Due { tenant, id, .. } = &due;
                    tracing::warn!(%tenant, %id, error = %WithCauses(&error), "an import is interrupted; it goes on soon");
                }
            });
        }
    }
}

/// Takes an import that is not at work here; one whose owner has another at work only if asked.
fn take(desk: &Shared, due: &Due, may_be_second: bool) -> bool {
    let mut desk = locked(desk);
    let of_owner = |other: &Due| (&other.tenant, other.owner) == (&due.tenant, due.owner);
    if !may_be_second && desk.busy.iter().any(of_owner) {
        return false;
    }
    desk.busy.insert(due.clone())
}

/// Works on an import until it is done, interrupted, or no longer held.
async fn pass(app: &App, due: &Due, desk: &Shared) -> Result<(), Interrupted> {
    let import = match app.imports.hold(due).await {
        Ok(import) => import,
        Err(error) if error.is_lasting() => {
            return give_up(app, due, "import_unreadable", &Interrupted::from(error)).await;
        }
        Err(error) => return Err(error.into()),
    };
    let Some((import, is_ordered)) = import else {
        locked(desk).interrupted.remove(due);
        return Ok(());
    };
    let (done, stopped) = match import.state {
        ImportState::Previewing => (ImportState::Previewed, ImportState::Mapping),
        _ => (ImportState::Done, ImportState::Paused),
    };
    let worked = if is_ordered {
        work(app, due, &import).await
    } else {
        Err(StoreError::NotAsPreviewed.into())
    };
    let (to, failure, summary) = match worked {
        Ok(Ended::Finished(summary)) => (done, None, summary),
        Ok(Ended::Lost | Ended::Yielded) => (import.state, None, None),
        Ok(Ended::Stopped(code)) | Err(Interrupted::Stopped(code)) => (stopped, Some(code), None),
        Err(error) => match reason(&error) {
            Some(code) => {
                let Due { tenant, id, .. } = due;
                tracing::warn!(%tenant, %id, error = %WithCauses(&error), "an import can't go on: somebody has to change something");
                let needs_preview = matches!(error, Interrupted::Store(StoreError::NotAsPreviewed));
                let to = if needs_preview { ImportState::Mapping } else { stopped };
                (to, Some(code), None)
            }
            None if is_last_try(desk, due, import.next_row) => {
                return give_up(app, due, "unavailable", &error).await;
            }
            // The hold ends by itself, so that the next try is not at once.
            None => return Err(error),
        },
    };
    locked(desk).interrupted.remove(due);
    app.imports
        .release(due, &import, to, failure, summary, app.now())
        .await?;
    Ok(())
}

/// The code of an interruption that no further try would end.
fn reason(error: &Interrupted) -> Option<&'static str> {
    match error {
        Interrupted::Submit(SubmitError::Quarantined) => Some("log_diverged"),
        Interrupted::Screening(error) => match error.as_ref() {
            ScreeningError::ListMissing(_) => Some("screening_list_missing"),
            _ => None,
        },
        Interrupted::Store(StoreError::NotAsPreviewed) => Some("import_not_as_previewed"),
        Interrupted::Store(error) if error.is_lasting() => Some("import_unreadable"),
        _ => None,
    }
}

fn is_last_try(desk: &Shared, due: &Due, at: i32) -> bool {
    let mut desk = locked(desk);
    let tries = desk.interrupted.entry(due.clone()).or_default();
    let is_last = tries.is_last(at);
    if is_last {
        desk.interrupted.remove(due);
    }
    is_last
}

/// Interrupts an import with a reason, without what reading it would tell.
async fn give_up(app: &App, due: &Due, code: &'static str, error: &Interrupted) -> Result<(), Interrupted> {
    app.imports.give_up(due, code, app.now()).await?;
    let Due { tenant, id, .. } = due;
    tracing::warn!(%tenant, %id, code, error = %WithCauses(error), "an import is given up until somebody goes on with it");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    #[test]
    fn an_import_is_given_up_after_thirty_interruptions_without_a_further_row() {
        let mut tries = Tries::default();
        assert!(!(1..MAX_INTERRUPTED).any(|_| tries.is_last(0)));
        assert!(tries.is_last(0));
        let mut tries = Tries::default();
        assert!(!(0..1_000).any(|row| tries.is_last(row)), "each got further");
        assert!(!(1..MAX_INTERRUPTED - 1).any(|_| tries.is_last(999)));
        assert!(tries.is_last(999));
    }

    #[test]
    fn an_owner_has_one_import_at_work_while_others_wait() {
        let due = |owner, id| Due {
            tenant: "acme".parse().unwrap(),
            owner: Uuid::from_u128(owner),
            id: Uuid::from_u128(id),
        };
        let desk = Shared::default();
        assert!(take(&desk, &due(1, 1), false));
        assert!(!take(&desk, &due(1, 2), false), "others come first");
        assert!(take(&desk, &due(2, 3), false));
        assert!(take(&desk, &due(1, 2), true), "nobody else waits");
        assert!(!take(&desk, &due(1, 2), true), "it is at work");
        drop(Freed(desk.clone(), due(1, 2)));
        assert!(take(&desk, &due(1, 2), true));
    }
}
