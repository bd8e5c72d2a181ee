//! The projector: its rows equal those of a replay under every fault.

use crate::common::{Office, person, rate};
use caudal_domain::{
    Actor, Command, TenantCommand, TenantState,
    api_key::{ApiKeyCommand, ApiKeyDetails, IssueApiKey, KeySecret},
    approval::{ApprovalKind, ApprovalRule},
    customer::{CustomerCommand, RecordScreening, ScreeningCandidate},
    ids::{ApiKeyId, ApprovalRuleId, LimitRuleId, RateChangeId, TenantId, WebhookId},
    limits::{LimitOutcome, LimitRule, LimitWindow, Side},
    money::Amount,
    party::Role,
    rates::{RateTarget, RatesCommand, WantedRate},
    remittance::{CompleteRemittance, DeliveryChoice, HoldReason, HoldRemittance, RemittanceCommand},
    webhook::{AddWebhook, WebhookCommand, WebhookDetails},
};
use caudal_journal::{Clock, DivergenceKind, Journal, JournalError, Submission, SystemClock};
use caudal_projections::{
    ListQuery, Progress, ProjectError, Projector, READ_MODELS_VERSION, ReadError, customer, ledger, rebuild::Rebuild,
    remittance, scalar::CustomerType, verify,
};
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::Row as _;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::sync::watch;

/// Balances of the books, keyed like the accounts table.
fn booked(state: &TenantState) -> BTreeMap<String, i64> {
    state
        .accounts()
        .map(|(account, balance)| (account.to_string(), balance.minor()))
        .collect()
}

async fn accounts(office: &Office) -> BTreeMap<String, i64> {
    let mut transaction = office.node.begin_read(office.tenant.as_str()).await.unwrap();
    let rows = sqlx::query("SELECT account, balance FROM accounts")
        .fetch_all(&mut *transaction)
        .await
        .unwrap();
    rows.iter()
        .map(|row| (row.get("account"), row.get("balance")))
        .collect()
}

#[tokio::test]
async fn after_a_full_day_the_read_models_equal_the_books_and_a_replay() {
    let office = Office::open().await;
    office.day().await;
    issue_an_api_key(&office).await;
    add_a_webhook(&office).await;
    propose(&office).await;
    let read_transaction = office.begin().await;
    drop(read_transaction);
    assert_eq!(accounts(&office).await, booked(&office.state().await));
    let differences = verify::replay(&office.node, &office.journal, &office.tenant, |_, _| {})
        .await
        .unwrap();
    assert_eq!(differences, []);
}

#[tokio::test]
async fn a_replay_finds_a_row_that_was_tampered_with() {
    let office = Office::open().await;
    office.day().await;
    drop(office.begin().await);
    let mut transaction = office.node.begin_write(office.tenant.as_str()).await.unwrap();
    let tampered =
        sqlx::query("UPDATE accounts SET balance = balance + 1 WHERE kind = 'treasury' AND currency = 'USD'");
    tampered.execute(&mut *transaction).await.unwrap();
    sqlx::query("DELETE FROM cards")
        .execute(&mut *transaction)
        .await
        .unwrap();
    transaction.commit().await.unwrap();
    let differences = verify::replay(&office.node, &office.journal, &office.tenant, |_, _| {})
        .await
        .unwrap();
    let found: Vec<_> = differences
        .iter()
        .map(|d| (d.table.as_str(), d.unexpected, d.missing))
        .collect();
    assert_eq!(found, [("accounts", 1, 1), ("cards", 0, 1)]);
}

