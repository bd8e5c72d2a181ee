//! How far each endpoint is, in the database: the position, its failures, and the node that delivers.
//!
//! One node at a time holds an endpoint. It holds for longer than a delivery can take, and prolongs with every delivery; a
//! node that ends leaves a hold that ends by itself. Every change is conditional on the hold and the position that the node
//! read, so that a node that stood still changes nothing.
//!
//! An answer may repeat what was sent to it, people's data included. So answers are erased with every person, and kept for
//! [`KEPT_DAYS`] at most (docs/decisions/webhooks.md).

use super::{
    Place, schedule,
    sender::{Outcome, SEND_TIMEOUT},
};
use caudal_domain::ids::TenantId;
use caudal_postgres::{Database, DatabaseError};
use caudal_projections::webhook::{KEPT_DELIVERIES, Target};
use sqlx::{PgConnection, Row as _};
use std::time::Duration;
use uuid::Uuid;

/// Time that a node holds an endpoint after its last sign of life.
pub const HOLD: Duration = Duration::from_secs(20);
/// Time until an endpoint is looked at again to which nothing may be sent: its party is deactivated.
pub const POSTPONED: Duration = Duration::from_secs(60);
/// The same while the log is in quarantine: deliveries go on soon after the operator's decision.
pub const POSTPONED_IN_QUARANTINE: Duration = Duration::from_secs(5);
/// Days for which a delivery is shown after its last attempt.
pub const KEPT_DAYS: i32 = 30;
const _: () = assert!(
    HOLD.as_secs() > SEND_TIMEOUT.as_secs() + 5,
    "a hold outlives a delivery"
);

/// Why a position can't be read or changed.
#[derive(Debug, thiserror::Error)]
pub enum PositionError {
    #[error("the database failed")]
    Database(#[from] sqlx::Error),
    #[error(transparent)]
    Begin(#[from] DatabaseError),
}

/// An attempt at the delivery of an event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    pub position: i64,
    pub event_id: String,
    pub event_type: String,
    /// Position of the log at which the event was read. The answer is not stored when a person was forgotten since then.
    pub read_at: i64,
    pub outcome: Outcome,
}

/// A held endpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Held {
    /// Position of the last event delivered or passed over.
    pub position: i64,
    /// Failed attempts at the next event.
    pub attempts: i32,
    /// Whether the next attempt is due.
    pub is_due: bool,
    /// Event that set where deliveries begin.
    replay_event: i64,
}

/// The tables of positions and deliveries.
#[derive(Clone, Debug)]
pub struct Positions {
    database: Database,
    /// This node, in the holds.
    node: Uuid,
}

impl Positions {
    pub fn new(database: Database) -> Self {
        Self {
            database,
            node: Uuid::now_v7(),
        }
    }

