//! `caudal serve`.

use super::{Cli, Command, Failure, InForce, Logging, Place, demo, node::Node, read, rebuild::AfterUpgrade, say};
use crate::{
    addresses::Reachable,
    app::{App, Parts},
    auth::sign_on::client::Providers,
    auth::{
        address::{Proxies, network},
        cookies::PublicUrl,
        passwords::Cost,
    },
    backups, cell_router,
    checkpoints::{Destination, Schedule, WitnessUrl, Witnesses, parse_interval},
    cluster::NodeAddress,
    continuous::{DEFAULT_RATE, Patrol},
    dispatcher,
    doctor::{BrokenSetting, gather},
    files::Quotas,
    importing,
    mail::{self, Mailer},
    metrics, proposal_expiry, rate_schedule,
    rates::WriteRate,
    readings, screened,
    server::{self, Surface},
    settings::{holds_secrets, is_live},
    spa::Interface,
    telemetry::{self, Exporter, Traces},
};
use actix_web::web::Data;
use caudal_generators::demo::Filled;
use caudal_journal::{CellName, WithCauses};
use caudal_postgres::{DataDir, Database};
use caudal_projections::{Projector, Reads};
use clap::Args;
use ipnet::IpNet;
use std::{collections::BTreeMap, ffi::OsString, net::SocketAddr, path::PathBuf, time::Duration};
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    sync::watch,
    task::JoinHandle,
};

/// Time for live streams to end by themselves at shutdown, before requests are awaited.
const STREAMS_END: Duration = Duration::from_millis(300);

/// Time for queued mails to be sent at shutdown.
const MAILS_END: Duration = Duration::from_secs(10);

/// Serves the API and the interface.
#[derive(Args, Debug)]
pub struct Serve {
    /// The address to listen on; port 0 takes a free one
    #[arg(
        long,
        env = "CAUDAL_LISTEN",
        default_value = "127.0.0.1:8080",
        value_name = "ADDRESS:PORT"
    )]
    listen: SocketAddr,
    /// A standby of the database, or a balancer in front of several, from which lists, reports and exports are read
    /// where it is as far as the primary
    #[arg(
        long,
        env = "CAUDAL_STANDBY_DATABASE_URL",
        value_name = "URL",
        hide_env_values = true,
        verbatim_doc_comment
    )]
    standby_database_url: Option<String>,
    /// The address at which the other nodes over the same database reach this one, like http://10.0.0.2:8080 (port 0 stands
    /// for the port listened on): behind a balancer that knows no tenants, nodes forward commands to each other by it
    #[arg(long, env = "CAUDAL_NODE_ADDRESS", value_name = "URL", verbatim_doc_comment)]
    node_address: Option<NodeAddress>,
    /// Another address on which /metrics, the API's pages (/api/docs, /api/openapi.json) and the health checks are served;
    /// the address of --listen then has neither metrics nor those pages
    #[arg(
        long,
        env = "CAUDAL_OPERATIONS_LISTEN",
        value_name = "ADDRESS:PORT",
        verbatim_doc_comment
    )]
    operations_listen: Option<SocketAddr>,
    /// The address at which browsers reach this server, like https://caudal.example.org: with https its cookies are for
    /// TLS alone, and people log in with passkeys. Unless it is given, a trusted proxy's X-Forwarded-Proto says so
    #[arg(long, env = "CAUDAL_PUBLIC_URL", value_name = "URL", verbatim_doc_comment)]
    public_url: Option<PublicUrl>,
    /// Fill the tenant `default` with the demonstration where it is empty, and say how to log in
    #[arg(long)]
    demo: bool,
    /// The built interface, in place of the one that the program carries
    #[arg(long, env = "CAUDAL_ASSETS", value_name = "FOLDER")]
    assets: Option<PathBuf>,
    /// Where signed checkpoints of every log are sent: a folder, s3://BUCKET/PREFIX or mailto:ADDRESS, or several of them
    /// with commas between
    #[arg(
        long,
        env = "CAUDAL_CHECKPOINT_TO",
        value_name = "DESTINATION",
        value_delimiter = ',',
        verbatim_doc_comment
    )]
    checkpoint_to: Vec<Destination>,
    /// How often they are sent, where a log has grown: like 30s, 15m, 6h or 1d
    #[arg(long, env = "CAUDAL_CHECKPOINT_EVERY", value_name = "INTERVAL", default_value = "1h", value_parser = parse_interval)]
    checkpoint_every: Duration,
    /// The witnesses that co-sign every checkpoint, like https://witness.example.org, with commas between
    #[arg(long, env = "CAUDAL_WITNESS", value_name = "URL", value_delimiter = ',')]
    witness: Vec<WitnessUrl>,
    /// How many events a second are verified beside all else, over all tenants; 0 for none
    #[arg(long, env = "CAUDAL_VERIFY_RATE", value_name = "EVENTS", default_value_t = DEFAULT_RATE)]
    verify_rate: u32,
    /// The proxies in front of this server, as addresses or networks like 10.0.0.0/8, with commas between: what they
    /// write into X-Forwarded-For is who is counted as calling, and X-Forwarded-Proto by which protocol
    #[arg(
        long,
        env = "CAUDAL_TRUSTED_PROXIES",
        value_name = "NETWORKS",
        value_delimiter = ',',
        value_parser = network,
        verbatim_doc_comment
    )]
    trusted_proxies: Vec<IpNet>,
    /// Networks to which webhooks are sent although they are not public, as addresses or networks like 10.0.0.0/8, with
    /// commas between; there http:// is permitted too. Without them webhooks go to public addresses alone, by https://
    #[arg(
        long,
        env = "CAUDAL_WEBHOOK_NETWORKS",
        value_name = "NETWORKS",
        value_delimiter = ',',
        value_parser = network,
        verbatim_doc_comment
    )]
    webhook_networks: Vec<IpNet>,
    #[command(flatten)]
    bounds: Bounds,
    #[command(flatten)]
    mail: Mail,
    #[command(flatten)]
    telemetry: telemetry::Settings,
    #[command(flatten)]
    place: Place,
}