#[tokio::test]
async fn single_event_batches_on_two_nodes_build_the_same_rows_as_one_batch() {
    let office = Office::open().await;
    office.day().await;
    let head = office.journal.head(&office.tenant).await.unwrap().position;
    let nodes = [1, 3].map(|batch| Projector::with_batch(office.node.clone(), office.journal.clone(), batch));
    // Two nodes project, and a third whose every batch is aborted.
    let workers = nodes.map(|projector| {
        let tenant = office.tenant.clone();
        tokio::spawn(async move { projector.catch_up(&tenant).await.unwrap() })
    });
    let (killed, tenant) = (
        Projector::new(office.node.clone(), office.journal.clone()),
        office.tenant.clone(),
    );
    for micros in 0..60 {
        let _ = tokio::time::timeout(Duration::from_micros(micros * 100), killed.project(&tenant)).await;
    }
    for worker in workers {
        worker.await.unwrap();
    }
    assert_eq!(office.projector.catch_up(&office.tenant).await.unwrap(), head);
    assert_eq!(accounts(&office).await, booked(&office.state().await));
    assert_eq!(
        verify::replay(&office.node, &office.journal, &office.tenant, |_, _| {})
            .await
            .unwrap(),
        []
    );
}

#[tokio::test]
async fn a_read_that_waits_for_its_write_sees_it() {
    let office = Office::open().await;
    for number in 0..10 {
        let id = office
            .customer(None, person(&format!("Nuevo{number}"), "Cliente", "123456"))
            .await;
        let position = office.journal.head(&office.tenant).await.unwrap().position;
        let deadline = Instant::now() + Duration::from_secs(5);
        office.reads.wait_for(&office.tenant, position, deadline).await.unwrap();
        let mut read_transaction = office.reads.begin(&office.tenant, position).await.unwrap();
        assert!(read_transaction.position() >= position);
        let scope = office.scope(office.manager).await;
        assert_eq!(
            customer::get(&mut read_transaction, &scope, id)
                .await
                .unwrap()
                .name
                .unwrap(),
            format!("Nuevo{number}")
        );
    }
}

#[tokio::test]
async fn a_position_that_is_not_reached_is_answered_not_yet() {
    let office = Office::open().await;
    let head = office.journal.head(&office.tenant).await.unwrap().position;
    let deadline = Instant::now() + Duration::from_millis(50);
    let refused = office
        .reads
        .wait_for(&office.tenant, head + 1, deadline)
        .await
        .unwrap_err();
    assert!(
        matches!(refused, ReadError::NotYet { wanted, .. } if wanted == head + 1),
        "{refused:?}"
    );
}

#[tokio::test]
async fn a_snapshot_does_not_change() {
    let office = Office::open().await;
    let mut read_transaction = office.begin().await;
    let scope = office.scope(office.manager).await;
    let query = ListQuery::default();
    let before = customer::list(&mut read_transaction, &scope, CustomerType::Sender, &query)
        .await
        .unwrap();
    office.customer(None, person("Otra", "Persona", "5")).await;
    let fresh = customer::list(&mut office.begin().await, &scope, CustomerType::Sender, &query)
        .await
        .unwrap();
    let after = customer::list(&mut read_transaction, &scope, CustomerType::Sender, &query)
        .await
        .unwrap();
    assert_eq!(
        (before.total_records, after.total_records, fresh.total_records),
        (1, 1, 2)
    );
}

/// An offline delivery of a remittance that was canceled meanwhile.
async fn dispute(office: &Office) {
    let id = office.sell(office.agency, "15.00", DeliveryChoice::Home).await;
    office.assign(id, Some(office.delivery_man)).await;
    let cancel = RemittanceCommand::Cancel {
        reason: "Se arrepintió".into(),
    };
    office.remit(office.manager, id, cancel).await;
    let delivered = CompleteRemittance {
        identification: Some("a".repeat(64)),
        signature: Some("b".repeat(64)),
        or_dispute: true,
        ..CompleteRemittance::default()
    };
    office
        .remit(office.delivery_man, id, RemittanceCommand::Complete(delivered))
        .await;
}

