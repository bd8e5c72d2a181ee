//! What a server does beside its requests: begun before they are answered, ended when the last one is.

use super::{Serve, nodes::ServedCell, signals::Reload};
use crate::{
    app::App,
    backups, cell_router,
    checkpoints::Schedule,
    cli::{Failure, node::Node, rebuild::AfterUpgrade},
    cluster::NodeAddress,
    continuous::Patrol,
    dispatcher, importing, proposal_expiry, rate_schedule, readings, screened,
};
use actix_web::web::Data;
use caudal_projections::Projector;
use std::time::Duration;
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::watch,
    task::JoinHandle,
};

/// Time for queued mails to be sent at shutdown.
const MAILS_END: Duration = Duration::from_secs(10);

/// The tasks that [`Self::begin`] and [`Self::join`] begin. [`Self::end`] takes it apart field by field, so that none is
/// forgotten.
pub(super) struct Background {
    stop: watch::Sender<bool>,
    leave: watch::Sender<bool>,
    of_cells: Vec<JoinHandle<()>>,
    signing: Option<JoinHandle<()>>,
    watching: JoinHandle<()>,
    rebuilding: Option<JoinHandle<()>>,
    verifying: Option<JoinHandle<()>>,
    scheduling: JoinHandle<()>,
    expiring: JoinHandle<()>,
    delivering: JoinHandle<()>,
    auditing: JoinHandle<()>,
    screening: JoinHandle<()>,
    importing: JoinHandle<()>,
    deleting: JoinHandle<()>,
    backups: JoinHandle<()>,
    copying: Option<JoinHandle<()>>,
    projecting: JoinHandle<()>,
    reloading: JoinHandle<()>,
    joined: Option<JoinHandle<()>>,
}

impl Background {
    pub(super) async fn begin(
        serve: &Serve,
        node: &Node,
        app: &Data<App>,
        cells: &[ServedCell],
        schedule: &Schedule,
        projector: Projector,
        reload: Reload,
    ) -> Result<Self, Failure> {
        let (stop_all, stop) = watch::channel(false);
        let mut of_cells = Vec::new();
        if !cells.is_empty() {
            of_cells.push(tokio::spawn(cell_router::follow(app.clone(), stop.clone())));
        }
        for cell in cells {
            of_cells.extend(cell.begin(schedule, serve.verify_rate, &stop));
        }
        let signing = sign(app, schedule, &stop);
        let watching = tokio::spawn(node.journal.clone().watch(stop.clone()));
        let is_private_database = serve.has_private_database();
        let rebuilding = match is_private_database {
            true => {
                let after_upgrade = AfterUpgrade {
                    owner_url: node.owner_url().await?.to_owned(),
                    database: node.database.clone(),
                    journal: node.journal.clone(),
                };
                Some(tokio::spawn(after_upgrade.run(stop.clone())))
            }
            false => None,
        };
        let verifying = verify(app, serve.verify_rate, &stop);
        let scheduling = tokio::spawn(rate_schedule::run(app.clone(), stop.clone()));
        let expiring = tokio::spawn(proposal_expiry::run(app.clone(), stop.clone()));
        let delivering = tokio::spawn(dispatcher::run(app.clone(), stop.clone()));
        let auditing = tokio::spawn(readings::run(app.readings.clone(), app.journal.clone(), stop.clone()));
        let screening = tokio::spawn(screened::job::run(app.clone(), stop.clone()));
        let importing = tokio::spawn(importing::run(app.clone(), stop.clone()));
        let deleting = tokio::spawn(node.journal.clone().delete_old_records(stop.clone()));
        let archive = serve.place.given().archive;
        let copying = match archive.filter(|_| is_private_database) {
            Some(folder) => serve.place.backup_copy(&folder)?,
            None => None,
        };
        let watched = backups::watch(node.data_dir.path().to_owned(), copying.is_some(), stop.clone());
        let backups = tokio::spawn(watched);
        let copying = copying.map(|copy| tokio::spawn(copy.run(node.data_dir.path().to_owned(), stop.clone())));
        let projecting = tokio::spawn(projector.run(stop));
        let reloading = tokio::spawn(reload.run(app.clone(), signal(SignalKind::hangup())?));
        let publishing = app.clone();
        // The file store may be slow or unreachable: only pages of another version depend on it.
        tokio::spawn(async move {
            if let Err(error) = publishing.earlier.publish(&publishing.interface).await {
                tracing::warn!(%error, "this version of the interface is not kept for the next one");
            }
        });
        Ok(Self {
            stop: stop_all,
            leave: watch::Sender::new(false),
            of_cells,
            signing,
            watching,
            rebuilding,
            verifying,
            scheduling,
            expiring,
            delivering,
            auditing,
            screening,
            importing,
            deleting,
            backups,
            copying,
            projecting,
            reloading,
            joined: None,
        })
    }

