//! A tenant moves between two cells while it works: nothing acknowledged is lost or done twice, whatever step the move ends at.

use crate::common::{Office, deposit, keyed, owner_of, register, submission, with_credential};
use caudal_domain::{
    Actor, Event,
    ids::PartyId,
    movement::{DepositTo, MovementEvent},
    party::{PartyEvent, Registration},
};
use caudal_journal::{
    CellName, Directory, Journal, JournalError, MoveError, PlacementState, Relocation, RowProblem, SubmitError,
    Whereabouts,
};
use caudal_postgres_testing::TestDatabase;
use sqlx::{Executor as _, Row as _};
use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

/// Longer than a move's last steps take.
const HOLD: Duration = Duration::from_secs(20);
/// Callers at the same time.
const CALLERS: usize = 4;

fn cell(name: &str) -> CellName {
    name.parse().unwrap()
}

/// Two cells with one key file, and two nodes in each; the tenant lives at home.
struct Cells {
    office: Office,
    database: TestDatabase,
    home: [Journal; 2],
    other: [Journal; 2],
}

impl Cells {
    async fn open() -> Self {
        let office = Office::open().await;
        let database = TestDatabase::new().await;
        let other = [
            office.node_on(database.connect().await).await,
            office.node_on(database.connect().await).await,
        ];
        let home = [office.journal.clone(), office.another_node().await];
        Self {
            office,
            database,
            home,
            other,
        }
    }

    async fn begin(&self) -> Result<Relocation, MoveError> {
        let (home, other) = (CellName::home(), cell("b"));
        Relocation::begin((&self.home[0], &home), (&self.other[0], &other), &self.office.tenant).await
    }

    async fn back(&self) -> Result<Relocation, MoveError> {
        let (home, other) = (CellName::home(), cell("b"));
        Relocation::begin((&self.other[0], &other), (&self.home[0], &home), &self.office.tenant).await
    }

    async fn whereabouts(&self) -> Whereabouts {
        directory(&self.home[0], &self.other[0])
            .await
            .locate(&self.office.tenant)
    }

    async fn lives_in(&self, name: &str) -> bool {
        self.whereabouts().await
            == Whereabouts::Lives {
                cell: cell(name),
                takes_writes: true,
            }
    }
}

async fn directory(home: &Journal, other: &Journal) -> Directory {
    let mut directory = Directory::default();
    directory.update(CellName::home(), home.placements().await.unwrap());
    directory.update(cell("b"), other.placements().await.unwrap());
    directory
}

/// All steps up to the tenant's opening in the other cell.
async fn finish(mut relocation: Relocation) -> Result<(), MoveError> {
    if !relocation.has_left() {
        relocation.copy(|_, _| {}).await?;
        relocation.snapshot().await?;
        relocation.announce().await?;
        relocation.hold(HOLD).await?;
        relocation.copy(|_, _| {}).await?;
        relocation.compare().await?;
        relocation.leave().await?;
    }
    relocation.open().await?;
    relocation.discard().await
}

/// Answers kept for a day just now, one for each millisecond of the minute to come.
const DAY_OLD_ANSWERS: &str = "
    INSERT INTO journal.answers (tenant, actor, key, digest, status, position, people, body, recorded_at)
    SELECT current_setting('caudal.tenant'), 'somebody', n::text, sha256(''), 200, 1, '', '',
           clock_timestamp() - interval '1 day' + n * interval '1 ms'
      FROM generate_series(1, 60000) AS n";

/// Callers that repeat each command under its key until it is acknowledged, at whatever node of the tenant's cell.
struct Load {
    stop: Arc<AtomicBool>,
    callers: Vec<tokio::task::JoinHandle<(Vec<i64>, Duration)>>,
}