/// Cancels a sale on another day.
async fn cancel_late(office: &Office) {
    struct TwoDaysLater;
    impl Clock for TwoDaysLater {
        fn now(&self) -> DateTime<Utc> {
            Utc::now() + TimeDelta::days(2)
        }
    }
    let id = office.sell(office.agency, "15.00", DeliveryChoice::Home).await;
    let journal = Journal::open(office.node.clone(), office.keyring.clone(), Arc::new(TwoDaysLater))
        .await
        .unwrap();
    let reason = "Se arrepintió".into();
    let cancel = Command::Remittance(id, RemittanceCommand::Cancel { reason });
    let cancel = Submission::of(Actor::Party(office.manager), cancel);
    journal.submit(&office.tenant, cancel).await.unwrap();
}

async fn change_a_rate(office: &Office, to: &str) {
    let wanted = WantedRate {
        target: RateTarget::Catalogue { group: office.group },
        from: None,
        to: rate(to),
    };
    let change = RatesCommand::Change {
        rates: vec![wanted],
        at: None,
    };
    office.manage(Command::Rates(RateChangeId::generate(), change)).await;
}

async fn issue_an_api_key(office: &Office) {
    let issue = IssueApiKey {
        party: office.manager,
        details: ApiKeyDetails { name: "Kiosk".into() },
        scopes: ["users:read".parse().unwrap()].into(),
        expires_at: Utc::now() + TimeDelta::days(30),
        networks: Vec::new(),
        requests_per_minute: 60,
        secret: KeySecret {
            start: "caudal_live_9f3c20ab".into(),
            digest: "0".repeat(64),
        },
    };
    let issue = Command::ApiKey(ApiKeyId::generate(), ApiKeyCommand::Issue(issue));
    office.manage(issue).await;
}

async fn add_a_webhook(office: &Office) {
    let id = WebhookId::generate();
    let add = AddWebhook {
        party: office.manager,
        details: WebhookDetails {
            name: "Kiosk".into(),
            url: "https://kiosk.example.org/".into(),
        },
        types: ["caudal.remittance.created.v1".to_owned()].into(),
        after: 0,
        salt: "0".repeat(48),
    };
    office.manage(Command::Webhook(id, WebhookCommand::Add(add))).await;
    let rotate = WebhookCommand::Rotate {
        salt: "1".repeat(48),
        overlap: TimeDelta::hours(1),
    };
    for command in [
        rotate,
        WebhookCommand::Pause,
        WebhookCommand::Resume,
        WebhookCommand::Replay { after: 1 },
    ] {
        office.manage(Command::Webhook(id, command)).await;
    }
}

/// A rule, and a command that it covers, which waits.
async fn propose(office: &Office) {
    let rule = ApprovalRule {
        id: ApprovalRuleId::generate(),
        kind: ApprovalKind::TermsAndRates,
        makers: [Role::Manager].into(),
        from_amount: None,
        approvers: Role::Manager,
        expires_after_hours: 24,
    };
    let set = TenantCommand::SetApprovalRule(rule.clone());
    office.manage(Command::Tenant(set)).await;
    change_a_rate(office, "322").await;
    office
        .manage(Command::Tenant(TenantCommand::RemoveApprovalRule(rule.id)))
        .await;
}

async fn limit(office: &Office) {
    let rule = LimitRule {
        id: LimitRuleId::generate(),
        side: Side::Sender,
        window: LimitWindow::Days30,
        groups: BTreeSet::new(),
        amount: Some(Amount::from_minor(500_000)),
        count: None,
        outcome: LimitOutcome::Hold,
        needs: BTreeSet::new(),
    };
    office.manage(Command::Tenant(TenantCommand::SetLimitRule(rule))).await;
}

/// A remittance in review, and a sender who is like somebody on a list.
async fn screen(office: &Office) {
    let id = office.sell(office.agency, "12.00", DeliveryChoice::Home).await;
    let hold = HoldRemittance {
        reason: HoldReason::Manual,
        reference: None,
        note: "Falta un documento".into(),
    };
    office.remit(office.manager, id, RemittanceCommand::Hold(hold)).await;
    let found = RecordScreening {
        lists: [("ofac-sdn".to_owned(), "1".to_owned())].into(),
        candidates: vec![ScreeningCandidate {
            list: "ofac-sdn".into(),
            entry: "18001".into(),
            name: "Juan Pérez".into(),
            score: 91,
        }],
        is_confirmed: false,
    };
    let record = CustomerCommand::RecordScreening(found);
    office
        .submit(Actor::System, Command::Customer(office.issuer, record))
        .await
        .unwrap();
}

