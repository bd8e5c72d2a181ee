//! Rows: struct, table, key and columns of a read model in one declaration.

use super::{BoxError, Column};
use sqlx::postgres::{PgArguments, PgRow};
use std::hash::Hash;

/// Name, casts and accessors of one column.
#[derive(Debug)]
pub(crate) struct ColumnSpec {
    pub(crate) name: &'static str,
    pub(crate) sent: &'static str,
    pub(crate) cast: &'static str,
    pub(crate) read: &'static str,
}

/// A row of a read model's table, without the tenant.
pub(crate) trait Row: Clone + Send + Sync + Unpin + 'static {
    /// Key within a tenant.
    type Key: Clone + Eq + Hash + Send + Sync;
    /// Type of the first key column.
    type First: Column + Eq + Hash + Send;
    /// Table name, unqualified.
    const TABLE: &'static str;
    /// Key columns.
    const KEYS: &'static [&'static str];

    /// All columns except the tenant.
    fn columns() -> &'static [ColumnSpec];
    fn key(&self) -> Self::Key;
    /// Value of the first key column.
    fn first(&self) -> &Self::First;
    /// Binds each column of many rows as an array.
    fn send(rows: &[&Self], arguments: &mut PgArguments) -> Result<(), BoxError>;
    /// Reads a row whose columns have prefixed names.
    fn read(row: &PgRow, prefix: &str) -> Result<Self, sqlx::Error>;
}

/// Select list of a row under an alias, with prefixed names.
pub(crate) fn select_list<R: Row>(alias: &str, prefix: &str) -> String {
    let columns: Vec<String> = R::columns()
        .iter()
        .map(|column| format!("{alias}.{}{} AS {prefix}{}", column.name, column.read, column.name))
        .collect();
    columns.join(", ")
}

/// Declares a row: struct, table, key and columns.
macro_rules! row {
    ($(#[$meta:meta])* $name:ident in $table:literal key ($first:ident: $fty:ty $(, $key:ident: $kty:ty)*) { $($(#[$fmeta:meta])* $field:ident: $ty:ty),* $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub(crate) struct $name { $($(#[$fmeta])* pub(crate) $field: $ty),* }

        impl $crate::table::Row for $name {
            type Key = ($fty, $($kty,)*);
            type First = $fty;
            const TABLE: &'static str = $table;
            const KEYS: &'static [&'static str] = &[stringify!($first) $(, stringify!($key))*];

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
                (self.$first.clone(), $(self.$key.clone(),)*)
            }

            fn first(&self) -> &$fty {
                &self.$first
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
