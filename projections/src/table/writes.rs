//! Writes of a batch to all tables, in one statement.

use super::{ColumnSpec, READ_MODELS_VERSION, Row, Rows, TableState};
use caudal_domain::ids::TenantId;
use caudal_journal::LogPoint;
use sqlx::{Arguments as _, Encode, PgConnection, Postgres, Type, postgres::PgArguments};

/// Conflict action of an insert.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OnConflict {
    Replace,
    /// The statement fails: such rows are inserted once, by their event.
    Fail,
}

/// Composes one statement per table into a single one. No two of them write the same row.
pub(crate) struct Writes {
    tables: Vec<String>,
    /// Source of the inserted rows: empty when the statement's condition fails.
    condition: &'static str,
    arguments: PgArguments,
    /// Number of arguments; the first is the tenant.
    count: usize,
}

impl Writes {
    /// An empty composition for a tenant.
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

    /// A composition conditional on the state of the tables and a free lock; otherwise nothing is written.
    pub(crate) fn only_at(tenant: &TenantId, table_state: TableState) -> Result<Self, sqlx::Error> {
        let mut writes = Self::of(tenant)?;
        let here = format!(
            "SELECT FROM checkpoints WHERE tenant = $1 AND position = {0}::bigint AND version = {READ_MODELS_VERSION}
                AND hash = {1}::bytea AND hash_at = {0}::bigint
                AND to_regclass('accounts')::oid::bigint = {2}::bigint FOR UPDATE SKIP LOCKED",
            writes.send(table_state.at.position)?,
            writes.send(table_state.at.hash)?,
            writes.send(table_state.tables)?
        );
        writes.also("here", &here);
        writes.condition = "here, ";
        Ok(writes)
    }

    /// Inserts rows that their events write once.
    pub(crate) fn append<R: Row>(&mut self, rows: &[R]) -> Result<(), sqlx::Error> {
        self.write(&rows.iter().collect::<Vec<_>>(), OnConflict::Fail)
    }

    /// Upserts the changed rows.
    pub(crate) fn flush<R: Row>(&mut self, rows: &Rows<R>) -> Result<(), sqlx::Error> {
        self.write(&rows.changed(), OnConflict::Replace)
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

    /// Deletes a table's rows up to a position below all added ones.
    pub(crate) fn delete_through<R: Row>(&mut self, position: i64) -> Result<(), sqlx::Error> {
        let condition = self.holds();
        let position = self.send(position)?;
        self.tables.push(format!(
            "{0}_deleted AS (DELETE FROM {0} WHERE tenant = $1 AND position <= {position}{condition})",
            R::TABLE
        ));
        Ok(())
    }

    /// Condition for statements without a SELECT.
    const fn holds(&self) -> &'static str {
        if self.condition.is_empty() {
            ""
        } else {
            " AND EXISTS (SELECT FROM here)"
        }
    }

    /// Prefix of the inserted rows' SELECT.
    pub(crate) const fn condition(&self) -> &'static str {
        self.condition
    }

    /// Binds a value or an array. Returns its placeholder.
    pub(crate) fn send<T>(&mut self, value: T) -> Result<String, sqlx::Error>
    where
        T: for<'q> Encode<'q, Postgres> + Type<Postgres>,
    {
        self.arguments.add(value).map_err(sqlx::Error::Encode)?;
        self.count += 1;
        Ok(format!("${}", self.count))
    }

    /// Adds a named statement. The tenant is `$1`.
    pub(crate) fn also(&mut self, name: &str, statement: &str) {
        self.tables.push(format!("{name} AS ({statement})"));
    }

    /// Executes all writes and moves the position, in one round trip. Returns false when the condition failed.
    pub(crate) async fn run(mut self, connection: &mut PgConnection, at: LogPoint) -> Result<bool, sqlx::Error> {
        let (position, hash) = (self.send(at.position)?, self.send(at.hash)?);
        let with = if self.tables.is_empty() { "" } else { "WITH " };
        let condition = self.holds();
        let text = format!(
            "{with}{} UPDATE checkpoints SET position = {position}, hash = {hash}, hash_at = {position}
              WHERE tenant = $1{condition}",
            self.tables.join(", "),
        );
        let moved = sqlx::query_with(&text, self.arguments).execute(connection).await?;
        Ok(moved.rows_affected() > 0)
    }
}
