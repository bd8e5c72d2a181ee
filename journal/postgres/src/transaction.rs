//! A transaction that always leaves its pooled connection clean.

use sqlx::{PgConnection, Postgres, TransactionManager as _, pool::PoolConnection};
use std::{
    fmt,
    ops::{Deref, DerefMut},
};

type Manager = <Postgres as sqlx::Database>::TransactionManager;

/// State of a transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// BEGIN was sent; whether the server executed it is unknown.
    Beginning,
    Open,
    Ended,
}

/// Rolled back on drop unless committed. Dropping it during BEGIN (a client disconnected) closes the connection: sqlx's
/// own transaction would be forgotten, and the next user of the connection would continue inside it.
pub struct Transaction {
    connection: PoolConnection<Postgres>,
    stage: Stage,
}

impl Transaction {
    /// Begins with a batch of statements, the first of which is `BEGIN`.
    pub(crate) async fn begin(connection: PoolConnection<Postgres>, begin: String) -> Result<Self, sqlx::Error> {
        let mut transaction = Self {
            connection,
            stage: Stage::Beginning,
        };
        Manager::begin(&mut transaction.connection, Some(begin.into())).await?;
        transaction.stage = Stage::Open;
        Ok(transaction)
    }

    /// Commits.
    ///
    /// # Errors
    /// When the database fails or refuses; the outcome is unknown if the connection was lost.
    pub async fn commit(mut self) -> Result<(), sqlx::Error> {
        Manager::commit(&mut self.connection).await?;
        self.stage = Stage::Ended;
        Ok(())
    }

    /// Rolls back and waits for the end.
    pub async fn rollback(mut self) -> Result<(), sqlx::Error> {
        Manager::rollback(&mut self.connection).await?;
        self.stage = Stage::Ended;
        Ok(())
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        match self.stage {
            Stage::Beginning => self.connection.close_on_drop(),
            // Sent before the connection's next statement.
            Stage::Open => Manager::start_rollback(&mut self.connection),
            Stage::Ended => {}
        }
    }
}

impl Deref for Transaction {
    type Target = PgConnection;

    fn deref(&self) -> &PgConnection {
        &self.connection
    }
}

impl DerefMut for Transaction {
    fn deref_mut(&mut self) -> &mut PgConnection {
        &mut self.connection
    }
}

impl fmt::Debug for Transaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Transaction").field("stage", &self.stage).finish()
    }
}
