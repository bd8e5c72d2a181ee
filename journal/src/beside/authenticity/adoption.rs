//! Adoption: one-time addition of MACs to rows that predate them.
//!
//! | From | To | Rows without a MAC |
//! |---|---|---|
//! | an operator's `caudal migrate --adopt-rows` (`adoption_began`) | [`WINDOW`] later | accepted, and given a MAC in batches; nodes of the previous version may run |
//! | end of the window (`adoption_ended`) | for good | refused; nodes of the previous version cannot append |
//!
//! A database without tenants starts at the end. Any number of nodes may adopt concurrently, and any node can continue
//! after a crash. Both times have a MAC of their own.
//!
//! No node begins the adoption by itself: a database whose MACs and times were all removed looks like one that never had
//! any, and its changed rows would be given valid MACs. A node whose evidence remembers the end of the adoption refuses a
//! database in which it has not ended.

use super::{
    Table,
    rows::{self, KEY_COLUMNS, Which},
};
use crate::{
    clock::Clock,
    error::JournalError,
    journal::{Journal, Shared},
    keys::Keyring,
};
use caudal_domain::ids::TenantId;
use caudal_postgres::Database;
use chrono::{DateTime, SubsecRound as _, Utc};
use sqlx::{PgConnection, Row as _};
use std::{
    sync::{Arc, Weak},
    time::Duration,
};

/// Period in which nodes of the previous version may run beside this one: a rolling upgrade with time to spare.
pub const WINDOW: Duration = Duration::from_secs(3_600);

/// Poll interval for the end of the window.
const LOOK: Duration = Duration::from_secs(30);

/// Adoption times. Final once ended: an operator who records them outside the database detects a reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adoption {
    /// First start of a version that writes MACs.
    pub began: DateTime<Utc>,
    /// Time since which rows without a MAC are refused.
    pub ended: Option<DateTime<Utc>>,
}

impl Journal {
    /// Adoption times of the database.
    ///
    /// # Errors
    /// When the database fails, or the times do not match their MAC.
    pub async fn adoption(&self) -> Result<Option<Adoption>, JournalError> {
        let mut connection = self.shared.database.pool().acquire().await?;
        read(&mut connection, &self.shared).await
    }

    /// Begins the adoption of a database written by a version without MACs: its rows receive MACs as they are found.
    ///
    /// # Errors
    /// When rows have MACs already, the database was written with another key file, or it fails.
    pub async fn begin_adoption(
        database: Database,
        keyring: Keyring,
        clock: Arc<dyn Clock>,
    ) -> Result<Adoption, JournalError> {
        let journal = Self::unadopted(database, keyring, clock, None).await?;
        match journal.adoption().await? {
            Some(adoption) => Ok(adoption),
            None => journal.record_adoption().await,
        }
    }

    /// Continues an adoption in the background until it has ended. A database without tenants needs none.
    pub(crate) async fn adopt(&self) -> Result<(), JournalError> {
        let histories = &self.shared.histories;
        let adoption = match self.adoption().await? {
            Some(adoption) => adoption,
            None if histories.remembers_adoption_ended() => return Err(JournalError::AdoptionTakenBack),
            None if self.tenants().await?.is_empty() => self.record_adoption().await?,
            None => {
                self.require_no_macs().await?;
                return Err(JournalError::AdoptionNotBegun);
            }
        };
        if adoption.ended.is_some() {
            return histories.remember_adoption_ended();
        }
        if histories.remembers_adoption_ended() {
            return Err(JournalError::AdoptionTakenBack);
        }
        self.shared.macs.allow_missing(true);
        tokio::spawn(adopt_until_ended(Arc::downgrade(&self.shared), adoption.began));
        Ok(())
    }

