//! Tables: rows as Rust values, read and written set by set. A read model declares its columns once; how they are
//! selected, sent as arrays and upserted follows from their types.

use crate::projector::{READ_MODELS_VERSION, Stand};
use caudal_domain::{
    AccountKind, StreamKind,
    books::debit::DebitOrigin,
    customer::card::Brand,
    ids::TenantId,
    money::{Amount, CurrencyCode, Rate},
    party::Role,
    remittance::Status,
};
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Serialize, de::DeserializeOwned};
use sqlx::{
    Arguments as _, Decode, Encode, PgConnection, Postgres, Row as _, Type,
    encode::IsNull,
    postgres::{PgArgumentBuffer, PgArguments, PgHasArrayType, PgRow},
};
use std::{collections::HashMap, hash::Hash};
use uuid::Uuid;

pub(crate) type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A value of a column, and how it travels.
pub(crate) trait Column: Sized {
    /// What is sent and received in its place.
    type Wire: for<'q> Encode<'q, Postgres>
        + for<'r> Decode<'r, Postgres>
        + Type<Postgres>
        + PgHasArrayType
        + Send
        + Sync
        + 'static;
    /// PostgreSQL's name of the wire's type.
    const SENT: &'static str;
    /// A cast from the wire's type to the column's.
    const CAST: &'static str = "";
    /// A cast from the column's type to the wire's.
    const READ: &'static str = "";

    /// To the wire; `None` is NULL.
    fn to_wire(&self) -> Option<Self::Wire>;

    /// From the wire.
    fn from_wire(wire: Option<Self::Wire>) -> Result<Self, BoxError>;
}

fn present<W>(wire: Option<W>) -> Result<W, BoxError> {
    wire.ok_or_else(|| "NULL where a value belongs".into())
}

macro_rules! plain_columns {
    ($($ty:ty as $sent:literal),* $(,)?) => {$(
        impl Column for $ty {
            type Wire = $ty;
            const SENT: &'static str = $sent;

            fn to_wire(&self) -> Option<$ty> {
                Some(self.clone())
            }

            fn from_wire(wire: Option<$ty>) -> Result<Self, BoxError> {
                present(wire)
            }
        }
    )*};
}

plain_columns! {
    Uuid as "uuid", i64 as "bigint", i32 as "integer", i16 as "smallint", bool as "boolean", String as "text",
    DateTime<Utc> as "timestamptz", NaiveDate as "date",
}

impl<T: Column> Column for Option<T> {
    type Wire = T::Wire;
    const SENT: &'static str = T::SENT;
    const CAST: &'static str = T::CAST;
    const READ: &'static str = T::READ;

    fn to_wire(&self) -> Option<T::Wire> {
        self.as_ref().and_then(T::to_wire)
    }

    fn from_wire(wire: Option<T::Wire>) -> Result<Self, BoxError> {
        wire.map(|wire| T::from_wire(Some(wire))).transpose()
    }
}

/// Minor units.
impl Column for Amount {
    type Wire = i64;
    const SENT: &'static str = "bigint";

    fn to_wire(&self) -> Option<i64> {
        Some(self.minor())
    }

    fn from_wire(wire: Option<i64>) -> Result<Self, BoxError> {
        present(wire).map(Self::from_minor)
    }
}

macro_rules! text_columns {
    ($($ty:ty, $cast:literal, $read:literal, $to:expr, $from:expr;)*) => {$(
        impl Column for $ty {
            type Wire = String;
            const SENT: &'static str = "text";
            const CAST: &'static str = $cast;
            const READ: &'static str = $read;

            fn to_wire(&self) -> Option<String> {
                Some(($to)(self))
            }

            fn from_wire(wire: Option<String>) -> Result<Self, BoxError> {
                ($from)(present(wire)?)
            }
        }
    )*};
}

/// Ids in an array column.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ids(pub(crate) Vec<Uuid>);

fn ids_literal(ids: &Ids) -> String {
    let ids: Vec<String> = ids.0.iter().map(Uuid::to_string).collect();
    format!("{{{}}}", ids.join(","))
}

fn ids_of(text: String) -> Result<Ids, BoxError> {
    let inner = text.trim_start_matches('{').trim_end_matches('}');
    let ids = inner.split(',').filter(|id| !id.is_empty()).map(Uuid::parse_str);
    Ok(Ids(ids.collect::<Result<_, _>>()?))
}

