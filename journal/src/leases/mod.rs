//! Writer leases: which node decides a tenant's commands, and until when.
//!
//! - The node that receives a tenant's command takes the tenant's lease unless another node holds it.
//! - A node renews the leases of its busy tenants every [`RENEWAL_INTERVAL`] and reads all others in the same
//!   statement. A tenant without commands for [`IDLE_AFTER`] is released to the next node that receives one. Commands
//!   that other nodes forward count.
//! - A lease expires [`LEASE`] after its last renewal, by the database's clock. The holder measures from the time of
//!   its request, by its own timer, and so never assumes it for longer than the database. A lease that has expired by
//!   the holder's timer is not renewed: other nodes have given up what they had forwarded under it.
//! - A node whose database does not answer decides the commands that it receives, without a lease.
//! - A node that shuts down returns its leases.
//!
//! Correctness does not depend on leases: the log's head decides every append.

mod forward;
#[cfg(test)]
mod tests;

pub use forward::Unanswered;

use crate::writer::faults::{Fault, is_planted};
use caudal_domain::ids::TenantId;
use std::{
    collections::HashMap,
    fmt::Display,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};
use tokio::{
    sync::watch,
    time::{Instant, sleep, timeout},
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

/// The table of leases, one row per tenant, as one node reaches it.
pub trait LeaseTable: Send + Sync + 'static {
    /// Where a node receives what others forward.
    type Address: Clone + Send + Sync + 'static;
    type Error: Display + Send;

    /// Takes a tenant's lease, unless another node holds it. Returns the lease as it is then; `None` when no node of this
    /// installation wrote its row.
    fn take(
        &self,
        tenant: &TenantId,
        node: Uuid,
        address: &Self::Address,
    ) -> impl Future<Output = Result<Option<Lease<Self::Address>>, Self::Error>> + Send;

    /// Renews a node's leases of these tenants. Returns all current leases.
    fn renew(
        &self,
        node: Uuid,
        busy: Vec<TenantId>,
    ) -> impl Future<Output = Result<CurrentLeases<Self::Address>, Self::Error>> + Send;

    /// Deletes a node's leases.
    fn release(&self, node: Uuid) -> impl Future<Output = Result<(), Self::Error>> + Send;
}

/// A row of the table.
#[derive(Clone, Debug)]
pub struct Lease<A> {
    pub node: Uuid,
    pub address: A,
    /// Remaining time by the table's clock.
    pub left: Duration,
}

/// Tenants with their leases.
pub type CurrentLeases<A> = Vec<(TenantId, Lease<A>)>;

/// The node that decides a tenant's commands.
#[derive(Clone, Debug)]
pub enum Writer<A> {
    Here,
    At(Holder<A>),
}

/// Holder of a lease.
#[derive(Clone, Debug)]
pub struct Holder<A> {
    node: Uuid,
    /// Address of the node.
    pub address: A,
    /// Expiry unless renewed.
    until: Instant,
}

/// This node's identity.
#[derive(Debug)]
struct Own<A> {
    id: Uuid,
    address: A,
}

/// Leases known to this node.
#[derive(Debug)]
struct Known<A> {
    holders: HashMap<TenantId, Holder<A>>,
    /// Time of the last command per tenant whose lease this node holds.
    used: HashMap<TenantId, Instant>,
    /// Tenants whose lease could not be asked for, each with the time until which this node decides without one.
    without: HashMap<TenantId, Instant>,
    /// Unresponsive nodes, each with the time until which it is skipped.
    silent: HashMap<Uuid, Instant>,
}

impl<A> Known<A> {
    /// Whether this node holds a tenant's lease at a moment.
    fn holds(&self, tenant: &TenantId, own: &Own<A>, now: Instant) -> bool {
        let holder = self.holders.get(tenant);
        holder.is_some_and(|holder| holder.node == own.id && holder.until > now)
    }
}

/// Leases of an installation, as one node knows them.
pub struct Leases<T: LeaseTable> {
    table: T,
    /// This node, while it participates.
    own: watch::Sender<Option<Arc<Own<T::Address>>>>,
    known: Mutex<Known<T::Address>>,
    taking: tokio::sync::Mutex<()>,
}

impl<T: LeaseTable> Leases<T> {
    /// Leases in a table; this node does not participate yet.
    pub fn new(table: T) -> Self {
        Self {
            table,
            own: watch::Sender::new(None),
            known: Mutex::new(Known {
                holders: HashMap::new(),
                used: HashMap::new(),
                without: HashMap::new(),
                silent: HashMap::new(),
            }),
            taking: tokio::sync::Mutex::default(),
        }
    }