    async fn record_adoption(&self) -> Result<Adoption, JournalError> {
        self.require_no_macs().await?;
        let began = self.shared.clock.now().trunc_subsecs(6);
        let ended = self.tenants().await?.is_empty().then_some(began);
        let mut connection = self.shared.database.pool().acquire().await?;
        sqlx::query(
            "UPDATE journal.keyring SET adoption_began = $1, adoption_ended = $2, adoption_mac = $3
              WHERE adoption_began IS NULL",
        )
        .bind(began)
        .bind(ended)
        .bind(self.shared.macs.adoption(began, ended))
        .execute(&mut *connection)
        .await?;
        // Of several nodes one wins.
        let winner = read(&mut connection, &self.shared).await?;
        winner.ok_or(JournalError::AdoptionTakenBack)
    }

    /// Rows that have MACs were written after the adoption began.
    async fn require_no_macs(&self) -> Result<(), JournalError> {
        for tenant in self.tenants().await? {
            if has_macs(&self.shared, &tenant).await? {
                return Err(JournalError::AdoptionTakenBack);
            }
        }
        Ok(())
    }

    /// For tests: adds all missing MACs and ends the adoption now; a server does it in the background.
    ///
    /// # Errors
    /// When the database fails; repeatable.
    #[doc(hidden)]
    pub async fn end_adoption(&self) -> Result<(), JournalError> {
        end(&self.shared, &self.tenants().await?).await
    }
}

/// Reads the adoption times and checks their MAC.
async fn read(connection: &mut PgConnection, shared: &Shared) -> Result<Option<Adoption>, JournalError> {
    let row = sqlx::query(
        "SELECT journal.micros(adoption_began) AS began, journal.micros(adoption_ended) AS ended, adoption_mac
           FROM journal.keyring",
    )
    .fetch_one(connection)
    .await?;
    let Some(stored) = row.try_get::<Option<Vec<u8>>, _>("adoption_mac")? else {
        return Ok(None);
    };
    let adoption = Adoption {
        began: rows::moment(&row, "began")?,
        ended: rows::optional_moment(&row, "ended")?,
    };
    if stored == shared.macs.adoption(adoption.began, adoption.ended) {
        Ok(Some(adoption))
    } else {
        Err(JournalError::AdoptionChanged)
    }
}

