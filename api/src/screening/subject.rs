//! Who is compared for a customer, and what a document tells of a nationality and a residence.

use caudal_domain::customer::IdentificationType;
use caudal_projections::{scalar::CustomerType, screening::ScreeningSubject};
use caudal_screening::{Date, Document, Subject};

/// Who is compared for a customer: the customer, also by the name by which they are known, and a recipient's representative, who
/// may receive the money. One part of a name is enough, or a document.
pub(super) fn people(subject: &ScreeningSubject) -> Vec<Subject> {
    let details = &subject.details;
    let mut own = person(
        [
            Some(details.name.as_str()),
            details.last_name.as_deref(),
            details.second_surname.as_deref(),
        ],
        details.personal_identification_number.as_deref(),
        details.personal_identification_type,
        details.personal_identification_country.as_deref(),
    );
    let country = details.country.as_deref().map(str::trim);
    own.residences
        .extend(country.filter(|country| !country.is_empty()).map(str::to_owned));
    let alias = details.alias.as_deref().map(str::trim);
    let alias = alias.filter(|alias| !alias.is_empty()).map(|alias| Subject {
        name: alias.to_owned(),
        // Compared under the own name.
        documents: Vec::new(),
        ..own.clone()
    });
    let representative = person(
        [
            details.alternative_name.as_deref(),
            details.alternative_last_name.as_deref(),
            None,
        ],
        details.alternative_personal_identification_number.as_deref(),
        None,
        None,
    );
    let has_representative = subject.customer_type == CustomerType::Recipient
        && !(representative.name.is_empty() && representative.documents.is_empty());
    let mut people = vec![own];
    people.extend(alias);
    people.extend(has_representative.then_some(representative));
    people
}

fn person(
    names: [Option<&str>; 3],
    number: Option<&str>,
    kind: Option<IdentificationType>,
    country: Option<&str>,
) -> Subject {
    /// Digits of a Cuban identity card.
    const CARD_DIGITS: usize = 11;
    let name: Vec<&str> = names
        .into_iter()
        .flatten()
        .filter(|part| !part.trim().is_empty())
        .collect();
    let number = number.map(str::trim).filter(|number| !number.is_empty());
    let digits = |number: &&str| number.len() == CARD_DIGITS && number.bytes().all(|byte| byte.is_ascii_digit());
    let is_card = match kind {
        Some(kind) => kind == IdentificationType::Ci,
        None => number.as_ref().is_some_and(digits),
    };
    let implied = is_card
        .then_some("CU")
        .or_else(|| kind.and_then(IdentificationType::country));
    let issued_by = number.and(implied.or(country)).map(str::to_ascii_uppercase);
    // Other documents are issued to foreigners too.
    let is_of_nationals = is_card
        || matches!(
            kind,
            Some(IdentificationType::Passport | IdentificationType::PassportCardUs)
        );
    let (countries, residences): (Vec<String>, Vec<String>) =
        issued_by.clone().into_iter().partition(|_| is_of_nationals);
    Subject {
        name: name.join(" "),
        documents: number
            .map(|number| Document {
                kind: String::new(),
                number: number.to_owned(),
                country: issued_by,
            })
            .into_iter()
            .collect(),
        born: number.filter(|_| is_card).and_then(Date::of_cuban_identity),
        countries,
        residences,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use caudal_domain::{customer::CustomerDetails, ids::CustomerId};
    use std::collections::BTreeSet;

    #[test]
    fn a_document_is_compared_with_the_country_of_its_type_or_the_one_that_was_said() {
        let country = |kind, said| {
            let subject = person([Some("Ana"), None, None], Some("X123456"), kind, said);
            subject.documents.first().and_then(|document| document.country.clone())
        };
        assert_eq!(
            country(Some(IdentificationType::Passport), Some("es")).as_deref(),
            Some("ES")
        );
        assert_eq!(country(Some(IdentificationType::Passport), None), None);
        assert_eq!(
            country(Some(IdentificationType::SocialSecurity), None).as_deref(),
            Some("US")
        );
        assert_eq!(country(Some(IdentificationType::Ci), Some("CU")).as_deref(), Some("CU"));
    }

    #[test]
    fn a_document_of_nationals_tells_a_nationality_and_another_one_a_residence() {
        let told = |number, kind, said| {
            let subject = person([Some("Ana"), None, None], number, kind, said);
            (subject.countries.join(" "), subject.residences.join(" "))
        };
        let two = |countries: &str, residences: &str| (countries.to_owned(), residences.to_owned());
        let passport = Some(IdentificationType::Passport);
        assert_eq!(told(Some("X123456"), passport, Some("es")), two("ES", ""));
        assert_eq!(told(Some("84021312345"), None, None), two("CU", ""));
        let social_security = Some(IdentificationType::SocialSecurity);
        assert_eq!(told(Some("123456789"), social_security, None), two("", "US"));
        assert_eq!(told(None, passport, Some("ES")), two("", ""), "no document");
    }

    fn subject(customer_type: CustomerType, details: CustomerDetails) -> ScreeningSubject {
        ScreeningSubject {
            id: CustomerId::generate(),
            customer_type,
            details,
            candidates: BTreeSet::new(),
            decided: BTreeSet::new(),
            confirmed: BTreeSet::new(),
            in_review: false,
        }
    }

    #[test]
    fn an_alias_a_representative_with_any_part_of_a_name_or_a_document_and_the_country_of_residence_are_compared() {
        let some = |text: &str| Some(text.to_owned());
        let ana = CustomerDetails {
            name: "Ana".into(),
            last_name: some("Pérez"),
            country: some("US"),
            personal_identification_number: some("X123456"),
            ..CustomerDetails::default()
        };
        let known = CustomerDetails {
            alias: some(" Varo Zaldívar "),
            ..ana.clone()
        };
        let compared = people(&subject(CustomerType::Sender, known));
        let names: Vec<&str> = compared.iter().map(|person| person.name.as_str()).collect();
        assert_eq!(names, ["Ana Pérez", "Varo Zaldívar"]);
        assert!(compared.iter().all(|person| person.residences == ["US"]));
        let documents = |person: &Subject| person.documents.len();
        assert_eq!(compared.iter().map(documents).collect::<Vec<_>>(), [1, 0]);
        for representative in [
            CustomerDetails {
                alternative_name: some("Evaristo Zaldívar Quesada"),
                ..ana.clone()
            },
            CustomerDetails {
                alternative_last_name: some("Zaldívar"),
                ..ana.clone()
            },
            CustomerDetails {
                alternative_personal_identification_number: some("84021312345"),
                ..ana.clone()
            },
        ] {
            let compared = people(&subject(CustomerType::Recipient, representative.clone()));
            assert_eq!(compared.len(), 2);
            assert_eq!(people(&subject(CustomerType::Sender, representative)).len(), 1);
        }
        assert_eq!(people(&subject(CustomerType::Recipient, ana)).len(), 1);
    }
}
