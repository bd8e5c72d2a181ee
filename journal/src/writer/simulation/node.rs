//! A node of a schedule: its writers, its leases, and the network between it and the other nodes.

use super::{
    mishaps::{Gate, NetworkFault},
    model::Model,
    table::ModelTable,
    world::World,
};
use crate::{
    beside::idempotency_records::{self, IdempotencyRecordKey},
    clock::Clock,
    error::{RETRY_AFTER, SubmitError},
    history::Histories,
    journal::Node,
    leases::{Leases, Unanswered, Writer},
    log::head::Head,
    submission::{Committed, Submission},
    writer::{
        CommandJob, Inbox, Job,
        faults::{Fault, is_planted},
    },
};
use caudal_domain::{TenantState, ids::TenantId};
use chrono::{DateTime, TimeDelta, Utc};
use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};
use tokio::{
    sync::{mpsc, oneshot, watch},
    task::AbortHandle,
    time::{Instant, sleep},
};

/// A node's clock: the simulation's, ahead or behind by what the node believes.
pub(super) struct NodeClock {
    began: Instant,
    pub(super) offset_millis: AtomicI64,
}

impl Clock for NodeClock {
    fn now(&self) -> DateTime<Utc> {
        let elapsed = TimeDelta::from_std(self.began.elapsed()).unwrap_or_default();
        let offset = TimeDelta::milliseconds(self.offset_millis.load(Ordering::Relaxed));
        DateTime::UNIX_EPOCH + TimeDelta::days(20_000) + elapsed + offset
    }
}

/// A node, with at most one writer a tenant.
pub(super) struct SimulatedNode {
    index: usize,
    /// What the node has seen of the logs; it is kept when the process ends, as in its data folder.
    pub(super) node: Arc<Node>,
    pub(super) clock: Arc<NodeClock>,
    model: Model,
    tenants: Vec<TenantId>,
    writers: Mutex<Vec<Option<(Inbox, AbortHandle)>>>,
    gate: Gate,
    process: Mutex<Option<Process>>,
}

/// What ends with the node's process.
struct Process {
    leases: Arc<Leases<ModelTable>>,
    keeping: AbortHandle,
    /// Tells the process to give its leases back.
    stop: watch::Sender<bool>,
    /// Closed with the process.
    life: watch::Sender<()>,
}

/// The node that ran a command, and when it answered.
#[derive(Clone, Copy)]
pub(super) struct RanAt {
    pub(super) node: usize,
    pub(super) answered: Instant,
}

/// The answer to a command, and where it is from.
pub(super) type Answered = (RanAt, Result<Committed, SubmitError>);

impl RanAt {
    fn now(node: usize) -> Self {
        Self {
            node,
            answered: Instant::now(),
        }
    }
}

impl SimulatedNode {
    /// A node whose process does not [run](Self::start) yet. It forwards nothing before.
    pub(super) fn new(world: &World, model: &Model, index: usize, began: Instant) -> Self {
        let clock = Arc::new(NodeClock {
            began,
            offset_millis: AtomicI64::new(0),
        });
        Self {
            index,
            node: Arc::new(Node::new(world.keyring.clone(), clock.clone(), Histories::new(None))),
            clock,
            model: model.clone(),
            tenants: world.tenants.clone(),
            writers: Mutex::new(world.tenants.iter().map(|_| None).collect()),
            gate: Gate::new(),
            process: Mutex::new(None),
        }
    }

    fn process(&self) -> MutexGuard<'_, Option<Process>> {
        self.process.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Starts the process, if it does not run. It takes leases and forwards where the schedule has an address for nodes.
    pub(super) fn start(&self) {
        let mut process = self.process();
        if process.is_some() {
            return;
        }
        let leases = Arc::new(Leases::new(ModelTable::new(&self.model, &self.gate)));
        self.model.server().leases.joined(self.index, Arc::downgrade(&leases));
        let (stop, stopped) = watch::channel(false);
        let (keeper, index) = (leases.clone(), self.index);
        let joins = self.model.server().leases.are_used;
        let keeping = tokio::spawn(async move {
            if joins {
                keeper.keep(index, stopped).await;
            }
        });
        *process = Some(Process {
            leases,
            keeping: keeping.abort_handle(),
            stop,
            life: watch::Sender::new(()),
        });
    }

