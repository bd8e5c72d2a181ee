//! Where a tenant is after its moves: one cell takes its writes, and the other serves nothing of it.

use crate::{audit::Tenant, engine::Cell, fleet::Fleet, operator};
use caudal_domain::ids::TenantId;
use caudal_postgres::Database;
use std::path::Path;

/// The error by which the database refuses a tenant of another cell.
const LIVES_ELSEWHERE: &str = "CA001";

/// Statements without effect that a cell answers for tenants that live in it: a write, and the confirmation of a refusal.
const ANSWERED_WHERE_IT_LIVES: [(&str, &str); 2] = [
    (
        "a write",
        "UPDATE journal.heads SET epoch = epoch WHERE tenant = $1 RETURNING position",
    ),
    ("a refusal", "SELECT head_position FROM journal.signed_head($1)"),
];

/// What a move removes from the cell that was left: nothing can be read there that the log's ciphertext does not show.
const REMOVED: [&str; 6] = [
    "read.remittances WHERE tenant = $1",
    "read.movements WHERE tenant = $1",
    "journal.answers WHERE tenant = $1",
    "journal.credentials WHERE tenant = $1",
    "journal.sessions WHERE tenant = $1",
    "journal.subject_keys WHERE tenant = $1 AND wrapped IS NOT NULL",
];

/// Looks at both cells, and notes what is not as it should be.
pub fn check(fleet: &Fleet, tenant: &Tenant) {
    let (here, there) = (tenant.cell, tenant.cell.other());
    let (own, other) = (fleet.connect(here), fleet.connect(there));
    let problems = fleet.runtime.block_on(async {
        let id = &tenant.id;
        let mut problems = Vec::new();
        let states = (state(&own, id).await, state(&other, id).await);
        let has_never_moved = here == Cell::Home && states == (None, None);
        if !has_never_moved && (states.0.as_deref(), states.1.as_deref()) != (Some("here"), Some("left")) {
            problems.push(format!("placed as {states:?} in {} and {}", here.name(), there.name()));
        }
        for (what, statement) in ANSWERED_WHERE_IT_LIVES {
            if !answers(&own, id, statement).await {
                problems.push(format!("{what} is refused in {}, where it lives", here.name()));
            }
            if answers(&other, id, statement).await {
                problems.push(format!(
                    "{what} is accepted in {}, where it does not live",
                    there.name()
                ));
            }
        }
        for rows in REMOVED {
            let kept = count(&other, id, rows).await;
            if kept > 0 {
                problems.push(format!("{kept} rows are left in {}: {rows}", there.name()));
            }
        }
        own.close().await;
        other.close().await;
        problems
    });
    for problem in problems {
        fleet.tally.find(format!("{}: {problem}", tenant.id));
    }
}

/// Signs the end of a tenant's log, as an operator does.
pub fn sign(fleet: &Fleet, tenant: &str, checkpoints: &Path) {
    operate(fleet, &["checkpoint", tenant, "--to", text(checkpoints)]);
    fleet.tally.count("checkpoints signed between the moves");
}

/// Lets the operator's command verify a tenant where it lives, against all that was signed.
pub fn verify(fleet: &Fleet, tenant: &str, checkpoints: &Path) {
    operate(fleet, &["verify", tenant, "--checkpoints-at", text(checkpoints)]);
}

fn operate(fleet: &Fleet, arguments: &[&str]) {
    let said = operator::run(fleet.posts[0].node.launch(), arguments);
    if !said.is_success {
        fleet
            .tally
            .find(format!("caudal {}: {}", arguments.join(" "), said.text));
    }
}

fn text(folder: &Path) -> &str {
    folder.to_str().expect("a temporary folder has a plain name")
}

async fn state(database: &Database, tenant: &TenantId) -> Option<String> {
    let mut read = database
        .begin_read(tenant.as_str())
        .await
        .expect("the database answers");
    let state = sqlx::query_scalar("SELECT state FROM journal.placements WHERE tenant = $1")
        .bind(tenant.as_str())
        .fetch_optional(&mut *read)
        .await
        .expect("placements can be read");
    read.rollback().await.expect("a read ends");
    state
}

/// Whether a cell carries a statement out for a tenant. It is taken back.
async fn answers(database: &Database, tenant: &TenantId, statement: &str) -> bool {
    let mut write = database
        .begin_write(tenant.as_str())
        .await
        .expect("the database answers");
    let answer = sqlx::query(statement)
        .bind(tenant.as_str())
        .fetch_optional(&mut *write)
        .await;
    write.rollback().await.expect("a transaction ends");
    match answer {
        Ok(row) => row.is_some(),
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some(LIVES_ELSEWHERE) => false,
        Err(error) => panic!("{statement}: {error}"),
    }
}

async fn count(database: &Database, tenant: &TenantId, rows: &str) -> i64 {
    let mut read = database
        .begin_read(tenant.as_str())
        .await
        .expect("the database answers");
    let counted = sqlx::query_scalar(&format!("SELECT count(*) FROM {rows}"))
        .bind(tenant.as_str())
        .fetch_one(&mut *read)
        .await;
    read.rollback().await.expect("a read ends");
    counted.expect("rows can be counted")
}
