//! Lists in the database: their entries in chunks, each list under a digest of them. A row has a MAC, so that a list that was
//! written without the key file is not used.
//!
//! | File | What |
//! |---|---|
//! | here | bounds, and why a list is not stored or not used |
//! | `listed.rs` | the row of a list, with its MAC |
//! | `packed.rs` | entries in chunks, with their digest |
//! | `loading.rs` | lists are stored, replaced and removed |
//! | `reading.rs` | lists and their entries, with what was changed in the database |
//! | `runs.rs` | how far the screening of all customers of a tenant is, and which node has it |

mod listed;
mod loading;
mod packed;
mod reading;
mod runs;

pub use listed::{About, Listed, stored_name, version};
pub use packed::{Packed, Packer};
pub use reading::Content;
pub use runs::Run;

use caudal_journal::Keyring;
use caudal_postgres::{Database, DatabaseError};
use zeroize::Zeroizing;

/// Purpose of the key of the MACs.
const KEY_PURPOSE: &str = "screening lists";
/// Scope of lists for all tenants.
pub const EVERYBODY: &str = "*";
/// Under this name the rows of the installation are.
const DIRECTORY: &str = "*";
/// Names of all lists together: about a quarter of a gigabyte of memory on each node that screens.
pub const MAX_NAMES: usize = 1_000_000;
/// Names of a tenant's own lists together, with the versions that wait for an approval and those of the last hour.
pub const MAX_OWN_NAMES: usize = 200_000;

#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    #[error(transparent)]
    Database(#[from] DatabaseError),
    #[error(transparent)]
    Query(#[from] sqlx::Error),
    #[error("the entries can't be written or read")]
    Json(#[from] serde_json::Error),
    #[error(
        "the list {0} was written without this installation's key file or was changed, and is not used: load it again"
    )]
    NotAuthentic(String),
    #[error("the lists would have {found} names together; this installation takes {MAX_NAMES}")]
    TooManyNames { found: usize },
    #[error("the tenant's own lists would have {found} names together; {MAX_OWN_NAMES} are allowed")]
    TooManyOwnNames { found: usize },
}

/// The lists of an installation.
#[derive(Clone)]
pub struct Store {
    database: Database,
    key: Zeroizing<[u8; 32]>,
}

impl Store {
    pub fn new(database: Database, keyring: &Keyring) -> Self {
        Self {
            database,
            key: keyring.derive(KEY_PURPOSE),
        }
    }
}

#[cfg(test)]
mod tests;
