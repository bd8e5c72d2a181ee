//! Table layout: columns as wide as their content needs, wrapped texts where that is too wide, the header on every
//! page.

use super::{
    flow::{Flow, Ink, Operation},
    typeface::{Style, Typeface, Weight},
};
use crate::{
    Column, Language, Row, Total,
    sheet::{Alignment, Kind},
};

/// Font sizes in points; the first at which every column has room is used.
const SIZES: [f32; 5] = [8.5, 7.5, 6.5, 5.5, 4.5];
/// Smallest size chosen for comfort; smaller ones only keep words and numbers whole.
const SMALLEST_COMFORTABLE: f32 = 6.5;
/// Cell padding in points.
const PADDING: (f32, f32) = (4.0, 2.0);
/// Maximum desired width of a text column, in ems; longer texts wrap.
const WIDEST_TEXT: f32 = 24.0;
/// Comfortable width of a text column, in ems: an address takes some five lines.
const COMFORTABLE_TEXT: f32 = 13.0;
/// A text column is at least as wide as its widest word, up to this many ems; longer words are broken.
const WIDEST_WORD: f32 = 11.0;
/// Headers up to this many ems stay on one line.
const WIDEST_HEADER: f32 = 8.0;
/// Maximum header lines, so that rows have room.
const HEADER_LINES: usize = 5;
/// Rows that must fit below a header; otherwise the table starts on the next page.
const ROWS_UNDER_HEADER: f32 = 3.0;

/// A table's texts and the widths of its columns.
pub(super) struct TableLayout<'a> {
    columns: &'a [Column],
    rows: Vec<Vec<String>>,
    totals: Vec<(&'a Total, Vec<String>)>,
    wants: Vec<Wants>,
}

/// Suitable widths of a column, in ems without padding.
#[derive(Clone, Copy)]
struct Wants {
    /// Nothing wraps, except very long texts.
    wide: f32,
    /// Texts wrap and are easy to read.
    comfortable: f32,
    /// Words and numbers stay whole.
    least: f32,
}

impl Wants {
    fn wide(&self) -> f32 {
        self.wide.max(self.least)
    }
}

/// Wrapped lines of a row's cells.
struct Lines {
    cells: Vec<Vec<String>>,
    style: Style,
}

impl<'a> TableLayout<'a> {
    pub(super) fn measure(
        typeface: &mut Typeface,
        language: Language,
        columns: &'a [Column],
        rows: &'a [Row],
        totals: &'a [Total],
    ) -> Self {
        let shown = |row: &Row| -> Vec<String> {
            row.iter()
                .zip(columns)
                .map(|(cell, column)| cell.shown(column.kind, language))
                .collect()
        };
        let rows: Vec<_> = rows.iter().map(shown).collect();
        let totals: Vec<_> = totals.iter().map(|total| (total, shown(&total.cells))).collect();
        let mut wants: Vec<_> = columns
            .iter()
            .map(|column| {
                let word = typeface.widest_word(Weight::Strong, &column.header).min(WIDEST_WORD);
                let line = typeface.width(Weight::Strong, &column.header).min(WIDEST_HEADER);
                Wants {
                    wide: word.max(line),
                    comfortable: word,
                    least: word,
                }
            })
            .collect();
        let body = rows.iter().map(|row| (Weight::Regular, row));
        let sums = totals.iter().map(|(_, row)| (Weight::Strong, row));
        for (weight, row) in body.chain(sums) {
            for ((text, column), wants) in row.iter().zip(columns).zip(&mut wants) {
                let width = text
                    .lines()
                    .map(|line| typeface.width(weight, line))
                    .fold(0.0, f32::max);
                let (wide, comfortable, least) = if column.kind.wraps() {
                    let word = typeface.widest_word(weight, text).min(WIDEST_WORD);
                    (width.min(WIDEST_TEXT), width.min(COMFORTABLE_TEXT), word)
                } else {
                    (width, width, width)
                };
                wants.wide = wants.wide.max(wide);
                wants.comfortable = wants.comfortable.max(comfortable);
                wants.least = wants.least.max(least);
            }
        }
        if let (true, Some(first)) = (rows.is_empty(), wants.first_mut()) {
            let sentence = typeface.width(Weight::Regular, language.no_rows());
            first.wide = first.wide.max(sentence.min(WIDEST_TEXT));
        }
        Self {
            columns,
            rows,
            totals,
            wants,
        }
    }

