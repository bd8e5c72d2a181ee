//! Screening of everybody after a list, a threshold or a rule changed, and the holds of what is open: a background task of
//! every node. One node at a time holds a tenant's run, which goes on after a crash where it stopped.

use super::is_changed_meanwhile;
use crate::{
    app::App,
    screening::{Chosen, ListFreshness, ScreeningError},
};
use actix_web::web::Data;
use caudal_domain::{
    Actor, Command,
    ids::TenantId,
    remittance::{HoldReason, HoldRemittance, RemittanceCommand},
};
use caudal_journal::{Head, Submission, SubmitError, WithCauses};
use caudal_projections::screening as cases;
use std::time::Duration;
use tokio::sync::watch;

/// Time between looks. An installation without lists pays one small query.
const ROUND: Duration = Duration::from_secs(5);
/// Customers screened together: less than a second of search, after which the run moves on.
const PAGE: i64 = 500;
/// Attempts at a page when its customers are changed at the same time.
const ATTEMPTS: usize = 5;
/// Holds of one round, so that other tenants have their turn.
const MAX_HOLDS: i64 = 500;
/// Rounds until the tenants of an installation without lists are looked at: one may have chosen a list that is gone.
const ROUNDS_WITHOUT_LISTS: u32 = 12;

/// Screens until `stop` turns true. A page under way is given up, and is screened again by the next node.
pub async fn run(app: Data<App>, mut stop: watch::Receiver<bool>) {
    let rounds = async {
        let mut skipped = 0;
        loop {
            let has_none = matches!(app.screening.catalogue().await, Ok(lists) if lists.is_empty());
            skipped = if has_none { skipped + 1 } else { ROUNDS_WITHOUT_LISTS };
            if skipped >= ROUNDS_WITHOUT_LISTS {
                skipped = 0;
                round(&app).await;
            }
            tokio::time::sleep(ROUND).await;
        }
    };
    tokio::select! {
        _ = stop.wait_for(|stop| *stop) => {}
        () = rounds => {}
    }
}

/// One look at all tenants.
pub async fn round(app: &App) {
    let failed = |tenant: Option<&TenantId>, error: &ScreeningError| {
        let tenant = tenant.map(TenantId::as_str);
        tracing::warn!(tenant, error = %WithCauses(error), "customers can't be screened; they are again in a moment");
    };
    let tenants = match app.journal.tenants().await {
        Ok(tenants) => tenants,
        Err(error) => return failed(None, &error.into()),
    };
    for tenant in tenants {
        if app.journal.quarantined(&tenant).is_some() {
            continue;
        }
        if let Err(error) = of_tenant(app, &tenant).await {
            failed(Some(&tenant), &error);
        }
    }
}

async fn of_tenant(app: &App, tenant: &TenantId) -> Result<(), ScreeningError> {
    let (state, head) = app.journal.state(tenant).await?;
    let chosen = Chosen::of(&state);
    drop(state);
    let store = &app.screening.store;
    // A rule that was emptied clears what was found by it.
    if chosen.rule.lists.is_empty() && store.run(tenant).await?.is_none() {
        return Ok(());
    }
    // Where a list can't be searched, nobody is cleared, and what is known is held all the same.
    let screened = everybody(app, tenant, &chosen, head).await;
    hold(app, tenant).await?;
    screened
}

/// Begins or goes on with the run that is due.
async fn everybody(app: &App, tenant: &TenantId, chosen: &Chosen, head: Head) -> Result<(), ScreeningError> {
    let store = &app.screening.store;
    let lists = app.screening.lists(tenant, chosen, ListFreshness::Newest).await?;
    let (fingerprint, node) = (lists.fingerprint(), app.screening.node);
    let mut transaction = app.reads.begin(tenant, head.position).await?;
    let total = i32::try_from(cases::customers(&mut transaction).await?).unwrap_or(i32::MAX);
    drop(transaction);
    if let Some(mut run) = store.hold(tenant, &fingerprint, node, total).await? {
        loop {
            let is_over = !page(app, tenant, &lists, &mut run).await?;
            if !store.advance(tenant, &fingerprint, node, &run, is_over).await? || is_over {
                break;
            }
        }
    }
    Ok(())
}

/// Screens the next customers; false when there are none.
async fn page(
    app: &App,
    tenant: &TenantId,
    lists: &super::Lists,
    run: &mut crate::screening::store::Run,
) -> Result<bool, ScreeningError> {
    let mut left = ATTEMPTS;
    loop {
        let head = app.journal.head(tenant).await?.position;
        let mut transaction = app.reads.begin(tenant, head).await?;
        let position = transaction.position();
        let Some((last, count, subjects)) =
            cases::next_subjects(&app.journal, &mut transaction, run.after, PAGE).await?
        else {
            return Ok(false);
        };
        drop(transaction);
        match app.screen_subjects(tenant, lists, subjects, position).await {
            Err(error) if left > 1 && is_changed_meanwhile(&error) => left -= 1,
            Err(error) => return Err(error),
            Ok(found) => {
                run.after = Some(last);
                run.screened = run.screened.saturating_add(count);
                run.found = run.found.saturating_add(found);
                return Ok(true);
            }
        }
    }
}

/// Holds open remittances of customers in review: those sold before the candidates were found.
async fn hold(app: &App, tenant: &TenantId) -> Result<(), ScreeningError> {
    let head = app.journal.head(tenant).await?.position;
    let mut transaction = app.reads.begin(tenant, head).await?;
    let open = cases::without_holds(&mut transaction, MAX_HOLDS).await?;
    drop(transaction);
    let mut last = 0;
    for (remittance, customer) in open {
        let hold = HoldRemittance {
            reason: HoldReason::Screening,
            reference: Some(customer.0),
            note: String::new(),
        };
        let command = Command::Remittance(remittance, RemittanceCommand::Hold(hold));
        app.checkpoints.compare_before_writing(tenant).await;
        match app.journal.submit(tenant, Submission::of(Actor::System, command)).await {
            Ok(committed) => last = committed.position,
            // Completed or canceled meanwhile.
            Err(SubmitError::Refused(refusal)) => {
                tracing::info!(%tenant, %remittance, code = refusal.code, "a remittance is not held any more");
            }
            Err(error) => return Err(error.into()),
        }
    }
    if last > 0 {
        app.until_projected(tenant, last).await;
    }
    Ok(())
}
