//! Events of the live stream.

use super::{Scopes, shown};
use crate::common::Office;
use caudal_projections::{
    ReadTransaction, Scope,
    changes::{self, Changes, LedgerChange, ScopedChange},
    news::{MAX_NEWS, news},
};
use std::collections::BTreeSet;
use uuid::Uuid;

#[tokio::test]
async fn the_live_stream_sends_each_caller_its_own_changes_without_personal_data() {
    let office = Office::open().await;
    drop(office.begin().await);
    let start = office.journal.head(&office.tenant).await.unwrap().position;
    let [completed, _, failed, ..] = office.day().await;
    let scopes = Scopes::of(&office).await;
    let mut transaction = office.begin().await;
    let at = transaction.position();
    let all =
        async |transaction: &mut ReadTransaction, after: i64| match changes::after(transaction, after).await.unwrap() {
            Changes::Of { changes, through } => {
                assert_eq!(through, at);
                changes
            }
            Changes::Reset { .. } => panic!("reset"),
        };
    let (day, ever) = (all(&mut transaction, start).await, all(&mut transaction, 0).await);
    let told = |changes: &[ScopedChange], scope: &Scope| -> Vec<LedgerChange> {
        changes.iter().filter_map(|change| change.told_to(scope)).collect()
    };
    let manager = told(&day, &scopes.manager);
    assert_eq!(
        manager.iter().map(|change| change.position).collect::<Vec<_>>(),
        (start + 1..=at).collect::<Vec<_>>()
    );
    let man = told(&day, &scopes.delivery_man);
    let of_remittances: BTreeSet<Uuid> = man
        .iter()
        .filter(|change| shown(change.kind) == "remittance")
        .map(|change| change.id)
        .collect();
    assert_eq!(of_remittances, [completed.0].into());
    let dealer = told(&day, &scopes.dealer);
    assert!(dealer.iter().any(|change| change.id == failed.0));
    let clerk = told(&ever, &scopes.clerk);
    assert!(
        clerk
            .iter()
            .any(|change| shown(change.kind) == "customer" && change.id == office.issuer.0)
    );
    assert!(
        clerk.iter().any(|change| shown(change.kind) == "currency"),
        "what is everybody's"
    );
    // A change by the reader, from any device, is marked as the reader's own; to others it is another's.
    let by = |change: &LedgerChange, changes: &[LedgerChange]| {
        changes
            .iter()
            .find(|other| other.position == change.position)
            .map(|other| other.own)
    };
    let own: Vec<_> = manager.iter().filter(|change| change.own).collect();
    assert!(!own.is_empty() && own.len() < manager.len());
    assert!(own.iter().all(|change| by(change, &dealer) != Some(true)));
    assert!(
        dealer
            .iter()
            .any(|change| change.own && by(change, &manager) == Some(false))
    );
    let agent = told(&day, &scopes.agent);
    assert!(
        agent
            .iter()
            .all(|change| change.id != completed.0 && change.id != failed.0)
    );
    // As text: others' changes, newest first, with actor and record.
    let positions: Vec<i64> = manager.iter().map(|change| change.position).take(MAX_NEWS).collect();
    let told_news = news(&mut transaction, &scopes.manager, &positions).await.unwrap();
    let others = manager.iter().take(MAX_NEWS).filter(|change| !change.own);
    let mut expected: Vec<i64> = others.map(|change| change.position).collect();
    expected.reverse();
    assert_eq!(told_news.iter().map(|news| news.position).collect::<Vec<_>>(), expected);
    assert!(
        told_news
            .iter()
            .all(|news| news.actor.id != Some(office.manager.0) && news.actor.name.is_some())
    );
    let delivered = told_news.iter().find(|news| news.id == completed.0).unwrap();
    assert!(delivered.name.as_ref().is_some_and(|code| code.starts_with("R-")));
    assert!(delivered.is_visible && delivered.about.is_some() && delivered.amounts.len() == 1);
    // A caller outside the record's scope gets nothing.
    let to_agent = news(&mut transaction, &scopes.agent, &positions).await.unwrap();
    assert!(
        to_agent
            .iter()
            .all(|news| news.id != completed.0 && news.id != failed.0)
    );
    for position in [at + 1, -1] {
        assert_eq!(
            changes::after(&mut transaction, position).await.unwrap(),
            Changes::Reset { at }
        );
    }
}
