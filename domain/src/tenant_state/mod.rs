//! State of a tenant across aggregates, folded from all its events. Decisions read no other state. All maps are
//! persistent (structural sharing), so that a writer keeps an older version while it decides on the next.

pub mod account;
pub mod activity;
pub mod entry;
mod fold;
mod guard;
pub mod invariants;
pub mod obligation;
mod period;

use crate::{
    api_key::ApiKey,
    approval::{ApprovalKind, ApprovalRule, Proposal},
    customer::{OwnList, ScreeningRule},
    ids::{
        ApiKeyId, ApprovalRuleId, CurrencyId, CustomerId, MunicipalityId, ObligationId, PartyId, PaymentGroupId,
        PermissionSetId, ProposalId, ProvinceId, RemittanceId, SecondFactorId, WebhookId,
    },
    limits::LimitState,
    map::Map,
    money::{Amount, CurrencyCode},
    office::{OfficeAccess, PermissionSet},
    party::{Party, Role},
    reference_data::{
        currency::Currency,
        payment_group::PaymentGroup,
        place::{Municipality, PlaceSettings},
    },
    remittance::Delivery,
    tenant::{PasswordPolicy, SecondFactorRule, SignOnProvider, Tenant},
    webhook::Webhook,
};
use account::{Account, AccountKind};
use activity::{DayFigures, DayKey, LastClosure};
use chrono::{DateTime, Utc};
use chrono_tz::Tz;
use obligation::Obligation;
use rpds::RedBlackTreeMapSync;
use serde::{Deserialize, Serialize};

/// Version of [`TenantState`]' serialised shape. Change it whenever the shape or its encoding changes: state snapshots with another
/// fingerprint are discarded.
pub const STATE_FINGERPRINT: &str = "books/15";

/// A tenant's state across aggregates: ledger, parties, customers, reference data.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TenantState {
    tenant: Option<Tenant>,
    currencies: RedBlackTreeMapSync<CurrencyCode, Currency>,
    provinces: Map<ProvinceId, bool>,
    municipalities: Map<MunicipalityId, PlaceSettings>,
    groups: Map<PaymentGroupId, PaymentGroup>,
    parties: Map<PartyId, Party>,
    accounts: Map<Account, Amount>,
    #[serde(rename = "debits")]
    obligations: Map<ObligationId, Obligation>,
    numbers: GivenNumbers,
    open: Map<RemittanceId, OpenRemittance>,
    open_by_issuer: Map<CustomerId, u32>,
    days: RedBlackTreeMapSync<DayKey, DayFigures>,
    closed: Map<PartyId, LastClosure>,
    api_keys: Map<ApiKeyId, ApiKey>,
    /// Keys by the digest of each secret that they ever had.
    api_key_digests: Map<String, ApiKeyId>,
    webhooks: Map<WebhookId, Webhook>,
    /// Authenticator app in force of each party that has one.
    second_factors: Map<PartyId, SecondFactorId>,
    /// Passkeys in force of each party that has any, in the order in which they were added.
    passkeys: Map<PartyId, Vec<SecondFactorId>>,
    second_factor_rule: SecondFactorRule,
    password_policy: PasswordPolicy,
    sign_on: Option<SignOnProvider>,
    screening_rule: ScreeningRule,
    /// Own lists by name.
    own_lists: RedBlackTreeMapSync<String, OwnList>,
    approval_rules: RedBlackTreeMapSync<ApprovalRuleId, ApprovalRule>,
    /// Waiting proposals. Expired ones leave with the next proposal, those of persons by an event.
    proposals: Map<ProposalId, Proposal>,
    permission_sets: Map<PermissionSetId, PermissionSet>,
    /// Access of each manager who is not a full one.
    office: Map<PartyId, OfficeAccess>,
    limits: LimitState,
}

/// Highest human numbers issued per kind; 0 before the first.
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
    /// Maximum per kind.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self {
            remittances: self.remittances.max(other.remittances),
            movements: self.movements.max(other.movements),
            closures: self.closures.max(other.closures),
        }
    }
}

/// A remittance that is neither completed nor canceled, as the state keeps it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct OpenRemittance {
    sold_at: DateTime<Utc>,
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

impl TenantState {
    /// `None` before the tenant's first event.
    #[must_use]
    pub const fn tenant(&self) -> Option<&Tenant> {
        self.tenant.as_ref()
    }

    #[must_use]
    pub fn zone(&self) -> Tz {
        self.tenant
            .as_ref()
            .map_or(crate::tenant::DEFAULT_ZONE, |tenant| tenant.time_zone)
    }

    #[must_use]
    pub fn currency(&self, code: CurrencyCode) -> Option<&Currency> {
        self.currencies.get(&code)
    }

