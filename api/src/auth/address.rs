//! Client address: the connection's peer, or the address forwarded by trusted proxies.

use actix_web::HttpRequest;
use ipnet::IpNet;
use std::net::{IpAddr, Ipv4Addr};

/// Header to which each proxy appends its client's address.
const FORWARDED: &str = "x-forwarded-for";

/// Header with the client's protocol.
const FORWARDED_PROTO: &str = "x-forwarded-proto";
/// RFC 7239's header; its `proto` has the client's protocol.
const FORWARDED_STANDARD: &str = "forwarded";

/// Prefix length that identifies an IPv6 site: providers assign whole networks of this size, so a client has
/// arbitrarily many addresses in it.
const IPV6_SITE_BITS: u8 = 64;

#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a network is an address, or an address and its leading bits, like 10.0.0.0/8 or fd00::/8")]
pub struct InvalidNetwork;

/// Parses a network in CIDR notation, or a single address.
///
/// # Errors
/// When the text is neither.
pub fn network(text: &str) -> Result<IpNet, InvalidNetwork> {
    let alone = || text.parse().map(IpAddr::into);
    text.parse().or_else(|_| alone()).map_err(|_| InvalidNetwork)
}

/// Trusted proxies; empty when none is in front.
#[derive(Clone, Debug, Default)]
pub struct Proxies(pub Vec<IpNet>);

impl Proxies {
    /// Client address of a request. The header is read from its end, and only as far as trusted proxies wrote it, so
    /// that a client cannot forge it.
    pub fn client(&self, request: &HttpRequest) -> IpAddr {
        let peer = request
            .peer_addr()
            .map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.ip());
        // A line that is no text is kept: its end is the proxy's, whatever bytes its client wrote before.
        let lines: Vec<_> = request
            .headers()
            .get_all(FORWARDED)
            .map(|line| String::from_utf8_lossy(line.as_bytes()))
            .collect();
        self.client_behind(peer, &lines)
    }

    fn client_behind(&self, peer: IpAddr, lines: &[impl AsRef<str>]) -> IpAddr {
        let mut client = peer.to_canonical();
        let hops = lines.iter().rev().flat_map(|line| line.as_ref().rsplit(','));
        for hop in hops {
            if !self.trust(client) {
                break;
            }
            // An unreadable entry, and everything before it, was not written by a proxy.
            let Some(address) = address(hop.trim()) else { break };
            client = address;
        }
        client
    }

    /// Whether a trusted proxy reports HTTPS. Other sources are ignored.
    pub fn is_https(&self, request: &HttpRequest) -> bool {
        let peer = request.peer_addr().map(|peer| peer.ip().to_canonical());
        if !peer.is_some_and(|peer| self.trust(peer)) {
            return false;
        }
        let header = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
        says_https(header(FORWARDED_PROTO), header(FORWARDED_STANDARD))
    }

    fn trust(&self, address: IpAddr) -> bool {
        self.0.iter().any(|network| network.contains(&address))
    }
}

/// Whether the first proxy, which the browser spoke to, was called by HTTPS.
fn says_https(forwarded_proto: Option<&str>, forwarded: Option<&str>) -> bool {
    let first = |list: &str| list.split(',').next().unwrap_or_default().trim().to_ascii_lowercase();
    if let Some(protocols) = forwarded_proto {
        return first(protocols) == "https";
    }
    forwarded.is_some_and(|hops| {
        let pair = |pair: &str| {
            pair.trim()
                .strip_prefix("proto=")
                .map(|protocol| protocol.trim_matches('"') == "https")
        };
        first(hops).split(';').find_map(pair).unwrap_or(false)
    })
}

/// Parses an address, with the port that some proxies add.
fn address(text: &str) -> Option<IpAddr> {
    let socket = || text.parse().map(|socket: std::net::SocketAddr| socket.ip());
    let bracketed = text.trim_start_matches('[').trim_end_matches(']');
    bracketed
        .parse()
        .or_else(|_| socket())
        .ok()
        .map(|address: IpAddr| address.to_canonical())
}

