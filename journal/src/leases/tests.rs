use super::{IDLE_AFTER, LEASE, Lease, LeaseTable, Leases, Unanswered, Writer};
use caudal_domain::ids::TenantId;
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};
use tokio::{
    sync::watch,
    time::{Instant, sleep},
};
use uuid::Uuid;

type Rows = BTreeMap<TenantId, (Uuid, &'static str, Instant)>;

/// A table in memory, which may not answer.
#[derive(Clone, Default)]
struct Table {
    rows: Arc<Mutex<Rows>>,
    is_away: Arc<AtomicBool>,
}

impl Table {
    fn answer<T>(&self, statement: impl FnOnce(&mut Rows) -> T) -> Result<T, &'static str> {
        if self.is_away.load(Ordering::Relaxed) {
            return Err("away");
        }
        Ok(statement(&mut self.rows.lock().unwrap()))
    }
}

impl LeaseTable for Table {
    type Address = &'static str;
    type Error = &'static str;

    async fn take(
        &self,
        tenant: &TenantId,
        node: Uuid,
        address: &&'static str,
    ) -> Result<Option<Lease<&'static str>>, &'static str> {
        self.answer(|rows| {
            let now = Instant::now();
            let row = rows.entry(tenant.clone()).or_insert((node, *address, now));
            if row.0 == node || row.2 <= now {
                *row = (node, *address, now + LEASE);
            }
            Some(Lease {
                node: row.0,
                address: row.1,
                left: row.2 - now,
            })
        })
    }

    async fn renew(
        &self,
        node: Uuid,
        busy: Vec<TenantId>,
    ) -> Result<Vec<(TenantId, Lease<&'static str>)>, &'static str> {
        self.answer(|rows| {
            let now = Instant::now();
            for (tenant, row) in rows.iter_mut() {
                if row.0 == node && busy.contains(tenant) {
                    row.2 = now + LEASE;
                }
            }
            let current = rows.iter().filter(|(_, row)| row.2 > now);
            current
                .map(|(tenant, row)| {
                    let lease = Lease {
                        node: row.0,
                        address: row.1,
                        left: row.2 - now,
                    };
                    (tenant.clone(), lease)
                })
                .collect()
        })
    }

    async fn release(&self, node: Uuid) -> Result<(), &'static str> {
        self.answer(|rows| rows.retain(|_, row| row.0 != node))
    }
}

type Node = Arc<Leases<Table>>;

/// Two nodes, of which the first one holds the tenant's lease.
async fn two_nodes(table: &Table, tenant: &TenantId) -> (Node, Node, watch::Sender<bool>) {
    let (stop, stopped) = watch::channel(false);
    let node = |address| {
        let leases = Arc::new(Leases::new(table.clone()));
        let (joined, stopped) = (leases.clone(), stopped.clone());
        tokio::spawn(async move { joined.keep(address, stopped).await });
        leases
    };
    let (holder, other) = (node("holder"), node("other"));
    sleep(Duration::from_millis(1)).await;
    assert!(matches!(holder.writer_of(tenant).await, Writer::Here));
    sleep(Duration::from_secs(1)).await;
    (holder, other, stop)
}

fn tenant() -> TenantId {
    "worked".parse().unwrap()
}

async fn writer_at(node: &Node, tenant: &TenantId) -> &'static str {
    match node.writer_of(tenant).await {
        Writer::Here => "here",
        Writer::At(holder) => holder.address,
    }
}

#[tokio::test(start_paused = true)]
async fn a_lease_is_kept_while_its_holder_gets_forwarded_commands_alone() {
    let (table, tenant) = (Table::default(), tenant());
    let (holder, other, _stop) = two_nodes(&table, &tenant).await;
    for _ in 0..30 {
        sleep(Duration::from_secs(10)).await;
        assert_eq!(writer_at(&other, &tenant).await, "holder");
        assert!(holder.accepts_forwarded(&tenant));
    }
}