    /// Holds an endpoint, and adopts what its latest replay or resumption says. `None` while another node holds it.
    ///
    /// A negative event is one of a lost history: its position with the sign changed is the last one before the loss. Only a
    /// replay after that counts.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn hold(&self, (tenant, id): &Place, target: &Target) -> Result<Option<Held>, PositionError> {
        let mut transaction = self.database.begin_write_by_keys(tenant.as_str()).await?;
        let row = sqlx::query(
            "INSERT INTO journal.webhook_positions AS p
                    (tenant, webhook, replay_event, resume_event, position, next_at, holder, held_until)
             VALUES ($1, $2, $3, $4, $5, now(), $6, now() + make_interval(secs => $7))
             ON CONFLICT (tenant, webhook) DO UPDATE SET
                position = CASE WHEN abs(p.replay_event) < EXCLUDED.replay_event THEN EXCLUDED.position ELSE p.position END,
                attempts = CASE WHEN abs(p.resume_event) < EXCLUDED.resume_event THEN 0 ELSE p.attempts END,
                failing_since = CASE WHEN abs(p.resume_event) < EXCLUDED.resume_event THEN NULL ELSE p.failing_since END,
                next_at = CASE WHEN abs(p.resume_event) < EXCLUDED.resume_event THEN now() ELSE p.next_at END,
                replay_event = greatest(p.replay_event, EXCLUDED.replay_event),
                resume_event = greatest(p.resume_event, EXCLUDED.resume_event),
                holder = EXCLUDED.holder, held_until = EXCLUDED.held_until
              WHERE p.held_until IS NULL OR p.held_until <= now()
             RETURNING position, attempts, replay_event, next_at <= now() AS is_due",
        )
        .bind(tenant.as_str())
        .bind(id.0)
        .bind(target.replay_event)
        .bind(target.resume_event)
        .bind(target.replay_after)
        .bind(self.node)
        .bind(HOLD.as_secs_f64())
        .fetch_optional(&mut *transaction)
        .await?;
        transaction.commit().await?;
        let Some(row) = row else { return Ok(None) };
        Ok(Some(Held {
            position: row.try_get("position")?,
            attempts: row.try_get("attempts")?,
            is_due: row.try_get("is_due")?,
            replay_event: row.try_get("replay_event")?,
        }))
    }

    /// Moves a held endpoint on after an accepted delivery, and prolongs the hold. `None` when it is no longer held here.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn accepted(&self, place: &Place, held: &Held, attempt: &Attempt) -> Result<Option<Held>, PositionError> {
        let moved = Held {
            position: attempt.position,
            attempts: 0,
            ..held.clone()
        };
        let mut transaction = self.database.begin_write_by_keys(place.0.as_str()).await?;
        let changed = sqlx::query(
            "UPDATE journal.webhook_positions
                SET position = $6, attempts = 0, failing_since = NULL, next_at = now(),
                    held_until = now() + make_interval(secs => $7)
              WHERE tenant = $1 AND webhook = $2 AND holder = $3 AND replay_event = $4 AND position = $5",
        )
        .bind(place.0.as_str())
        .bind(place.1.0)
        .bind(self.node)
        .bind(held.replay_event)
        .bind(held.position)
        .bind(moved.position)
        .bind(HOLD.as_secs_f64())
        .execute(&mut *transaction)
        .await?;
        write(&mut transaction, place, attempt).await?;
        transaction.commit().await?;
        Ok((changed.rows_affected() == 1).then_some(moved))
    }

    /// Notes a failed delivery, and lets the endpoint go until the next attempt. Returns whether it has failed for so long
    /// that it is to be stopped; `None` when it is no longer held here.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn failed(&self, place: &Place, held: &Held, attempt: &Attempt) -> Result<Option<bool>, PositionError> {
        let attempts = held.attempts.saturating_add(1);
        let mut random = [0; 8];
        // Without randomness the delay is the shortest.
        let _ = getrandom::fill(&mut random);
        let delay = schedule::delay(attempts.unsigned_abs(), u64::from_le_bytes(random));
        let mut transaction = self.database.begin_write_by_keys(place.0.as_str()).await?;
        let row = sqlx::query(
            "UPDATE journal.webhook_positions
                SET attempts = $6, failing_since = coalesce(failing_since, now()),
                    next_at = now() + make_interval(secs => $7), holder = NULL, held_until = NULL
              WHERE tenant = $1 AND webhook = $2 AND holder = $3 AND replay_event = $4 AND position = $5
             RETURNING failing_since <= now() - make_interval(secs => $8) AS is_over",
        )
        .bind(place.0.as_str())
        .bind(place.1.0)
        .bind(self.node)
        .bind(held.replay_event)
        .bind(held.position)
        .bind(attempts)
        .bind(delay.as_secs_f64())
        .bind(schedule::PATIENCE.as_secs_f64())
        .fetch_optional(&mut *transaction)
        .await?;
        write(&mut transaction, place, attempt).await?;
        transaction.commit().await?;
        Ok(row.map(|row| row.try_get("is_over")).transpose()?)
    }

    /// Lets a held endpoint go, moved to a position through which nothing is left to be sent. Old deliveries are deleted.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn release(&self, place: &Place, held: &Held, position: i64) -> Result<(), PositionError> {
        let mut transaction = self.database.begin_write_by_keys(place.0.as_str()).await?;
        sqlx::query(
            "UPDATE journal.webhook_positions SET position = $6, holder = NULL, held_until = NULL
              WHERE tenant = $1 AND webhook = $2 AND holder = $3 AND replay_event = $4 AND position = $5",
        )
        .bind(place.0.as_str())
        .bind(place.1.0)
        .bind(self.node)
        .bind(held.replay_event)
        .bind(held.position)
        .bind(position)
        .execute(&mut *transaction)
        .await?;
        delete_old(&mut transaction, place).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Lets a held endpoint go for a while: nothing may be sent to it now.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn postpone(&self, place: &Place, held: &Held, time: Duration) -> Result<(), PositionError> {
        let mut transaction = self.database.begin_write_by_keys(place.0.as_str()).await?;
        sqlx::query(
            "UPDATE journal.webhook_positions
                SET next_at = now() + make_interval(secs => $5), holder = NULL, held_until = NULL
              WHERE tenant = $1 AND webhook = $2 AND holder = $3 AND replay_event = $4",
        )
        .bind(place.0.as_str())
        .bind(place.1.0)
        .bind(self.node)
        .bind(held.replay_event)
        .bind(time.as_secs_f64())
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Notes an attempt that somebody asked for. The endpoint's position stays. An endpoint that accepted it need not wait
    /// for its next attempt; its failures count on until that one is accepted.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn note(&self, place: &Place, attempt: &Attempt) -> Result<(), PositionError> {
        let mut transaction = self.database.begin_write_by_keys(place.0.as_str()).await?;
        if attempt.outcome.is_accepted() {
            sqlx::query(
                "UPDATE journal.webhook_positions SET next_at = now()
                  WHERE tenant = $1 AND webhook = $2 AND attempts > 0 AND next_at > now()",
            )
            .bind(place.0.as_str())
            .bind(place.1.0)
            .execute(&mut *transaction)
            .await?;
        }
        write(&mut transaction, place, attempt).await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Erases the answers of all endpoints of a tenant, after a person was forgotten. A delivery under way is waited for by
    /// the lock, or sees the erasure and stores no answer.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn erase_answers(&self, tenant: &TenantId) -> Result<(), PositionError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        sqlx::query("LOCK TABLE journal.webhook_deliveries IN SHARE ROW EXCLUSIVE MODE")
            .execute(&mut *transaction)
            .await?;
        sqlx::query("UPDATE journal.webhook_deliveries SET answer = NULL WHERE tenant = $1 AND answer IS NOT NULL")
            .bind(tenant.as_str())
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Deletes the deliveries of an endpoint that was removed.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn forget(&self, place: &Place) -> Result<(), PositionError> {
        let mut transaction = self.database.begin_write_by_keys(place.0.as_str()).await?;
        sqlx::query("DELETE FROM journal.webhook_deliveries WHERE tenant = $1 AND webhook = $2")
            .bind(place.0.as_str())
            .bind(place.1.0)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        Ok(())
    }

    /// Deletes a tenant's deliveries that are older than [`KEPT_DAYS`], and what deliveries under way noted of endpoints
    /// that were removed meanwhile. Returns their number.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn delete_old(&self, tenant: &TenantId) -> Result<u64, PositionError> {
        let mut transaction = self.database.begin_write(tenant.as_str()).await?;
        let deleted = sqlx::query(
            "DELETE FROM journal.webhook_deliveries AS d
              WHERE d.tenant = $1
                AND (d.at < now() - make_interval(days => $2)
                     OR EXISTS (SELECT FROM webhooks AS w
                                 WHERE w.tenant = d.tenant AND w.id = d.webhook AND w.removed_at IS NOT NULL))",
        )
        .bind(tenant.as_str())
        .bind(KEPT_DAYS)
        .execute(&mut *transaction)
        .await?;
        transaction.commit().await?;
        Ok(deleted.rows_affected())
    }
}