    /// Lets other nodes reach the nodes of this process, until [`Self::leave`].
    pub(super) fn join(&mut self, address: Option<NodeAddress>, app: &Data<App>, cells: &[ServedCell]) {
        for of_cell in cells.iter().map(|cell| cell.app.clone()) {
            if let Some(address) = address.clone() {
                let left = self.leave.subscribe();
                let joined = tokio::spawn(async move { of_cell.cluster.join(address, left).await });
                self.of_cells.push(joined);
            }
        }
        self.joined = address.map(|address| {
            let (app, left) = (app.clone(), self.leave.subscribe());
            tokio::spawn(async move { app.cluster.join(address, left).await })
        });
    }

    /// Other nodes are no longer to reach the nodes of this process.
    pub(super) fn leave(&self) {
        self.leave.send_replace(true);
    }

    /// Ends all of it, once mails that wait are sent.
    pub(super) async fn end(self, app: &App) -> Result<(), Failure> {
        self.leave();
        let Self {
            stop,
            leave: _,
            of_cells,
            signing,
            watching,
            rebuilding,
            verifying,
            scheduling,
            expiring,
            delivering,
            auditing,
            screening,
            importing,
            deleting,
            backups,
            copying,
            projecting,
            reloading,
            joined,
        } = self;
        reloading.abort();
        app.mailer.finish(MAILS_END).await;
        stop.send_replace(true);
        projecting.await?;
        watching.await?;
        scheduling.await?;
        expiring.await?;
        delivering.await?;
        auditing.await?;
        screening.await?;
        importing.await?;
        deleting.await?;
        backups.await?;
        for task in [signing, verifying, joined, copying, rebuilding]
            .into_iter()
            .flatten()
            .chain(of_cells)
        {
            task.await?;
        }
        Ok(())
    }
}

impl ServedCell {
    /// Begins what a node does beside its requests, until `stop` turns true.
    fn begin(&self, schedule: &Schedule, verify_rate: u32, stop: &watch::Receiver<bool>) -> Vec<JoinHandle<()>> {
        let app = &self.app;
        let mut tasks = vec![
            tokio::spawn(self.node.journal.clone().watch(stop.clone())),
            tokio::spawn(rate_schedule::run(app.clone(), stop.clone())),
            tokio::spawn(proposal_expiry::run(app.clone(), stop.clone())),
            tokio::spawn(dispatcher::run(app.clone(), stop.clone())),
            tokio::spawn(readings::run(app.readings.clone(), app.journal.clone(), stop.clone())),
            tokio::spawn(screened::job::run(app.clone(), stop.clone())),
            tokio::spawn(importing::run(app.clone(), stop.clone())),
            tokio::spawn(self.node.journal.clone().delete_old_records(stop.clone())),
            tokio::spawn(self.projector.clone().run(stop.clone())),
        ];
        tasks.extend(sign(app, schedule, stop));
        tasks.extend(verify(app, verify_rate, stop));
        tasks
    }
}

/// Signs checkpoints where somebody is to have them.
fn sign(app: &App, schedule: &Schedule, stop: &watch::Receiver<bool>) -> Option<JoinHandle<()>> {
    (!schedule.destinations.is_empty() || !schedule.witnesses.is_empty()).then(|| {
        tokio::spawn(
            schedule
                .clone()
                .run(app.checkpoints.clone(), app.mailer.clone(), stop.clone()),
        )
    })
}

/// Verifies logs at a rate; not at all at 0.
fn verify(app: &App, rate: u32, stop: &watch::Receiver<bool>) -> Option<JoinHandle<()>> {
    let patrol = Patrol {
        journal: app.journal.clone(),
        checkpoints: app.checkpoints.clone(),
        clock: app.clock.clone(),
        rate,
        known: app.continuous.clone(),
    };
    (patrol.rate > 0).then(|| tokio::spawn(patrol.run(stop.clone())))
}
