//! Tables: rows as Rust values, read and written in sets. A read model declares its columns once; select lists, arrays
//! and upserts derive from their types.

mod column;
mod row;
mod rows;
mod table_state;
mod writes;

pub(crate) use column::{BoxError, Column, Ids, Json, PersonalJson, get, name_in_log, role_named};
pub(crate) use row::{ColumnSpec, Row, row, select_list};
pub(crate) use rows::{Postponed, Rows};
pub use table_state::READ_MODELS_VERSION;
pub(crate) use table_state::TableState;
pub(crate) use writes::Writes;
