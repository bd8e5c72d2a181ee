//! Signals: SIGHUP reloads the settings, SIGINT and SIGTERM end the server.

use crate::{
    app::App,
    cli::{Cli, Command, InForce, Logging, read},
    settings::is_live,
};
use std::{collections::BTreeMap, ffi::OsString, io};
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    sync::watch,
};

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

    pub(super) async fn run(&mut self, app: &App, hangup: &mut Signal) {
        while hangup.recv().await.is_some() {
            // Reading files may block, as on a network file system.
            let (cli, in_force) = match tokio::task::block_in_place(|| read(&self.arguments)) {
                Ok(read) => read,
                Err(error) => {
                    tracing::error!(%error, "the settings were not read again; those from before stay");
                    continue;
                }
            };
            self.take_over(app, &cli, &in_force);
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
pub(super) fn told_to_stop() -> io::Result<watch::Receiver<bool>> {
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
