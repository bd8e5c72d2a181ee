//! Commands at the same time, at one node and at several.

use crate::common::{Office, deposit, keyed, refused, register, submission};
use caudal_domain::{
    Account, AccountKind, Actor, ids::PartyId, money::CurrencyCode, movement::DepositTo, party::Registration,
};
use futures::future::join_all;

#[tokio::test(flavor = "multi_thread")]
async fn fifty_spenders_of_one_balance_on_two_nodes_succeed_exactly_while_it_suffices() {
    let office = Office::open().await;
    office.deposit(1_050).await.unwrap();
    let node = office.another_node().await;
    let results = join_all((0..50).map(|attempt| {
        let journal = if attempt % 2 == 0 { &office.journal } else { &node };
        journal.submit(
            &office.tenant,
            submission(Actor::Party(office.manager), office.cash_out(100)),
        )
    }))
    .await;
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 10);
    let treasury = Account::of_tenant(AccountKind::Treasury, CurrencyCode::USD);
    assert_eq!(office.state().await.balance(treasury).minor(), 50);
    office.check().await;
}

/// A lane presumes that the stream of a new movement is empty, and finds out that it is not from the log.
#[tokio::test(flavor = "multi_thread")]
async fn opening_an_existing_stream_is_refused_by_a_node_that_never_read_it() {
    let office = Office::open().await;
    let command = deposit(DepositTo::Treasury, 100);
    office.manage(command.clone()).await.unwrap();
    let head = office.journal.head(&office.tenant).await.unwrap();
    let again = office.another_node().await;
    let again = again.submit(&office.tenant, submission(Actor::Party(office.manager), command));
    refused(again.await);
    assert_eq!(
        office.journal.head(&office.tenant).await.unwrap().position,
        head.position
    );
    office.check().await;
}

/// Batch after batch, each decided while the one before is being committed.
#[tokio::test(flavor = "multi_thread")]
async fn hundreds_of_spenders_of_one_balance_on_one_node_succeed_exactly_while_it_suffices() {
    let office = Office::open().await;
    office.deposit(600).await.unwrap();
    let spends: Vec<_> = (0..300)
        .map(|number| {
            keyed(
                Actor::Party(office.manager),
                office.cash_out(10),
                &format!("{number}"),
                "spend",
            )
        })
        .collect();
    let results = join_all(spends.iter().map(|spend| async {
        let first = office.journal.submit(&office.tenant, spend.clone()).await;
        (first, office.journal.submit(&office.tenant, spend.clone()).await)
    }))
    .await;
    let mut spent = 0;
    for (first, again) in results {
        match (first, again) {
            (Ok(first), Ok(again)) => {
                assert_eq!((again.position, again.replayed), (first.position, true));
                spent += 1;
            }
            (first, again) => assert_eq!([refused(first), refused(again)], ["treasury_insufficient"; 2]),
        }
    }
    assert_eq!(spent, 60);
    office.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nodes_writing_one_tenant_concurrently_keep_one_gapless_log() {
    let office = Office::open().await;
    let nodes = [
        office.journal.clone(),
        office.another_node().await,
        office.another_node().await,
    ];
    let before = office.journal.head(&office.tenant).await.unwrap().position;
    let writers = nodes.iter().flat_map(|node| {
        (0..4).map(|_| async {
            for cents in 1..=25 {
                let command = deposit(DepositTo::Treasury, cents);
                node.submit(&office.tenant, submission(Actor::Party(office.manager), command))
                    .await
                    .unwrap();
            }
        })
    });
    join_all(writers).await;
    let head = office.journal.head(&office.tenant).await.unwrap();
    assert_eq!(head.position, before + 300);
    for node in &nodes {
        let (state, at) = node.state(&office.tenant).await.unwrap();
        assert_eq!(
            (at, state),
            (head, office.state().await),
            "every node sees the same books"
        );
    }
    office.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_concurrent_takers_of_a_unique_value_one_gets_it() {
    let office = Office::open().await;
    let node = office.another_node().await;
    for round in 0..10 {
        let email = format!("round{round}@example.com");
        let results = join_all((0..4).map(|attempt| {
            let journal = if attempt % 2 == 0 { &office.journal } else { &node };
            let command = register(PartyId::generate(), Registration::Manager, "Eva", &email);
            journal.submit(&office.tenant, submission(Actor::Party(office.manager), command))
        }))
        .await;
        let (accepted, others): (Vec<_>, Vec<_>) = results.into_iter().partition(Result::is_ok);
        assert_eq!(accepted.len(), 1, "{others:?}");
        assert!(others.into_iter().all(|result| refused(result) == "email_taken"));
    }
    office.check().await;
}
