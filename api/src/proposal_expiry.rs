//! End of expired proposals of persons: a background task of every node submits the command that forgets who was proposed
//! and never registered. The log decides that it is done once, whichever nodes try. Each hour it also deletes the client secrets
//! of single sign-on that were replaced, or whose proposals came to nothing.

use crate::{app::App, problem::ApiError};
use actix_web::web::Data;
use caudal_domain::{
    Actor, Command, SignOnProvider,
    approval::{ApprovalKind, ProposalCommand},
    ids::{SignOnSecretId, TenantId},
};
use caudal_journal::{Submission, WithCauses};
use caudal_projections::proposal;
use chrono::{DateTime, TimeDelta, Utc};
use std::time::Duration;
use tokio::sync::watch;

/// Nobody waits for it: an approval compares the time itself.
const ROUND: Duration = Duration::from_secs(60);
/// Rounds between two deletions of secrets: an hour.
const ROUNDS_TO_DELETION: u32 = 60;
/// How long a client secret that no event names is kept: a request stores the secret before its command is given, and an approval
/// compares the clock of its own node.
const SECRET_UNNAMED: TimeDelta = TimeDelta::hours(1);

/// Ends expired proposals until `stop` turns true.
pub async fn run(app: Data<App>, mut stop: watch::Receiver<bool>) {
    let rounds = async {
        let mut left = 0;
        loop {
            round(&app).await;
            if left == 0 {
                left = ROUNDS_TO_DELETION;
                delete_secrets(&app).await;
            }
            left -= 1;
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

/// Deletes the secrets of all tenants that are in force no more, and that will not be.
pub async fn delete_secrets(app: &App) {
    let tenants = match app.journal.tenants().await {
        Ok(tenants) => tenants,
        Err(error) => {
            tracing::warn!(error = %WithCauses(&error), "client secrets can't be deleted; they are in an hour");
            return;
        }
    };
    for tenant in tenants {
        if app.journal.quarantined(&tenant).is_none() {
            forget_secrets(app, &tenant).await;
        }
    }
}

/// Deletes a tenant's client secrets of single sign-on but the one in force. While a proposal that may name one waits, all stay.
pub async fn forget_secrets(app: &App, tenant: &TenantId) {
    if let Err(error) = try_to_forget(app, tenant).await {
        tracing::warn!(%tenant, code = error.code(), "client secrets can't be deleted; they are in an hour");
    }
}

async fn try_to_forget(app: &App, tenant: &TenantId) -> Result<(), ApiError> {
    let stored = app.sign_ons.secrets(tenant).await?;
    if stored.is_empty() {
        return Ok(());
    }
    let since = app.now() - SECRET_UNNAMED;
    let (state, _) = app.journal.state(tenant).await?;
    if state.waiting(since).any(|proposal| proposal.kind == ApprovalKind::User) {
        return Ok(());
    }
    let in_force = state.sign_on().map(SignOnProvider::secret);
    drop(state);
    let is_over = |id: &SignOnSecretId| Some(*id) != in_force && stored_at(*id).is_none_or(|at| at < since);
    let over: Vec<SignOnSecretId> = stored.into_iter().filter(is_over).collect();
    if over.is_empty() {
        return Ok(());
    }
    app.sign_ons.forget_secrets(tenant, &over).await
}

/// When the id of a secret was made, just before the secret was stored.
fn stored_at(id: SignOnSecretId) -> Option<DateTime<Utc>> {
    let (seconds, nanos) = id.0.get_timestamp()?.to_unix();
    DateTime::from_timestamp(i64::try_from(seconds).ok()?, nanos)
}
