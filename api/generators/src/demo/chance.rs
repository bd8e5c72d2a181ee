//! Deterministic random numbers.

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Chance(u64);

impl Chance {
    pub const fn seeded(seed: u64) -> Self {
        Self(seed)
    }

    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number from `low` to `high`, inclusive.
    pub const fn between(&mut self, low: i64, high: i64) -> i64 {
        let span = high.wrapping_sub(low).unsigned_abs().saturating_add(1);
        low.wrapping_add_unsigned(self.next() % span)
    }

    /// True with a probability of `percent` in a hundred.
    pub const fn percent(&mut self, percent: i64) -> bool {
        self.between(1, 100) <= percent
    }

    /// A random element.
    pub fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        let last = i64::try_from(from.len().checked_sub(1)?).ok()?;
        usize::try_from(self.between(0, last))
            .ok()
            .and_then(|index| from.get(index))
    }

    /// A random text; empty for an empty list.
    pub fn word(&mut self, from: &[&'static str]) -> &'static str {
        self.pick(from).copied().unwrap_or_default()
    }

    /// A US telephone number: area code, exchange starting with 2 to 9, line.
    pub fn american_phone(&mut self) -> String {
        const AREAS: &[&str] = &["305", "786", "813", "407", "212", "702"];
        let (area, exchange) = (self.word(AREAS), self.between(200, 999));
        format!("+1{area}{exchange}{}", self.digits(4))
    }

    /// Random digits.
    pub fn digits(&mut self, count: usize) -> String {
        (0..count).map(|_| self.between(0, 9).to_string()).collect()
    }
}
