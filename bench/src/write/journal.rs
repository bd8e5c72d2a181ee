//! Remittances sold through the journal itself: decided, guarded, chained, with a receipt, durable.

use crate::{
    load::{self, Client, Load},
    office::Office,
    scratch::{Scratch, connect},
};
use caudal_journal::{Journal, Keyring, SystemClock};
use caudal_postgres::Database;
use caudal_projections::{Projector, Reads};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};
use tokio::{sync::watch, task::JoinHandle};

/// How long a reader waits for what was sold; it is over long before.
const PATIENCE: Duration = Duration::from_secs(60);

/// A journal in this process on a database of its own, with tenants that sell.
pub struct Shop {
    /// The owner's URL of its database.
    pub url: String,
    pub journal: Journal,
    /// The tenants.
    pub offices: Vec<Office>,
    projector: Projector,
    reads: Reads,
    database: Database,
    projecting: Option<(watch::Sender<bool>, JoinHandle<()>)>,
}

/// Somebody who sells one remittance after the other.
struct Seller {
    journal: Journal,
    office: Office,
    number: usize,
}

impl Seller {
    async fn sell(&mut self) -> i64 {
        self.number += 1;
        let sale = self.office.sale(self.number);
        let sold = self.journal.submit(&self.office.tenant, sale).await;
        sold.expect("a sale is accepted").position
    }
}

impl Client for Seller {
    async fn once(&mut self) -> Duration {
        self.sell().await;
        Duration::ZERO
    }
}

/// Somebody who sells, and counts from the commit until what was sold can be read.
struct Reader {
    seller: Seller,
    reads: Reads,
}

impl Client for Reader {
    async fn once(&mut self) -> Duration {
        let asked = Instant::now();
        let position = self.seller.sell().await;
        let committed = asked.elapsed();
        let tenant = &self.seller.office.tenant;
        let read = self.reads.wait_for(tenant, position, Instant::now() + PATIENCE).await;
        read.expect("it can be read in the end");
        committed
    }
}

impl Shop {
    /// Opens the journal with a number of tenants.
    pub async fn open(scratch: &Scratch, tenants: usize) -> Self {
        let url = scratch.migrated().await;
        let database = connect(&url).await;
        let keyring = Keyring::generate().expect("the system has randomness");
        let journal = Journal::open(database.clone(), keyring, Arc::new(SystemClock))
            .await
            .expect("the journal opens on a new database");
        let mut offices = Vec::new();
        for number in 0..tenants {
            offices.push(Office::open(&journal, &format!("bench-{number}"), "$argon2id$none").await);
        }
        let projector = Projector::new(database.clone(), journal.clone());
        Self {
            url,
            journal,
            offices,
            reads: Reads::new(database.clone(), projector.clone()),
            projector,
            database,
            projecting: None,
        }
    }

    /// Lets a projector follow from now on.
    pub fn project(&mut self) {
        let (stop, stopped) = watch::channel(false);
        self.projecting = Some((stop, tokio::spawn(self.projector.clone().run(stopped))));
    }

    fn seller(&self, number: usize) -> Seller {
        Seller {
            journal: self.journal.clone(),
            office: self.offices[number % self.offices.len()].clone(),
            number: number * 7,
        }
    }

    /// Sells with a number of concurrent commands.
    pub async fn sell(&self, in_flight: usize, duration: Duration) -> Load {
        let sellers = (0..in_flight).map(|number| self.seller(number)).collect();
        load::closed(sellers, duration).await
    }

    /// Sells at a fixed rate per second; the times are those from commit to visibility.
    pub async fn lag(&self, rate: f64, duration: Duration) -> Load {
        let reader = |number| Reader {
            seller: self.seller(number),
            reads: self.reads.clone(),
        };
        load::paced((0..64).map(reader).collect(), rate, duration).await
    }

    /// Projects what is not yet; events a second.
    pub async fn catch_up(&self) -> f64 {
        let tenant = &self.offices[0].tenant;
        let behind = self.projector.lag(tenant).await.expect("it can be asked").events();
        let started = Instant::now();
        self.projector.catch_up(tenant).await.expect("it can be projected");
        behind as f64 / started.elapsed().as_secs_f64()
    }

    /// How many events were committed together, on average, of the sales so far.
    pub async fn batch(&self, scratch: &Scratch) -> f64 {
        let tenant = self.offices[0].tenant.as_str();
        let mut owner = scratch.owner(&self.url).await;
        let set = "SELECT set_config('caudal.tenant', $1, false)";
        sqlx::query(set)
            .bind(tenant)
            .execute(&mut owner)
            .await
            .expect("a setting");
        sqlx::query_scalar(
            "SELECT count(*)::float8 / count(DISTINCT xmin::text) FROM journal.events
              WHERE tenant = $1 AND event_type = 'RemittanceCreated'",
        )
        .bind(tenant)
        .fetch_one(&mut owner)
        .await
        .expect("the log can be read")
    }

    /// Ends all of it.
    pub async fn close(self) {
        if let Some((stop, running)) = self.projecting {
            stop.send_replace(true);
            running.await.expect("the projector ends");
        }
        self.journal.close().await;
        self.database.close().await;
    }
}