#[tokio::test(start_paused = true)]
async fn a_lease_without_commands_goes_to_the_node_that_gets_the_next_one() {
    let (table, tenant) = (Table::default(), tenant());
    let (holder, other, _stop) = two_nodes(&table, &tenant).await;
    sleep(IDLE_AFTER + LEASE).await;
    assert_eq!(writer_at(&other, &tenant).await, "here");
    assert!(!holder.accepts_forwarded(&tenant));
    sleep(LEASE).await;
    assert_eq!(writer_at(&holder, &tenant).await, "other");
}

#[tokio::test(start_paused = true)]
async fn a_node_that_decides_without_a_lease_runs_nothing_that_was_forwarded_to_it() {
    let (table, tenant) = (Table::default(), tenant());
    let (holder, _other, _stop) = two_nodes(&table, &tenant).await;
    table.is_away.store(true, Ordering::Relaxed);
    sleep(LEASE).await;
    assert_eq!(writer_at(&holder, &tenant).await, "here");
    assert!(!holder.accepts_forwarded(&tenant));
}

#[tokio::test(start_paused = true)]
async fn a_silent_holder_is_waited_for_until_its_lease_ends_and_skipped_afterwards() {
    let (table, tenant) = (Table::default(), tenant());
    let (_holder, other, stop) = two_nodes(&table, &tenant).await;
    let Writer::At(holder) = other.writer_of(&tenant).await else {
        panic!("another node holds the lease");
    };
    table.is_away.store(true, Ordering::Relaxed);
    let asked = Instant::now();
    let answer = other
        .answer_of(&tenant, &holder, std::future::pending::<Result<(), Unanswered>>())
        .await;
    assert!(matches!(answer, Err(Unanswered::LeaseLost)));
    assert!(asked.elapsed() <= LEASE, "{:?}", asked.elapsed());
    table.is_away.store(false, Ordering::Relaxed);
    assert_eq!(writer_at(&other, &tenant).await, "here");
    drop(stop);
}

#[tokio::test(start_paused = true)]
async fn a_holder_that_keeps_its_lease_and_does_not_answer_is_waited_for_no_longer_than_the_timeout() {
    let (table, tenant) = (Table::default(), tenant());
    let (_holder, other, _stop) = two_nodes(&table, &tenant).await;
    let Writer::At(holder) = other.writer_of(&tenant).await else {
        panic!("another node holds the lease");
    };
    let asked = Instant::now();
    let answer = other
        .answer_of(&tenant, &holder, std::future::pending::<Result<(), Unanswered>>())
        .await;
    assert!(matches!(answer, Err(Unanswered::TimedOut)));
    assert!(asked.elapsed() < Duration::from_secs(6), "{:?}", asked.elapsed());
    assert_eq!(writer_at(&other, &tenant).await, "here");
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_has_expired_is_not_renewed_but_taken_again() {
    let (table, tenant) = (Table::default(), tenant());
    let (holder, _other, _stop) = two_nodes(&table, &tenant).await;
    table.is_away.store(true, Ordering::Relaxed);
    sleep(LEASE).await;
    table.is_away.store(false, Ordering::Relaxed);
    sleep(LEASE).await;
    assert!(!holder.accepts_forwarded(&tenant));
    assert_eq!(writer_at(&holder, &tenant).await, "here");
    assert!(holder.accepts_forwarded(&tenant));
}

#[test]
fn a_refusal_is_final_where_the_other_node_certainly_does_not_have_the_command() {
    assert!(Unanswered::LeaseLost.leaves_refusals_open());
    assert!(Unanswered::TimedOut.leaves_refusals_open());
    assert!(Unanswered::AnswerLost("cut off".into()).leaves_refusals_open());
    assert!(!Unanswered::Misdirected.leaves_refusals_open());
    assert!(!Unanswered::NotReached("refused".into()).leaves_refusals_open());
}
