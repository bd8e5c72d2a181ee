//! What a row tells of a person: the keys under which such a person is kept, and those to look for.

use crate::imports::values;

/// What a row tells of a person, in comparable form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PersonKeys {
    document: Option<String>,
    /// The document with its country; none where nobody said it.
    of_country: Option<String>,
    pub(super) phone: Option<String>,
    pub(super) name: Option<String>,
}

impl PersonKeys {
    pub fn new(document: Option<&str>, phone: Option<&str>, name: Option<&str>) -> Self {
        let document = document.map(|text| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>());
        let phone = phone.map(|text| text.chars().filter(char::is_ascii_digit).collect::<String>());
        let used = |text: &String| !text.is_empty();
        Self {
            document: document.map(|text| text.to_uppercase()).filter(used),
            of_country: None,
            phone: phone.filter(used),
            name: name.map(values::folded).filter(used),
        }
    }

    /// The same with the country of the document.
    #[must_use]
    pub fn of_country(mut self, country: Option<&str>) -> Self {
        let country = country
            .map(|text| text.trim().to_uppercase())
            .filter(|text| !text.is_empty());
        let document = self.document.as_ref().zip(country);
        self.of_country = document.map(|(document, country)| format!("{document}@{country}"));
        self
    }

    /// What distinguishes the person from others: all that the row tells.
    pub fn identity(&self) -> String {
        match (self.of_country.as_ref().or(self.document.as_ref()), &self.phone) {
            (Some(document), _) => format!("d{document}"),
            (None, Some(phone)) => format!("p{phone} {}", self.name.as_deref().unwrap_or_default()),
            (None, None) => format!("n{}", self.name.as_deref().unwrap_or_default()),
        }
    }

    /// Keys under which such a person is kept. Lower-case ones hold all persons, upper-case ones those without what is surer.
    pub(super) fn kept(&self) -> Vec<String> {
        let mut keys = Vec::with_capacity(6);
        if let Some(document) = &self.document {
            keys.push(format!("d{document}"));
            match &self.of_country {
                Some(document) => keys.push(format!("c{document}")),
                None => keys.push(format!("D{document}")),
            }
        }
        if let Some(phone) = &self.phone {
            keys.push(format!("p{phone}"));
            if self.document.is_none() {
                keys.push(format!("P{phone}"));
            }
        }
        if let Some(name) = &self.name {
            keys.push(format!("n{name}"));
            if self.document.is_none() && self.phone.is_none() {
                keys.push(format!("N{name}"));
            }
        }
        keys
    }

    /// Keys to look for, the surest first.
    pub(super) fn wanted(&self) -> Vec<String> {
        let is_sure = self.document.is_some();
        let mut keys = Vec::with_capacity(4);
        if let Some(document) = &self.document {
            match &self.of_country {
                // Whose document has no country may be the same.
                Some(of_country) => keys.extend([format!("c{of_country}"), format!("D{document}")]),
                None => keys.push(format!("d{document}")),
            }
        }
        if let Some(phone) = &self.phone {
            keys.push(format!("{}{phone}", if is_sure { 'P' } else { 'p' }));
        }
        if let Some(name) = &self.name {
            let mark = if is_sure || self.phone.is_some() { 'N' } else { 'n' };
            keys.push(format!("{mark}{name}"));
        }
        keys
    }
}

/// Whether all words of a name are in another.
pub(super) fn is_part(name: &str, of: &str) -> bool {
    let words: Vec<&str> = of.split(' ').collect();
    name.split(' ').all(|word| words.contains(&word))
}