text_columns! {
    Rate, "::numeric", "::text", |rate: &Rate| rate.to_string(), |text: String| Ok(text.parse()?);
    CurrencyCode, "", "", |code: &CurrencyCode| code.to_string(), |text: String| Ok(text.parse()?);
    Role, "", "", |role: &Role| role.as_str().to_owned(), |text: String| role_named(&text).ok_or_else(|| "unknown role".into());
    Ids, "::uuid[]", "::text", ids_literal, ids_of;
}

/// The name that an enumeration without values has in the log.
pub(crate) fn name_in_log<T: Serialize>(value: &T) -> String {
    let text = serde_json::to_string(value).unwrap_or_default();
    text.trim_matches('"').to_owned()
}

macro_rules! parsed_columns {
    ($($ty:ty),*) => {$(
        impl Column for $ty {
            type Wire = String;
            const SENT: &'static str = "text";

            fn to_wire(&self) -> Option<String> {
                Some(self.as_str().to_owned())
            }

            fn from_wire(wire: Option<String>) -> Result<Self, BoxError> {
                Ok(present(wire)?.parse()?)
            }
        }
    )*};
}

parsed_columns!(AccountKind, Brand, StreamKind);

/// A role by its name in the log.
pub(crate) fn role_named(text: &str) -> Option<Role> {
    Role::ALL.iter().copied().find(|role| role.as_str() == text)
}

impl Column for DebitOrigin {
    type Wire = String;
    const SENT: &'static str = "text";

    fn to_wire(&self) -> Option<String> {
        Some(name_in_log(self))
    }

    fn from_wire(wire: Option<String>) -> Result<Self, BoxError> {
        Ok(serde_json::from_value(present(wire)?.into())?)
    }
}

impl Column for Status {
    type Wire = i16;
    const SENT: &'static str = "smallint";

    fn to_wire(&self) -> Option<i16> {
        Some(self.number().into())
    }

    fn from_wire(wire: Option<i16>) -> Result<Self, BoxError> {
        let number = present(wire)?;
        let known = Self::ALL
            .iter()
            .copied()
            .find(|status| i16::from(status.number()) == number);
        known.ok_or_else(|| "unknown status".into())
    }
}

/// A value kept as `jsonb`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Serialize + DeserializeOwned> Column for Json<T> {
    type Wire = JsonText;
    const SENT: &'static str = "text";
    const CAST: &'static str = "::jsonb";
    const READ: &'static str = "::text";

    fn to_wire(&self) -> Option<JsonText> {
        // The domain's own types always have a JSON form; a NULL would be refused by the column.
        serde_json::to_string(&self.0).ok().map(JsonText)
    }

    fn from_wire(wire: Option<JsonText>) -> Result<Self, BoxError> {
        Ok(Self(serde_json::from_str(&present(wire)?.0)?))
    }
}

/// JSON as text on the wire.
#[derive(Debug)]
pub(crate) struct JsonText(String);

impl Type<Postgres> for JsonText {
    fn type_info() -> sqlx::postgres::PgTypeInfo {
        <String as Type<Postgres>>::type_info()
    }

    fn compatible(ty: &sqlx::postgres::PgTypeInfo) -> bool {
        <String as Type<Postgres>>::compatible(ty)
    }
}

impl PgHasArrayType for JsonText {
    fn array_type_info() -> sqlx::postgres::PgTypeInfo {
        <String as PgHasArrayType>::array_type_info()
    }
}

impl Encode<'_, Postgres> for JsonText {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxError> {
        <String as Encode<Postgres>>::encode_by_ref(&self.0, buffer)
    }
}

impl<'r> Decode<'r, Postgres> for JsonText {
    fn decode(value: sqlx::postgres::PgValueRef<'r>) -> Result<Self, BoxError> {
        <String as Decode<Postgres>>::decode(value).map(Self)
    }
}

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
    /// The key.
    fn key(&self) -> Self::Key;
    /// Adds every column of many rows as an array.
    fn send(rows: &[&Self], arguments: &mut PgArguments) -> Result<(), BoxError>;
    /// Reads a row whose columns bear their names, behind a prefix.
    fn read(row: &PgRow, prefix: &str) -> Result<Self, sqlx::Error>;
}

