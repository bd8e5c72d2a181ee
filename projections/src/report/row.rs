//! Rows of a report, as JSON and as cells.

use super::definition::{Column, Kind, Report};
use crate::{
    customer::masked,
    print::{Printing, method_named, status},
    scalar::RemittanceStatus,
    table::get,
};
use caudal_domain::money::Amount;
use caudal_export::Cell;
use chrono::{DateTime, Utc};
use serde::{Serialize, Serializer, ser::SerializeMap as _};
use sqlx::{Row as _, postgres::PgRow};
use uuid::Uuid;

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Null,
    /// A text, or the API name of an enumeration value.
    Text(String),
    Id(Uuid),
    Count(i64),
    Money(Amount),
    Time(DateTime<Utc>),
    Status(RemittanceStatus),
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_none(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Id(id) => id.serialize(serializer),
            Self::Count(count) => serializer.serialize_i64(*count),
            Self::Money(amount) => serializer.collect_str(amount),
            Self::Time(time) => time.serialize(serializer),
            Self::Status(status) => status.serialize(serializer),
        }
    }
}

impl Value {
    /// Reads a column's value; card numbers are complete for parties that pay to them.
    fn read(row: &PgRow, column: &Column, pays_cards: bool) -> Result<Self, sqlx::Error> {
        let text = || row.try_get::<Option<String>, _>(column.key);
        let value = match column.kind {
            Kind::Text | Kind::Rate | Kind::Currency | Kind::Named(..) => text()?.map(Self::Text),
            Kind::CardNumber => text()?.map(|number| Self::Text(if pays_cards { number } else { masked(&number) })),
            Kind::Id => row.try_get::<Option<Uuid>, _>(column.key)?.map(Self::Id),
            Kind::Count => row.try_get::<Option<i64>, _>(column.key)?.map(Self::Count),
            Kind::Money => {
                let minor = row.try_get::<Option<i64>, _>(column.key)?;
                minor.map(|minor| Self::Money(Amount::from_minor(minor)))
            }
            Kind::Time => get::<Option<DateTime<Utc>>>(row, column.key)?.map(Self::Time),
            Kind::Status => {
                let number = row.try_get::<Option<i16>, _>(column.key)?;
                let status = number.and_then(|number| RemittanceStatus::numbered(u8::try_from(number).ok()?));
                status.map(Self::Status)
            }
        };
        Ok(value.unwrap_or(Self::Null))
    }
}

/// A row or a line of totals: an object with the columns' keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    keys: Vec<&'static str>,
    values: Vec<Value>,
}

impl Serialize for Row {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.keys.len()))?;
        for (key, value) in self.keys.iter().zip(&self.values) {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

impl Row {
    /// Reads a row; card numbers are complete for parties that pay to them.
    pub(super) fn read<'a>(
        row: &PgRow,
        columns: impl IntoIterator<Item = &'a Column>,
        pays_cards: bool,
    ) -> Result<Self, sqlx::Error> {
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        for column in columns {
            keys.push(column.key);
            values.push(Value::read(row, column, pays_cards)?);
        }
        Ok(Self { keys, values })
    }

    #[must_use]
    pub fn get(&self, key: &str) -> &Value {
        let place = self.keys.iter().position(|known| *known == key);
        place.and_then(|place| self.values.get(place)).unwrap_or(&Value::Null)
    }

    /// Cells for a file.
    pub(super) fn cells(&self, report: &Report, printing: &Printing) -> caudal_export::Row {
        report.printed().map(|column| self.cell(column, printing)).collect()
    }

    fn cell(&self, column: &Column, printing: &Printing) -> Cell {
        match (self.get(column.key), column.kind) {
            (Value::Null, _) => Cell::Empty,
            (Value::Text(text), Kind::Rate) => Cell::Decimal(text.clone()),
            (Value::Text(text), kind) => Cell::Text(self.text(text, kind, printing)),
            (Value::Id(id), _) => Cell::Text(id.to_string()),
            (Value::Count(count), _) => Cell::Integer(*count),
            (Value::Money(amount), _) => Cell::Money(amount.minor()),
            (Value::Time(time), _) => printing.time(*time),
            (Value::Status(value), _) => {
                let method = match self.get("deliveryMethod") {
                    Value::Text(name) => method_named(name),
                    _ => None,
                };
                Cell::Text(printing.say(status(*value, method)).to_owned())
            }
        }
    }

    fn text(&self, text: &str, kind: Kind, printing: &Printing) -> String {
        let words = match kind {
            Kind::Named(known, _) => known.words(text),
            _ => None,
        };
        words.map_or(text, |words| printing.say(words)).to_owned()
    }
}
