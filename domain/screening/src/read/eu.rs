//! The EU's consolidated list of financial sanctions: everything stands in attributes.

use super::xml::{Element, Layout, Notes};
use crate::countries;
use crate::list::{Born, Date, Document, Entry, Kind, ListedName};

pub const LAYOUT: Layout = Layout {
    root: "export",
    elements: &["sanctionEntity"],
    published: "generationDate",
    entry,
};

fn entry(element: &Element, notes: &mut Notes) -> Option<Entry> {
    let id = element.attribute("euReferenceNumber");
    let mut born = Vec::new();
    for date in element.all("birthdate") {
        match birth(date) {
            Some(range) => born.push(range),
            None if date.attribute("birthdate").is_empty() && date.attribute("year").is_empty() => {}
            None => notes.warnings.push(format!(
                "date of birth {:?} is not understood",
                date.attribute("birthdate")
            )),
        }
    }
    let country = |item: &Element| {
        // 00 stands for an unknown country.
        let code = item.attribute("countryIso2Code");
        let code = if code.is_empty() || code == "00" {
            item.attribute("countryDescription")
        } else {
            code
        };
        Some(countries::code(code)).filter(|code| !code.is_empty() && code != "unknown")
    };
    let mut countries: Vec<String> = element.all("citizenship").filter_map(country).collect();
    countries.sort();
    countries.dedup();
    let mut programs: Vec<String> = element
        .all("regulation")
        .map(|regulation| regulation.attribute("programme").to_owned())
        .filter(|programme| !programme.is_empty())
        .collect();
    programs.sort();
    programs.dedup();
    Some(Entry {
        id: if id.is_empty() {
            element.attribute("logicalId")
        } else {
            id
        }
        .to_owned(),
        kind: match element
            .all("subjectType")
            .next()
            .map_or("", |kind| kind.attribute("code"))
        {
            "person" | "P" => Kind::Person,
            "enterprise" | "E" => Kind::Organisation,
            _ => Kind::Unknown,
        },
        names: element
            .all("nameAlias")
            .map(|alias| ListedName {
                text: name(alias),
                weak: alias.attribute("strong") == "false",
            })
            .collect(),
        documents: element
            .all("identification")
            .filter(|document| document.attribute("knownFalse") != "true")
            .map(|document| Document {
                kind: document.attribute("identificationTypeCode").to_owned(),
                number: match document.attribute("number") {
                    "" => document.attribute("latinNumber"),
                    number => number,
                }
                .to_owned(),
                country: country(document),
            })
            .collect(),
        born,
        countries,
        programs,
    })
}

fn name(alias: &Element) -> String {
    let whole = alias.attribute("wholeName");
    if !whole.is_empty() {
        return whole.to_owned();
    }
    let parts = ["firstName", "middleName", "lastName"].map(|part| alias.attribute(part));
    parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

fn birth(date: &Element) -> Option<Born> {
    let number = |name: &str| date.attribute(name).parse::<u16>().ok();
    let range = Date::iso(date.attribute("birthdate")).map(Born::on).or_else(|| {
        let from = number("year").or_else(|| number("yearRangeFrom"))?;
        let to = number("year").or_else(|| number("yearRangeTo")).unwrap_or(from);
        Born::years(from, to)
    })?;
    Some(Born {
        circa: date.attribute("circa") == "true",
        ..range
    })
}