    #[must_use]
    pub fn currency_by_id(&self, id: CurrencyId) -> Option<&Currency> {
        self.currencies.values().find(|currency| currency.id == id)
    }

    pub fn currencies(&self) -> impl Iterator<Item = &Currency> {
        self.currencies.values()
    }

    #[must_use]
    pub fn group(&self, id: PaymentGroupId) -> Option<&PaymentGroup> {
        self.groups.get(&id)
    }

    /// In no order.
    pub fn groups(&self) -> impl Iterator<Item = &PaymentGroup> {
        self.groups.values()
    }

    #[must_use]
    pub fn party(&self, id: PartyId) -> Option<&Party> {
        self.parties.get(&id)
    }

    /// In no order.
    pub fn parties(&self) -> impl Iterator<Item = &Party> {
        self.parties.values()
    }

    #[must_use]
    pub fn obligation(&self, id: ObligationId) -> Option<&Obligation> {
        self.obligations.get(&id)
    }

    /// In no order.
    pub fn obligations(&self) -> impl Iterator<Item = &Obligation> {
        self.obligations.values()
    }

    /// Keys, revoked and expired ones included, in no order.
    pub fn api_keys(&self) -> impl Iterator<Item = &ApiKey> {
        self.api_keys.values()
    }

    #[must_use]
    pub fn api_key(&self, id: ApiKeyId) -> Option<&ApiKey> {
        self.api_keys.get(&id)
    }

    /// The key that has, or had, the secret with this digest.
    #[must_use]
    pub fn api_key_by_digest(&self, digest: &str) -> Option<&ApiKey> {
        self.api_key(*self.api_key_digests.get(digest)?)
    }

    /// Endpoints of webhooks, removed ones included, in no order.
    pub fn webhooks(&self) -> impl Iterator<Item = &Webhook> {
        self.webhooks.values()
    }

    #[must_use]
    pub fn webhook(&self, id: WebhookId) -> Option<&Webhook> {
        self.webhooks.get(&id)
    }

    /// The party's authenticator app in force.
    #[must_use]
    pub fn second_factor(&self, party: PartyId) -> Option<SecondFactorId> {
        self.second_factors.get(&party).copied()
    }

    /// The party's passkeys in force.
    #[must_use]
    pub fn passkeys(&self, party: PartyId) -> &[SecondFactorId] {
        self.passkeys.get(&party).map_or(&[], Vec::as_slice)
    }

    /// All second factors of the party in force: authenticator app, then passkeys.
    #[must_use]
    pub fn second_factors(&self, party: PartyId) -> Vec<SecondFactorId> {
        let app = self.second_factor(party).into_iter();
        app.chain(self.passkeys(party).iter().copied()).collect()
    }

    /// Roles that need a second factor; none unless the tenant sets some.
    #[must_use]
    pub const fn second_factor_rule(&self) -> &SecondFactorRule {
        &self.second_factor_rule
    }

    /// Provider of single sign-on, if the tenant has one.
    #[must_use]
    pub const fn sign_on(&self) -> Option<&SignOnProvider> {
        self.sign_on.as_ref()
    }

    /// What new passwords must be.
    #[must_use]
    pub const fn password_policy(&self) -> PasswordPolicy {
        self.password_policy
    }

    /// Lists that customers are screened against; none unless the tenant sets some.
    #[must_use]
    pub const fn screening_rule(&self) -> &ScreeningRule {
        &self.screening_rule
    }

    /// Own lists for screening, by name.
    pub fn own_lists(&self) -> impl Iterator<Item = &OwnList> {
        self.own_lists.values()
    }

    #[must_use]
    pub fn own_list(&self, name: &str) -> Option<&OwnList> {
        self.own_lists.get(name)
    }

    /// Rules of limits, who is which person, and what persons sent and received.
    #[must_use]
    pub const fn limits(&self) -> &LimitState {
        &self.limits
    }

    /// Whether sales ask for more of their customers than their ids: rules of limits or lists for screening.
    #[must_use]
    pub fn checks_customers(&self) -> bool {
        self.limits.has_rules() || !self.screening_rule.lists.is_empty()
    }

    /// Whether the party's role needs a second factor that the party does not have.
    #[must_use]
    pub fn must_enrol_second_factor(&self, party: &Party) -> bool {
        self.second_factor_rule.roles.contains(&party.role) && self.second_factors(party.id).is_empty()
    }

    /// Rules of approvals.
    pub fn approval_rules(&self) -> impl Iterator<Item = &ApprovalRule> {
        self.approval_rules.values()
    }

