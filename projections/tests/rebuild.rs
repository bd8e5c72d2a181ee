//! The rebuild: new read models replace the old ones with equal rows while commands continue; a rebuild that ends
//! early leaves the service unchanged.

use crate::common::{Office, USD, amount};
use caudal_domain::{
    ids::{MovementId, ObligationId},
    movement::{Deposit, DepositTo, Funds, MovementCommand},
    remittance::DeliveryChoice,
};
use caudal_projections::{
    ListQuery, ProjectError, ledger,
    rebuild::{Rebuild, RebuildError, Rebuilt, Step},
    verify,
};
use sqlx::{Connection as _, PgConnection, Row as _};
use std::{
    fmt,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};
use tokio::sync::watch;

/// The catalogue's definition of the schema `read`.
async fn shape(office: &Office) -> Vec<String> {
    let mut owner = PgConnection::connect(office.database.url()).await.unwrap();
    let rows = sqlx::query(
        "SELECT format('column %s.%s %s %s %s %s %s', a.attrelid::regclass, a.attname, format_type(a.atttypid, a.atttypmod),
                       a.attnotnull, a.attcollation, a.attstattarget, pg_get_expr(d.adbin, d.adrelid)) AS line
           FROM pg_attribute AS a LEFT JOIN pg_attrdef AS d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
          WHERE a.attrelid IN (SELECT oid FROM pg_class WHERE relnamespace = 'read'::regnamespace AND relkind = 'r')
            AND a.attnum > 0 AND NOT a.attisdropped
         UNION ALL
         SELECT format('index %s', indexdef) FROM pg_indexes WHERE schemaname = 'read'
         UNION ALL
         SELECT format('constraint %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
          WHERE connamespace = 'read'::regnamespace
         UNION ALL
         SELECT format('policy %s', to_jsonb(p)) FROM pg_policies AS p WHERE schemaname = 'read'
         UNION ALL
         SELECT format('table %s %s %s %s %s', relname, relacl, reloptions, relrowsecurity, relforcerowsecurity) FROM pg_class
          WHERE relnamespace = 'read'::regnamespace AND relkind = 'r'
         UNION ALL
         SELECT format('function %s %s %s', proname, proacl, pg_get_userbyid(proowner)) FROM pg_proc
          WHERE pronamespace = 'read'::regnamespace
         UNION ALL
         SELECT format('schema %s %s', nspname, nspacl) FROM pg_namespace WHERE nspname LIKE 'read%'
          ORDER BY 1",
    )
    .fetch_all(&mut owner)
    .await
    .unwrap();
    rows.iter().map(|row| row.get("line")).collect()
}

/// OIDs of the tables, which a swap changes.
async fn tables(office: &Office) -> Vec<i64> {
    let mut owner = PgConnection::connect(office.database.url()).await.unwrap();
    sqlx::query_scalar(
        "SELECT oid::bigint FROM pg_class WHERE relnamespace = 'read'::regnamespace AND relkind = 'r' ORDER BY relname",
    )
    .fetch_all(&mut owner)
    .await
    .unwrap()
}

async fn rebuild(office: &Office) -> Result<Vec<Rebuilt>, RebuildError> {
    Rebuild::begin(office.database.url(), &office.node, &office.journal)
        .await?
        .run(|_| {})
        .await
}

async fn replayed(office: &Office) -> Vec<verify::Difference> {
    verify::replay(&office.node, &office.journal, &office.tenant, |_, _| {})
        .await
        .unwrap()
}

