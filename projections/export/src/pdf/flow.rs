//! Layout of blocks into pages of drawing operations.

use super::{
    QR_BYTES,
    table::TableLayout,
    typeface::{Style, Typeface, Weight},
};
use crate::{Block, Document, ExportError, Field, Language, notation};
use qrcodegen::{QrCode, QrCodeEcc};
use std::collections::VecDeque;

/// A4: short and long side, in points.
const A4: (f32, f32) = (595.28, 841.89);
const MARGIN: f32 = 40.0;
/// Height of the footer above the bottom margin.
const FOOT: f32 = 14.0;

const TITLE: Style = Style::strong(17.0);
const SECTION: Style = Style::strong(11.5);
const SUBTITLE: Style = Style::regular(9.0);
const BODY: Style = Style::regular(10.0);
const LABEL: Style = Style::regular(7.5);
const AMOUNT: Style = Style::strong(28.0);
const CODE: Style = Style::strong(12.0);

/// Space between blocks.
const GAP: f32 = 12.0;
/// Side of a QR code: 300 bytes give modules of 0.6 mm, readable by every telephone.
const QR_SIDE: f32 = 110.0;
/// Minimum width of a label with its value.
const FIELD_WIDTH: f32 = 170.0;

/// Colours of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Text,
    Muted,
    Line,
    Shade,
    Black,
}

/// A drawing operation; lengths in points from the top left.
pub(super) enum Operation {
    Text {
        x: f32,
        baseline: f32,
        style: Style,
        ink: Ink,
        text: String,
    },
    Rectangle {
        x: f32,
        y: f32,
        width: f32,
        height: f32,
        ink: Ink,
    },
    Qr {
        x: f32,
        y: f32,
        side: f32,
        code: Box<QrCode>,
    },
}

/// Laid-out pages.
pub(super) struct Layout {
    pub(super) typeface: Typeface,
    pub(super) size: PageSize,
    pub(super) pages: Vec<Vec<Operation>>,
}

/// In points.
#[derive(Clone, Copy)]
pub(super) struct PageSize {
    pub(super) width: f32,
    pub(super) height: f32,
}

impl PageSize {
    const PORTRAIT: Self = Self {
        width: A4.0,
        height: A4.1,
    };
    const LANDSCAPE: Self = Self {
        width: A4.1,
        height: A4.0,
    };

    pub(super) const fn left(self) -> f32 {
        MARGIN
    }

    pub(super) fn right(self) -> f32 {
        self.width - MARGIN
    }

    /// Width between the margins.
    pub(super) fn measure(self) -> f32 {
        self.width - 2.0 * MARGIN
    }

    /// Baseline of the footer.
    pub(super) fn foot(self) -> f32 {
        self.height - MARGIN + 4.0
    }
}

pub(super) struct Flow<'a> {
    /// Measured tables that follow.
    tables: VecDeque<TableLayout<'a>>,
    pub(super) typeface: Typeface,
    pub(super) language: Language,
    pub(super) size: PageSize,
    done: Vec<Vec<Operation>>,
    page: Vec<Operation>,
    /// Top of the next block, from the top of the page.
    pub(super) y: f32,
}

impl<'a> Flow<'a> {
    pub(super) fn new(mut typeface: Typeface, document: &'a Document) -> Self {
        let language = document.language;
        let tables: VecDeque<_> = document
            .blocks
            .iter()
            .filter_map(|block| match block {
                Block::Table { columns, rows, totals } => {
                    Some(TableLayout::measure(&mut typeface, language, columns, rows, totals))
                }
                _ => None,
            })
            .collect();
        let portrait = tables.iter().all(|table| table.fits(PageSize::PORTRAIT.measure()));
        let size = if portrait {
            PageSize::PORTRAIT
        } else {
            PageSize::LANDSCAPE
        };
        Self {
            tables,
            typeface,
            language,
            size,
            done: Vec::new(),
            page: Vec::new(),
            y: MARGIN,
        }
    }

    pub(super) fn finish(mut self) -> Layout {
        self.done.push(self.page);
        Layout {
            typeface: self.typeface,
            size: self.size,
            pages: self.done,
        }
    }

    /// Lays out the next block.
    pub(super) fn block(&mut self, block: &Block) -> Result<(), ExportError> {
        match block {
            Block::Heading { title, lines } => self.heading(title, lines),
            Block::Section(title) => {
                self.ensure(SECTION.line_height() + 4.0 * BODY.line_height());
                self.paragraph(SECTION, Ink::Text, title);
                self.y += 4.0;
            }
            Block::Text(text) => {
                self.paragraph(BODY, Ink::Text, text);
                self.y += GAP;
            }
            Block::Fields(fields) => self.fields(fields),
            Block::Amount {
                label,
                minor,
                decimals,
                currency,
            } => {
                self.ensure(LABEL.line_height() + AMOUNT.line_height());
                self.paragraph(LABEL, Ink::Muted, label);
                let amount = notation::money(*minor, *decimals, self.language);
                self.paragraph(AMOUNT, Ink::Text, &format!("{amount} {currency}"));
                self.y += GAP;
            }
            Block::Table { .. } => {
                if let Some(table) = self.tables.pop_front() {
                    table.place(self);
                    self.y += GAP;
                }
            }
            Block::Code { text, caption } => self.code(text, caption)?,
            Block::PageBreak => self.break_page(),
        }
        Ok(())
    }

