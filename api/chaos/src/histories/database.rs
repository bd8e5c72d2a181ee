//! What happens to the database: copies of its files, and statements of its owner.

use crate::fleet::Fleet;
use nix::sys::signal::Signal;
use sqlx::{Connection as _, Executor as _, PgConnection, Row as _};
use std::{collections::BTreeSet, fs, path::Path};

/// Stops PostgreSQL: in good order, or by killing its first process.
pub fn stop(fleet: &mut Fleet, by_crash: bool) {
    if by_crash {
        fleet.server.signal(Signal::SIGKILL);
    }
    fleet.server.halt().expect("PostgreSQL stops");
}

/// Copies the data of a stopped PostgreSQL aside.
pub fn copy(fleet: &Fleet, to: &Path) {
    // The copy of an earlier variant.
    let _ = fs::remove_dir_all(to);
    fleet.server.copy_data(to).expect("the data can be copied");
}

/// Starts PostgreSQL on a copy.
pub fn start_on(fleet: &mut Fleet, copy: &Path) {
    fleet.server.replace_data(copy).expect("the data can be replaced");
    fleet.server.resume().expect("PostgreSQL starts");
}

async fn owner(fleet: &Fleet, tenant: &str) -> PgConnection {
    let mut connection = PgConnection::connect(fleet.server.url())
        .await
        .expect("the database answers");
    sqlx::query("SELECT set_config('caudal.tenant', $1, false)")
        .bind(tenant)
        .execute(&mut connection)
        .await
        .expect("a setting can be set");
    connection
}

/// Runs statements as the owner of the tables.
pub fn edit(fleet: &Fleet, tenant: &str, statements: &str) {
    fleet.runtime.block_on(async {
        let mut owner = owner(fleet, tenant).await;
        owner.execute(statements).await.expect("the owner may do it");
        owner.close().await.expect("a connection closes");
    });
}

/// The head's position.
pub fn head(fleet: &Fleet, tenant: &str) -> i64 {
    fleet.runtime.block_on(async {
        let mut owner = owner(fleet, tenant).await;
        let row = sqlx::query("SELECT position FROM journal.heads WHERE tenant = $1")
            .bind(tenant)
            .fetch_one(&mut owner)
            .await
            .expect("the head is there");
        owner.close().await.expect("a connection closes");
        row.get("position")
    })
}

/// The positions and streams of all events.
pub fn events(fleet: &Fleet, tenant: &str) -> BTreeSet<(i64, String)> {
    fleet.runtime.block_on(async {
        let mut owner = owner(fleet, tenant).await;
        let rows = sqlx::query("SELECT position, aggregate_id FROM journal.events WHERE tenant = $1")
            .bind(tenant)
            .fetch_all(&mut owner)
            .await
            .expect("the events can be read");
        owner.close().await.expect("a connection closes");
        rows.iter()
            .map(|row| (row.get("position"), row.get("aggregate_id")))
            .collect()
    })
}

/// Takes events off the end of the log, with what was written beside them, and sets the head back; the read models stay.
pub fn cut(tenant: &str, to: i64) -> String {
    format!(
        "BEGIN;
         LOCK TABLE journal.heads IN ACCESS EXCLUSIVE MODE;
         DELETE FROM journal.events WHERE tenant = '{tenant}' AND position > {to};
         DELETE FROM journal.receipts WHERE tenant = '{tenant}' AND position > {to};
         DELETE FROM journal.snapshots WHERE tenant = '{tenant}' AND position > {to};
         UPDATE journal.heads AS h SET position = e.position, hash = e.hash, recorded_at = e.recorded_at
           FROM journal.events AS e WHERE h.tenant = '{tenant}' AND e.tenant = h.tenant AND e.position = {to};
         COMMIT"
    )
}

/// Swaps the payloads of an event and the next one; done twice, everything is as before.
pub fn swap(tenant: &str, position: i64) -> String {
    format!(
        "UPDATE journal.events AS e SET payload = o.payload FROM journal.events AS o
          WHERE e.tenant = '{tenant}' AND o.tenant = '{tenant}' AND e.position BETWEEN {position} AND {position} + 1
            AND o.position = 2 * {position} + 1 - e.position"
    )
}

/// Changes the head alone.
pub fn change_head(tenant: &str, change: &str) -> String {
    format!("UPDATE journal.heads SET {change} WHERE tenant = '{tenant}'")
}
