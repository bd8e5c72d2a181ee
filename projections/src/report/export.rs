//! Reports as files: a table, or a document with one page per value of a column.

use super::{
    Report,
    definition::{Pages, Unless},
};
use crate::{
    error::ReadError,
    export::{Batch, ExportFailure, ExportRequest, Source, described, facts, stream},
    print::{Printing, TOTAL},
    read_transaction::ReadTransaction,
    scope::Scope,
    sql::Sql,
};
use caudal_export::{
    Block, Column as SheetColumn, Document, Export, ExportError, Format, PDF_ROWS, Row as Cells, Sheet, Sums, document,
};
use futures::{FutureExt as _, Stream, StreamExt as _, future::BoxFuture};
use std::pin::pin;

/// Exports all filtered rows of a report in the caller's scope.
///
/// # Errors
/// Undeclared sorts and filters; too many rows for the format.
pub async fn export(report: &'static Report, asked: ExportRequest, format: Format) -> Result<Export, ExportFailure> {
    let ExportRequest {
        mut transaction,
        scope,
        query,
        about: _,
        printing,
        turn,
    } = asked;
    let mut said = described(&mut transaction, &scope, &query, &printing, &report.declared(), &[]).await?;
    let unless: Option<&Unless> = report.unless_given(&query);
    said.extend(unless.map(|unless| printing.say(unless.words).to_owned()));
    let sheet = report.sheet(said, facts(&transaction, &printing), &printing);
    let select = report.all(&mut transaction, &scope, &query).await?;
    transaction.begin_walk();
    let walk = ReportWalk {
        transaction,
        scope,
        printing,
        report,
        select,
    };
    match (&report.pages, format) {
        (Some(pages), Format::Pdf) => {
            let places = report.places(pages);
            let rows = stream(walk, turn).await?;
            Ok(document(paged(sheet, places, rows).await?).await?)
        }
        _ => Ok(caudal_export::export(format, sheet, stream(walk, turn).await?).await?),
    }
}

impl Report {
    fn sheet(&'static self, said: Vec<String>, facts: Vec<(String, String)>, printing: &Printing) -> Sheet {
        let place = |(place, is): (usize, bool)| is.then_some(place);
        let currency = self.printed().position(|column| column.kind.is_currency());
        let added = self.printed().map(|column| column.is_total).enumerate();
        let sums = Sums {
            label: printing.say(TOTAL).to_owned(),
            by: currency,
            columns: added.filter_map(place).collect(),
        };
        Sheet {
            title: printing.say(self.title).to_owned(),
            subtitle: printing.subtitle(said),
            columns: self
                .printed()
                .map(|column| SheetColumn::new(printing.say(column.header), column.kind.cell()).named(column.key))
                .collect(),
            totals: Vec::new(),
            sums: Some(sums),
            language: printing.language,
            generated_at: printing.local(printing.at),
            facts,
        }
    }

    /// Index of the printed column with the page's title.
    fn places(&'static self, pages: &Pages) -> usize {
        self.printed()
            .position(|column| column.key == pages.title)
            .unwrap_or_default()
    }
}

/// A document with one page per value of the column at `place`, which becomes the page's title.
async fn paged<E: Into<Box<dyn std::error::Error + Send + Sync>>>(
    sheet: Sheet,
    place: usize,
    rows: impl Stream<Item = Result<Cells, E>>,
) -> Result<Document, ExportError> {
    let mut pages: Vec<(String, Vec<Cells>)> = Vec::new();
    let mut rows = pin!(rows);
    let mut count = 0;
    while let Some(row) = rows.next().await {
        let mut row = row.map_err(|error| ExportError::Rows(error.into()))?;
        count += 1;
        if count > PDF_ROWS {
            return Err(ExportError::TooManyRows {
                format: Format::Pdf,
                limit: PDF_ROWS,
                instead: "CSV or XLSX",
            });
        }
        let title = row.remove(place);
        let title = title.shown(caudal_export::Kind::Text, sheet.language);
        match pages.last_mut() {
            Some((known, rows)) if *known == title => rows.push(row),
            _ => pages.push((title, vec![row])),
        }
    }
    let mut columns = sheet.columns;
    columns.remove(place);
    let sums = sheet.sums.map(|sums| without(sums, place));
    let mut blocks = Vec::new();
    if pages.is_empty() {
        pages.push((String::new(), Vec::new()));
    }
    for (title, rows) in pages {
        if !blocks.is_empty() {
            blocks.push(Block::PageBreak);
        }
        blocks.push(Block::Heading {
            title: sheet.title.clone(),
            lines: sheet.subtitle.clone(),
        });
        if !title.is_empty() {
            blocks.push(Block::Section(title));
        }
        let totals = sums.as_ref().map(|sums| sums.of(columns.len(), &rows)).transpose()?;
        blocks.push(Block::Table {
            columns: columns.clone(),
            rows,
            totals: totals.unwrap_or_default(),
        });
    }
    Ok(Document {
        title: sheet.title,
        blocks,
        language: sheet.language,
        generated_at: sheet.generated_at,
    })
}

/// The sums after removing a column.
fn without(sums: Sums, place: usize) -> Sums {
    let moved = |column: usize| if column > place { column - 1 } else { column };
    Sums {
        label: sums.label,
        by: sums.by.map(moved),
        columns: sums.columns.into_iter().map(moved).collect(),
    }
}

/// Source that walks a report.
struct ReportWalk {
    transaction: ReadTransaction,
    scope: Scope,
    printing: Printing,
    report: &'static Report,
    select: Sql,
}

impl Source for ReportWalk {
    type Row = Cells;

    fn next(&mut self) -> BoxFuture<'_, Result<Batch<Cells>, ReadError>> {
        async {
            if !self.transaction.is_walking() {
                self.transaction.open_walk(&self.select).await?;
            }
            let found = self.transaction.walk_on().await?;
            let rows = self.report.read(&found, &self.scope)?;
            Ok(Batch {
                rows: rows.iter().map(|row| row.cells(self.report, &self.printing)).collect(),
                is_last: self.transaction.is_walked(),
            })
        }
        .boxed()
    }
}
