//! Tallies: row counts of a list per filter value, maintained by the projector. They provide exact totals and page
//! offsets of big lists without scanning.
//!
//! A list in the order of the log is cut into blocks of positions. For a value (an agency, a currency, nothing at all)
//! the rows of each block are counted, so that a page far away is found by adding up blocks, and its rows by reading
//! within the few blocks that hold them.
//!
//! **Invariant**: at every position of the read models, the `rows` of a list, dimension, value, currency and part, added up
//! over all blocks, are the rows of the list's table that have them. A projector keeps it by one call, [`Tallies::count`],
//! with each row as it goes and as it comes, or [`Tallies::count_rows`] with many that come alike, in the transaction that
//! changes the rows; a rebuild counts from nothing, and a test compares both. A list uses it by one call, [`Blocks::count`]: it answers `None` where the tallies can't tell, and
//! the list is counted row by row. A list and a projector can be read without anything else of this module.

mod blocks;
mod counting;
mod days;
mod query;

pub(crate) use blocks::Blocks;
pub(crate) use counting::{Change, Counted, Tallies};
pub(crate) use days::{between, within_days};
pub(crate) use query::{Interval, Narrowed, Narrows, Sum, TallySpec, sums};

/// Block size as a power of two: bounds the rows that a page skips, and those counted individually at the ends of a
/// period. Fewer blocks mean fewer counts to add up.
const BLOCK_BITS: u32 = 14;

/// Dimension of all rows of a list.
pub(crate) const ALL: &str = "";

pub(crate) fn block_of(position: i64) -> i32 {
    i32::try_from(position >> BLOCK_BITS).unwrap_or(i32::MAX)
}

const fn first_of(block: i32) -> i64 {
    (block as i64) << BLOCK_BITS
}
