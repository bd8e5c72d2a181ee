//! The nodes that a server's process has: that of its home, and one of each other cell.

use super::Serve;
use crate::{
    addresses::Reachable,
    app::{App, Parts},
    auth::{address::Proxies, passwords::Cost, sign_on::client::Providers},
    checkpoints::Schedule,
    cli::{Failure, node::Node},
    mail::Mailer,
    spa::Interface,
};
use actix_web::web::Data;
use caudal_journal::CellName;
use caudal_postgres::Database;
use caudal_projections::{Projector, Reads};

/// A cell that this process serves beside its home.
pub(super) struct ServedCell {
    pub(super) name: CellName,
    pub(super) node: Node,
    pub(super) app: Data<App>,
    pub(super) projector: Projector,
}

impl Serve {
    fn parts(&self, node: &Node, reads: Reads, interface: Interface, mailer: Mailer) -> Result<Parts, Failure> {
        Ok(Parts {
            journal: node.journal.clone(),
            database: node.database.clone(),
            reads,
            clock: node.clock.clone(),
            interface,
            mailer,
            files: node.files()?.with_quotas(self.bounds.quotas()),
            proxies: Proxies(self.trusted_proxies.clone()),
            public_url: self.public_url.clone(),
            write_rate: self.bounds.write_rate,
            password_cost: Cost::RECOMMENDED,
        })
    }

    /// The state of the home's node, with what projects its logs.
    pub(super) fn open_home(
        &self,
        node: &Node,
        interface: Interface,
        mailer: Mailer,
        schedule: &Schedule,
    ) -> Result<(Data<App>, Projector), Failure> {
        let projector = Projector::new(node.database.clone(), node.journal.clone());
        let standby = self.standby_database_url.as_deref().filter(|url| !url.is_empty());
        let standby = standby
            .map(|url| Database::of_standby(url, &self.place.options()))
            .transpose()?;
        let reads = Reads::new(node.database.clone(), projector.clone());
        let reads = match standby {
            Some(standby) => reads.with_standby(standby),
            None => reads,
        };
        let parts = self.parts(node, reads, interface, mailer)?;
        let mut app = App::new(parts, &node.keyring, node.data_dir.path())?;
        app.checkpoints = app.checkpoints.sending_to(schedule.destinations.clone());
        app.providers = Providers::new(Reachable::new(self.webhook_networks.clone()))?;
        app.webhooks = app.webhooks.reaching(self.webhook_networks.clone())?;
        app.backups = app.backups.with_private_database(self.has_private_database());
        Ok((Data::new(app), projector))
    }

    /// Opens the other cells: each has a node of its own in this process.
    pub(super) async fn open_cells(
        &self,
        home: &Node,
        mailer: &Mailer,
        schedule: &Schedule,
    ) -> Result<Vec<ServedCell>, Failure> {
        let mut cells = Vec::new();
        for cell in &self.place.cells {
            let node = home.of_cell(&self.place, cell, "caudal").await?;
            let projector = Projector::new(node.database.clone(), node.journal.clone());
            let reads = Reads::new(node.database.clone(), projector.clone());
            // The home's node serves the interface.
            let parts = self.parts(&node, reads, Interface::default(), mailer.clone())?;
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