async fn write(connection: &mut PgConnection, place: &Place, attempt: &Attempt) -> Result<(), sqlx::Error> {
    let outcome = &attempt.outcome;
    let (status, failure) = match outcome.result {
        Ok(status) => (Some(i32::from(status)), None),
        Err(failure) => (None, Some(failure.as_str())),
    };
    sqlx::query(
        "INSERT INTO journal.webhook_deliveries AS d
                (tenant, webhook, position, event_id, event_type, attempts, at, delivered, status, failure, answer,
                 milliseconds)
         VALUES ($1, $2, $3, $4, $5, 1, clock_timestamp(), $6, $7, $8,
                 CASE WHEN $9::text IS NOT NULL
                       AND NOT EXISTS (SELECT FROM journal.events AS e
                                        WHERE e.tenant = $1 AND e.position > $11 AND e.event_type = 'PersonForgotten')
                      THEN $9 END,
                 $10)
         ON CONFLICT (tenant, webhook, position) DO UPDATE SET
            event_id = EXCLUDED.event_id, event_type = EXCLUDED.event_type, attempts = d.attempts + 1, at = EXCLUDED.at,
            delivered = EXCLUDED.delivered, status = EXCLUDED.status, failure = EXCLUDED.failure,
            answer = EXCLUDED.answer, milliseconds = EXCLUDED.milliseconds",
    )
    .bind(place.0.as_str())
    .bind(place.1.0)
    .bind(attempt.position)
    .bind(&attempt.event_id)
    .bind(&attempt.event_type)
    .bind(outcome.is_accepted())
    .bind(status)
    .bind(failure)
    .bind(outcome.answer.as_deref())
    .bind(i32::try_from(outcome.took.as_millis()).unwrap_or(i32::MAX))
    .bind(attempt.read_at)
    .execute(connection)
    .await?;
    Ok(())
}

async fn delete_old(connection: &mut PgConnection, place: &Place) -> Result<(), sqlx::Error> {
    sqlx::query(
        "DELETE FROM journal.webhook_deliveries WHERE tenant = $1 AND webhook = $2 AND at < (
            SELECT d.at FROM journal.webhook_deliveries AS d WHERE d.tenant = $1 AND d.webhook = $2
             ORDER BY d.at DESC OFFSET $3 LIMIT 1)",
    )
    .bind(place.0.as_str())
    .bind(place.1.0)
    .bind(KEPT_DELIVERIES - 1)
    .execute(connection)
    .await?;
    Ok(())
}
