//! Writer leases: `journal.writer_leases`, one row per tenant.
//!
//! - The node that receives a tenant's command takes the tenant's lease unless another node holds it.
//! - A node renews the leases of its busy tenants every [`RENEWAL_INTERVAL`] and reads all others in the same
//!   statement. A tenant without commands for [`IDLE_AFTER`] is released to the next node that receives one.
//! - A lease expires [`LEASE`] after its last renewal, by the database's clock. The holder measures from the time of
//!   its request, by its own timer, and so never assumes it for longer than the database.
//! - A node that shuts down returns its leases.
//!
//! A row has a MAC over tenant, node and address, so that tokens are never sent to an address injected into the
//! database. Nothing else depends on a lease: the log's head decides appends.

use super::address::NodeAddress;
use crate::auth::mac::KeyedHash;
use caudal_domain::ids::TenantId;
use caudal_postgres::Database;
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};
use tokio::{
    sync::watch,
    time::{sleep, timeout},
};
use uuid::Uuid;

/// Lease duration. A stalled node delays its tenants by at most this, below two seconds.
pub const LEASE: Duration = Duration::from_millis(1_500);
/// Renewal interval; two consecutive renewals may fail.
const RENEWAL_INTERVAL: Duration = Duration::from_millis(500);
/// Idle time of a tenant after which its lease is not renewed.
const IDLE_AFTER: Duration = Duration::from_secs(60);
/// Timeout for taking a lease; after it the node decides the command itself.
const TAKE_TIMEOUT: Duration = Duration::from_millis(500);

/// The node that decides a tenant's commands.
#[derive(Clone, Debug)]
pub enum Writer {
    Here,
    At(Holder),
}

/// Holder of a lease.
#[derive(Clone, Debug)]
pub struct Holder {
    node: Uuid,
    /// Address of the node.
    pub address: NodeAddress,
    /// Expiry unless renewed.
    pub until: Instant,
}

/// This node's identity.
#[derive(Debug)]
struct Own {
    id: Uuid,
    address: NodeAddress,
}

/// Leases known to this node.
#[derive(Debug, Default)]
struct Known {
    holders: HashMap<TenantId, Holder>,
    /// Time of the last command per tenant written here.
    used: HashMap<TenantId, Instant>,
    /// Unresponsive nodes, each with the time until which it is skipped.
    silent: HashMap<Uuid, Instant>,
}

/// A row of `journal.writer_leases`: tenant, node, address, MAC, and remaining milliseconds.
type Row = (String, Uuid, String, Vec<u8>, i64);

/// Leases of an installation.
pub struct Leases {
    database: Database,
    key: KeyedHash,
    /// This node, while it participates.
    own: watch::Sender<Option<Arc<Own>>>,
    known: Mutex<Known>,
    taking: tokio::sync::Mutex<()>,
}

impl Leases {
    /// Leases in a database; this node does not participate yet.
    pub fn new(database: Database, key: &[u8; 32]) -> Self {
        Self {
            database,
            key: KeyedHash::new(key),
            own: watch::Sender::new(None),
            known: Mutex::default(),
            taking: tokio::sync::Mutex::default(),
        }
    }

    /// Participates until `stop` turns true, then returns this node's leases.
    pub async fn keep(&self, address: NodeAddress, mut stop: watch::Receiver<bool>) {
        let own = Arc::new(Own {
            id: Uuid::new_v4(),
            address,
        });
        self.own.send_replace(Some(own.clone()));
        let renewals = async {
            loop {
                match timeout(LEASE, self.renew(&own)).await {
                    Ok(Ok(())) => {}
                    Ok(Err(error)) => tracing::debug!(%error, "leases are not renewed"),
                    Err(_) => tracing::debug!("leases are not renewed: the database does not answer"),
                }
                sleep(RENEWAL_INTERVAL).await;
            }
        };
        tokio::select! {
            _ = stop.wait_for(|stop| *stop) => {}
            () = renewals => {}
        }
        self.own.send_replace(None);
        if let Ok(Err(error)) = timeout(TAKE_TIMEOUT, self.release(&own)).await {
            tracing::debug!(%error, "leases are not given back; they end by themselves");
        }
    }

    /// The node that decides a command received here; this one when the database does not answer in time.
    pub async fn writer_of(&self, tenant: &TenantId) -> Writer {
        let Some(own) = self.own.borrow().clone() else {
            return Writer::Here;
        };
        if let Some(writer) = self.known_writer(tenant, &own) {
            return writer;
        }
        let _one_at_a_time = self.taking.lock().await;
        if let Some(writer) = self.known_writer(tenant, &own) {
            return writer;
        }
        let asked = Instant::now();
        let holder = match timeout(TAKE_TIMEOUT, self.take(tenant, &own)).await {
            Ok(Ok(row)) => self.holder(row, asked).map(|(_, holder)| holder),
            Ok(Err(error)) => {
                tracing::debug!(%tenant, %error, "a lease is not taken");
                None
            }
            Err(_) => None,
        };
        // Without an answer this node writes for one lease duration, so that commands do not queue for it.
        let holder = holder.unwrap_or_else(|| Holder {
            node: own.id,
            address: own.address.clone(),
            until: asked + LEASE,
        });
        self.known().holders.insert(tenant.clone(), holder);
        self.known_writer(tenant, &own).unwrap_or(Writer::Here)
    }

