//! Column types: conversion between domain values and PostgreSQL.

use caudal_domain::{
    AccountKind, Clear, PersonalData, StreamKind,
    customer::card::Brand,
    money::{Amount, CurrencyCode, Rate},
    movement::MovementKind,
    party::Role,
    remittance::Status,
    tenant_state::obligation::ObligationOrigin,
};
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Serialize, de::DeserializeOwned};
use sqlx::{
    Decode, Encode, Postgres, Row as _, Type,
    encode::IsNull,
    postgres::{PgArgumentBuffer, PgHasArrayType, PgRow},
};
use uuid::Uuid;

pub(crate) type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// A column value with its wire type.
pub(crate) trait Column: Sized {
    /// Type sent and received.
    type Wire: for<'q> Encode<'q, Postgres>
        + for<'r> Decode<'r, Postgres>
        + Type<Postgres>
        + PgHasArrayType
        + Send
        + Sync
        + 'static;
    /// PostgreSQL's name of the wire type.
    const SENT: &'static str;
    /// Cast from the wire type to the column's.
    const CAST: &'static str = "";
    /// Cast from the column's type to the wire type.
    const READ: &'static str = "";

    /// `None` is NULL.
    fn to_wire(&self) -> Option<Self::Wire>;

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

/// In minor units.
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

/// Name of a unit enumeration value in the log.
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

macro_rules! columns_as_in_log {
    ($($ty:ty),*) => {$(
        impl Column for $ty {
            type Wire = String;
            const SENT: &'static str = "text";

            fn to_wire(&self) -> Option<String> {
                Some(name_in_log(self))
            }

            fn from_wire(wire: Option<String>) -> Result<Self, BoxError> {
                Ok(serde_json::from_value(present(wire)?.into())?)
            }
        }
    )*};
}

columns_as_in_log!(ObligationOrigin, MovementKind);

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

/// A value stored as `jsonb`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Json<T>(pub(crate) T);

impl<T: Serialize + DeserializeOwned> Column for Json<T> {
    type Wire = JsonText;
    const SENT: &'static str = "text";
    const CAST: &'static str = "::jsonb";
    const READ: &'static str = "::text";

    fn to_wire(&self) -> Option<JsonText> {
        // Domain types always serialise; the column would refuse a NULL.
        serde_json::to_string(&self.0).ok().map(JsonText)
    }

    fn from_wire(wire: Option<JsonText>) -> Result<Self, BoxError> {
        Ok(Self(serde_json::from_str(&present(wire)?.0)?))
    }
}

/// Personal data stored as `jsonb` in clear; erasure overwrites it, and a rebuild omits it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PersonalJson<T>(pub(crate) T);

impl<T: PersonalData> Column for PersonalJson<T> {
    type Wire = JsonText;
    const SENT: &'static str = "text";
    const CAST: &'static str = "::jsonb";
    const READ: &'static str = "::text";

    fn to_wire(&self) -> Option<JsonText> {
        // Domain types always serialise; the column would refuse a NULL.
        serde_json::to_string(&Clear(&self.0)).ok().map(JsonText)
    }

    fn from_wire(wire: Option<JsonText>) -> Result<Self, BoxError> {
        Ok(Self(serde_json::from_str(&present(wire)?.0)?))
    }
}

/// JSON text on the wire.
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

/// Reads a column.
pub(crate) fn get<T: Column>(row: &PgRow, name: &str) -> Result<T, sqlx::Error> {
    T::from_wire(row.try_get::<Option<T::Wire>, _>(name)?).map_err(|source| sqlx::Error::ColumnDecode {
        index: name.to_owned(),
        source,
    })
}
