//! Networks from which an API key may be used.

use ipnet::IpNet;
use serde::{Deserialize, Serialize};
use std::{
    fmt,
    net::{IpAddr, Ipv6Addr},
    str::FromStr,
};

/// A network in CIDR notation, without host bits: `203.0.113.0/24`, `2001:db8::/32`. A single address is a network of
/// one address.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Network(IpNet);

/// Returned for a text that is no network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a network is an address, or an address and its leading bits, like 203.0.113.0/24")]
pub struct InvalidNetwork;

impl Network {
    /// Whether an address is in the network. An IPv4 address written as IPv6 (`::ffff:203.0.113.7`) is the IPv4 one.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

impl FromStr for Network {
    type Err = InvalidNetwork;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let alone = || text.parse::<IpAddr>().map(|address| address.to_canonical().into());
        let network: IpNet = text.parse().or_else(|_| alone()).map_err(|_| InvalidNetwork)?;
        // Addresses are compared in their canonical form, so that a mapped network would contain none.
        let mapped = matches!(network.network(), IpAddr::V6(address) if is_mapped(address));
        if mapped {
            Err(InvalidNetwork)
        } else {
            Ok(Self(network.trunc()))
        }
    }
}

fn is_mapped(address: Ipv6Addr) -> bool {
    address.to_ipv4_mapped().is_some()
}

impl TryFrom<String> for Network {
    type Error = InvalidNetwork;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Network> for String {
    fn from(network: Network) -> Self {
        network.to_string()
    }
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn networks_lose_their_host_bits_and_contain_addresses_of_their_family() {
        for (text, normal) in [
            ("203.0.113.7", "203.0.113.7/32"),
            ("203.0.113.7/24", "203.0.113.0/24"),
            ("2001:DB8::1/32", "2001:db8::/32"),
            ("::ffff:203.0.113.7", "203.0.113.7/32"),
            ("0.0.0.0/0", "0.0.0.0/0"),
        ] {
            assert_eq!(text.parse::<Network>().unwrap().to_string(), normal);
        }
        for text in [
            "",
            "203.0.113",
            "203.0.113.0/33",
            "example.test",
            "::ffff:203.0.113.0/120",
            "10.0.0.0/-1",
        ] {
            assert_eq!(text.parse::<Network>(), Err(InvalidNetwork), "{text}");
        }
        let network: Network = "203.0.113.0/24".parse().unwrap();
        for (address, is_inside) in [
            ("203.0.113.255", true),
            ("::ffff:203.0.113.9", true),
            ("203.0.114.0", false),
            ("2001:db8::1", false),
        ] {
            assert_eq!(network.contains(address.parse().unwrap()), is_inside, "{address}");
        }
    }
}
