//! A bounded random fuzzer: seeded inputs for a given time. A failure prints the seed and the input's number, which
//! reproduce it.
//!
//! `CAUDAL_FUZZ_SECONDS` (default 1) limits each target, `CAUDAL_FUZZ_SEED` (1) chooses the inputs,
//! `CAUDAL_FUZZ_FROM` (0) is the first input's number.

#![allow(dead_code, reason = "each test program uses its part")]

use std::{
    panic::{AssertUnwindSafe, catch_unwind, resume_unwind},
    time::{Duration, Instant},
};

/// Minimum number of inputs: fewer show that the target or the machine is at fault.
const FEWEST_INPUTS: u64 = 20;

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).map_or(default, |value| {
        value.parse().unwrap_or_else(|_| panic!("{name}={value}"))
    })
}

/// Runs a target on consecutive inputs until its time is over, and prints their number.
pub fn fuzz(name: &str, mut target: impl FnMut(&mut Chance)) {
    let (seed, from) = (setting("CAUDAL_FUZZ_SEED", 1), setting("CAUDAL_FUZZ_FROM", 0));
    let end = Instant::now() + Duration::from_secs(setting("CAUDAL_FUZZ_SECONDS", 1));
    let mut number = from;
    while Instant::now() < end || number < from + FEWEST_INPUTS {
        let mut chance = Chance::new(seed, number);
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| target(&mut chance))) {
            eprintln!("fuzz {name}: failed; again with CAUDAL_FUZZ_SEED={seed} CAUDAL_FUZZ_FROM={number}");
            resume_unwind(panic);
        }
        number += 1;
    }
    println!("fuzz {name}: seed {seed}, {} inputs, none failed", number - from);
}

/// Source of choices: the bytes of an input if there is one, then pseudo-random numbers (SplitMix64).
#[derive(Clone, Debug)]
pub struct Chance {
    input: Vec<u8>,
    used: usize,
    state: u64,
}

impl Chance {
    fn new(seed: u64, number: u64) -> Self {
        let mut chance = Self::of(Vec::new());
        chance.state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number;
        chance.draw();
        chance
    }

    /// Choices by a fuzzer's input: one byte for a choice among few, eight for any number. After its end the choices
    /// come from a fixed seed.
    pub fn of(input: Vec<u8>) -> Self {
        Self {
            input,
            used: 0,
            state: 0,
        }
    }

    fn byte(&mut self) -> Option<u8> {
        let byte = self.input.get(self.used).copied();
        self.used += 1;
        byte
    }

    pub fn draw(&mut self) -> u64 {
        if self.used < self.input.len() {
            return (0..8).fold(0, |number, _| number << 8 | u64::from(self.byte().unwrap_or_default()));
        }
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        if bound <= 256
            && let Some(byte) = self.byte()
        {
            return usize::from(byte) % bound.max(1);
        }
        (self.draw() % bound.max(1) as u64) as usize
    }

    /// True with a probability of 1 in `times`.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    pub fn one_of<'a, T: ?Sized>(&mut self, all: &[&'a T]) -> &'a T {
        all[self.below(all.len())]
    }

    /// A number with a uniformly distributed number of digits, so that small ones are as likely as large ones.
    pub fn magnitude(&mut self, largest: i64) -> i64 {
        let bits = self.below(64) as u32;
        let number = (self.draw() >> (63 - bits)) as i64 & i64::MAX;
        let number = number % (largest.saturating_add(1)).max(1);
        if self.once_in(8) { -number } else { number }
    }

    /// A text of pieces and random characters.
    pub fn text(&mut self, pieces: &[&str], most: usize) -> String {
        let mut text = String::new();
        for _ in 0..self.below(most + 1) {
            if self.once_in(12) {
                text.extend(char::from_u32(self.below(0x11_0000) as u32));
            } else {
                text.push_str(self.one_of(pieces));
            }
        }
        text
    }

    /// A mutation of the bytes: some changed, cut out, doubled, or replaced by pieces.
    pub fn mutated(&mut self, bytes: &[u8], pieces: &[&str]) -> Vec<u8> {
        let mut bytes = bytes.to_vec();
        for _ in 0..=self.below(4) {
            let (at, to) = (self.below(bytes.len() + 1), self.below(bytes.len() + 1));
            let (at, to) = (at.min(to), at.max(to));
            match self.below(6) {
                0 if at < bytes.len() => bytes[at] = self.draw() as u8,
                1 if at < bytes.len() => bytes[at] ^= 1 << self.below(8),
                2 => drop(bytes.drain(at..to.min(at + 40))),
                3 => {
                    let piece: Vec<u8> = bytes[at..to.min(at + 60)].to_vec();
                    drop(bytes.splice(at..at, piece));
                }
                4 => drop(bytes.splice(at..to.min(at + 12), self.one_of(pieces).bytes())),
                _ => drop(bytes.splice(at..at, self.one_of(pieces).bytes())),
            }
        }
        bytes
    }
}