/// Reads a column.
pub(crate) fn get<T: Column>(row: &PgRow, name: &str) -> Result<T, sqlx::Error> {
    T::from_wire(row.try_get::<Option<T::Wire>, _>(name)?).map_err(|source| sqlx::Error::ColumnDecode {
        index: name.to_owned(),
        source,
    })
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

/// What happens to a row whose key is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OnConflict {
    /// It is replaced.
    Replace,
    /// The statement fails: the row is written once, by its event.
    Fail,
}

/// What a batch of events writes: a statement a table, all sent as one. No two of them write the same table.
pub(crate) struct Writes {
    tables: Vec<String>,
    /// What rows are selected from besides what is sent: nothing, where the statement's condition does not hold.
    condition: &'static str,
    arguments: PgArguments,
    /// How many arguments there are; the first one is the tenant.
    count: usize,
}

impl Writes {
    /// Nothing yet, of a tenant.
    pub(crate) fn of(tenant: &TenantId) -> Result<Self, sqlx::Error> {
        let mut arguments = PgArguments::default();
        arguments.add(tenant.as_str()).map_err(sqlx::Error::Encode)?;
        Ok(Self {
            tables: Vec::new(),
            condition: "",
            arguments,
            count: 1,
        })
    }

    /// The same, on the condition that the tables are as they are said to be, and nobody else is changing them: otherwise
    /// nothing is written.
    pub(crate) fn only_at(tenant: &TenantId, stand: Stand) -> Result<Self, sqlx::Error> {
        let mut writes = Self::of(tenant)?;
        let here = format!(
            "SELECT FROM checkpoints WHERE tenant = $1 AND position = {}::bigint AND version = {READ_MODELS_VERSION}
                AND to_regclass('accounts')::oid::bigint = {}::bigint FOR UPDATE SKIP LOCKED",
            writes.send(stand.position)?,
            writes.send(stand.tables)?
        );
        writes.also("here", &here);
        writes.condition = "here, ";
        Ok(writes)
    }

    /// Adds rows that their events write once.
    pub(crate) fn append<R: Row>(&mut self, rows: &[R]) -> Result<(), sqlx::Error> {
        self.write(&rows.iter().collect::<Vec<_>>(), OnConflict::Fail)
    }

    /// Adds the rows that changed.
    pub(crate) fn flush<R: Row>(&mut self, rows: &Rows<R>) -> Result<(), sqlx::Error> {
        let slots = rows.slots.values();
        let changed: Vec<&R> = slots.filter(|slot| slot.dirty).map(|slot| &slot.row).collect();
        self.write(&changed, OnConflict::Replace)
    }

