//! State of the tables, by which a projector knows that nobody else has written them.

use caudal_journal::LogPoint;

/// Version of the read models' tables and of their fold; change it with either.
pub const READ_MODELS_VERSION: i32 = 15;

/// State of the tables: their position, until another writer projects or a rebuild replaces them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TableState {
    /// Last event projected.
    pub(crate) at: LogPoint,
    /// PostgreSQL's OID of one of the tables; changes when a rebuild swaps them.
    pub(crate) tables: i64,
}
