//! Tallies: row counts of a list per filter value, maintained by the projector. They provide exact totals and page
//! offsets of big lists without scanning.
//!
//! Positions are divided into blocks. For each value (an agency, a currency, or all rows) the rows per block are
//! counted. A distant page is found by adding up blocks and reading within the few that contain it.

mod blocks;
mod counting;
mod days;
mod query;

pub(crate) use blocks::Blocks;
pub(crate) use counting::{Change, Counted, Tallies};
pub(crate) use days::{between, within_days};
pub(crate) use query::{Narrows, Sum, TallySpec, sums};

/// Block size as a power of two: bounds the rows that a page skips, and those counted individually at the ends of a
/// period. Fewer blocks mean fewer counts to add up.
const BLOCK_BITS: u32 = 14;

/// Dimension of all rows of a list.
pub(crate) const ALL: &str = "";

fn block_of(position: i64) -> i32 {
    i32::try_from(position >> BLOCK_BITS).unwrap_or(i32::MAX)
}

const fn first_of(block: i32) -> i64 {
    (block as i64) << BLOCK_BITS
}
