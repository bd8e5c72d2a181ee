//! OFAC: `SDN.XML`, and `SDN.CSV` with `ALT.CSV`.

use std::collections::HashMap;
use std::io::Read;

use super::plain::{Table, fields};
use super::xml::{Element, Layout, Notes};
use super::{Problem, ReadError, Sink, Summary};
use crate::countries;
use crate::list::{Born, Document, Entry, Kind, ListedName};

pub const LAYOUT: Layout = Layout {
    root: "sdnList",
    elements: &["publshInformation", "sdnEntry"],
    published: "",
    entry,
};

fn entry(element: &Element, notes: &mut Notes) -> Option<Entry> {
    // The spelling is OFAC's.
    if element.name == "publshInformation" {
        let published = element.child("Publish_Date");
        notes.published = (!published.is_empty()).then(|| published.to_owned());
        notes.count = element.child("Record_Count").parse().ok();
        return None;
    }
    let mut names = vec![ListedName::strong(&name(element))];
    names.extend(element.within("akaList", "aka").map(|aka| ListedName {
        text: name(aka),
        weak: aka.child("category").eq_ignore_ascii_case("weak"),
    }));
    let mut born = Vec::new();
    for item in element.within("dateOfBirthList", "dateOfBirthItem") {
        let text = item.child("dateOfBirth");
        match Born::read(text) {
            Some(range) => born.push(range),
            None => notes.warnings.push(format!("date of birth {text:?} is not understood")),
        }
    }
    let country = |item: &Element| Some(countries::code(item.child("country"))).filter(|code| !code.is_empty());
    let mut countries: Vec<String> = element
        .within("nationalityList", "nationality")
        .chain(element.within("citizenshipList", "citizenship"))
        .filter_map(country)
        .collect();
    countries.sort();
    countries.dedup();
    Some(Entry {
        id: element.child("uid").to_owned(),
        kind: kind(element.child("sdnType")),
        names,
        documents: element
            .within("idList", "id")
            .filter(|id| identifies(id.child("idType"), id.child("idNumber")))
            .map(|id| Document {
                kind: id.child("idType").to_owned(),
                number: id.child("idNumber").to_owned(),
                country: Some(countries::code(id.child("idCountry"))).filter(|code| !code.is_empty()),
            })
            .collect(),
        born,
        countries,
        programs: element
            .within("programList", "program")
            .map(|program| program.text().to_owned())
            .collect(),
    })
}

fn name(element: &Element) -> String {
    let (first, last) = (element.child("firstName"), element.child("lastName"));
    if first.is_empty() {
        last.to_owned()
    } else {
        format!("{first} {last}")
    }
}

fn kind(sdn_type: &str) -> Kind {
    match sdn_type.to_ascii_lowercase().as_str() {
        "individual" => Kind::Person,
        "entity" => Kind::Organisation,
        "vessel" => Kind::Vessel,
        "aircraft" => Kind::Aircraft,
        _ => Kind::Unknown,
    }
}

/// Whether an identification is one: OFAC files remarks, web sites and risks under it too.
fn identifies(kind: &str, number: &str) -> bool {
    const OTHER: &[&str] = &[
        "gender",
        "risk",
        "additional",
        "prohibited",
        "website",
        "email",
        "phone",
        "fax",
        "executive order",
        "target",
        "effective date",
        "listing date",
        "issuer",
        "ticker",
        "isin",
        "caatsa",
        "peesa",
        "organization type",
        "currency",
        "nationality",
        "established",
    ];
    let kind = kind.to_lowercase();
    !OTHER.iter().any(|other| kind.contains(other)) && !Document::normalised(number).is_empty()
}

