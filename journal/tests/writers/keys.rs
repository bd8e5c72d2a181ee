//! Commands under idempotency keys.

use crate::common::{Office, currency, deposit, keyed};
use caudal_domain::{Actor, ids::CurrencyId, money::CurrencyCode, movement::DepositTo};
use caudal_journal::SubmitError;
use futures::future::join_all;

#[tokio::test(flavor = "multi_thread")]
async fn twenty_concurrent_commands_under_one_key_have_one_effect_and_one_answer() {
    let office = Office::open().await;
    let before = office.journal.head(&office.tenant).await.unwrap().position;
    let node = office.another_node().await;
    let command = deposit(DepositTo::Treasury, 100);
    let results = join_all((0..20).map(|attempt| {
        let journal = if attempt % 2 == 0 { &office.journal } else { &node };
        journal.submit(
            &office.tenant,
            keyed(Actor::Party(office.manager), command.clone(), "k", "deposit 1"),
        )
    }))
    .await;
    let committed: Vec<_> = results.into_iter().map(Result::unwrap).collect();
    assert!(
        committed
            .iter()
            .all(|one| one.answer == committed[0].answer && one.position == before + 1)
    );
    assert_eq!(committed.iter().filter(|one| !one.replayed).count(), 1);
    assert_eq!(office.log().await.len() as i64, before + 1);
    office.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_key_is_answered_by_a_node_that_never_saw_it() {
    let office = Office::open().await;
    let submission = keyed(
        Actor::Party(office.manager),
        deposit(DepositTo::Treasury, 100),
        "k",
        "deposit 1",
    );
    let first = office.journal.submit(&office.tenant, submission.clone()).await.unwrap();
    office.deposit(5).await.unwrap();
    let again = office
        .another_node()
        .await
        .submit(&office.tenant, submission)
        .await
        .unwrap();
    assert_eq!(
        (again.answer, again.position, again.replayed),
        (first.answer, first.position, true)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_used_for_another_request_is_refused() {
    let office = Office::open().await;
    let submit = |request, cents| {
        let command = deposit(DepositTo::Treasury, cents);
        office.journal.submit(
            &office.tenant,
            keyed(Actor::Party(office.manager), command, "k", request),
        )
    };
    // Both in one batch, and then again when the first is long done.
    let (first, second) = tokio::join!(submit("deposit 1", 100), submit("deposit 2", 200));
    assert!(first.is_ok());
    assert!(matches!(second, Err(SubmitError::KeyReused)), "{second:?}");
    let third = submit("deposit 2", 200).await;
    assert!(matches!(third, Err(SubmitError::KeyReused)), "{third:?}");
    let node = office.another_node().await;
    let other = keyed(
        Actor::System,
        currency(CurrencyId::generate(), CurrencyCode::EUR),
        "k",
        "another actor's",
    );
    assert!(
        node.submit(&office.tenant, other).await.is_ok(),
        "a key is its actor's own"
    );
    office.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_command_leaves_no_idempotency_record_and_is_decided_again() {
    let office = Office::open().await;
    let submission = keyed(Actor::Party(office.manager), office.cash_out(100), "k", "cash 1");
    let refusal = office.journal.submit(&office.tenant, submission.clone()).await;
    assert!(matches!(refusal, Err(SubmitError::Refused(_))), "{refusal:?}");
    office.deposit(100).await.unwrap();
    let accepted = office.journal.submit(&office.tenant, submission).await.unwrap();
    assert!(!accepted.replayed);
}

#[tokio::test(flavor = "multi_thread")]
async fn malformed_idempotency_keys_are_refused() {
    let office = Office::open().await;
    for key in ["", "with\nline", "nul\0", &"x".repeat(201)] {
        let submission = keyed(Actor::Party(office.manager), deposit(DepositTo::Treasury, 1), key, "r");
        let result = office.journal.submit(&office.tenant, submission).await;
        assert!(matches!(result, Err(SubmitError::KeyInvalid)), "{key:?}: {result:?}");
    }
}

/// A lane presumes that a key is new, and finds out that it is not where the command would be refused by now.
#[tokio::test(flavor = "multi_thread")]
async fn a_repeated_key_gets_its_answer_even_if_the_command_would_now_be_refused() {
    let office = Office::open().await;
    office.deposit(100).await.unwrap();
    let spend = keyed(Actor::Party(office.manager), office.cash_out(100), "k", "spend");
    let first = office.journal.submit(&office.tenant, spend.clone()).await.unwrap();
    for journal in [&office.journal, &office.another_node().await] {
        let again = journal.submit(&office.tenant, spend.clone()).await.unwrap();
        assert_eq!((again.position, again.replayed), (first.position, true));
    }
    let another = keyed(Actor::Party(office.manager), office.cash_out(100), "k", "another");
    let reused = office.journal.submit(&office.tenant, another).await;
    assert!(matches!(reused, Err(SubmitError::KeyReused)), "{reused:?}");
    office.check().await;
}
