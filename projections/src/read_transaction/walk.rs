//! Walk: all rows of a query in batches within one read transaction, through a server-side cursor.
//!
//! While a snapshot is walked, each call of a list returns the next rows instead of a page, with the same filters,
//! scope and views.

use super::ReadTransaction;
use crate::{error::ReadError, sql::Sql};
use sqlx::postgres::PgRow;

/// Rows per batch.
pub(crate) const BATCH: usize = 500;

/// Progress of a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walk {
    /// Not started.
    Ready,
    /// More rows may follow.
    Open,
    /// Finished.
    Done,
}

impl Walk {
    pub(crate) fn is_open(self) -> bool {
        self != Self::Ready
    }
}

impl ReadTransaction {
    /// Walks the next list completely.
    pub(crate) const fn begin_walk(&mut self) {
        self.walk = Some(Walk::Ready);
    }

    pub(crate) fn is_walking(&self) -> bool {
        self.walk.is_some_and(Walk::is_open)
    }

    pub(crate) fn is_walked(&self) -> bool {
        self.walk == Some(Walk::Done)
    }

    /// Opens a cursor over a SELECT.
    pub(crate) async fn open_walk(&mut self, select: &Sql) -> Result<(), ReadError> {
        let declare = select.after("DECLARE walk NO SCROLL CURSOR WITHOUT HOLD FOR");
        declare.fetch_all(self.connection()).await?;
        self.walk = Some(Walk::Open);
        Ok(())
    }

    /// Next rows; empty at the end.
    pub(crate) async fn walk_on(&mut self) -> Result<Vec<PgRow>, ReadError> {
        if self.is_walked() {
            return Ok(Vec::new());
        }
        // Cursor columns differ per walk, so the statement must not be cached.
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
