//! The consolidated list of the UN Security Council.

use super::xml::{Element, Layout, Notes};
use crate::countries;
use crate::list::{Born, Date, Document, Entry, Kind, ListedName};

pub const LAYOUT: Layout = Layout {
    root: "CONSOLIDATED_LIST",
    elements: &["INDIVIDUALS/INDIVIDUAL", "ENTITIES/ENTITY"],
    published: "dateGenerated",
    entry,
};

fn entry(element: &Element, notes: &mut Notes) -> Option<Entry> {
    let person = element.name == "INDIVIDUAL";
    let parts = ["FIRST_NAME", "SECOND_NAME", "THIRD_NAME", "FOURTH_NAME"].map(|part| element.child(part));
    let whole = parts
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect::<Vec<_>>()
        .join(" ");
    let mut names = vec![ListedName::strong(&whole)];
    let original = element.child("NAME_ORIGINAL_SCRIPT");
    if !original.is_empty() {
        names.push(ListedName::strong(original));
    }
    let aliases = if person { "INDIVIDUAL_ALIAS" } else { "ENTITY_ALIAS" };
    for alias in element.all(aliases) {
        names.push(ListedName {
            text: alias.child("ALIAS_NAME").to_owned(),
            weak: alias.child("QUALITY").eq_ignore_ascii_case("low"),
        });
    }
    let mut born = Vec::new();
    for date in element.all("INDIVIDUAL_DATE_OF_BIRTH") {
        let texts = ["DATE", "YEAR", "FROM_YEAR", "TO_YEAR"].map(|name| date.child(name));
        match birth(date) {
            Some(range) => born.push(range),
            None if texts.iter().all(|text| text.is_empty()) => {}
            None => notes
                .warnings
                .push(format!("date of birth {:?} is not understood", texts.join(" ").trim())),
        }
    }
    let id = element.child("REFERENCE_NUMBER");
    Some(Entry {
        id: if id.is_empty() { element.child("DATAID") } else { id }.to_owned(),
        kind: if person { Kind::Person } else { Kind::Organisation },
        names,
        documents: element
            .all("INDIVIDUAL_DOCUMENT")
            .map(|document| Document {
                kind: document.child("TYPE_OF_DOCUMENT").to_owned(),
                number: document.child("NUMBER").to_owned(),
                country: Some(countries::code(document.child("ISSUING_COUNTRY"))).filter(|code| !code.is_empty()),
            })
            .collect(),
        born,
        countries: element
            .within("NATIONALITY", "VALUE")
            .map(|country| countries::code(country.text()))
            .filter(|code| !code.is_empty())
            .collect(),
        programs: Some(element.child("UN_LIST_TYPE").to_owned())
            .filter(|list| !list.is_empty())
            .into_iter()
            .collect(),
    })
}

fn birth(date: &Element) -> Option<Born> {
    let number = |name: &str| date.child(name).parse::<u16>().ok();
    let range = Date::iso(date.child("DATE")).map(Born::on).or_else(|| {
        let from = number("YEAR")
            .or_else(|| number("FROM_YEAR"))
            .or_else(|| number("TO_YEAR"))?;
        let to = number("YEAR").or_else(|| number("TO_YEAR")).unwrap_or(from);
        Born::years(from, to)
    })?;
    let circa = date.child("TYPE_OF_DATE").eq_ignore_ascii_case("approximately");
    Some(Born { circa, ..range })
}
