//! Address of a node for the other nodes.

use crate::base_url;
use reqwest::Url;
use std::{
    fmt,
    net::{IpAddr, SocketAddr},
    str::FromStr,
};

/// URL of a node, such as `http://10.0.0.2:8080`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NodeAddress(Url);

impl NodeAddress {
    /// Replaces port 0 by the bound port.
    #[must_use]
    pub fn listening_on(mut self, taken: SocketAddr) -> Self {
        if self.0.port() == Some(0) {
            // Cannot fail: the URL has a host.
            let _ = self.0.set_port(Some(taken.port()));
        }
        self
    }

    /// URL of a path and query at this node.
    #[must_use]
    pub fn with(&self, path_and_query: &str) -> String {
        format!("{}{path_and_query}", self.as_str())
    }

    /// The host, where it is an address and no name.
    #[must_use]
    pub fn ip(&self) -> Option<IpAddr> {
        let host = self.0.host_str()?;
        host.trim_start_matches('[').trim_end_matches(']').parse().ok()
    }

    /// Whether the host is `localhost`, which every machine takes for itself.
    #[must_use]
    pub fn is_localhost(&self) -> bool {
        self.0.host_str() == Some("localhost")
    }

    /// Whether it is reached by TLS.
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.0.scheme() == "https"
    }

    /// The port; that of the scheme where none is named.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.0.port_or_known_default().unwrap_or_default()
    }

    /// As text, without a slash at its end.
    #[must_use]
    pub fn as_str(&self) -> &str {
        base_url::text(&self.0)
    }
}

impl FromStr for NodeAddress {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("a node's address is like http://10.0.0.2:8080, without a path, not {text:?}");
        base_url::of_server(text).map(Self).ok_or_else(wrong)
    }
}

impl fmt::Display for NodeAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn port_0_stands_for_the_port_that_was_taken() {
        let address: NodeAddress = "http://127.0.0.1:0".parse().unwrap();
        let taken = address.listening_on(SocketAddr::from(([127, 0, 0, 1], 4711)));
        assert_eq!(taken.with("/api/agency?a=b"), "http://127.0.0.1:4711/api/agency?a=b");
    }
}