/// Reads `SDN.CSV`, twelve columns without a header, and `ALT.CSV`, five.
pub fn read_csv(sdn: impl Read, alt: Option<impl Read>, mut sink: Sink<'_>) -> Result<Summary, ReadError> {
    let mut aliases: HashMap<String, Vec<ListedName>> = HashMap::new();
    if let Some(alt) = alt {
        let mut table = Table::new(alt, sink.limits, b',').in_file("ALT.CSV");
        let mut read = 0_usize;
        while let Some((line, row)) = table.row()? {
            if ends(&row) {
                break;
            }
            let [id, _, _, name, ..] = &row[..] else {
                return Err(table.fail(line, fields("5", row.len())));
            };
            read += 1;
            if read > sink.limits.entries {
                return Err(table.fail(line, Problem::TooManyEntries(sink.limits.entries)));
            }
            aliases
                .entry(id.clone())
                .or_default()
                .push(ListedName::strong(value(name)));
        }
    }
    let mut table = Table::new(sdn, sink.limits, b',').in_file("SDN.CSV");
    while let Some((line, row)) = table.row()? {
        if ends(&row) {
            break;
        }
        let [id, name, sdn_type, programs, _, _, _, _, _, _, _, remarks] = &row[..] else {
            return Err(table.fail(line, fields("12", row.len())));
        };
        let mut entry = Entry {
            id: id.clone(),
            // An empty type is an organisation.
            kind: if value(sdn_type).is_empty() {
                Kind::Organisation
            } else {
                kind(value(sdn_type))
            },
            names: vec![ListedName::strong(value(name))],
            programs: value(programs)
                .split("] [")
                .map(|program| program.trim_matches(['[', ']', ' ']).to_owned())
                .filter(|program| !program.is_empty())
                .collect(),
            ..Entry::default()
        };
        entry.names.extend(aliases.remove(id).unwrap_or_default());
        for remark in value(remarks).trim_end_matches('.').split(';') {
            if let Some(unread) = remarked(remark.trim(), &mut entry) {
                sink.summary.warn(line, unread);
            }
        }
        entry.countries.sort();
        entry.countries.dedup();
        sink.entry(line, entry).map_err(|problem| table.fail(line, problem))?;
    }
    for (id, names) in aliases.iter().take(super::MAXIMUM_WARNINGS) {
        let text = format_args!("{:?} is an alias of entry {id}, which SDN.CSV lacks", names[0].text).to_string();
        sink.summary.warn(1, text);
    }
    Ok(sink.summary)
}

/// OFAC closes its files with the control character 26.
fn ends(row: &[String]) -> bool {
    row.len() == 1 && row[0].trim_matches(['\u{1a}', ' ']).is_empty()
}

/// A field, empty where it is OFAC's null.
fn value(field: &str) -> &str {
    let field = field.trim();
    if field == "-0-" { "" } else { field }
}

/// Reads one remark into the entry; a warning for a date that isn't understood.
fn remarked(remark: &str, entry: &mut Entry) -> Option<String> {
    let remark = remark.strip_prefix("alt. ").unwrap_or(remark);
    if let Some(text) = remark.strip_prefix("DOB ") {
        match Born::read(text) {
            Some(range) => entry.born.push(range),
            None => return Some(format!("date of birth {text:?} is not understood")),
        }
    } else if let Some(country) = remark
        .strip_prefix("nationality ")
        .or_else(|| remark.strip_prefix("citizen "))
    {
        entry.countries.push(countries::code(country));
    } else if let Some(alias) = ["a.k.a. '", "f.k.a. '", "n.k.a. '"]
        .iter()
        .find_map(|start| remark.strip_prefix(start))
    {
        entry.names.push(ListedName {
            text: alias.trim_end_matches('\'').to_owned(),
            weak: true,
        });
    } else {
        entry.documents.extend(document(remark));
    }
    None
}

/// Reads `Passport C-20003 (Egypt) issued …` and `Cedula No. 79372 (Colombia)`.
fn document(remark: &str) -> Option<Document> {
    let (text, country) = match remark.split_once('(') {
        Some((text, rest)) => (text, rest.split_once(')').map(|(country, _)| countries::code(country))),
        None => (remark, None),
    };
    let number = text
        .split_whitespace()
        .find(|word| word.bytes().any(|b| b.is_ascii_digit()))?;
    let kind = text.split_once(number)?.0.trim();
    let known =
        kind.contains("Passport") || kind.contains("No.") || kind.contains("Number") || kind.contains("Identification");
    (known && identifies(kind, number)).then(|| Document {
        kind: kind.to_owned(),
        number: number.to_owned(),
        country: country.filter(|code| !code.is_empty()),
    })
}
