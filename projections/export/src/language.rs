//! Languages of exports: fixed texts, number and date formats.

use crate::word;
use chrono::{NaiveDate, NaiveDateTime};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// es-ES: 1.234,56 and 21/11/2026 14:05.
    #[default]
    Spanish,
    /// en-US: 1,234.56 and 11/21/2026 2:05 PM.
    English,
}

impl Language {
    /// Language tag (RFC 5646).
    pub(crate) const fn tag(self) -> &'static str {
        match self {
            Self::Spanish => "es-ES",
            Self::English => "en-US",
        }
    }

    /// Thousands separator. Always written, unlike CLDR's es-ES: columns of amounts are easier to read, and the
    /// interface does the same.
    pub(crate) const fn thousands(self) -> char {
        match self {
            Self::Spanish => '.',
            Self::English => ',',
        }
    }

    /// Decimal separator.
    pub(crate) const fn decimal_mark(self) -> char {
        match self {
            Self::Spanish => ',',
            Self::English => '.',
        }
    }

    /// A date in the language's format.
    #[must_use]
    pub fn date(self, date: NaiveDate) -> String {
        let pattern = match self {
            Self::Spanish => "%d/%m/%Y",
            Self::English => "%m/%d/%Y",
        };
        date.format(pattern).to_string()
    }

    pub(crate) fn date_time(self, time: NaiveDateTime) -> String {
        let pattern = match self {
            Self::Spanish => "%d/%m/%Y %H:%M",
            Self::English => "%m/%d/%Y %-I:%M %p",
        };
        time.format(pattern).to_string()
    }

    /// Number format of a date in a spreadsheet.
    pub(crate) const fn sheet_date(self) -> &'static str {
        match self {
            Self::Spanish => "dd/mm/yyyy",
            Self::English => "mm/dd/yyyy",
        }
    }

    /// Number format of a date and time in a spreadsheet.
    pub(crate) const fn sheet_date_time(self) -> &'static str {
        match self {
            Self::Spanish => "dd/mm/yyyy hh:mm",
            Self::English => "mm/dd/yyyy h:mm AM/PM",
        }
    }

    pub(crate) const fn boolean(self, value: bool) -> &'static str {
        let words = if value { word::YES } else { word::NO };
        words.in_language(self)
    }

    pub(crate) fn page(self, page: usize, pages: usize) -> String {
        match self {
            Self::Spanish => format!("Página {page} de {pages}"),
            Self::English => format!("Page {page} of {pages}"),
        }
    }

    pub(crate) fn generated(self, at: NaiveDateTime) -> String {
        let at = self.date_time(at);
        match self {
            Self::Spanish => format!("Generado el {at}"),
            Self::English => format!("Generated on {at}"),
        }
    }

    pub(crate) const fn no_rows(self) -> &'static str {
        match self {
            Self::Spanish => "No hay filas.",
            Self::English => "There are no rows.",
        }
    }

    /// Worksheet name for a title that is no valid name.
    pub(crate) const fn data(self) -> &'static str {
        word::DATA.in_language(self)
    }

    /// Name of the worksheet that describes the table.
    pub(crate) const fn about(self) -> &'static str {
        match self {
            Self::Spanish => "Acerca de",
            Self::English => "About",
        }
    }
}
