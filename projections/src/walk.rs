//! Walking through all rows of a query in batches, within one snapshot: a cursor of the server's.
//!
//! While a snapshot is walked, a list answers the next rows at every call in place of one page, through the same
//! filters, scope and views.

use crate::{error::ReadError, snapshot::Snapshot, sql::Sql};
use sqlx::postgres::PgRow;

/// Rows of a batch: enough that asking for them costs little, so few that they are nothing in memory.
pub(crate) const BATCH: usize = 500;

/// How far a walk has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walk {
    /// Nothing was asked for yet.
    Ready,
    /// There may be more rows.
    Open,
    /// All rows were seen.
    Done,
}

impl Walk {
    pub(crate) fn is_open(self) -> bool {
        self != Self::Ready
    }
}

impl Snapshot {
    /// From now on the next list is walked through.
    pub(crate) const fn begin_walk(&mut self) {
        self.walk = Some(Walk::Ready);
    }

    /// Whether rows were asked for already.
    pub(crate) fn is_walking(&self) -> bool {
        self.walk.is_some_and(Walk::is_open)
    }

    /// Whether the walk is over.
    pub(crate) fn is_walked(&self) -> bool {
        self.walk == Some(Walk::Done)
    }

    /// Begins to read the rows of a SELECT.
    pub(crate) async fn open_walk(&mut self, select: &Sql) -> Result<(), ReadError> {
        let declare = select.after("DECLARE walk NO SCROLL CURSOR WITHOUT HOLD FOR");
        declare.fetch_all(self.connection()).await?;
        self.walk = Some(Walk::Open);
        Ok(())
    }

    /// The next rows; none at the end.
    pub(crate) async fn walk_on(&mut self) -> Result<Vec<PgRow>, ReadError> {
        if self.is_walked() {
            return Ok(Vec::new());
        }
        // What the cursor's rows are made of differs from walk to walk, so the statement is not kept.
        let fetch = format!("FETCH FORWARD {BATCH} FROM walk");
        let rows = sqlx::query(&fetch)
            .persistent(false)
            .fetch_all(self.connection())
            .await?;
        if rows.len() < BATCH {
            self.walk = Some(Walk::Done);
        }
        Ok(rows)
    }
}
