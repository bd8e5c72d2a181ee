//! `caudal generate`.

use super::{Failure, Place, demo::Lent, node::Node, progress::Progress, say};
use caudal_domain::ids::TenantId;
use caudal_generators::{
    demo::PASSWORD,
    volume::{self, Plan},
};
use caudal_projections::Projector;
use clap::Args;
use std::time::Instant;

/// Makes a tenant with so many remittances, for measuring: a year of business told through the same commands as any
/// other, with everybody's logins (manager@caudal.demo, agency@caudal.demo, …) under the demonstration's password.
#[derive(Args, Debug)]
pub struct Generate {
    /// The tenant to make
    #[arg(long, value_name = "TENANT")]
    tenant: TenantId,
    /// How many remittances it sells
    #[arg(long, value_name = "COUNT", default_value_t = 100_000)]
    remittances: u64,
    /// Over how many days until now
    #[arg(long, value_name = "DAYS", default_value_t = 365, value_parser = clap::value_parser!(i64).range(1..=3_650))]
    days: i64,
    /// Another number makes another year
    #[arg(long, value_name = "NUMBER", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    place: Place,
}

impl Generate {
    pub async fn run(self) -> Result<(), Failure> {
        let node = Node::open(&self.place, "caudal generate").await?;
        let outcome = self.on(&node).await;
        node.close().await?;
        outcome
    }

    async fn on(&self, node: &Node) -> Result<(), Failure> {
        let plan = Plan {
            tenant: self.tenant.clone(),
            remittances: self.remittances,
            days: self.days,
            seed: self.seed,
        };
        let server = Lent(node.files()?);
        let mut progress = Progress::of_unit(self.tenant.to_string(), "remittances");
        let of = i64::try_from(self.remittances).unwrap_or(i64::MAX);
        let started = Instant::now();
        let told = |sold| progress.tell(i64::try_from(sold).unwrap_or(i64::MAX), of);
        let made = volume::generate(&node.database, &node.keyring, &server, &plan, node.clock.now(), told).await?;
        let seconds = started.elapsed().as_secs_f64();
        let rate = made.commands as f64 / seconds;
        say(&format!(
            "{}: {} remittances, {} events in {seconds:.1} s ({rate:.0} commands a second); password {PASSWORD}",
            self.tenant, made.remittances, made.position
        ));
        let started = Instant::now();
        let projected = Projector::new(node.database.clone(), node.journal.clone())
            .catch_up(&self.tenant)
            .await?;
        let seconds = started.elapsed().as_secs_f64();
        let rate = projected as f64 / seconds;
        say(&format!(
            "{}: projected in {seconds:.1} s ({rate:.0} events a second)",
            self.tenant
        ));
        Ok(())
    }
}
