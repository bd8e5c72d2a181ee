//! The part that the XML formats share: elements that are entries are read into small trees, one at a time.

use std::io::BufRead;

use quick_xml::errors::Error;
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::bounded::{Bounded, Counters, Exceeded, exceeded};
use super::{Problem, ReadError, Sink, Summary};
use crate::list::Entry;

/// How deep elements may nest. The published lists nest up to six.
const DEPTH: usize = 24;

/// An element of a list.
#[derive(Debug, Default)]
pub struct Element {
    pub name: String,
    attributes: Vec<(String, String)>,
    text: String,
    children: Vec<Element>,
}

impl Element {
    /// The text without surrounding space.
    pub fn text(&self) -> &str {
        self.text.trim()
    }

    /// An attribute without surrounding space; empty when absent.
    pub fn attribute(&self, name: &str) -> &str {
        self.attributes
            .iter()
            .find(|(of, _)| of == name)
            .map_or("", |(_, value)| value.trim())
    }

    pub fn all(&self, name: &str) -> impl Iterator<Item = &Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The text of the first child with a name; empty when absent.
    pub fn child(&self, name: &str) -> &str {
        self.all(name).next().map_or("", Self::text)
    }

    /// Grandchildren: the `inner` of every `outer`.
    pub fn within(&self, outer: &str, inner: &str) -> impl Iterator<Item = &Self> {
        self.all(outer).flat_map(move |child| child.all(inner))
    }
}

/// What an XML format looks like.
pub struct Layout {
    pub root: &'static str,
    /// Paths of the elements that are read, below the root.
    pub elements: &'static [&'static str],
    /// The attribute of the root with the date of publication.
    pub published: &'static str,
    /// Makes an entry of an element; `None` for one that is none. Texts that it can't use go to the second argument.
    pub entry: fn(&Element, &mut Notes) -> Option<Entry>,
}

/// What a layout tells beside entries.
#[derive(Default)]
pub struct Notes {
    pub warnings: Vec<String>,
    pub published: Option<String>,
    /// Number of entries that the file says it has.
    pub count: Option<usize>,
}

struct Parser<R> {
    reader: Reader<Bounded<R>>,
    counters: Counters,
    /// Names of the open elements.
    open: Vec<String>,
    limits: super::Limits,
}

impl<R> Parser<R> {
    fn fail(&self, problem: Problem) -> ReadError {
        ReadError {
            line: self.counters.line(),
            element: self.open.join("/"),
            problem,
        }
    }

    fn failed(&self, error: Error) -> ReadError {
        let problem = match error {
            Error::Io(error) => match exceeded(&error) {
                Some(Exceeded::File) => Problem::FileTooLarge(self.limits.file),
                Some(Exceeded::Entry) => Problem::EntryTooLarge(self.limits.entry),
                None => Problem::Input(std::io::Error::new(error.kind(), error.to_string())),
            },
            Error::Encoding(_) => Problem::Encoding(String::new()),
            error => Problem::Malformed(error.to_string()),
        };
        self.fail(problem)
    }

    fn element(&self, start: &BytesStart<'_>) -> Result<Element, ReadError> {
        if self.open.len() >= DEPTH {
            return Err(self.fail(Problem::TooDeep(DEPTH)));
        }
        let mut attributes = Vec::new();
        for attribute in start.attributes() {
            let attribute = attribute.map_err(|error| self.fail(Problem::Malformed(error.to_string())))?;
            let value = attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(|error| self.fail(Problem::Malformed(error.to_string())))?;
            attributes.push((attribute.key.local_name().into_inner().to_owned(), value.into_owned()));
        }
        Ok(Element {
            name: start.local_name().into_inner().to_owned(),
            attributes,
            ..Element::default()
        })
    }
}

