//! The crash test in short: a few kills of two nodes, of PostgreSQL, and of what passes between them.

use caudal_chaos::crash::{self, Size};
use std::path::Path;

#[test]
fn after_a_few_crashes_what_was_acknowledged_is_stored_exactly_once() {
    let size = Size {
        seed: 7,
        nodes: 2,
        kills: 5,
        workers: 2,
        is_patient: false,
    };
    let program = Path::new(env!("CARGO_BIN_EXE_caudal-under-chaos"));
    let report = crash::run(program, size, |_| {});
    assert!(report.is_clean(), "{report}");
}
