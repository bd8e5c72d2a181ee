//! Scheduler of rate changes: a background task of every node waits for the next due change of any tenant and submits
//! the command that applies it. The log decides that it is applied once, whichever nodes try; overdue changes are
//! applied when a node starts.
//!
//! The read models only say when to look: time and targets of a change are those of its checked stream, and every tenant's log is
//! searched for changes that somebody hid in the read models.

use crate::app::App;
use actix_web::web::Data;
use caudal_domain::{Actor, Command, rates::RatesCommand};
use caudal_journal::{Submission, WithCauses};
use caudal_projections::rates::{self, DueChange};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// Poll interval; another node may have recorded a new schedule.
const ROUND: Duration = Duration::from_secs(1);
/// Shortest time between two searches of the logs.
const SEARCH: Duration = Duration::from_secs(10);
/// The searches take at most one part in so many of a node's time, however many tenants there are.
const SEARCH_SHARE: u32 = 20;

/// Applies due changes until `stop` turns true.
pub async fn run(app: Data<App>, mut stop: watch::Receiver<bool>) {
    let rounds = async {
        loop {
            let pause = round(&app).await;
            tokio::time::sleep(pause).await;
        }
    };
    let searches = async {
        loop {
            let begun = Instant::now();
            search(&app).await;
            tokio::time::sleep(SEARCH.max(begun.elapsed() * SEARCH_SHARE)).await;
        }
    };
    tokio::select! {
        _ = stop.wait_for(|stop| *stop) => {}
        () = rounds => {}
        () = searches => {}
    }
}

/// Applies due changes; returns the time until the next poll.
async fn round(app: &App) -> Duration {
    let now = app.now();
    let (due, next) = match rates::due(&app.database, now).await {
        Ok(found) => found,
        Err(error) => {
            tracing::warn!(error = %WithCauses(&error), "scheduled changes of rates can't be looked at; they are again in a second");
            return ROUND;
        }
    };
    for change in due {
        apply(app, change).await;
    }
    let ahead = next.and_then(|next| (next - now).to_std().ok());
    ahead.map_or(ROUND, |ahead| ahead.min(ROUND))
}

/// Applies due changes that the logs have, whatever the read models show.
async fn search(app: &App) {
    let tenants = match app.journal.tenants().await {
        Ok(tenants) => tenants,
        Err(error) => {
            tracing::warn!(error = %WithCauses(&error), "the logs can't be searched for changes of rates; they are again soon");
            return;
        }
    };
    for tenant in tenants {
        if app.journal.quarantined(&tenant).is_some() {
            continue;
        }
        match rates::unapplied(&app.journal, &tenant).await {
            Ok(changes) => {
                for change in changes {
                    apply(app, change).await;
                }
            }
            Err(error) => {
                tracing::warn!(%tenant, error = %WithCauses(&error), "the log can't be searched for changes of rates; it is again soon");
            }
        }
    }
}

/// Applies a change if it is due by the log.
async fn apply(app: &App, change: DueChange) {
    let targets = match rates::scheduled(&app.journal, &change).await {
        Ok(Some((at, targets))) if at <= app.now() => targets,
        // The read models are behind, or were changed.
        Ok(_) => return,
        Err(error) => {
            let DueChange { tenant, id } = change;
            tracing::warn!(%tenant, %id, error = %WithCauses(&error), "a scheduled change of rates can't be read; it is tried again");
            return;
        }
    };
    let DueChange { tenant, id } = change;
    let submission = Submission::of(Actor::System, Command::Rates(id, RatesCommand::Apply { targets }));
    app.checkpoints.compare_before_writing(&tenant).await;
    match app.journal.submit(&tenant, submission).await {
        Ok(committed) => app.until_projected(&tenant, committed.position).await,
        Err(error) => {
            tracing::warn!(%tenant, %id, error = %WithCauses(&error), "a scheduled change of rates did not take effect; it is tried again");
        }
    }
}
