//! Events and heads that the database's owner changed in place: no decision uses them, and no append follows them.

use crate::common::{Office, submission};
use caudal_domain::{
    Actor, Command,
    party::{ChangeParty, PartyCommand, PartyDetails},
};
use caudal_journal::{Fault, JournalError, StoredEvent, SubmitError, Unreadable};
use sqlx::Executor as _;

#[tokio::test(flavor = "multi_thread")]
async fn no_decision_uses_an_event_changed_in_place() {
    let office = Office::open().await;
    let node = office.another_node().await;
    // The node has folded the log and caches no stream of it.
    node.state(&office.tenant).await.unwrap();
    office
        .owner()
        .await
        .execute("UPDATE journal.events SET metadata = '{\"actor\":\"system\",\"role\":\"system\",\"request\":\"x\"}' WHERE position = 4")
        .await
        .unwrap();
    let deactivate = Command::Party(office.dealer, PartyCommand::Deactivate);
    let refused = node
        .submit(&office.tenant, submission(Actor::Party(office.manager), deactivate))
        .await;
    assert!(matches!(refused, Err(SubmitError::Quarantined)), "{refused:?}");
    assert!(node.quarantined(&office.tenant).is_some());
}

/// Changes of the middle one of a stream's three events.
const EVENT_CHANGES: &[&str] = &[
    "position = position + 1000",
    "aggregate_type = 'customer'",
    "aggregate_id = '0197a3c0-0000-7000-8000-000000000001'",
    "sequence = 9",
    "event_type = 'PartyDeactivated'",
    "event_type = event_type || 'x'",
    "event_version = '9'",
    "payload = '{}'",
    "payload = (payload::text || ' ')::json",
    "metadata = '{}'",
    "metadata = (metadata::text || ' ')::json",
    "recorded_at = recorded_at + interval '1 microsecond'",
    "recorded_at = 'infinity'",
    "hash = sha256(hash)",
    "hash = (SELECT o.hash FROM journal.events AS o WHERE o.position = 1)",
];

#[tokio::test(flavor = "multi_thread")]
async fn no_decision_uses_a_stream_of_which_any_column_was_changed() {
    for change in EVENT_CHANGES {
        let office = Office::open().await;
        for name in ["Two", "Three"] {
            let change = ChangeParty {
                details: PartyDetails {
                    name: name.into(),
                    email: "dealer@example.com".into(),
                    ..PartyDetails::default()
                },
                known: None,
                sets_password: false,
                is_active: None,
                territory: None,
            };
            let change = Command::Party(office.dealer, PartyCommand::Change(change));
            office.manage(change).await.unwrap();
        }
        office.journal.close().await;
        let node = office.another_node().await;
        // The node has folded the log and caches no stream of it.
        let before = node.state(&office.tenant).await.unwrap().1;
        let sql = format!(
            "UPDATE journal.events SET {change} WHERE aggregate_id = '{}' AND sequence = 2",
            office.dealer.0
        );
        let changed = office.owner().await.execute(sql.as_str()).await.unwrap();
        assert_eq!(changed.rows_affected(), 1, "{sql}");
        let deactivate = Command::Party(office.dealer, PartyCommand::Deactivate);
        let refused = node
            .submit(&office.tenant, submission(Actor::Party(office.manager), deactivate))
            .await;
        assert!(
            matches!(refused, Err(SubmitError::Quarantined)),
            "{change}: {refused:?}"
        );
        assert!(node.quarantined(&office.tenant).is_some(), "{change}");
        assert_eq!(node.head(&office.tenant).await.unwrap().position, before.position);
    }
}

