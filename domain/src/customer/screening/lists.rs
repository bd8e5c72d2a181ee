//! Lists that a tenant screens against: which of them, at which threshold, and its own ones.

use crate::refusal::{Refusal, require};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Least threshold of a list: below, most names are like some listed one.
pub const MIN_THRESHOLD: u8 = 70;
/// In percent: the same words.
pub const MAX_THRESHOLD: u8 = 100;
/// Of the screening crate's measured settings.
pub const DEFAULT_THRESHOLD: u8 = 86;
/// Lists of a tenant: each is searched at every sale.
pub const MAX_LISTS: usize = 20;
/// Of a list's name, in characters.
pub const MAX_LIST_NAME_LENGTH: usize = 40;
/// Own lists of a tenant.
pub const MAX_OWN_LISTS: usize = 20;
/// Hexadecimal digits of a list's version.
const VERSION_DIGITS: usize = 64;

/// Lists that a tenant screens its customers against, each with its threshold. None unless the tenant sets some.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScreeningRule {
    pub lists: BTreeMap<String, u8>,
}

impl ScreeningRule {
    pub(crate) fn validate(&self) -> Result<(), Refusal> {
        require(self.lists.len() <= MAX_LISTS, || {
            Refusal::invalid_with("lists", "too_many", [("max", MAX_LISTS.to_string())])
        })?;
        for (name, threshold) in &self.lists {
            require(is_list_name(name), || Refusal::invalid("lists", "list_name_invalid"))?;
            require((MIN_THRESHOLD..=MAX_THRESHOLD).contains(threshold), || {
                let bounds = [("min", MIN_THRESHOLD.to_string()), ("max", MAX_THRESHOLD.to_string())];
                Refusal::invalid_with("lists", "threshold_out_of_range", bounds)
            })?;
        }
        Ok(())
    }
}

/// A version of a tenant's own list. The entries stand beside the log, under the version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnList {
    pub name: String,
    /// Digest of the entries: 64 hexadecimal digits.
    pub version: String,
    pub entries: u32,
    pub names: u32,
}

impl OwnList {
    pub(crate) fn validate(&self) -> Result<(), Refusal> {
        require(is_list_name(&self.name), || {
            Refusal::invalid("name", "list_name_invalid")
        })?;
        let is_digest = self.version.len() == VERSION_DIGITS
            && self
                .version
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
        require(is_digest && self.entries > 0, || Refusal::invalid("file", "required"))
    }
}

/// Lower-case letters, digits and inner hyphens.
#[must_use]
pub fn is_list_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    !name.is_empty()
        && name.len() <= MAX_LIST_NAME_LENGTH
        && name.chars().all(allowed)
        && !name.starts_with('-')
        && !name.ends_with('-')
}