#[tokio::test]
async fn another_tenants_rows_are_invisible() {
    let office = Office::open().await;
    office.day().await;
    cancel_late(&office).await;
    dispute(&office).await;
    change_a_rate(&office, "321").await;
    issue_an_api_key(&office).await;
    add_a_webhook(&office).await;
    propose(&office).await;
    screen(&office).await;
    limit(&office).await;
    drop(office.begin().await);
    // What a short day does not write.
    let mut transaction = office.node.begin_write("worked").await.unwrap();
    for row in [
        "INSERT INTO flow_blocks (total, times, flow, block, tenant) VALUES (1, 1, 1, 0, 'worked')",
        "INSERT INTO entry_lines (tenant, position, line, account, code, debit, credit, balance_after, debits_after, flow,
                                  flow_total, flow_times) VALUES ('worked', 1, 0, 1, 'sale', 1, 0, 1, 1, 1, 1, 1)",
    ] {
        sqlx::query(row).execute(&mut *transaction).await.unwrap();
    }
    transaction.commit().await.unwrap();
    let tables = "SELECT tablename::text AS name FROM pg_tables WHERE schemaname = 'read' ORDER BY tablename";
    let tables: Vec<String> = sqlx::query(tables)
        .fetch_all(office.node.pool())
        .await
        .unwrap()
        .iter()
        .map(|row| row.get("name"))
        .collect();
    assert!(tables.len() > 15, "{tables:?}");
    for (setting, seen) in [("other", false), ("worked", true)] {
        let mut transaction = office.node.begin_read(setting).await.unwrap();
        for table in &tables {
            // Without a tenant filter: row-level security only.
            let count = format!("SELECT count(*) AS rows FROM {table}");
            let rows: i64 = sqlx::query(&count)
                .fetch_one(&mut *transaction)
                .await
                .unwrap()
                .get("rows");
            assert_eq!(rows > 0, seen, "{table} under {setting}");
        }
        for (search, word) in [
            ("search_customers", "maria"),
            ("search_remittances", "maria"),
            ("search_movements", "aguila"),
            ("numbered_movements", "m"),
        ] {
            let search = format!("SELECT count(*) AS rows FROM {search}('% {word}%', '{{% {word}%}}') AS id");
            let rows: i64 = sqlx::query(&search)
                .fetch_one(&mut *transaction)
                .await
                .unwrap()
                .get("rows");
            assert_eq!(rows > 0, seen, "{search} under {setting}");
        }
    }
    let unset = sqlx::query("SELECT count(*) AS rows FROM remittances")
        .fetch_one(office.node.pool())
        .await
        .unwrap();
    assert_eq!(unset.get::<i64, _>("rows"), 0);
    let intruder: TenantId = "other".parse().unwrap();
    let mut read_transaction = office.reads.begin(&intruder, 0).await.unwrap();
    let scope = office.scope(office.manager).await;
    let page = remittance::list(&mut read_transaction, &scope, &ListQuery::default())
        .await
        .unwrap();
    assert_eq!((read_transaction.position(), page.total_records), (0, 0));
}

#[tokio::test]
async fn a_gap_in_the_log_puts_the_tenant_into_quarantine_and_keeps_earlier_rows() {
    let office = Office::open().await;
    office.day().await;
    let mut owner = office.owner().await;
    sqlx::query("DELETE FROM journal.events WHERE position = 20")
        .execute(&mut owner)
        .await
        .unwrap();
    let projector = Projector::with_batch(office.node.clone(), office.journal.clone(), 5);
    let error = projector.catch_up(&office.tenant).await.unwrap_err();
    assert!(
        matches!(error, ProjectError::Journal(JournalError::Diverged { .. })),
        "{error:?}"
    );
    let report = office.journal.quarantined(&office.tenant).unwrap();
    assert_eq!(report.divergence.kind, DivergenceKind::Broken);
    assert_eq!(report.divergence.known.position, 19);
    assert_eq!(projector.status()[0].halted, None);
    let progress = projector.project(&office.tenant).await.unwrap();
    assert!(matches!(progress, Progress::StandsAside(_)), "{progress:?}");
    let lag = projector.lag(&office.tenant).await.unwrap();
    assert_eq!(lag.projected, 15, "what came before the batch with the gap stands");
    assert!(lag.events() > 0 && !lag.is_too_far());
}

