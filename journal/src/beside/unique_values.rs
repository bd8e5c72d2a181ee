//! Index of unique values: each value (an e-mail, a currency code, a seller's reference) has at most one holder, and is
//! stored as an HMAC.

use crate::{
    beside::authenticity::{RowMac, RowMacs, Table},
    keys::Keyring,
    log::chain::Hash,
};
use caudal_domain::{UniqueValue, UniqueValueKind, ids::TenantId};
use std::collections::HashMap;
use uuid::Uuid;

/// Stored form of a value.
pub(crate) type UniqueValueKey = (UniqueValueKind, Hash);

/// HMAC of a value; reveals nothing without the key file.
pub(crate) fn digest(keyring: &Keyring, tenant: &TenantId, kind: UniqueValueKind, value: &str) -> Hash {
    keyring.lookup(
        "claim",
        &[tenant.as_str().as_bytes(), kind.as_str().as_bytes(), value.as_bytes()],
    )
}

/// MAC of a row.
pub(crate) fn mac(macs: &RowMacs, tenant: &TenantId, kind: &str, digest: &[u8], owner: Uuid) -> RowMac {
    macs.row(Table::UniqueValues, tenant)
        .key_text(kind)
        .key_digest(digest)
        .uuid(owner)
}

/// The value that an owner holds after a change; `None` releases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct UniqueValueChange {
    pub(crate) kind: UniqueValueKind,
    pub(crate) owner: Uuid,
    pub(crate) digest: Option<Hash>,
}

impl UniqueValueChange {
    pub(crate) fn new(keyring: &Keyring, tenant: &TenantId, unique_value: &UniqueValue) -> Self {
        let digest = unique_value
            .value
            .as_deref()
            .map(|value| digest(keyring, tenant, unique_value.kind, value));
        Self {
            kind: unique_value.kind,
            owner: unique_value.owner,
            digest,
        }
    }
}

/// Changes staged by a batch over the stored index.
#[derive(Debug, Default)]
pub(crate) struct StagedUniqueValues {
    held: HashMap<(UniqueValueKind, Uuid), Option<Hash>>,
    holders: HashMap<UniqueValueKey, Uuid>,
}

impl StagedUniqueValues {
    /// Holder of a value; `stored` is its holder in the database.
    pub(crate) fn holder(&self, value: UniqueValueKey, stored: Option<Uuid>) -> Option<Uuid> {
        let (kind, digest) = value;
        let staged = self.holders.get(&value).copied();
        staged
            .filter(|owner| self.held.get(&(kind, *owner)) == Some(&Some(digest)))
            .or_else(|| stored.filter(|owner| self.held.get(&(kind, *owner)).is_none_or(|held| *held == Some(digest))))
    }

    /// Whether a change takes a value that another owner holds.
    pub(crate) fn is_taken(&self, change: &UniqueValueChange, stored: Option<Uuid>) -> bool {
        change
            .digest
            .and_then(|digest| self.holder((change.kind, digest), stored))
            .is_some_and(|holder| holder != change.owner)
    }

    /// Stages a change.
    pub(crate) fn apply(&mut self, change: &UniqueValueChange) {
        self.held.insert((change.kind, change.owner), change.digest);
        if let Some(digest) = change.digest {
            self.holders.insert((change.kind, digest), change.owner);
        }
    }

    /// Changes to write: one per owner and kind.
    pub(crate) fn into_changes(self) -> Vec<UniqueValueChange> {
        let changes = self.held.into_iter();
        changes
            .map(|((kind, owner), digest)| UniqueValueChange { kind, owner, digest })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANA: Uuid = Uuid::from_u128(1);
    const EVA: Uuid = Uuid::from_u128(2);

    fn change(owner: Uuid, value: Option<u8>) -> UniqueValueChange {
        UniqueValueChange {
            kind: UniqueValueKind::Email,
            owner,
            digest: value.map(|byte| [byte; 32]),
        }
    }

    #[test]
    fn a_value_has_one_holder_at_a_time() {
        let mut staged = StagedUniqueValues::default();
        assert!(!staged.is_taken(&change(ANA, Some(1)), None));
        staged.apply(&change(ANA, Some(1)));
        assert!(staged.is_taken(&change(EVA, Some(1)), None));
        assert!(!staged.is_taken(&change(ANA, Some(1)), None), "its own");
        staged.apply(&change(ANA, Some(2)));
        assert!(!staged.is_taken(&change(EVA, Some(1)), None), "given up for another");
        staged.apply(&change(EVA, Some(1)));
        assert!(staged.is_taken(&change(ANA, Some(1)), None));
    }

    #[test]
    fn a_stored_value_is_free_once_its_holder_gives_it_up_in_the_batch() {
        let mut staged = StagedUniqueValues::default();
        assert!(staged.is_taken(&change(EVA, Some(1)), Some(ANA)));
        staged.apply(&change(ANA, None));
        assert!(!staged.is_taken(&change(EVA, Some(1)), Some(ANA)));
        staged.apply(&change(ANA, Some(1)));
        assert!(staged.is_taken(&change(EVA, Some(1)), Some(ANA)), "and taken again");
    }

    #[test]
    fn only_the_last_of_an_owners_values_is_written() {
        let mut staged = StagedUniqueValues::default();
        staged.apply(&change(ANA, Some(1)));
        staged.apply(&change(ANA, Some(2)));
        assert_eq!(staged.into_changes(), [change(ANA, Some(2))]);
    }
}
