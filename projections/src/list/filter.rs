//! Filter of a list: parameter name, label in files, description in the OpenAPI document, value type, and condition.

use super::values::Known;
use crate::{
    page::require_length,
    print::{Words, word},
    read_transaction::ReadTransaction,
    scalar::whole,
    sql::{Sql, Value},
    tally::Narrows,
};
use caudal_domain::{
    Refusal,
    closure::{end_of_day, start_of_day},
    money::Amount,
    refusal::require,
};
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use uuid::Uuid;

/// A filter of a list.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    /// Query parameter, case-insensitive.
    pub name: &'static str,
    /// Label above the rows of a file.
    pub label: Words,
    /// Description in the OpenAPI document.
    pub about: &'static str,
    pub takes: Takes,
    narrows: Narrow,
    /// Dimension of the list's tallies; `None` when they lack one.
    pub(super) counted: Option<Narrows>,
}

/// Value type of a filter.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    Id,
    /// Local day, `YYYYMMDD`.
    Day,
    /// RFC 3339 time.
    Time,
    /// Currency code.
    Currency,
    /// Log position.
    Position,
    /// Amount of money.
    Amount,
    /// Number of something.
    Number,
    Text,
    /// `true` or `false`.
    Flag,
    /// A value of an enumeration.
    Known(Known),
}

impl Takes {
    /// Label of a value in files; `None` for ids, days and self-explanatory values.
    pub(crate) fn words(self, value: &str) -> Option<Words> {
        match (self, value) {
            (Self::Known(known), _) => known.words(value),
            (Self::Flag, "true") => Some(word::YES_LOWER),
            (Self::Flag, "false") => Some(word::NO_LOWER),
            _ => None,
        }
    }
}

