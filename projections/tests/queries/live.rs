//! What the live stream tells.

use crate::{Scopes, common::Office, shown};
use caudal_projections::{
    Scope, Snapshot,
    changes::{self, Changes, LedgerChange, ScopedChange},
};
use std::collections::BTreeSet;
use uuid::Uuid;

#[tokio::test]
async fn the_live_stream_tells_each_caller_of_its_own_and_of_nothing_personal() {
    let office = Office::open().await;
    drop(office.snapshot().await);
    let start = office.journal.head(&office.tenant).await.unwrap().position;
    let [completed, _, failed, ..] = office.day().await;
    let scopes = Scopes::of(&office).await;
    let mut snapshot = office.snapshot().await;
    let at = snapshot.position();
    let all = async |snapshot: &mut Snapshot, after: i64| match changes::after(snapshot, after).await.unwrap() {
        Changes::Of { changes, through } => {
            assert_eq!(through, at);
            changes
        }
        Changes::Reset { .. } => panic!("reset"),
    };
    let (day, ever) = (all(&mut snapshot, start).await, all(&mut snapshot, 0).await);
    let told = |changes: &[ScopedChange], scope: &Scope| -> Vec<LedgerChange> {
        let own = changes.iter().filter(|change| change.is_in(scope));
        own.map(|change| change.change.clone()).collect()
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
    let agent = told(&day, &scopes.agent);
    assert!(
        agent
            .iter()
            .all(|change| change.id != completed.0 && change.id != failed.0)
    );
    for position in [at + 1, -1] {
        assert_eq!(
            changes::after(&mut snapshot, position).await.unwrap(),
            Changes::Reset { at }
        );
    }
}
