//! A deterministic simulation of one tenant's writers, on several nodes, over a [model](model) of PostgreSQL.
//!
//! One thread, a clock that stands still while anything can run, and a seed that chooses what clients ask and what goes
//! wrong: the same seed is the same schedule. After each schedule the log and all answers are compared ([`check`]).
//!
//! `CAUDAL_SIMULATION_SEED=7 cargo test -p caudal-journal simulation` runs the schedule of seed 7 alone;
//! `CAUDAL_SIMULATION_SCHEDULES=100000` runs that many, from that seed on.

mod check;
mod model;
mod random;

use super::{
    CommandJob, Inbox, Job,
    faults::{Fault, plant},
};
use crate::{
    beside::receipts::{self, ReceiptKey, RequestDigest},
    clock::Clock,
    error::SubmitError,
    history::Histories,
    journal::Node,
    keys::Keyring,
    log::head::Head,
    submission::{Committed, Submission},
};
use caudal_domain::{
    Account, AccountKind, Actor, Books, Command, Tenant, TenantCommand,
    ids::{CurrencyId, DebitId, MovementId, PartyId, TenantId},
    money::{Amount, CurrencyCode, Rate},
    movement::{Deposit, DepositTo, ExpectedParty, Funds, MovementCommand},
    nomenclator::currency::{Currency, CurrencyCommand},
    party::{ChangeParty, PartyCommand, PartyDetails, RegisterParty, Registration, Territory},
};
use check::{Attempt, Outcome, Read};
use chrono::{DateTime, TimeDelta, Utc};
use model::{FaultRates, Model, Stored};
use random::Random;
use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};
use tokio::{
    sync::{mpsc, oneshot},
    task::{AbortHandle, JoinSet},
    time::{Instant, sleep, timeout},
};
use uuid::Uuid;

/// Schedules of a run without settings: some seconds' work.
const SCHEDULES: u64 = 1_000;

/// Schedules within which each planted fault has to be found.
const SCHEDULES_TO_FIND: u64 = 2_000;

/// How often a client asks for the same thing.
const ATTEMPTS: u32 = 5;

/// The longest that an answer may take, by the simulation's clock: several patiences of the writer, one after the other.
const LONGEST_ANSWER: Duration = Duration::from_secs(1_200);

const SEED_VARIABLE: &str = "CAUDAL_SIMULATION_SEED";
const SCHEDULES_VARIABLE: &str = "CAUDAL_SIMULATION_SCHEDULES";

/// A node's clock: the simulation's, ahead or behind by what the node believes.
struct NodeClock {
    began: Instant,
    offset_millis: AtomicI64,
}

impl Clock for NodeClock {
    fn now(&self) -> DateTime<Utc> {
        let elapsed = TimeDelta::from_std(self.began.elapsed()).unwrap_or_default();
        let offset = TimeDelta::milliseconds(self.offset_millis.load(Ordering::Relaxed));
        DateTime::UNIX_EPOCH + TimeDelta::days(20_000) + elapsed + offset
    }
}

/// A node with at most one writer of the tenant.
struct SimulatedNode {
    node: Arc<Node>,
    clock: Arc<NodeClock>,
    model: Model,
    tenant: TenantId,
    writer: Mutex<Option<(Inbox, AbortHandle)>>,
}

impl SimulatedNode {
    fn new(world: &World, model: &Model, began: Instant) -> Self {
        let clock = Arc::new(NodeClock {
            began,
            offset_millis: AtomicI64::new(0),
        });
        Self {
            node: Arc::new(Node::new(world.keyring.clone(), clock.clone(), Histories::new(None))),
            clock,
            model: model.clone(),
            tenant: world.tenant.clone(),
            writer: Mutex::new(None),
        }
    }

    fn send(&self, mut job: Job) -> Result<(), SubmitError> {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((inbox, _)) = writer.as_ref() {
            match inbox.send(job) {
                Ok(()) => return Ok(()),
                Err(mpsc::error::TrySendError::Full(_)) => {
                    return Err(SubmitError::Busy {
                        retry_after: Duration::from_secs(1),
                    });
                }
                Err(mpsc::error::TrySendError::Closed(back)) => job = back,
            }
        }
        let connect = || self.model.connect(&self.node.macs, &self.tenant);
        let (inbox, running, reader) = Inbox::open(&self.node, &self.tenant, connect);
        assert!(inbox.send(job).is_ok(), "a new queue has room");
        let task = tokio::spawn(futures::future::join(running.run(), reader.run()));
        *writer = Some((inbox, task.abort_handle()));
        Ok(())
    }

