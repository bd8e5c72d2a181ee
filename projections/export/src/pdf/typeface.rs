//! Bundled typeface: Source Sans 3, as in the interface. Tabular figures align amounts. Texts are shaped (kerning,
//! accents) word by word, and shaped words are cached because rows repeat them.

use crate::ExportError;
use krilla::text::{Font, GlyphId, KrillaGlyph};
use rustybuzz::{Direction, Face, UnicodeBuffer};
use std::{collections::HashMap, ops::Range, rc::Rc};

static REGULAR: &[u8] = include_bytes!("../../fonts/SourceSans3-Regular.ttf");
static STRONG: &[u8] = include_bytes!("../../fonts/SourceSans3-SemiBold.ttf");

/// Cache limit of shaped words per weight, some 200 bytes each; the full cache is cleared.
const WORDS_KEPT: usize = 50_000;

/// Longer words are split, in bytes; bounds the memory of a line without spaces.
const LONGEST_WORD: usize = 240;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Strong,
}

/// Weight and size in points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Style {
    pub(super) weight: Weight,
    pub(super) size: f32,
}

impl Style {
    pub(super) const fn regular(size: f32) -> Self {
        Self {
            weight: Weight::Regular,
            size,
        }
    }

    pub(super) const fn strong(size: f32) -> Self {
        Self {
            weight: Weight::Strong,
            size,
        }
    }

    /// Distance between baselines, in points.
    pub(super) fn line_height(self) -> f32 {
        self.size * 1.3
    }

    /// Distance from the top of a line to its baseline, in points.
    pub(super) fn baseline(self) -> f32 {
        self.size
    }
}

pub(super) struct Typeface {
    regular: Cut,
    strong: Cut,
}

/// Font face of one weight.
struct Cut {
    font: Font,
    face: Face<'static>,
    words: HashMap<Box<str>, Rc<Word>>,
}

/// A shaped word; lengths in ems.
struct Word {
    glyphs: Vec<ShapedGlyph>,
    width: f32,
}

#[derive(Clone)]
struct ShapedGlyph {
    id: u32,
    bytes: Range<usize>,
    advance: f32,
    offset: (f32, f32),
}

impl Typeface {
    pub(super) fn bundled() -> Result<Self, ExportError> {
        Ok(Self {
            regular: Cut::new(REGULAR)?,
            strong: Cut::new(STRONG)?,
        })
    }

    fn cut(&mut self, weight: Weight) -> &mut Cut {
        match weight {
            Weight::Regular => &mut self.regular,
            Weight::Strong => &mut self.strong,
        }
    }

    pub(super) fn font(&self, weight: Weight) -> Font {
        match weight {
            Weight::Regular => self.regular.font.clone(),
            Weight::Strong => self.strong.font.clone(),
        }
    }

    /// Width of a text on one line, in ems.
    pub(super) fn width(&mut self, weight: Weight, text: &str) -> f32 {
        let cut = self.cut(weight);
        let space = cut.word(" ").width;
        let words: f32 = text
            .split(' ')
            .flat_map(pieces)
            .map(|piece| cut.word(piece).width)
            .sum();
        words + space * spaces(text)
    }

    /// Width of the widest word, in ems.
    pub(super) fn widest_word(&mut self, weight: Weight, text: &str) -> f32 {
        let cut = self.cut(weight);
        text.split([' ', '\n'])
            .map(|word| cut.word(word).width)
            .fold(0.0, f32::max)
    }

    /// Wraps a text to lines of at most `width` points: at spaces, and within words that are wider alone.
    pub(super) fn wrap(&mut self, style: Style, text: &str, width: f32) -> Vec<String> {
        let width = width / style.size;
        let cut = self.cut(style.weight);
        let mut lines = Vec::new();
        for paragraph in text.lines() {
            cut.wrap_paragraph(&printable(paragraph), width, &mut lines);
        }
        lines
    }

    /// Glyphs of a line in ems, each with its bytes in the line.
    pub(super) fn glyphs(&mut self, weight: Weight, line: &str) -> Vec<KrillaGlyph> {
        let cut = self.cut(weight);
        let space = cut.word(" ");
        let mut glyphs = Vec::with_capacity(line.len());
        let mut start = 0;
        for (place, word) in line.split(' ').enumerate() {
            if place > 0 {
                glyphs.extend(space.glyphs.iter().map(|glyph| glyph.placed(start)));
                start += 1;
            }
            glyphs.extend(cut.word(word).glyphs.iter().map(|glyph| glyph.placed(start)));
            start += word.len();
        }
        glyphs
    }
}

impl ShapedGlyph {
    fn placed(&self, start: usize) -> KrillaGlyph {
        let bytes = self.bytes.start + start..self.bytes.end + start;
        let (x, y) = self.offset;
        KrillaGlyph::new(GlyphId::new(self.id), self.advance, x, y, 0.0, bytes, None)
    }
}

impl Cut {
    fn new(data: &'static [u8]) -> Result<Self, ExportError> {
        let unreadable = || ExportError::Pdf("the bundled typeface is unreadable".to_owned());
        let font = Font::new(data.into(), 0).ok_or_else(unreadable)?;
        let face = Face::from_slice(data, 0).ok_or_else(unreadable)?;
        Ok(Self {
            font,
            face,
            words: HashMap::new(),
        })
    }

