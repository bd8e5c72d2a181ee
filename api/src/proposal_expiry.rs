//! End of expired proposals of persons: a background task of every node submits the command that forgets who was proposed
//! and never registered. The log decides that it is done once, whichever nodes try.

use crate::app::App;
use actix_web::web::Data;
use caudal_domain::{Actor, Command, approval::ProposalCommand};
use caudal_journal::{Submission, WithCauses};
use caudal_projections::proposal;
use std::time::Duration;
use tokio::sync::watch;

/// Nobody waits for it: an approval compares the time itself.
const ROUND: Duration = Duration::from_secs(60);

/// Ends expired proposals until `stop` turns true.
pub async fn run(app: Data<App>, mut stop: watch::Receiver<bool>) {
    let rounds = async {
        loop {
            round(&app).await;
            tokio::time::sleep(ROUND).await;
        }
    };
    tokio::select! {
        _ = stop.wait_for(|stop| *stop) => {}
        () = rounds => {}
    }
}

/// Ends the proposals that are expired now.
pub async fn round(app: &App) {
    let expired = match proposal::expired(&app.database, app.now()).await {
        Ok(expired) => expired,
        Err(error) => {
            tracing::warn!(error = %WithCauses(&error), "expired proposals can't be looked at; they are again in a minute");
            return;
        }
    };
    for (tenant, id) in expired {
        let submission = Submission::of(Actor::System, Command::Proposal(id, ProposalCommand::Expire));
        app.checkpoints.compare_before_writing(&tenant).await;
        match app.journal.submit(&tenant, submission).await {
            Ok(committed) => app.until_projected(&tenant, committed.position).await,
            Err(error) => {
                tracing::warn!(%tenant, %id, error = %WithCauses(&error), "a proposed person was not forgotten; it is tried again");
            }
        }
    }
}
