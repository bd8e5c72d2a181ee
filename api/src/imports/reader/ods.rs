//! OpenDocument spreadsheets, read as a stream: repeated cells and rows are never multiplied in memory.

use super::{
    Collector, MAX_CELL_CHARS, NO_VALUE, Notice, ReadFault, Table, check_columns, fault, shown,
    workbook::{marked_free, moment, number},
};
use quick_xml::{
    Reader, XmlVersion,
    events::{BytesStart, Event},
};
use std::{
    collections::{BTreeSet, HashSet},
    io::BufRead,
};

/// Maximum repetitions of a row that has values.
const MAX_REPEATED_ROWS: usize = 1_000;

/// The cell under way.
#[derive(Default)]
struct Cell {
    text: String,
    value: Option<String>,
    /// Whether it is a formula whose result is not saved.
    is_unsaved: bool,
    /// Whether its value is an error.
    is_error: bool,
    repeated: usize,
}

#[derive(Default)]
struct State {
    hidden_styles: HashSet<String>,
    style: Option<String>,
    notices: BTreeSet<Notice>,
    collector: Collector,
    /// Whether the sheet under way is read.
    reads: bool,
    done: bool,
    line: usize,
    repeated: usize,
    row: Vec<String>,
    /// Columns of the row so far, with empty ones.
    columns: usize,
    cell: Option<Cell>,
    /// Depth of elements whose text is no value, such as comments.
    beside: usize,
    in_paragraph: bool,
}

pub fn read(input: impl BufRead) -> Result<Table, ReadFault> {
    let mut reader = Reader::from_reader(input);
    reader.config_mut().expand_empty_elements = true;
    let (mut buffer, mut state) = (Vec::new(), State::default());
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer) {
            Ok(Event::Start(start)) => state.begin(&start)?,
            Ok(Event::End(end)) => state.end(end.local_name().into_inner())?,
            Ok(Event::Text(text)) => {
                state.text(&text.xml10_content());
            }
            Ok(Event::GeneralRef(name)) => {
                let name = name.into_inner();
                let known = match &*name {
                    "amp" => Some('&'),
                    "lt" => Some('<'),
                    "gt" => Some('>'),
                    "quot" => Some('"'),
                    "apos" => Some('\''),
                    other => coded(other),
                };
                // Other entities are declared in a document type: none is read.
                let c = known.ok_or_else(|| fault("import_damaged"))?;
                state.text(c.encode_utf8(&mut [0; 4]));
            }
            Ok(Event::DocType(_)) => return Err(fault("import_damaged")),
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(_) => return Err(fault("import_damaged")),
        }
    }
    let notices = state.notices.into_iter().collect();
    state.collector.finish(notices, false)
}

fn coded(name: &str) -> Option<char> {
    let digits = name.strip_prefix('#')?;
    let code = match digits.strip_prefix('x') {
        Some(hex) => u32::from_str_radix(hex, 16).ok()?,
        None => digits.parse().ok()?,
    };
    char::from_u32(code)
}

pub(super) fn attribute(start: &BytesStart<'_>, name: &str) -> Result<Option<String>, ReadFault> {
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|_| fault("import_damaged"))?;
        if attribute.key.local_name().into_inner() == name {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            return value
                .map(|value| Some(value.into_owned()))
                .map_err(|_| fault("import_damaged"));
        }
    }
    Ok(None)
}

