//! SQL composed from constant pieces and bound values. Input never becomes SQL text.

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

/// A piece of a statement.
#[derive(Clone, Debug)]
enum Piece {
    Text(String),
    /// Placeholder number, from 1.
    Place(usize),
    /// Start of a condition on the lines `l` of an entry `e` and their accounts `a`.
    BeginLines,
    /// Of those lines, the ones in transfers that the caller sees.
    SeenLines,
    /// End of that condition.
    EndLines,
}

/// Strategy for finding the lines of entries.
#[derive(Clone, Copy, Debug, Default)]
enum Lines {
    /// Left to the planner.
    #[default]
    Joined,
    /// Looked up per entry, never joined to all entries.
    Fenced,
    /// Found first, between the positions at these placeholders.
    Bounded { from: usize, through: usize },
}

/// A statement or its beginning: pieces, and the values of their placeholders.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sql {
    pieces: Vec<Piece>,
    values: Vec<Value>,
    lines: Lines,
    /// Condition of [`Piece::SeenLines`]; empty for a caller who sees all.
    seen: String,
}

impl Sql {
    pub(crate) fn new(text: impl Into<String>) -> Self {
        Self {
            pieces: vec![Piece::Text(text.into())],
            ..Self::default()
        }
    }

    /// SQL text with placeholders.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            match (piece, self.lines) {
                (Piece::Text(piece), _) => text.push_str(piece),
                (Piece::Place(place), _) => text.push_str(&format!("${place}")),
                (Piece::BeginLines, Lines::Bounded { .. }) => text.push_str(
                    "e.position = ANY (ARRAY(SELECT l.position FROM postings AS l \
                     JOIN accounts AS a ON a.tenant = l.tenant AND a.number = l.account WHERE l.tenant = $1",
                ),
                (Piece::BeginLines, Lines::Joined | Lines::Fenced) => text.push_str(
                    "EXISTS (SELECT 1 FROM postings AS l \
                     JOIN accounts AS a ON a.tenant = l.tenant AND a.number = l.account \
                     WHERE l.tenant = e.tenant AND l.position = e.position",
                ),
                (Piece::SeenLines, _) => text.push_str(&self.seen),
                (Piece::EndLines, Lines::Joined) => text.push(')'),
                (Piece::EndLines, Lines::Fenced) => text.push_str(" OFFSET 0)"),
                (Piece::EndLines, Lines::Bounded { from, through }) => {
                    text.push_str(&format!(" AND l.position BETWEEN ${from} AND ${through}))"));
                }
            }
        }
        text
    }

    /// Appends text.
    pub(crate) fn push(&mut self, text: &str) -> &mut Self {
        match self.pieces.last_mut() {
            Some(Piece::Text(last)) => last.push_str(text),
            _ => self.pieces.push(Piece::Text(text.to_owned())),
        }
        self
    }

    /// Appends a placeholder with its value.
    pub(crate) fn bind(&mut self, value: impl Into<Value>) -> &mut Self {
        self.values.push(value.into());
        self.pieces.push(Piece::Place(self.values.len()));
        self
    }

    /// Starts the condition that an entry `e` has a line `l` on an account `a`; conditions on both follow.
    pub(crate) fn begin_lines(&mut self) -> &mut Self {
        self.pieces.push(Piece::BeginLines);
        self
    }

    /// Leaves only lines that [`Self::see_lines`] names.
    pub(crate) fn seen_lines(&mut self) -> &mut Self {
        self.pieces.push(Piece::SeenLines);
        self
    }

    /// Lines that the caller sees: those of a transfer with an account `w` that meets the conditions.
    pub(crate) fn see_lines(&mut self, conditions: impl FnOnce(&mut Self)) {
        let mut of_accounts = Self {
            values: std::mem::take(&mut self.values),
            ..Self::default()
        };
        conditions(&mut of_accounts);
        self.seen = format!(
            " AND EXISTS (SELECT 1 FROM postings AS v JOIN accounts AS w ON w.tenant = v.tenant AND w.number = v.account \
             WHERE v.tenant = l.tenant AND v.position = l.position AND v.line / 2 = l.line / 2{})",
            of_accounts.text()
        );
        self.values = of_accounts.values;
    }

    /// Ends the condition on lines.
    pub(crate) fn end_lines(&mut self) -> &mut Self {
        self.pieces.push(Piece::EndLines);
        self
    }

    /// Looks lines up per entry instead of joining them to all entries.
    pub(crate) const fn fence_lines(&mut self) {
        self.lines = Lines::Fenced;
    }

    /// Finds lines between two positions first. The planner does not derive this bound from a join, and for positions
    /// newer than its statistics it expects a single one, so it would scan all lines per entry. The first value is the
    /// tenant.
    pub(crate) fn bound_lines(&mut self, from: i64, through: i64) {
        if self.pieces.iter().any(|piece| matches!(piece, Piece::BeginLines)) {
            self.values.extend([Value::Number(from), Value::Number(through)]);
            let last = self.values.len();
            self.lines = Lines::Bounded {
                from: last - 1,
                through: last,
            };
        }
    }

    /// The same statement with text prepended.
    pub(crate) fn after(&self, text: &str) -> Self {
        let front = Piece::Text(format!("{text} "));
        Self {
            pieces: std::iter::once(front).chain(self.pieces.iter().cloned()).collect(),
            values: self.values.clone(),
            lines: self.lines,
            seen: self.seen.clone(),
        }
    }

    pub(crate) async fn fetch_all(&self, connection: &mut PgConnection) -> Result<Vec<PgRow>, sqlx::Error> {
        let text = self.text();
        let mut query = sqlx::query(&text);
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

#[cfg(test)]
mod tests {
    use super::*;

    fn touching_the_treasury() -> Sql {
        let mut sql = Sql::new("FROM entries AS e WHERE e.tenant = ");
        sql.bind("worked").push(" AND ");
        sql.begin_lines().push(" AND a.kind = ").bind("treasury").end_lines();
        sql
    }

    #[test]
    fn lines_of_entries_within_positions_are_found_first() {
        let mut sql = touching_the_treasury();
        sql.bound_lines(5, 9);
        assert_eq!(
            sql.text(),
            "FROM entries AS e WHERE e.tenant = $1 AND e.position = ANY (ARRAY(SELECT l.position \
             FROM postings AS l JOIN accounts AS a ON a.tenant = l.tenant AND a.number = l.account \
             WHERE l.tenant = $1 AND a.kind = $2 AND l.position BETWEEN $3 AND $4))"
        );
    }

    #[test]
    fn fenced_lines_are_looked_at_entry_by_entry() {
        let mut sql = touching_the_treasury();
        assert!(sql.text().ends_with("l.position = e.position AND a.kind = $2)"));
        sql.fence_lines();
        assert!(
            sql.text()
                .ends_with("l.position = e.position AND a.kind = $2 OFFSET 0)")
        );
    }

    #[test]
    fn a_filter_of_lines_leaves_those_of_transfers_that_the_caller_sees() {
        let mut sql = Sql::new("FROM entries AS e WHERE e.tenant = ");
        sql.bind("worked")
            .see_lines(|sql| _ = sql.push(" AND w.owner = ").bind("seller"));
        sql.push(" AND ").begin_lines().push(" AND a.kind = ").bind("treasury");
        sql.seen_lines().end_lines();
        let seen = " AND a.kind = $3 AND EXISTS (SELECT 1 FROM postings AS v \
                    JOIN accounts AS w ON w.tenant = v.tenant AND w.number = v.account WHERE v.tenant = l.tenant \
                    AND v.position = l.position AND v.line / 2 = l.line / 2 AND w.owner = $2))";
        assert!(sql.text().ends_with(seen), "{}", sql.text());
        let by_all = touching_the_treasury();
        assert!(!by_all.text().contains("AS v"), "{}", by_all.text());
    }

    #[test]
    fn positions_bind_nothing_where_no_lines_are_asked_for() {
        let mut sql = Sql::new("FROM entries AS e WHERE e.tenant = ");
        sql.bind("worked").bound_lines(5, 9);
        assert_eq!(
            sql.after("SELECT 1").text(),
            "SELECT 1 FROM entries AS e WHERE e.tenant = $1"
        );
    }
}