impl Load {
    fn start(cells: &Cells) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let callers = (0..CALLERS).map(|caller| {
            let (stop, home, other) = (stop.clone(), cells.home.clone(), cells.other.clone());
            let (tenant, manager) = (cells.office.tenant.clone(), cells.office.manager);
            tokio::spawn(async move {
                let (mut acknowledged, mut longest) = (Vec::new(), Duration::ZERO);
                for number in 0_usize.. {
                    if stop.load(Ordering::Acquire) {
                        break;
                    }
                    let cents = i64::try_from(1_000_000 * (caller + 1) + number).unwrap();
                    let (key, asked) = (format!("{caller}-{number}"), Instant::now());
                    let command = deposit(DepositTo::Treasury, cents);
                    for attempt in 0_usize.. {
                        // What the directory said some time ago: the databases refuse what is late.
                        let at = directory(&home[0], &other[0]).await.locate(&tenant);
                        let Whereabouts::Lives { cell, .. } = at else { continue };
                        let nodes = if cell.is_home() { &home } else { &other };
                        let node = &nodes[(caller + attempt) % 2];
                        let submitted = keyed(Actor::Party(manager), command.clone(), &key, &key);
                        match node.submit(&tenant, submitted).await {
                            Ok(_) => {
                                acknowledged.push(cents);
                                longest = longest.max(asked.elapsed());
                                break;
                            }
                            Err(
                                SubmitError::Unavailable { .. }
                                | SubmitError::OutcomeUnknown
                                | SubmitError::Failed(_)
                                | SubmitError::Busy { .. },
                            ) => tokio::time::sleep(Duration::from_millis(10)).await,
                            Err(error) => panic!("{error:?}"),
                        }
                    }
                }
                (acknowledged, longest)
            })
        });
        let callers = callers.collect();
        Self { stop, callers }
    }

    /// The acknowledged amounts, and the longest wait of a caller.
    async fn stop(self) -> (Vec<i64>, Duration) {
        self.stop.store(true, Ordering::Release);
        let (mut all, mut longest) = (Vec::new(), Duration::ZERO);
        for caller in self.callers {
            let (amounts, waited) = caller.await.unwrap();
            all.extend(amounts);
            longest = longest.max(waited);
        }
        all.sort_unstable();
        (all, longest)
    }
}