/// Whoever writes to the log without the key file can compute its hashes, and encrypts nothing.
#[tokio::test(flavor = "multi_thread")]
async fn an_event_with_its_personal_part_in_clear_is_not_read() {
    let office = Office::open().await;
    let head = office.journal.head(&office.tenant).await.unwrap();
    let (_, registered) = office
        .journal
        .stored(&office.tenant, head.position)
        .await
        .unwrap()
        .unwrap();
    let mut payload: serde_json::Value = serde_json::from_str(&registered.payload).unwrap();
    let part = payload["personal"].as_object_mut().unwrap();
    part.remove("sealed").unwrap();
    let clear = serde_json::json!({"name": "Dora", "email": "somebody@example.com"});
    part.insert("clear".to_owned(), clear);
    let forged = StoredEvent {
        position: head.position + 1,
        sequence: registered.sequence + 1,
        payload: payload.to_string(),
        ..registered
    };
    let hash = forged.expected_hash(&office.tenant, &head.hash).unwrap();
    let mut owner = office.owner().await;
    sqlx::query(
        "WITH last AS (SELECT * FROM journal.events WHERE position = $1), forged AS (
             INSERT INTO journal.events (tenant, position, aggregate_type, aggregate_id, sequence, event_type, event_version,
                                         payload, metadata, recorded_at, hash)
             SELECT l.tenant, l.position + 1, l.aggregate_type, l.aggregate_id, l.sequence + 1, l.event_type, l.event_version,
                    $2::json, l.metadata, l.recorded_at, $3
               FROM last AS l)
         UPDATE journal.heads SET position = position + 1, hash = $3",
    )
    .bind(head.position)
    .bind(&forged.payload)
    .bind(hash)
    .execute(&mut owner)
    .await
    .unwrap();
    let refused = office.journal.events_after(&office.tenant, head.position, 1).await;
    assert!(
        matches!(
            &refused,
            Err(JournalError::Unreadable { position, source: Unreadable::InClear, .. }) if *position == head.position + 1
        ),
        "{refused:?}"
    );
    let chain = office
        .journal
        .verify_chain(&office.tenant, &[], |_, _| {})
        .await
        .unwrap();
    let unsigned = Fault::HeadUnsigned {
        position: head.position + 1,
    };
    assert_eq!(chain.fault, Some(unsigned), "the chain itself holds");
    let verification = office.journal.verify(&office.tenant, &[], |_, _| {}).await.unwrap();
    assert!(
        matches!(&verification.fault, Some(Fault::Unreadable { position, .. }) if *position == head.position + 1),
        "{verification:?}"
    );
    let deactivate = Command::Party(office.dealer, PartyCommand::Deactivate);
    let node = office.another_node().await;
    let refused = node
        .submit(&office.tenant, submission(Actor::Party(office.manager), deactivate))
        .await;
    assert!(matches!(refused, Err(SubmitError::Failed(_))), "{refused:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_append_on_a_head_with_another_hash_or_time_writes_nothing() {
    for change in ["hash = sha256(hash)", "recorded_at = recorded_at + interval '73 years'"] {
        let office = Office::open().await;
        let mut owner = office.owner().await;
        let events: i64 = sqlx::query_scalar("SELECT count(*) FROM journal.events")
            .fetch_one(&mut owner)
            .await
            .unwrap();
        owner
            .execute(format!("UPDATE journal.heads SET {change}").as_str())
            .await
            .unwrap();
        let status: String = sqlx::query_scalar(
            "SELECT journal.append_signed(
                    h.tenant, h.position, h.epoch,
                    (SELECT e.hash FROM journal.events AS e WHERE e.position = h.position),
                    (SELECT e.recorded_at FROM journal.events AS e WHERE e.position = h.position),
                    now(), sha256(''), sha256('mac'),
                    ROW(ARRAY['tenant'], ARRAY['x'], ARRAY[1], ARRAY['x'], ARRAY['1'], ARRAY['{}'], ARRAY['{}'],
                        ARRAY[sha256('')])::journal.event_columns,
                    NULL, NULL, NULL, NULL, NULL)
               FROM journal.heads AS h",
        )
        .fetch_one(&mut owner)
        .await
        .unwrap();
        assert_eq!(status, "moved", "{change}");
        let after: i64 = sqlx::query_scalar("SELECT count(*) FROM journal.events")
            .fetch_one(&mut owner)
            .await
            .unwrap();
        assert_eq!(after, events, "{change}");
    }
}
