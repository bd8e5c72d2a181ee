//! Merkle tree over a log, as in RFC 6962 (section 2.1): leaves are event hashes in log order. A root identifies the
//! log up to a position; an inclusion proof shows that an event is under a root, a consistency proof that one log
//! extends another.
//!
//! Leaf `i` (from 0) is the event at position `i + 1`; the tree of size `n` is the log up to position `n`.
//! docs/chain-format.md specifies the bytes. This module is pure; [`nodes`] stores and reads the nodes that roots are
//! computed from.

pub(crate) mod nodes;

use crate::log::chain::Hash;
use sha2::{Digest as _, Sha256};

const LEAF: [u8; 1] = [0];
const NODE: [u8; 1] = [1];

/// Root of an empty log.
#[must_use]
pub fn empty_root() -> Hash {
    Sha256::digest([]).into()
}

fn leaf(event: &Hash) -> Hash {
    Sha256::new().chain_update(LEAF).chain_update(event).finalize().into()
}

fn parent(left: &Hash, right: &Hash) -> Hash {
    let sha = Sha256::new().chain_update(NODE).chain_update(left);
    sha.chain_update(right).finalize().into()
}

/// Root over consecutive full subtrees, largest first.
fn bag(peaks: &[Hash]) -> Hash {
    let Some((last, before)) = peaks.split_last() else {
        return empty_root();
    };
    before.iter().rev().fold(*last, |right, left| parent(left, &right))
}

/// Largest power of two below `size`, which must be at least 2.
const fn split(size: i64) -> i64 {
    1 << (63 - (size - 1).leading_zeros())
}

/// Append-only tree: the roots of its full subtrees, at most 63.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Frontier {
    size: i64,
    peaks: Vec<Hash>,
}

/// Root of a full subtree of `2^level` leaves, the `number`th of its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) level: i16,
    pub(crate) number: i64,
    pub(crate) hash: Hash,
}

impl Frontier {
    /// Frontier of a tree of `size` leaves from the roots of its full subtrees, largest first.
    fn of_peaks(size: i64, peaks: Vec<Hash>) -> Self {
        Self { size, peaks }
    }

    /// Appends an event. `completed` receives each full subtree that this completes, from pairs up.
    pub(crate) fn push(&mut self, event: &Hash, mut completed: impl FnMut(Node)) {
        let (mut hash, mut level, mut number) = (leaf(event), 0, self.size);
        while number & 1 == 1 {
            let Some(left) = self.peaks.pop() else { break };
            hash = parent(&left, &hash);
            level += 1;
            number >>= 1;
            completed(Node { level, number, hash });
        }
        self.peaks.push(hash);
        self.size += 1;
    }

    pub(crate) fn root(&self) -> Hash {
        bag(&self.peaks)
    }
}

/// Leaves `from..to` of a subtree: `from` is a multiple of the largest power of two that fits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    pub(crate) from: i64,
    pub(crate) to: i64,
}

impl Range {
    /// Full subtrees of the range as level and number, largest first.
    fn full_subtrees(self) -> Vec<(i16, i64)> {
        let (mut from, mut parts) = (self.from, Vec::new());
        while from < self.to {
            let level = 63 - (self.to - from).leading_zeros();
            parts.push((i16::try_from(level).unwrap_or_default(), from >> level));
            from += 1 << level;
        }
        parts
    }
}

/// Subtrees whose roots form the inclusion proof of leaf `index` in the tree of `size`; empty for a leaf outside.
pub(crate) fn inclusion(index: i64, size: i64) -> Vec<Range> {
    let (mut from, mut to, mut path) = (0, size, Vec::new());
    if !(0..size).contains(&index) {
        return path;
    }
    while to - from > 1 {
        let middle = from + split(to - from);
        if index < middle {
            path.push(Range { from: middle, to });
            to = middle;
        } else {
            path.push(Range { from, to: middle });
            from = middle;
        }
    }
    path.reverse();
    path
}

