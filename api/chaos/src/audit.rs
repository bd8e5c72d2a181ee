//! The end: whether what was acknowledged is what is stored, once each, and all that follows from it.

use crate::{
    client::{Call, Client},
    dice::Dice,
    engine::Cell,
    fleet::{Fleet, MANAGER, RECOVERY},
    model::{Model, minor, name},
    worker::Worker,
};
use caudal_domain::ids::TenantId;
use caudal_journal::{Journal, Keyring, SystemClock};
use caudal_postgres::Database;
use caudal_projections::verify;
use serde_json::Value;
use sqlx::Row as _;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

/// How many differences are told of each kind.
const SHOWN: usize = 5;

/// A tenant with those who work in it.
#[derive(Debug)]
pub struct Tenant {
    pub id: TenantId,
    /// Where it lives.
    pub cell: Cell,
    client: Client,
    pub workers: Vec<Worker>,
    /// Where the log stood before the work began.
    base: i64,
}

/// An event or receipt of the work, as it is stored.
type Stored = BTreeMap<String, i64>;

impl Tenant {
    /// A tenant before the work begins.
    pub fn begin(fleet: &Fleet, name: &str, client: Client, workers: Vec<Worker>) -> Self {
        let id: TenantId = name.parse().expect("a tenant's name");
        let cell = Cell::Home;
        let database = fleet.connect(cell);
        let base = fleet.runtime.block_on(async {
            let head = head(&database, &id).await;
            database.close().await;
            head.expect("the database answers")
        });
        Self {
            id,
            cell,
            client,
            workers,
            base,
        }
    }
}

/// Looks at everything, and notes what is not as it should be.
pub fn run(fleet: &Fleet, tenants: &[Tenant]) {
    until_ready(fleet);
    for post in &fleet.posts {
        for line in post.node.panics() {
            fleet.tally.find(line);
        }
    }
    for line in fleet.misused_connections() {
        fleet.tally.find(line);
    }
    for tenant in tenants {
        let database = fleet.connect(tenant.cell);
        let problems = fleet.runtime.block_on(async {
            let problems = stored(fleet, &database, tenant).await;
            database.close().await;
            problems
        });
        for problem in problems {
            fleet.tally.find(format!("{}: {problem}", tenant.id));
        }
        balances(fleet, tenant);
        remittances(tenant);
    }
}

/// Nothing is broken any more: every node says so of itself within its time.
fn until_ready(fleet: &Fleet) {
    let started = Instant::now();
    for address in fleet.addresses() {
        let client = Client::new(vec![address.clone()], "none", fleet.tally.clone());
        loop {
            let state = client.readiness();
            if matches!(state, Some((true, _))) {
                break;
            }
            if started.elapsed() > RECOVERY {
                let finding = format!("{address} is not ready {RECOVERY:?} after the last fault: {state:?}");
                fleet.tally.find(finding);
                break;
            }
            thread::sleep(Duration::from_millis(100));
        }
    }
    fleet.tally.add(
        "milliseconds until all nodes were ready",
        started.elapsed().as_millis() as u64,
    );
}

async fn head(database: &Database, tenant: &TenantId) -> Result<i64, sqlx::Error> {
    let mut transaction = database
        .begin_read(tenant.as_str())
        .await
        .expect("the database answers");
    let row = sqlx::query("SELECT position FROM journal.heads WHERE tenant = $1")
        .bind(tenant.as_str())
        .fetch_one(&mut *transaction)
        .await?;
    row.try_get("position")
}

/// Compares what was acknowledged with the log and its receipts, and verifies log and read models.
async fn stored(fleet: &Fleet, database: &Database, tenant: &Tenant) -> Vec<String> {
    let mut problems = Vec::new();
    let head = head(database, &tenant.id).await.expect("the head is there");
    let acknowledged = tenant.workers.iter().flat_map(|worker| &worker.acknowledged);
    let (mut by_key, mut by_stream) = (Stored::new(), Vec::new());
    for one in acknowledged {
        if by_key.insert(one.key.clone(), one.position).is_some() {
            problems.push(format!("the harness used the key {} twice", one.key));
        }
        by_stream.push((one.position, one.id.clone()));
    }
    let mut transaction = database
        .begin_read(tenant.id.as_str())
        .await
        .expect("the database answers");
    let receipts = sqlx::query("SELECT key, position FROM journal.receipts WHERE tenant = $1 AND key LIKE 'w%'")
        .bind(tenant.id.as_str())
        .fetch_all(&mut *transaction)
        .await
        .expect("the receipts can be read");
    let mut kept = Stored::new();
    for row in receipts {
        let (key, position): (String, i64) = (row.get("key"), row.get("position"));
        if let Some(other) = kept.insert(key.clone(), position) {
            problems.push(format!("two receipts of {key}: at {other} and {position}"));
        }
    }
    differences("receipts", &by_key, &kept, &mut problems);
    let refused = tenant.workers.iter().flat_map(|worker| &worker.refused);
    let refused_and_kept: Vec<_> = refused.filter(|key| kept.contains_key(*key)).take(SHOWN).collect();
    if !refused_and_kept.is_empty() {
        problems.push(format!("refused, and stored all the same: {refused_and_kept:?}"));
    }

    // Every command of the load writes one event, so that positions and streams are the events, each once.
    let events = sqlx::query("SELECT position, aggregate_id FROM journal.events WHERE tenant = $1 AND position > $2")
        .bind(tenant.id.as_str())
        .bind(tenant.base)
        .fetch_all(&mut *transaction)
        .await
        .expect("the events can be read");
    let in_log: BTreeSet<(i64, String)> = events
        .iter()
        .map(|row| (row.get("position"), row.get("aggregate_id")))
        .collect();
    by_stream.sort();
    let answered: BTreeSet<(i64, String)> = by_stream.iter().cloned().collect();
    if answered.len() != by_stream.len() {
        problems.push("one event answers two commands".to_owned());
    }
    let lost: Vec<_> = answered.difference(&in_log).take(SHOWN).collect();
    let unknown: Vec<_> = in_log.difference(&answered).take(SHOWN).collect();
    if !lost.is_empty() {
        problems.push(format!("acknowledged and not in the log: {lost:?}"));
    }
    if !unknown.is_empty() {
        problems.push(format!("in the log and not acknowledged: {unknown:?}"));
    }
    if events.len() as i64 != head - tenant.base {
        problems.push(format!(
            "{} events from {} to the head {head}",
            events.len(),
            tenant.base
        ));
    }
    transaction.rollback().await.expect("a read ends");
    fleet
        .tally
        .add("events of the load, each acknowledged once", in_log.len() as u64);
    problems.extend(verified(fleet, database, &tenant.id).await);
    problems
}