    async fn submit(&self, submission: Submission) -> Result<Committed, SubmitError> {
        if self.node.histories.refuses_writes(&self.tenant) {
            return Err(SubmitError::Quarantined);
        }
        let receipt = submission.key.as_ref().map(|key| {
            let key = ReceiptKey::new(submission.actor, key).unwrap();
            let digest = receipts::digest(&self.node.keyring, &self.tenant, &submission.request_digest);
            (key, digest)
        });
        let (reply, result) = oneshot::channel();
        self.send(Job::Command(Box::new(CommandJob {
            submission,
            receipt,
            reply,
        })))?;
        result.await.unwrap_or(Err(SubmitError::OutcomeUnknown))
    }

    async fn books(&self) -> Result<(Books, Head), SubmitError> {
        let (reply, result) = oneshot::channel();
        self.send(Job::Books(reply))?;
        result.await.unwrap_or(Err(SubmitError::OutcomeUnknown))
    }

    /// Ends the writer in whatever it does. What the node has seen of the log is kept, as in its data folder.
    fn crash(&self) {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, task)) = writer.take() {
            task.abort();
        }
    }
}

/// A tenant with a manager, a dealer, USD and some cash, where all schedules begin.
struct World {
    keyring: Keyring,
    tenant: TenantId,
    manager: PartyId,
    dealer: PartyId,
    start: Stored,
}

impl World {
    fn begin() -> Self {
        let tenant: TenantId = "worked".parse().unwrap();
        let mut world = Self {
            keyring: Keyring::generate().unwrap(),
            manager: PartyId(Uuid::from_u128(1)),
            dealer: PartyId(Uuid::from_u128(2)),
            start: Stored::empty(&tenant),
            tenant,
        };
        let model = Model::new(world.start.clone(), 0);
        runtime().block_on(async {
            let node = SimulatedNode::new(&world, &model, Instant::now());
            let zone = caudal_domain::DEFAULT_ZONE;
            let commands = [
                Command::Tenant(TenantCommand::Open(Tenant {
                    name: "Worked".into(),
                    time_zone: zone,
                })),
                Command::Currency(
                    CurrencyId(Uuid::from_u128(3)),
                    CurrencyCommand::Add(Currency {
                        id: CurrencyId(Uuid::from_u128(3)),
                        code: CurrencyCode::USD,
                        symbol: "$".into(),
                        exchange_rate: Rate::ONE,
                        distribution_rate: Amount::ZERO,
                        accounted: true,
                        enabled: true,
                    }),
                ),
                register(world.manager, Registration::Manager, "manager@example.com"),
            ];
            for command in commands {
                node.submit(submission(Actor::System, command, Uuid::from_u128(4)))
                    .await
                    .unwrap();
            }
            let manager = Actor::Party(world.manager);
            let commands = [
                register(world.dealer, dealing(), "dealer@example.com"),
                deposit(Uuid::from_u128(5), DepositTo::Treasury, 10_000),
            ];
            for command in commands {
                node.submit(submission(manager, command, Uuid::from_u128(4)))
                    .await
                    .unwrap();
            }
        });
        world.start = model.server().stored.clone();
        world
    }
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .start_paused(true)
        .build()
        .unwrap()
}

fn dealing() -> Registration {
    Registration::Dealer {
        territory: Territory::default(),
    }
}

fn register(id: PartyId, registration: Registration, email: &str) -> Command {
    let details = PartyDetails {
        name: "Ana".into(),
        email: email.into(),
        ..PartyDetails::default()
    };
    Command::Party(
        id,
        PartyCommand::Register(RegisterParty {
            id,
            registration,
            details,
            is_active: true,
        }),
    )
}

fn deposit(id: Uuid, to: DepositTo, cents: i64) -> Command {
    let deposit = Deposit {
        to,
        funds: Funds::Currency(CurrencyCode::USD),
        amount: Amount::from_minor(cents),
        on_credit: false,
        note: None,
        debit: DebitId(id),
    };
    Command::Movement(MovementId(id), MovementCommand::Deposit(deposit))
}

fn submission(actor: Actor, command: Command, request_id: Uuid) -> Submission {
    Submission {
        actor,
        command,
        key: None,
        request_digest: RequestDigest::of([]),
        request_id,
        credential: None,
        api_key: None,
        as_of: None,
        expected: None,
    }
}

/// What a client asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RequestKind {
    Deposit,
    /// Cash for the dealer, in cents: refused where the treasury has less.
    CashOut(i64),
    /// A new dealer with one of a few e-mails: refused where another has it.
    Register(u64),
    /// Another name for the dealer.
    Change,
}