/// The part of an address that identifies one client for limits.
pub fn site(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(_) => address,
        IpAddr::V6(_) => IpNet::new(address, IPV6_SITE_BITS).map_or(address, |site| site.network()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::{http::header::HeaderValue, test::TestRequest};

    fn client(proxies: &[&str], peer: &str, lines: &[&str]) -> String {
        let networks = proxies.iter().map(|text| network(text).unwrap()).collect();
        Proxies(networks)
            .client_behind(peer.parse().unwrap(), lines)
            .to_string()
    }

    #[test]
    fn without_proxies_the_header_says_nothing() {
        assert_eq!(client(&[], "203.0.113.9", &["198.51.100.1"]), "203.0.113.9");
        assert_eq!(client(&["10.0.0.0/8"], "203.0.113.9", &["198.51.100.1"]), "203.0.113.9");
    }

    #[test]
    fn the_last_address_that_no_trusted_proxy_has_is_the_caller_s() {
        let proxies = ["10.0.0.0/8", "fd00::/8", "192.0.2.7"];
        assert_eq!(client(&proxies, "10.0.0.2", &["198.51.100.1"]), "198.51.100.1");
        assert_eq!(
            client(&proxies, "10.0.0.2", &["1.2.3.4, 198.51.100.1, 10.9.9.9"]),
            "198.51.100.1"
        );
        assert_eq!(
            client(&proxies, "::ffff:10.0.0.2", &["1.2.3.4", "198.51.100.1, 192.0.2.7"]),
            "198.51.100.1"
        );
        assert_eq!(client(&proxies, "fd00::1", &["[2001:db8::5]:4711"]), "2001:db8::5");
        assert_eq!(client(&proxies, "10.0.0.2", &["198.51.100.1:4711"]), "198.51.100.1");
    }

    #[test]
    fn an_unparsable_address_ends_the_chain() {
        assert_eq!(
            client(&["10.0.0.0/8"], "10.0.0.2", &["198.51.100.1, nonsense, 10.0.0.3"]),
            "10.0.0.3"
        );
        assert_eq!(client(&["10.0.0.0/8"], "10.0.0.2", &[]), "10.0.0.2");
    }

    #[test]
    fn bytes_that_are_no_text_hide_no_address_that_a_proxy_wrote() {
        fn client(lines: &[&[u8]]) -> String {
            let mut request = TestRequest::default().peer_addr("10.0.0.2:4711".parse().unwrap());
            for line in lines {
                request = request.append_header((FORWARDED, HeaderValue::from_bytes(line).unwrap()));
            }
            let proxies = Proxies(vec![network("10.0.0.0/8").unwrap()]);
            proxies.client(&request.to_http_request()).to_string()
        }
        assert_eq!(client(&[b"198.51.100.1"]), "198.51.100.1");
        assert_eq!(client(&[b"\xff, 198.51.100.1"]), "198.51.100.1");
        assert_eq!(
            client(&[b"203.0.113.9, \xc3\xb1, 198.51.100.1, 10.0.0.3"]),
            "198.51.100.1"
        );
        assert_eq!(client(&[b"203.0.113.9", b"\xff, 198.51.100.1"]), "198.51.100.1");
        // What stands before the unreadable entry is the client's own word.
        assert_eq!(client(&[b"203.0.113.9, \xff, 10.0.0.3"]), "10.0.0.3");
        assert_eq!(client(&[b"203.0.113.9", b"\xff"]), "10.0.0.2");
    }

    #[test]
    fn the_first_proxy_says_by_which_protocol_the_browser_called() {
        assert!(says_https(Some("https"), None));
        assert!(says_https(Some("HTTPS, http"), None));
        assert!(!says_https(Some("http"), Some("proto=https")));
        assert!(says_https(
            None,
            Some("for=192.0.2.1;proto=https;by=10.0.0.1, for=10.0.0.1;proto=http")
        ));
        assert!(says_https(None, Some("for=192.0.2.1; Proto=\"https\"")));
        assert!(!says_https(None, Some("for=192.0.2.1")));
        assert!(!says_https(None, None));
    }

    #[test]
    fn networks_parse_and_invalid_ones_are_refused() {
        for text in ["10.0.0.0/8", "192.0.2.7", "::/0", "fd00::/8", "0.0.0.0/0"] {
            assert!(network(text).is_ok(), "{text}");
        }
        for text in ["", "10.0.0.0/33", "10.0.0/8", "host", "fd00::/129", "10.0.0.0/-1"] {
            assert_eq!(network(text), Err(InvalidNetwork), "{text}");
        }
        assert_eq!(client(&["0.0.0.0/0"], "10.0.0.2", &["198.51.100.1"]), "198.51.100.1");
    }

    #[test]
    fn one_site_of_ipv6_is_one_caller() {
        let site = |text: &str| super::site(text.parse().unwrap()).to_string();
        assert_eq!(site("2001:db8:1:2:3:4:5:6"), site("2001:db8:1:2::1"));
        assert_ne!(site("2001:db8:1:2::1"), site("2001:db8:1:3::1"));
        assert_eq!(site("203.0.113.9"), "203.0.113.9");
    }
}
