//! The fold: how each event changes the tenant's state.

use super::{
    OpenRemittance, TenantState,
    account::Account,
    activity::{self, DayFigures, DayKey, LastClosure},
    entry::Entry,
    obligation::{Obligation, ObligationPayment, OpenedObligation},
};
use crate::{
    api_key::{ApiKey, ApiKeyEvent},
    approval::{Proposal, ProposalEvent},
    closure::{Closure, ClosureEvent},
    customer::CustomerEvent,
    event::Event,
    ids::{CustomerId, PartyId, PaymentGroupId},
    money::Amount,
    movement::{MovementEvent, MovementReversed},
    office::OfficeAccess,
    party::{Party, PartyEvent},
    reference_data::{currency::CurrencyEvent, payment_group::PaymentGroupEvent, place::PlaceEvent},
    remittance::RemittanceEvent,
    tenant::TenantEvent,
    webhook::{Webhook, WebhookEvent},
};
use chrono::{DateTime, NaiveDate, Utc};

impl TenantState {
    /// Applies an event recorded at `at`.
    pub fn apply(&mut self, event: &Event, at: DateTime<Utc>) {
        if let Some(entry) = event.entry() {
            self.post(entry);
        }
        if let Some(person) = event.erases() {
            self.retain_proposals(|proposal| proposal.subject != person);
        }
        let day = at.with_timezone(&self.zone()).date_naive();
        match event {
            Event::Tenant(TenantEvent::TenantOpened(tenant)) => self.tenant = Some(tenant.clone()),
            Event::Tenant(TenantEvent::LimitRuleSet(rule)) => self.limits.set_rule(rule.clone()),
            Event::Tenant(TenantEvent::LimitRuleRemoved { id }) => self.limits.remove_rule(*id),
            Event::Tenant(TenantEvent::HistoryAccepted(accepted)) => {
                self.numbers = self.numbers.max(accepted.numbers);
            }
            Event::Tenant(TenantEvent::SecondFactorRequired(rule)) => self.second_factor_rule = rule.clone(),
            Event::Tenant(TenantEvent::PasswordPolicySet { policy }) => self.password_policy = *policy,
            Event::Tenant(TenantEvent::SignOnSet(provider)) => self.sign_on = Some(provider.clone()),
            Event::Tenant(TenantEvent::SignOnRemoved { .. }) => self.sign_on = None,
            Event::Tenant(TenantEvent::ScreeningSet(rule)) => self.screening_rule = rule.clone(),
            Event::Tenant(TenantEvent::OwnListLoaded(list)) => {
                self.own_lists.insert_mut(list.name.clone(), list.clone());
            }
            Event::Tenant(TenantEvent::OwnListRemoved { name }) => {
                self.own_lists.remove_mut(name);
            }
            Event::Tenant(TenantEvent::ApprovalRuleSet(rule)) => self.approval_rules.insert_mut(rule.id, rule.clone()),
            Event::Tenant(TenantEvent::ApprovalRuleRemoved { id }) => {
                self.approval_rules.remove_mut(id);
            }
            Event::Tenant(TenantEvent::PermissionSetDefined(set)) => {
                self.permission_sets.insert_mut(set.id, set.clone());
            }
            Event::Tenant(TenantEvent::PermissionSetRemoved { id }) => {
                self.permission_sets.remove_mut(id);
            }
            Event::Currency(event) => self.apply_currency(event),
            Event::Place(PlaceEvent::ProvinceChanged { id, enabled }) => self.provinces.insert_mut(*id, *enabled),
            Event::Place(PlaceEvent::MunicipalityChanged { id, settings }) => {
                self.municipalities.insert_mut(*id, settings.clone())
            }
            Event::PaymentGroup(event) => self.apply_group(event),
            Event::Party(event) => self.apply_party(event),
            // A rate change takes effect through the events of the currencies, groups and parties that it writes.
            Event::Rates(_) => {}
            Event::Customer(CustomerEvent::PersonIdentified(identified)) => self.limits.identify(identified),
            Event::Customer(CustomerEvent::PersonForgotten { id, .. }) => self.limits.erase(*id),
            Event::Customer(_) => {}
            Event::ApiKey(event) => self.apply_api_key(event),
            Event::Webhook(event) => self.apply_webhook(event),
            Event::Proposal(event) => self.apply_proposal(event, at),
            Event::Remittance(event) => self.apply_remittance(event, day, at),
            Event::Movement(event) => self.apply_movement(event, day, at),
            Event::Closure(ClosureEvent::PeriodClosed(closure)) => self.apply_closure(closure, day, at),
        }
    }