impl World {
    fn ask(&self, random: &mut Random) -> (RequestKind, Submission) {
        let id = Uuid::from_u64_pair(random.next(), random.next());
        let (request_kind, command) = match random.below(10) {
            0..=3 => {
                let cents = 1 + i64::try_from(random.below(3_000)).unwrap();
                (RequestKind::Deposit, deposit(id, DepositTo::Treasury, cents))
            }
            4..=6 => {
                let cents = 1_000 + i64::try_from(random.below(7_000)).unwrap();
                let to = DepositTo::Party(self.dealer, ExpectedParty::Dealer);
                (RequestKind::CashOut(cents), deposit(id, to, cents))
            }
            7 => {
                let email = random.below(4);
                let command = register(PartyId(id), dealing(), &format!("dealer{email}@example.com"));
                (RequestKind::Register(email), command)
            }
            _ => {
                let details = PartyDetails {
                    name: format!("Dora {id}"),
                    email: "dealer@example.com".into(),
                    ..PartyDetails::default()
                };
                let change = ChangeParty {
                    details,
                    is_active: None,
                    territory: None,
                    known: None,
                    sets_password: false,
                };
                (
                    RequestKind::Change,
                    Command::Party(self.dealer, PartyCommand::Change(change)),
                )
            }
        };
        let mut submission = submission(Actor::Party(self.manager), command, id);
        if random.below(3) > 0 {
            submission.key = Some(id.to_string());
        }
        (request_kind, submission)
    }
}

type Attempts = Arc<Mutex<Vec<Attempt>>>;
type Reads = Arc<Mutex<Vec<Read>>>;

/// Reads the state of a node; nothing where it can't be told.
async fn read(nodes: &[SimulatedNode], at: usize) -> Option<Read> {
    let began = Instant::now();
    let (books, head) = timeout(LONGEST_ANSWER, nodes[at].books()).await.ok()?.ok()?;
    Some(Read {
        began,
        point: head.point(),
        treasury: books
            .balance(Account::of_tenant(AccountKind::Treasury, CurrencyCode::USD))
            .minor(),
    })
}

/// One client: asks for one thing after the other, and again where it may.
async fn client(
    world: Arc<World>,
    nodes: Arc<Vec<SimulatedNode>>,
    mut random: Random,
    attempts: Attempts,
    reads: Reads,
) {
    for _ in 0..2 + random.below(4) {
        sleep(Duration::from_millis(random.below(60))).await;
        let read = read(&nodes, random.below(nodes.len() as u64) as usize).await;
        reads.lock().unwrap_or_else(PoisonError::into_inner).extend(read);
        let (request_kind, submission) = world.ask(&mut random);
        for _ in 0..ATTEMPTS {
            let node = random.below(nodes.len() as u64) as usize;
            let other =
                (submission.key.is_some() && random.below(8) == 0).then(|| random.below(nodes.len() as u64) as usize);
            // At times the client disconnects.
            let patience = if random.below(12) == 0 {
                Duration::from_millis(random.below(20))
            } else {
                LONGEST_ANSWER
            };
            let first = attempt(&nodes, node, request_kind, &submission, patience);
            let outcomes = match other {
                Some(other) => {
                    let second = attempt(&nodes, other, request_kind, &submission, patience);
                    let (first, second) = futures::future::join(first, second).await;
                    vec![first, second]
                }
                None => vec![first.await],
            };
            let is_done = |attempt: &Attempt| match attempt.outcome {
                Outcome::Done(_) | Outcome::Refused(_) | Outcome::Broken(_) => true,
                Outcome::Nothing => false,
                Outcome::Unknown => submission.key.is_none(),
            };
            let done = outcomes.iter().any(is_done);
            attempts.lock().unwrap_or_else(PoisonError::into_inner).extend(outcomes);
            if done {
                break;
            }
            sleep(Duration::from_millis(random.below(1_500))).await;
        }
    }
}

async fn attempt(
    nodes: &[SimulatedNode],
    at: usize,
    request_kind: RequestKind,
    submission: &Submission,
    patience: Duration,
) -> Attempt {
    let began = Instant::now();
    let answered = timeout(patience, nodes[at].submit(submission.clone())).await;
    let outcome = match answered {
        Err(_) if patience == LONGEST_ANSWER => Outcome::Broken("no answer".to_owned()),
        Err(_) | Ok(Err(SubmitError::OutcomeUnknown)) => Outcome::Unknown,
        Ok(Ok(committed)) => Outcome::Done(Box::new(committed)),
        Ok(Err(SubmitError::Refused(refusal))) => Outcome::Refused(refusal.code),
        Ok(Err(SubmitError::Busy { .. } | SubmitError::Unavailable { .. } | SubmitError::Quarantined)) => {
            Outcome::Nothing
        }
        Ok(Err(error)) => Outcome::Broken(format!("{error:?}")),
    };
    Attempt {
        request: submission.request_id,
        node: at,
        request_kind,
        began,
        ended: Instant::now(),
        outcome,
    }
}

