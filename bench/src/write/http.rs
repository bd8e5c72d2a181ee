//! Remittances sold over HTTP, the whole job until they can be read: nodes in processes of their own.

use crate::{
    load::{self, Client, Load},
    node::{self, Connection},
    office::{AGENCY, Office},
    process::Serving,
    scratch::{Scratch, connect},
};
use caudal_api::auth::passwords::hash_now;
use caudal_journal::{Journal, Keyring, SystemClock};
use std::{net::SocketAddr, sync::Arc, time::Duration};
use tempfile::TempDir;

pub const PASSWORD: &str = "Caudal#2026";

/// Nodes over one database, with tenants that sell.
pub struct Fleet {
    nodes: Vec<Serving>,
    offices: Vec<Office>,
    logins: Vec<Connection>,
    _folder: TempDir,
}

/// Somebody who sells one remittance after the other.
struct Seller {
    connection: Connection,
    office: Office,
    number: usize,
}

impl Client for Seller {
    async fn once(&mut self) -> Duration {
        self.number += 1;
        self.connection.sell(&self.office, self.number).await;
        Duration::ZERO
    }
}

impl Fleet {
    /// Starts a number of nodes over a new database with a number of tenants.
    pub async fn start(scratch: &Scratch, nodes: usize, tenants: usize) -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let url = scratch.migrated().await;
        let database = connect(&url).await;
        let keyring = Keyring::open_or_create(&Keyring::path(folder.path())).expect("a key file is made");
        let journal = Journal::open(database.clone(), keyring, Arc::new(SystemClock))
            .await
            .expect("the journal opens on a new database");
        let hash = hash_now(PASSWORD).expect("the system has randomness");
        let mut offices = Vec::new();
        for number in 0..tenants {
            offices.push(Office::open(&journal, &format!("bench-{number}"), &hash).await);
        }
        journal.close().await;
        database.close().await;
        let nodes: Vec<_> = (0..nodes).map(|_| node::start(&url, folder.path())).collect();
        let mut logins = Vec::new();
        // The first sale takes the tenant's lease: each at its own node.
        for (office, node) in offices.iter().zip(nodes.iter().cycle()) {
            let mut connection = Connection::open(node.address, office.tenant.as_str(), AGENCY, PASSWORD).await;
            let sold = connection.sell(office, 0).await;
            let path = format!("/api/remittances/{}", sold.json()["id"].as_str().expect("an id"));
            let read = connection.read(&path, sold.position.expect("a position")).await;
            assert_eq!(read.status, 200, "what was sold can be read: {}", read.json());
            logins.push(connection);
        }
        Self {
            nodes,
            offices,
            logins,
            _folder: folder,
        }
    }

    /// The most that one of the nodes ever held in memory, in MiB.
    pub fn most_resident_mib(&self) -> f64 {
        let most = self.nodes.iter().map(Serving::most_resident_mib);
        most.fold(0.0, f64::max)
    }

    /// The first tenant, and the address of its node.
    pub fn first(&self) -> (&Office, SocketAddr) {
        (&self.offices[0], self.nodes[0].address)
    }

    /// So many clients, each of one tenant at one node: every tenant at all nodes, or each at its own one.
    async fn sellers(&self, clients: usize, at_its_own_node: bool) -> Vec<Seller> {
        let mut sellers = Vec::new();
        for number in 0..clients {
            let tenant = number % self.offices.len();
            let node = if at_its_own_node {
                tenant
            } else {
                number / self.offices.len() + number
            };
            let address = self.nodes[node % self.nodes.len()].address;
            sellers.push(Seller {
                connection: self.logins[tenant].another(address).await,
                office: self.offices[tenant].clone(),
                number: number * 7,
            });
        }
        sellers
    }

    /// Clients that sell again as soon as they are answered.
    pub async fn closed(&self, clients: usize, at_its_own_node: bool, duration: Duration) -> Load {
        load::closed(self.sellers(clients, at_its_own_node).await, duration).await
    }

    /// Clients with a fixed total rate of sales per second.
    pub async fn paced(&self, clients: usize, rate: f64, duration: Duration) -> Load {
        load::paced(self.sellers(clients, true).await, rate, duration).await
    }
}
