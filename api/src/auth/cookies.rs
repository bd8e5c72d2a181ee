//! The cookies of logging in, and whether they are for TLS alone.
//!
//! Over TLS both bear the prefix `__Host-`: the browser then takes them from this host alone, with `Secure` and the path
//! `/`, so that a neighbouring subdomain can't plant one. Over plain HTTP, as on one's own machine, they go without it,
//! to the calls of `/api/auth0` alone.

use crate::app::App;
use actix_web::{
    HttpRequest,
    cookie::{Cookie, SameSite, time},
};
use std::str::FromStr;

/// The cookie of the refresh token, over plain HTTP.
pub const SESSION: &str = "caudal_session";
/// The cookie of the refresh token, over TLS.
pub const SECURE_SESSION: &str = "__Host-caudal_session";
/// The cookie of a known device, over plain HTTP.
pub const DEVICE: &str = "caudal_device";
/// The cookie of a known device, over TLS.
pub const SECURE_DEVICE: &str = "__Host-caudal_device";
/// The only calls that the cookies are sent to over plain HTTP.
const PATH: &str = "/api/auth0";

/// The address at which browsers reach the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicUrl {
    is_https: bool,
}

impl PublicUrl {
    /// Whether browsers come by TLS.
    #[must_use]
    pub const fn is_https(self) -> bool {
        self.is_https
    }
}

/// What is no address for browsers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the public address is https://HOST or http://HOST, without a path")]
pub struct InvalidPublicUrl;

impl FromStr for PublicUrl {
    type Err = InvalidPublicUrl;

    fn from_str(text: &str) -> Result<Self, InvalidPublicUrl> {
        let (scheme, rest) = text.split_once("://").ok_or(InvalidPublicUrl)?;
        let is_https = match scheme {
            "https" => true,
            "http" => false,
            _ => return Err(InvalidPublicUrl),
        };
        let host = rest.strip_suffix('/').unwrap_or(rest);
        let plain = |c: char| c.is_ascii_alphanumeric() || "-.:[]".contains(c);
        if host.is_empty() || !host.chars().all(plain) {
            return Err(InvalidPublicUrl);
        }
        Ok(Self { is_https })
    }
}

/// A cookie of ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// The refresh token.
    Session,
    /// The known device.
    Device,
}

/// The cookies of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cookies {
    is_https: bool,
}

impl Cookies {
    /// As the configured address says; else as the trusted proxies in front say; else plain.
    pub fn of(app: &App, request: &HttpRequest) -> Self {
        let is_https = match app.public_url {
            Some(url) => url.is_https,
            None => app.proxies.is_https(request),
        };
        Self { is_https }
    }

    const fn name(self, sort: Sort) -> &'static str {
        match (sort, self.is_https) {
            (Sort::Session, true) => SECURE_SESSION,
            (Sort::Session, false) => SESSION,
            (Sort::Device, true) => SECURE_DEVICE,
            (Sort::Device, false) => DEVICE,
        }
    }

    /// The value that a request sends.
    pub fn sent(self, request: &HttpRequest, sort: Sort) -> Option<String> {
        Some(request.cookie(self.name(sort))?.value().to_owned())
    }

    /// Builds a cookie; `Max-Age` in seconds.
    pub fn set<'c>(self, sort: Sort, value: &'c str, seconds: i64) -> Cookie<'c> {
        Cookie::build(self.name(sort), value)
            .path(if self.is_https { "/" } else { PATH })
            .http_only(true)
            .same_site(SameSite::Strict)
            // Over plain HTTP a browser would not send it back otherwise.
            .secure(self.is_https)
            .max_age(time::Duration::seconds(seconds))
            .finish()
    }

    /// A cookie that removes what was set.
    pub fn remove(self, sort: Sort) -> Cookie<'static> {
        let mut gone = self.set(sort, "", 0);
        gone.make_removal();
        gone
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_public_address_is_a_scheme_and_a_host() {
        for (text, is_https) in [
            ("https://caudal.example", true),
            ("https://caudal.example:8443/", true),
            ("http://[::1]:8080", false),
        ] {
            assert_eq!(text.parse(), Ok(PublicUrl { is_https }), "{text}");
        }
        for text in [
            "",
            "caudal.example",
            "https://",
            "ftp://host",
            "https://host/path",
            "https://a b",
        ] {
            assert_eq!(text.parse::<PublicUrl>(), Err(InvalidPublicUrl), "{text}");
        }
    }
}