    /// Ends the process in whatever it does.
    pub(super) fn die(&self) {
        if let Some(process) = self.process().take() {
            process.keeping.abort();
            self.model.server().leases.joined(self.index, Weak::new());
            for tenant in 0..self.tenants.len() {
                self.crash(tenant);
            }
        }
    }

    /// Has the process give its leases back. It answers what reaches it until it ends.
    pub(super) fn leave(&self) {
        if let Some(process) = &*self.process() {
            process.stop.send_replace(true);
        }
    }

    /// The node does not reach the server for a while.
    pub(super) fn cut_off(&self, time: Duration) {
        self.gate.cut_off(time);
    }

    /// The process stands still no more.
    pub(super) fn go_on(&self) {
        self.gate.open();
    }

    /// The process stands still: nothing that it waits for reaches it for a while.
    pub(super) fn stand_still(&self, time: Duration) {
        self.gate.close(time);
    }

    /// Ends a writer in whatever it does.
    pub(super) fn crash(&self, tenant: usize) {
        let mut writers = self.writers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, task)) = writers[tenant].take() {
            task.abort();
        }
    }

    fn send(&self, tenant: usize, mut job: Job) -> Result<(), SubmitError> {
        let mut writers = self.writers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((inbox, _)) = &writers[tenant] {
            match inbox.send(job) {
                Ok(()) => return Ok(()),
                Err(mpsc::error::TrySendError::Full(_)) => {
                    return Err(SubmitError::Busy {
                        retry_after: RETRY_AFTER,
                    });
                }
                Err(mpsc::error::TrySendError::Closed(back)) => job = back,
            }
        }
        let connect = || {
            self.model
                .connect(&self.node.macs, &self.tenants[tenant], tenant, &self.gate)
        };
        let (inbox, running, reader) = Inbox::open(&self.node, &self.tenants[tenant], connect);
        assert!(inbox.send(job).is_ok(), "a new queue has room");
        let task = tokio::spawn(futures::future::join(running.run(), reader.run()));
        writers[tenant] = Some((inbox, task.abort_handle()));
        Ok(())
    }

    /// Runs a command at this node.
    pub(super) async fn submit(&self, tenant: usize, submission: Submission) -> Result<Committed, SubmitError> {
        let id = &self.tenants[tenant];
        if self.node.histories.refuses_writes(id) {
            return Err(SubmitError::Quarantined);
        }
        let idempotency_record = submission.key.as_ref().map(|key| {
            let key = IdempotencyRecordKey::new(submission.actor, key).unwrap();
            let digest = idempotency_records::digest(&self.node.keyring, id, &submission.request_digest);
            (key, digest)
        });
        let (reply, result) = oneshot::channel();
        self.send(
            tenant,
            Job::Command(Box::new(CommandJob {
                submission,
                idempotency_record,
                reply,
                span: tracing::Span::none(),
            })),
        )?;
        result.await.unwrap_or(Err(SubmitError::OutcomeUnknown))
    }

    pub(super) async fn state(&self, tenant: usize) -> Result<(TenantState, Head), SubmitError> {
        let (reply, result) = oneshot::channel();
        self.send(tenant, Job::TenantState(reply))?;
        result.await.unwrap_or(Err(SubmitError::OutcomeUnknown))
    }

    /// The leases of the process, and what completes when it ends; `None` while it does not run.
    fn running(&self) -> Option<(Arc<Leases<ModelTable>>, impl Future<Output = ()> + Send + use<>)> {
        let process = self.process();
        let process = process.as_ref()?;
        let mut life = process.life.subscribe();
        let ended = async move { while life.changed().await.is_ok() {} };
        Some((process.leases.clone(), ended))
    }
}