/// Whether any row of a tenant has a MAC.
async fn has_macs(shared: &Shared, tenant: &TenantId) -> Result<bool, JournalError> {
    let mut transaction = shared.database.begin_read(tenant.as_str()).await?;
    for table in Table::ALL {
        let sql = format!(
            "SELECT EXISTS (SELECT 1 FROM journal.{} WHERE tenant = $1 AND mac IS NOT NULL)",
            table.as_str()
        );
        let found = sqlx::query_scalar(&sql).bind(tenant.as_str());
        if found.fetch_one(&mut *transaction).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Adds MACs now and again at the end of the window.
async fn adopt_until_ended(shared: Weak<Shared>, began: DateTime<Utc>) {
    let mut adopted_once = false;
    loop {
        let Some(journal) = shared.upgrade().map(|shared| Journal { shared }) else {
            return;
        };
        match go_on(&journal, began, adopted_once).await {
            Ok(true) => return,
            Ok(false) => adopted_once = true,
            Err(error) => tracing::warn!(%error, "existing rows could not be given their MACs; trying again"),
        }
        drop(journal);
        tokio::time::sleep(LOOK).await;
    }
}

/// One step of the adoption; returns whether it has ended.
async fn go_on(journal: &Journal, began: DateTime<Utc>, adopted_once: bool) -> Result<bool, JournalError> {
    let shared = &journal.shared;
    let ended_elsewhere = journal.adoption().await?.is_none_or(|found| found.ended.is_some());
    if ended_elsewhere {
        shared.macs.allow_missing(false);
        shared.histories.remember_adoption_ended()?;
        return Ok(true);
    }
    let is_over = (shared.clock.now() - began).to_std().is_ok_and(|age| age >= WINDOW);
    if is_over {
        end(shared, &journal.tenants().await?).await?;
        return Ok(true);
    }
    if !adopted_once {
        for tenant in journal.tenants().await? {
            adopt_tenant(shared, &tenant).await?;
        }
    }
    Ok(false)
}

async fn end(shared: &Shared, tenants: &[TenantId]) -> Result<(), JournalError> {
    for tenant in tenants {
        adopt_tenant(shared, tenant).await?;
    }
    let ended = shared.clock.now().trunc_subsecs(6);
    let Some(first) = tenants.first() else { return Ok(()) };
    let mut transaction = shared.database.begin_long_write(first.as_str()).await?;
    let Some(adoption) = read(&mut transaction, shared).await? else {
        return Err(JournalError::AdoptionTakenBack);
    };
    if adoption.ended.is_none() {
        // Waits for appends of older nodes; later appends of theirs fail.
        sqlx::query("UPDATE journal.keyring SET adoption_ended = $1, adoption_mac = $2 WHERE adoption_ended IS NULL")
            .bind(ended)
            .bind(shared.macs.adoption(adoption.began, Some(ended)))
            .execute(&mut *transaction)
            .await?;
        for tenant in tenants {
            sqlx::query("SELECT set_config('caudal.tenant', $1, true)")
                .bind(tenant.as_str())
                .execute(&mut *transaction)
                .await?;
            for table in Table::ALL {
                let mut after = None;
                while let Some(last) = adopt_page(&mut transaction, shared, table, tenant, after.as_deref()).await? {
                    after = Some(last);
                }
            }
        }
    }
    transaction.commit().await?;
    shared.macs.allow_missing(false);
    shared.histories.remember_adoption_ended()
}

/// Adds MACs to a tenant's rows, one page per transaction.
async fn adopt_tenant(shared: &Shared, tenant: &TenantId) -> Result<(), JournalError> {
    for table in Table::ALL {
        let mut after = None;
        loop {
            let mut transaction = shared.database.begin_write(tenant.as_str()).await?;
            let last = adopt_page(&mut transaction, shared, table, tenant, after.as_deref()).await?;
            transaction.commit().await?;
            match last {
                Some(last) => after = Some(last),
                None => break,
            }
        }
    }
    Ok(())
}

/// Adds MACs to one page of rows. Returns the last row's key.
async fn adopt_page(
    connection: &mut PgConnection,
    shared: &Shared,
    table: Table,
    tenant: &TenantId,
    after: Option<&[String]>,
) -> Result<Option<Vec<String>>, JournalError> {
    let found = rows::page(connection, table, tenant, after, Which::WithoutMac).await?;
    let mut keys: [Vec<String>; KEY_COLUMNS] = Default::default();
    let mut macs = Vec::with_capacity(found.len());
    for row in &found {
        macs.push(
            rows::expected_mac(&shared.macs, table, tenant, &row.row)?
                .finish()
                .to_vec(),
        );
        for (n, column) in keys.iter_mut().enumerate() {
            column.push(row.key.get(n).cloned().unwrap_or_default());
        }
    }
    let [first, second, third] = keys;
    let same: Vec<_> = (1..)
        .zip(table.key())
        .map(|(n, (name, kind))| format!("t.{name} = u.k{n}::{kind}"))
        .collect();
    let sql = format!(
        "UPDATE journal.{} AS t SET mac = u.mac
           FROM unnest($2::text[], $3::text[], $4::text[], $5::bytea[]) AS u (k1, k2, k3, mac)
          WHERE t.tenant = $1 AND t.mac IS NULL AND {}",
        table.as_str(),
        same.join(" AND ")
    );
    sqlx::query(&sql)
        .bind(tenant.as_str())
        .bind(first)
        .bind(second)
        .bind(third)
        .bind(macs)
        .execute(connection)
        .await?;
    Ok(found.into_iter().last().map(|last| last.key))
}
