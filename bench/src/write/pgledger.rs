//! pgledger: double entry in SQL alone, whose transfers between two accounts are posted.

use crate::{
    load::{self, Client, Load},
    scratch::Scratch,
};
use sqlx::{PgPool, postgres::PgPoolOptions};
use std::{fs, path::Path, time::Duration};

/// As many connections as a node of Caudal has.
const CONNECTIONS: u32 = 20;

/// What its SQL needs to be there before, and where its repository has it, beside that SQL.
const NEEDED: [&str; 2] = [
    "vendor/scoville-pgsql-ulid/ulid-to-uuid.sql",
    "vendor/scoville-pgsql-ulid/uuid-to-ulid.sql",
];

const ACCOUNT: &str = "SELECT id FROM pgledger_create_account($1, 'USD')";
const TRANSFER: &str = "SELECT id FROM pgledger_create_transfer($1, $2, 100.00)";

/// Somebody who posts one transfer after the other, between two accounts of its own: none waits for another's balances.
struct Payer {
    pool: PgPool,
    from: String,
    to: String,
}

impl Client for Payer {
    async fn once(&mut self) -> Duration {
        let posted = sqlx::query(TRANSFER)
            .bind(&self.from)
            .bind(&self.to)
            .fetch_one(&self.pool)
            .await;
        posted.expect("a transfer is posted");
        Duration::ZERO
    }
}

/// Posts transfers with a number of concurrent ones, by the SQL of this file.
///
/// Nothing analyses its tables first: for tables that are known to be nearly empty it would keep plans that read all of them.
pub async fn post(scratch: &Scratch, file: &Path, in_flight: usize, duration: Duration) -> Load {
    let url = scratch.empty().await;
    let mut owner = scratch.owner(&url).await;
    // A file outside its repository may hold all of it.
    let needed = NEEDED.map(|name| fs::read_to_string(file.with_file_name(name)).ok());
    let own = fs::read_to_string(file).expect("pgledger's SQL can be read");
    for sql in needed.iter().flatten().chain([&own]) {
        sqlx::raw_sql(sql)
            .execute(&mut owner)
            .await
            .expect("pgledger's SQL runs on an empty database");
    }
    let pool = PgPoolOptions::new()
        .max_connections(CONNECTIONS)
        .connect(&url)
        .await
        .expect("the server takes connections");
    let mut payers = Vec::new();
    for number in 0..in_flight {
        payers.push(Payer {
            pool: pool.clone(),
            from: account(&pool, &format!("S {number}")).await,
            to: account(&pool, &format!("R {number}")).await,
        });
    }
    let load = load::closed(payers, duration).await;
    pool.close().await;
    load
}

async fn account(pool: &PgPool, name: &str) -> String {
    let id = sqlx::query_scalar(ACCOUNT).bind(name).fetch_one(pool).await;
    id.expect("an account is created")
}
