//! A transaction on a connection of the pool that leaves nothing behind, however it ends.

use sqlx::{PgConnection, Postgres, TransactionManager as _, pool::PoolConnection};
use std::{
    fmt,
    ops::{Deref, DerefMut},
};

type Manager = <Postgres as sqlx::Database>::TransactionManager;

/// How far a transaction has got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// It was asked for, and whether the server has begun it is not known.
    Beginning,
    Open,
    Ended,
}

/// Rolled back where it is dropped without having been committed. A caller who goes away while it begins (a browser that
/// was closed) costs the connection: sqlx's own transaction would be forgotten then, and the next one to get the connection
/// from the pool would find itself within it.
pub struct Transaction {
    connection: PoolConnection<Postgres>,
    stage: Stage,
}

impl Transaction {
    /// Begins one with statements of which the first is `BEGIN`.
    pub(crate) async fn begin(connection: PoolConnection<Postgres>, begin: String) -> Result<Self, sqlx::Error> {
        let mut transaction = Self {
            connection,
            stage: Stage::Beginning,
        };
        Manager::begin(&mut transaction.connection, Some(begin.into())).await?;
        transaction.stage = Stage::Open;
        Ok(transaction)
    }

    /// Makes it true.
    ///
    /// # Errors
    /// Where the database fails or refuses; whether it became true is not known where the connection was lost.
    pub async fn commit(mut self) -> Result<(), sqlx::Error> {
        Manager::commit(&mut self.connection).await?;
        self.stage = Stage::Ended;
        Ok(())
    }

    /// Ends it as if it had not been, and waits until it has ended.
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
            // Sent before whatever comes next on the connection.
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
