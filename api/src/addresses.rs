//! Addresses to which a delivery may go: public ones, and those in networks that the operator allows.
//!
//! A name is resolved here, and the connection goes to the addresses that were checked: a second look-up could answer
//! others. An address in a URL is checked before the request, because it is not resolved.

use ipnet::IpNet;
use reqwest::{
    Url,
    dns::{Addrs, Name, Resolve, Resolving},
};
use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::Arc,
};

/// Refused: all addresses of a host are private, reserved or otherwise not public.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the host has no public address")]
pub struct NotPublic;

/// The name has no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the host's name is not known")]
pub struct NotFound;

/// Networks beside the public ones that may be reached. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Reachable(Arc<Vec<IpNet>>);

impl Reachable {
    pub fn new(networks: Vec<IpNet>) -> Self {
        Self(Arc::new(networks))
    }

    pub fn has_networks(&self) -> bool {
        !self.0.is_empty()
    }

    /// Whether a delivery may go to an address. Without encryption only allowed networks are reached.
    pub fn permits(&self, address: IpAddr, encrypted: bool) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address)) || (encrypted && is_public(address))
    }

    /// A resolver that tells permitted addresses alone.
    pub fn resolver(&self, encrypted: bool) -> Arc<Checked> {
        Arc::new(Checked {
            reachable: self.clone(),
            encrypted,
        })
    }
}

/// The address in a URL, if its host is one.
pub fn literal(url: &Url) -> Option<IpAddr> {
    let host = url.host_str()?;
    host.trim_start_matches('[').trim_end_matches(']').parse().ok()
}

/// Resolves names to permitted addresses.
#[derive(Debug)]
pub struct Checked {
    reachable: Reachable,
    encrypted: bool,
}

impl Resolve for Checked {
    fn resolve(&self, name: Name) -> Resolving {
        let (reachable, encrypted) = (self.reachable.clone(), self.encrypted);
        Box::pin(async move {
            let host = name.as_str().to_owned();
            let found: Vec<SocketAddr> = match tokio::net::lookup_host((host.as_str(), 0)).await {
                Ok(found) => found.collect(),
                Err(_) => Vec::new(),
            };
            if found.is_empty() {
                return Err(NotFound.into());
            }
            let permitted: Vec<SocketAddr> = found
                .into_iter()
                .filter(|address| reachable.permits(address.ip(), encrypted))
                .collect();
            if permitted.is_empty() {
                return Err(NotPublic.into());
            }
            Ok::<Addrs, _>(Box::new(permitted.into_iter()))
        })
    }
}

/// Whether an address belongs to the public internet, by the special-purpose registries of IANA.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

/// Networks of IPv4 that are not public, with the number of leading bits.
const SPECIAL_V4: &[(Ipv4Addr, u32)] = &[
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    // Private use.
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    // Carrier-grade NAT.
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    // Loopback.
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    // Link-local: the metadata services of clouds.
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    // Protocol assignments, documentation, 6to4 relays, benchmarks.
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    // Multicast, reserved, broadcast.
    (Ipv4Addr::new(224, 0, 0, 0), 3),
];

fn is_public_v4(address: Ipv4Addr) -> bool {
    let bits = address.to_bits();
    let is_in = |(network, prefix): &(Ipv4Addr, u32)| (bits ^ network.to_bits()) >> (32 - prefix) == 0;
    !SPECIAL_V4.iter().any(is_in)
}

/// Networks within 2000::/3 that are not public, with the number of leading bits.
const SPECIAL_V6: &[(Ipv6Addr, u32)] = &[
    // Protocol assignments, with Teredo, which holds an address of IPv4.
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    // 6to4, which holds an address of IPv4.
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// Only 2000::/3 is assigned to the public: loopback, unique-local, link-local, multicast and NAT64 are outside.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let bits = address.to_bits();
    let is_in = |(network, prefix): &(Ipv6Addr, u32)| (bits ^ network.to_bits()) >> (128 - prefix) == 0;
    bits >> 125 == 1 && !SPECIAL_V6.iter().any(is_in)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn permits(networks: &[&str], address: &str, encrypted: bool) -> bool {
        let networks = networks.iter().map(|network| network.parse().unwrap()).collect();
        Reachable::new(networks).permits(address.parse().unwrap(), encrypted)
    }

    #[test]
    fn only_public_addresses_are_reached_and_only_with_encryption() {
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "172.32.0.1",
            "100.128.0.1",
            "223.255.255.255",
            "2606:4700::1111",
        ] {
            assert!(permits(&[], address, true), "{address}");
            assert!(!permits(&[], address, false), "{address}");
        }
        for address in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.8.8.8",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.51.100.1",
            "203.0.113.1",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:10.0.0.1",
            "::ffff:127.0.0.1",
            "64:ff9b::7f00:1",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
            "fc00::1",
            "fd12:3456::1",
            "fe80::1",
            "fec0::1",
            "ff02::1",
        ] {
            assert!(!permits(&[], address, true), "{address}");
        }
    }

    #[test]
    fn networks_of_the_operator_are_reached_also_without_encryption() {
        assert!(permits(&["10.0.0.0/8"], "10.1.2.3", false));
        assert!(permits(&["10.0.0.0/8"], "::ffff:10.1.2.3", false));
        assert!(!permits(&["10.0.0.0/8"], "192.168.1.1", true));
        assert!(permits(&["::1/128"], "::1", true));
    }

    #[test]
    fn addresses_in_urls_are_seen_in_every_notation() {
        for (url, address) in [
            ("https://127.0.0.1/", Some("127.0.0.1")),
            ("https://2130706433/", Some("127.0.0.1")),
            ("https://0x7f.1/", Some("127.0.0.1")),
            ("https://0177.0.0.1/", Some("127.0.0.1")),
            ("https://[::1]:8443/", Some("::1")),
            ("https://[::ffff:169.254.169.254]/", Some("::ffff:a9fe:a9fe")),
            ("https://example.org/", None),
        ] {
            let found = literal(&Url::parse(url).unwrap());
            assert_eq!(found, address.map(|address| address.parse().unwrap()), "{url}");
        }
    }
}
