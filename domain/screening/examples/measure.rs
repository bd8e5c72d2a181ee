//! Measures recall, false positives, time and memory in full size, and prints the tables of `docs/screening.md`.
//!
//! `cargo run --release --locked -p caudal-screening --example measure [SEED [NAMES]]`
#![allow(clippy::unwrap_used, reason = "a measurement ends where it cannot go on")]

#[path = "../tests/set/mod.rs"]
mod set;

use std::time::{Duration, Instant};

use caudal_screening::{Index, Scratch, Settings, Subject};
use set::{Alteration, Population, Random};

fn percent(of: usize, whole: usize) -> f64 {
    of as f64 * 100.0 / whole.max(1) as f64
}

fn main() {
    let arguments: Vec<u64> = std::env::args()
        .skip(1)
        .filter_map(|argument| argument.parse().ok())
        .collect();
    let seed = arguments.first().copied().unwrap_or(20_261_124);
    let largest = arguments
        .get(1)
        .map_or(500_000, |names| usize::try_from(*names).unwrap_or(500_000));
    println!("seed {seed}, {:?}\n", Settings::default());
    for (names, spanish) in [(20_000, 120), (50_000, 120), (largest, 20), (largest, 120)] {
        measure(seed, names, spanish);
    }
}

fn measure(seed: u64, names: usize, spanish: usize) {
    let list = set::list(seed, names, spanish);
    let altered = set::altered(seed + 1, &list, 2_000);
    let of_them = list.persons.iter().filter(|person| person.spanish.is_some()).count();
    let began = Instant::now();
    let index = Index::build(list.entries);
    println!("## {} names, {of_them} Spanish persons", index.names());
    println!(
        "built in {:?}, {} MiB, {} MiB resident",
        began.elapsed(),
        index.bytes() >> 20,
        resident()
    );
    let (settings, mut scratch) = (Settings::default(), Scratch::default());

    println!("| alteration | Spanish | others |");
    let mut times = Vec::new();
    let mut all = (0, 0);
    let mut missed = Vec::new();
    for alteration in Alteration::ALL {
        let mut found = [(0, 0); 2];
        for altered in altered.iter().filter(|altered| altered.alteration == alteration) {
            let began = Instant::now();
            let candidates = index.screen(&Subject::named(&altered.name), &settings, &mut scratch);
            times.push(began.elapsed());
            let hit = candidates
                .iter()
                .any(|candidate| candidate.entry.id == altered.entry.to_string());
            let of = &mut found[usize::from(!altered.spanish)];
            *of = (of.0 + usize::from(hit), of.1 + 1);
            all = (all.0 + usize::from(hit), all.1 + 1);
            if !hit {
                missed.push(format!("{} -> {}", altered.of, altered.name));
            }
        }
        let [spanish, others] = found.map(|(found, of)| format!("{found} of {of}"));
        println!("| {} | {spanish} | {others} |", alteration.words());
    }
    println!("recall {:.2} %", percent(all.0, all.1));
    println!(
        "missed, for example: {}",
        missed.iter().take(24).cloned().collect::<Vec<_>>().join("; ")
    );

    let (population, mut random) = (Population::new(), Random::new(seed + 2));
    let (mut flagged, mut exact, mut with_birth) = (0, 0, 0);
    let unrelated = 20_000;
    let mut examples = Vec::new();
    for _ in 0..unrelated {
        let name = population.person(&mut random).text();
        let born = set::date_of_birth(&mut random);
        let began = Instant::now();
        let candidates = index.screen(&Subject::named(&name), &settings, &mut scratch);
        times.push(began.elapsed());
        if let Some(best) = candidates.first() {
            flagged += 1;
            exact += usize::from(best.score == 100);
            if best.score < 100 && examples.len() < 12 {
                examples.push(format!(
                    "{name} ~ {} ({}, {:.0} bits)",
                    best.name, best.score, best.comparison.bits
                ));
            }
        }
        let subject = Subject {
            born: Some(born),
            ..Subject::named(&name)
        };
        with_birth += usize::from(!index.screen(&subject, &settings, &mut scratch).is_empty());
    }
    println!(
        "flagged of {unrelated} unrelated: {:.2} %; {:.2} % have exactly a listed name; with date of birth {:.2} %",
        percent(flagged, unrelated),
        percent(exact, unrelated),
        percent(with_birth, unrelated)
    );
    println!("for example: {}", examples.join("; "));
    times.sort_unstable();
    let at = |share: usize| times[(times.len() - 1) * share / 1_000];
    println!(
        "time per name: median {:?}, p95 {:?}, p99 {:?}, most {:?}",
        at(500),
        at(950),
        at(990),
        at(1_000)
    );

    let customers: Vec<String> = (0..100_000).map(|_| population.person(&mut random).text()).collect();
    println!(
        "100,000 customers: {:?} with one thread, {:?} with two\n",
        screened(&index, &customers, 1),
        screened(&index, &customers, 2)
    );
}

fn screened(index: &Index, customers: &[String], threads: usize) -> Duration {
    let began = Instant::now();
    std::thread::scope(|scope| {
        for part in customers.chunks(customers.len().div_ceil(threads)) {
            scope.spawn(move || {
                let (settings, mut scratch) = (Settings::default(), Scratch::default());
                for name in part {
                    std::hint::black_box(index.screen(&Subject::named(name), &settings, &mut scratch));
                }
            });
        }
    });
    began.elapsed()
}

/// Resident memory of the process in MiB, where the system tells.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find(|line| line.starts_with("VmRSS:"))
        .unwrap_or_default();
    line.split_whitespace()
        .nth(1)
        .and_then(|kib| kib.parse::<u64>().ok())
        .unwrap_or(0)
        / 1_024
}
