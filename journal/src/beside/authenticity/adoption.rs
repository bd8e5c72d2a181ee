//! Adoption: one-time addition of MACs to rows, and to heads, that predate them.
//!
//! | From | To | Rows without a MAC |
//! |---|---|---|
//! | an operator's `caudal migrate --adopt-rows` (`adoption_began`) | [`WINDOW`] later | accepted, and given a MAC in batches; nodes of the previous version may run |
//! | end of the window (`adoption_ended`) | for good | refused; nodes of the previous version cannot append |
//!
//! Heads have MACs since a later version than rows, and times of their own ([`Adopted`]): `heads_began`, `heads_ended`.
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
    log::head,
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

/// What is given MACs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adopted {
    /// Rows beside the log.
    Rows,
    /// Heads of logs.
    Heads,
}

impl Adopted {
    pub const ALL: [Self; 2] = [Self::Rows, Self::Heads];

    /// Columns of `journal.keyring`: began, ended, the MAC of both.
    const fn columns(self) -> [&'static str; 3] {
        match self {
            Self::Rows => ["adoption_began", "adoption_ended", "adoption_mac"],
            Self::Heads => ["heads_began", "heads_ended", "heads_mac"],
        }
    }
}

/// Adoption times. Final once ended: an operator who records them outside the database detects a reset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Adoption {
    /// First start of a version that writes MACs.
    pub began: DateTime<Utc>,
    /// Time since which rows without a MAC are refused.
    pub ended: Option<DateTime<Utc>>,
}

impl Journal {
    /// Adoption times of the database's rows or heads.
    ///
    /// # Errors
    /// When the database fails, or the times do not match their MAC.
    pub async fn adoption(&self, what: Adopted) -> Result<Option<Adoption>, JournalError> {
        let mut connection = self.shared.database.pool().acquire().await?;
        read(&mut connection, &self.shared, what).await
    }

    /// Begins the adoption of a database written by a version without MACs: its rows and heads receive MACs as they are found.
    /// One that began before goes on. Returns the times of heads.
    ///
    /// # Errors
    /// When rows have MACs already, the database was written with another key file, or it fails.
    pub async fn begin_adoption(
        database: Database,
        keyring: Keyring,
        clock: Arc<dyn Clock>,
    ) -> Result<Adoption, JournalError> {
        let journal = Self::unadopted(database, keyring, clock, None).await?;
        journal.begun(Adopted::Rows).await?;
        journal.begun(Adopted::Heads).await
    }

    async fn begun(&self, what: Adopted) -> Result<Adoption, JournalError> {
        match self.adoption(what).await? {
            Some(adoption) => Ok(adoption),
            None => self.record_adoption(what).await,
        }
    }

    /// Continues the adoptions in the background until they have ended. A database without tenants needs none.
    pub(crate) async fn adopt(&self) -> Result<(), JournalError> {
        for what in Adopted::ALL {
            self.adopt_all(what).await?;
        }
        Ok(())
    }

    async fn adopt_all(&self, what: Adopted) -> Result<(), JournalError> {
        let histories = &self.shared.histories;
        let adoption = match self.adoption(what).await? {
            Some(adoption) => adoption,
            None if histories.remembers_adoption_ended(what) => return Err(JournalError::AdoptionTakenBack),
            None if self.tenants().await?.is_empty() => self.record_adoption(what).await?,
            None => {
                self.require_no_macs(what).await?;
                return Err(JournalError::AdoptionNotBegun);
            }
        };
        if adoption.ended.is_some() {
            return histories.remember_adoption_ended(what);
        }
        if histories.remembers_adoption_ended(what) {
            return Err(JournalError::AdoptionTakenBack);
        }
        self.shared.macs.allow_missing(what, true);
        tokio::spawn(adopt_until_ended(Arc::downgrade(&self.shared), what, adoption.began));
        Ok(())
    }

    async fn record_adoption(&self, what: Adopted) -> Result<Adoption, JournalError> {
        self.require_no_macs(what).await?;
        let now = self.shared.clock.now().trunc_subsecs(6);
        let ended = self.tenants().await?.is_empty().then_some(now);
        let [began, end, mac] = what.columns();
        let sql = format!("UPDATE journal.keyring SET {began} = $1, {end} = $2, {mac} = $3 WHERE {began} IS NULL");
        let mut connection = self.shared.database.pool().acquire().await?;
        sqlx::query(&sql)
            .bind(now)
            .bind(ended)
            .bind(self.shared.macs.adoption(what, now, ended))
            .execute(&mut *connection)
            .await?;
        // Of several nodes one wins.
        let winner = read(&mut connection, &self.shared, what).await?;
        winner.ok_or(JournalError::AdoptionTakenBack)
    }

