//! The demonstration, whatever the hour at which it is asked for.

use caudal_domain::ids::{RemittanceId, TenantId};
use caudal_generators::{
    Failure, Server,
    demo::{self, Filled},
};
use caudal_journal::Keyring;
use caudal_postgres_testing::TestDatabase;
use chrono::{DateTime, Duration, Utc};
use sqlx::{Connection as _, PgConnection};

/// Stores no images and hashes no password.
struct Pretended;

impl Server for Pretended {
    fn hash(&self, _: &str) -> Result<String, Failure> {
        Ok(caudal_api::auth::passwords::hash_now("Caudal#2026")?)
    }

    async fn keep(
        &self,
        _: &TenantId,
        _: &'static [u8],
        _: &[RemittanceId],
        _: DateTime<Utc>,
    ) -> Result<String, Failure> {
        Ok("0".repeat(64))
    }
}

/// The events that give a remittance each of its five statuses.
const STATUSES: [&str; 5] = [
    "RemittanceAssigned",
    "RemittanceCanceled",
    "RemittanceCompleted",
    "RemittanceCreated",
    "RemittanceFailed",
];

/// Types of the last events of remittances, without those that keep the status.
const LAST: &str = "
    SELECT DISTINCT l.event_type FROM (
        SELECT DISTINCT ON (e.aggregate_id) e.event_type FROM journal.events AS e
         WHERE e.tenant = $1 AND e.aggregate_type = 'remittance'
           AND e.event_type = ANY ($2)
         ORDER BY e.aggregate_id, e.sequence DESC) AS l
     ORDER BY 1";

#[tokio::test]
async fn the_demonstration_has_remittances_in_every_status_at_any_hour() {
    let database = TestDatabase::new().await;
    let keyring = Keyring::generate().unwrap();
    let nodes = database.connect().await;
    let mut owner = PgConnection::connect(database.url()).await.unwrap();
    let begin = DateTime::parse_from_rfc3339("2026-11-26T00:47:00Z").unwrap().to_utc();
    for hour in (0..24).step_by(4) {
        let now = begin + Duration::hours(hour);
        let tenant = format!("at-{hour}").parse::<TenantId>().unwrap();
        let filled = demo::fill(&nodes, &keyring, &Pretended, &tenant, now).await;
        assert_eq!(filled.unwrap(), Filled::Now);
        sqlx::query("SELECT set_config('caudal.tenant', $1, false)")
            .bind(tenant.as_str())
            .execute(&mut owner)
            .await
            .unwrap();
        let last: Vec<String> = sqlx::query_scalar(LAST)
            .bind(tenant.as_str())
            .bind(STATUSES)
            .fetch_all(&mut owner)
            .await
            .unwrap();
        assert_eq!(last, STATUSES, "{now}");
        let waiting: i64 = sqlx::query_scalar(
            "SELECT count(*) FROM journal.events AS e WHERE e.tenant = $1 AND e.event_type = 'CommandProposed'",
        )
        .bind(tenant.as_str())
        .fetch_one(&mut owner)
        .await
        .unwrap();
        assert_eq!(waiting, 1, "{now}");
    }
}
