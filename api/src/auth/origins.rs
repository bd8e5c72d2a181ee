//! Origin of a session: browser, system and address, for its owner to recognise it.
//!
//! The browser's own description (`User-Agent`) is reduced to two words and not stored. It is the client's claim: nothing
//! but the display depends on it.

use actix_web::{HttpRequest, http::header::USER_AGENT};
use std::net::IpAddr;

/// Word for a browser or system without a known mark.
pub const OTHER: &str = "other";

/// Names of browsers and systems, alike in all languages.
const NAMES: &[(&str, &str)] = &[
    ("edge", "Edge"),
    ("opera", "Opera"),
    ("samsung", "Samsung Internet"),
    ("firefox", "Firefox"),
    ("chrome", "Chrome"),
    ("safari", "Safari"),
    ("ios", "iOS"),
    ("android", "Android"),
    ("windows", "Windows"),
    ("chromeos", "ChromeOS"),
    ("macos", "macOS"),
    ("linux", "Linux"),
];

/// Marks of browsers, the more special first: most also claim to be Chrome or Safari.
const BROWSERS: &[(&str, &str)] = &[
    ("Edg", "edge"),
    ("OPR/", "opera"),
    ("SamsungBrowser/", "samsung"),
    ("Firefox/", "firefox"),
    ("FxiOS/", "firefox"),
    ("CriOS/", "chrome"),
    ("Chrome/", "chrome"),
    ("Safari/", "safari"),
];

/// Marks of operating systems: Android also claims to be Linux, iOS to be like Mac OS X.
const SYSTEMS: &[(&str, &str)] = &[
    ("iPhone", "ios"),
    ("iPad", "ios"),
    ("Android", "android"),
    ("Windows", "windows"),
    ("CrOS", "chromeos"),
    ("Mac OS X", "macos"),
    ("Linux", "linux"),
];

/// Where a session is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Origin {
    /// One of `edge`, `opera`, `samsung`, `firefox`, `chrome`, `safari`, `other`.
    pub browser: &'static str,
    /// One of `ios`, `android`, `windows`, `chromeos`, `macos`, `linux`, `other`.
    pub system: &'static str,
    /// Address of the client, as trusted proxies tell it.
    pub address: IpAddr,
}

impl Origin {
    /// Origin of a request from an address.
    #[must_use]
    pub fn of(request: &HttpRequest, address: IpAddr) -> Self {
        let agent = request.headers().get(USER_AGENT).and_then(|agent| agent.to_str().ok());
        Self::described(agent.unwrap_or_default(), address)
    }

    /// Origin by the browser's description.
    #[must_use]
    pub fn described(agent: &str, address: IpAddr) -> Self {
        let word = |marks: &[(&str, &'static str)]| {
            let known = marks.iter().find(|(mark, _)| agent.contains(mark));
            known.map_or(OTHER, |(_, word)| word)
        };
        Self {
            browser: word(BROWSERS),
            system: word(SYSTEMS),
            address,
        }
    }

    /// Browser and system for people, such as `Firefox, Linux`; `None` when neither is known.
    #[must_use]
    pub fn device(&self) -> Option<String> {
        let name = |word| NAMES.iter().find(|(known, _)| *known == word).map(|(_, name)| *name);
        let names: Vec<_> = [self.browser, self.system].into_iter().filter_map(name).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_and_systems_are_told_from_those_that_they_claim_to_be() {
        let words = |agent| {
            let origin = Origin::described(agent, IpAddr::from([10, 0, 0, 1]));
            (origin.browser, origin.system)
        };
        for (agent, expected) in [
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36 Edg/130.0",
                ("edge", "windows"),
            ),
            (
                "Mozilla/5.0 (Linux; Android 14; SM-A546B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0 Mobile Safari/537.36",
                ("samsung", "android"),
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
                ("safari", "ios"),
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
                ("firefox", "linux"),
            ),
            (
                "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36",
                ("chrome", "macos"),
            ),
            ("curl/8.10", (OTHER, OTHER)),
            ("", (OTHER, OTHER)),
        ] {
            assert_eq!(words(agent), expected, "{agent}");
        }
    }

    #[test]
    fn each_known_browser_and_system_has_a_name() {
        for (_, word) in BROWSERS.iter().chain(SYSTEMS) {
            assert!(NAMES.iter().any(|(known, _)| known == word), "{word}");
        }
        let device = |agent| Origin::described(agent, IpAddr::from([10, 0, 0, 1])).device();
        assert_eq!(device("(X11; Linux) Firefox/132.0").as_deref(), Some("Firefox, Linux"));
        assert_eq!(device("(X11; Linux)").as_deref(), Some("Linux"));
        assert_eq!(device("curl/8.10"), None);
    }
}