    fn post(&mut self, entry: &Entry) {
        for transfer in &entry.transfers {
            self.add(transfer.debit, transfer.amount);
            self.add(transfer.credit, -transfer.amount);
        }
    }

    fn add(&mut self, account: Account, amount: Amount) {
        match self.accounts.get_mut(&account) {
            Some(balance) => *balance += amount,
            None => self.accounts.insert_mut(account, amount),
        }
    }

    fn apply_currency(&mut self, event: &CurrencyEvent) {
        match event {
            CurrencyEvent::CurrencyAdded(currency) | CurrencyEvent::CurrencyChanged(currency) => {
                self.currencies.insert_mut(currency.code, currency.clone());
            }
            CurrencyEvent::CurrencyRemoved { code, .. } => {
                self.currencies.remove_mut(code);
            }
        }
    }

    fn apply_group(&mut self, event: &PaymentGroupEvent) {
        match event {
            PaymentGroupEvent::PaymentGroupCreated(group) | PaymentGroupEvent::PaymentGroupChanged(group) => {
                self.groups.insert_mut(group.id, group.clone());
            }
            PaymentGroupEvent::PaymentGroupRemoved { id } => {
                self.groups.remove_mut(id);
            }
        }
    }

    fn apply_party(&mut self, event: &PartyEvent) {
        let id = match event {
            PartyEvent::PartyRegistered(registered) => registered.party.id,
            PartyEvent::PartyChanged(changed) => changed.id,
            PartyEvent::TermsSet { id, .. }
            | PartyEvent::PartyDeactivated { id }
            | PartyEvent::PersonForgotten { id, .. }
            | PartyEvent::SecondFactorEnrolled { id, .. }
            | PartyEvent::SecondFactorRemoved { id, .. }
            | PartyEvent::RecoveryCodeUsed { id, .. }
            | PartyEvent::PasskeyAdded { id, .. }
            | PartyEvent::PasskeyRemoved { id, .. }
            | PartyEvent::PasskeyRefused { id, .. }
            | PartyEvent::OfficeAccessSet { id, .. } => *id,
        };
        match event {
            PartyEvent::SecondFactorEnrolled { factor, .. } => self.second_factors.insert_mut(id, *factor),
            PartyEvent::SecondFactorRemoved { .. } => {
                self.second_factors.remove_mut(&id);
            }
            PartyEvent::PersonForgotten { .. } => {
                self.second_factors.remove_mut(&id);
                self.passkeys.remove_mut(&id);
            }
            PartyEvent::PasskeyAdded { factor, .. } => {
                let mut passkeys = self.passkeys(id).to_vec();
                passkeys.push(*factor);
                self.passkeys.insert_mut(id, passkeys);
            }
            PartyEvent::PasskeyRemoved { factor, .. } => {
                let mut passkeys = self.passkeys(id).to_vec();
                passkeys.retain(|passkey| passkey != factor);
                if passkeys.is_empty() {
                    self.passkeys.remove_mut(&id);
                } else {
                    self.passkeys.insert_mut(id, passkeys);
                }
            }
            PartyEvent::OfficeAccessSet { access, .. } if *access == OfficeAccess::FULL => {
                self.office.remove_mut(&id);
            }
            PartyEvent::OfficeAccessSet { access, .. } => self.office.insert_mut(id, *access),
            _ => {}
        }
        if let Some(party) = Party::fold(self.parties.get(&id).cloned(), event) {
            self.parties.insert_mut(id, party);
        }
    }

    fn apply_api_key(&mut self, event: &ApiKeyEvent) {
        let (id, secret) = match event {
            ApiKeyEvent::ApiKeyIssued(issued) => (issued.id, Some(&issued.secret)),
            ApiKeyEvent::ApiKeyRotated(rotated) => (rotated.id, Some(&rotated.secret)),
            ApiKeyEvent::ApiKeyRevoked { id, .. } => (*id, None),
        };
        if let Some(secret) = secret {
            self.api_key_digests.insert_mut(secret.digest.clone(), id);
        }
        if let Some(key) = ApiKey::fold(self.api_keys.get(&id).cloned(), event) {
            self.api_keys.insert_mut(id, key);
        }
    }

