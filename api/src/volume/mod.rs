//! Volume: a tenant of any size for measuring, made by the commands that a business of that size gives, decided by the
//! domain and appended by the lane like all others. A year is told in waves, so that batches are full: each wave brings
//! new customers and sales, and moves on what the waves before it sold.

mod cash;
mod cast;
mod crowd;
mod sales;

use crate::{
    demo::{DemoError, PASSWORD, chance::Chance, images::Images},
    files::Files,
    opening::{Manager, Opening},
};
use cast::Cast;
use caudal_domain::{DEFAULT_ZONE, ids::TenantId};
use caudal_journal::{Journal, Keyring};
use caudal_postgres::Database;
use chrono::{DateTime, Datelike as _, Duration, NaiveDate, Utc};
use chrono_tz::Tz;
use crowd::{Crowd, TickingClock};
use sales::Sold;
use std::sync::Arc;

/// Sales of a wave at most: what the lane takes in a few full batches, and its cache of streams holds three times over.
const WAVE: u64 = 1_024;
/// Sales of a wave where there are few, so that a small tenant has a year of days too.
const SMALL_WAVE: u64 = 128;
/// Waves at least.
const WAVES: u64 = 400;
/// Where the zone of a tenant's days comes from.
const ZONE: Tz = DEFAULT_ZONE;

/// What to make.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The tenant, which is opened.
    pub tenant: TenantId,
    /// How many remittances are sold.
    pub remittances: u64,
    /// Over how many days, until now.
    pub days: i64,
    /// Makes another year of the same size.
    pub seed: u64,
}

#[derive(Clone, Copy, Debug)]
pub struct Made {
    /// Remittances sold.
    pub remittances: u64,
    pub commands: u64,
    /// The log's last position.
    pub position: i64,
}

/// Makes a tenant. `told` hears how many remittances are sold so far.
///
/// # Errors
/// Where the database fails, the tenant exists, or a command is refused that never should be.
pub async fn generate(
    database: &Database,
    keyring: &Keyring,
    files: &Files,
    plan: &Plan,
    now: DateTime<Utc>,
    told: impl FnMut(u64),
) -> Result<Made, DemoError> {
    let begin = now - Duration::days(plan.days);
    let clock = Arc::new(TickingClock::at(begin));
    let journal = Journal::open(database.clone(), keyring.clone(), clock.clone()).await?;
    let made = tell(&journal, clock, files, plan, (begin, now), told).await;
    journal.close().await;
    made
}

async fn tell(
    journal: &Journal,
    clock: Arc<TickingClock>,
    files: &Files,
    plan: &Plan,
    (begin, now): (DateTime<Utc>, DateTime<Utc>),
    mut told: impl FnMut(u64),
) -> Result<Made, DemoError> {
    let password_hash = crate::auth::passwords::hash_now(PASSWORD)?;
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
    let images = Images::keep(files, &plan.tenant, begin).await?;
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
        // What was refused, or fell on who has no card, is made up for.
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

/// A year under way.
struct Year {
    crowd: Crowd,
    cast: Cast,
    chance: Chance,
    images: Images,
    /// Sales of a wave.
    per_wave: u64,
    /// What the last wave sold.
    sold: Vec<Sold>,
    /// What is under way since earlier waves.
    moving: Vec<Sold>,
    /// Remittances sold.
    count: u64,
}