    /// Records that a node did not answer: until its lease expires, this node decides commands received here.
    pub fn note_silence(&self, holder: &Holder) {
        let mut known = self.known();
        let now = Instant::now();
        known.silent.retain(|_, until| *until > now);
        known.silent.insert(holder.node, now + LEASE);
    }

    /// Completes when a holder has lost a tenant's lease: not renewed, or taken by another node.
    pub async fn until_lost(&self, tenant: &TenantId, holder: &Holder) {
        let mut until = holder.until;
        loop {
            sleep(until.saturating_duration_since(Instant::now())).await;
            match self.known().holders.get(tenant) {
                Some(known) if known.node == holder.node && known.until > until => until = known.until,
                _ => return,
            }
        }
    }

    /// Whether this node has a tenant's lease now, by its own timer.
    pub fn is_held_here(&self, tenant: &TenantId) -> bool {
        let own = self.own.borrow().clone();
        own.is_some_and(|own| {
            let known = self.known();
            let holder = known.holders.get(tenant);
            holder.is_some_and(|holder| holder.node == own.id && holder.until > Instant::now())
        })
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known_writer(&self, tenant: &TenantId, own: &Own) -> Option<Writer> {
        let now = Instant::now();
        let mut known = self.known();
        let holder = known.holders.get(tenant).filter(|holder| holder.until > now)?.clone();
        if holder.node == own.id {
            known.used.insert(tenant.clone(), now);
            return Some(Writer::Here);
        }
        let is_silent = known.silent.get(&holder.node).is_some_and(|until| *until > now);
        Some(if is_silent { Writer::Here } else { Writer::At(holder) })
    }

    async fn renew(&self, own: &Own) -> Result<(), sqlx::Error> {
        let asked = Instant::now();
        let busy: Vec<String> = {
            let mut known = self.known();
            known.used.retain(|_, used| asked.duration_since(*used) < IDLE_AFTER);
            known.used.keys().map(ToString::to_string).collect()
        };
        let rows: Vec<Row> = sqlx::query_as("SELECT * FROM journal.renew_writer_leases($1, $2, $3)")
            .bind(own.id)
            .bind(busy)
            .bind(milliseconds(LEASE))
            .fetch_all(self.database.pool())
            .await?;
        let holders = rows.into_iter().filter_map(|row| self.holder(row, asked));
        let holders: HashMap<_, _> = holders.collect();
        let mut known = self.known();
        // A lease taken while the statement was in transit is missing from its rows.
        known
            .holders
            .retain(|tenant, holder| holder.until > asked + LEASE - RENEWAL_INTERVAL && !holders.contains_key(tenant));
        known.holders.extend(holders);
        Ok(())
    }

    async fn take(&self, tenant: &TenantId, own: &Own) -> Result<Row, sqlx::Error> {
        sqlx::query_as("SELECT * FROM journal.take_writer_lease($1, $2, $3, $4, $5)")
            .bind(tenant.as_str())
            .bind(own.id)
            .bind(own.address.as_str())
            .bind(self.key.of(&signed(tenant.as_str(), &own.id, own.address.as_str())))
            .bind(milliseconds(LEASE))
            .fetch_one(self.database.pool())
            .await
    }

    async fn release(&self, own: &Own) -> Result<(), sqlx::Error> {
        sqlx::query("SELECT journal.release_writer_leases($1)")
            .bind(own.id)
            .execute(self.database.pool())
            .await?;
        Ok(())
    }

    /// Parses a row; `None` when no node of this installation wrote it.
    fn holder(&self, row: Row, asked: Instant) -> Option<(TenantId, Holder)> {
        let (tenant, node, address, mac, left) = row;
        if !self.key.is_of(&signed(&tenant, &node, &address), &mac) {
            tracing::error!(table = "writer_leases", %tenant, "a row was not written by this installation");
            return None;
        }
        let holder = Holder {
            node,
            address: address.parse().ok()?,
            until: asked + Duration::from_millis(u64::try_from(left).unwrap_or_default()),
        };
        Some((tenant.parse().ok()?, holder))
    }
}

/// What a row's MAC is over.
fn signed<'a>(tenant: &'a str, node: &'a Uuid, address: &'a str) -> [&'a [u8]; 4] {
    [b"lease", tenant.as_bytes(), node.as_bytes(), address.as_bytes()]
}

fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}
