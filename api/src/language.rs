//! The caller's language, from Accept-Language.

use actix_web::{
    HttpRequest,
    http::header::{AcceptLanguage, Header as _, Preference},
};

/// A language that Caudal speaks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    /// Spanish, unless another one is asked for.
    #[default]
    Spanish,
    /// English.
    English,
}

impl Language {
    /// Preferred language of a request.
    pub fn of(request: &HttpRequest) -> Self {
        // A repeated or malformed header is ignored.
        if request.headers().get("accept-language").is_none() {
            return Self::default();
        }
        let Ok(accepted) = AcceptLanguage::parse(request) else {
            return Self::default();
        };
        accepted
            .ranked()
            .iter()
            .find_map(|wanted| match wanted {
                Preference::Specific(tag) => match tag.primary_language() {
                    "es" => Some(Self::Spanish),
                    "en" => Some(Self::English),
                    _ => None,
                },
                Preference::Any => Some(Self::default()),
            })
            .unwrap_or_default()
    }

    /// The same language, of files and shared words.
    pub const fn of_words(self) -> caudal_export::Language {
        match self {
            Self::Spanish => caudal_export::Language::Spanish,
            Self::English => caudal_export::Language::English,
        }
    }

    /// ISO 639 code.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Spanish => "es",
            Self::English => "en",
        }
    }
}
