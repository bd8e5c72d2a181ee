//! Retention of changes for live streams: by position.

use crate::common::{Office, USD};
use caudal_domain::movement::{DepositTo, Funds};
use caudal_projections::{
    Projector, Reads, Scope,
    changes::{self, Changes, KEPT_CHANGES},
    news::news,
    public_events::{self, EventFilter, MAX_EVENTS, MAX_SCANNED},
    verify,
};
use chrono::TimeDelta;
use futures::future::join_all;
use sqlx::{Connection as _, PgConnection};
use std::collections::BTreeSet;

/// Number of concurrent deposits.
const AT_ONCE: usize = 500;

async fn deposit(office: &Office, count: usize) {
    let one = || office.deposit(office.manager, DepositTo::Treasury, Funds::Currency(USD), "1", false);
    for _ in 0..count / AT_ONCE {
        join_all((0..AT_ONCE).map(|_| one())).await;
    }
    join_all((0..count % AT_ONCE).map(|_| one())).await;
}

async fn owner(office: &Office) -> PgConnection {
    let mut connection = PgConnection::connect(office.database.url()).await.unwrap();
    sqlx::query("SELECT set_config('caudal.tenant', $1, false)")
        .bind(office.tenant.as_str())
        .execute(&mut connection)
        .await
        .unwrap();
    connection
}

/// First and last position with a stored change, and the number of changes.
async fn kept(office: &Office) -> (i64, i64, i64) {
    let range = "SELECT min(position), max(position), count(*) FROM read.changes WHERE tenant = $1";
    let range = sqlx::query_as(range).bind(office.tenant.as_str());
    range.fetch_one(&mut owner(office).await).await.unwrap()
}

async fn differences(office: &Office) -> Vec<verify::Difference> {
    let replayed = verify::replay(&office.node, &office.journal, &office.tenant, |_, _| {});
    replayed.await.unwrap()
}

fn wanted(after: i64, types: Option<BTreeSet<String>>) -> EventFilter {
    EventFilter {
        after,
        limit: MAX_EVENTS,
        types,
        since: None,
    }
}

#[test]
fn deletion_advances_in_steps_and_respects_the_retention() {
    let through: Vec<i64> = (0..=KEPT_CHANGES + 3_000).map(changes::deleted_through).collect();
    assert!(through.is_sorted());
    for (position, through) in (0..).zip(&through) {
        let left = position - through;
        assert!(
            left >= KEPT_CHANGES.min(position) && left < KEPT_CHANGES + 500,
            "{position}: {through}"
        );
    }
    assert_eq!(through.iter().collect::<BTreeSet<_>>().len(), 7, "seldom");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_newest_changes_are_kept_and_a_replay_keeps_the_same_ones() {
    let office = Office::open().await;
    let count = usize::try_from(KEPT_CHANGES).unwrap() + 300;
    deposit(&office, count).await;
    let at = office.projector.catch_up(&office.tenant).await.unwrap();
    let through = changes::deleted_through(at);
    assert!(at > KEPT_CHANGES);
    assert_eq!(kept(&office).await, (through + 1, at, at - through));

    // Event by event past the next multiple, also by the short cut.
    deposit(&office, 600).await;
    let at = office.projector.catch_up(&office.tenant).await.unwrap();
    let through = changes::deleted_through(at);
    assert!(through > 0);
    assert_eq!(kept(&office).await, (through + 1, at, at - through));
    assert_eq!(differences(&office).await, []);

    // Changes left by a node of the previous version are deleted with the next event.
    let leave = "INSERT INTO read.changes SELECT tenant, 1, kind, id, audience FROM read.changes
                  WHERE tenant = $1 AND position = $2";
    let leave = sqlx::query(leave).bind(office.tenant.as_str()).bind(at);
    leave.execute(&mut owner(&office).await).await.unwrap();
    assert_eq!(kept(&office).await.0, 1);
    deposit(&office, 1).await;
    let other = Projector::new(office.node.clone(), office.journal.clone());
    other.catch_up(&office.tenant).await.unwrap();
    assert_eq!(kept(&office).await.0, through + 1);

    // Resuming from a deleted position gets a reset, and news omits deleted positions.
    let mut transaction = office.begin().await;
    let at = transaction.position();
    let resumed = changes::after(&mut transaction, through).await.unwrap();
    assert_eq!(resumed, Changes::Reset { at });
    let scope: Scope = office.scope(office.dealer).await;
    let told = news(&mut transaction, &scope, &[1, through, through + 1])
        .await
        .unwrap();
    assert!(told.iter().all(|news| news.position > through), "{told:?}");

    // The public feed reads the log, of which nothing is deleted.
    let manager: Scope = office.scope(office.manager).await;
    let (mut positions, mut after) = (Vec::new(), 0);
    while after < at {
        let wanted = wanted(after, None);
        let read = public_events::after(&office.journal, &mut transaction, &manager, &wanted).await;
        let read = read.unwrap();
        assert!(read.next > after && read.is_end == (read.next == at));
        let sequences = read.events.iter().map(|event| event.sequence.parse::<i64>().unwrap());
        positions.extend(sequences);
        after = read.next;
    }
    // All but the opening of the tenant.
    assert_eq!(positions, (2..=at).collect::<Vec<_>>());

    // An answer to a filter that finds nothing looks at a bounded number of events.
    let mut ends = Vec::new();
    while ends.last().is_none_or(|end| *end < at) {
        let closures = Some(BTreeSet::from(["caudal.closure.period_closed.v1".to_owned()]));
        let wanted = wanted(ends.last().copied().unwrap_or(0), closures);
        let read = public_events::after(&office.journal, &mut transaction, &manager, &wanted).await;
        let read = read.unwrap();
        assert_eq!(read.events, []);
        ends.push(read.next);
    }
    let bounds: Vec<_> = (1..)
        .map(|answer| (answer * MAX_SCANNED).min(at))
        .take(ends.len())
        .collect();
    assert_eq!(ends, bounds);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_moment_is_found_in_the_whole_log_and_nothing_from_before_it_is_told() {
    let office = Office::open().await;
    let shown = office.begin().await.position();
    deposit(&office, 3).await;
    let head = office.journal.head(&office.tenant).await.unwrap();
    let moment = head.recorded_at + TimeDelta::microseconds(1);
    // Reads that do not wait for read models which are more than one event behind.
    let slow = Projector::with_batch(office.node.clone(), office.journal.clone(), 1);
    let reads = Reads::new(office.node.clone(), slow);
    let mut behind = reads.begin(&office.tenant, 0).await.unwrap();
    assert_eq!(behind.position(), shown);
    let begin = public_events::position_before(&mut behind, moment).await.unwrap();
    assert_eq!(begin, head.position);
    drop(behind);

    let mut transaction = office.begin().await;
    let manager: Scope = office.scope(office.manager).await;
    for (since, is_told) in [(moment, false), (head.recorded_at, true)] {
        let wanted = EventFilter {
            since: Some(since),
            ..wanted(shown, None)
        };
        let read = public_events::after(&office.journal, &mut transaction, &manager, &wanted).await;
        let read = read.unwrap();
        assert_eq!((read.next, read.is_end), (head.position, true), "the position moves on");
        assert_eq!(!read.events.is_empty(), is_told);
        assert!(read.events.iter().all(|event| event.time >= since), "{:?}", read.events);
    }
}