/// What goes wrong beside single statements.
async fn inject_faults(nodes: Arc<Vec<SimulatedNode>>, model: Model, mut random: Random) {
    let may_lose = random.below(3) == 0;
    loop {
        sleep(Duration::from_millis(random.below(400))).await;
        let node = &nodes[random.below(nodes.len() as u64) as usize];
        match random.below(12) {
            0 | 1 => node.crash(),
            2 => model.fail_over(false),
            3 | 4 if may_lose => model.fail_over(true),
            5 => model.go_down(Duration::from_millis(random.below(800))).await,
            6 => model.go_down(Duration::from_secs(random.below(50))).await,
            7 => {
                let offset = i64::try_from(random.below(20_000)).unwrap() - 10_000;
                node.clock.offset_millis.store(offset, Ordering::Relaxed);
            }
            8 => node.node.histories.distrust_caches(),
            _ => {}
        }
    }
}

/// Runs the schedule of a seed, with a fault planted or none.
fn run(world: &Arc<World>, seed: u64, fault: Option<Fault>) -> Result<usize, String> {
    plant(fault);
    let result = runtime().block_on(schedule(world.clone(), seed));
    plant(None);
    result
}

async fn schedule(world: Arc<World>, seed: u64) -> Result<usize, String> {
    let mut random = Random::new(seed);
    let model = Model::new(world.start.clone(), random.next());
    let began = Instant::now();
    let nodes: Arc<Vec<_>> = Arc::new(
        (0..=random.below(3))
            .map(|_| SimulatedNode::new(&world, &model, began))
            .collect(),
    );
    model.server().fault_rates = FaultRates {
        lost_before: random.below(60),
        lost_answers: random.below(120),
        refused: random.below(30),
        silent: random.below(8),
    };
    let (attempts, reads) = (Attempts::default(), Reads::default());
    let mut clients = JoinSet::new();
    for _ in 0..2 + random.below(3) {
        let random = Random::new(random.next());
        clients.spawn(client(
            world.clone(),
            nodes.clone(),
            random,
            attempts.clone(),
            reads.clone(),
        ));
    }
    let faults = tokio::spawn(inject_faults(nodes.clone(), model.clone(), Random::new(random.next())));
    while let Some(ended) = clients.join_next().await {
        ended.map_err(|error| format!("a client failed: {error}"))?;
    }
    faults.abort();
    model.stop_faults();
    // What was sent and is not carried out yet comes now.
    sleep(Duration::from_secs(60)).await;
    let mut views = Vec::new();
    for node in nodes.iter() {
        let read = timeout(LONGEST_ANSWER, node.books()).await;
        let books = read.map_err(|_| "the state is not read".to_owned())?;
        views.push(check::View {
            books: books.map_err(|error| format!("the state can't be read: {error:?}"))?,
            is_quarantined: node.node.histories.quarantine(&world.tenant).is_some(),
            known: node.node.histories.history(&world.tenant).map(|history| history.point),
        });
    }
    let attempts = std::mem::take(&mut *attempts.lock().unwrap_or_else(PoisonError::into_inner));
    let reads = std::mem::take(&mut *reads.lock().unwrap_or_else(PoisonError::into_inner));
    check::check(&world.tenant, &attempts, &reads, &model.server(), &views)?;
    Ok(attempts.len())
}

fn setting(name: &str) -> Option<u64> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text} is no number")))
}

#[test]
fn whatever_the_schedule_what_is_acknowledged_is_stored_exactly_once() {
    let world = Arc::new(World::begin());
    let first = setting(SEED_VARIABLE);
    let schedules = setting(SCHEDULES_VARIABLE).unwrap_or(if first.is_some() { 1 } else { SCHEDULES });
    let first = first.unwrap_or(0);
    let mut attempts = 0;
    for seed in first..first + schedules {
        match run(&world, seed, None) {
            Ok(made) => attempts += made,
            Err(violation) => panic!("{violation}; run it again: {SEED_VARIABLE}={seed}"),
        }
    }
    println!("{schedules} schedules from seed {first}, {attempts} attempts");
}

#[test]
fn each_planted_fault_is_found() {
    let world = Arc::new(World::begin());
    let mut missed = Vec::new();
    for fault in Fault::ALL {
        let found = (0..SCHEDULES_TO_FIND).find_map(|seed| Some((seed, run(&world, seed, Some(fault)).err()?)));
        match found {
            Some((seed, violation)) => println!("{fault:?}: seed {seed}: {violation}"),
            None => missed.push(fault),
        }
    }
    assert!(missed.is_empty(), "not found: {missed:?}");
}

#[test]
fn the_same_seed_is_the_same_schedule() {
    let world = Arc::new(World::begin());
    for seed in 0..20 {
        assert_eq!(run(&world, seed, None), run(&world, seed, None), "seed {seed}");
    }
}
