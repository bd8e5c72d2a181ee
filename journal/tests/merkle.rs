//! The Merkle tree of a real log: roots and proofs from stored nodes equal those of the definition, checkpoints are
//! chained, and nothing is signed that contradicts a signature.

use crate::common;
use crate::common::Office;
use caudal_journal::{
    Fault, Hash, Journal, SignError, SignedCheckpoint, SigningKeys, Walk, Walked, empty_root, is_consistent,
    is_included,
};
use chrono::Utc;
use sha2::{Digest as _, Sha256};
use sqlx::{Connection as _, Executor as _, PgConnection};

/// RFC 6962, section 2.1, literally.
fn naive(events: &[Hash]) -> Hash {
    match events.len() {
        0 => Sha256::digest([]).into(),
        1 => Sha256::new()
            .chain_update([0])
            .chain_update(events[0])
            .finalize()
            .into(),
        count => {
            let (left, right) = events.split_at(count.next_power_of_two() / 2);
            let sha = Sha256::new().chain_update([1]).chain_update(naive(left));
            sha.chain_update(naive(right)).finalize().into()
        }
    }
}

/// A log of the given length, mostly copies that a verifier would refuse: the tree reads only hashes.
async fn long(office: &Office, events: i64) -> Vec<Hash> {
    let mut owner = office.owner().await;
    let fill = format!(
        "INSERT INTO journal.events
         SELECT e.tenant, n, e.aggregate_type, e.aggregate_id, n, e.event_type, e.event_version, e.payload, e.metadata,
                e.recorded_at, sha256(int8send(n))
           FROM journal.events AS e, generate_series(e.position + 1, {events}) AS n
          WHERE e.position = (SELECT max(position) FROM journal.events);
         UPDATE journal.heads SET position = {events}, hash = sha256(int8send({events}))"
    );
    owner.execute(fill.as_str()).await.unwrap();
    let sign = format!("UPDATE journal.heads SET mac = {}", office.head_mac_at(events).await);
    owner.execute(sign.as_str()).await.unwrap();
    hashes(&mut owner).await
}

async fn hashes(owner: &mut PgConnection) -> Vec<Hash> {
    sqlx::query_scalar("SELECT hash FROM journal.events ORDER BY position")
        .fetch_all(owner)
        .await
        .unwrap()
}

async fn sign(journal: &Journal, office: &Office, keys: &SigningKeys, signed: &[SignedCheckpoint]) -> SignedCheckpoint {
    journal.checkpoint(&office.tenant, keys, signed).await.unwrap()
}

