//! Demonstration data: a month of plausible business as real commands of its parties, with a clock that moves over the
//! last thirty days. Deterministic except for ids and dates.

mod approvals;
pub(crate) mod cast;
pub(crate) mod chance;
pub(crate) mod images;
mod month;
pub(crate) mod people;
mod teller;

use crate::{Failure, Server};
use caudal_domain::{DEFAULT_ZONE, Refusal, ids::TenantId};
use caudal_journal::{Journal, JournalError, Keyring, Manager, Opening, OpeningError, SubmitError};
use caudal_postgres::{Database, DatabaseError};
use chrono::{DateTime, Duration, Utc};
use std::sync::Arc;
use teller::{DemoClock, Teller};

/// Password of all demonstration logins.
pub const PASSWORD: &str = "Caudal#2026";

/// One login per role, and a second manager: nobody approves what they proposed.
pub const LOGINS: &[(&str, &str)] = &[
    ("manager", "manager@caudal.demo"),
    ("second manager", "manager2@caudal.demo"),
    ("agency", "agency@caudal.demo"),
    ("external agent", "external@caudal.demo"),
    ("internal agent", "internal@caudal.demo"),
    ("dealer", "dealer@caudal.demo"),
    ("delivery man", "delivery@caudal.demo"),
];

/// Duration of the month.
const LENGTH: Duration = Duration::days(30);
/// Random seed.
const SEED: u64 = 2_026;
/// Idempotency key of the month's first command. The cast is created under keys too, so that creation can resume after
/// a failure; a started month is left alone, because its events depend on each other.
const MONTH: &str = "demo/month";

/// Outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filled {
    /// The month was generated.
    Now,
    Before,
    /// The tenant has other business, which is left alone.
    Occupied,
}

/// Why generation failed.
#[derive(Debug, thiserror::Error)]
pub enum DemoError {
    #[error("the demonstration's tenant")]
    Opening(#[from] OpeningError),
    #[error("the demonstration was refused at step {step}: {refusal}")]
    Refused { step: String, refusal: Refusal },
    #[error("the demonstration can't be written")]
    Submit(#[source] SubmitError),
    #[error("the journal can't be used")]
    Journal(#[from] JournalError),
    #[error("the database can't be used")]
    Database(#[from] DatabaseError),
    #[error("the database failed")]
    Sql(#[from] sqlx::Error),
    #[error("the demonstration's password")]
    Password(#[source] Failure),
    #[error("the demonstration's images can't be kept")]
    Files(#[source] Failure),
    #[error("the story has {0:?}")]
    Story(String),
}

/// Generates the month in a tenant, if empty or interrupted during the cast.
///
/// # Errors
/// When the database fails or a command is refused.
pub async fn fill(
    database: &Database,
    keyring: &Keyring,
    server: &impl Server,
    tenant: &TenantId,
    now: DateTime<Utc>,
) -> Result<Filled, DemoError> {
    if has_begun(database, tenant).await? {
        return Ok(Filled::Before);
    }
    let begin = now - LENGTH;
    let clock = Arc::new(DemoClock::at(begin));
    let journal = Journal::open(database.clone(), keyring.clone(), clock.clone()).await?;
    let told = tell(&journal, clock, server, tenant, begin, now).await;
    journal.close().await;
    match told {
        Err(DemoError::Opening(OpeningError::Different)) => Ok(Filled::Occupied),
        Err(error) => Err(error),
        Ok(()) => Ok(Filled::Now),
    }
}

async fn tell(
    journal: &Journal,
    clock: Arc<DemoClock>,
    server: &impl Server,
    tenant: &TenantId,
    begin: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<(), DemoError> {
    let password_hash = server.hash(PASSWORD).map_err(DemoError::Password)?;
    let opening = Opening {
        tenant: tenant.clone(),
        name: "Caudal Demo".to_owned(),
        time_zone: DEFAULT_ZONE,
        manager: Manager {
            name: "Marta Quintana".to_owned(),
            email: "manager@caudal.demo".to_owned(),
            password_hash: password_hash.clone(),
        },
    };
    let manager = opening.run(journal).await?;
    let mut teller = Teller::new(journal.clone(), tenant.clone(), clock, manager, password_hash);
    let images = images::Images::keep(server, tenant, begin).await?;
    let cast = cast::introduce(&mut teller, &mut chance::Chance::seeded(SEED)).await?;
    approvals::set_rules(&mut teller).await?;
    teller.begin(MONTH);
    let agency = cast.sellers.first().map(|seller| seller.id);
    let delivered = month::tell(&mut teller, cast, &images, begin, now).await?;
    approvals::propose(&mut teller, agency).await?;
    images.give(server, tenant, &delivered, now).await
}

async fn has_begun(database: &Database, tenant: &TenantId) -> Result<bool, DemoError> {
    let mut transaction = database.begin_read(tenant.as_str()).await?;
    let found = sqlx::query("SELECT 1 FROM journal.receipts WHERE tenant = $1 AND key = $2")
        .bind(tenant.as_str())
        .bind(MONTH)
        .fetch_optional(&mut *transaction)
        .await?;
    Ok(found.is_some())
}
