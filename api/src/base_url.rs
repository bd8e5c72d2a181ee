//! Addresses of servers in settings: this one for browsers, other nodes, witnesses.

use reqwest::Url;

/// An address to which paths are appended: http or https, a host, perhaps a port and a path.
pub fn parse(text: &str) -> Option<Url> {
    let url: Url = text.parse().ok()?;
    let is_base = matches!(url.scheme(), "http" | "https") && url.has_host();
    (is_base && url.query().is_none() && url.fragment().is_none()).then_some(url)
}

/// An address of a whole server: without a path, and without credentials.
pub fn of_server(text: &str) -> Option<Url> {
    let is_whole = |url: &Url| url.path() == "/" && url.username().is_empty() && url.password().is_none();
    parse(text).filter(is_whole)
}

/// An address as text, without a slash at its end.
pub fn text(url: &Url) -> &str {
    url.as_str().trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_appended_to_a_base_and_only_a_server_s_address_has_none() {
        for (written, read) in [
            ("http://10.0.0.2:8080", "http://10.0.0.2:8080"),
            ("https://node-1.example.org/", "https://node-1.example.org"),
            ("http://[::1]:8080/", "http://[::1]:8080"),
        ] {
            assert_eq!(text(&of_server(written).unwrap()), read);
        }
        for base in ["https://example.org/witness/", "https://me:secret@example.org"] {
            assert!(parse(base).is_some(), "{base}");
            assert_eq!(of_server(base), None, "{base}");
        }
        for neither in [
            "",
            "10.0.0.2:8080",
            "ftp://a",
            "http://",
            "http://a?b",
            "http://a/#b",
            "a.example",
        ] {
            assert_eq!(parse(neither), None, "{neither}");
        }
    }
}
