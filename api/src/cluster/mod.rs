//! Cluster: several nodes over one database behind any load balancer. One node decides a tenant's commands; the others
//! forward theirs to it.
//!
//! | Module | Responsibility |
//! |---|---|
//! | [`leases`] | the table of leases in PostgreSQL; [`caudal_journal::Leases`] takes and renews them |
//! | [`crate::forward`] | forwarding to that node, or local execution when it does not answer |
//! | [`proof`] | mutual authentication of nodes |
//!
//! Correctness does not depend on leases: the log's head decides every append. A lease assumed by two nodes, or by
//! none, costs time only. A command is forwarded only with an idempotency key, so that it takes effect once although
//! two nodes received it.

mod address;
mod leases;
mod proof;

pub use address::NodeAddress;
pub use proof::{Nonce, RequestLine};

use actix_web::{HttpMessage as _, HttpRequest};
use caudal_journal::{Keyring, Leases};
use caudal_postgres::Database;
use leases::StoredLeases;
use proof::Proofs;
use reqwest::Client;
use std::time::Duration;
use tokio::sync::watch;

/// Purpose string of the key for proofs and leases' MACs.
const KEY_PURPOSE: &str = "nodes";

/// Connect timeout to another node; the answer itself has the lease's time.
const CONNECT_TIMEOUT: Duration = Duration::from_millis(500);

/// Idle timeout of a connection to another node; shorter than a node's keep-alive.
const IDLE_TIMEOUT: Duration = Duration::from_secs(30);

/// Marks a request forwarded by another node.
#[derive(Clone, Copy)]
pub(crate) struct Forwarded;

/// Whether another node of this installation forwarded a request, and proved its identity.
pub fn is_forwarded_by_node(request: &HttpRequest) -> bool {
    request.extensions().get::<Forwarded>().is_some()
}

/// A node of the cluster.
pub struct Cluster {
    pub(crate) leases: Leases<StoredLeases>,
    pub(crate) proofs: Proofs,
    pub(crate) client: Client,
}

impl Cluster {
    /// A node that writes for every tenant itself until it [joins](Self::join).
    ///
    /// # Errors
    /// When no HTTP client can be created.
    pub fn new(database: Database, keyring: &Keyring) -> Result<Self, reqwest::Error> {
        crate::tls::choose();
        let key = keyring.derive(KEY_PURPOSE);
        Ok(Self {
            leases: Leases::new(StoredLeases::new(database, &key)),
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

    /// Participates under an address until `stop` turns true: leases the tenants whose commands arrive here, and
    /// forwards those leased by other nodes.
    pub async fn join(&self, address: NodeAddress, stop: watch::Receiver<bool>) {
        self.leases.keep(address, stop).await;
    }
}