    /// Remaining height of the page, in points.
    pub(super) fn room(&self) -> f32 {
        self.size.height - MARGIN - FOOT - self.y
    }

    pub(super) fn break_page(&mut self) {
        self.done.push(std::mem::take(&mut self.page));
        self.y = MARGIN;
    }

    /// Starts a new page unless this height remains.
    pub(super) fn ensure(&mut self, height: f32) {
        if self.room() < height && self.y > MARGIN {
            self.break_page();
        }
    }

    pub(super) fn draw(&mut self, operation: Operation) {
        self.page.push(operation);
    }

    /// A line of text with its top at `y`.
    pub(super) fn line(&mut self, x: f32, y: f32, style: Style, ink: Ink, text: String) {
        if !text.is_empty() {
            self.draw(Operation::Text {
                x,
                baseline: y + style.baseline(),
                style,
                ink,
                text,
            });
        }
    }

    pub(super) fn rule(&mut self, y: f32, thickness: f32, ink: Ink) {
        let (x, width) = (self.size.left(), self.size.measure());
        self.draw(Operation::Rectangle {
            x,
            y,
            width,
            height: thickness,
            ink,
        });
    }

    pub(super) fn paragraph(&mut self, style: Style, ink: Ink, text: &str) {
        for line in self.typeface.wrap(style, text, self.size.measure()) {
            self.ensure(style.line_height());
            self.line(self.size.left(), self.y, style, ink, line);
            self.y += style.line_height();
        }
    }

    fn heading(&mut self, title: &str, lines: &[String]) {
        self.ensure(TITLE.line_height() + 4.0 * BODY.line_height());
        self.paragraph(TITLE, Ink::Text, title);
        self.y += 2.0;
        for line in lines {
            self.paragraph(SUBTITLE, Ink::Muted, line);
        }
        self.y += GAP;
    }

    /// A grid of labels over values, as many per line as fit.
    fn fields(&mut self, fields: &[Field]) {
        let across = ((self.size.measure() / FIELD_WIDTH) as usize).max(1);
        let width = self.size.measure() / across as f32;
        for row in fields.chunks(across) {
            let cells: Vec<_> = row
                .iter()
                .map(|field| {
                    let value = field.value.shown(field.kind, self.language);
                    let labels = self.typeface.wrap(LABEL, &field.label, width - GAP);
                    (labels, self.typeface.wrap(BODY, &value, width - GAP))
                })
                .collect();
            let labels = cells.iter().map(|(label, _)| label.len()).max().unwrap_or(0) as f32 * LABEL.line_height();
            let values = cells.iter().map(|(_, value)| value.len()).max().unwrap_or(0);
            self.ensure(labels + values as f32 * BODY.line_height());
            let top = self.y;
            let mut x = self.size.left();
            for (label, _) in &cells {
                for (place, text) in label.iter().enumerate() {
                    self.line(
                        x,
                        top + place as f32 * LABEL.line_height(),
                        LABEL,
                        Ink::Muted,
                        text.clone(),
                    );
                }
                x += width;
            }
            self.y += labels;
            // Line by line, so that values longer than a page continue on the next.
            for place in 0..values {
                self.ensure(BODY.line_height());
                let mut x = self.size.left();
                for (_, value) in &cells {
                    if let Some(text) = value.get(place) {
                        self.line(x, self.y, BODY, Ink::Text, text.clone());
                    }
                    x += width;
                }
                self.y += BODY.line_height();
            }
            self.y += 6.0;
        }
        self.y += GAP - 6.0;
    }

    fn code(&mut self, text: &str, caption: &str) -> Result<(), ExportError> {
        let too_long = || ExportError::TooLongForQr {
            length: text.len(),
            limit: QR_BYTES,
        };
        if text.len() > QR_BYTES {
            return Err(too_long());
        }
        let code = QrCode::encode_text(text, QrCodeEcc::Medium).map_err(|_| too_long())?;
        // Quiet zone: four empty modules around the code.
        self.y += GAP;
        self.ensure(QR_SIDE);
        let (x, y) = (self.size.left(), self.y);
        self.draw(Operation::Qr {
            x,
            y,
            side: QR_SIDE,
            code: Box::new(code),
        });
        let beside = x + QR_SIDE + 2.0 * GAP;
        let measure = self.size.right() - beside;
        let lines = self.typeface.wrap(CODE, text, measure);
        let captions = self.typeface.wrap(SUBTITLE, caption, measure);
        let mut at = y + GAP;
        for line in lines {
            self.line(beside, at, CODE, Ink::Text, line);
            at += CODE.line_height();
        }
        // Captions that do not fit beside the code are omitted.
        for line in captions {
            self.line(beside, at, SUBTITLE, Ink::Muted, line);
            at += SUBTITLE.line_height();
        }
        self.y = (y + QR_SIDE).max(at) + 2.0 * GAP;
        Ok(())
    }

    /// Width of a text in points.
    pub(super) fn width(&mut self, weight: Weight, size: f32, text: &str) -> f32 {
        self.typeface.width(weight, text) * size
    }
}
