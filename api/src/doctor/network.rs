//! Checks of addresses, proxies and cookies.

use super::{Finding, InstallationFacts, NetworkFacts, NodeFacts, Outcome, PortState};
use std::net::{IpAddr, SocketAddr};

/// A trusted network with fewer leading bits holds callers, not proxies.
const LEAST_BITS_V4: u8 = 8;
const LEAST_BITS_V6: u8 = 16;

pub fn examine(facts: &InstallationFacts) -> Outcome {
    let network = &facts.network;
    let mut found = Vec::new();
    ports(network, &mut found);
    cookies(network, &mut found);
    if let Some(node) = &network.node {
        node_address(node, network, &mut found);
    }
    Outcome::Examined(found)
}

fn ports(network: &NetworkFacts, found: &mut Vec<Finding>) {
    let both = [
        ("--listen", Some(network.listen), &network.listen_state),
        (
            "--operations-listen",
            network.operations_listen,
            &network.operations_state,
        ),
    ];
    for (setting, address, state) in both {
        let Some(address) = address else { continue };
        match state {
            PortState::Free | PortState::Caudal => {}
            PortState::Taken => found.push(Finding::wrong(
                "network.port_taken",
                format!("another program listens on {address} ({setting})"),
                format!(
                    "ss -ltnp 'sport = :{}' tells which; end it, or take another port",
                    address.port()
                ),
            )),
            PortState::Refused(why) => found.push(Finding::wrong(
                "network.not_our_address",
                format!("{address} can't be listened on ({setting}): {why}"),
                "name an address of this machine (ip address), 0.0.0.0 for all; below port 1024 \
                 AmbientCapabilities=CAP_NET_BIND_SERVICE",
            )),
        }
    }
    if network
        .operations_listen
        .is_some_and(|apart| apart == network.listen && apart.port() != 0)
    {
        found.push(Finding::wrong(
            "network.same_ports",
            format!("--listen and --operations-listen are both {}", network.listen),
            "give the operators' address another port, like 127.0.0.1:9100",
        ));
    }
    if network.operations_listen.is_none() && is_open(network.listen) {
        found.push(Finding::warning(
            "network.open_metrics",
            format!(
                "/metrics and the API's pages are served to everybody who reaches {}",
                network.listen
            ),
            "set --operations-listen (CAUDAL_OPERATIONS_LISTEN) to an address that only operators reach",
        ));
    }
}

/// Whether others than this machine reach an address.
fn is_open(address: SocketAddr) -> bool {
    !address.ip().is_loopback()
}

fn cookies(network: &NetworkFacts, found: &mut Vec<Finding>) {
    let proxies = &network.trusted_proxies;
    match network.public_url_is_https {
        None if is_open(network.listen) && proxies.is_empty() => found.push(Finding::wrong(
            "network.plain_cookies",
            format!("others reach {}, and cookies are not marked Secure: whoever listens on the way takes a login", network.listen),
            "put a proxy with TLS in front and set --public-url https://… (CAUDAL_PUBLIC_URL)",
        )),
        Some(false) if is_open(network.listen) => found.push(Finding::wrong(
            "network.public_http",
            "the public address is http://: passwords and cookies go in clear",
            "put a proxy with TLS in front and set --public-url https://…",
        )),
        Some(true) if proxies.is_empty() => found.push(Finding::warning(
            "network.no_proxies",
            "a proxy ends TLS, and none is trusted: all callers count as one address, so that one who guesses passwords locks \
             all others out",
            "set --trusted-proxies (CAUDAL_TRUSTED_PROXIES) to the proxy's address, like 127.0.0.1",
        )),
        _ => {}
    }
    for proxy in proxies {
        let least = match proxy.addr() {
            IpAddr::V4(_) => LEAST_BITS_V4,
            IpAddr::V6(_) => LEAST_BITS_V6,
        };
        if proxy.prefix_len() < least {
            found.push(Finding::wrong(
                "network.everybody_trusted",
                format!(
                    "{proxy} is trusted as proxies: any caller may say in X-Forwarded-For that it is somebody else"
                ),
                "name the proxies' own addresses in --trusted-proxies",
            ));
        }
    }
}

fn node_address(node: &NodeFacts, network: &NetworkFacts, found: &mut Vec<Finding>) {
    let text = &node.text;
    let is_loopback = node.is_localhost || node.ip.is_some_and(|ip| ip.is_loopback());
    if is_loopback && is_open(network.listen) {
        found.push(Finding::wrong(
            "network.node_loopback",
            format!("other nodes that forward commands to {text} reach themselves (--node-address)"),
            "name the address of this machine in the private network, like http://10.0.0.2:8080",
        ));
    }
    if !is_loopback && !is_open(network.listen) {
        found.push(Finding::wrong(
            "network.node_unreachable",
            format!("{text} leads nowhere: this node listens on {} alone", network.listen),
            "set --listen to an address that other nodes reach",
        ));
    }
    if node.ip.is_some_and(|ip| ip.is_unspecified()) {
        found.push(Finding::wrong(
            "network.node_unspecified",
            format!("{text} is no address that another machine can call (--node-address)"),
            "name the address of this machine in the private network, like http://10.0.0.2:8080",
        ));
    }
    if !node.is_https && node.port != 0 && network.listen.port() != 0 && node.port != network.listen.port() {
        found.push(Finding::warning(
            "network.node_port",
            format!(
                "--node-address has the port {} and --listen the port {}",
                node.port,
                network.listen.port()
            ),
            "let both have the same port, unless something forwards the one to the other",
        ));
    }
    if !node.is_https && node.ip.is_some_and(is_public) {
        found.push(Finding::wrong(
            "network.node_in_clear",
            format!("callers' tokens go to {text} in clear over the internet"),
            "use a private network, or https:// in --node-address",
        ));
    }
}

fn is_public(ip: IpAddr) -> bool {
    match ip {
        IpAddr::V4(ip) => !(ip.is_private() || ip.is_loopback() || ip.is_link_local() || ip.is_unspecified()),
        IpAddr::V6(ip) => {
            let is_unique_local = ip.segments().first().is_some_and(|first| first & 0xfe00 == 0xfc00);
            !(is_unique_local || ip.is_loopback() || ip.is_unspecified() || ip.is_unicast_link_local())
        }
    }
}