/// Whether a cell's type is an error: said beside the type of the standard, which has none for errors.
fn is_error(start: &BytesStart<'_>) -> Result<bool, ReadFault> {
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|_| fault("import_damaged"))?;
        if attribute.key.local_name().into_inner() == "value-type" {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0);
            if value.is_ok_and(|value| value == "error") {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// How often an element stands for itself.
fn repeated(start: &BytesStart<'_>, name: &str) -> Result<usize, ReadFault> {
    let times = attribute(start, name)?;
    Ok(times.and_then(|times| times.parse().ok()).unwrap_or(1).max(1))
}

impl State {
    fn begin(&mut self, start: &BytesStart<'_>) -> Result<(), ReadFault> {
        let name = start.local_name().into_inner().to_owned();
        match name.as_str() {
            "style" => self.style = attribute(start, "name")?,
            "table-properties" if attribute(start, "display")?.as_deref() == Some("false") => {
                self.hidden_styles.extend(self.style.clone());
            }
            "table" => {
                let style = attribute(start, "style-name")?;
                let hidden = style.is_some_and(|style| self.hidden_styles.contains(&style));
                if hidden {
                    self.notices.insert(Notice::HiddenSheets);
                } else if self.done {
                    self.notices.insert(Notice::OtherSheets);
                }
                self.reads = !hidden && !self.done;
                self.line = 0;
            }
            _ if !self.reads => {}
            "table-row" => {
                self.row.clear();
                self.columns = 0;
                self.repeated = repeated(start, "number-rows-repeated")?;
                if attribute(start, "visibility")?.is_some_and(|how| how != "visible") {
                    self.notices.insert(Notice::HiddenRows);
                }
            }
            "table-cell" | "covered-table-cell" => {
                let is_formula = attribute(start, "formula")?.is_some();
                if is_formula {
                    self.notices.insert(Notice::Formulas);
                }
                if name == "covered-table-cell" {
                    self.notices.insert(Notice::MergedCells);
                }
                let kind = attribute(start, "value-type")?;
                let value = match kind.as_deref() {
                    Some(kind @ ("float" | "currency" | "percentage")) => {
                        let text = attribute(start, "value")?.unwrap_or_default();
                        let number = text.parse().map_or(text, number);
                        let currency = match kind {
                            "currency" if !number.is_empty() => attribute(start, "currency")?,
                            _ => None,
                        };
                        Some(match currency.filter(|code| !code.trim().is_empty()) {
                            Some(code) => format!("{number} {}", marked_free(code.trim())),
                            None => number,
                        })
                    }
                    Some("date") => Some(moment(&attribute(start, "date-value")?.unwrap_or_default())),
                    Some("boolean") => attribute(start, "boolean-value")?,
                    _ => None,
                };
                self.cell = Some(Cell {
                    text: String::new(),
                    value,
                    is_unsaved: is_formula && kind.is_none(),
                    is_error: is_error(start)?,
                    repeated: repeated(start, "number-columns-repeated")?,
                });
            }
            "annotation" => self.beside += 1,
            "p" if self.beside == 0 => {
                if let Some(cell) = self.cell.as_mut().filter(|cell| !cell.text.is_empty()) {
                    cell.text.push('\n');
                }
                self.in_paragraph = true;
            }
            "s" if self.beside == 0 => self.text(" "),
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if self.beside == 0
            && self.in_paragraph
            && let Some(cell) = &mut self.cell
            // A little over the limit is enough to be refused.
            && cell.text.len() <= 8 * MAX_CELL_CHARS
        {
            cell.text.push_str(text);
        }
    }

    fn end(&mut self, name: &str) -> Result<(), ReadFault> {
        if name == "table" && self.reads {
            self.done = !self.collector.is_empty();
            self.reads = false;
        }
        if !self.reads {
            return Ok(());
        }
        match name {
            "annotation" => self.beside = self.beside.saturating_sub(1),
            "p" => self.in_paragraph = false,
            "table-cell" | "covered-table-cell" => {
                let Some(cell) = self.cell.take() else { return Ok(()) };
                let value = match cell.value {
                    _ if cell.is_error => format!("{NO_VALUE}{}", shown(&marked_free(&cell.text))),
                    Some(value) => value,
                    None if cell.is_unsaved && cell.text.is_empty() => NO_VALUE.to_string(),
                    None => marked_free(&cell.text),
                };
                if value.trim().is_empty() {
                    self.columns = self.columns.saturating_add(cell.repeated);
                    return Ok(());
                }
                let end = self.columns.saturating_add(cell.repeated);
                check_columns(end)?;
                self.row.resize(self.columns, String::new());
                self.row.resize(end, value);
                self.columns = end;
            }
            "table-row" => {
                if self.row.is_empty() {
                    self.line = self.line.saturating_add(self.repeated);
                    return Ok(());
                }
                if self.repeated > MAX_REPEATED_ROWS {
                    return Err(fault("import_rows_repeated"));
                }
                for _ in 0..self.repeated {
                    self.line += 1;
                    self.collector.add(self.line, self.row.clone())?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}