#[tokio::test]
async fn read_models_ahead_of_the_log_are_detected_and_rebuilt() {
    let office = Office::open().await;
    office.day().await;
    drop(office.begin().await);
    let head = office.journal.head(&office.tenant).await.unwrap().position;
    let mut owner = office.owner().await;
    for statement in [
        "DELETE FROM journal.events WHERE position > $1",
        "UPDATE journal.heads AS h SET position = e.position, hash = e.hash, recorded_at = e.recorded_at
           FROM journal.events AS e WHERE e.tenant = h.tenant AND e.position = $1",
    ] {
        sqlx::query(statement).bind(head - 3).execute(&mut owner).await.unwrap();
    }
    // A node without evidence: only the read models show the lost events.
    let journal = Journal::open(office.node.clone(), office.keyring.clone(), Arc::new(SystemClock))
        .await
        .unwrap();
    let projector = Projector::new(office.node.clone(), journal.clone());
    assert!(Projector::contradicts_log(&office.node, &office.tenant).await.unwrap());
    projector.catch_up(&office.tenant).await.unwrap_err();
    let report = journal.quarantined(&office.tenant).unwrap();
    assert_eq!(report.divergence.kind, DivergenceKind::ReadModels);
    let run = Rebuild::begin(office.database.url(), &office.node, &journal)
        .await
        .unwrap();
    run.run(|_| {}).await.unwrap();
    assert!(!Projector::contradicts_log(&office.node, &office.tenant).await.unwrap());
    journal
        .end_quarantine(&office.tenant, "the tail was cut")
        .await
        .unwrap();
    projector.catch_up(&office.tenant).await.unwrap();
    assert_eq!(
        verify::replay(&office.node, &journal, &office.tenant, |_, _| {})
            .await
            .unwrap(),
        []
    );
}

#[tokio::test]
async fn an_event_appended_by_the_owner_is_not_projected_and_puts_the_tenant_in_quarantine() {
    let office = Office::open().await;
    office.day().await;
    drop(office.begin().await);
    let head = office.journal.head(&office.tenant).await.unwrap();
    let (_, mut event) = office
        .journal
        .stored(&office.tenant, head.position)
        .await
        .unwrap()
        .unwrap();
    event.position += 1;
    event.aggregate_id = "00000000-0000-7000-8000-000000000001".to_owned();
    event.sequence = 1;
    let hash = event.expected_hash(&office.tenant, &head.hash).unwrap();
    let mut owner = office.owner().await;
    sqlx::query(
        "INSERT INTO journal.events
         SELECT tenant, $1, aggregate_type, $2, 1, event_type, event_version, payload, metadata, recorded_at, $3
           FROM journal.events WHERE position = $1 - 1",
    )
    .bind(event.position)
    .bind(&event.aggregate_id)
    .bind(hash)
    .execute(&mut owner)
    .await
    .unwrap();
    sqlx::query("UPDATE journal.heads SET position = $1, hash = $2")
        .bind(event.position)
        .bind(hash)
        .execute(&mut owner)
        .await
        .unwrap();
    // A node without evidence: its projector is the first to read the log.
    let journal = Journal::open(office.node.clone(), office.keyring.clone(), Arc::new(SystemClock))
        .await
        .unwrap();
    let projector = Projector::new(office.node.clone(), journal.clone());
    projector.catch_up(&office.tenant).await.unwrap_err();
    let report = journal.quarantined(&office.tenant).unwrap();
    assert_eq!(report.divergence.kind, DivergenceKind::HeadUnsigned);
    assert_eq!(projector.lag(&office.tenant).await.unwrap().projected, head.position);
}