/// Reads a file of a layout.
pub fn read(mut input: impl BufRead, mut sink: Sink<'_>, layout: &Layout) -> Result<Summary, ReadError> {
    // UTF-16 would come to light as broken UTF-8; its byte order mark says what is wrong.
    let start = input.fill_buf().unwrap_or_default();
    if start.starts_with(&[0xFF, 0xFE]) || start.starts_with(&[0xFE, 0xFF]) {
        return Err(ReadError {
            line: 1,
            element: String::new(),
            problem: Problem::Encoding(" but UTF-16".to_owned()),
        });
    }
    let (bounded, counters) = Bounded::new(input, sink.limits.file, sink.limits.entry);
    let mut reader = Reader::from_reader(bounded);
    reader.config_mut().expand_empty_elements = true;
    let mut parser = Parser {
        reader,
        counters,
        open: Vec::new(),
        limits: sink.limits,
    };
    let mut buffer = Vec::new();
    // Elements of the entry that is being read, outermost first; empty between entries.
    let mut reading: Vec<Element> = Vec::new();
    let mut began = 1;
    let mut notes = Notes::default();
    let mut rooted = false;
    loop {
        buffer.clear();
        if reading.is_empty() {
            parser.counters.entry_begins();
        }
        let event = parser.reader.read_event_into(&mut buffer);
        match event.map_err(|error| parser.failed(error))? {
            Event::Start(start) => {
                let element = parser.element(&start)?;
                if parser.open.is_empty() {
                    if element.name != layout.root || rooted {
                        return Err(parser.fail(Problem::Root {
                            expected: layout.root,
                            found: element.name,
                        }));
                    }
                    rooted = true;
                    let published = element.attribute(layout.published);
                    sink.summary.published = (!published.is_empty()).then(|| published.to_owned());
                }
                parser.open.push(element.name.clone());
                let path = || parser.open[1..].join("/");
                if !reading.is_empty() || layout.elements.contains(&path().as_str()) {
                    if reading.is_empty() {
                        began = parser.counters.line();
                    }
                    reading.push(element);
                }
            }
            Event::End(_) => {
                parser.open.pop();
                let Some(element) = reading.pop() else { continue };
                if let Some(parent) = reading.last_mut() {
                    parent.children.push(element);
                    continue;
                }
                if let Some(entry) = (layout.entry)(&element, &mut notes) {
                    sink.entry(began, entry).map_err(|problem| parser.fail(problem))?;
                }
                for warning in notes.warnings.drain(..) {
                    sink.summary.warn(began, warning);
                }
            }
            Event::Text(text) => {
                if let Some(element) = reading.last_mut() {
                    element.text.push_str(&text.xml10_content());
                } else if parser.open.is_empty() && !text.trim().is_empty() {
                    return Err(parser.fail(Problem::Malformed("text outside of the root element".to_owned())));
                }
            }
            Event::CData(text) => {
                if let Some(element) = reading.last_mut() {
                    element.text.push_str(&text);
                }
            }
            Event::GeneralRef(reference) => {
                let resolved = reference
                    .resolve_char_ref()
                    .map_err(|error| parser.fail(Problem::Malformed(error.to_string())))?;
                let text = match (resolved, &*reference) {
                    (Some(c), _) => c,
                    (None, "amp") => '&',
                    (None, "lt") => '<',
                    (None, "gt") => '>',
                    (None, "quot") => '"',
                    (None, "apos") => '\'',
                    (None, unknown) => return Err(parser.fail(Problem::Entity(unknown.chars().take(40).collect()))),
                };
                if let Some(element) = reading.last_mut() {
                    element.text.push(text);
                }
            }
            Event::DocType(_) => return Err(parser.fail(Problem::DocumentType)),
            Event::Decl(declaration) => {
                if let Some(Ok(encoding)) = declaration.encoding()
                    && !matches!(encoding.to_ascii_lowercase().as_str(), "utf-8" | "utf8" | "us-ascii")
                {
                    let encoding: String = encoding.chars().take(40).collect();
                    return Err(parser.fail(Problem::Encoding(format!(" but {encoding}"))));
                }
            }
            Event::Eof => break,
            // Empty elements come as a start and an end.
            Event::Comment(_) | Event::PI(_) | Event::Empty(_) => {}
        }
    }
    if !parser.open.is_empty() || !rooted {
        return Err(parser.fail(Problem::CutOff));
    }
    if let Some(published) = notes.published {
        sink.summary.published = Some(published);
    }
    if let Some(count) = notes.count
        && count != sink.summary.entries
    {
        let read = sink.summary.entries;
        sink.summary.warn(
            parser.counters.line(),
            format_args!("the file announces {count} entries and has {read}"),
        );
    }
    Ok(sink.summary)
}