fn fault<T: std::fmt::Debug>(signed: Result<T, SignError>) -> Fault {
    match signed {
        Err(SignError::Diverged { fault, .. }) => fault,
        other => panic!("a divergence, not {other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn roots_and_proofs_of_a_long_log_equal_the_definitions() {
    let office = Office::open().await;
    let events = long(&office, 40_000).await;
    let (journal, tenant) = (&office.journal, &office.tenant);
    let root = |size: i64| naive(&events[..usize::try_from(size).unwrap()]);
    let sizes = [
        0, 1, 2, 255, 256, 257, 511, 4_096, 16_384, 16_385, 33_333, 39_999, 40_000,
    ];
    for (number, from) in sizes.into_iter().enumerate() {
        for &to in &sizes[number..] {
            let found = journal.consistency_proof(tenant, from, to).await.unwrap();
            assert_eq!(
                (found.from_root, found.to_root),
                (root(from), root(to)),
                "{from} to {to}"
            );
            assert!(
                is_consistent(from, &found.from_root, to, &found.to_root, &found.proof),
                "{from} to {to}"
            );
        }
    }
    assert_eq!(root(0), empty_root());
    for (position, size) in [
        (1, 1),
        (1, 40_000),
        (256, 300),
        (257, 33_333),
        (39_999, 40_000),
        (40_000, 40_000),
    ] {
        let proof = journal.inclusion_proof(tenant, position, size).await.unwrap();
        let event = &events[usize::try_from(position).unwrap() - 1];
        assert!(
            is_included(event, position, size, &proof, &root(size)),
            "{position} of {size}"
        );
        assert!(proof.len() <= 16, "{} hashes", proof.len());
    }
    journal.inclusion_proof(tenant, 1, 40_001).await.unwrap_err();
    let kept: i64 = sqlx::query_scalar("SELECT count(*) FROM journal.merkle_nodes")
        .fetch_one(&mut office.owner().await)
        .await
        .unwrap();
    assert!(kept < 40_000 / 100, "{kept} nodes");
}

#[tokio::test(flavor = "multi_thread")]
async fn checkpoints_name_their_predecessor_and_an_unchanged_log_is_not_signed_again() {
    let office = Office::open().await;
    let keys = SigningKeys::generate(Utc::now()).unwrap();
    let journal = &office.journal;
    let first = sign(journal, &office, &keys, &[]).await;
    assert_eq!(first.tree.unwrap().previous, None);
    assert_eq!(sign(journal, &office, &keys, std::slice::from_ref(&first)).await, first);
    office.deposit(100).await.unwrap();
    let second = sign(journal, &office, &keys, std::slice::from_ref(&first)).await;
    let previous = second.tree.unwrap().previous.unwrap();
    assert_eq!((previous.position, previous.digest), (first.position, first.digest()));
    assert_eq!(second.root(), Some(naive(&hashes(&mut office.owner().await).await)));
    // Another key signs the same end.
    let other = SigningKeys::generate(Utc::now()).unwrap();
    let third = sign(journal, &office, &other, &[first.clone(), second.clone()]).await;
    assert_eq!(third.tree.unwrap().previous.unwrap().digest, second.digest());
    let all = [first, second, third];
    let verification = journal.verify(&office.tenant, &all, |_, _| {}).await.unwrap();
    assert!(verification.is_whole(), "{verification:?}");
    // A wrong signed root is detected even if the hash is right.
    let mut lying = all[1].clone();
    lying.tree.as_mut().unwrap().root[0] ^= 1;
    let found = journal
        .verify(&office.tenant, std::slice::from_ref(&lying), |_, _| {})
        .await
        .unwrap();
    let position = lying.position;
    assert_eq!(found.fault, Some(Fault::RootChanged { position }));
    assert_eq!(
        fault(journal.checkpoint(&office.tenant, &keys, &[lying]).await),
        Fault::RootChanged { position }
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shortened_or_rewritten_log_is_not_signed_and_verification_names_it() {
    let office = Office::open().await;
    let keys = SigningKeys::generate(Utc::now()).unwrap();
    let (journal, tenant) = (&office.journal, &office.tenant);
    for cents in 1..=5 {
        office.deposit(cents).await.unwrap();
    }
    let signed = [sign(journal, &office, &keys, &[]).await];
    let mut walked = Walked::genesis(tenant);
    assert_eq!(journal.walk(tenant, &mut walked, &signed, 4).await.unwrap(), Walk::More);
    assert_eq!(walked.position(), 4);
    let end = signed[0].position;
    assert_eq!(
        journal.walk(tenant, &mut walked, &signed, 1_000).await.unwrap(),
        Walk::End(end)
    );
    office.deposit(6).await.unwrap();
    assert_eq!(
        journal.walk(tenant, &mut walked, &signed, 1_000).await.unwrap(),
        Walk::End(end + 1)
    );
    assert_eq!(journal.compare(tenant, &signed).await.unwrap(), None);

    let mut owner = office.owner().await;
    let cut = format!(
        "DELETE FROM journal.events WHERE position > {0};
         UPDATE journal.heads AS h SET position = {0}, hash = e.hash, recorded_at = e.recorded_at, mac = {1}
           FROM journal.events AS e WHERE e.tenant = h.tenant AND e.position = {0}",
        end - 1,
        office.head_mac_at(end - 1).await
    );
    owner.execute(cut.as_str()).await.unwrap();
    let shortened = Fault::Shortened {
        end: end - 1,
        signed: end,
    };
    assert_eq!(journal.compare(tenant, &signed).await.unwrap(), Some(shortened.clone()));
    assert_eq!(fault(journal.checkpoint(tenant, &keys, &signed).await), shortened);
    assert_eq!(
        journal.walk(tenant, &mut walked, &[], 1_000).await.unwrap(),
        Walk::Fault(Fault::WentBack { position: end + 1 })
    );
    let mut anew = Walked::genesis(tenant);
    assert_eq!(
        journal.walk(tenant, &mut anew, &[], 1_000).await.unwrap(),
        Walk::End(end - 1)
    );
    let mut anew = Walked::genesis(tenant);
    assert_eq!(
        journal.walk(tenant, &mut anew, &signed, 1_000).await.unwrap(),
        Walk::Fault(shortened)
    );
    // Other histories, of the same length and longer.
    let node = office.another_node().await;
    for cents in 7..=9 {
        let command = common::deposit(caudal_domain::movement::DepositTo::Treasury, cents);
        let submission = common::submission(caudal_domain::Actor::Party(office.manager), command);
        node.submit(tenant, submission).await.unwrap();
    }
    let rewritten = Fault::Rewritten { position: end };
    assert_eq!(node.compare(tenant, &signed).await.unwrap(), Some(rewritten.clone()));
    assert_eq!(fault(node.checkpoint(tenant, &keys, &signed).await), rewritten);
    node.checkpoint(tenant, &keys, &[]).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn changed_tree_nodes_are_detected_and_never_signed() {
    let office = Office::open().await;
    let keys = SigningKeys::generate(Utc::now()).unwrap();
    let (journal, tenant) = (&office.journal, &office.tenant);
    while office.journal.head(tenant).await.unwrap().position < 1_030 {
        let run = (0..200).map(|_| office.deposit(1));
        for outcome in futures::future::join_all(run).await {
            outcome.unwrap();
        }
    }
    let signed = [sign(journal, &office, &keys, &[]).await];
    let honest = signed[0].root().unwrap();
    let mut owner = office.owner().await;
    assert_eq!(honest, naive(&hashes(&mut owner).await));
    let whole = journal.verify_chain(tenant, &signed, |_, _| {}).await.unwrap();
    assert!(whole.is_whole(), "{whole:?}");
    for (tampering, position) in [
        (
            "UPDATE journal.merkle_nodes SET hash = sha256('x') WHERE level = 8 AND number = 2",
            513,
        ),
        ("UPDATE journal.merkle_nodes SET hash = sha256('x') WHERE level = 10", 1),
        (
            "INSERT INTO journal.merkle_nodes VALUES ('worked', 8, 77, sha256('x'))",
            77 * 256 + 1,
        ),
    ] {
        owner.execute(tampering).await.unwrap();
        let wrong = Fault::TreeChanged { position };
        assert_eq!(
            journal.verify(tenant, &[], |_, _| {}).await.unwrap().fault.as_ref(),
            Some(&wrong),
            "{tampering}"
        );
        assert_eq!(
            journal
                .verify_chain(tenant, &[], |_, _| {})
                .await
                .unwrap()
                .fault
                .as_ref(),
            Some(&wrong)
        );
        let mut walked = Walked::genesis(tenant);
        assert_eq!(
            journal.walk(tenant, &mut walked, &[], 10_000).await.unwrap(),
            Walk::Fault(wrong)
        );
        // The next checkpoint is computed from the log.
        office.deposit(2).await.unwrap();
        let next = sign(journal, &office, &keys, &signed).await;
        assert_eq!(next.root(), Some(naive(&hashes(&mut owner).await)), "{tampering}");
        journal.rebuild_tree(tenant).await.unwrap();
        let whole = journal.verify(tenant, &[next], |_, _| {}).await.unwrap();
        assert!(whole.is_whole(), "{tampering}: {whole:?}");
    }
    owner.close().await.unwrap();
}
