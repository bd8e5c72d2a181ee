//! Tables: rows as Rust values, read and written in sets. A read model declares its columns once; select lists, arrays
//! and upserts derive from their types.

mod column;
mod row;
mod rows;
mod stand;
mod writes;

pub(crate) use column::{BoxError, Column, Ids, Json, PersonalJson, get, name_in_log, role_named};
pub(crate) use row::{ColumnSpec, Row, row, select_list};
pub(crate) use rows::{Postponed, Rows};
pub use stand::READ_MODELS_VERSION;
pub(crate) use stand::Stand;
pub(crate) use writes::Writes;
