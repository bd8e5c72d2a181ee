//! Rows: the struct of a table, its key and its columns, declared at once.

use super::BoxError;
use sqlx::postgres::{PgArguments, PgRow};
use std::hash::Hash;

/// How one column is named, sent, cast and read.
#[derive(Debug)]
pub(crate) struct ColumnSpec {
    pub(crate) name: &'static str,
    pub(crate) sent: &'static str,
    pub(crate) cast: &'static str,
    pub(crate) read: &'static str,
}

/// A row of a read model's table; the tenant stands beside it.
pub(crate) trait Row: Clone + Send + Sync + Unpin + 'static {
    /// What tells rows of a tenant apart.
    type Key: Clone + Eq + Hash + Send + Sync;
    /// The table, unqualified.
    const TABLE: &'static str;
    /// The key's columns.
    const KEYS: &'static [&'static str];

    /// All columns but the tenant.
    fn columns() -> &'static [ColumnSpec];
    fn key(&self) -> Self::Key;
    /// Adds every column of many rows as an array.
    fn send(rows: &[&Self], arguments: &mut PgArguments) -> Result<(), BoxError>;
    /// Reads a row whose columns bear their names, behind a prefix.
    fn read(row: &PgRow, prefix: &str) -> Result<Self, sqlx::Error>;
}

/// The select list of a row under a table's alias, each column named with a prefix.
pub(crate) fn select_list<R: Row>(alias: &str, prefix: &str) -> String {
    let columns: Vec<String> = R::columns()
        .iter()
        .map(|column| format!("{alias}.{}{} AS {prefix}{}", column.name, column.read, column.name))
        .collect();
    columns.join(", ")
}

/// Declares a row: the struct, its table, its key and its columns.
macro_rules! row {
    ($(#[$meta:meta])* $name:ident in $table:literal key ($($key:ident: $kty:ty),+) { $($(#[$fmeta:meta])* $field:ident: $ty:ty),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) struct $name { $($(#[$fmeta])* pub(crate) $field: $ty),* }

        impl $crate::table::Row for $name {
            type Key = ($($kty,)+);
            const TABLE: &'static str = $table;
            const KEYS: &'static [&'static str] = &[$(stringify!($key)),+];

            fn columns() -> &'static [$crate::table::ColumnSpec] {
                use $crate::table::{Column, ColumnSpec};
                const COLUMNS: &[ColumnSpec] = &[$(ColumnSpec {
                    name: stringify!($field),
                    sent: <$ty as Column>::SENT,
                    cast: <$ty as Column>::CAST,
                    read: <$ty as Column>::READ,
                }),*];
                COLUMNS
            }

            fn key(&self) -> Self::Key {
                ($(self.$key.clone(),)+)
            }

            fn send(
                rows: &[&Self],
                arguments: &mut sqlx::postgres::PgArguments,
            ) -> Result<(), $crate::table::BoxError> {
                use $crate::table::Column;
                $(sqlx::Arguments::add(arguments, rows.iter().map(|row| row.$field.to_wire()).collect::<Vec<_>>())?;)*
                Ok(())
            }

            fn read(row: &sqlx::postgres::PgRow, prefix: &str) -> Result<Self, sqlx::Error> {
                Ok(Self { $($field: $crate::table::get(row, &format!("{prefix}{}", stringify!($field)))?),* })
            }
        }
    };
}
pub(crate) use row;
