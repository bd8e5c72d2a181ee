//! Recall and false positives on a small list, by the method of `docs/screening.md`. `examples/measure.rs` does it in full
//! size.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test ends where it cannot go on"
)]

mod set;

use caudal_screening::{Index, Scratch, Settings, Subject};
use set::{Alteration, Altered, Population, Random};

/// Spanish names per thousand names of the list, about as in the published lists.
const SPANISH: usize = 120;

/// The seed of the numbers that are reported; the settings were chosen on others.
const SEED: u64 = 20_261_124;

#[test]
fn altered_names_are_found_and_unrelated_ones_are_not() {
    let list = set::list(SEED, 5_000, SPANISH);
    let altered = set::altered(SEED + 1, &list, 2_000);
    let index = Index::build(list.entries);
    let (settings, mut scratch) = (Settings::default(), Scratch::default());
    let mut missed = Vec::new();
    for altered in &altered {
        let candidates = index.screen(&Subject::named(&altered.name), &settings, &mut scratch);
        if !candidates
            .iter()
            .any(|candidate| candidate.entry.id == altered.entry.to_string())
        {
            missed.push(altered);
        }
    }
    assert!(
        missed.len() * 100 <= altered.len() * 2,
        "{} of {} missed",
        missed.len(),
        altered.len()
    );
    for alteration in Alteration::ALL {
        let of_kind = |altered: &&Altered| altered.alteration == alteration;
        let (missed, all) = (
            missed.iter().filter(|a| of_kind(a)).count(),
            altered.iter().filter(of_kind).count(),
        );
        // Nicknames that no table knows are missed; nothing else should be.
        let tolerated = if alteration == Alteration::Nickname { 10 } else { 2 };
        let words = alteration.words();
        assert!(missed * 100 <= all * tolerated, "{missed} of {all} missed: {words}");
    }
    // Names that are not Spanish come without nicknames.
    let (others, all) = (
        missed.iter().filter(|a| !a.spanish).count(),
        altered.iter().filter(|a| !a.spanish).count(),
    );
    assert!(
        others * 100 <= all * 2,
        "{others} of {all} missed: {:?}",
        missed.iter().map(|a| (&a.of, &a.name)).collect::<Vec<_>>()
    );

    let (population, mut random) = (Population::new(), Random::new(SEED + 2));
    let unrelated = 3_000;
    let flagged = (0..unrelated)
        .filter(|_| {
            let name = population.person(&mut random).text();
            !index.screen(&Subject::named(&name), &settings, &mut scratch).is_empty()
        })
        .count();
    assert!(flagged * 100 < unrelated, "{flagged} of {unrelated} flagged");
}