/// What callers may use; 0 stands for no limit.
#[derive(Args, Debug)]
pub struct Bounds {
    /// Writes a second of one caller on this server, ten seconds' worth of them at once; 0 for no limit
    #[arg(
        long,
        env = "CAUDAL_WRITE_RATE",
        value_name = "NUMBER",
        default_value_t = WriteRate::default()
    )]
    write_rate: WriteRate,
    /// Files that one caller may upload a day; 0 for no limit
    #[arg(
        long,
        env = "CAUDAL_UPLOAD_FILES",
        value_name = "NUMBER",
        default_value_t = Quotas::default().files_a_day
    )]
    upload_files: u32,
    /// Megabytes that one caller may upload a day; 0 for no limit
    #[arg(
        long,
        env = "CAUDAL_UPLOAD_MEGABYTES",
        value_name = "NUMBER",
        default_value_t = in_megabytes(Quotas::default().bytes_a_day)
    )]
    upload_megabytes: u32,
    /// Megabytes that the files of one tenant may take; 0 for no limit
    #[arg(
        long,
        env = "CAUDAL_TENANT_MEGABYTES",
        value_name = "NUMBER",
        default_value_t = in_megabytes(Quotas::default().tenant_bytes)
    )]
    tenant_megabytes: u32,
}

const MEGABYTE: u64 = 1 << 20;

fn in_megabytes(bytes: u64) -> u32 {
    u32::try_from(bytes / MEGABYTE).unwrap_or(u32::MAX)
}

impl Bounds {
    fn quotas(&self) -> Quotas {
        Quotas {
            files_a_day: self.upload_files,
            bytes_a_day: u64::from(self.upload_megabytes) * MEGABYTE,
            tenant_bytes: u64::from(self.tenant_megabytes) * MEGABYTE,
        }
    }
}

