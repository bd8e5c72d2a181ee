//! Scheduler of rate changes: a background task of every node waits for the next due change of any tenant and submits
//! the command that applies it. The log decides that it is applied once, whichever nodes try; overdue changes are
//! applied when a node starts.

use crate::app::App;
use actix_web::web::Data;
use caudal_domain::{Actor, Command, rates::RatesCommand};
use caudal_journal::{Submission, WithCauses};
use caudal_projections::rates::{self, DueChange};
use std::time::Duration;
use tokio::sync::watch;

/// Poll interval; another node may have recorded a new schedule.
const ROUND: Duration = Duration::from_secs(1);

/// Applies due changes until `stop` turns true.
pub async fn run(app: Data<App>, mut stop: watch::Receiver<bool>) {
    let rounds = async {
        loop {
            let pause = round(&app).await;
            tokio::time::sleep(pause).await;
        }
    };
    tokio::select! {
        _ = stop.wait_for(|stop| *stop) => {}
        () = rounds => {}
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

async fn apply(app: &App, change: DueChange) {
    let DueChange { tenant, id, targets } = change;
    let submission = Submission::of(Actor::System, Command::Rates(id, RatesCommand::Apply { targets }));
    app.checkpoints.compare_before_writing(&tenant).await;
    match app.journal.submit(&tenant, submission).await {
        Ok(committed) => app.until_projected(&tenant, committed.position).await,
        Err(error) => {
            tracing::warn!(%tenant, %id, error = %WithCauses(&error), "a scheduled change of rates did not take effect; it is tried again");
        }
    }
}
