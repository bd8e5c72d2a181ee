//! PDF rendering: a document is laid out into pages of drawing operations, then painted once the number of pages is
//! known. A4, portrait if every table fits, otherwise landscape.

mod flow;
mod paint;
mod table;
mod typeface;

use crate::{Block, Cell, Document, ExportError, Format, sheet::check_row, sheet::check_table};
use flow::Flow;
use typeface::Typeface;

/// Maximum rows over all tables of a PDF: some 250 pages, a second of work. CSV and XLSX take more.
pub const PDF_ROWS: usize = 10_000;
/// Maximum text in the tables of a PDF, in bytes; bounds the layout's memory.
pub const PDF_TEXT_BYTES: usize = 16 * 1024 * 1024;
/// Maximum text of a QR code, in bytes; a longer one prints too fine for a telephone.
pub const QR_BYTES: usize = 300;

/// Remainder of [`PDF_TEXT_BYTES`].
pub(crate) struct TextBudget(usize);

impl Default for TextBudget {
    fn default() -> Self {
        Self(PDF_TEXT_BYTES)
    }
}

impl TextBudget {
    pub(crate) fn spend(&mut self, row: &[Cell]) -> Result<(), ExportError> {
        let bytes: usize = row
            .iter()
            .map(|cell| match cell {
                Cell::Text(text) | Cell::Decimal(text) => text.len(),
                _ => 0,
            })
            .sum();
        self.0 = self
            .0
            .checked_sub(bytes)
            .ok_or(ExportError::TooMuchText { limit: PDF_TEXT_BYTES })?;
        Ok(())
    }
}

pub(crate) const fn too_many_rows() -> ExportError {
    ExportError::TooManyRows {
        format: Format::Pdf,
        limit: PDF_ROWS,
        instead: "CSV or XLSX",
    }
}

/// Renders the PDF. Blocks for up to a second.
pub(crate) fn render(document: &Document) -> Result<Vec<u8>, ExportError> {
    check(document)?;
    let mut flow = Flow::new(Typeface::bundled()?, document);
    document.blocks.iter().try_for_each(|block| flow.block(block))?;
    paint::paint(flow.finish(), document)
}

fn check(document: &Document) -> Result<(), ExportError> {
    let mut budget = TextBudget::default();
    let mut count = 0;
    for block in &document.blocks {
        let Block::Table { columns, rows, totals } = block else {
            continue;
        };
        check_table(columns, totals)?;
        count += rows.len();
        if count > PDF_ROWS {
            return Err(too_many_rows());
        }
        for row in rows {
            check_row(columns, row)?;
            budget.spend(row)?;
        }
    }
    Ok(())
}