/// Where mails go.
#[derive(Args, Debug)]
pub struct Mail {
    /// The mail server, like smtps://user:password@mail.example.org; without one mails are kept in the data folder's
    /// outbox
    #[arg(
        long,
        env = "CAUDAL_SMTP_URL",
        value_name = "URL",
        hide_env_values = true,
        verbatim_doc_comment
    )]
    smtp_url: Option<String>,
    /// Whom mails are from, like "Caudal <no-reply@example.org>"
    #[arg(long, env = "CAUDAL_MAIL_FROM", value_name = "ADDRESS")]
    mail_from: Option<String>,
}

impl Mail {
    /// Refuses a mail server without a sender address.
    fn check(&self) -> Result<(), Failure> {
        let settings = self.settings();
        if settings.smtp_url.is_some() && settings.from.is_none() {
            return Err("--smtp-url (CAUDAL_SMTP_URL) is set, and --mail-from (CAUDAL_MAIL_FROM) is not".into());
        }
        Ok(())
    }

    /// The mail settings. An empty variable counts as unset.
    pub fn settings(&self) -> mail::Settings {
        let said = |value: &Option<String>| value.clone().filter(|value| !value.is_empty());
        mail::Settings {
            smtp_url: said(&self.smtp_url),
            from: said(&self.mail_from),
        }
    }
}

impl Serve {
    /// What makes traces, and what sends them.
    pub fn telemetry(&self) -> (Traces, Option<Exporter>) {
        self.telemetry.begin()
    }

    pub async fn run(self, reload: Reload, exporter: Option<Exporter>) -> Result<(), Failure> {
        self.mail.check()?;
        let interface = match self.assets.as_deref() {
            Some(folder) => Interface::read(folder)?,
            None => Interface::embedded()?,
        };
        metrics::install()?;
        let told_to_stop = told_to_stop()?;
        let node = Node::open(&self.place, "caudal").await?;
        node.warn_of_risks().await?;
        let outcome = match Mailer::new(&self.mail.settings(), node.data_dir.path()) {
            Ok(mailer) => {
                let (stop_sending, stop) = watch::channel(false);
                let sending = exporter.map(|exporter| tokio::spawn(exporter.run(stop)));
                let outcome = self.on(&node, interface, mailer, told_to_stop, reload).await;
                stop_sending.send_replace(true);
                if let Some(sending) = sending {
                    sending.await?;
                }
                outcome
            }
            Err(error) => Err(error.into()),
        };
        node.close().await?;
        outcome
    }