/// Deletes the last three events under a node that has projected them. Returns the position of the last deleted
/// event.
async fn cut_under(office: &Office) -> i64 {
    drop(office.begin().await);
    let head = office.journal.head(&office.tenant).await.unwrap().position;
    let mut owner = office.owner().await;
    for statement in [
        "DELETE FROM journal.events WHERE position > $1",
        "UPDATE journal.heads AS h SET position = e.position, hash = e.hash, recorded_at = e.recorded_at
           FROM journal.events AS e WHERE e.tenant = h.tenant AND e.position = $1",
    ] {
        sqlx::query(statement).bind(head - 3).execute(&mut owner).await.unwrap();
    }
    office.journal.look_once().await.unwrap();
    assert!(office.journal.quarantined(&office.tenant).is_some());
    head
}

#[tokio::test]
async fn in_quarantine_reads_wait_for_no_position_and_use_the_current_rows() {
    let office = Office::open().await;
    office.day().await;
    let seen = cut_under(&office).await;
    let started = Instant::now();
    let read_transaction = office.reads.begin(&office.tenant, seen + 100).await.unwrap();
    assert_eq!(read_transaction.position(), seen);
    assert!(started.elapsed() < Duration::from_secs(2), "without waiting");
}

#[tokio::test]
async fn after_a_quarantine_reads_wait_for_positions_of_the_accepted_history() {
    let office = Office::open().await;
    office.day().await;
    let seen = cut_under(&office).await;
    let run = Rebuild::begin(office.database.url(), &office.node, &office.journal)
        .await
        .unwrap();
    run.run(|_| {}).await.unwrap();
    office
        .journal
        .end_quarantine(&office.tenant, "the tail was cut")
        .await
        .unwrap();
    let accepted = office.journal.head(&office.tenant).await.unwrap().position;
    assert!(accepted <= seen, "the position was projected once, of another history");
    let read_transaction = office.reads.begin(&office.tenant, accepted).await.unwrap();
    assert_eq!(read_transaction.position(), accepted);
}

#[tokio::test]
async fn read_models_of_another_version_are_neither_projected_nor_read() {
    let office = Office::open().await;
    drop(office.begin().await);
    let mut owner = office.owner().await;
    sqlx::query("UPDATE read.checkpoints SET version = version + 1")
        .execute(&mut owner)
        .await
        .unwrap();
    office.customer(None, person("Otra", "Persona", "5")).await;
    let other = READ_MODELS_VERSION + 1;
    assert_eq!(
        office.projector.project(&office.tenant).await.unwrap(),
        Progress::OtherVersion(other)
    );
    assert_eq!(Projector::other_version(&office.node).await.unwrap(), Some(other));
    let head = office.projector.lag(&office.tenant).await.unwrap().head;
    // What is there already, too: another version's columns may mean something else.
    for position in [0, head] {
        let read = office.reads.begin(&office.tenant, position).await;
        assert!(
            matches!(read, Err(ReadError::OtherVersion { found, .. }) if found == other),
            "{read:?}"
        );
    }
    let long = Instant::now() + Duration::from_secs(60);
    let waited = office.reads.wait_for(&office.tenant, head, long).await;
    assert!(matches!(waited, Err(ReadError::OtherVersion { .. })), "{waited:?}");
    // A rebuild of that version has put them right.
    sqlx::query("UPDATE read.checkpoints SET version = version - 1")
        .execute(&mut owner)
        .await
        .unwrap();
    assert_eq!(Projector::other_version(&office.node).await.unwrap(), None);
    assert_eq!(office.reads.begin(&office.tenant, head).await.unwrap().position(), head);
}

