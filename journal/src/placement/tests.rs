use super::*;

fn cell(name: &str) -> CellName {
    name.parse().unwrap()
}

fn tenant() -> TenantId {
    "worked".parse().unwrap()
}

fn placement(state: PlacementState, epoch: i64, peer: &str) -> Placement {
    Placement {
        state,
        epoch,
        peer: cell(peer),
        moved_by: Uuid::from_u128(7),
        has_lapsed: false,
    }
}

fn directory(cells: &[(&str, Option<Placement>)]) -> Directory {
    let mut directory = Directory::default();
    for (name, row) in cells {
        let rows = row.clone().map(|row| (tenant(), row)).into_iter().collect();
        directory.update(cell(name), rows);
    }
    directory
}

fn lives(name: &str, takes_writes: bool) -> Whereabouts {
    Whereabouts::Lives {
        cell: cell(name),
        takes_writes,
    }
}

#[test]
fn a_tenant_without_a_row_lives_at_home() {
    assert_eq!(
        directory(&[("home", None), ("b", None)]).locate(&tenant()),
        lives("home", true)
    );
}

#[test]
fn a_tenant_lives_where_it_was_until_it_has_left() {
    use PlacementState::{Arriving, Closing, Copying, Held};
    for (state, takes_writes) in [(Copying, true), (Closing, false), (Held, false)] {
        let directory = directory(&[
            ("home", Some(placement(state, 0, "b"))),
            ("b", Some(placement(Arriving, 1, "home"))),
        ]);
        assert_eq!(directory.locate(&tenant()), lives("home", takes_writes));
        assert!(directory.unopened().is_empty());
    }
}

#[test]
fn a_tenant_that_has_left_and_is_not_opened_is_between_and_can_be_opened() {
    use PlacementState::{Arriving, Left};
    let directory = directory(&[
        ("home", Some(placement(Left, 0, "b"))),
        ("b", Some(placement(Arriving, 1, "home"))),
    ]);
    assert_eq!(directory.locate(&tenant()), Whereabouts::Between);
    assert_eq!(directory.unopened(), vec![(tenant(), cell("home"), cell("b"))]);
}

#[test]
fn an_arrival_of_another_move_is_not_opened() {
    use PlacementState::{Arriving, Left};
    let other = Placement {
        moved_by: Uuid::from_u128(8),
        ..placement(Arriving, 1, "home")
    };
    let directory = directory(&[("home", Some(placement(Left, 0, "b"))), ("b", Some(other))]);
    assert!(directory.unopened().is_empty());
}

#[test]
fn a_cell_that_lost_the_end_of_a_residence_in_a_failover_does_not_get_the_tenant_back() {
    use PlacementState::{Held, Here};
    let directory = directory(&[
        ("home", Some(placement(Held, 0, "b"))),
        ("b", Some(placement(Here, 1, "home"))),
    ]);
    assert_eq!(directory.locate(&tenant()), lives("b", true));
}

#[test]
fn a_tenant_that_came_back_lives_at_home() {
    use PlacementState::{Here, Left};
    let directory = directory(&[
        ("home", Some(placement(Here, 2, "b"))),
        ("b", Some(placement(Left, 1, "home"))),
    ]);
    assert_eq!(directory.locate(&tenant()), lives("home", true));
}

#[test]
fn a_hold_that_has_run_out_gives_writes_back() {
    let lapsed = Placement {
        has_lapsed: true,
        ..placement(PlacementState::Held, 0, "b")
    };
    assert_eq!(
        directory(&[("home", Some(lapsed))]).locate(&tenant()),
        lives("home", true)
    );
}