    async fn on(
        self,
        node: &Node,
        interface: Interface,
        mailer: Mailer,
        mut told_to_stop: watch::Receiver<bool>,
        reload: Reload,
    ) -> Result<(), Failure> {
        let schedule = Schedule {
            every: self.checkpoint_every,
            destinations: self.checkpoint_to.clone(),
            witnesses: Witnesses::new(self.witness.clone())?,
        };
        let with_demo = self.demo;
        let is_private = self.listen.ip().is_loopback();
        if !is_private && self.public_url.is_none() && self.trusted_proxies.is_empty() {
            tracing::warn!(
                "cookies are not marked Secure: give --public-url https://…, or --trusted-proxies for a proxy that sends \
                 X-Forwarded-Proto"
            );
        }
        let cells = self.open_cells(node, &mailer, &schedule).await?;
        let projector = Projector::new(node.database.clone(), node.journal.clone());
        let standby = self.standby_database_url.as_deref().filter(|url| !url.is_empty());
        let standby = standby
            .map(|url| Database::of_standby(url, &self.place.options()))
            .transpose()?;
        let reads = Reads::new(node.database.clone(), projector.clone());
        let parts = Parts {
            journal: node.journal.clone(),
            database: node.database.clone(),
            reads: match standby {
                Some(standby) => reads.with_standby(standby),
                None => reads,
            },
            clock: node.clock.clone(),
            interface,
            mailer,
            files: node.files()?.with_quotas(self.bounds.quotas()),
            proxies: Proxies(self.trusted_proxies),
            public_url: self.public_url.clone(),
            write_rate: self.bounds.write_rate,
            password_cost: Cost::RECOMMENDED,
        };
        let mut app = App::new(parts, &node.keyring, node.data_dir.path())?;
        app.checkpoints = app.checkpoints.sending_to(schedule.destinations.clone());
        app.providers = Providers::new(Reachable::new(self.webhook_networks.clone()))?;
        app.webhooks = app.webhooks.reaching(self.webhook_networks)?;
        let given = self.place.given();
        let is_private_database = given.node.is_none() && given.owner.is_none();
        app.backups = app.backups.with_private_database(is_private_database);
        let app = Data::new(app);
        let others = cells.iter().map(|cell| (cell.name.clone(), cell.app.clone()));
        app.cells.join(others.collect());
        if !cells.is_empty() {
            cell_router::look(&app).await;
        }
        let filled = tokio::select! {
            filled = async { if with_demo { demo::fill(node).await } else { Ok(Filled::Occupied) } } => filled?,
            _ = told_to_stop.wait_for(|stop| *stop) => return Ok(()),
        };
        let (stop_projecting, stop) = watch::channel(false);
        let mut of_cells = Vec::new();
        if !cells.is_empty() {
            of_cells.push(tokio::spawn(cell_router::follow(app.clone(), stop.clone())));
        }
        for cell in &cells {
            of_cells.extend(cell.begin(&schedule, self.verify_rate, &stop));
        }
        let signing = (!schedule.destinations.is_empty() || !schedule.witnesses.is_empty()).then(|| {
            tokio::spawn(
                schedule
                    .clone()
                    .run(app.checkpoints.clone(), app.mailer.clone(), stop.clone()),
            )
        });
        let watching = tokio::spawn(node.journal.clone().watch(stop.clone()));
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
        let patrol = Patrol {
            journal: app.journal.clone(),
            checkpoints: app.checkpoints.clone(),
            clock: app.clock.clone(),
            rate: self.verify_rate,
            known: app.continuous.clone(),
        };
        let verifying = (patrol.rate > 0).then(|| tokio::spawn(patrol.run(stop.clone())));
        let scheduling = tokio::spawn(rate_schedule::run(app.clone(), stop.clone()));
        let expiring = tokio::spawn(proposal_expiry::run(app.clone(), stop.clone()));
        let delivering = tokio::spawn(dispatcher::run(app.clone(), stop.clone()));
        let auditing = tokio::spawn(readings::run(app.readings.clone(), app.journal.clone(), stop.clone()));
        let screening = tokio::spawn(screened::job::run(app.clone(), stop.clone()));
        let importing = tokio::spawn(importing::run(app.clone(), stop.clone()));
        let deleting = tokio::spawn(node.journal.clone().delete_old_records(stop.clone()));
        let copying = match given.archive.filter(|_| is_private_database) {
            Some(folder) => self.place.backup_copy(&folder)?,
            None => None,
        };
        let watched = backups::watch(node.data_dir.path().to_owned(), copying.is_some(), stop.clone());
        let backups = tokio::spawn(watched);
        let copying = copying.map(|copy| tokio::spawn(copy.run(node.data_dir.path().to_owned(), stop.clone())));
        let projecting = tokio::spawn(projector.run(stop));
        let surface = match self.operations_listen {
            Some(_) => Surface::Public,
            None => Surface::Whole,
        };
        let reloading = tokio::spawn(reload.run(app.clone(), signal(SignalKind::hangup())?));
        let publishing = app.clone();
        // The file store may be slow or unreachable: only pages of another version depend on it.
        tokio::spawn(async move {
            if let Err(error) = publishing.earlier.publish(&publishing.interface).await {
                tracing::warn!(%error, "this version of the interface is not kept for the next one");
            }
        });
        let listening = server::listen_for(surface, app.clone(), self.listen)?;
        let (leave, left) = watch::channel(false);
        let address = self.node_address.map(|address| address.listening_on(listening.address));
        for of_cell in cells.iter().map(|cell| cell.app.clone()) {
            if let Some(address) = address.clone() {
                let left = left.clone();
                of_cells.push(tokio::spawn(async move { of_cell.cluster.join(address, left).await }));
            }
        }
        let joined = address.map(|address| {
            let app = app.clone();
            tokio::spawn(async move { app.cluster.join(address, left).await })
        });
        let operations = match self.operations_listen {
            Some(address) => Some(server::listen_for(Surface::Operations, app.clone(), address)?),
            None => None,
        };
        let operations = operations.map(|apart| {
            say(&format!("operations on http://{}", apart.address));
            (tokio::spawn(apart.server), apart.handle)
        });
        say(&format!("listening on http://{}", listening.address));
        if with_demo && filled != Filled::Occupied {
            demo::say_logins();
        }
        let mut serving = tokio::spawn(listening.server);
        let outcome = tokio::select! {
            ended = &mut serving => ended?,
            _ = told_to_stop.wait_for(|stop| *stop) => {
                tracing::info!("going down: requests under way are finished");
                app.go_down();
                cells.iter().for_each(|cell| cell.app.go_down());
                leave.send_replace(true);
                tokio::time::sleep(STREAMS_END).await;
                listening.handle.stop(true).await;
                serving.await?
            }
        };
        if let Some((serving, handle)) = operations {
            handle.stop(true).await;
            serving.await??;
        }
        leave.send_replace(true);
        reloading.abort();
        app.mailer.finish(MAILS_END).await;
        stop_projecting.send_replace(true);
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
        for cell in cells {
            cell.node.close().await?;
        }
        Ok(outcome?)
    }

