//! SQL that is put together from fixed pieces and bound values. Nothing that a caller sent ever becomes text of it.

use caudal_domain::ids::TenantId;
use chrono::{DateTime, NaiveDate, Utc};
use sqlx::{PgConnection, postgres::PgRow};
use uuid::Uuid;

/// A bound value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    Id(Uuid),
    Ids(Vec<Uuid>),
    Text(String),
    Texts(Vec<String>),
    Number(i64),
    Numbers(Vec<i64>),
    Time(DateTime<Utc>),
    Day(NaiveDate),
}

macro_rules! values {
    ($($variant:ident($ty:ty)),* $(,)?) => {$(
        impl From<$ty> for Value {
            fn from(value: $ty) -> Self {
                Self::$variant(value)
            }
        }
    )*};
}

values!(
    Id(Uuid),
    Ids(Vec<Uuid>),
    Text(String),
    Texts(Vec<String>),
    Number(i64),
    Numbers(Vec<i64>),
    Time(DateTime<Utc>),
    Day(NaiveDate)
);

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<&TenantId> for Value {
    fn from(tenant: &TenantId) -> Self {
        Self::Text(tenant.as_str().to_owned())
    }
}

/// How a condition on the lines `l` of an entry `e` begins, what makes them its own, and how it ends: see [`Sql::fenced`]
/// and [`Sql::bounded`].
pub(crate) const LINES: &str = "EXISTS (SELECT 1 FROM entry_lines AS l";
pub(crate) const OF_ENTRY: &str = "l.tenant = e.tenant AND l.position = e.position";
pub(crate) const FENCE: &str = "/* fence */)";

/// A statement, or the beginning of one.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sql {
    text: String,
    values: Vec<Value>,
}

impl Sql {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            values: Vec::new(),
        }
    }

    /// The text, in which values have their places.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Adds text.
    pub(crate) fn push(&mut self, text: &str) -> &mut Self {
        self.text.push_str(text);
        self
    }

    /// Adds a value's place.
    pub(crate) fn bind(&mut self, value: impl Into<Value>) -> &mut Self {
        self.values.push(value.into());
        self.text.push_str(&format!("${}", self.values.len()));
        self
    }

    /// The same, conditions on lines looked at for each entry, and not joined to all of them.
    pub(crate) fn fenced(&self) -> Self {
        self.with(FENCE, "OFFSET 0)")
    }

    /// The same of entries between two positions, which lines are found of first. Joined to them they would not be bounded,
    /// which the planner does not conclude; and of positions that are newer than its statistics it expects there to be one,
    /// so that it would look through all lines for each entry. The first value is the tenant.
    pub(crate) fn bounded(&self, from: i64, through: i64) -> Self {
        if !self.text.contains(FENCE) {
            return self.clone();
        }
        let mut sql = self
            .with(LINES, "e.position = ANY (ARRAY(SELECT l.position FROM entry_lines AS l")
            .with(OF_ENTRY, "l.tenant = $1");
        sql.values.extend([Value::Number(from), Value::Number(through)]);
        let places = (sql.values.len() - 1, sql.values.len());
        sql.with(
            FENCE,
            &format!("AND l.position BETWEEN ${} AND ${}))", places.0, places.1),
        )
    }

    /// The same with text, which binds nothing, in the place of what marks it.
    pub(crate) fn with(&self, mark: &str, text: &str) -> Self {
        Self {
            text: self.text.replace(mark, text),
            values: self.values.clone(),
        }
    }

    /// The same with text in front, which binds nothing.
    pub(crate) fn after(&self, text: &str) -> Self {
        Self {
            text: format!("{text} {}", self.text),
            values: self.values.clone(),
        }
    }

    pub(crate) async fn fetch_all(&self, connection: &mut PgConnection) -> Result<Vec<PgRow>, sqlx::Error> {
        let mut query = sqlx::query(&self.text);
        for value in &self.values {
            query = match value.clone() {
                Value::Id(value) => query.bind(value),
                Value::Ids(value) => query.bind(value),
                Value::Text(value) => query.bind(value),
                Value::Texts(value) => query.bind(value),
                Value::Number(value) => query.bind(value),
                Value::Numbers(value) => query.bind(value),
                Value::Time(value) => query.bind(value),
                Value::Day(value) => query.bind(value),
            };
        }
        query.fetch_all(connection).await
    }
}