    fn apply_webhook(&mut self, event: &WebhookEvent) {
        let id = match event {
            WebhookEvent::WebhookAdded(added) => added.id,
            WebhookEvent::WebhookChanged(changed) => changed.id,
            WebhookEvent::WebhookSecretRotated { id, .. }
            | WebhookEvent::WebhookPaused { id, .. }
            | WebhookEvent::WebhookResumed { id, .. }
            | WebhookEvent::WebhookReplayed { id, .. }
            | WebhookEvent::WebhookRemoved { id, .. } => *id,
        };
        if let Some(webhook) = Webhook::fold(self.webhooks.get(&id).cloned(), event) {
            self.webhooks.insert_mut(id, webhook);
        }
    }

    fn apply_proposal(&mut self, event: &ProposalEvent, at: DateTime<Utc>) {
        match event {
            ProposalEvent::CommandProposed(proposed) => {
                // Those of persons end by an event.
                self.retain_proposals(|proposal| at < proposal.expires_at || proposal.person.is_some());
                self.proposals.insert_mut(proposed.id, Proposal::of(proposed));
            }
            ProposalEvent::ProposalApproved(_)
            | ProposalEvent::ProposalRejected(_)
            | ProposalEvent::ProposalWithdrawn { .. }
            | ProposalEvent::ProposedPersonForgotten { .. } => {
                self.proposals.remove_mut(&event.id());
            }
        }
    }

    fn retain_proposals(&mut self, keeps: impl Fn(&Proposal) -> bool) {
        let ended: Vec<_> = self.proposals.values().filter(|proposal| !keeps(proposal)).collect();
        let ended: Vec<_> = ended.into_iter().map(|proposal| proposal.id).collect();
        for id in ended {
            self.proposals.remove_mut(&id);
        }
    }

    fn apply_remittance(&mut self, event: &RemittanceEvent, day: NaiveDate, at: DateTime<Utc>) {
        self.limits.apply(event, day);
        if let Some(entry) = event.entry() {
            self.record_activity(entry, day);
        }
        activity::add_remittance(event, &mut |party, group, change| {
            self.change_day(party, day, group, change)
        });
        match event {
            RemittanceEvent::RemittanceCreated(created) => {
                self.numbers.remittances += 1;
                let sender = created.sale.sender;
                let open = OpenRemittance {
                    sold_at: at,
                    sender,
                    recipient: created.sale.recipient,
                    seller: created.sale.seller,
                    agency: created.sale.agency,
                    agent: created.sale.agent,
                    delivery_man: None,
                };
                self.open.insert_mut(created.id, open);
                self.count_open(sender, 1);
            }
            // An edit does not take the remittance from its delivery man: marking the error already did.
            RemittanceEvent::RemittanceAmountEdited(_) => {}
            RemittanceEvent::RemittanceDetailsEdited(edited) => {
                if let Some(open) = self.open.get_mut(&edited.id) {
                    open.recipient = edited.recipient;
                }
            }
            RemittanceEvent::RemittanceAssigned(assigned) => self.hand_to(assigned.id, assigned.delivery_man),
            RemittanceEvent::RemittanceFailed(failed) => self.hand_to(failed.id, None),
            RemittanceEvent::RemittanceCanceled(canceled) => self.close_remittance(canceled.id),
            RemittanceEvent::RemittanceCompleted(completed) => self.close_remittance(completed.id),
            RemittanceEvent::DeliveryAttempted(_)
            | RemittanceEvent::DeliveryDisputed(_)
            | RemittanceEvent::DeliveryDisputeSettled(_)
            | RemittanceEvent::RemittanceHeld(_)
            | RemittanceEvent::HoldReleased(_)
            | RemittanceEvent::HoldKept(_)
            | RemittanceEvent::HeldRemittanceDelivered(_)
            | RemittanceEvent::HoldBreachSettled(_)
            | RemittanceEvent::SaleDeclared(_) => {}
        }
    }

    fn hand_to(&mut self, id: crate::ids::RemittanceId, delivery_man: Option<PartyId>) {
        if let Some(open) = self.open.get_mut(&id) {
            open.delivery_man = delivery_man;
        }
    }

    fn close_remittance(&mut self, id: crate::ids::RemittanceId) {
        if let Some(open) = self.open.get(&id).copied() {
            self.count_open(open.sender, -1);
            self.open.remove_mut(&id);
        }
    }