/// Sends a client's command to a node.
pub(super) async fn ask(nodes: &Arc<Vec<SimulatedNode>>, at: usize, tenant: usize, submission: Submission) -> Answered {
    let Some((leases, ended)) = nodes[at].running() else {
        let refused = SubmitError::Unavailable {
            retry_after: RETRY_AFTER,
            source: None,
        };
        return (RanAt::now(at), Err(refused));
    };
    tokio::select! {
        biased;
        () = ended => (RanAt::now(at), Err(SubmitError::OutcomeUnknown)),
        answer = receive(nodes, at, &leases, tenant, submission) => answer,
    }
}

/// What `api/src/cluster/forward.rs` does with a command of a client.
async fn receive(
    nodes: &Arc<Vec<SimulatedNode>>,
    at: usize,
    leases: &Leases<ModelTable>,
    tenant: usize,
    mut submission: Submission,
) -> Answered {
    let node = &nodes[at];
    let id = &node.tenants[tenant];
    node.gate.pass().await;
    let may_be_forwarded = submission.key.is_some() || is_planted(Fault::KeylessForwarded);
    let mut may_run_elsewhere = false;
    if may_be_forwarded && let Writer::At(holder) = leases.writer_of(id).await {
        let asking = forward(nodes, holder.address, tenant, submission.clone());
        match leases.answer_of(id, &holder, asking).await {
            Ok(answer) => {
                node.gate.pass().await;
                return answer;
            }
            Err(why) => {
                may_run_elsewhere = why.leaves_refusals_open();
                if is_planted(Fault::FallbackUnderAnotherKey) {
                    submission.key = submission.key.map(|key| format!("{key} again"));
                }
            }
        }
    }
    let answer = node.submit(tenant, submission).await;
    let ran_at = RanAt::now(at);
    node.gate.pass().await;
    match answer {
        Err(_) if may_run_elsewhere => (ran_at, Err(SubmitError::OutcomeUnknown)),
        answer => (ran_at, answer),
    }
}

/// Sends a command to the node that holds the lease, over a network that loses it, its answer, or neither.
async fn forward(
    nodes: &Arc<Vec<SimulatedNode>>,
    to: usize,
    tenant: usize,
    submission: Submission,
) -> Result<Answered, Unanswered> {
    let sent = Instant::now();
    let (fault, there, back) = {
        let mut server = nodes[to].model.server();
        (server.network_fault(), server.pause(), server.pause())
    };
    sleep(there).await;
    let delay = match fault {
        NetworkFault::NotReached => return Err(Unanswered::NotReached("refused".into())),
        NetworkFault::Silent => return std::future::pending().await,
        NetworkFault::Late(delay) | NetworkFault::AnswerLost(delay) => delay,
        NetworkFault::None => Duration::ZERO,
    };
    if nodes[to].running().is_none() {
        return Err(Unanswered::NotReached("refused".into()));
    }
    // The other node goes on with what it received, whether or not anybody still waits.
    let (reply, answer) = oneshot::channel();
    let receivers = nodes.clone();
    tokio::spawn(async move {
        sleep(delay).await;
        let Some((leases, ended)) = receivers[to].running() else {
            return;
        };
        tokio::select! {
            biased;
            () = ended => {}
            // The node that forwarded it may have given up.
            answered = receive_forwarded(&receivers[to], &leases, tenant, submission, sent) => drop(reply.send(answered)),
        }
    });
    if matches!(fault, NetworkFault::AnswerLost(_)) {
        sleep(back).await;
        return Err(Unanswered::AnswerLost("cut off".into()));
    }
    let answer = answer.await;
    sleep(back).await;
    answer.unwrap_or(Err(Unanswered::AnswerLost("cut off".into())))
}

/// What `api/src/cluster/forward.rs` does with a command that another node forwarded.
async fn receive_forwarded(
    node: &SimulatedNode,
    leases: &Leases<ModelTable>,
    tenant: usize,
    submission: Submission,
    sent: Instant,
) -> Result<Answered, Unanswered> {
    node.gate.pass().await;
    if !leases.accepts_forwarded(&node.tenants[tenant]) {
        return Err(Unanswered::Misdirected);
    }
    node.model.server().begins_forwarded(tenant, node.index, sent);
    let answer = node.submit(tenant, submission).await;
    let ran_at = RanAt::now(node.index);
    node.gate.pass().await;
    Ok((ran_at, answer))
}
