//! The books: a tenant's state across aggregates, folded from all its events. Decisions look here and nowhere else.
//! All maps are persistent, so that a lane can keep a version while it decides on the next.

pub mod account;
pub mod activity;
pub mod debit;
pub mod entry;
mod fold;
mod guard;
pub mod invariants;
mod period;

use crate::{
    ids::{CurrencyId, CustomerId, DebitId, MunicipalityId, PartyId, PaymentGroupId, ProvinceId, RemittanceId},
    money::{Amount, CurrencyCode},
    nomenclator::{
        currency::Currency,
        payment_group::PaymentGroup,
        place::{Municipality, PlaceSettings},
    },
    party::{Party, Role},
    remittance::Delivery,
    tenant::Tenant,
};
use account::{Account, AccountKind};
use activity::{DayFigures, DayKey, LastClosure};
use chrono_tz::Tz;
use debit::Debit;
use rpds::{HashTrieMapSync, RedBlackTreeMapSync};
use serde::{Deserialize, Serialize};

/// Changes with every change of [`Books`]' serialised shape: a snapshot of another shape is not used.
pub const BOOKS_FINGERPRINT: &str = "books/5";

/// A tenant's state across aggregates.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Books {
    tenant: Option<Tenant>,
    currencies: RedBlackTreeMapSync<CurrencyCode, Currency>,
    provinces: HashTrieMapSync<ProvinceId, bool>,
    municipalities: HashTrieMapSync<MunicipalityId, PlaceSettings>,
    groups: HashTrieMapSync<PaymentGroupId, PaymentGroup>,
    parties: HashTrieMapSync<PartyId, Party>,
    accounts: HashTrieMapSync<Account, Amount>,
    debits: HashTrieMapSync<DebitId, Debit>,
    numbers: GivenNumbers,
    open: HashTrieMapSync<RemittanceId, OpenRemittance>,
    open_by_issuer: HashTrieMapSync<CustomerId, u32>,
    days: RedBlackTreeMapSync<DayKey, DayFigures>,
    closed: HashTrieMapSync<PartyId, LastClosure>,
}

/// The last human numbers given out; 0 where none was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GivenNumbers {
    /// Of remittances (`R-000001`).
    pub remittances: u64,
    /// Of movements (`M-000001`).
    pub movements: u64,
    /// Of closures (`C-000001`).
    pub closures: u64,
}

impl GivenNumbers {
    /// The higher of both, kind by kind.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            remittances: self.remittances.max(other.remittances),
            movements: self.movements.max(other.movements),
            closures: self.closures.max(other.closures),
        }
    }
}

/// A remittance whose money is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct OpenRemittance {
    sender: CustomerId,
    recipient: CustomerId,
    seller: PartyId,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agency: Option<PartyId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    agent: Option<PartyId>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    delivery_man: Option<PartyId>,
}

impl Books {
    /// The tenant, once opened.
    #[must_use]
    pub const fn tenant(&self) -> Option<&Tenant> {
        self.tenant.as_ref()
    }

    /// The tenant's time zone.
    #[must_use]
    pub fn zone(&self) -> Tz {
        self.tenant
            .as_ref()
            .map_or(crate::tenant::DEFAULT_ZONE, |tenant| tenant.time_zone)
    }

    /// A currency by its code.
    #[must_use]
    pub fn currency(&self, code: CurrencyCode) -> Option<&Currency> {
        self.currencies.get(&code)
    }

    /// A currency by its id.
    #[must_use]
    pub fn currency_by_id(&self, id: CurrencyId) -> Option<&Currency> {
        self.currencies.values().find(|currency| currency.id == id)
    }

    /// All currencies, by code.
    pub fn currencies(&self) -> impl Iterator<Item = &Currency> {
        self.currencies.values()
    }

    /// A payment group of the catalogue.
    #[must_use]
    pub fn group(&self, id: PaymentGroupId) -> Option<&PaymentGroup> {
        self.groups.get(&id)
    }

    /// All payment groups, in no order.
    pub fn groups(&self) -> impl Iterator<Item = &PaymentGroup> {
        self.groups.values()
    }

    /// A party.
    #[must_use]
    pub fn party(&self, id: PartyId) -> Option<&Party> {
        self.parties.get(&id)
    }

    /// All parties, in no order.
    pub fn parties(&self) -> impl Iterator<Item = &Party> {
        self.parties.values()
    }