#[tokio::test]
async fn a_running_projector_follows_every_tenant_and_other_nodes_writes() {
    let office = Office::open().await;
    let (stop, stopped) = watch::channel(false);
    // A node with its own journal, which is not woken by the office's.
    let journal = Journal::open(office.node.clone(), office.keyring.clone(), Arc::new(SystemClock))
        .await
        .unwrap();
    let projector = Projector::new(office.node.clone(), journal);
    let running = tokio::spawn(projector.clone().run(stopped));
    let reached = |wanted: i64| {
        let (projector, tenant) = (projector.clone(), office.tenant.clone());
        async move {
            for _ in 0..400 {
                if projector.lag(&tenant).await.unwrap().projected >= wanted {
                    return true;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            false
        }
    };
    let head = office.journal.head(&office.tenant).await.unwrap().position;
    assert!(reached(head).await);
    office.day().await;
    let head = office.journal.head(&office.tenant).await.unwrap().position;
    assert!(reached(head).await);
    stop.send(true).unwrap();
    tokio::time::timeout(Duration::from_secs(5), running)
        .await
        .unwrap()
        .unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_node_learns_by_its_sweep_how_far_another_has_projected_its_commits() {
    let office = Office::open().await;
    let journal = Journal::open(office.node.clone(), office.keyring.clone(), Arc::new(SystemClock))
        .await
        .unwrap();
    let other = Projector::new(office.node.clone(), journal);
    // Subscribes, so that it knows of its node's commits before it runs.
    let _ = office.projector.known_position(&office.tenant);
    office.fund().await;
    let head = other.catch_up(&office.tenant).await.unwrap();
    assert!(office.projector.known_position(&office.tenant) < head);
    let (stop, stopped) = watch::channel(false);
    let running = tokio::spawn(office.projector.clone().run(stopped));
    let learned = async {
        while office.projector.known_position(&office.tenant) < head {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(5), learned).await.unwrap();
    assert_eq!(office.projector.known_lag(&office.tenant).events(), 0);
    stop.send(true).unwrap();
    tokio::time::timeout(Duration::from_secs(5), running)
        .await
        .unwrap()
        .unwrap();
}

/// Number of connections whose last statement projects conditionally: see `projector/shortcut.rs`.
async fn short_cuts(office: &Office) -> i64 {
    sqlx::query_scalar(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'WITH here AS%'",
    )
    .fetch_one(&mut office.owner().await)
    .await
    .unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn uncontended_own_commits_are_projected_in_one_statement() {
    let office = Office::open().await;
    let (stop, stopped) = watch::channel(false);
    let running = tokio::spawn(office.projector.clone().run(stopped));
    let projected = async || drop(office.begin().await);
    office.fund().await;
    projected().await;
    office.day().await;
    projected().await;
    assert_eq!(short_cuts(&office).await, 1);
    // Another node projects now and then; after a conflict the projector uses the regular path.
    let journal = Journal::open(office.node.clone(), office.keyring.clone(), Arc::new(SystemClock))
        .await
        .unwrap();
    let other = Projector::new(office.node.clone(), journal);
    for turn in 0..12 {
        office
            .customer(None, person("Otra", "Persona", &turn.to_string()))
            .await;
        if turn % 3 == 0 {
            other.catch_up(&office.tenant).await.unwrap();
        } else {
            projected().await;
        }
    }
    projected().await;
    let differences = verify::replay(&office.node, &office.journal, &office.tenant, |_, _| {})
        .await
        .unwrap();
    assert_eq!(differences, []);
    // The projector's end closes its connection, so that the pool can be closed.
    stop.send(true).unwrap();
    running.await.unwrap();
    tokio::time::timeout(Duration::from_secs(5), office.node.close())
        .await
        .unwrap();
    assert_eq!(short_cuts(&office).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn tenants_share_the_short_cuts_connections_when_these_are_fewer() {
    let office = Arc::new(Office::open().await);
    let (stop, stopped) = watch::channel(false);
    let running = tokio::spawn(office.projector.clone().run(stopped));
    let mut offices = vec![office.clone()];
    for number in 0..6 {
        offices.push(Arc::new(office.beside(&format!("beside-{number}")).await));
    }
    let mut at_work = tokio::task::JoinSet::new();
    for office in offices.clone() {
        at_work.spawn(async move {
            office.day().await;
            for phone in 0..20 {
                office
                    .customer(None, person("Otra", "Persona", &phone.to_string()))
                    .await;
                drop(office.begin().await);
            }
        });
    }
    while let Some(done) = at_work.join_next().await {
        done.unwrap();
    }
    let lines = short_cuts(&office).await;
    assert!((1..=4).contains(&lines), "{lines}");
    for office in offices {
        let replayed = verify::replay(&office.node, &office.journal, &office.tenant, |_, _| {}).await;
        assert_eq!(replayed.unwrap(), [], "{}", office.tenant);
    }
    stop.send(true).unwrap();
    running.await.unwrap();
}

#[tokio::test]
async fn past_figures_equal_those_of_their_time() {
    let office = Office::open().await;
    let scope = office.scope(office.manager).await;
    office.fund().await;
    let query = ListQuery::all();
    let then = ledger::balances(&mut office.begin().await, &scope, &query)
        .await
        .unwrap();
    let at = office.journal.head(&office.tenant).await.unwrap().recorded_at;
    tokio::time::sleep(Duration::from_millis(2)).await;
    office.day().await;
    let mut read_transaction = office.begin().await;
    let now = ledger::balances(&mut read_transaction, &scope, &query).await.unwrap();
    let past = query
        .clone()
        .filter("at", at.to_rfc3339_opts(chrono::SecondsFormat::Micros, true));
    let past = ledger::balances(&mut read_transaction, &scope, &past).await.unwrap();
    assert_eq!(past, then);
    assert_ne!(now, then);
    let today = chrono::Utc::now()
        .with_timezone(&caudal_domain::DEFAULT_ZONE)
        .format("%Y%m%d")
        .to_string();
    let of_today = query.clone().filter("to", &today).filter("from", &today);
    assert_eq!(
        ledger::balances(&mut read_transaction, &scope, &of_today)
            .await
            .unwrap(),
        now
    );
    let before = query.filter("to", "20200101");
    assert_eq!(
        ledger::balances(&mut read_transaction, &scope, &before)
            .await
            .unwrap()
            .page
            .total_records,
        0
    );
}

#[tokio::test]
async fn balances_as_of_each_event_equal_those_of_a_replay() {
    let office = Office::open().await;
    office.day().await;
    let scope = office.scope(office.manager).await;
    let mut read_transaction = office.begin().await;
    let log = office.journal.events_after(&office.tenant, 0, 10_000).await.unwrap();
    let mut state = TenantState::default();
    let mut moved = 0;
    for recorded in &log {
        state.apply(&recorded.event, recorded.recorded_at);
        let query = ListQuery::all().filter("position", recorded.position);
        let balances = ledger::balances(&mut read_transaction, &scope, &query).await.unwrap();
        let read: BTreeMap<_, _> = balances
            .page
            .data
            .iter()
            .map(|row| (row.account.clone(), row.closing.0.minor()))
            .collect();
        assert_eq!(read, booked(&state), "at {}", recorded.position);
        moved += usize::from(recorded.event.entry().is_some_and(|entry| !entry.is_empty()));
    }
    assert!(moved > 20, "{moved}");
    for wrong in ["-1", "x", "1.5"] {
        let query = ListQuery::all().filter("position", wrong);
        ledger::balances(&mut read_transaction, &scope, &query)
            .await
            .unwrap_err();
    }
}

impl Office {
    /// A connection as the owner, with the tenant set.
    async fn owner(&self) -> sqlx::PgConnection {
        use sqlx::Connection as _;
        let mut connection = sqlx::PgConnection::connect(self.database.url()).await.unwrap();
        let set = sqlx::query("SELECT set_config('caudal.tenant', $1, false)").bind(self.tenant.as_str());
        set.execute(&mut connection).await.unwrap();
        connection
    }
}
