//! Rows of the read models: one declaration a table, beside `migrations/schema/read.sql`.

mod accounting;
mod api_key;
mod changes;
mod closure;
mod currency;
mod customer;
mod debit;
mod ledger;
mod movement;
mod party;
mod payment_group;
mod place;
mod proposal;
mod rates;
mod remittance;
mod screening;
mod tenant;
mod webhook;

pub(crate) use accounting::{DayRow, SaleLineRow, SalesRow};
pub(crate) use api_key::ApiKeyRow;
pub(crate) use changes::ChangeRow;
pub(crate) use closure::ClosureRow;
pub(crate) use currency::CurrencyRow;
pub(crate) use customer::{CardRow, CustomerRow};
pub(crate) use debit::{DebitRow, PaymentRow};
pub(crate) use ledger::{AccountRow, EntryRow, FlowRow, LineRow};
pub(crate) use movement::MovementRow;
pub(crate) use party::{PartyRow, TermsRow};
pub(crate) use payment_group::PaymentGroupRow;
pub(crate) use place::{MunicipalityRow, ProvinceRow};
pub(crate) use proposal::ProposalRow;
pub(crate) use rates::RateChangeRow;
pub(crate) use remittance::{DisputeRow, HistoryRow, HoldRow, RemittanceRow};
pub(crate) use screening::{CaseCandidate, CaseDecision, ScreeningCaseRow};
pub(crate) use tenant::TenantRow;
pub(crate) use webhook::WebhookRow;