    fn word(&mut self, text: &str) -> Rc<Word> {
        if let Some(word) = self.words.get(text) {
            return Rc::clone(word);
        }
        if self.words.len() == WORDS_KEPT {
            self.words.clear();
        }
        let word = Rc::new(self.shape(text));
        self.words.insert(text.into(), Rc::clone(&word));
        word
    }

    fn shape(&self, text: &str) -> Word {
        let mut buffer = UnicodeBuffer::new();
        buffer.push_str(text);
        buffer.guess_segment_properties();
        // The typeface has no right-to-left script.
        buffer.set_direction(Direction::LeftToRight);
        let shaped = rustybuzz::shape(&self.face, &[], buffer);
        let em = self.font.units_per_em();
        let infos = shaped.glyph_infos();
        let starts: Vec<_> = infos.iter().map(|info| info.cluster as usize).collect();
        let glyphs: Vec<_> = infos
            .iter()
            .zip(shaped.glyph_positions())
            .enumerate()
            .map(|(place, (info, position))| {
                let start = info.cluster as usize;
                let end = starts
                    .iter()
                    .skip(place)
                    .copied()
                    .find(|&next| next > start)
                    .unwrap_or(text.len());
                ShapedGlyph {
                    id: info.glyph_id,
                    bytes: start..end,
                    advance: position.x_advance as f32 / em,
                    offset: (position.x_offset as f32 / em, position.y_offset as f32 / em),
                }
            })
            .collect();
        let width = glyphs.iter().map(|glyph| glyph.advance).sum();
        Word { glyphs, width }
    }

    fn wrap_paragraph(&mut self, paragraph: &str, width: f32, lines: &mut Vec<String>) {
        let space = self.word(" ").width;
        let mut line = String::new();
        let mut used = 0.0;
        for text in paragraph.split(' ').filter(|word| !word.is_empty()) {
            let whole = if text.len() > LONGEST_WORD {
                f32::INFINITY
            } else {
                self.word(text).width
            };
            if !line.is_empty() && used + space + whole > width {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
                line.push_str(text);
                used += space + whole;
            } else if whole <= width {
                line.push_str(text);
                used = whole;
            } else {
                for piece in pieces(text) {
                    if !line.is_empty() {
                        lines.push(std::mem::take(&mut line));
                    }
                    let word = self.word(piece);
                    (line, used) = break_word(&word, piece, width, lines);
                }
            }
        }
        lines.push(line);
    }
}

/// Breaks a word wider than the line: pushes whole lines, returns the rest and its width.
fn break_word(word: &Word, text: &str, width: f32, lines: &mut Vec<String>) -> (String, f32) {
    let mut start = 0;
    let mut used = 0.0;
    for glyph in &word.glyphs {
        // Never inside a cluster.
        if used + glyph.advance > width && glyph.bytes.start > start {
            lines.extend(text.get(start..glyph.bytes.start).map(str::to_owned));
            start = glyph.bytes.start;
            used = 0.0;
        }
        used += glyph.advance;
    }
    (text.get(start..).unwrap_or_default().to_owned(), used)
}

/// Splits a word into pieces of at most [`LONGEST_WORD`] bytes.
fn pieces(mut word: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let (piece, rest) = word.split_at_checked(word.floor_char_boundary(LONGEST_WORD))?;
        word = rest;
        (!piece.is_empty()).then_some(piece)
    })
}

fn spaces(text: &str) -> f32 {
    text.bytes().filter(|byte| *byte == b' ').count() as f32
}

/// Replaces control characters, which have no glyph, by spaces.
fn printable(text: &str) -> String {
    text.chars()
        .map(|character| if character.is_control() { ' ' } else { character })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_equally_wide_so_that_amounts_line_up() {
        let mut typeface = Typeface::bundled().unwrap();
        for weight in [Weight::Regular, Weight::Strong] {
            let width = typeface.width(weight, "0000000000");
            assert!((typeface.width(weight, "1234567890") - width).abs() < 1e-4);
            assert!((typeface.width(weight, "7171717171") - width).abs() < 1e-4);
        }
    }

    #[test]
    fn wrapping_keeps_every_character_and_exceeds_no_width() {
        let mut typeface = Typeface::bundled().unwrap();
        let style = Style::regular(9.0);
        let text = "Calle 23 entre L y M, edificio Ñico López · apartamentoconunnombrelarguísimosinespacios";
        let lines = typeface.wrap(style, text, 80.0);
        assert!(lines.len() > 3);
        assert_eq!(lines.concat().replace(' ', ""), text.replace(' ', ""));
        for line in &lines {
            assert!(typeface.width(style.weight, line) * style.size <= 80.0, "{line}");
        }
    }

    #[test]
    fn every_glyph_stands_for_its_own_bytes() {
        let mut typeface = Typeface::bundled().unwrap();
        let line = "Peñón e\u{301}poca ffi";
        let mut end = 0;
        for glyph in typeface.glyphs(Weight::Regular, line) {
            assert!(
                glyph.text_range.start == end || glyph.text_range.end == end,
                "{glyph:?}"
            );
            end = glyph.text_range.end;
            assert!(line.get(glyph.text_range.clone()).is_some());
        }
        assert_eq!(end, line.len());
    }
}
