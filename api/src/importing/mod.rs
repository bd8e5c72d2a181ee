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
    imports::import::{Due, ImportState},
};
use actix_web::web::Data;
use caudal_journal::{SubmitError, WithCauses};
use std::{
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};
use tokio::{sync::watch, task::JoinSet};
use worker::{Ended, work};

/// Poll interval.
const ROUND: Duration = Duration::from_millis(500);
/// Imports at work per node: each takes a share of the writer's batches.
const MAX_AT_WORK: usize = 2;
/// Interval of erasing contents whose retention has ended.
const ERASING: Duration = Duration::from_secs(3_600);

type Busy = Arc<Mutex<HashSet<Due>>>;

/// Works on imports until `stop` turns true. What is under way is given up: the next node goes on.
pub async fn run(app: Data<App>, mut stop: watch::Receiver<bool>) {
    let mut at_work = JoinSet::new();
    let busy: Busy = Arc::default();
    let rounds = async {
        let mut erased_at: Option<tokio::time::Instant> = None;
        loop {
            if erased_at.is_none_or(|at| at.elapsed() > ERASING) {
                erase(&app).await;
                erased_at = Some(tokio::time::Instant::now());
            }
            while at_work.try_join_next().is_some() {}
            match app.imports.due(MAX_AT_WORK as i64).await {
                Ok(due) => begin(&app, due, &busy, &mut at_work),
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
struct Freed(Busy, Due);

impl Drop for Freed {
    fn drop(&mut self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.1);
    }
}

fn begin(app: &Data<App>, due: Vec<Due>, busy: &Busy, at_work: &mut JoinSet<()>) {
    for due in due {
        if at_work.len() >= MAX_AT_WORK {
            return;
        }
        if !busy.lock().unwrap_or_else(PoisonError::into_inner).insert(due.clone()) {
            continue;
        }
        let freed = Freed(busy.clone(), due.clone());
        let app = app.clone();
        at_work.spawn(async move {
            let _freed = freed;
            if let Err(error) = pass(&app, &due).await {
                let Due { tenant, id } = &due;
                tracing::warn!(%tenant, %id, error = %WithCauses(&error), "an import is interrupted; it goes on soon");
            }
        });
    }
}

/// Works on an import until it is done, interrupted, or no longer held.
async fn pass(app: &App, due: &Due) -> Result<(), Interrupted> {
    let Some(import) = app.imports.hold(due).await? else {
        return Ok(());
    };
    let (from, done, stopped) = match import.state {
        ImportState::Previewing => (ImportState::Previewing, ImportState::Previewed, ImportState::Mapping),
        _ => (ImportState::Running, ImportState::Done, ImportState::Paused),
    };
    let (to, failure, summary) = match work(app, due, &import).await {
        Ok(Ended::Finished(summary)) => (done, None, summary),
        Ok(Ended::Lost) => (from, None, None),
        Ok(Ended::Stopped(code)) | Err(Interrupted::Stopped(code)) => (stopped, Some(code), None),
        Err(Interrupted::Submit(SubmitError::Quarantined)) => (stopped, Some("log_diverged"), None),
        // The hold ends by itself, so that the next try is not at once.
        Err(error) => return Err(error),
    };
    app.imports.release(due, from, to, failure, summary, app.now()).await?;
    Ok(())
}
