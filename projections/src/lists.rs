//! Registry of all lists. Each is declared in its own module: columns, sorts, filters, search and tallies.

pub use crate::list::{Declared, Filter, Known, List, SearchSpec, Takes};
pub use crate::{
    accounting::{
        CLOSURE_PREVIEWS, DAILY_CREDIT, DEALER_CLOSINGS, DEALER_SALES, PARTY_BALANCES, REAL_BALANCES, SALES,
        SELLER_REMITTANCES, cash_lines, delivery_lines, holding_lines,
    },
    api_key::API_KEYS,
    audit::EVENTS,
    closure::CLOSURES,
    customer::{CARDS, EXPIRING_DOCUMENTS, RECIPIENTS, SENDERS},
    debit::DEBITS,
    late::LATE_CHANGES,
    ledger::{BALANCES, ENTRIES, entry_lines},
    movement::{ASSIGNMENTS, MOVEMENTS},
    party::{
        agency::AGENCIES,
        agent::AGENTS,
        dealer::{DEALER_DIRECTORY, DEALER_LIST_REPORT, DEALERS},
        user::USERS,
    },
    proposal::PROPOSALS,
    rates::{RATE_CHANGES, rate_change_lines},
    reading::READINGS,
    reference_data::{currency::CURRENCIES, payment_group::PAYMENT_GROUPS},
    remittance::{DISPATCH, DISPUTES, HISTORY, REMITTANCES},
    screening::SCREENING_CASES,
    webhook::WEBHOOKS,
};
