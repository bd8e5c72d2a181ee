//! Painting of laid-out pages into a PDF, each with its footer.

use super::{
    flow::{Ink, Layout, Operation, PageSize},
    typeface::{Style, Typeface},
};
use crate::{Document, ExportError};
use chrono::{Datelike, Timelike};
use krilla::{
    SerializeSettings,
    color::rgb,
    geom::{PathBuilder, Point, Rect},
    metadata::{DateTime, Metadata},
    page::PageSettings,
    paint::Fill,
    surface::Surface,
};
use qrcodegen::QrCode;

const FOOT: Style = Style::regular(7.5);
/// Length limit of the title in the footer, in characters.
const FOOT_TITLE: usize = 70;

impl Ink {
    fn fill(self) -> Fill {
        let (red, green, blue) = match self {
            Self::Text => (0x1b, 0x24, 0x30),
            Self::Muted => (0x5b, 0x67, 0x75),
            Self::Line => (0xd3, 0xda, 0xe2),
            Self::Shade => (0xee, 0xf2, 0xf6),
            Self::Black => (0, 0, 0),
        };
        Fill {
            paint: rgb::Color::new(red, green, blue).into(),
            ..Fill::default()
        }
    }
}

pub(super) fn paint(mut layout: Layout, document: &Document) -> Result<Vec<u8>, ExportError> {
    // No tagging, so no tagging marks.
    let settings = SerializeSettings {
        enable_tagging: false,
        ..SerializeSettings::default()
    };
    let mut pdf = krilla::Document::new_with(settings);
    pdf.set_metadata(metadata(document));
    let bad_size = || ExportError::Pdf("a page has no size".to_owned());
    let settings = PageSettings::from_wh(layout.size.width, layout.size.height).ok_or_else(bad_size)?;
    let pages = layout.pages.len();
    let title: String = document.title.chars().take(FOOT_TITLE).collect();
    let left = format!("{title} · {}", document.language.generated(document.generated_at));
    for (place, operations) in layout.pages.iter().enumerate() {
        let mut page = pdf.start_page_with(settings.clone());
        let mut surface = page.surface();
        for operation in operations {
            draw(&mut surface, &mut layout.typeface, operation);
        }
        let right = document.language.page(place + 1, pages);
        foot(&mut surface, &mut layout.typeface, layout.size, &left, &right);
        surface.finish();
        page.finish();
    }
    pdf.finish().map_err(|error| ExportError::Pdf(error.to_string()))
}

fn metadata(document: &Document) -> Metadata {
    let at = document.generated_at;
    let time = DateTime::new(u16::try_from(at.year()).unwrap_or(0))
        .month(at.month() as u8)
        .day(at.day() as u8)
        .hour(at.hour() as u8)
        .minute(at.minute() as u8)
        .second(at.second() as u8);
    Metadata::new()
        .title(document.title.clone())
        .language(document.language.tag().to_owned())
        .creator("Caudal".to_owned())
        .creation_date(time)
}

fn foot(surface: &mut Surface<'_>, typeface: &mut Typeface, size: PageSize, left: &str, right: &str) {
    let end = size.right() - typeface.width(FOOT.weight, right) * FOOT.size;
    for (x, line) in [(size.left(), left), (end, right)] {
        text(surface, typeface, (x, size.foot()), FOOT, Ink::Muted, line);
    }
}

fn draw(surface: &mut Surface<'_>, typeface: &mut Typeface, operation: &Operation) {
    match operation {
        Operation::Text {
            x,
            baseline,
            style,
            ink,
            text: line,
        } => {
            text(surface, typeface, (*x, *baseline), *style, *ink, line);
        }
        Operation::Rectangle {
            x,
            y,
            width,
            height,
            ink,
        } => {
            let mut path = PathBuilder::new();
            rectangle(&mut path, *x, *y, *width, *height);
            fill(surface, path, *ink);
        }
        Operation::Qr { x, y, side, code } => qr(surface, (*x, *y), *side, code),
    }
}

fn text(surface: &mut Surface<'_>, typeface: &mut Typeface, (x, y): (f32, f32), style: Style, ink: Ink, line: &str) {
    let glyphs = typeface.glyphs(style.weight, line);
    surface.set_fill(Some(ink.fill()));
    surface.draw_glyphs(
        Point::from_xy(x, y),
        &glyphs,
        typeface.font(style.weight),
        line,
        style.size,
        false,
    );
}

/// Empty rectangles are omitted.
fn rectangle(path: &mut PathBuilder, x: f32, y: f32, width: f32, height: f32) {
    if let Some(rectangle) = Rect::from_xywh(x, y, width, height) {
        path.push_rect(rectangle);
    }
}

fn fill(surface: &mut Surface<'_>, path: PathBuilder, ink: Ink) {
    if let Some(path) = path.finish() {
        surface.set_fill(Some(ink.fill()));
        surface.draw_path(&path);
    }
}

/// Dark runs of each line as rectangles; single modules would show seams.
fn qr(surface: &mut Surface<'_>, (left, top): (f32, f32), side: f32, code: &QrCode) {
    let module = side / code.size() as f32;
    let mut path = PathBuilder::new();
    for line in 0..code.size() {
        let mut column = 0;
        while column < code.size() {
            let start = column;
            while code.get_module(column, line) {
                column += 1;
            }
            if column > start {
                let (x, y) = (left + start as f32 * module, top + line as f32 * module);
                rectangle(&mut path, x, y, (column - start) as f32 * module, module);
            }
            column += 1;
        }
    }
    fill(surface, path, Ink::Black);
}
