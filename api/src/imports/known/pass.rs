//! The rows of a pass: what they register, and what is forgotten again of it.

use super::{Known, OpenedAccount};
use caudal_domain::ids::MunicipalityId;
use uuid::Uuid;

impl Known {
    /// Begins with a row.
    pub fn begin_row(&mut self) {
        self.row.clear();
        self.leans = false;
    }

    /// The first row of a municipality in this pass.
    pub fn row_of_place(&mut self, place: MunicipalityId, row: u32) -> u32 {
        *self.places.entry(place).or_insert(row)
    }

    /// The first row of an account in this pass.
    pub fn row_of_account(&mut self, account: OpenedAccount, row: u32) -> u32 {
        *self.accounts.entry(account).or_insert(row)
    }

    pub(super) fn open(&mut self, id: Uuid, keys: Vec<u128>) {
        self.opened.insert(id, keys);
        self.row.push(id);
    }

    /// Notes that a row of this pass adds a customer or a card that is there already: by this import, before it was
    /// interrupted.
    pub fn add_again(&mut self, id: Uuid) {
        self.open(id, Vec::new());
    }

    /// Whether the row means a customer or card whose registration is not decided yet: the plan is a guess.
    pub const fn leans(&self) -> bool {
        self.leans
    }

    /// Notes registrations that are to be decided.
    pub fn begin_deciding(&mut self, opened: &[Uuid]) {
        self.undecided.extend(opened);
    }

    /// Notes that all of them are decided; those that were refused are forgotten by [`Self::forget`].
    pub fn end_deciding(&mut self) {
        self.undecided.clear();
    }

    /// What the row under way registers.
    pub fn take_row(&mut self) -> Vec<Uuid> {
        std::mem::take(&mut self.row)
    }

    /// Forgets what the row under way registers: it has no commands.
    pub fn forget_row(&mut self) {
        let row = std::mem::take(&mut self.row);
        self.forget(&row);
    }

    /// Whether an earlier row of this pass registers a customer or a card. One that is known and was not opened in this pass
    /// is another's, or was added by this import before it was interrupted.
    #[must_use]
    pub fn is_opened(&self, id: Uuid) -> bool {
        self.opened.contains_key(&id)
    }

    /// Forgets customers and cards whose registration was refused, so that later rows register them themselves.
    pub fn forget(&mut self, refused: &[Uuid]) {
        for id in refused {
            let Some(keys) = self.opened.remove(id) else { continue };
            if !keys.is_empty() {
                self.names.remove(id);
                self.homes.remove(id);
            }
            for key in keys {
                if self.by_key.get_mut(&key).is_some_and(|holders| holders.remove(*id)) {
                    self.by_key.remove(&key);
                }
                if self.cards.get(&key).map(|own| own.0) == Some(*id) {
                    self.cards.remove(&key);
                }
            }
        }
    }
}
