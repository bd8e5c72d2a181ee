//! Export of lists and reports as CSV, XLSX, PDF or Parquet, with exactly the filtered rows in the caller's scope.
//!
//! [`list`] walks a declared [`List`] batch by batch within one read transaction and renders it, so an export cannot
//! show other rows than the interface.

mod filters;
mod rows;

pub use rows::{EXPORTS_AT_ONCE, Turn};

pub(crate) use filters::described;
pub(crate) use rows::{Batch, Source, Torn, stream};

use crate::{
    error::ReadError,
    list::{Column, List, cells as cells_of},
    page::{ListQuery, Paged},
    print::{Printing, TOTAL, Words},
    read_transaction::ReadTransaction,
    scope::Scope,
};
use caudal_export::{Column as SheetColumn, Export, ExportError, Format, Row, Sheet, Sums, export};
use futures::{FutureExt as _, future::BoxFuture};
use uuid::Uuid;

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportFailure {
    #[error("too many exports at once")]
    Busy,
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Export(ExportError),
}

impl From<ExportError> for ExportFailure {
    fn from(error: ExportError) -> Self {
        let ExportError::Rows(source) = error else {
            return Self::Export(error);
        };
        match source.downcast::<Torn>() {
            Ok(torn) => match *torn {
                Torn::Read(error) => Self::Read(error),
                torn => Self::Export(ExportError::Rows(Box::new(torn))),
            },
            Err(source) => Self::Export(ExportError::Rows(source)),
        }
    }
}

/// Request of an export.
#[derive(Debug)]
pub struct ExportRequest {
    /// Read transaction.
    pub transaction: ReadTransaction,
    pub scope: Scope,
    /// Filters and sort; the page is ignored.
    pub query: ListQuery,
    /// Records in the list's path, such as a remittance of a history.
    pub about: Vec<(Words, Uuid)>,
    pub printing: Printing,
    /// Permit of the concurrency limit.
    pub turn: Turn,
}

/// Exports a list: `list` returns its rows, `lines` the lines of each row.
///
/// # Errors
/// The list's refusals; too many rows for the format.
pub async fn list<P, L, F>(
    asked: ExportRequest,
    format: Format,
    table: &'static List<L>,
    list: F,
    lines: fn(P::Row) -> Vec<L>,
) -> Result<Export, ExportFailure>
where
    P: Paged,
    L: Send + Sync + 'static,
    F: for<'a> Fn(&'a mut ReadTransaction, &'a Scope, &'a ListQuery) -> BoxFuture<'a, Result<P, ReadError>>
        + Send
        + Sync
        + 'static,
{
    let ExportRequest {
        mut transaction,
        scope,
        query,
        about,
        printing,
        turn,
    } = asked;
    let declared = table.declared();
    let said = described(&mut transaction, &scope, &query, &printing, &declared, &about).await?;
    let sheet = sheet(table, said, facts(&transaction, &printing), &printing);
    transaction.begin_walk();
    let walk = ListWalk {
        transaction,
        scope,
        query,
        printing,
        table,
        list,
        lines,
    };
    Ok(export(format, sheet, stream(walk, turn).await?).await?)
}

/// The list's table without rows.
fn sheet<L>(list: &List<L>, said: Vec<String>, facts: Vec<(String, String)>, printing: &Printing) -> Sheet {
    let columns: Vec<&Column<L>> = list.columns.iter().filter(|column| column.is_printed()).collect();
    let summed = |(place, column): (usize, &&Column<L>)| column.is_summed.then_some(place);
    let sums = Sums {
        label: printing.say(TOTAL).to_owned(),
        by: columns.iter().position(|column| column.is_currency()),
        columns: columns.iter().enumerate().filter_map(summed).collect(),
    };
    Sheet {
        title: printing.say(list.title).to_owned(),
        subtitle: printing.subtitle(said),
        columns: columns
            .iter()
            .map(|column| SheetColumn::new(printing.say(column.header), column.kind()).named(column.key))
            .collect(),
        totals: Vec::new(),
        sums: Some(sums).filter(|sums| !sums.columns.is_empty()),
        language: printing.language,
        generated_at: printing.local(printing.at),
        facts,
    }
}

/// Facts about a file's rows for programs.
pub(crate) fn facts(transaction: &ReadTransaction, printing: &Printing) -> Vec<(String, String)> {
    let facts = [
        ("caudal.tenant", transaction.tenant().to_string()),
        ("caudal.ledger_position", transaction.position().to_string()),
        ("caudal.read_at", printing.at.to_rfc3339()),
        ("caudal.time_zone", printing.zone.to_string()),
    ];
    facts.map(|(key, value)| (key.to_owned(), value)).into()
}

/// Source that walks a list.
struct ListWalk<P: Paged, L: 'static, F> {
    transaction: ReadTransaction,
    scope: Scope,
    query: ListQuery,
    printing: Printing,
    table: &'static List<L>,
    list: F,
    lines: fn(P::Row) -> Vec<L>,
}

impl<P, L, F> Source for ListWalk<P, L, F>
where
    P: Paged,
    L: Send + Sync + 'static,
    F: for<'a> Fn(&'a mut ReadTransaction, &'a Scope, &'a ListQuery) -> BoxFuture<'a, Result<P, ReadError>>
        + Send
        + Sync
        + 'static,
{
    type Row = Row;

    fn next(&mut self) -> BoxFuture<'_, Result<Batch<Row>, ReadError>> {
        async {
            let page = (self.list)(&mut self.transaction, &self.scope, &self.query).await?;
            let lines = page.into_rows().into_iter().flat_map(self.lines);
            Ok(Batch {
                rows: lines
                    .map(|line| cells_of(self.table.columns, &line, &self.printing))
                    .collect(),
                is_last: self.transaction.is_walked(),
            })
        }
        .boxed()
    }
}
