//! The server, as `caudal serve` puts it together, on a thread of its own.

use super::Client;
use actix_web::{rt::System, web::Data};
use caudal_api::{
    app::{App, Parts},
    auth::passwords::hash_now,
    opening::{Manager, Opening},
    server,
    spa::Interface,
};
use caudal_domain::{DEFAULT_ZONE, ids::TenantId};
use caudal_journal::{Clock, Journal, Keyring, SystemClock};
use caudal_postgres_testing::TestDatabase;
use caudal_projections::{Projector, Reads};
use std::{
    net::SocketAddr,
    sync::{Arc, mpsc},
    thread::{self, JoinHandle},
};
use tokio::sync::{mpsc::UnboundedSender, watch};

/// The password of everybody.
pub const PASSWORD: &str = "Caudal#2026";
/// The manager of every tenant.
pub const MANAGER: &str = "manager@example.test";

/// Asks for the position of a tenant's log.
type HeadOrder = (TenantId, mpsc::Sender<i64>);

/// A running server; it ends with this value.
pub struct Server {
    address: SocketAddr,
    heads: Option<UnboundedSender<HeadOrder>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Starts a server over a new database with these tenants.
    pub fn start(tenants: &[&str]) -> Self {
        let tenants: Vec<TenantId> = tenants.iter().map(|tenant| tenant.parse().unwrap()).collect();
        let (heads, orders) = tokio::sync::mpsc::unbounded_channel();
        let (listens, listening) = mpsc::channel();
        let thread = thread::spawn(move || System::new().block_on(serve(tenants, listens, orders)));
        Self {
            address: listening.recv().expect("the server starts; its panic is above"),
            heads: Some(heads),
            thread: Some(thread),
        }
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// A client of one tenant.
    pub fn client(&self, tenant: &str) -> Client {
        Client::new(format!("http://{}", self.address), tenant)
    }

    /// The end of a tenant's log.
    pub fn head(&self, tenant: &str) -> i64 {
        let (reply, position) = mpsc::channel();
        let heads = self.heads.as_ref().expect("it is there until the server ends");
        heads.send((tenant.parse().unwrap(), reply)).expect("the server runs");
        position.recv().expect("the server answers")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Nobody asks any more: that is what ends the server.
        self.heads = None;
        if let Some(thread) = self.thread.take() {
            let ended = thread.join();
            assert!(ended.is_ok() || thread::panicking(), "the server ended in a panic");
        }
    }
}

async fn serve(
    tenants: Vec<TenantId>,
    listens: mpsc::Sender<SocketAddr>,
    mut orders: tokio::sync::mpsc::UnboundedReceiver<HeadOrder>,
) {
    let test_database = TestDatabase::new().await;
    let database = test_database.connect().await;
    let folder = tempfile::tempdir().unwrap();
    let keyring = Keyring::open_or_create(&Keyring::path(folder.path())).unwrap();
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let journal = Journal::open(database.clone(), keyring.clone(), clock.clone())
        .await
        .unwrap();
    for tenant in tenants {
        open(&journal, tenant).await;
    }
    let projector = Projector::new(database.clone(), journal.clone());
    let parts = Parts {
        journal: journal.clone(),
        database: database.clone(),
        reads: Reads::new(database.clone(), projector.clone()),
        clock,
        interface: Interface::default(),
    };
    let app = Data::new(App::new(parts, &keyring, folder.path()).unwrap());
    let (stop_projecting, stop) = watch::channel(false);
    let projecting = tokio::spawn(projector.run(stop));
    let listening = server::listen(app.clone(), SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let serving = tokio::spawn(listening.server);
    listens.send(listening.address).unwrap();
    while let Some((tenant, reply)) = orders.recv().await {
        let head = journal.head(&tenant).await.unwrap();
        reply.send(head.position).unwrap();
    }
    app.go_down();
    listening.handle.stop(false).await;
    serving.await.unwrap().unwrap();
    stop_projecting.send_replace(true);
    projecting.await.unwrap();
    journal.close().await;
    database.close().await;
}

async fn open(journal: &Journal, tenant: TenantId) {
    let opening = Opening {
        name: format!("Tenant {tenant}"),
        tenant,
        time_zone: DEFAULT_ZONE,
        manager: Manager {
            name: "Manager".to_owned(),
            email: MANAGER.to_owned(),
            password_hash: hash_now(PASSWORD).unwrap(),
        },
    };
    opening.run(journal).await.unwrap();
}
