//! Moves in short: tenants move between two cells and back under load, and something is killed in the middle of most moves.

use caudal_chaos::moves::{self, Size};
use std::{path::Path, time::Duration};

#[test]
fn tenants_move_between_cells_under_load_and_kills_and_what_was_acknowledged_is_stored_exactly_once() {
    let size = Size {
        seed: 5,
        nodes: 2,
        moves: 5,
        workers: 2,
        begun_within: Duration::from_secs(22),
        is_patient: false,
    };
    let program = Path::new(env!("CARGO_BIN_EXE_caudal-under-chaos"));
    let report = moves::run(program, &size, |_, _| {});
    assert!(report.is_clean(), "{report}");
}
