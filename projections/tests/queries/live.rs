//! What the live stream tells.

use crate::{Scopes, common::Office, shown};
use caudal_projections::changes::{self, Changes};
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
    let told = |changes: Changes| match changes {
        Changes::Of { changes, through } => {
            assert_eq!(through, at);
            changes
        }
        Changes::Reset { .. } => panic!("reset"),
    };
    let manager = told(changes::after(&mut snapshot, &scopes.manager, start).await.unwrap());
    assert_eq!(
        manager.iter().map(|change| change.position).collect::<Vec<_>>(),
        (start + 1..=at).collect::<Vec<_>>()
    );
    let man = told(
        changes::after(&mut snapshot, &scopes.delivery_man, start)
            .await
            .unwrap(),
    );
    let of_remittances: BTreeSet<Uuid> = man
        .iter()
        .filter(|change| shown(change.kind) == "remittance")
        .map(|change| change.id)
        .collect();
    assert_eq!(of_remittances, [completed.0].into());
    let dealer = told(changes::after(&mut snapshot, &scopes.dealer, start).await.unwrap());
    assert!(dealer.iter().any(|change| change.id == failed.0));
    let clerk = told(changes::after(&mut snapshot, &scopes.clerk, 0).await.unwrap());
    assert!(
        clerk
            .iter()
            .any(|change| shown(change.kind) == "customer" && change.id == office.issuer.0)
    );
    assert!(
        clerk.iter().any(|change| shown(change.kind) == "currency"),
        "what is everybody's"
    );
    let agent = told(changes::after(&mut snapshot, &scopes.agent, start).await.unwrap());
    assert!(
        agent
            .iter()
            .all(|change| change.id != completed.0 && change.id != failed.0)
    );
    for position in [at + 1, -1] {
        assert_eq!(
            changes::after(&mut snapshot, &scopes.agent, position).await.unwrap(),
            Changes::Reset { at }
        );
    }
}
