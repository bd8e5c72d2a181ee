//! The demonstration: a month of believable business, told to the journal as real commands by those who would give
//! them, with a clock that moves over the last thirty days. The same every time but for its ids and dates.

pub(crate) mod cast;
pub(crate) mod chance;
pub(crate) mod images;
mod month;
pub(crate) mod people;
mod teller;

use crate::{
    auth::passwords::{HashError, hash_now},
    extract::DEFAULT_TENANT,
    files::Files,
    opening::{Manager, Opening, OpeningError},
    problem::ApiError,
};
use caudal_domain::{DEFAULT_ZONE, Refusal, ids::TenantId};
use caudal_journal::{Journal, JournalError, Keyring, SubmitError};
use caudal_postgres::{Database, DatabaseError};
use chrono::{DateTime, Duration, Utc};
use std::sync::Arc;
use teller::{DemoClock, Teller};

/// The password of every login of the demonstration.
pub const PASSWORD: &str = "Caudal#2026";

/// One login for each role, to try things with.
pub const LOGINS: &[(&str, &str)] = &[
    ("manager", "manager@caudal.demo"),
    ("agency", "agency@caudal.demo"),
    ("external agent", "external@caudal.demo"),
    ("internal agent", "internal@caudal.demo"),
    ("dealer", "dealer@caudal.demo"),
    ("delivery man", "delivery@caudal.demo"),
];

/// How far back the demonstration begins.
const LENGTH: Duration = Duration::days(30);
/// Makes the month what it is.
const SEED: u64 = 2_026;
/// The idempotency key of the month's first command. Who appears is introduced under keys too, so that it can be gone
/// on with after a failure; a month that was begun is left as it is, since what happens in it depends on what happened.
const MONTH: &str = "demo/month";

/// What became of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filled {
    /// The month was told now.
    Now,
    Before,
    /// The tenant has business of its own, which is left alone.
    Occupied,
}

/// Why the demonstration was not told to its end.
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
    #[error(transparent)]
    Hash(#[from] HashError),
    #[error("the demonstration's images can't be kept")]
    Files(#[source] ApiError),
    #[error("the story has {0:?}")]
    Story(String),
}

/// The demonstration's tenant.
pub fn tenant() -> Result<TenantId, DemoError> {
    DEFAULT_TENANT
        .parse()
        .map_err(|_| DemoError::Story(DEFAULT_TENANT.to_owned()))
}

/// Tells the month to the tenant `default`, where it is empty or where telling it was interrupted.
///
/// # Errors
/// Where the database fails or the story is refused.
pub async fn fill(
    database: &Database,
    keyring: &Keyring,
    files: &Files,
    now: DateTime<Utc>,
) -> Result<Filled, DemoError> {
    let tenant = tenant()?;
    if has_begun(database, &tenant).await? {
        return Ok(Filled::Before);
    }
    let begin = now - LENGTH;
    let clock = Arc::new(DemoClock::at(begin));
    let journal = Journal::open(database.clone(), keyring.clone(), clock.clone()).await?;
    let told = tell(&journal, clock, files, &tenant, begin, now).await;
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
    files: &Files,
    tenant: &TenantId,
    begin: DateTime<Utc>,
    now: DateTime<Utc>,
) -> Result<(), DemoError> {
    let password_hash = hash_now(PASSWORD)?;
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
    let images = images::Images::keep(files, tenant, begin).await?;
    let cast = cast::introduce(&mut teller, &mut chance::Chance::seeded(SEED)).await?;
    teller.begin(MONTH);
    let delivered = month::tell(&mut teller, cast, &images, begin, now).await?;
    images.give(files, tenant, &delivered, now).await
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