    /// Opens the other cells: each has a node of its own in this process.
    async fn open_cells(&self, home: &Node, mailer: &Mailer, schedule: &Schedule) -> Result<Vec<ServedCell>, Failure> {
        let mut cells = Vec::new();
        for cell in &self.place.cells {
            let node = home.of_cell(&self.place, cell, "caudal").await?;
            let projector = Projector::new(node.database.clone(), node.journal.clone());
            let parts = Parts {
                journal: node.journal.clone(),
                database: node.database.clone(),
                reads: Reads::new(node.database.clone(), projector.clone()),
                clock: node.clock.clone(),
                // The home's node serves the interface.
                interface: Interface::default(),
                mailer: mailer.clone(),
                files: node.files()?.with_quotas(self.bounds.quotas()),
                proxies: Proxies(self.trusted_proxies.clone()),
                public_url: self.public_url.clone(),
                write_rate: self.bounds.write_rate,
                password_cost: Cost::RECOMMENDED,
            };
            let mut app = App::new(parts, &node.keyring, node.data_dir.path())?;
            app.checkpoints = app.checkpoints.sending_to(schedule.destinations.clone());
            app.webhooks = app.webhooks.reaching(self.webhook_networks.clone())?;
            app.backups = app.backups.with_private_database(false);
            cells.push(ServedCell {
                name: cell.name.clone(),
                node,
                app: Data::new(app),
                projector,
            });
        }
        Ok(cells)
    }
}

/// A cell that this process serves beside its home.
struct ServedCell {
    name: CellName,
    node: Node,
    app: Data<App>,
    projector: Projector,
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
        if !schedule.destinations.is_empty() || !schedule.witnesses.is_empty() {
            let signing = schedule
                .clone()
                .run(app.checkpoints.clone(), app.mailer.clone(), stop.clone());
            tasks.push(tokio::spawn(signing));
        }
        if verify_rate > 0 {
            let patrol = Patrol {
                journal: app.journal.clone(),
                checkpoints: app.checkpoints.clone(),
                clock: app.clock.clone(),
                rate: verify_rate,
                known: app.continuous.clone(),
            };
            tasks.push(tokio::spawn(patrol.run(stop.clone())));
        }
        tasks
    }
}

