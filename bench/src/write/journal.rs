//! Remittances sold through the journal itself: decided, guarded, chained, with a receipt, durable.

use super::Arguments;
use crate::{
    load::{self, Client, Load},
    office::Office,
    report::{Report, whole},
    scratch::{Scratch, connect},
};
use caudal_journal::{Journal, Keyring, SystemClock};
use std::sync::Arc;

/// How many commands are under way at a time.
const IN_FLIGHT: [usize; 5] = [1, 8, 32, 64, 128];

/// Somebody who sells one remittance after the other.
struct Seller {
    journal: Journal,
    office: Office,
    number: usize,
}

impl Client for Seller {
    async fn once(&mut self) {
        self.number += 1;
        let sale = self.office.sale(self.number);
        let sold = self.journal.submit(&self.office.tenant, sale).await;
        sold.expect("a sale is accepted");
    }
}

/// Measures it with each number of commands under way.
pub async fn measure(scratch: &Scratch, arguments: &Arguments, report: &mut Report) {
    let mut rows = Vec::new();
    for in_flight in IN_FLIGHT {
        let load = sell(scratch, 1, in_flight, arguments).await;
        let [median, p99] = load.latencies.median_and_p99();
        rows.push(vec![in_flight.to_string(), whole(load.rate), median, p99]);
    }
    report.table(&["In flight", "Remittances/s", "Median, ms", "p99, ms"], &rows);
}

/// Sells in so many tenants, with so many commands under way together.
async fn sell(scratch: &Scratch, tenants: usize, in_flight: usize, arguments: &Arguments) -> Load {
    let database = connect(&scratch.migrated().await).await;
    let keyring = Keyring::generate().expect("the system has randomness");
    let journal = Journal::open(database.clone(), keyring, Arc::new(SystemClock))
        .await
        .expect("the journal opens on a new database");
    let mut offices = Vec::new();
    for number in 0..tenants {
        offices.push(Office::open(&journal, &format!("bench-{number}"), "$argon2id$none").await);
    }
    let sellers = (0..in_flight).map(|number| Seller {
        journal: journal.clone(),
        office: offices[number % tenants].clone(),
        number: number * 7,
    });
    let load = load::closed(sellers.collect(), arguments.common.duration()).await;
    journal.close().await;
    database.close().await;
    load
}
