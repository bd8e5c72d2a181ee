//! A filter of a list: its name, what it is called in files, what the OpenAPI document says of it, what it takes, and the
//! condition that it adds.

use super::values::Known;
use crate::{
    page::require_length,
    print::Words,
    snapshot::Snapshot,
    sql::{Sql, Value},
    tally::Narrows,
};
use caudal_domain::{
    Refusal,
    closure::{end_of_day, start_of_day},
};
use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use uuid::Uuid;

/// A filter of a list.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    /// The query parameter. Names are compared without case.
    pub name: &'static str,
    /// What files call it above their rows.
    pub label: Words,
    /// What the OpenAPI document says of it.
    pub about: &'static str,
    /// What it takes.
    pub takes: Takes,
    narrows: Narrow,
    /// What it narrows the list's tallies by; absent where they can't tell.
    pub(super) counted: Option<Narrows>,
}

/// What a filter takes.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// An id.
    Id,
    /// A local day, `YYYYMMDD`.
    Day,
    /// An RFC 3339 time.
    Time,
    /// A currency's code.
    Currency,
    /// A position of the log.
    Position,
    /// A text.
    Text,
    /// `true` or `false`.
    Flag,
    /// One of an enumeration's values.
    Known(Known),
}

impl Takes {
    /// What a value is called in files; absent where it says itself, or is an id or a day.
    pub(crate) fn words(self, value: &str) -> Option<Words> {
        match (self, value) {
            (Self::Known(known), _) => known.words(value),
            (Self::Flag, "true") => Some(Words::new("sí", "yes")),
            (Self::Flag, "false") => Some(Words::new("no", "no")),
            _ => None,
        }
    }
}

