//! Customers that rows may mean: those of the owner, and those that earlier rows registered.
//!
//! A person is found by the document, of whichever country where the row or the known person says none; without a match by
//! the telephone, if the names do not contradict each other and one of the two has no document; by the name alone only if
//! nothing else distinguishes the two. A telephone alone is no person: a household shares one.
//!
//! | File | What |
//! |---|---|
//! | here | what is kept of them |
//! | `keys.rs` | what a row tells of a person, in comparable form |
//! | `customers.rs` | whom a row means, with which card |
//! | `homes.rs` | where recipients live, and whether a row says another home |
//! | `parties.rs` | parties by name and e-mail address, and their opening balances |
//! | `load.rs` | all of these as the log has them |
//! | `pass.rs` | what the rows of a pass register, and what becomes of it |

mod customers;
mod homes;
mod keys;
mod load;
mod parties;
mod pass;

pub use customers::FoundCustomer;
pub use homes::Home;
pub use keys::PersonKeys;
pub use parties::{FoundParty, OpenedAccount, Opening};

use caudal_domain::ids::{CardId, MunicipalityId, PartyId};
use customers::Holders;
use homes::KnownHome;
use std::{
    collections::{HashMap, HashSet},
    hash::{BuildHasher as _, Hash, RandomState},
};
use uuid::Uuid;

/// Customers of an owner, by what rows tell of them. Keys are hashed: a file may tell of a hundred thousand persons.
#[derive(Debug, Default)]
pub struct Known {
    hashers: [RandomState; 2],
    by_key: HashMap<u128, Holders>,
    /// Names of those who have a telephone, folded.
    names: HashMap<Uuid, Box<str>>,
    /// Homes of recipients.
    homes: HashMap<Uuid, KnownHome>,
    cards: HashMap<u128, CardId>,
    /// What rows of this pass register, with its keys.
    opened: HashMap<Uuid, Vec<u128>>,
    /// Parties by name, folded.
    by_name: HashMap<String, Vec<PartyId>>,
    /// Parties by e-mail address, as the log compares them.
    by_email: HashMap<String, Vec<PartyId>>,
    /// Opening balances that stand: in the log, and not reversed.
    openings: HashMap<OpenedAccount, Opening>,
    /// Rows of municipalities.
    places: HashMap<MunicipalityId, u32>,
    /// Rows of accounts.
    accounts: HashMap<OpenedAccount, u32>,
    /// What the row under way registers.
    row: Vec<Uuid>,
    /// Registrations of earlier rows that are not decided yet.
    undecided: HashSet<Uuid>,
    /// Whether the row under way means one of them.
    leans: bool,
}

impl Known {
    fn hash(&self, of: impl Hash) -> u128 {
        let [one, other] = &self.hashers;
        (u128::from(one.hash_one(&of)) << 64) | u128::from(other.hash_one(&of))
    }
}
