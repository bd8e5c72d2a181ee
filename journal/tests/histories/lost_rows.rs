//! Rows beside the log that belonged to lost events, once an operator has accepted the loss of the events alone.

use super::{act, is_quarantined, take_back};
use crate::common::{Office, currency, keyed, refused, register, submission, with_credential};
use caudal_domain::{
    Actor, Command,
    ids::{CurrencyId, PartyId},
    party::{ChangeParty, PartyCommand, PartyDetails, Registration, Territory},
};
use caudal_journal::RowProblem;
use futures::future::join_all;
use sqlx::{Executor as _, Row as _};

fn dealer() -> Registration {
    Registration::Dealer {
        territory: Territory::default(),
    }
}

fn readdress(party: PartyId, name: &str, email: &str) -> Command {
    let details = PartyDetails {
        name: name.into(),
        email: email.into(),
        ..PartyDetails::default()
    };
    let change = ChangeParty {
        details,
        is_active: None,
        territory: None,
        known: None,
        sets_password: false,
    };
    Command::Party(party, PartyCommand::Change(change))
}

async fn position(office: &Office) -> i64 {
    office.journal.head(&office.tenant).await.unwrap().position
}

/// Takes the log alone back, and accepts the loss.
async fn lose_after(office: &Office, position: i64) {
    take_back(office, position).await;
    assert!(is_quarantined(&act(office, &office.journal, 1).await));
    office
        .journal
        .end_quarantine(&office.tenant, "somebody cut the log")
        .await
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn unique_values_are_those_of_the_kept_events_once_the_loss_is_accepted() {
    let office = Office::open().await;
    let manager = Actor::Party(office.manager);
    let euro = || currency(CurrencyId::generate(), "EUR".parse().unwrap());
    act(&office, &office.journal, 100).await.unwrap();
    let kept = position(&office).await;
    // The dealer's address is freed and taken again by somebody else; two more values are taken.
    let (heir, new) = (PartyId::generate(), PartyId::generate());
    office
        .manage(readdress(office.dealer, "Dora", "dora@other.example"))
        .await
        .unwrap();
    office
        .manage(register(heir, dealer(), "Heir", "dora@example.com"))
        .await
        .unwrap();
    let registered = submission(manager, register(new, dealer(), "New", "new@example.com"));
    office
        .journal
        .submit(&office.tenant, with_credential(registered, new, "hash-of-new"))
        .await
        .unwrap();
    office.manage(euro()).await.unwrap();
    lose_after(&office, kept).await;

    let verified = office.journal.verify_rows(&office.tenant).await.unwrap();
    assert_eq!((verified.faults, verified.not_compared), (Vec::new(), None));
    for email in ["new@example.com", "dora@other.example"] {
        let login = office.journal.credential_by_email(&office.tenant, email).await.unwrap();
        assert!(login.is_none(), "{email}");
    }
    let orphaned = office.journal.credential(&office.tenant, new).await.unwrap();
    assert!(
        orphaned.is_none(),
        "the password of somebody whom the log does not know"
    );
    // The dealer has the address of the kept events again.
    let again = register(PartyId::generate(), dealer(), "Second", "dora@example.com");
    assert_eq!(refused(office.manage(again).await), "email_taken");
    for (name, email) in [("New", "new@example.com"), ("Other", "dora@other.example")] {
        office
            .manage(register(PartyId::generate(), dealer(), name, email))
            .await
            .unwrap();
    }
    office.manage(euro()).await.unwrap();
    let verified = office.journal.verify_rows(&office.tenant).await.unwrap();
    assert!(verified.is_whole(), "{:?}", verified.faults);
    office.check().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_unique_value_that_was_changed_in_the_database_is_still_reported_after_a_loss() {
    let office = Office::open().await;
    act(&office, &office.journal, 100).await.unwrap();
    let kept = position(&office).await;
    act(&office, &office.journal, 100).await.unwrap();
    let changed = "UPDATE journal.claims SET mac = sha256(mac) WHERE kind = 'currency_code'";
    office.owner().await.execute(changed).await.unwrap();
    lose_after(&office, kept).await;
    let faults = office.journal.verify_rows(&office.tenant).await.unwrap().faults;
    let problems: Vec<_> = faults.iter().map(|fault| fault.problem).collect();
    assert_eq!(problems, [RowProblem::Changed]);
}

/// Stored nodes of the tree are roots over 256 events.
#[tokio::test(flavor = "multi_thread")]
async fn a_loss_behind_stored_nodes_of_the_merkle_tree_is_accepted() {
    let office = Office::open().await;
    act(&office, &office.journal, 1).await.unwrap();
    let kept = position(&office).await;
    for done in join_all((0..300).map(|_| office.deposit(1))).await {
        done.unwrap();
    }
    office.journal.extend_tree(&office.tenant).await.unwrap();
    lose_after(&office, kept).await;
    office.check().await;
    for done in join_all((0..300).map(|_| office.deposit(1))).await {
        done.unwrap();
    }
    office.journal.extend_tree(&office.tenant).await.unwrap();
    office.check().await;
}

/// Inserts a row of each table that notes positions of the log, as of an event that is kept and of one that is lost.
async fn note_positions(office: &Office, kept: i64, lost: i64) {
    let statements = [
        "INSERT INTO journal.webhook_positions (tenant, webhook, replay_event, resume_event, position, next_at, holder, held_until)
         SELECT e.tenant, ('00000000-0000-4000-8000-0000000000' || lpad(e.position::text, 2, '0'))::uuid, e.position, e.position,
                e.position, now(), gen_random_uuid(), now() + interval '1 minute'
           FROM journal.events AS e WHERE e.position IN ($1, $2)",
        "INSERT INTO journal.webhook_deliveries (tenant, webhook, position, event_id, event_type, attempts, at, delivered, milliseconds)
         SELECT e.tenant, '00000000-0000-4000-8000-000000000001', e.position,
                e.position || '-' || left(encode(e.hash, 'hex'), 16), 'x', 1, now(), true, 1
           FROM journal.events AS e WHERE e.position IN ($1, $2)",
        "INSERT INTO journal.snapshots (tenant, fingerprint, position, hash, state, mac)
         SELECT e.tenant, 'of position ' || e.position, e.position, e.hash, '', sha256('none')
           FROM journal.events AS e WHERE e.position IN ($1, $2)",
        "INSERT INTO journal.checkpoints (tenant, position, hash, key, signed_at, content)
         SELECT e.tenant, e.position, e.hash, 'none', now(), '' FROM journal.events AS e WHERE e.position IN ($1, $2)",
    ];
    let mut owner = office.owner().await;
    for statement in statements {
        let inserted = sqlx::query(statement)
            .bind(kept)
            .bind(lost)
            .execute(&mut owner)
            .await
            .unwrap();
        assert_eq!(inserted.rows_affected(), 2, "{statement}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_with_a_position_of_a_lost_event_are_cut_or_moved_to_where_both_histories_agree() {
    let office = Office::open().await;
    let asked = |key: &str| {
        let command = crate::common::deposit(caudal_domain::movement::DepositTo::Treasury, 1);
        keyed(Actor::Party(office.manager), command, key, key)
    };
    office.journal.submit(&office.tenant, asked("kept")).await.unwrap();
    let kept = position(&office).await;
    office.journal.submit(&office.tenant, asked("lost")).await.unwrap();
    let lost = position(&office).await;
    let mut owner = office.owner().await;
    note_positions(&office, kept, lost).await;
    let keep = "CREATE TEMPORARY TABLE lost_receipts AS SELECT * FROM journal.receipts WHERE key = 'lost'";
    owner.execute(keep).await.unwrap();
    take_back(&office, kept).await;
    owner
        .execute("INSERT INTO journal.receipts SELECT * FROM lost_receipts")
        .await
        .unwrap();
    note_snapshots_again(&office, lost).await;
    assert!(is_quarantined(&act(&office, &office.journal, 1).await));
    office
        .journal
        .end_quarantine(&office.tenant, "somebody cut the log")
        .await
        .unwrap();
    // The decision is the event at the lost position now.
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT c.table_name::text FROM information_schema.columns AS c
          WHERE c.table_schema = 'journal' AND c.column_name = 'position' ORDER BY 1",
    )
    .fetch_all(&mut owner)
    .await
    .unwrap();
    for table in tables {
        let sql = format!("SELECT coalesce(max(position), 0) AS last FROM journal.{table}");
        let last: i64 = sqlx::query(&sql).fetch_one(&mut owner).await.unwrap().get("last");
        let expected = match table.as_str() {
            // The accepted log.
            "events" | "heads" | "answers" => last,
            // The decision has an idempotency record of its own.
            "receipts" => lost,
            // Evidence: what was signed stays signed.
            "checkpoints" => lost,
            "snapshots" | "webhook_deliveries" | "webhook_positions" => kept,
            // A result names what was verified then.
            "verifications" => 0,
            other => panic!("what becomes of the lost positions in journal.{other} is not decided"),
        };
        assert_eq!(last, expected, "{table}");
    }
    let keys: Vec<String> = sqlx::query_scalar("SELECT key FROM journal.receipts WHERE key IN ('kept', 'lost')")
        .fetch_all(&mut owner)
        .await
        .unwrap();
    assert_eq!(keys, ["kept"]);
    // Both endpoints are at the common point, held by nobody; the lost replay is none.
    let moved: Vec<(i64, i64, bool)> =
        sqlx::query_as("SELECT position, replay_event, holder IS NULL FROM journal.webhook_positions ORDER BY webhook")
            .fetch_all(&mut owner)
            .await
            .unwrap();
    assert_eq!(moved, [(kept, kept, false), (kept, -kept, true)]);
}

/// `take_back` deletes the snapshots.
async fn note_snapshots_again(office: &Office, lost: i64) {
    sqlx::query(
        "INSERT INTO journal.snapshots (tenant, fingerprint, position, hash, state, mac)
         VALUES ('worked', 'lost', $1, sha256('lost'), '', sha256('none')),
                ('worked', 'kept', $1 - 1, sha256('kept'), '', sha256('none'))",
    )
    .bind(lost)
    .execute(&mut office.owner().await)
    .await
    .unwrap();
}