    fn write<R: Row>(&mut self, rows: &[&R], conflict: OnConflict) -> Result<(), sqlx::Error> {
        if rows.is_empty() {
            return Ok(());
        }
        let columns = R::columns();
        let first = self.count + 1;
        let list = |render: &dyn Fn(usize, &ColumnSpec) -> String| {
            let rendered: Vec<String> = columns
                .iter()
                .enumerate()
                .map(|(index, column)| render(index, column))
                .collect();
            rendered.join(", ")
        };
        let names = list(&|_, column| column.name.to_owned());
        let values = list(&|_, column| format!("x.{}{}", column.name, column.cast));
        let arrays = list(&|index, column| format!("${}::{}[]", first + index, column.sent));
        let on_conflict = match conflict {
            OnConflict::Fail => String::new(),
            OnConflict::Replace => {
                let changed: Vec<String> = columns
                    .iter()
                    .filter(|column| !R::KEYS.contains(&column.name))
                    .map(|column| format!("{0} = EXCLUDED.{0}", column.name))
                    .collect();
                format!(
                    " ON CONFLICT (tenant, {}) DO UPDATE SET {}",
                    R::KEYS.join(", "),
                    changed.join(", ")
                )
            }
        };
        self.tables.push(format!(
            "{0}_written AS (INSERT INTO {0} (tenant, {names})
             SELECT $1, {values} FROM {condition}unnest({arrays}) AS x ({names}){on_conflict})",
            R::TABLE,
            condition = self.condition
        ));
        self.count += columns.len();
        R::send(rows, &mut self.arguments).map_err(sqlx::Error::Encode)
    }

    /// What rows that are sent are selected from, in front of them.
    pub(crate) const fn condition(&self) -> &'static str {
        self.condition
    }

    /// Sends a value, or an array of them. Returns how the statement names it.
    pub(crate) fn send<T>(&mut self, value: T) -> Result<String, sqlx::Error>
    where
        T: for<'q> Encode<'q, Postgres> + Type<Postgres>,
    {
        self.arguments.add(value).map_err(sqlx::Error::Encode)?;
        self.count += 1;
        Ok(format!("${}", self.count))
    }

    /// Adds a statement, by a name of its own. The tenant is `$1`.
    pub(crate) fn also(&mut self, name: &str, statement: &str) {
        self.tables.push(format!("{name} AS ({statement})"));
    }

    /// Writes all of it and moves the checkpoint, in one round trip. Returns whether it did: the condition may not hold.
    pub(crate) async fn run(mut self, connection: &mut PgConnection, position: i64) -> Result<bool, sqlx::Error> {
        let reached = self.send(position)?;
        let with = if self.tables.is_empty() { "" } else { "WITH " };
        let condition = if self.condition.is_empty() {
            ""
        } else {
            " AND EXISTS (SELECT FROM here)"
        };
        let text = format!(
            "{with}{} UPDATE checkpoints SET position = {reached} WHERE tenant = $1{condition}",
            self.tables.join(", "),
        );
        let moved = sqlx::query_with(&text, self.arguments).execute(connection).await?;
        Ok(moved.rows_affected() > 0)
    }
}

/// The rows of a table that a batch of events touches, folded in memory and written once.
#[derive(Debug)]
pub(crate) struct Rows<R: Row> {
    slots: HashMap<R::Key, Slot<R>>,
}

#[derive(Debug)]
struct Slot<R> {
    row: R,
    dirty: bool,
}

impl<R: Row> Default for Rows<R> {
    fn default() -> Self {
        Self { slots: HashMap::new() }
    }
}

impl<R: Row> Rows<R> {
    /// Loads those rows whose first key column is one of `keys`.
    pub(crate) async fn load<K: Column>(
        &mut self,
        connection: &mut PgConnection,
        tenant: &TenantId,
        keys: impl IntoIterator<Item = K>,
    ) -> Result<(), sqlx::Error> {
        let wanted: Vec<Option<K::Wire>> = keys.into_iter().map(|key| key.to_wire()).collect();
        let Some(key) = R::KEYS.first().filter(|_| !wanted.is_empty()) else {
            return Ok(());
        };
        let text = format!(
            "SELECT {} FROM {} AS t WHERE t.tenant = $1 AND t.{key} = ANY ($2)",
            select_list::<R>("t", ""),
            R::TABLE
        );
        let found = sqlx::query(&text)
            .bind(tenant.as_str())
            .bind(wanted)
            .fetch_all(connection)
            .await?;
        for row in &found {
            let row = R::read(row, "")?;
            self.slots.entry(row.key()).or_insert(Slot { row, dirty: false });
        }
        Ok(())
    }

    pub(crate) fn get(&self, key: &R::Key) -> Option<&R> {
        self.slots.get(key).map(|slot| &slot.row)
    }

    /// All rows loaded or put so far, in no order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &R> {
        self.slots.values().map(|slot| &slot.row)
    }

    /// A row to change.
    pub(crate) fn get_mut(&mut self, key: &R::Key) -> Option<&mut R> {
        let slot = self.slots.get_mut(key)?;
        slot.dirty = true;
        Some(&mut slot.row)
    }

    /// A row to change; where there is none, a new one.
    pub(crate) fn get_or_put(&mut self, key: R::Key, new: impl FnOnce(&R::Key) -> R) -> &mut R {
        let slot = self.slots.entry(key).or_insert_with_key(|key| Slot {
            row: new(key),
            dirty: true,
        });
        slot.dirty = true;
        &mut slot.row
    }

    pub(crate) fn put(&mut self, row: R) {
        self.slots.insert(row.key(), Slot { row, dirty: true });
    }

    /// Takes everything for written.
    pub(crate) fn settle(&mut self) {
        for slot in self.slots.values_mut() {
            slot.dirty = false;
        }
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }
}