    /// A debit, open, settled or void.
    #[must_use]
    pub fn debit(&self, id: DebitId) -> Option<&Debit> {
        self.debits.get(&id)
    }

    /// All debits, in no order.
    pub fn debits(&self) -> impl Iterator<Item = &Debit> {
        self.debits.values()
    }

    /// What a tenant set for a municipality; the defaults where it set nothing.
    #[must_use]
    pub fn municipality(&self, id: MunicipalityId) -> PlaceSettings {
        self.municipalities.get(&id).cloned().unwrap_or_default()
    }

    /// Whether a province is enabled.
    #[must_use]
    pub fn province_enabled(&self, id: ProvinceId) -> bool {
        self.provinces.get(&id).copied().unwrap_or(true)
    }

    /// An account's balance, debits less credits; 0 for one never touched.
    #[must_use]
    pub fn balance(&self, account: Account) -> Amount {
        self.accounts.get(&account).copied().unwrap_or(Amount::ZERO)
    }

    /// All accounts that were ever touched, in no order.
    pub fn accounts(&self) -> impl Iterator<Item = (Account, Amount)> + '_ {
        self.accounts.iter().map(|(account, balance)| (*account, *balance))
    }

    /// How far a prepaid balance stands below 0; 0 where it doesn't.
    #[must_use]
    pub fn owed_on(&self, balance: Account) -> Amount {
        self.balance(balance).max(Amount::ZERO)
    }

    /// The last human numbers given out.
    #[must_use]
    pub const fn numbers(&self) -> GivenNumbers {
        self.numbers
    }

    pub(crate) fn next_remittance_number(&self) -> String {
        format!("R-{:06}", self.numbers.remittances + 1)
    }

    pub(crate) fn next_movement_number(&self) -> String {
        format!("M-{:06}", self.numbers.movements + 1)
    }

    pub(crate) fn next_closure_number(&self) -> String {
        format!("C-{:06}", self.numbers.closures + 1)
    }

    pub(crate) fn uses_currency(&self, code: CurrencyCode) -> bool {
        code == CurrencyCode::USD
            || self.groups.values().any(|group| group.currency_to == code)
            || self.accounts.keys().any(|account| account.currency == code)
            || self
                .municipalities
                .values()
                .any(|place| place.distribution_fee.is_some_and(|fee| fee.currency == code))
    }

    pub(crate) fn uses_group(&self, id: PaymentGroupId) -> bool {
        self.parties.values().any(|party| party.terms.contains_key(&id))
    }

    pub(crate) fn open_remittances_of(&self, customer: CustomerId) -> u32 {
        self.open_by_issuer.get(&customer).copied().unwrap_or(0)
    }

    /// How many remittances under way are a customer's, as their sender or their recipient.
    pub(crate) fn open_remittances_with(&self, customer: CustomerId) -> usize {
        let with = |open: &&OpenRemittance| open.sender == customer || open.recipient == customer;
        self.open.values().filter(with).count()
    }

    /// How many remittances under way a party sold, or has a part in as its agency or agent.
    pub(crate) fn open_remittances_sold_by(&self, party: PartyId) -> usize {
        let by = |open: &&OpenRemittance| open.seller == party || [open.agency, open.agent].contains(&Some(party));
        self.open.values().filter(by).count()
    }

    /// Whether a dealer or delivery man has remittances to deliver.
    pub(crate) fn delivers_open_remittances(&self, party: PartyId) -> bool {
        match self.party(party).map(|party| party.role) {
            Some(Role::Dealer) => self.currencies.keys().any(|code| {
                !self
                    .balance(Account::of(AccountKind::RemittancesShipping, party, *code))
                    .is_zero()
            }),
            _ => self.open.values().any(|open| open.delivery_man == Some(party)),
        }
    }

    pub(crate) fn delivers_to(&self, place: &Municipality) -> bool {
        self.municipality(place.id).enabled && self.province_enabled(place.province)
    }

    /// The fee for a delivery: the municipality's where it is set in the payout's currency, else the currency's.
    #[must_use]
    pub fn distribution_fee(&self, delivery: Delivery, currency: CurrencyCode) -> Amount {
        let of_place = match delivery {
            Delivery::Home { municipality, .. } => self.municipality(municipality).distribution_fee,
            Delivery::Card { .. } => None,
        };
        match of_place.filter(|fee| fee.currency == currency) {
            Some(fee) => fee.amount,
            None => self
                .currency(currency)
                .map_or(Amount::ZERO, |currency| currency.distribution_rate),
        }
    }
}