    /// Whether nothing needs to wrap in this width, in points.
    pub(super) fn fits(&self, measure: f32) -> bool {
        SIZES
            .first()
            .is_some_and(|size| self.sum(*size, Wants::wide) <= measure)
    }

    fn sum(&self, size: f32, of: fn(&Wants) -> f32) -> f32 {
        self.wants.iter().map(|wants| of(wants) * size + 2.0 * PADDING.0).sum()
    }

    /// Font size and column widths that fill the available width.
    fn solve(&self, measure: f32) -> (f32, Vec<f32>) {
        let (size, enough) = self.size(measure);
        let (wide, narrow) = (self.sum(size, Wants::wide), self.sum(size, enough));
        // Between narrow and wide if that suffices; beyond, all columns are scaled alike.
        let share = if wide > narrow {
            ((measure - narrow) / (wide - narrow)).clamp(0.0, 1.0)
        } else {
            1.0
        };
        let stretch = measure / (narrow + (wide - narrow) * share);
        let width = |wants: &Wants| {
            let ems = enough(wants) + (wants.wide() - enough(wants)) * share;
            (ems * size + 2.0 * PADDING.0) * stretch
        };
        (size, self.wants.iter().map(width).collect())
    }

    /// Largest comfortable size, else the largest that keeps words and numbers whole, else the smallest; with the
    /// widths required at that size.
    fn size(&self, measure: f32) -> (f32, fn(&Wants) -> f32) {
        let smallest = SIZES.last().copied().unwrap_or(1.0);
        let comfortable: fn(&Wants) -> f32 = |wants| wants.comfortable.max(wants.least);
        let least: fn(&Wants) -> f32 = |wants| wants.least;
        let ample = SIZES
            .into_iter()
            .filter(|size| *size >= SMALLEST_COMFORTABLE)
            .map(|size| (size, comfortable));
        let tight = SIZES.into_iter().map(|size| (size, least));
        let mut choices = ample.chain(tight);
        choices
            .find(|(size, enough)| self.sum(*size, *enough) <= measure)
            .unwrap_or((smallest, least))
    }

    pub(super) fn place(self, flow: &mut Flow<'_>) {
        let (size, widths) = self.solve(flow.size.measure());
        let (regular, strong) = (Style::regular(size), Style::strong(size));
        let headers = self.columns.iter().map(|column| column.header.as_str());
        let mut header = Placer::wrapped(flow, &widths, headers, strong);
        header.cells.iter_mut().for_each(|lines| lines.truncate(HEADER_LINES));
        let placer = Placer {
            columns: self.columns,
            widths: &widths,
            header,
        };

        flow.ensure(placer.header.height() + ROWS_UNDER_HEADER * (regular.line_height() + 2.0 * PADDING.1));
        placer.header(flow);
        if self.rows.is_empty() {
            let sentence = flow.language.no_rows().to_owned();
            let (x, y) = (flow.size.left() + PADDING.0, flow.y + PADDING.1);
            flow.line(x, y, regular, Ink::Muted, sentence);
            flow.y += regular.line_height() + 2.0 * PADDING.1;
            flow.rule(flow.y, 0.5, Ink::Line);
        }
        for row in &self.rows {
            let lines = Placer::wrapped(flow, &widths, row.iter().map(String::as_str), regular);
            placer.row(flow, &lines);
        }
        for (total, cells) in &self.totals {
            placer.total(flow, total, cells, strong);
        }
    }
}

impl Lines {
    fn count(&self) -> usize {
        self.cells.iter().map(Vec::len).max().unwrap_or(0).max(1)
    }

    fn height(&self) -> f32 {
        self.count() as f32 * self.style.line_height() + 2.0 * PADDING.1
    }
}

/// Draws a table with resolved column widths.
struct Placer<'a> {
    columns: &'a [Column],
    widths: &'a [f32],
    header: Lines,
}