/// Condition that a filter adds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Narrow {
    /// None: the list's query reads the value.
    Own,
    /// The expression equals the value.
    Is(&'static str),
    /// One of the expressions equals the value.
    OneOf(&'static [&'static str]),
    /// An array contains the value.
    Among(&'static str),
    /// The value between two parts of a condition.
    Within(&'static str, &'static str),
    /// An entry `e` has a line that the caller sees, on an account `a` whose column equals the value.
    Touches(&'static str),
    /// The condition of the value.
    Cases(&'static [(&'static str, &'static str)]),
    /// The time is on the day or later.
    From(&'static str),
    /// The time is on the day or earlier.
    Through(&'static str),
}

/// Condition of one filter in a request.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    Is(&'static str, Value),
    OneOf(&'static [&'static str], Value),
    Among(&'static str, Value),
    Within(&'static str, Value, &'static str),
    Touches(&'static str, Value),
    Holds(&'static str),
    From(&'static str, DateTime<Utc>),
    Before(&'static str, DateTime<Utc>),
}

impl Condition {
    /// Appends the condition.
    pub(super) fn add(&self, sql: &mut Sql) {
        match self {
            Self::Is(by, value) => sql.push(&format!(" AND {by} = ")).bind(value.clone()),
            Self::OneOf(expressions, value) => sql
                .push(" AND ")
                .bind(value.clone())
                .push(&format!(" IN ({})", expressions.join(", "))),
            Self::Among(array, value) => sql.push(" AND ").bind(value.clone()).push(&format!(" = ANY ({array})")),
            Self::Within(before, value, after) => sql.push(&format!(" AND {before}")).bind(value.clone()).push(after),
            Self::Touches(column, value) => sql
                .push(" AND ")
                .begin_lines()
                .push(&format!(" AND {column} = "))
                .bind(value.clone())
                .seen_lines()
                .end_lines(),
            Self::Holds(condition) => sql.push(&format!(" AND ({condition})")),
            Self::From(time, from) => sql.push(&format!(" AND {time} >= ")).bind(*from),
            Self::Before(time, end) => sql.push(&format!(" AND {time} < ")).bind(*end),
        };
    }
}

impl Filter {
    pub(crate) const fn new(
        name: &'static str,
        label: Words,
        about: &'static str,
        takes: Takes,
        narrows: Narrow,
    ) -> Self {
        Self {
            name,
            label,
            about,
            takes,
            narrows,
            counted: None,
        }
    }

    /// Adds a dimension of the list's tallies.
    pub(crate) const fn counted(self, narrows: Narrows) -> Self {
        Self {
            counted: Some(narrows),
            ..self
        }
    }

    /// Replaces the description in the OpenAPI document.
    pub(crate) const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// Condition for a value; `None` when the list's query reads the value.
    ///
    /// # Errors
    /// An invalid value.
    pub(super) async fn condition(
        &self,
        value: &str,
        transaction: &mut ReadTransaction,
    ) -> Result<Option<Condition>, crate::error::ReadError> {
        let name = self.name;
        let bound: Value = match (&self.narrows, self.takes) {
            (Narrow::Own, _) => return Ok(None),
            (Narrow::Cases(cases), _) => {
                let known = cases.iter().find(|(known, _)| *known == value);
                let (_, condition) = known.ok_or_else(|| {
                    let allowed: Vec<&str> = cases.iter().map(|(value, _)| *value).collect();
                    Refusal::invalid_with(name, "value_unknown", [("allowed", allowed.join(", "))])
                })?;
                return Ok(Some(Condition::Holds(condition)));
            }
            (Narrow::From(time), _) => {
                return Ok(Some(Condition::From(time, beginning(name, value, transaction.zone())?)));
            }
            (Narrow::Through(time), _) => {
                return Ok(Some(Condition::Before(time, end(name, value, transaction.zone())?)));
            }
            (_, Takes::Id) => Uuid::parse_str(value)
                .map_err(|_| Refusal::invalid(name, "id_invalid"))?
                .into(),
            (_, Takes::Currency) => {
                if !transaction.has_currency(value).await? {
                    return Err(Refusal::invalid(name, "currency_unknown").into());
                }
                value.into()
            }
            (_, Takes::Amount) => {
                let amount: Amount = value.parse().map_err(|_| Refusal::invalid(name, "number_invalid"))?;
                require(amount.minor() >= 0, || Refusal::invalid(name, "amount_negative"))?;
                amount.minor().into()
            }
            (_, Takes::Number) => whole(value).map_err(|code| Refusal::invalid(name, code))?.into(),
            _ => {
                require_length(name, value)?;
                value.into()
            }
        };
        Ok(match &self.narrows {
            Narrow::Is(by) => Some(Condition::Is(by, bound)),
            Narrow::OneOf(expressions) => Some(Condition::OneOf(expressions, bound)),
            Narrow::Among(array) => Some(Condition::Among(array, bound)),
            Narrow::Within(before, after) => Some(Condition::Within(before, bound, after)),
            Narrow::Touches(column) => Some(Condition::Touches(column, bound)),
            Narrow::Own | Narrow::Cases(_) | Narrow::From(_) | Narrow::Through(_) => None,
        })
    }
}

/// Filter by an id that equals the expression.
pub(crate) const fn id(name: &'static str, label: Words, about: &'static str, by: &'static str) -> Filter {
    Filter::new(name, label, about, Takes::Id, Narrow::Is(by))
}

/// Filter by an id that equals one of the expressions.
pub(crate) const fn any_id(
    name: &'static str,
    label: Words,
    about: &'static str,
    by: &'static [&'static str],
) -> Filter {
    Filter::new(name, label, about, Takes::Id, Narrow::OneOf(by))
}

/// Filter by an id that an array contains.
pub(crate) const fn among_ids(name: &'static str, label: Words, about: &'static str, array: &'static str) -> Filter {
    Filter::new(name, label, about, Takes::Id, Narrow::Among(array))
}

/// Filter by a text that equals the expression.
pub(crate) const fn exactly(name: &'static str, label: Words, about: &'static str, by: &'static str) -> Filter {
    Filter::new(name, label, about, Takes::Text, Narrow::Is(by))
}

/// Filter by a value of an enumeration, each with its condition.
pub(crate) const fn one_of(
    name: &'static str,
    label: Words,
    about: &'static str,
    known: Known,
    cases: &'static [(&'static str, &'static str)],
) -> Filter {
    Filter::new(name, label, about, Takes::Known(known), Narrow::Cases(cases))
}

/// Filter by yes or no, each with its condition.
pub(crate) const fn flagged(
    name: &'static str,
    label: Words,
    about: &'static str,
    cases: &'static [(&'static str, &'static str)],
) -> Filter {
    Filter::new(name, label, about, Takes::Flag, Narrow::Cases(cases))
}

/// Filter by a currency that equals the expression.
pub(crate) const fn in_currency(about: &'static str, by: &'static str) -> Filter {
    Filter::new("currency", word::CURRENCY, about, Takes::Currency, Narrow::Is(by))
}

/// Filter by the first local day of a time.
pub(crate) const fn first_day(name: &'static str, about: &'static str, time: &'static str) -> Filter {
    Filter::new(name, word::FROM_DAY, about, Takes::Day, Narrow::From(time))
}

/// Filter by the last local day of a time.
pub(crate) const fn last_day(name: &'static str, about: &'static str, time: &'static str) -> Filter {
    Filter::new(name, TO, about, Takes::Day, Narrow::Through(time))
}

/// Filter whose value the list's query reads.
pub(crate) const fn own(name: &'static str, label: Words, about: &'static str, takes: Takes) -> Filter {
    Filter::new(name, label, about, takes, Narrow::Own)
}

/// As of a moment; read by the list's query.
pub(crate) const fn at(about: &'static str) -> Filter {
    own("at", Words::new("A fecha de", "As of"), about, Takes::Time)
}

/// As of a position; read by the list's query.
pub(crate) const fn at_position(about: &'static str) -> Filter {
    own("position", word::POSITION, about, Takes::Position)
}

pub(crate) const DELETED: Words = Words::new("Borrado", "Deleted");
pub(crate) const SEARCH: Words = Words::new("Búsqueda", "Search");
pub(crate) const TO: Words = Words::new("Hasta", "To");

/// Parses a local day `YYYYMMDD`.
///
/// # Errors
/// Names the field.
pub(crate) fn day(field: &str, text: &str) -> Result<NaiveDate, Refusal> {
    crate::scalar::day(text).ok_or_else(|| Refusal::invalid(field.to_owned(), "date_invalid"))
}

/// Start instant of a local day.
pub(crate) fn beginning(field: &str, text: &str, zone: Tz) -> Result<DateTime<Utc>, Refusal> {
    start_of_day(day(field, text)?, zone).ok_or_else(|| Refusal::invalid(field.to_owned(), "date_invalid"))
}

/// End instant of a local day.
pub(crate) fn end(field: &str, text: &str, zone: Tz) -> Result<DateTime<Utc>, Refusal> {
    end_of_day(day(field, text)?, zone).ok_or_else(|| Refusal::invalid(field.to_owned(), "date_invalid"))
}
