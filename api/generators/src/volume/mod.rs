//! Volume generator: a tenant of any size for measurements, made of real commands through the writer. A year is
//! generated in waves, so that batches are full: each wave adds customers and sales, and processes earlier ones.

mod cash;
mod cast;
mod crowd;
mod sales;

use crate::{
    Server,
    demo::{DemoError, PASSWORD, chance::Chance, images::Images},
};
use cast::Cast;
use caudal_domain::{DEFAULT_ZONE, ids::TenantId};
use caudal_journal::{Journal, Keyring, Manager, Opening};
use caudal_postgres::Database;
use chrono::{DateTime, Datelike as _, Duration, NaiveDate, Utc};
use chrono_tz::Tz;
use crowd::{Crowd, TickingClock};
use sales::Sold;
use std::sync::Arc;

/// Maximum sales per wave: a few full batches, a third of the stream cache.
const WAVE: u64 = 1_024;
/// Sales per wave of a small tenant, so that its year has many days too.
const SMALL_WAVE: u64 = 128;
/// Minimum number of waves.
const WAVES: u64 = 400;
/// Time zone of the tenant.
const ZONE: Tz = DEFAULT_ZONE;

/// Parameters of the generation.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Tenant to open.
    pub tenant: TenantId,
    /// Remittances to sell.
    pub remittances: u64,
    /// Duration in days, until now.
    pub days: i64,
    /// Random seed.
    pub seed: u64,
}

#[derive(Clone, Copy, Debug)]
pub struct Made {
    /// Remittances sold.
    pub remittances: u64,
    pub commands: u64,
    /// Last log position.
    pub position: i64,
}

/// Generates a tenant. `told` receives the number of remittances sold so far.
///
/// # Errors
/// When the database fails, the tenant exists, or a command is refused unexpectedly.
pub async fn generate(
    database: &Database,
    keyring: &Keyring,
    server: &impl Server,
    plan: &Plan,
    now: DateTime<Utc>,
    told: impl FnMut(u64),
) -> Result<Made, DemoError> {
    let begin = now - Duration::days(plan.days);
    let clock = Arc::new(TickingClock::at(begin));
    let journal = Journal::open(database.clone(), keyring.clone(), clock.clone()).await?;
    let made = tell(&journal, clock, server, plan, (begin, now), told).await;
    journal.close().await;
    made
}

async fn tell(
    journal: &Journal,
    clock: Arc<TickingClock>,
    server: &impl Server,
    plan: &Plan,
    (begin, now): (DateTime<Utc>, DateTime<Utc>),
    mut told: impl FnMut(u64),
) -> Result<Made, DemoError> {
    let password_hash = server.hash(PASSWORD).map_err(DemoError::Password)?;
    let opening = Opening {
        tenant: plan.tenant.clone(),
        name: format!("{} remittances", plan.remittances),
        time_zone: ZONE,
        manager: Manager {
            name: "Marta Quintana".to_owned(),
            email: "manager@caudal.demo".to_owned(),
            password_hash: password_hash.clone(),
        },
    };
    let manager = opening.run(journal).await?;
    let images = Images::keep(server, &plan.tenant, begin).await?;
    let crowd = Crowd::new(journal.clone(), plan.tenant.clone(), clock);
    let mut chance = Chance::seeded(plan.seed);
    let cast = cast::introduce(&crowd, &mut chance, manager, password_hash).await?;
    let wave = (plan.remittances / WAVES).clamp(SMALL_WAVE, WAVE);
    let waves = plan.remittances.div_ceil(wave).max(1);
    let mut year = Year {
        crowd,
        cast,
        chance,
        images,
        per_wave: wave,
        sold: Vec::new(),
        moving: Vec::new(),
        count: 0,
    };
    let mut month = local(begin);
    for number in 0..waves {
        let share = |number: u64| i32::try_from(number).unwrap_or(i32::MAX);
        let length = (now - begin) / share(waves).max(1);
        let from = begin + length * share(number);
        year.crowd.clock.begin(from, from + length);
        if number % cash::WAVES_BETWEEN == 0 {
            year.fund().await?;
        }
        let today = local(from);
        if (today.year(), today.month()) != (month.year(), month.month()) {
            month = today;
            year.close(month.with_day(1).and_then(|first| first.pred_opt())).await?;
        }
        // Makes up for refused sales and recipients without a card.
        let wanted = plan.remittances.saturating_sub(year.count).div_ceil(waves - number);
        year.bring_customers(wanted).await?;
        year.sell_and_move(wanted).await?;
        told(year.count);
    }
    while year.count < plan.remittances {
        let missing = plan.remittances - year.count;
        year.fund().await?;
        year.sell_and_move(missing.min(wave)).await?;
    }
    let head = journal.head(&plan.tenant).await?;
    Ok(Made {
        remittances: year.count,
        commands: year.crowd.commands(),
        position: head.position,
    })
}

fn local(at: DateTime<Utc>) -> NaiveDate {
    at.with_timezone(&ZONE).date_naive()
}

/// State of the generation.
struct Year {
    crowd: Crowd,
    cast: Cast,
    chance: Chance,
    images: Images,
    /// Sales per wave.
    per_wave: u64,
    /// Sales of the last wave.
    sold: Vec<Sold>,
    /// Open remittances of earlier waves.
    moving: Vec<Sold>,
    /// Remittances sold.
    count: u64,
}
