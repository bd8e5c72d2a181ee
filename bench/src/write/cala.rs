//! cala-ledger, in a program of its own (bench/cala): it needs crates that Caudal does not.

use std::{path::Path, process::Command, time::Duration};

/// Transactions of two entries posted per second, by number of concurrent ones.
pub fn posted(program: &Path, url: &str, in_flight: usize, duration: Duration) -> f64 {
    let output = Command::new(program)
        .arg(url)
        .arg(in_flight.to_string())
        .arg(duration.as_secs().to_string())
        .output()
        .expect("the program of bench/cala runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    said.trim()
        .parse()
        .unwrap_or_else(|_| panic!("bench/cala: {said}{complaint}"))
}