/// Subtrees whose roots form the consistency proof between the trees of `first` and `second` leaves; empty when one is
/// empty or both are equal.
pub(crate) fn consistency(first: i64, second: i64) -> Vec<Range> {
    let (mut from, mut to, mut is_first_tree, mut path) = (0, second, true, Vec::new());
    if first <= 0 || first >= second {
        return path;
    }
    while first != to {
        let middle = from + split(to - from);
        if first <= middle {
            path.push(Range { from: middle, to });
            to = middle;
        } else {
            path.push(Range { from, to: middle });
            from = middle;
            is_first_tree = false;
        }
    }
    if !is_first_tree {
        path.push(Range { from, to });
    }
    path.reverse();
    path
}

/// Verifies an inclusion proof: the event with this hash is at `position` of the log whose first `size` events have the
/// root (RFC 9162, section 2.1.3.2).
#[must_use]
pub fn is_included(event: &Hash, position: i64, size: i64, proof: &[Hash], root: &Hash) -> bool {
    if !(1..=size).contains(&position) {
        return false;
    }
    let (mut index, mut last, mut hash) = (position - 1, size - 1, leaf(event));
    for sibling in proof {
        if last == 0 {
            return false;
        }
        if index & 1 == 1 || index == last {
            hash = parent(sibling, &hash);
            while index & 1 == 0 && index != 0 {
                index >>= 1;
                last >>= 1;
            }
        } else {
            hash = parent(&hash, sibling);
        }
        index >>= 1;
        last >>= 1;
    }
    last == 0 && hash == *root
}

