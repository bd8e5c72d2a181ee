//! What a server does beside its requests: begun before they are answered, ended when the last one is. [`Tasks`] starts a task that
//! panicked again.

use super::{Serve, nodes::ServedCell, signals::Reload};
use crate::{
    app::App,
    backups, cell_router,
    checkpoints::Schedule,
    cli::{Failure, node::Node, rebuild::AfterUpgrade},
    cluster::NodeAddress,
    continuous::Patrol,
    dispatcher, importing, proposal_expiry, rate_schedule, readings, screened,
    tasks::Tasks,
};
use actix_web::web::Data;
use caudal_journal::Journal;
use caudal_projections::Projector;
use std::{sync::Arc, time::Duration};
use tokio::{
    signal::unix::{SignalKind, signal},
    sync::{Mutex, watch},
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
        let tasks = &app.tasks;
        let mut of_cells = Vec::new();
        if !cells.is_empty() {
            of_cells.push(tasks.keep("cells", &stop, with(app, &stop, cell_router::follow)));
        }
        for cell in cells {
            of_cells.extend(cell.begin(tasks, schedule, serve.verify_rate, &stop));
        }
        let signing = sign(tasks, app, schedule, &stop);
        let watching = tasks.keep("watch", &stop, with(&node.journal, &stop, Journal::watch));
        let is_private_database = serve.has_private_database();
        let rebuilding = match is_private_database {
            true => {
                let after_upgrade = AfterUpgrade {
                    owner_url: node.owner_url().await?.to_owned(),
                    database: node.database.clone(),
                    journal: node.journal.clone(),
                };
                Some(tasks.keep("rebuild", &stop, with(&after_upgrade, &stop, AfterUpgrade::run)))
            }
            false => None,
        };
        let verifying = verify(tasks, app, serve.verify_rate, &stop);
        let scheduling = tasks.keep("rates", &stop, with(app, &stop, rate_schedule::run));
        let expiring = tasks.keep("proposals", &stop, with(app, &stop, proposal_expiry::run));
        let delivering = tasks.keep("webhooks", &stop, with(app, &stop, dispatcher::run));
        let auditing = tasks.keep("readings", &stop, with(app, &stop, audit));
        let screening = tasks.keep("screening", &stop, with(app, &stop, screened::job::run));
        let importing = tasks.keep("imports", &stop, with(app, &stop, importing::run));
        let deleting = tasks.keep(
            "deletion",
            &stop,
            with(&node.journal, &stop, Journal::delete_old_records),
        );
        let archive = serve.place.given().archive;
        let copying = match archive.filter(|_| is_private_database) {
            Some(folder) => serve.place.backup_copy(&folder)?,
            None => None,
        };
        let of_backups = (node.data_dir.path().to_owned(), copying.is_some());
        let backups = tasks.keep(
            "backups",
            &stop,
            with(&of_backups, &stop, |(folder, is_copied), stop| {
                backups::watch(folder, is_copied, stop)
            }),
        );
        let copying = copying.map(|copy| {
            let of_copy = (copy, node.data_dir.path().to_owned());
            tasks.keep(
                "backup_copy",
                &stop,
                with(&of_copy, &stop, |(copy, folder), stop| copy.run(folder, stop)),
            )
        });
        let projecting = tasks.keep("projector", &stop, with(&projector, &stop, Projector::run));
        let reload = (
            app.clone(),
            Arc::new(Mutex::new((reload, signal(SignalKind::hangup())?))),
        );
        let reloading = tasks.keep(
            "reload",
            &stop,
            with(&reload, &stop, |(app, held), _| async move {
                let (reload, hangup) = &mut *held.lock().await;
                reload.run(&app, hangup).await;
            }),
        );
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
        let Some(address) = address else { return };
        let left = self.leave.subscribe();
        let join = |of_cell: &Data<App>| {
            let member = (of_cell.clone(), address.clone());
            let joins = with(&member, &left, |(of_cell, address), left| async move {
                of_cell.cluster.join(address, left).await;
            });
            app.tasks.keep("cluster", &left, joins)
        };
        self.of_cells.extend(cells.iter().map(|cell| join(&cell.app)));
        self.joined = Some(join(app));
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
    fn begin(
        &self,
        tasks: &Tasks,
        schedule: &Schedule,
        verify_rate: u32,
        stop: &watch::Receiver<bool>,
    ) -> Vec<JoinHandle<()>> {
        let (app, journal) = (&self.app, &self.node.journal);
        let mut begun = vec![
            tasks.keep("watch", stop, with(journal, stop, Journal::watch)),
            tasks.keep("rates", stop, with(app, stop, rate_schedule::run)),
            tasks.keep("proposals", stop, with(app, stop, proposal_expiry::run)),
            tasks.keep("webhooks", stop, with(app, stop, dispatcher::run)),
            tasks.keep("readings", stop, with(app, stop, audit)),
            tasks.keep("screening", stop, with(app, stop, screened::job::run)),
            tasks.keep("imports", stop, with(app, stop, importing::run)),
            tasks.keep("deletion", stop, with(journal, stop, Journal::delete_old_records)),
            tasks.keep("projector", stop, with(&self.projector, stop, Projector::run)),
        ];
        begun.extend(sign(tasks, app, schedule, stop));
        begun.extend(verify(tasks, app, verify_rate, stop));
        begun
    }
}

/// The work of a task, from its beginning each time.
fn with<T, W, F>(of: &T, stop: &watch::Receiver<bool>, run: F) -> impl Fn() -> W + Send + 'static + use<T, W, F>
where
    T: Clone + Send + 'static,
    W: 'static,
    F: Fn(T, watch::Receiver<bool>) -> W + Send + 'static,
{
    let (of, stop) = (of.clone(), stop.clone());
    move || run(of.clone(), stop.clone())
}

async fn audit(app: Data<App>, stop: watch::Receiver<bool>) {
    readings::run(app.readings.clone(), app.journal.clone(), stop).await;
}

/// Signs checkpoints where somebody is to have them.
fn sign(tasks: &Tasks, app: &App, schedule: &Schedule, stop: &watch::Receiver<bool>) -> Option<JoinHandle<()>> {
    (!schedule.destinations.is_empty() || !schedule.witnesses.is_empty()).then(|| {
        let signed = (schedule.clone(), app.checkpoints.clone(), app.mailer.clone());
        let signs = with(&signed, stop, |(schedule, checkpoints, mailer), stop| {
            schedule.run(checkpoints, mailer, stop)
        });
        tasks.keep("checkpoints", stop, signs)
    })
}

/// Verifies logs at a rate; not at all at 0.
fn verify(tasks: &Tasks, app: &App, rate: u32, stop: &watch::Receiver<bool>) -> Option<JoinHandle<()>> {
    let patrol = Patrol {
        journal: app.journal.clone(),
        checkpoints: app.checkpoints.clone(),
        clock: app.clock.clone(),
        rate,
        known: app.continuous.clone(),
    };
    (patrol.rate > 0).then(|| tasks.keep("verification", stop, with(&patrol, stop, Patrol::run)))
}