impl Serve {
    /// The input of `caudal doctor`.
    pub fn examined(&self, broken: Vec<BrokenSetting>, file: Option<PathBuf>) -> Result<gather::Settings, Failure> {
        let data_dir = DataDir::path_of(self.place.data_dir.clone())?;
        let data_dir = data_dir.canonicalize().unwrap_or(data_dir);
        Ok(gather::Settings {
            keys: self
                .place
                .keys_in(&data_dir)
                .map_err(|error| WithCauses(&error).to_string()),
            data_dir,
            given: self.place.given(),
            options: self.place.options(),
            standby: self.standby_database_url.clone().filter(|url| !url.is_empty()),
            files: self.place.files.clone(),
            backup_copy: self.place.backup_copy_to.clone(),
            listen: self.listen,
            operations_listen: self.operations_listen,
            public_url: self.public_url.clone(),
            trusted_proxies: self.trusted_proxies.clone(),
            node_address: self.node_address.clone(),
            checkpoints: self.checkpoint_to.clone(),
            has_witnesses: !self.witness.is_empty(),
            mail: self.mail.settings(),
            collector: self.telemetry.collector(),
            has_collector_headers: self.telemetry.has_headers(),
            broken,
            secret_file: file.filter(|file| holds_secrets(file, &super::command())),
        })
    }
}

/// Reloads settings at SIGHUP while the server runs.
pub struct Reload {
    arguments: Vec<OsString>,
    values: BTreeMap<String, Option<String>>,
    logging: Logging,
}

impl Reload {
    pub fn new(arguments: Vec<OsString>, in_force: &InForce, logging: Logging) -> Self {
        Self {
            arguments,
            values: in_force.values(),
            logging,
        }
    }

    async fn run(mut self, app: Data<App>, mut hangup: Signal) {
        while hangup.recv().await.is_some() {
            // Reading files may block, as on a network file system.
            let (cli, in_force) = match tokio::task::block_in_place(|| read(&self.arguments)) {
                Ok(read) => read,
                Err(error) => {
                    tracing::error!(%error, "the settings were not read again; those from before stay");
                    continue;
                }
            };
            self.take_over(&app, &cli, &in_force);
        }
    }

    /// Applies settings that can change at run time, and logs those that need a restart, at every signal until the
    /// restart.
    fn take_over(&mut self, app: &App, cli: &Cli, in_force: &InForce) {
        let now = in_force.values();
        let changed: Vec<_> = now
            .iter()
            .filter(|(key, value)| self.values.get(*key) != Some(*value))
            .collect();
        let (live, others): (Vec<_>, Vec<_>) = changed.into_iter().partition(|(key, _)| is_live(key));
        let names = |of: &[(&String, &Option<String>)]| {
            let names: Vec<_> = of.iter().map(|(key, _)| key.as_str()).collect();
            names.join(", ")
        };
        if let Command::Serve(serve) = &cli.command {
            self.logging.change(cli.log.as_deref());
            let others = app.cells.others().map(|(_, of_cell)| &***of_cell);
            for node in std::iter::once(app).chain(others) {
                node.writers.set_rate(serve.bounds.write_rate);
                node.files.set_quotas(serve.bounds.quotas());
            }
        }
        tracing::info!(changed = names(&live), "the settings were read again");
        if !others.is_empty() {
            tracing::warn!(settings = names(&others), "these settings changed and need a restart");
        }
        for (key, value) in live {
            self.values.insert(key.clone(), value.clone());
        }
    }
}

/// Becomes true at the first SIGINT or SIGTERM from now on.
fn told_to_stop() -> std::io::Result<watch::Receiver<bool>> {
    let (told, told_to_stop) = watch::channel(false);
    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    tokio::spawn(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
        told.send_replace(true);
        // The sender is kept until all receivers are gone: receivers would treat its end as the signal.
        told.closed().await;
    });
    Ok(told_to_stop)
}
