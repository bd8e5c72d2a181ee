//! Events that the database's owner appends: with a right chain and a head that fits, and without the keys.

use super::{act, is_quarantined, kind, node_in, until, watching};
use crate::common::Office;
use caudal_journal::{DivergenceKind, Fault, SignError, SigningKeys};
use chrono::Utc;
use sqlx::Executor as _;

#[tokio::test(flavor = "multi_thread")]
async fn an_event_appended_by_the_owner_puts_every_idle_node_in_quarantine() {
    let office = Office::open().await;
    office.deposit(100).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let other = node_in(&office, folder.path()).await;
    other.state(&office.tenant).await.unwrap();
    let _stop = watching(&[&office.journal, &other]);
    let position = office.forge_event().await;
    for node in [&office.journal, &other] {
        until(&office, node, true).await;
        assert!(is_quarantined(&act(&office, node, 1).await));
    }
    let kinds = [kind(&office, &office.journal).await, kind(&office, &other).await];
    assert!(kinds.contains(&Some(DivergenceKind::HeadUnsigned)), "{kinds:?}");
    assert_eq!(
        office.journal.head(&office.tenant).await.unwrap().position,
        position,
        "nothing is written on it"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_is_decided_signed_or_exported_on_an_event_appended_by_the_owner() {
    let office = Office::open().await;
    office.deposit(100).await.unwrap();
    let fresh = office.another_node().await;
    let position = office.forge_event().await;
    let fault = Some(Fault::HeadUnsigned { position });
    let (journal, tenant) = (&office.journal, &office.tenant);
    assert_eq!(journal.verify(tenant, &[], |_, _| {}).await.unwrap().fault, fault);
    assert_eq!(journal.verify_chain(tenant, &[], |_, _| {}).await.unwrap().fault, fault);
    let keys = SigningKeys::generate(Utc::now()).unwrap();
    let signed = journal.checkpoint(tenant, &keys, &[]).await;
    assert!(matches!(signed, Err(SignError::Diverged { fault: found, .. }) if Some(&found) == fault.as_ref()));
    let mut file = Vec::new();
    assert!(journal.export(tenant, &mut file, |_, _| {}).await.is_err());
    // Nobody watches: the first command finds it, at a node that knows the log and at one that has seen nothing of it.
    for node in [journal, &fresh] {
        assert!(is_quarantined(&act(&office, node, 1).await));
        assert_eq!(kind(&office, node).await, Some(DivergenceKind::HeadUnsigned));
    }
    assert_eq!(journal.head(tenant).await.unwrap().position, position);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_operator_is_shown_the_events_that_no_node_had_seen_and_accepts_them_or_restores_the_log() {
    for restores in [false, true] {
        let office = Office::open().await;
        office.deposit(100).await.unwrap();
        let mut owner = office.owner().await;
        let keep = "CREATE TEMPORARY TABLE kept_head AS SELECT * FROM journal.heads";
        owner.execute(keep).await.unwrap();
        let position = office.forge_event().await;
        assert!(is_quarantined(&office.deposit(1).await));
        let shown = office.journal.quarantine_losses(&office.tenant).await.unwrap().unwrap();
        assert_eq!(
            (shown.is_unsigned, shown.unseen_from, shown.lost_from),
            (true, Some(position), None)
        );
        if restores {
            let restore = "DELETE FROM journal.events AS e USING kept_head AS k WHERE e.position > k.position;
                           UPDATE journal.heads AS h
                              SET position = k.position, hash = k.hash, recorded_at = k.recorded_at, mac = k.mac
                             FROM kept_head AS k";
            owner.execute(restore).await.unwrap();
        }
        let ended = office
            .journal
            .end_quarantine(&office.tenant, "somebody wrote to the database")
            .await
            .unwrap();
        assert_eq!((ended.repairs_head, ended.is_unsigned), (!restores, !restores));
        assert_eq!(ended.unseen_from, (!restores).then_some(position));
        office.deposit(1).await.unwrap();
        let fresh = office.another_node().await;
        act(&office, &fresh, 1).await.unwrap();
        let verified = office.journal.verify(&office.tenant, &[], |_, _| {}).await.unwrap();
        assert_eq!(verified.fault, None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_head_whose_mac_was_changed_or_removed_stops_every_node() {
    for change in ["mac = NULL", "mac = sha256(mac)"] {
        let office = Office::open().await;
        let other = office.another_node().await;
        other.state(&office.tenant).await.unwrap();
        let change = format!("UPDATE journal.heads SET {change}");
        office.owner().await.execute(change.as_str()).await.unwrap();
        for node in [&office.journal, &other] {
            node.look_once().await.unwrap();
            assert!(is_quarantined(&act(&office, node, 1).await), "{change}");
        }
    }
}