    /// Whether a rule of approvals covers what a maker does with the logins of others.
    #[must_use]
    pub fn approves_logins_by(&self, maker: Role) -> bool {
        let mut rules = self.approval_rules();
        rules.any(|rule| rule.kind == ApprovalKind::User && rule.makers.contains(&maker))
    }

    #[must_use]
    pub fn approval_rule(&self, id: ApprovalRuleId) -> Option<&ApprovalRule> {
        self.approval_rules.get(&id)
    }

    /// The state with one rule of approvals in place of all.
    pub(crate) fn with_only_rule(&self, rule: &ApprovalRule) -> Self {
        let mut state = self.clone();
        state.approval_rules = RedBlackTreeMapSync::default();
        state.approval_rules.insert_mut(rule.id, rule.clone());
        state
    }

    /// Takes a party's office access away, for a replay of the party's events.
    pub(crate) fn reset_office_access(&mut self, party: PartyId) {
        self.office.remove_mut(&party);
    }

    /// Takes the tenant's own permission sets away, for a replay of the tenant's events.
    pub(crate) fn reset_permission_sets(&mut self) {
        self.permission_sets = Map::default();
    }

    /// Gives a municipality its defaults, for a replay of its events.
    pub(crate) fn reset_municipality(&mut self, id: MunicipalityId) {
        self.municipalities.remove_mut(&id);
    }

    /// A proposal that is not decided; it may be expired.
    #[must_use]
    pub fn proposal(&self, id: ProposalId) -> Option<&Proposal> {
        self.proposals.get(&id)
    }

    /// Proposals that can be approved at a time, in no order.
    pub fn waiting(&self, now: DateTime<Utc>) -> impl Iterator<Item = &Proposal> {
        self.proposals
            .values()
            .filter(move |proposal| now < proposal.expires_at)
    }

    /// When an open remittance was sold; `None` for others.
    #[must_use]
    pub fn sold_at(&self, remittance: RemittanceId) -> Option<DateTime<Utc>> {
        self.open.get(&remittance).map(|open| open.sold_at)
    }

    /// The tenant's own permission sets, in no order.
    pub fn permission_sets(&self) -> impl Iterator<Item = &PermissionSet> {
        self.permission_sets.values()
    }

    #[must_use]
    pub fn permission_set(&self, id: PermissionSetId) -> Option<&PermissionSet> {
        self.permission_sets.get(&id)
    }

    /// What narrows a party of the office; full for everybody else, whom the role alone narrows.
    #[must_use]
    pub fn office_access(&self, party: PartyId) -> OfficeAccess {
        self.office.get(&party).copied().unwrap_or_default()
    }

    /// Settings of a municipality, or the defaults when the tenant set none.
    #[must_use]
    pub fn municipality(&self, id: MunicipalityId) -> PlaceSettings {
        self.municipalities.get(&id).cloned().unwrap_or_default()
    }

    #[must_use]
    pub fn province_enabled(&self, id: ProvinceId) -> bool {
        self.provinces.get(&id).copied().unwrap_or(true)
    }

    /// Debits less credits; 0 for an account without postings.
    #[must_use]
    pub fn balance(&self, account: Account) -> Amount {
        self.accounts.get(&account).copied().unwrap_or(Amount::ZERO)
    }

    /// Accounts with at least one posting, in no order.
    pub fn accounts(&self) -> impl Iterator<Item = (Account, Amount)> + '_ {
        self.accounts.iter().map(|(account, balance)| (*account, *balance))
    }

    /// Whether an account has an entry, also one that was reversed.
    #[must_use]
    pub fn is_posted(&self, account: Account) -> bool {
        self.accounts.contains_key(&account)
    }

    /// How far a prepaid balance is below 0; 0 when it is not.
    #[must_use]
    pub fn owed_on(&self, balance: Account) -> Amount {
        self.balance(balance).max(Amount::ZERO)
    }

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

    /// Number of open remittances.
    #[must_use]
    pub fn open_remittances(&self) -> usize {
        self.open.size()
    }

    /// Number of open remittances whose sender or recipient is this customer.
    pub(crate) fn open_remittances_with(&self, customer: CustomerId) -> usize {
        let with = |open: &&OpenRemittance| open.sender == customer || open.recipient == customer;
        self.open.values().filter(with).count()
    }

    /// Number of open remittances that this party sold or takes part in as agency or agent.
    pub(crate) fn open_remittances_sold_by(&self, party: PartyId) -> usize {
        let by = |open: &&OpenRemittance| open.seller == party || [open.agency, open.agent].contains(&Some(party));
        self.open.values().filter(by).count()
    }

    /// Whether a dealer or delivery man carries open remittances.
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

    /// Delivery fee: the municipality's when set in the payout's currency, otherwise the currency's distribution rate.
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
