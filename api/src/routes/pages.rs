//! Pages of each sort, by a plain name: the OpenAPI document then refers to the rows' schema rather than repeating it.

use caudal_projections::{
    closure::Closure,
    customer::{Card, Customer},
    debit::Debit,
    ledger::{AccountBalance, LedgerEntry},
    movement::Movement,
    nomenclator::{currency::Currency, payment_group::PaymentGroup},
    page::Page,
    party::{
        agency::Agency,
        agent::Agent,
        dealer::{Dealer, DirectoryDealer},
    },
    remittance::{Remittance, RemittanceHistoryItem},
};

/// A page of accounts with their balances.
pub(super) type AccountBalancePage = Page<AccountBalance>;
/// A page of agencies.
pub(super) type AgencyPage = Page<Agency>;
/// A page of agents.
pub(super) type AgentPage = Page<Agent>;
/// A page of cards.
pub(super) type CardPage = Page<Card>;
/// A page of closures.
pub(super) type ClosurePage = Page<Closure>;
/// A page of currencies.
pub(super) type CurrencyPage = Page<Currency>;
/// A page of senders or recipients.
pub(super) type CustomerPage = Page<Customer>;
/// A page of dealers and delivery men.
pub(super) type DealerPage = Page<Dealer>;
/// A page of debits.
pub(super) type DebitPage = Page<Debit>;
/// A page of dealers' names.
pub(super) type DirectoryDealerPage = Page<DirectoryDealer>;
/// A page of the journal.
pub(super) type LedgerEntryPage = Page<LedgerEntry>;
/// A page of movements.
pub(super) type MovementPage = Page<Movement>;
/// A page of payment groups.
pub(super) type PaymentGroupPage = Page<PaymentGroup>;
/// A page of a remittance's history.
pub(super) type RemittanceHistoryItemPage = Page<RemittanceHistoryItem>;
/// A page of remittances.
pub(super) type RemittancePage = Page<Remittance>;
