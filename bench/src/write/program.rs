//! What is measured in a program of its own: cala-ledger (bench/cala) needs crates that Caudal does not, emmett (bench/emmett)
//! is for Node.

use std::{path::Path, process::Command, time::Duration};

/// Transactions of two entries that cala-ledger posts per second, by number of concurrent ones.
pub fn cala(program: &Path, url: &str, in_flight: usize, duration: Duration) -> f64 {
    rate(Command::new(program), url, in_flight, duration)
}

/// Events that emmett appends per second, by number of concurrent ones.
pub fn emmett(script: &Path, url: &str, in_flight: usize, duration: Duration) -> f64 {
    let mut node = Command::new("node");
    node.arg(script);
    rate(node, url, in_flight, duration)
}

fn rate(mut program: Command, url: &str, in_flight: usize, duration: Duration) -> f64 {
    let output = program
        .arg(url)
        .arg(in_flight.to_string())
        .arg(duration.as_secs().to_string())
        .output()
        .unwrap_or_else(|error| panic!("{program:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    said.trim()
        .parse()
        .unwrap_or_else(|_| panic!("{program:?}: {said}{complaint}"))
}
