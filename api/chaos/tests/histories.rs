//! Histories in short: the database goes back under two busy nodes, and under nodes that start again; its log is cut, its
//! head is changed, two of its events are swapped.

use caudal_chaos::histories::{self, Size, Variant};
use std::{path::Path, time::Duration};

#[test]
fn a_database_that_goes_back_is_written_to_by_no_node_until_an_operator_decides() {
    let size = Size {
        seed: 11,
        nodes: 2,
        variants: Variant::few(),
        // Tests share the machine; `make chaos` holds nodes to a second.
        noticed_within: Duration::from_secs(5),
    };
    let program = Path::new(env!("CARGO_BIN_EXE_caudal-under-chaos"));
    let report = histories::run(program, &size, |_, _| {});
    assert!(report.is_clean(), "{report}");
}