    /// Rows and heads that have MACs were written after their adoption began.
    async fn require_no_macs(&self, what: Adopted) -> Result<(), JournalError> {
        for tenant in self.tenants().await? {
            if has_macs(&self.shared, what, &tenant).await? {
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
        for what in Adopted::ALL {
            end(&self.shared, what, &self.tenants().await?).await?;
        }
        Ok(())
    }
}

/// Reads the adoption times and checks their MAC.
async fn read(connection: &mut PgConnection, shared: &Shared, what: Adopted) -> Result<Option<Adoption>, JournalError> {
    let [began, ended, mac] = what.columns();
    let sql = format!(
        "SELECT journal.micros({began}) AS began, journal.micros({ended}) AS ended, {mac} AS mac FROM journal.keyring"
    );
    let row = sqlx::query(&sql).fetch_one(connection).await?;
    let Some(stored) = row.try_get::<Option<Vec<u8>>, _>("mac")? else {
        return Ok(None);
    };
    let adoption = Adoption {
        began: rows::moment(&row, "began")?,
        ended: rows::optional_moment(&row, "ended")?,
    };
    if stored == shared.macs.adoption(what, adoption.began, adoption.ended) {
        Ok(Some(adoption))
    } else {
        Err(JournalError::AdoptionChanged)
    }
}

/// Whether any row of a tenant, or its head, has a MAC.
async fn has_macs(shared: &Shared, what: Adopted, tenant: &TenantId) -> Result<bool, JournalError> {
    let mut transaction = shared.database.begin_read(tenant.as_str()).await?;
    let tables = match what {
        Adopted::Rows => Table::ALL.map(Table::as_str).to_vec(),
        Adopted::Heads => vec!["heads"],
    };
    for table in tables {
        let sql = format!("SELECT EXISTS (SELECT 1 FROM journal.{table} WHERE tenant = $1 AND mac IS NOT NULL)");
        let found = sqlx::query_scalar(&sql).bind(tenant.as_str());
        if found.fetch_one(&mut *transaction).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Adds MACs now and again at the end of the window.
async fn adopt_until_ended(shared: Weak<Shared>, what: Adopted, began: DateTime<Utc>) {
    let mut adopted_once = false;
    loop {
        let Some(journal) = shared.upgrade().map(|shared| Journal { shared }) else {
            return;
        };
        match go_on(&journal, what, began, adopted_once).await {
            Ok(true) => return,
            Ok(false) => adopted_once = true,
            Err(error) => tracing::warn!(%error, "existing rows could not be given their MACs; trying again"),
        }
        drop(journal);
        tokio::time::sleep(LOOK).await;
    }
}

/// One step of the adoption; returns whether it has ended.
async fn go_on(
    journal: &Journal,
    what: Adopted,
    began: DateTime<Utc>,
    adopted_once: bool,
) -> Result<bool, JournalError> {
    let shared = &journal.shared;
    let found = journal.adoption(what).await?;
    if found.is_none_or(|found| found.ended.is_some()) {
        shared.macs.allow_missing(what, false);
        shared.histories.remember_adoption_ended(what)?;
        return Ok(true);
    }
    let is_over = (shared.clock.now() - began).to_std().is_ok_and(|age| age >= WINDOW);
    if is_over {
        end(shared, what, &journal.tenants().await?).await?;
        return Ok(true);
    }
    if !adopted_once {
        for tenant in journal.tenants().await? {
            adopt_tenant(shared, what, &tenant).await?;
        }
    }
    Ok(false)
}

async fn end(shared: &Shared, what: Adopted, tenants: &[TenantId]) -> Result<(), JournalError> {
    for tenant in tenants {
        adopt_tenant(shared, what, tenant).await?;
    }
    let ended = shared.clock.now().trunc_subsecs(6);
    let Some(first) = tenants.first() else { return Ok(()) };
    let mut transaction = shared.database.begin_long_write(first.as_str()).await?;
    let Some(adoption) = read(&mut transaction, shared, what).await? else {
        return Err(JournalError::AdoptionTakenBack);
    };
    if adoption.ended.is_none() {
        // Waits for appends of older nodes; later appends of theirs fail.
        let [_, end, mac] = what.columns();
        let sql = format!("UPDATE journal.keyring SET {end} = $1, {mac} = $2 WHERE {end} IS NULL");
        sqlx::query(&sql)
            .bind(ended)
            .bind(shared.macs.adoption(what, adoption.began, Some(ended)))
            .execute(&mut *transaction)
            .await?;
        for tenant in tenants {
            sqlx::query("SELECT set_config('caudal.tenant', $1, true)")
                .bind(tenant.as_str())
                .execute(&mut *transaction)
                .await?;
            if what == Adopted::Heads {
                sign_head(&mut transaction, shared, tenant).await?;
                continue;
            }
            for table in Table::ALL {
                let mut after = None;
                while let Some(last) = adopt_page(&mut transaction, shared, table, tenant, after.as_deref()).await? {
                    after = Some(last);
                }
            }
        }
    }
    transaction.commit().await?;
    shared.macs.allow_missing(what, false);
    shared.histories.remember_adoption_ended(what)
}

/// Gives a head without a MAC its MAC.
async fn sign_head(connection: &mut PgConnection, shared: &Shared, tenant: &TenantId) -> Result<(), JournalError> {
    let found = head::lock(&mut *connection, tenant).await?;
    let Some(head) = found.filter(|found| found.mac.is_none()).map(|found| found.head) else {
        return Ok(());
    };
    sqlx::query("UPDATE journal.heads SET mac = $2 WHERE tenant = $1")
        .bind(tenant.as_str())
        .bind(shared.macs.head(tenant, head.point(), head.recorded_at))
        .execute(connection)
        .await?;
    Ok(())
}

/// Adds MACs to a tenant's rows, one page per transaction, or to its head.
async fn adopt_tenant(shared: &Shared, what: Adopted, tenant: &TenantId) -> Result<(), JournalError> {
    if what == Adopted::Heads {
        let mut transaction = shared.database.begin_write(tenant.as_str()).await?;
        sign_head(&mut transaction, shared, tenant).await?;
        return Ok(transaction.commit().await?);
    }
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