/// Retries `attempt` until it runs on new connections: a connection used just before it was cut still counts as
/// alive.
async fn on_new_connections<T, E: fmt::Debug>(mut attempt: impl AsyncFnMut() -> Result<T, E>) -> T {
    for _ in 0..100 {
        if let Ok(outcome) = attempt().await {
            return outcome;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    attempt().await.unwrap()
}

async fn deposit(office: &Office) {
    let deposit = Deposit {
        to: DepositTo::Treasury,
        funds: Funds::Currency(USD),
        amount: amount("1.00"),
        on_credit: false,
        note: None,
        debit: ObligationId::generate(),
    };
    let command = caudal_domain::Command::Movement(MovementId::generate(), MovementCommand::Deposit(deposit));
    office.manage(command).await;
}

/// Concurrent commands, projector and readers, until stopped.
struct Traffic {
    stop: watch::Sender<bool>,
    tasks: Vec<tokio::task::JoinHandle<()>>,
    reads: Arc<AtomicUsize>,
    writes: Arc<AtomicUsize>,
}

impl Traffic {
    fn begin(office: &Arc<Office>) -> Self {
        let (stop, stopped) = watch::channel(false);
        let (reads, writes) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let is_stopped = Arc::new(AtomicBool::new(false));
        let mut tasks = vec![tokio::spawn(office.projector.clone().run(stopped.clone()))];
        let (writing, counted) = (office.clone(), writes.clone());
        let mut until = stopped.clone();
        let flag = is_stopped.clone();
        tasks.push(tokio::spawn(async move {
            until.wait_for(|stop| *stop).await.unwrap();
            flag.store(true, Ordering::Relaxed);
        }));
        let flag = is_stopped.clone();
        tasks.push(tokio::spawn(async move {
            while !flag.load(Ordering::Relaxed) {
                // As many sales as the agency's balance covers, and unlimited deposits.
                if counted.fetch_add(1, Ordering::Relaxed) < 500 {
                    writing.sell(writing.agency, "1.00", DeliveryChoice::Home).await;
                }
                deposit(&writing).await;
            }
        }));
        for _ in 0..2 {
            let (reading, counted, flag) = (office.clone(), reads.clone(), is_stopped.clone());
            tasks.push(tokio::spawn(async move {
                let scope = reading.scope(reading.manager).await;
                while !flag.load(Ordering::Relaxed) {
                    look(&reading, &scope).await;
                    counted.fetch_add(1, Ordering::Relaxed);
                }
            }));
        }
        Self {
            stop,
            tasks,
            reads,
            writes,
        }
    }

    async fn end(self) -> (usize, usize) {
        self.stop.send_replace(true);
        for task in self.tasks {
            task.await.unwrap();
        }
        (self.reads.load(Ordering::Relaxed), self.writes.load(Ordering::Relaxed))
    }
}

/// Consistency of a read: as many changes as its position, and balanced books.
async fn look(office: &Office, scope: &caudal_projections::Scope) {
    let mut read_transaction = office.reads.begin(&office.tenant, 1).await.unwrap();
    let position = read_transaction.position();
    let balances = ledger::balances(&mut read_transaction, scope, &ListQuery::all())
        .await
        .unwrap();
    assert!(
        position > 0 && balances.page.total_records > 10,
        "{position} {balances:?}"
    );
    let mut sums: std::collections::BTreeMap<String, i64> = std::collections::BTreeMap::new();
    for row in &balances.page.data {
        let closing = serde_json::to_value(row.closing).unwrap();
        let minor: i64 = closing.as_str().unwrap().replace('.', "").parse().unwrap();
        *sums.entry(format!("{:?}", row.currency)).or_default() += minor;
    }
    assert!(sums.values().all(|sum| *sum == 0), "at {position}: {sums:?}");
    drop(read_transaction);
    let mut transaction = office.node.begin_read(office.tenant.as_str()).await.unwrap();
    let row =
        sqlx::query("SELECT (SELECT position FROM checkpoints) AS position, (SELECT count(*) FROM changes) AS changes")
            .fetch_one(&mut *transaction)
            .await
            .unwrap();
    assert_eq!(row.get::<i64, _>("position"), row.get::<i64, _>("changes"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rebuild_under_load_yields_equal_rows_and_consistent_reads() {
    let office = Arc::new(Office::open().await);
    office.day().await;
    drop(office.begin().await);
    let (before, old) = (shape(&office).await, tables(&office).await);
    let traffic = Traffic::begin(&office);
    for _ in 0..2 {
        let rebuilt = rebuild(&office).await.unwrap();
        assert_eq!(rebuilt.len(), 1);
        assert_eq!(rebuilt[0].differences, Some(Vec::new()), "{rebuilt:?}");
        assert!(rebuilt[0].position > 50);
    }
    let (reads, writes) = traffic.end().await;
    assert!(reads > 0 && writes > 0, "{reads} {writes}");
    drop(office.begin().await);
    assert_eq!(replayed(&office).await, []);
    assert_eq!(shape(&office).await, before);
    let new = tables(&office).await;
    assert!(old.iter().all(|table| !new.contains(table)), "{old:?} {new:?}");
}

/// Delays writes to the shadow again and again, so that loads overtake them.
async fn delay_writes(url: String) {
    let mut owner = PgConnection::connect(&url).await.unwrap();
    loop {
        // Without a shadow the statement fails.
        let delay = "DO $$ BEGIN LOCK TABLE read_shadow.entries IN EXCLUSIVE MODE; PERFORM pg_sleep(0.02); END $$";
        let _ = sqlx::query(delay).execute(&mut owner).await;
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

/// The log has more batches than a row is postponed for.
#[tokio::test(flavor = "multi_thread")]
async fn a_rebuild_in_many_batches_yields_equal_rows() {
    let office = Office::open().await;
    office.day().await;
    let mut open = std::collections::VecDeque::new();
    for number in 0..240 {
        open.push_back(office.sell(office.agency, "1.00", DeliveryChoice::Home).await);
        deposit(&office).await;
        // Rows change in the same batch, in the next one, and when they were written long before.
        if number % 3 > 0 {
            let id = if number % 2 == 0 {
                open.pop_back()
            } else {
                open.pop_front()
            };
            let id = id.unwrap();
            office.assign(id, None).await;
            office.complete(office.dealer, id).await;
        }
    }
    drop(office.begin().await);
    let delays = tokio::spawn(delay_writes(office.database.url().to_owned()));
    for batch in [7, 60] {
        let rebuild = Rebuild::begin(office.database.url(), &office.node, &office.journal)
            .await
            .unwrap();
        let rebuilt = rebuild.in_batches_of(batch).run(|_| {}).await.unwrap();
        assert_eq!(rebuilt[0].differences, Some(Vec::new()), "{rebuilt:?}");
        assert!(rebuilt[0].position > 700, "{rebuilt:?}");
    }
    delays.abort();
    assert_eq!(replayed(&office).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn tenants_that_are_replayed_at_once_have_equal_rows() {
    let one = Office::open().await;
    let others = [one.beside("second").await, one.beside("third").await];
    for office in others.iter().chain([&one]) {
        office.day().await;
        for _ in 0..20 {
            office.sell(office.agency, "1.00", DeliveryChoice::Home).await;
        }
        drop(office.begin().await);
    }
    let rebuild = Rebuild::begin(one.database.url(), &one.node, &one.journal)
        .await
        .unwrap();
    let mut replayed = std::collections::BTreeMap::new();
    let told = |step| {
        if let Step::Replaying { tenant, position, .. } = step {
            replayed.insert(tenant.to_string(), position);
        }
    };
    let rebuilt = rebuild.in_batches_of(7).run(told).await.unwrap();
    assert_eq!(rebuilt.len(), 3);
    for tenant in rebuilt {
        assert_eq!(tenant.differences, Some(Vec::new()), "{}", tenant.tenant);
    }
    assert_eq!(replayed.len(), 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rebuild_reports_and_repairs_differences() {
    let office = Office::open().await;
    office.day().await;
    drop(office.begin().await);
    let mut transaction = office.node.begin_write(office.tenant.as_str()).await.unwrap();
    for tampering in [
        "UPDATE accounts SET balance = balance + 1 WHERE kind = 'treasury' AND currency = 'USD'",
        "DELETE FROM cards",
    ] {
        sqlx::query(tampering).execute(&mut *transaction).await.unwrap();
    }
    transaction.commit().await.unwrap();
    let rebuilt = rebuild(&office).await.unwrap();
    let found: Vec<_> = rebuilt[0].differences.as_ref().unwrap().iter().collect();
    assert_eq!(
        found
            .iter()
            .map(|d| (d.table.as_str(), d.unexpected, d.missing))
            .collect::<Vec<_>>(),
        [("accounts", 1, 1), ("cards", 0, 1)]
    );
    assert_eq!(found[0].examples, ["worked/treasury/USD"]);
    assert_eq!(found[1].examples, [format!("worked/{}", office.card)]);
    assert_eq!(replayed(&office).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn values_swapped_between_two_rows_are_detected() {
    let office = Office::open().await;
    office.day().await;
    drop(office.begin().await);
    let mut transaction = office.node.begin_write(office.tenant.as_str()).await.unwrap();
    let exchange = "WITH two AS (SELECT min(name) AS one, max(name) AS other FROM parties)
        UPDATE parties SET name = CASE name WHEN two.one THEN two.other ELSE two.one END
          FROM two WHERE name IN (two.one, two.other)";
    let exchanged = sqlx::query(exchange).execute(&mut *transaction).await.unwrap();
    assert_eq!(exchanged.rows_affected(), 2);
    transaction.commit().await.unwrap();
    let found = replayed(&office).await;
    let found: Vec<_> = found
        .iter()
        .map(|d| (d.table.as_str(), d.unexpected, d.missing))
        .collect();
    assert_eq!(found, [("parties", 2, 2)]);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_aborted_rebuild_leaves_the_service_unchanged() {
    let office = Arc::new(Office::open().await);
    office.day().await;
    drop(office.begin().await);
    let (before, old) = (shape(&office).await, tables(&office).await);
    let traffic = Traffic::begin(&office);
    // One complete rebuild to measure its time; later ones are aborted at times spread over it.
    let started = std::time::Instant::now();
    rebuild(&office).await.unwrap();
    let whole = started.elapsed();
    let mut standing = tables(&office).await;
    assert_ne!(standing, old);
    let (mut ended, mut swapped) = (0, 0);
    for part in 0..12_u32 {
        let moment = whole * part / 10;
        match tokio::time::timeout(moment, rebuild(&office)).await {
            Err(_) => ended += 1,
            Ok(outcome) => match outcome {
                Ok(_) => swapped += 1,
                // The aborted rebuild has not released its lock yet.
                Err(RebuildError::Busy) => {}
                Err(error) => panic!("{error:?}"),
            },
        }
        let found = tables(&office).await;
        // All tables were swapped, or none.
        assert!(
            found == standing || found.iter().all(|table| !standing.contains(table)),
            "{standing:?} {found:?}"
        );
        standing = found;
        let scope = office.scope(office.manager).await;
        look(&office, &scope).await;
    }
    assert!(ended > 3, "{ended} ended, {swapped} swapped");
    traffic.end().await;
    drop(office.begin().await);
    // The server notices an aborted connection after a moment; then the next rebuild can start.
    for attempt in 0.. {
        match rebuild(&office).await {
            Err(RebuildError::Busy) if attempt < 100 => tokio::time::sleep(Duration::from_millis(50)).await,
            outcome => {
                assert_eq!(outcome.unwrap()[0].differences, Some(Vec::new()));
                break;
            }
        }
    }
    assert_eq!(shape(&office).await, before);
    assert_eq!(replayed(&office).await, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lost_connection_fails_with_an_error_and_leaves_the_old_read_models() {
    let office = Office::open().await;
    office.day().await;
    drop(office.begin().await);
    let old = tables(&office).await;
    for lost in 0..4 {
        let mut owner = PgConnection::connect(office.database.url()).await.unwrap();
        let rebuild =
            on_new_connections(async || Rebuild::begin(office.database.url(), &office.node, &office.journal).await)
                .await;
        let mut steps = 0;
        let (cut, mut cuts) = tokio::sync::mpsc::channel::<()>(1);
        let (gone, is_gone) = std::sync::mpsc::channel::<()>();
        let cutting = tokio::spawn(async move {
            cuts.recv().await.unwrap();
            sqlx::query(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                  WHERE datname = current_database() AND pid <> pg_backend_pid()
                    AND backend_type = 'client backend'",
            )
            .execute(&mut owner)
            .await
            .unwrap();
            gone.send(()).unwrap();
        });
        let outcome = rebuild
            .run(move |step| {
                // Once in the replay, once at the indexes, once before the comparison, once before the swap.
                let now = match lost {
                    0 => matches!(step, Step::Replaying { .. }),
                    1 => matches!(step, Step::Indexing { .. }),
                    2 => matches!(step, Step::Comparing { .. }),
                    _ => matches!(step, Step::Swapping),
                };
                steps += usize::from(now);
                if now && steps == 1 {
                    cut.try_send(()).unwrap();
                    is_gone.recv().unwrap();
                }
            })
            .await;
        cutting.await.unwrap();
        assert!(
            matches!(
                outcome,
                Err(RebuildError::Database(_)
                    | RebuildError::Journal(_)
                    | RebuildError::Project(
                        ProjectError::Database(_) | ProjectError::Begin(_) | ProjectError::Journal(_)
                    ))
            ),
            "{outcome:?}"
        );
        assert_eq!(tables(&office).await, old);
    }
    let differences =
        on_new_connections(async || verify::replay(&office.node, &office.journal, &office.tenant, |_, _| {}).await)
            .await;
    assert_eq!(differences, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn rebuilds_exclude_each_other_and_a_log_with_a_gap_is_not_swapped_in() {
    let office = Office::open().await;
    office.day().await;
    drop(office.begin().await);
    let first = Rebuild::begin(office.database.url(), &office.node, &office.journal)
        .await
        .unwrap();
    let second = Rebuild::begin(office.database.url(), &office.node, &office.journal).await;
    assert!(matches!(second, Err(RebuildError::Busy)));
    first.run(|_| {}).await.unwrap();
    let old = tables(&office).await;
    let mut owner = PgConnection::connect(office.database.url()).await.unwrap();
    sqlx::query("SELECT set_config('caudal.tenant', $1, false)")
        .bind(office.tenant.as_str())
        .execute(&mut owner)
        .await
        .unwrap();
    sqlx::query("DELETE FROM journal.events WHERE position = 20")
        .execute(&mut owner)
        .await
        .unwrap();
    let outcome = rebuild(&office).await;
    assert!(
        matches!(outcome, Err(RebuildError::Project(ProjectError::Journal(_)))),
        "{outcome:?}"
    );
    assert_eq!(tables(&office).await, old);
}

#[tokio::test(flavor = "multi_thread")]
async fn read_models_of_another_version_are_rebuilt_without_a_comparison() {
    let office = Office::open().await;
    office.day().await;
    drop(office.begin().await);
    let mut transaction = office.node.begin_write(office.tenant.as_str()).await.unwrap();
    sqlx::query("UPDATE checkpoints SET version = version - 1, position = 3")
        .execute(&mut *transaction)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    let rebuilt = rebuild(&office).await.unwrap();
    assert_eq!(rebuilt[0].differences, None);
    let head = office.journal.head(&office.tenant).await.unwrap().position;
    let read_transaction = office.reads.begin(&office.tenant, head).await.unwrap();
    assert_eq!(read_transaction.position(), head);
    drop(read_transaction);
    assert_eq!(replayed(&office).await, []);
}
