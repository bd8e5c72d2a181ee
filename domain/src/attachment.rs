//! Files that events name: what a reviewer attaches to a decision, and pictures of a customer's document. An event names them by
//! their hashes, so the chain covers their content, which is stored beside the log.

use crate::refusal::{Refusal, require};
use std::collections::BTreeSet;

/// Files of one decision: what one person shows for one question, such as both sides of a document and some pages of a
/// contract. All of them stand in the event.
pub const MAX_REVIEW_FILES: usize = 10;

/// Pictures of one document: both sides of a card, or the pages of a passport that say who it is, when it expires and which
/// visa it has. All of them stand in each event.
pub const MAX_DOCUMENT_PICTURES: usize = 6;

/// Hexadecimal digits of a SHA-256.
const HASH_DIGITS: usize = 64;

/// # Errors
/// Too many files, the same one twice, or what is no hash.
pub(crate) fn validate(files: &[String], max: usize) -> Result<(), Refusal> {
    require(files.len() <= max, || {
        Refusal::invalid_with("files", "too_many", [("max", max.to_string())])
    })?;
    require(files.iter().all(|hash| is_hash(hash)), || {
        Refusal::invalid("files", "file_not_found")
    })?;
    let different: BTreeSet<&String> = files.iter().collect();
    require(different.len() == files.len(), || {
        Refusal::invalid("files", "duplicate")
    })
}

fn is_hash(text: &str) -> bool {
    text.len() == HASH_DIGITS && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(files: &[String]) -> Option<String> {
        validate(files, MAX_REVIEW_FILES)
            .err()
            .map(|refusal| refusal.to_string())
    }

    #[test]
    fn a_decision_has_some_different_files_named_by_their_hashes() {
        let hash = |number: usize| format!("{number:064x}");
        let most: Vec<_> = (0..MAX_REVIEW_FILES).map(hash).collect();
        assert_eq!(refusal(&[]), None);
        assert_eq!(refusal(&most), None);
        let more: Vec<_> = (0..=MAX_REVIEW_FILES).map(hash).collect();
        assert_eq!(refusal(&more).as_deref(), Some("invalid files:too_many"));
        let twice = [hash(1), hash(1)];
        assert_eq!(refusal(&twice).as_deref(), Some("invalid files:duplicate"));
        for text in ["", "ab", &"A".repeat(64), "../../etc/passwd"] {
            let found = refusal(&[text.to_owned()]);
            assert_eq!(found.as_deref(), Some("invalid files:file_not_found"), "{text}");
        }
    }
}
