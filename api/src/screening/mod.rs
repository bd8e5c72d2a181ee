//! Screening of customers against lists: outside of the decision, which sees whether a customer is in review.
//!
//! | When | What |
//! |---|---|
//! | at a sale, or another recipient of one | sender and recipient are screened before the command; what changed is recorded first |
//! | at a registration or change | the customer, after the command |
//! | a list, a threshold or a rule changed | everybody, by `screened::job` |
//!
//! A tenant without a rule pays a look at its own state.
//!
//! | Module | Responsibility |
//! |---|---|
//! | `catalogue` | the lists of the installation and those that a tenant has chosen, in a node's memory |
//! | `indexes` | what is searched in, built from a list's entries |
//! | `search` | a tenant's lists searched for a customer |
//! | `subject` | who is compared for a customer, and with which data |
//! | [`own`] | files of a tenant's own lists |
//! | [`store`] | lists and runs in the database |

mod catalogue;
mod indexes;
pub mod own;
mod search;
pub mod store;
mod subject;

pub use catalogue::{Chosen, ListFreshness, Screening, named};
pub use search::{Explained, Lists, ScratchPool, Scratches};

use crate::problem::ApiError;
use caudal_domain::{Command, customer::CustomerCommand, ids::CustomerId, remittance::RemittanceCommand};
use caudal_journal::{SubmitError, WithCauses};
use caudal_projections::ReadError;
use store::StoreError;

#[derive(Debug, thiserror::Error)]
pub enum ScreeningError {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error(transparent)]
    Submit(#[from] SubmitError),
    #[error(transparent)]
    Journal(#[from] caudal_journal::JournalError),
    #[error("the screening was interrupted")]
    Interrupted,
    #[error("the customer is changed all the time")]
    Contention,
    #[error("the entries of the list {0} are not stored here, and it is chosen: load it again, or stop using it")]
    ListMissing(String),
}

impl From<ScreeningError> for ApiError {
    fn from(error: ScreeningError) -> Self {
        match error {
            ScreeningError::Read(error) => error.into(),
            ScreeningError::Submit(error) => error.into(),
            error => {
                tracing::warn!(error = %WithCauses(&error), "a screening failed; what needed it is refused");
                if matches!(error, ScreeningError::ListMissing(_)) {
                    Self::unavailable("screening_list_missing")
                } else {
                    Self::unavailable("unavailable")
                }
            }
        }
    }
}

/// Customers that a command names to sell from or to: screened before it, as those of an edited amount are
/// ([`crate::limits::customers_of`]).
pub fn of_sale(command: &Command) -> Vec<CustomerId> {
    match command {
        Command::Remittance(_, RemittanceCommand::Create(sale)) => vec![sale.sender, sale.recipient],
        Command::Remittance(_, RemittanceCommand::EditDetails(edit)) => vec![edit.recipient],
        _ => Vec::new(),
    }
}

/// The customer whose data a command changes: screened after it.
pub const fn of_change(command: &Command) -> Option<CustomerId> {
    match command {
        Command::Customer(id, CustomerCommand::Register(_) | CustomerCommand::Change(_)) => Some(*id),
        _ => None,
    }
}