/// The condition that a filter adds.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Narrow {
    /// None: the list reads the value itself.
    Own,
    /// The expression equals the value.
    Is(&'static str),
    /// One of the expressions equals the value.
    OneOf(&'static [&'static str]),
    /// The value stands between two pieces of a condition.
    Within(&'static str, &'static str),
    /// An entry `e` has a line on an account `a` whose column equals the value.
    Touches(&'static str),
    /// The condition of the value.
    Cases(&'static [(&'static str, &'static str)]),
    /// The time is of the day or later.
    From(&'static str),
    /// The time is of the day or before.
    Through(&'static str),
}

/// What one filter of a request asks for.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    Is(&'static str, Value),
    OneOf(&'static [&'static str], Value),
    Within(&'static str, Value, &'static str),
    Touches(&'static str, Value),
    Holds(&'static str),
    From(&'static str, DateTime<Utc>),
    Before(&'static str, DateTime<Utc>),
}

impl Condition {
    /// Adds it to the conditions of a statement.
    pub(super) fn add(&self, sql: &mut Sql) {
        match self {
            Self::Is(by, value) => sql.push(&format!(" AND {by} = ")).bind(value.clone()),
            Self::OneOf(expressions, value) => sql
                .push(" AND ")
                .bind(value.clone())
                .push(&format!(" IN ({})", expressions.join(", "))),
            Self::Within(before, value, after) => sql.push(&format!(" AND {before}")).bind(value.clone()).push(after),
            Self::Touches(column, value) => sql
                .push(" AND ")
                .begin_lines()
                .push(&format!(" AND {column} = "))
                .bind(value.clone())
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

    /// It narrows the list's tallies, too.
    pub(crate) const fn counted(self, narrows: Narrows) -> Self {
        Self {
            counted: Some(narrows),
            ..self
        }
    }

    /// The same, of which the OpenAPI document says something else.
    pub(crate) const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    /// Its condition for a value; none where the list reads the value itself.
    ///
    /// # Errors
    /// The value is not what it takes.
    pub(super) async fn condition(
        &self,
        value: &str,
        snapshot: &mut Snapshot,
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
                return Ok(Some(Condition::From(time, beginning(name, value, snapshot.zone())?)));
            }
            (Narrow::Through(time), _) => {
                return Ok(Some(Condition::Before(time, end(name, value, snapshot.zone())?)));
            }
            (_, Takes::Id) => Uuid::parse_str(value)
                .map_err(|_| Refusal::invalid(name, "id_invalid"))?
                .into(),
            (_, Takes::Currency) => {
                if !snapshot.has_currency(value).await? {
                    return Err(Refusal::invalid(name, "currency_unknown").into());
                }
                value.into()
            }
            _ => {
                require_length(name, value)?;
                value.into()
            }
        };
        Ok(match &self.narrows {
            Narrow::Is(by) => Some(Condition::Is(by, bound)),
            Narrow::OneOf(expressions) => Some(Condition::OneOf(expressions, bound)),
            Narrow::Within(before, after) => Some(Condition::Within(before, bound, after)),
            Narrow::Touches(column) => Some(Condition::Touches(column, bound)),
            Narrow::Own | Narrow::Cases(_) | Narrow::From(_) | Narrow::Through(_) => None,
        })
    }
}

/// A filter by an id that the expression equals.
pub(crate) const fn id(name: &'static str, label: Words, about: &'static str, by: &'static str) -> Filter {
    Filter::new(name, label, about, Takes::Id, Narrow::Is(by))
}

/// A filter by an id that one of the expressions equals.
pub(crate) const fn any_id(
    name: &'static str,
    label: Words,
    about: &'static str,
    by: &'static [&'static str],
) -> Filter {
    Filter::new(name, label, about, Takes::Id, Narrow::OneOf(by))
}

/// A filter by a text that the expression equals.
pub(crate) const fn exactly(name: &'static str, label: Words, about: &'static str, by: &'static str) -> Filter {
    Filter::new(name, label, about, Takes::Text, Narrow::Is(by))
}

/// A filter by one of an enumeration's values, each with its condition.
pub(crate) const fn one_of(
    name: &'static str,
    label: Words,
    about: &'static str,
    known: Known,
    cases: &'static [(&'static str, &'static str)],
) -> Filter {
    Filter::new(name, label, about, Takes::Known(known), Narrow::Cases(cases))
}

/// A filter by yes or no, each with its condition.
pub(crate) const fn flagged(
    name: &'static str,
    label: Words,
    about: &'static str,
    cases: &'static [(&'static str, &'static str)],
) -> Filter {
    Filter::new(name, label, about, Takes::Flag, Narrow::Cases(cases))
}

/// The filter by a currency of the nomenclator, which the expression equals.
pub(crate) const fn in_currency(about: &'static str, by: &'static str) -> Filter {
    Filter::new("currency", CURRENCY, about, Takes::Currency, Narrow::Is(by))
}

/// A filter by the first local day of a time.
pub(crate) const fn first_day(name: &'static str, about: &'static str, time: &'static str) -> Filter {
    Filter::new(name, FROM, about, Takes::Day, Narrow::From(time))
}

/// A filter by the last local day of a time.
pub(crate) const fn last_day(name: &'static str, about: &'static str, time: &'static str) -> Filter {
    Filter::new(name, TO, about, Takes::Day, Narrow::Through(time))
}

/// A filter whose value the list reads itself.
pub(crate) const fn own(name: &'static str, label: Words, about: &'static str, takes: Takes) -> Filter {
    Filter::new(name, label, about, takes, Narrow::Own)
}

/// As of a moment, which the list reads itself.
pub(crate) const fn at(about: &'static str) -> Filter {
    own("at", Words::new("A fecha de", "As of"), about, Takes::Time)
}

/// As of a position, which the list reads itself.
pub(crate) const fn at_position(about: &'static str) -> Filter {
    own("position", Words::new("Posición", "Position"), about, Takes::Position)
}

macro_rules! labels {
    ($($name:ident = $es:literal, $en:literal;)*) => {$(
        pub(crate) const $name: Words = Words::new($es, $en);
    )*};
}

labels! {
    ACCOUNT = "Cuenta", "Account";
    ACTIVE = "Activo", "Active";
    AGENCY = "Agencia", "Agency";
    AGENT = "Agente", "Agent";
    AGENT_TYPE = "Tipo de agente", "Agent type";
    CAUSE = "Causa", "Cause";
    CURRENCY = "Moneda", "Currency";
    DAY = "Día", "Day";
    DEALER = "Distribuidor", "Dealer";
    DELETED = "Borrado", "Deleted";
    DELIVERY = "Entrega", "Delivery";
    DELIVERY_MAN = "Repartidor", "Delivery man";
    EVENT = "Evento", "Event";
    FROM = "Desde", "From";
    GROUP = "Grupo de pago", "Payment group";
    KIND = "Tipo", "Kind";
    MUNICIPALITY = "Municipio", "Municipality";
    OWNER = "Titular", "Owner";
    PERIOD = "Período", "Period";
    PROVINCE = "Provincia", "Province";
    RECIPIENT = "Destinatario", "Recipient";
    RECORD = "Registro", "Record";
    REMITTANCE = "Remesa", "Remittance";
    REQUEST = "Petición", "Request";
    SEARCH = "Búsqueda", "Search";
    SENDER = "Emisor", "Issuer";
    STATUS = "Estado", "Status";
    STATUS_BEFORE = "Estado anterior", "Status before";
    TO = "Hasta", "To";
    TYPE = "Tipo", "Type";
    USER = "Usuario", "User";
    WHO = "Quién", "Who";
}

/// A local day written `YYYYMMDD`.
///
/// # Errors
/// Names the field.
pub(crate) fn day(field: &str, text: &str) -> Result<NaiveDate, Refusal> {
    crate::scalar::day(text).ok_or_else(|| Refusal::invalid(field.to_owned(), "date_invalid"))
}

/// The instant at which a local day begins.
pub(crate) fn beginning(field: &str, text: &str, zone: Tz) -> Result<DateTime<Utc>, Refusal> {
    start_of_day(day(field, text)?, zone).ok_or_else(|| Refusal::invalid(field.to_owned(), "date_invalid"))
}

/// The instant at which a local day has ended.
pub(crate) fn end(field: &str, text: &str, zone: Tz) -> Result<DateTime<Utc>, Refusal> {
    end_of_day(day(field, text)?, zone).ok_or_else(|| Refusal::invalid(field.to_owned(), "date_invalid"))
}