    fn count_open(&mut self, customer: CustomerId, change: i32) {
        match self.open_remittances_of(customer).saturating_add_signed(change) {
            0 => {
                self.open_by_issuer.remove_mut(&customer);
            }
            count => self.open_by_issuer.insert_mut(customer, count),
        }
    }

    fn apply_movement(&mut self, event: &MovementEvent, day: NaiveDate, at: DateTime<Utc>) {
        match event {
            MovementEvent::MovementPosted(posted) | MovementEvent::OpeningBalancePosted(posted) => {
                self.numbers.movements += 1;
                self.record_activity(&posted.movement.entry, day);
                if let Some(opened) = &posted.movement.debit {
                    self.open_obligation(opened, day, at);
                }
                self.pay(&posted.movement.payments, day, 1);
            }
            MovementEvent::MovementReversed(reversed) => self.apply_reversal(reversed, day),
        }
    }

    fn apply_reversal(&mut self, reversed: &MovementReversed, day: NaiveDate) {
        self.record_activity(&reversed.entry, day);
        let voided = reversed
            .voided_debit
            .and_then(|id| self.obligations.get_mut(&id))
            .map(|debit| {
                debit.void = true;
                (debit.debtor, debit.amount)
            });
        if let Some((debtor, amount)) = voided {
            self.change_day(debtor, day, None, &mut |figures| figures.debits_opened -= amount);
        }
        self.pay(&reversed.undone_payments, day, -1);
    }

    fn open_obligation(&mut self, opened: &OpenedObligation, day: NaiveDate, at: DateTime<Utc>) {
        self.obligations.insert_mut(opened.id, Obligation::open(opened, at));
        self.change_day(opened.debtor, day, None, &mut |figures| {
            figures.debits_opened += opened.amount
        });
    }

    fn pay(&mut self, payments: &[ObligationPayment], day: NaiveDate, sign: i64) {
        for payment in payments {
            let amount = if sign > 0 { payment.amount } else { -payment.amount };
            let Some(debit) = self.obligations.get_mut(&payment.debit) else {
                continue;
            };
            debit.paid += amount;
            let debtor = debit.debtor;
            self.change_day(debtor, day, None, &mut |figures| figures.debits_paid += amount);
        }
    }

    /// Removes the days that a closure covers. The obligations opened by the closure are counted in its own
    /// carried-over total, so that each belongs to one period only.
    fn apply_closure(&mut self, closure: &Closure, _day: NaiveDate, at: DateTime<Utc>) {
        self.numbers.closures += 1;
        let billed: Amount = [&closure.debit, &closure.agency_debit]
            .into_iter()
            .flatten()
            .map(|debit| debit.amount)
            .sum();
        for opened in [&closure.debit, &closure.agency_debit].into_iter().flatten() {
            self.obligations.insert_mut(opened.id, Obligation::open(opened, at));
        }
        let carried = |accrued: Amount, debit: &Option<OpenedObligation>| {
            accrued - debit.map_or(Amount::ZERO, |debit| debit.amount)
        };
        let last = LastClosure {
            cut: closure.cut,
            balances: closure
                .groups
                .iter()
                .map(|group| (group.group, group.closing))
                .collect(),
            commission: carried(closure.totals.commission_accrued, &closure.debit),
            agency_fee: carried(closure.totals.agency_fee_accrued, &closure.agency_debit),
            debits: closure.totals.debits_outstanding + billed,
        };
        self.closed.insert_mut(closure.party, last);
        for key in self.day_keys(closure.party, closure.through) {
            self.days.remove_mut(&key);
        }
    }

    fn record_activity(&mut self, entry: &Entry, day: NaiveDate) {
        activity::add_entry(entry, &mut |party, group, change| {
            self.change_day(party, day, group, change)
        });
    }

    fn change_day(
        &mut self,
        party: PartyId,
        day: NaiveDate,
        group: Option<PaymentGroupId>,
        change: &mut dyn FnMut(&mut DayFigures),
    ) {
        let key = DayKey { party, day, group };
        match self.days.get_mut(&key) {
            Some(figures) => change(figures),
            None => {
                let mut figures = DayFigures::default();
                change(&mut figures);
                self.days.insert_mut(key, figures);
            }
        }
    }
}
