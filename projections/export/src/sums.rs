//! Totals computed from the rows while they are exported.

use crate::{Cell, ExportError, Row, Total};
use std::collections::BTreeMap;

/// Maximum lines of totals; some per currency.
pub const MAX_SUMS: usize = 256;

/// Declaration of a table's computed totals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sums {
    /// Prefix of a line, such as "Total".
    pub label: String,
    /// Grouping column, such as the currency; `None` for a single line.
    pub by: Option<usize>,
    /// Columns of amounts and counts to sum.
    pub columns: Vec<usize>,
}

impl Sums {
    /// Totals of some rows.
    ///
    /// # Errors
    /// Sums beyond 64 bits, or more than [`MAX_SUMS`] lines.
    pub fn of<'a>(&self, width: usize, rows: impl IntoIterator<Item = &'a Row>) -> Result<Vec<Total>, ExportError> {
        let mut adder = Adder::new(self, width);
        rows.into_iter().try_for_each(|row| adder.add(row))?;
        Ok(adder.totals())
    }
}

/// Accumulates rows.
#[derive(Debug)]
pub(crate) struct Adder<'a> {
    sums: &'a Sums,
    width: usize,
    lines: BTreeMap<String, Row>,
}

impl<'a> Adder<'a> {
    /// An accumulator for rows of `width` cells.
    pub(crate) const fn new(sums: &'a Sums, width: usize) -> Self {
        Self {
            sums,
            width,
            lines: BTreeMap::new(),
        }
    }

    pub(crate) fn add(&mut self, row: &[Cell]) -> Result<(), ExportError> {
        let key = match self.sums.by.and_then(|by| row.get(by)) {
            Some(Cell::Text(text)) => text.as_str(),
            _ => "",
        };
        if !self.lines.contains_key(key) {
            if self.lines.len() == MAX_SUMS {
                return Err(ExportError::Sums);
            }
            self.lines.insert(key.to_owned(), vec![Cell::Empty; self.width]);
        }
        let Some(line) = self.lines.get_mut(key) else {
            return Ok(());
        };
        for place in &self.sums.columns {
            if let (Some(sum), Some(cell)) = (line.get_mut(*place), row.get(*place)) {
                *sum = plus(sum, cell)?;
            }
        }
        Ok(())
    }

    pub(crate) fn totals(self) -> Vec<Total> {
        let label = &self.sums.label;
        let total = |(key, cells): (String, Row)| Total {
            label: if key.is_empty() {
                label.clone()
            } else {
                format!("{label} {key}")
            },
            cells,
        };
        self.lines.into_iter().map(total).collect()
    }
}

fn plus(sum: &Cell, cell: &Cell) -> Result<Cell, ExportError> {
    let added = |a: i64, b: i64| a.checked_add(b).ok_or(ExportError::Sums);
    Ok(match (sum, cell) {
        (Cell::Money(a), Cell::Money(b)) => Cell::Money(added(*a, *b)?),
        (Cell::Integer(a), Cell::Integer(b)) => Cell::Integer(added(*a, *b)?),
        (Cell::Empty, Cell::Money(_) | Cell::Integer(_)) => cell.clone(),
        (sum, _) => sum.clone(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums() -> Sums {
        Sums {
            label: "Total".to_owned(),
            by: Some(0),
            columns: vec![1, 2],
        }
    }

    #[test]
    fn each_currency_has_its_own_line_and_what_is_empty_adds_nothing() {
        let rows = [
            vec!["USD".into(), Cell::Money(150), Cell::Integer(1)],
            vec!["CUP".into(), Cell::Money(7), Cell::Integer(2)],
            vec!["USD".into(), Cell::Money(-50), Cell::Empty],
            vec![Cell::Empty, Cell::Money(1), Cell::Empty],
        ];
        let totals = sums().of(3, &rows).unwrap();
        let lines: Vec<_> = totals
            .iter()
            .map(|total| (total.label.as_str(), &total.cells))
            .collect();
        assert_eq!(
            lines,
            [
                ("Total", &vec![Cell::Empty, Cell::Money(1), Cell::Empty]),
                ("Total CUP", &vec![Cell::Empty, Cell::Money(7), Cell::Integer(2)]),
                ("Total USD", &vec![Cell::Empty, Cell::Money(100), Cell::Integer(1)]),
            ]
        );
    }

    #[test]
    fn a_sum_beyond_64_bits_is_an_error_and_no_wrong_figure() {
        let row = vec!["USD".into(), Cell::Money(i64::MAX), Cell::Empty];
        assert!(sums().of(3, [&row, &row]).is_err());
    }

    #[test]
    fn rows_cannot_make_lines_without_end() {
        let rows: Vec<Row> = (0..=MAX_SUMS).map(|number| vec![number.to_string().into()]).collect();
        assert!(sums().of(1, &rows).is_err());
        assert!(sums().of(1, rows.iter().take(MAX_SUMS)).is_ok());
    }
}
