//! A clock that is off.

use super::{
    LASTS,
    probing::{SEEN_WITHIN, judged},
};
use crate::{client::Client, fleet::Fleet, surroundings::Clock, worker::Worker};
use chrono::{DateTime, Utc};
use std::{thread, time::Instant};

/// When the zone of the tenants changes to summer time next: 2 o'clock is 3 o'clock there.
const SUMMER_TIME_BEGINS: &str = "2027-03-14T07:00:00Z";

/// Moves a node's clock by an hour, both ways, and over a change to summer time. Meanwhile `/readyz` says that it is
/// wrong, and whoever asks all the same is served; events never go back in time.
pub(super) fn move_around(fleet: &Fleet, clock: &Clock, prober: &mut Worker, node: &Client) {
    let summer: DateTime<Utc> = SUMMER_TIME_BEGINS.parse().expect("a time");
    let before_summer = (summer - Utc::now()).num_seconds() - LASTS.as_secs().cast_signed() / 2;
    for seconds in [3_600, -3_600, before_summer] {
        clock.show(seconds);
        let moved = Instant::now();
        thread::sleep(SEEN_WITHIN);
        judged(fleet, prober, node, LASTS / 3);
        let state = node.readiness();
        if !matches!(&state, Some((false, body)) if body["clock"] == "wrong") {
            fleet
                .tally
                .find(format!("/readyz says {state:?} with a clock that is off"));
        }
        fleet.tally.count("times that the clock was moved");
        thread::sleep((LASTS / 2).saturating_sub(moved.elapsed()));
    }
    judged(fleet, prober, node, LASTS / 3);
    clock.show(0);
    thread::sleep(SEEN_WITHIN);
}