    /// Participates until `stop` turns true, then returns this node's leases.
    pub async fn keep(&self, address: T::Address, mut stop: watch::Receiver<bool>) {
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
            biased;
            _ = stop.wait_for(|stop| *stop) => {}
            () = renewals => {}
        }
        if !is_planted(Fault::LeaseBelievedAfterRelease) {
            self.own.send_replace(None);
        }
        if let Ok(Err(error)) = timeout(TAKE_TIMEOUT, self.table.release(own.id)).await {
            tracing::debug!(%error, "leases are not given back; they end by themselves");
        }
    }

    /// The node that decides a command received here; this one when the database does not answer in time.
    pub async fn writer_of(&self, tenant: &TenantId) -> Writer<T::Address> {
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
        let lease = match timeout(TAKE_TIMEOUT, self.table.take(tenant, own.id, &own.address)).await {
            Ok(Ok(lease)) => lease,
            Ok(Err(error)) => {
                tracing::debug!(%tenant, %error, "a lease is not taken");
                None
            }
            Err(_) => None,
        };
        {
            let mut known = self.known();
            match lease {
                Some(lease) => {
                    known.holders.insert(tenant.clone(), holder(lease, asked));
                }
                None if is_planted(Fault::LeaseOfNoAnswer) => {
                    let until = asked + LEASE;
                    let (node, address) = (own.id, own.address.clone());
                    known.holders.insert(tenant.clone(), Holder { node, address, until });
                }
                // This node writes for one lease duration, so that commands do not queue for the answer.
                None => {
                    known.without.insert(tenant.clone(), asked + LEASE);
                }
            }
        }
        self.known_writer(tenant, &own).unwrap_or(Writer::Here)
    }

    /// Whether this node carries out a command that another node forwarded: while it holds the tenant's lease, by its own
    /// timer. Counts as a use of the lease.
    pub fn accepts_forwarded(&self, tenant: &TenantId) -> bool {
        let Some(own) = self.own.borrow().clone() else {
            return false;
        };
        let now = Instant::now();
        let mut known = self.known();
        let is_held = known.holds(tenant, &own, now) || is_planted(Fault::ForwardedAcceptedWithoutTheLease);
        if is_held && !is_planted(Fault::ForwardedUseNotNoted) {
            known.used.insert(tenant.clone(), now);
        }
        is_held
    }

    fn known(&self) -> MutexGuard<'_, Known<T::Address>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn known_writer(&self, tenant: &TenantId, own: &Own<T::Address>) -> Option<Writer<T::Address>> {
        let now = Instant::now();
        let mut known = self.known();
        let Some(holder) = known.holders.get(tenant).filter(|holder| holder.until > now).cloned() else {
            let decides = known.without.get(tenant).is_some_and(|until| *until > now);
            return decides.then_some(Writer::Here);
        };
        if holder.node == own.id {
            known.used.insert(tenant.clone(), now);
            return Some(Writer::Here);
        }
        let is_silent = known.silent.get(&holder.node).is_some_and(|until| *until > now);
        Some(if is_silent { Writer::Here } else { Writer::At(holder) })
    }

    async fn renew(&self, own: &Own<T::Address>) -> Result<(), T::Error> {
        let asked = Instant::now();
        let busy: Vec<TenantId> = {
            let mut known = self.known();
            known.used.retain(|_, used| asked.duration_since(*used) < IDLE_AFTER);
            known.without.retain(|_, until| *until > asked);
            let used = known.used.keys();
            used.filter(|tenant| known.holds(tenant, own, asked) || is_planted(Fault::ExpiredLeaseRenewed))
                .cloned()
                .collect()
        };
        let busy = if is_planted(Fault::LeaseNotRenewed) {
            Vec::new()
        } else {
            busy
        };
        let leases = self.table.renew(own.id, busy).await?;
        let now = Instant::now();
        let mut known = self.known();
        let holders: HashMap<_, _> = leases
            .into_iter()
            .map(|(tenant, lease)| (tenant, holder(lease, asked)))
            .filter(|(tenant, holder)| {
                holder.node != own.id || known.holds(tenant, own, now) || is_planted(Fault::ExpiredLeaseRenewed)
            })
            .collect();
        // A lease taken while the statement was in transit is missing from its rows.
        known
            .holders
            .retain(|tenant, holder| holder.until > asked + LEASE - RENEWAL_INTERVAL && !holders.contains_key(tenant));
        known.holders.extend(holders);
        Ok(())
    }
}

#[cfg(test)]
impl<T: LeaseTable> Leases<T> {
    /// Until when this node believes that it holds a tenant's lease.
    pub(crate) fn believed_until(&self, tenant: &TenantId) -> Option<Instant> {
        let own = self.own.borrow().clone()?;
        let holder = self.known().holders.get(tenant)?.clone();
        (holder.node == own.id).then_some(holder.until)
    }
}

fn holder<A>(lease: Lease<A>, asked: Instant) -> Holder<A> {
    let from = if is_planted(Fault::LeaseCountedFromTheAnswer) {
        Instant::now()
    } else {
        asked
    };
    Holder {
        node: lease.node,
        address: lease.address,
        until: from + lease.left,
    }
}