/// Verifies a consistency proof: the log with `second_root` at `second` extends the one with `first_root` at `first`
/// (RFC 9162, section 2.1.4.2). Every log extends the empty one.
#[must_use]
pub fn is_consistent(first: i64, first_root: &Hash, second: i64, second_root: &Hash, proof: &[Hash]) -> bool {
    if first < 0 || first > second {
        return false;
    }
    if first == second {
        return proof.is_empty() && first_root == second_root;
    }
    if first == 0 {
        return proof.is_empty() && *first_root == empty_root();
    }
    let is_full = first & (first - 1) == 0;
    let mut proof = std::iter::once(first_root).filter(|_| is_full).chain(proof);
    let Some(start) = proof.next() else { return false };
    let (mut index, mut last) = (first - 1, second - 1);
    while index & 1 == 1 {
        index >>= 1;
        last >>= 1;
    }
    let (mut one, mut other) = (*start, *start);
    for sibling in proof {
        if last == 0 {
            return false;
        }
        if index & 1 == 1 || index == last {
            one = parent(sibling, &one);
            other = parent(sibling, &other);
            while index & 1 == 0 && index != 0 {
                index >>= 1;
                last >>= 1;
            }
        } else {
            other = parent(&other, sibling);
        }
        index >>= 1;
        last >>= 1;
    }
    last == 0 && one == *first_root && other == *second_root
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 6962's definition, literally.
    fn naive(events: &[Hash]) -> Hash {
        match events {
            [] => empty_root(),
            [one] => leaf(one),
            _ => {
                let (left, right) = events.split_at(usize::try_from(split(events.len() as i64)).unwrap());
                parent(&naive(left), &naive(right))
            }
        }
    }

    fn events(count: i64) -> Vec<Hash> {
        (0..count).map(|i| Sha256::digest(i.to_be_bytes()).into()).collect()
    }

    fn roots(events: &[Hash], ranges: &[Range]) -> Vec<Hash> {
        let part = |range: &Range| naive(&events[range.from as usize..range.to as usize]);
        ranges.iter().map(part).collect()
    }

    /// Largest tree of which all pairs of sizes and positions are tested.
    const SIZES: i64 = 67;

    #[test]
    fn a_growing_tree_has_the_root_of_the_definition_and_completes_its_full_subtrees() {
        let events = events(300);
        let (mut tree, mut nodes) = (Frontier::default(), Vec::new());
        assert_eq!(tree.root(), naive(&[]));
        for (size, event) in (1..).zip(&events) {
            tree.push(event, |node| nodes.push(node));
            assert_eq!(tree.root(), naive(&events[..size]), "{size}");
        }
        for node in nodes {
            let width = 1_usize << node.level;
            let from = node.number as usize * width;
            assert_eq!(node.hash, naive(&events[from..from + width]), "{node:?}");
        }
        for size in 1..=300 {
            let parts = Range { from: 0, to: size }.full_subtrees();
            let peaks: Vec<_> = parts
                .iter()
                .map(|(level, number)| naive(&events[(number << level) as usize..((number + 1) << level) as usize]))
                .collect();
            assert_eq!(bag(&peaks), naive(&events[..size as usize]), "{size}");
        }
    }

    #[test]
    fn every_inclusion_proof_holds_for_its_event_position_size_and_root_alone() {
        let events = events(SIZES);
        for size in 1..=SIZES {
            let root = naive(&events[..size as usize]);
            for position in 1..=size {
                let event = &events[position as usize - 1];
                let proof = roots(&events, &inclusion(position - 1, size));
                assert!(
                    is_included(event, position, size, &proof, &root),
                    "{position} of {size}"
                );
                let other = &events[(position % SIZES) as usize];
                assert!(!is_included(other, position, size, &proof, &root));
                for wrong in [0, -1, position - 1, position + 1, size + 1] {
                    assert!(
                        !is_included(event, wrong, size, &proof, &root),
                        "{wrong} for {position} of {size}"
                    );
                }
                assert!(!is_included(
                    event,
                    position,
                    size,
                    &proof,
                    &naive(&events[..size as usize - 1])
                ));
                for changed in changes(&proof) {
                    assert!(!is_included(event, position, size, &changed, &root));
                }
            }
        }
    }

    #[test]
    fn every_consistency_proof_holds_for_its_sizes_and_roots_alone() {
        let events = events(SIZES);
        let root = |size: i64| naive(&events[..size as usize]);
        for second in 0..=SIZES {
            for first in 0..=second {
                let (one, other) = (root(first), root(second));
                let proof = roots(&events, &consistency(first, second));
                assert!(
                    is_consistent(first, &one, second, &other, &proof),
                    "{first} to {second}"
                );
                for changed in changes(&proof) {
                    assert!(!is_consistent(first, &one, second, &other, &changed));
                }
                let mut wrong = other;
                wrong[0] ^= 1;
                assert!(!is_consistent(first, &wrong, second, &other, &proof));
                if first > 0 {
                    assert!(!is_consistent(first, &one, second, &wrong, &proof));
                    assert!(!is_consistent(second, &other, first - 1, &root(first - 1), &proof));
                    assert!(first == second || !is_consistent(first - 1, &root(first - 1), second, &wrong, &proof));
                }
            }
        }
        assert!(!is_consistent(-1, &empty_root(), 3, &root(3), &[]));
    }

    /// Variants of a proof: each hash changed, the last one removed, one added.
    fn changes(proof: &[Hash]) -> Vec<Vec<Hash>> {
        let mut changed: Vec<Vec<Hash>> = (0..proof.len())
            .map(|at| {
                let mut proof = proof.to_vec();
                proof[at][31] ^= 1;
                proof
            })
            .collect();
        if let Some((_, shorter)) = proof.split_last() {
            changed.push(shorter.to_vec());
        }
        changed.push([proof, &[[7; 32]]].concat());
        changed
    }

    /// Roots and proofs by other programs for the same leaves: see docs/chain-format.md.
    #[test]
    fn the_documented_root_holds() {
        let page = include_str!("../../../../docs/chain-format.md");
        let root: String = hex::encode(naive(&events(7)));
        assert!(page.contains(&root), "{root}");
    }
}
