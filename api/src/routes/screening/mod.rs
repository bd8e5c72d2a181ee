//! Screening: lists and thresholds, and the review of customers who are like listed people.
//!
//! | File | What |
//! |---|---|
//! | `choice.rs` | the lists, which of them customers are screened against, and how far the screening of all is |
//! | `own_lists.rs` | lists that managers load |
//! | `cases.rs` | customers who are like listed people, as a reviewer reads them |
//! | `decisions.rs` | whether a customer is a listed person |
//! | `releases.rs` | what was held for a match of which nobody is left to judge |

mod cases;
mod choice;
mod decisions;
mod own_lists;
mod releases;

pub(super) use decisions::as_of_now;
pub(super) use releases::release_cleared;

use crate::registry::Registry;
use caudal_domain::customer::ListedPerson;
use caudal_screening::{Born, Date};
use serde::Serialize;
use utoipa::ToSchema;

pub fn configure(cfg: &mut Registry<'_, '_>) {
    cfg.service(choice::get_screening)
        .service(choice::set_lists)
        .service(own_lists::check_own_list)
        .service(own_lists::load_own_list)
        .service(own_lists::own_list_versions)
        .service(own_lists::remove_own_list)
        .service(cases::list_cases)
        .service(cases::get_case)
        .service(decisions::decide_pair)
        .service(releases::release_holds);
}

/// An entry as it is published.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
struct ListedEntryView {
    /// Names and aliases.
    names: Vec<String>,
    /// Document numbers with their kind and country.
    documents: Vec<String>,
    /// Dates, months, years or ranges of birth.
    born: Vec<String>,
    /// Countries of nationality or citizenship.
    countries: Vec<String>,
    /// Programs or regulations that list the entry.
    programs: Vec<String>,
}

impl From<ListedPerson> for ListedEntryView {
    fn from(listed: ListedPerson) -> Self {
        Self {
            names: listed.names,
            documents: listed.documents,
            born: listed.born,
            countries: listed.countries,
            programs: listed.programs,
        }
    }
}

/// An entry in the words that a reviewer reads.
fn as_listed(entry: &caudal_screening::Entry) -> ListedPerson {
    let document = |own: &caudal_screening::Document| {
        let parts = [
            own.kind.as_str(),
            own.number.as_str(),
            own.country.as_deref().unwrap_or_default(),
        ];
        parts
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect::<Vec<_>>()
            .join(" ")
    };
    ListedPerson {
        names: entry.names.iter().map(|name| name.text.clone()).collect(),
        documents: entry.documents.iter().map(document).collect(),
        born: entry.born.iter().map(born).collect(),
        countries: entry.countries.clone(),
        programs: entry.programs.clone(),
    }
}

/// A day, a year, or a range of days.
fn born(born: &Born) -> String {
    let day = |date: Date| format!("{:04}-{:02}-{:02}", date.year, date.month, date.day);
    let whole_year = (born.from.month, born.from.day, born.to.month, born.to.day) == (1, 1, 12, 31);
    let text = match (born.from == born.to, whole_year && born.from.year == born.to.year) {
        (true, _) => day(born.from),
        (_, true) => born.from.year.to_string(),
        _ => format!("{} – {}", day(born.from), day(born.to)),
    };
    if born.circa { format!("~ {text}") } else { text }
}