/// The deposited amounts of a log, which is verified with its rows.
async fn stored(journal: &Journal, office: &Office) -> Vec<i64> {
    let verification = journal.verify(&office.tenant, &[], |_, _| {}).await.unwrap();
    assert!(verification.is_whole(), "{verification:?}");
    let mut amounts = Vec::new();
    let mut after = 0;
    loop {
        let page = journal.events_after(&office.tenant, after, 1_000).await.unwrap();
        let Some(last) = page.last() else { break };
        after = last.position;
        let made = page.iter().filter_map(|recorded| match &recorded.event {
            Event::Movement(MovementEvent::MovementPosted(event)) => Some(event.movement.amount.minor()),
            _ => None,
        });
        amounts.extend(made);
    }
    amounts.sort_unstable();
    amounts
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tenant_moves_under_load_and_back_and_what_was_acknowledged_is_stored_once() {
    let cells = Cells::open().await;
    let load = Load::start(&cells);
    tokio::time::sleep(Duration::from_millis(300)).await;
    finish(cells.begin().await.unwrap()).await.unwrap();
    assert!(cells.lives_in("b").await);
    tokio::time::sleep(Duration::from_millis(300)).await;
    finish(cells.back().await.unwrap()).await.unwrap();
    assert!(cells.lives_in("home").await);
    tokio::time::sleep(Duration::from_millis(300)).await;
    finish(cells.begin().await.unwrap()).await.unwrap();
    let (acknowledged, longest) = load.stop().await;
    println!("{} acknowledged, longest wait {longest:?}", acknowledged.len());
    assert!(acknowledged.len() > 3 * CALLERS);
    assert_eq!(stored(&cells.other[1], &cells.office).await, acknowledged);
    let late = cells.office.deposit(1).await;
    assert!(matches!(late, Err(SubmitError::Unavailable { .. })), "{late:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_new_cell_has_the_state_before_the_tenant_opens_there() {
    let cells = Cells::open().await;
    for cents in 1..=40 {
        cells.office.deposit(cents).await.unwrap();
    }
    let mut relocation = cells.begin().await.unwrap();
    let copied = relocation.copy(|_, _| {}).await.unwrap();
    relocation.snapshot().await.unwrap();
    let mut owner = owner_of(cells.database.url(), &cells.office.tenant).await;
    let kept = sqlx::query_scalar("SELECT position FROM journal.snapshots");
    let kept: Option<i64> = kept.fetch_optional(&mut owner).await.unwrap();
    assert_eq!(kept, Some(copied.position));
    cells.office.deposit(41).await.unwrap();
    let (before, at) = cells.home[0].state(&cells.office.tenant).await.unwrap();
    finish(relocation).await.unwrap();
    let (after, head) = cells.other[1].state(&cells.office.tenant).await.unwrap();
    assert_eq!((after, head.point()), (before, at.point()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_move_that_ends_after_any_step_is_begun_again_or_undone_and_nothing_is_lost_or_doubled() {
    for steps in 0..=6 {
        for is_undone in [false, true] {
            let cells = Cells::open().await;
            let load = Load::start(&cells);
            let mut relocation = cells.begin().await.unwrap();
            for step in 0..steps {
                match step {
                    0 | 3 => drop(relocation.copy(|_, _| {}).await.unwrap()),
                    1 => relocation.announce().await.unwrap(),
                    2 => relocation.hold(Duration::from_secs(3)).await.unwrap(),
                    4 => relocation.compare().await.unwrap(),
                    _ => relocation.leave().await.unwrap(),
                }
            }
            // The command is killed here.
            drop(relocation);
            tokio::time::sleep(Duration::from_millis(50)).await;
            let again = cells.begin().await.unwrap();
            assert_eq!(again.has_left(), steps == 6);
            if is_undone {
                let undone = again.undo().await;
                assert_eq!(undone.is_err(), steps == 6, "{steps}: {undone:?}");
            }
            if is_undone && steps < 6 {
                assert!(cells.lives_in("home").await);
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            finish(cells.begin().await.unwrap()).await.unwrap();
            let (acknowledged, _) = load.stop().await;
            assert_eq!(
                stored(&cells.other[1], &cells.office).await,
                acknowledged,
                "killed after {steps} steps, undone: {is_undone}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_that_become_too_old_to_be_compared_while_they_are_compared_are_no_difference() {
    let cells = Cells::open().await;
    let mut owner = cells.office.owner().await;
    owner.execute(DAY_OLD_ANSWERS).await.unwrap();
    finish(cells.begin().await.unwrap()).await.unwrap();
    assert!(cells.lives_in("b").await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_hold_that_runs_out_gives_writes_back_and_can_no_longer_become_a_departure() {
    let cells = Cells::open().await;
    let mut relocation = cells.begin().await.unwrap();
    relocation.copy(|_, _| {}).await.unwrap();
    relocation.announce().await.unwrap();
    relocation.hold(Duration::from_millis(400)).await.unwrap();
    let refused = cells.office.deposit(1).await;
    assert!(matches!(refused, Err(SubmitError::Unavailable { .. })), "{refused:?}");
    tokio::time::sleep(Duration::from_millis(500)).await;
    cells.office.deposit(2).await.unwrap();
    assert!(matches!(relocation.compare().await, Err(MoveError::Overtaken)));
    assert!(matches!(relocation.leave().await, Err(MoveError::Overtaken)));
    assert_eq!(stored(&cells.home[1], &cells.office).await, vec![2]);
    finish(cells.begin().await.unwrap()).await.unwrap();
    assert_eq!(stored(&cells.other[0], &cells.office).await, vec![2]);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_node_that_sees_a_departure_opens_the_tenant_in_its_new_cell() {
    let cells = Cells::open().await;
    cells.office.deposit(7).await.unwrap();
    let mut relocation = cells.begin().await.unwrap();
    relocation.copy(|_, _| {}).await.unwrap();
    relocation.announce().await.unwrap();
    relocation.hold(HOLD).await.unwrap();
    relocation.leave().await.unwrap();
    drop(relocation);
    assert_eq!(cells.whereabouts().await, Whereabouts::Between);
    let unopened = directory(&cells.home[1], &cells.other[1]).await.unopened();
    assert_eq!(
        unopened,
        vec![(cells.office.tenant.clone(), CellName::home(), cell("b"))]
    );
    let tenant = &cells.office.tenant;
    assert!(cells.other[1].open_arrived(&cells.home[1], tenant).await.unwrap());
    assert!(!cells.other[0].open_arrived(&cells.home[0], tenant).await.unwrap());
    assert!(cells.lives_in("b").await);
    assert_eq!(stored(&cells.other[0], &cells.office).await, vec![7]);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_new_cell_refuses_writes_until_the_tenant_has_left_the_old_one() {
    let cells = Cells::open().await;
    let mut relocation = cells.begin().await.unwrap();
    relocation.copy(|_, _| {}).await.unwrap();
    let tenant = &cells.office.tenant;
    let command = deposit(DepositTo::Treasury, 5);
    let submitted = submission(Actor::Party(cells.office.manager), command);
    let early = cells.other[0].submit(tenant, submitted).await;
    assert!(early.is_err(), "{early:?}");
    assert!(!cells.other[0].open_arrived(&cells.home[0], tenant).await.unwrap());
    assert!(cells.other[0].tenants().await.unwrap().is_empty());
    assert_eq!(cells.home[0].tenants().await.unwrap(), vec![tenant.clone()]);
    assert!(cells.home[0].placement(tenant).await.unwrap().unwrap().state == PlacementState::Copying);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cell_that_was_left_keeps_no_key_password_or_session() {
    let cells = Cells::open().await;
    let agent = PartyId::generate();
    let registration = Registration::ExternalAgent {
        agency: None,
        terms: Vec::new(),
    };
    let command = register(agent, registration, "Ágata Agent", "agata@example.com");
    let submitted = with_credential(
        submission(Actor::Party(cells.office.manager), command),
        agent,
        "$argon2id$made-up",
    );
    cells.home[0].submit(&cells.office.tenant, submitted).await.unwrap();
    finish(cells.begin().await.unwrap()).await.unwrap();
    let mut owner = cells.office.owner().await;
    let left = sqlx::query(
        "SELECT (SELECT count(*) FROM journal.subject_keys WHERE wrapped IS NOT NULL) AS keys,
                (SELECT count(*) FROM journal.credentials) AS credentials,
                (SELECT count(*) FROM journal.events) AS events",
    )
    .fetch_one(&mut owner)
    .await
    .unwrap();
    assert_eq!(left.get::<i64, _>("keys"), 0);
    assert_eq!(left.get::<i64, _>("credentials"), 0);
    assert!(left.get::<i64, _>("events") > 0);
    let mut names = BTreeMap::new();
    for recorded in cells.other[0]
        .events_after(&cells.office.tenant, 0, 1_000)
        .await
        .unwrap()
    {
        if let Event::Party(PartyEvent::PartyRegistered(event)) = &recorded.event {
            names.insert(recorded.position, event.personal.get().unwrap().name.clone());
        }
    }
    assert!(names.values().any(|name| name == "Ágata Agent"), "{names:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn reads_secrets_of_providers_and_own_lists_move_with_their_tenant_and_leave_nothing() {
    let cells = Cells::open().await;
    let tenant = cells.office.tenant.as_str();
    let mut owner = cells.office.owner().await;
    for statement in [
        "INSERT INTO journal.readings (tenant, id, read_at, party, session, kind, call)
         VALUES ($1, gen_random_uuid(), now(), gen_random_uuid(), gen_random_uuid(), 'customer', '/api/customer/{id}')",
        "INSERT INTO journal.sign_on_secrets (tenant, provider, sealed) VALUES ($1, gen_random_uuid(), 'secret')",
        "INSERT INTO journal.sign_on_subjects (tenant, provider, subject, party, bound_at)
         VALUES ($1, gen_random_uuid(), decode(repeat('07', 32), 'hex'), gen_random_uuid(), now())",
        // Rows of the installation.
        "SELECT set_config('caudal.tenant', '*', false) WHERE $1 <> ''",
        "INSERT INTO journal.screening_lists (scope, name, digest, format, entries, names, loaded_at, mac)
         VALUES ($1, 'own', 'digest', 'plain', 1, 1, now(), 'mac')",
        "INSERT INTO journal.screening_chunks (digest, number, content) SELECT 'digest', 0, '[]' WHERE $1 <> ''",
    ] {
        sqlx::query(statement).bind(tenant).execute(&mut owner).await.unwrap();
    }
    let counts = "SELECT (SELECT count(*) FROM journal.readings WHERE tenant = $1),
                         (SELECT count(*) FROM journal.sign_on_secrets WHERE tenant = $1),
                         (SELECT count(*) FROM journal.sign_on_subjects WHERE tenant = $1)";
    let lists = "SELECT (SELECT count(*) FROM journal.screening_lists WHERE scope = $1),
                        (SELECT count(*) FROM journal.screening_chunks AS c WHERE c.digest = 'digest')";
    finish(cells.begin().await.unwrap()).await.unwrap();

    let there = cells.database.connect().await;
    let mut read = there.begin_read(tenant).await.unwrap();
    let moved: (i64, i64, i64) = sqlx::query_as(counts).bind(tenant).fetch_one(&mut *read).await.unwrap();
    assert_eq!(moved, (1, 1, 1));
    let mut read = there.begin_directory().await.unwrap();
    let moved: (i64, i64) = sqlx::query_as(lists).bind(tenant).fetch_one(&mut *read).await.unwrap();
    assert_eq!(moved, (1, 1));
    let (left, _): (i64, i64) = sqlx::query_as(lists).bind(tenant).fetch_one(&mut owner).await.unwrap();
    assert_eq!(left, 0);
    let own = "SELECT set_config('caudal.tenant', $1, false)";
    sqlx::query(own).bind(tenant).execute(&mut owner).await.unwrap();
    let left: (i64, i64, i64) = sqlx::query_as(counts).bind(tenant).fetch_one(&mut owner).await.unwrap();
    assert_eq!(left, (0, 0, 0));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cell_with_another_tenant_of_that_name_is_refused() {
    let cells = Cells::open().await;
    cells.other[0].create_tenant(&cells.office.tenant).await.unwrap();
    assert!(matches!(cells.begin().await, Err(MoveError::Elsewhere(_))));
    cells.office.deposit(1).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_placement_that_was_not_written_with_the_key_file_counts_for_nothing() {
    let cells = Cells::open().await;
    let _relocation = cells.begin().await.unwrap();
    let mut owner = cells.office.owner().await;
    sqlx::query("UPDATE journal.placements SET state = 'left'")
        .execute(&mut owner)
        .await
        .unwrap();
    assert!(cells.home[0].placements().await.unwrap().is_empty());
    let read = cells.home[0].placement(&cells.office.tenant).await;
    assert!(matches!(read, Err(JournalError::Unexpected(_))), "{read:?}");
    let verified = cells.home[0].verify_rows(&cells.office.tenant).await.unwrap();
    let found: Vec<_> = verified
        .faults
        .iter()
        .map(|fault| (fault.table, fault.problem))
        .collect();
    assert_eq!(found, [("placements", RowProblem::Changed)]);
}
