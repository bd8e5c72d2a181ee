//! `caudal serve`.
//!
//! | File | What |
//! |---|---|
//! | here | from the start of a server to its end |
//! | `settings.rs` | its settings, as arguments |
//! | `nodes.rs` | the nodes of its cells |
//! | `background.rs` | what runs beside requests |
//! | `listening.rs` | its addresses, and requests until the end |
//! | `signals.rs` | signals: settings are reloaded, the server is ended |

mod background;
mod listening;
mod nodes;
mod settings;
mod signals;

pub use settings::{Mail, Serve};
pub use signals::Reload;

use super::{Failure, demo, node::Node};
use crate::{
    cell_router,
    checkpoints::{Schedule, Witnesses},
    mail::Mailer,
    metrics,
    spa::Interface,
    telemetry::Exporter,
};
use background::Background;
use caudal_generators::demo::Filled;
use signals::told_to_stop;
use tokio::sync::watch;

impl Serve {
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
        &self,
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
        self.warn_of_insecure_cookies();
        let cells = self.open_cells(node, &mailer, &schedule).await?;
        let (app, projector) = self.open_home(node, interface, mailer, &schedule)?;
        let others = cells.iter().map(|cell| (cell.name.clone(), cell.app.clone()));
        app.cells.join(others.collect());
        if !cells.is_empty() {
            cell_router::look(&app).await;
        }
        let filled = tokio::select! {
            filled = async { if self.demo { demo::fill(node).await } else { Ok(Filled::Occupied) } } => filled?,
            _ = told_to_stop.wait_for(|stop| *stop) => return Ok(()),
        };
        let mut background = Background::begin(self, node, &app, &cells, &schedule, projector, reload).await?;
        let outcome = self.answer(&app, &cells, &mut background, filled, told_to_stop).await?;
        background.end(&app).await?;
        for cell in cells {
            cell.node.close().await?;
        }
        Ok(outcome?)
    }

    fn warn_of_insecure_cookies(&self) {
        let is_private = self.listen.ip().is_loopback();
        if !is_private && self.public_url.is_none() && self.trusted_proxies.is_empty() {
            tracing::warn!(
                "cookies are not marked Secure: give --public-url https://…, or --trusted-proxies for a proxy that sends \
                 X-Forwarded-Proto"
            );
        }
    }
}