/// The chain, the invariants, and the read models against a replay.
async fn verified(fleet: &Fleet, database: &Database, tenant: &TenantId) -> Vec<String> {
    let mut problems = Vec::new();
    let keyring = Keyring::open_or_create(&Keyring::path(&fleet.data_dir)).expect("the key file is there");
    let journal = Journal::open(database.clone(), keyring, Arc::new(SystemClock))
        .await
        .expect("the journal opens");
    let verification = journal
        .verify(tenant, &[], |_, _| {})
        .await
        .expect("the log can be read");
    problems.extend(verification.fault.map(|fault| fault.to_string()));
    problems.extend(verification.violations.iter().map(|violation| format!("{violation:?}")));
    let differences = verify::replay(database, &journal, tenant, |_, _| {})
        .await
        .expect("the log can be replayed");
    problems.extend(
        differences
            .iter()
            .map(|difference| format!("a replay differs: {difference:?}")),
    );
    journal.close().await;
    problems
}

fn differences(what: &str, acknowledged: &Stored, kept: &Stored, problems: &mut Vec<String>) {
    let beside = |of: &Stored, other: &Stored| -> Vec<(String, i64)> {
        let differs = of.iter().filter(|(key, position)| other.get(*key) != Some(position));
        differs
            .map(|(key, position)| (key.clone(), *position))
            .take(SHOWN)
            .collect()
    };
    let (lost, unknown) = (beside(acknowledged, kept), beside(kept, acknowledged));
    if !lost.is_empty() || !unknown.is_empty() {
        problems.push(format!(
            "{what}: acknowledged and not kept {lost:?}, kept and not acknowledged {unknown:?}"
        ));
    }
}

/// Every account as every node tells it, against the model.
fn balances(fleet: &Fleet, tenant: &Tenant) {
    let mut model = Model::default();
    for worker in &tenant.workers {
        model.merge(&worker.model);
    }
    let wanted = model.balances();
    let position = tenant.workers.iter().flat_map(|worker| &worker.acknowledged);
    let position = position.map(|one| one.position).max().unwrap_or(tenant.base);
    let mut dice = Dice::new(0, 0);
    for address in fleet.addresses() {
        let client = Client::new(vec![address], tenant.id.as_str(), fleet.tally.clone());
        let call = Call::new("GET", "/api/accounting/balances?RecordsPerPage=0").at_least(position);
        let answer = client.ask(&mut dice, MANAGER, &call);
        let found = accounts(&answer.body);
        let differing: Vec<_> = wanted
            .keys()
            .chain(found.keys())
            .filter(|account| wanted.get(*account) != found.get(*account))
            .map(|account| (account, wanted.get(account), found.get(account)))
            .take(SHOWN)
            .collect();
        if !differing.is_empty() {
            fleet.tally.find(format!(
                "{}: balances (account, model, found): {differing:?}",
                tenant.id
            ));
        }
        fleet.tally.add("accounts compared with the model", found.len() as u64);
    }
}

fn accounts(answer: &Value) -> BTreeMap<String, i64> {
    let rows = answer["data"].as_array().map(Vec::as_slice).unwrap_or_default();
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    rows.iter()
        .map(|row| {
            let account = name(&text(&row["kind"]), &text(&row["owner"]["id"]), &text(&row["currency"]));
            (account, minor(&text(&row["closing"])).expect("an amount"))
        })
        .filter(|(_, minor)| *minor != 0)
        .collect()
}

/// Every remittance stands where its worker left it.
fn remittances(tenant: &Tenant) {
    let mut dice = Dice::new(0, 1);
    for held in tenant
        .workers
        .iter()
        .flat_map(|worker| worker.open.iter().chain(&worker.closed))
    {
        let call = Call::new("GET", format!("/api/remittances/{}", held.id));
        let answer = tenant.client.ask(&mut dice, MANAGER, &call);
        if answer.body["status"].as_u64() != Some(held.status as u64) {
            tenant
                .client
                .tally
                .find(format!("{held:?} reads {} {}", answer.status, answer.body["status"]));
        }
        tenant.client.tally.count("remittances compared with the model");
    }
}