impl Placer<'_> {
    fn wrapped<'t>(flow: &mut Flow<'_>, widths: &[f32], texts: impl Iterator<Item = &'t str>, style: Style) -> Lines {
        let cells = texts
            .zip(widths)
            // Slightly more than measured, so that float sums do not break a number that fits.
            .map(|(text, width)| flow.typeface.wrap(style, text, width - 2.0 * PADDING.0 + 0.05))
            .collect();
        Lines { cells, style }
    }

    fn header(&self, flow: &mut Flow<'_>) {
        let height = self.header.height();
        let (x, y, width) = (flow.size.left(), flow.y, flow.size.measure());
        flow.draw(Operation::Rectangle {
            x,
            y,
            width,
            height,
            ink: Ink::Shade,
        });
        self.slice(flow, &self.header, 0, self.header.count());
        flow.rule(flow.y, 0.8, Ink::Muted);
        flow.y += 0.8;
    }

    /// Keeps a row on one page if possible; a taller row continues on the next.
    fn row(&self, flow: &mut Flow<'_>, lines: &Lines) {
        let count = lines.count();
        let mut from = 0;
        let mut fresh = false;
        while from < count {
            let room = ((flow.room() - 2.0 * PADDING.1) / lines.style.line_height()).max(0.0) as usize;
            let here = if count - from <= room {
                count - from
            } else if fresh {
                room.max(1)
            } else {
                0
            };
            if here > 0 {
                self.slice(flow, lines, from, here);
                flow.rule(flow.y, 0.4, Ink::Line);
                from += here;
            }
            if from < count {
                flow.break_page();
                self.header(flow);
                fresh = true;
            }
        }
    }

    /// Draws `count` lines of each cell and moves below them.
    fn slice(&self, flow: &mut Flow<'_>, lines: &Lines, from: usize, count: usize) {
        let style = lines.style;
        let mut left = flow.size.left();
        for ((cell, column), width) in lines.cells.iter().zip(self.columns).zip(self.widths) {
            for (place, text) in cell.iter().skip(from).take(count).enumerate() {
                let free = width - 2.0 * PADDING.0 - flow.width(style.weight, style.size, text);
                let x = left + PADDING.0 + free * share_before(column.kind);
                let y = flow.y + PADDING.1 + place as f32 * style.line_height();
                flow.line(x, y, style, Ink::Text, text.clone());
            }
            left += width;
        }
        flow.y += count as f32 * style.line_height() + 2.0 * PADDING.1;
    }

    /// The label spans the empty leading cells, or has its own line when there are none.
    fn total(&self, flow: &mut Flow<'_>, total: &Total, cells: &[String], style: Style) {
        let covered = match total.label_columns() {
            0 => self.widths.len(),
            columns => columns,
        };
        let measure: f32 = self.widths.iter().take(covered).sum::<f32>() - 2.0 * PADDING.0;
        let label = flow.typeface.wrap(style, &total.label, measure);
        let lines = Self::wrapped(flow, self.widths, cells.iter().map(String::as_str), style);
        let label_height = label.len() as f32 * style.line_height();
        let apart = total.label_columns() == 0;
        let height = if apart {
            lines.height() + label_height
        } else {
            lines.height().max(label_height)
        };
        if flow.room() < height {
            flow.break_page();
            self.header(flow);
        }
        flow.rule(flow.y, 0.8, Ink::Muted);
        let top = flow.y;
        for (place, text) in label.into_iter().enumerate() {
            let y = top + PADDING.1 + place as f32 * style.line_height();
            flow.line(flow.size.left() + PADDING.0, y, style, Ink::Text, text);
        }
        if apart {
            flow.y += label_height;
        }
        self.slice(flow, &lines, 0, lines.count());
        flow.y = flow.y.max(top + label_height + 2.0 * PADDING.1);
    }
}

/// Share of a cell's free width before its text.
const fn share_before(kind: Kind) -> f32 {
    match kind.alignment() {
        Alignment::Left => 0.0,
        Alignment::Centre => 0.5,
        Alignment::Right => 1.0,
    }
}
