//! Login cookies.
//!
//! Over TLS both have the prefix `__Host-`: browsers accept them from this host only, with `Secure` and the path `/`,
//! so that a sibling subdomain can't set them. Over plain HTTP, as in development, they have no prefix and are sent to
//! `/api/auth0` only.

use crate::{auth::address::Proxies, base_url};
use actix_web::{
    HttpRequest,
    cookie::{Cookie, SameSite, time},
};
use reqwest::Url;
use std::str::FromStr;

/// Refresh token cookie over plain HTTP.
pub const SESSION: &str = "caudal_session";
/// Refresh token cookie over TLS.
pub const SECURE_SESSION: &str = "__Host-caudal_session";
/// Known device cookie over plain HTTP.
pub const DEVICE: &str = "caudal_device";
/// Known device cookie over TLS.
pub const SECURE_DEVICE: &str = "__Host-caudal_device";
/// Cookie of a login by single sign-on under way, over plain HTTP.
pub const SIGN_ON: &str = "caudal_sign_on";
/// The same over TLS.
pub const SECURE_SIGN_ON: &str = "__Host-caudal_sign_on";
/// Cookie of a login by passkey under way, over plain HTTP.
pub const PASSKEY: &str = "caudal_passkey";
/// The same over TLS.
pub const SECURE_PASSKEY: &str = "__Host-caudal_passkey";
/// Path of the cookies over plain HTTP.
const PATH: &str = "/api/auth0";

/// Public URL of the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicUrl(Url);

impl PublicUrl {
    /// Whether browsers come by TLS.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.0.scheme() == "https"
    }

    #[must_use]
    pub const fn url(&self) -> &Url {
        &self.0
    }
}

/// What is no address for browsers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the public address is https://HOST or http://HOST, without a path")]
pub struct InvalidPublicUrl;

impl FromStr for PublicUrl {
    type Err = InvalidPublicUrl;

    fn from_str(text: &str) -> Result<Self, InvalidPublicUrl> {
        base_url::of_server(text).map(Self).ok_or(InvalidPublicUrl)
    }
}

/// Kind of a cookie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// Refresh token.
    Session,
    /// Known device.
    Device,
    /// Login by single sign-on under way.
    SignOn,
    /// Login by passkey under way.
    Passkey,
}

/// Cookies of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cookies {
    is_https: bool,
}

impl Cookies {
    /// Determines TLS from the configured public URL, else from trusted proxies; otherwise plain HTTP.
    pub fn of(public_url: Option<&PublicUrl>, proxies: &Proxies, request: &HttpRequest) -> Self {
        let is_https = match public_url {
            Some(url) => url.is_https(),
            None => proxies.is_https(request),
        };
        Self { is_https }
    }

    const fn name(self, sort: Sort) -> &'static str {
        match (sort, self.is_https) {
            (Sort::Session, true) => SECURE_SESSION,
            (Sort::Session, false) => SESSION,
            (Sort::Device, true) => SECURE_DEVICE,
            (Sort::Device, false) => DEVICE,
            (Sort::SignOn, true) => SECURE_SIGN_ON,
            (Sort::SignOn, false) => SIGN_ON,
            (Sort::Passkey, true) => SECURE_PASSKEY,
            (Sort::Passkey, false) => PASSKEY,
        }
    }

    /// Value sent with the request.
    pub fn sent(self, request: &HttpRequest, sort: Sort) -> Option<String> {
        Some(request.cookie(self.name(sort))?.value().to_owned())
    }

    /// A cookie; `Max-Age` in seconds.
    pub fn set<'c>(self, sort: Sort, value: &'c str, seconds: i64) -> Cookie<'c> {
        Cookie::build(self.name(sort), value)
            .path(if self.is_https { "/" } else { PATH })
            .http_only(true)
            .same_site(SameSite::Strict)
            // Browsers would not return a secure cookie over plain HTTP.
            .secure(self.is_https)
            .max_age(time::Duration::seconds(seconds))
            .finish()
    }

    /// A cookie that deletes the existing one.
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
            let url: Result<PublicUrl, _> = text.parse();
            assert_eq!(url.map(|url| url.is_https()), Ok(is_https), "{text}");
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
