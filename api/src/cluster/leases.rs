//! Which node writes for a tenant: `journal.writer_leases`, one row a tenant.
//!
//! - The node at which a tenant's command arrives takes the tenant's lease, if no other node has it.
//! - A node renews the leases of its busy tenants every [`RENEWAL_INTERVAL`] and reads all others' in the same statement.
//!   A tenant without commands for [`IDLE_AFTER`] is left to whichever node it comes to next.
//! - A lease ends [`LEASE`] after its last renewal, by the database's clock. A node counts it from the moment at which it
//!   asked, by its own timer, and so never believes in it for longer than the database does.
//! - A node that goes down gives its leases back.
//!
//! A row bears a MAC of tenant, node and address: callers' tokens are sent to no address that somebody wrote into the
//! database. Nothing else rests on a lease, since appends are decided by the log's head.

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

/// How long a lease lasts. A node that stands still costs its tenants this much, and not more than two seconds.
pub const LEASE: Duration = Duration::from_millis(1_500);
/// How often leases are renewed: two renewals in a row may fail.
const RENEWAL_INTERVAL: Duration = Duration::from_millis(500);
/// A tenant without commands for this long is not renewed.
const IDLE_AFTER: Duration = Duration::from_secs(60);
/// How long taking a lease may hold a command up. Past it the node decides the command by itself.
const TAKE_TIMEOUT: Duration = Duration::from_millis(500);

/// Who decides a tenant's commands.
#[derive(Clone, Debug)]
pub enum Writer {
    /// This node.
    Here,
    /// Another one.
    At(Holder),
}

/// A node that has a lease.
#[derive(Clone, Debug)]
pub struct Holder {
    node: Uuid,
    /// Where it is reached.
    pub address: NodeAddress,
    /// When the lease ends unless it is renewed.
    pub until: Instant,
}

/// This node among the others.
#[derive(Debug)]
struct Own {
    id: Uuid,
    address: NodeAddress,
}

/// The leases as this node knows them.
#[derive(Debug, Default)]
struct Known {
    holders: HashMap<TenantId, Holder>,
    /// When a command last arrived here, of the tenants for which this node writes.
    used: HashMap<TenantId, Instant>,
    /// Nodes that did not answer, and until when they are not asked again.
    silent: HashMap<Uuid, Instant>,
}

/// A row of `journal.writer_leases`: tenant, node, address, MAC, and how many milliseconds of the lease are left.
type Row = (String, Uuid, String, Vec<u8>, i64);

/// The leases of an installation.
pub struct Leases {
    database: Database,
    key: KeyedHash,
    /// This node, while it takes part.
    own: watch::Sender<Option<Arc<Own>>>,
    known: Mutex<Known>,
    taking: tokio::sync::Mutex<()>,
}

impl Leases {
    /// Those of a database, in which this node takes no part yet.
    pub fn new(database: Database, key: &[u8; 32]) -> Self {
        Self {
            database,
            key: KeyedHash::new(key),
            own: watch::Sender::new(None),
            known: Mutex::default(),
            taking: tokio::sync::Mutex::default(),
        }
    }

    /// Takes part until `stop` turns true, then gives this node's leases back.
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

    /// Which node decides a command of a tenant that arrived here. It is this one where the database does not tell in time.
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
        // Without an answer this node writes for the length of a lease, so that commands do not queue for the question.
        let holder = holder.unwrap_or_else(|| Holder {
            node: own.id,
            address: own.address.clone(),
            until: asked + LEASE,
        });
        self.known().holders.insert(tenant.clone(), holder);
        self.known_writer(tenant, &own).unwrap_or(Writer::Here)
    }

    /// Notes that a node did not answer: until its lease ends, this node decides the commands that arrive here.
    pub fn note_silence(&self, holder: &Holder) {
        let mut known = self.known();
        let now = Instant::now();
        known.silent.retain(|_, until| *until > now);
        known.silent.insert(holder.node, now + LEASE);
    }

    /// Returns once a holder has lost a tenant's lease: it was not renewed, or another node has it.
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
        // A lease that was taken while the statement was on its way is not among its rows.
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

    /// What a row says; none where it is not one that a node of this installation wrote.
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
