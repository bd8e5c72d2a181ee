//! Several nodes over one database, behind any balancer: one of them decides a tenant's commands, the others forward
//! theirs to it.
//!
//! | Part | What it does |
//! |---|---|
//! | [`leases`] | which node writes for a tenant: a row with an end, renewed while the node lives and the tenant is busy |
//! | [`forward`] | hands a command on to that node, and runs it here where that node does not answer |
//! | [`proof`] | by which two nodes of one installation recognise each other |
//!
//! Nothing rests on a lease: every append is still decided by the log's head. A lease that two nodes believe in, or that
//! nobody holds, costs time and no more. A command is forwarded only under an idempotency key, so that it is done once
//! although it was sent to two nodes.

mod address;
mod forward;
mod leases;
mod proof;

pub use address::NodeAddress;
pub use forward::{forward, prove};

use caudal_journal::Keyring;
use caudal_postgres::Database;
use leases::Leases;
use proof::Proofs;
use reqwest::Client;
use std::time::Duration;
use tokio::sync::watch;

/// The purpose under which the key of proofs and of leases' MACs is derived from the installation's key file.
const KEY_PURPOSE: &str = "nodes";

/// How long a connection to another node may take. A machine that is away is given up after this; the answer to a
/// command has the lease's time.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(500);

/// How long an idle connection to another node is kept: less than a node keeps its clients' ones.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// A node among others.
pub struct Cluster {
    leases: Leases,
    proofs: Proofs,
    client: Client,
}

impl Cluster {
    /// A node of the installation with these keys, which writes for every tenant by itself until it [joins](Self::join).
    ///
    /// # Errors
    /// Where no HTTP client can be made.
    pub fn new(database: Database, keyring: &Keyring) -> Result<Self, reqwest::Error> {
        crate::tls::choose();
        let key = keyring.derive(KEY_PURPOSE);
        Ok(Self {
            leases: Leases::new(database, &key),
            proofs: Proofs::new(&key),
            client: Client::builder()
                .connect_timeout(CONNECT_TIMEOUT)
                .pool_idle_timeout(IDLE_TIMEOUT)
                .redirect(reqwest::redirect::Policy::none())
                .no_proxy()
                .http1_only()
                .tcp_nodelay(true)
                .build()?,
        })
    }

    /// Takes part under an address at which the other nodes reach this one, until `stop` turns true: leases the tenants
    /// whose commands arrive here, and forwards those of tenants that another node has leased.
    pub async fn join(&self, address: NodeAddress, stop: watch::Receiver<bool>) {
        self.leases.keep(address, stop).await;
    }
}
