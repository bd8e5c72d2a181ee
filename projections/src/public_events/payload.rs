//! Events of the log as payloads of public events. Every event type of the log has an answer here.

use super::data::*;
use crate::{
    customer::masked,
    movement::Part,
    remittance::sees_price,
    scalar::{AttemptReason, Decimal, DeliveryMethod, Money},
    scope::Scope,
};
use caudal_domain::{
    Event, Personal, TenantEvent,
    closure::{Closure, ClosureEvent},
    customer::{CustomerDetails, CustomerEvent},
    movement::{Movement, MovementEvent, MovementNote},
    party::{PartyDetails, PartyEvent},
    rates::RatesEvent,
    reference_data::{
        currency::{Currency, CurrencyEvent},
        payment_group::{PaymentGroup, PaymentGroupEvent},
        place::PlaceEvent,
    },
    remittance::{Delivery, Remittance, RemittanceDetails, RemittanceEvent, RemittanceReason},
};
use caudal_journal::Recorded;
use uuid::Uuid;

/// Payload of an event that is not a remittance's, with the caller's part of a payment on several parties' debits; `None` for one
/// that is not public.
pub(super) fn of(recorded: &Recorded, part: Option<&Part>) -> Option<PublicData> {
    Some(match &recorded.event {
        Event::Tenant(TenantEvent::HistoryAccepted(accepted)) => PublicData::LogHistoryAccepted(LogHistoryAcceptedV1 {
            position: accepted.position,
            lost_from: accepted.lost_from,
            lost_to: accepted.lost_to,
        }),
        // The opening says nothing that a caller does not know. Keys, second factors, approvals and limits are read and changed by a
        // login only; an approved command has its own events.
        Event::Tenant(
            TenantEvent::TenantOpened(_)
            | TenantEvent::ScreeningSet(_)
            | TenantEvent::OwnListLoaded(_)
            | TenantEvent::OwnListRemoved { .. }
            | TenantEvent::SecondFactorRequired(_)
            | TenantEvent::PasswordPolicySet { .. }
            | TenantEvent::SignOnSet(_)
            | TenantEvent::SignOnRemoved { .. }
            | TenantEvent::ApprovalRuleSet(_)
            | TenantEvent::ApprovalRuleRemoved { .. }
            | TenantEvent::PermissionSetDefined(_)
            | TenantEvent::PermissionSetRemoved { .. }
            | TenantEvent::LimitRuleSet(_)
            | TenantEvent::LimitRuleRemoved { .. },
        )
        | Event::Proposal(_)
        | Event::ApiKey(_)
        | Event::Webhook(_) => return None,
        Event::Remittance(_) => return None,
        Event::Currency(event) => currency(event),
        Event::Place(event) => place(event),
        Event::PaymentGroup(event) => group(event),
        Event::Party(event) => return party(event),
        Event::Customer(event) => return customer(event),
        Event::Movement(event) => movement(event, part)?,
        Event::Closure(ClosureEvent::PeriodClosed(closure)) => PublicData::ClosurePeriodClosed(closed(closure)),
        Event::Rates(event) => rates(event),
    })
}

/// Payload of a remittance's event, from the remittance after it; `None` for an event of another record.
pub(super) fn of_remittance(recorded: &Recorded, after: &Remittance, scope: &Scope) -> Option<PublicData> {
    let Event::Remittance(event) = &recorded.event else {
        return None;
    };
    let remittance = remittance(after, scope);
    Some(match event {
        RemittanceEvent::RemittanceCreated(created) => {
            let (address, notes) = details(&created.personal);
            PublicData::RemittanceCreated(RemittanceCreatedV1 {
                remittance,
                address,
                notes,
            })
        }
        RemittanceEvent::RemittanceAmountEdited(_) => {
            PublicData::RemittanceAmountEdited(RemittanceAmountEditedV1 { remittance })
        }
        RemittanceEvent::RemittanceDetailsEdited(edited) => {
            let (address, notes) = details(&edited.personal);
            PublicData::RemittanceDetailsEdited(RemittanceDetailsEditedV1 {
                remittance,
                address,
                notes,
            })
        }
        RemittanceEvent::RemittanceAssigned(_) => PublicData::RemittanceAssigned(RemittanceAssignedV1 { remittance }),
        RemittanceEvent::RemittanceFailed(failed) => PublicData::RemittanceFailed(RemittanceFailedV1 {
            remittance,
            reason: reason(&failed.personal),
        }),
        RemittanceEvent::RemittanceCanceled(canceled) => PublicData::RemittanceCanceled(RemittanceCanceledV1 {
            remittance,
            reason: reason(&canceled.personal),
        }),
        RemittanceEvent::RemittanceCompleted(completed) => PublicData::RemittanceCompleted(RemittanceCompletedV1 {
            remittance,
            delivered_by_id: completed.delivered_by.0,
            distribution_fee: completed.distribution_fee.into(),
            to_representative: completed.to_representative,
            delivered_at: completed.delivered_at.unwrap_or(recorded.recorded_at),
        }),
        RemittanceEvent::DeliveryAttempted(attempted) => {
            PublicData::RemittanceDeliveryAttempted(RemittanceDeliveryAttemptedV1 {
                remittance,
                reason: AttemptReason(attempted.reason),
                attempted_at: attempted.attempted_at.unwrap_or(recorded.recorded_at),
            })
        }
        RemittanceEvent::DeliveryDisputed(disputed) => {
            PublicData::RemittanceDeliveryDisputed(RemittanceDeliveryDisputedV1 {
                remittance,
                number: disputed.number,
                reported_by_id: disputed.reported_by.0,
                refused: disputed.refused.clone(),
            })
        }
        // Which rule or list held it is not told to sellers, whose keys read the feed; purpose and source of funds are told to
        // nobody else.
        RemittanceEvent::RemittanceHeld(_)
        | RemittanceEvent::HoldReleased(_)
        | RemittanceEvent::HoldKept(_)
        | RemittanceEvent::HeldRemittanceDelivered(_)
        | RemittanceEvent::HoldBreachSettled(_)
        | RemittanceEvent::SaleDeclared(_) => return None,
        RemittanceEvent::DeliveryDisputeSettled(settled) => {
            PublicData::RemittanceDeliveryDisputeSettled(RemittanceDeliveryDisputeSettledV1 {
                remittance,
                number: settled.number,
                reason: reason(&settled.personal),
            })
        }
    })
}

fn remittance(of: &Remittance, scope: &Scope) -> PublicRemittance {
    let (sale, quote) = (&of.sale, &of.sale.quote);
    let price = sees_price(scope);
    let money = |amount: caudal_domain::money::Amount| price.then_some(Money(amount));
    let (delivery_method, province, municipality, card) = match of.delivery {
        Delivery::Home { province, municipality } => {
            (DeliveryMethod::Home, Some(province.0), Some(municipality.0), None)
        }
        Delivery::Card { card, .. } => (DeliveryMethod::Card, None, None, Some(card.0)),
    };
    PublicRemittance {
        id: of.id.0,
        code: sale.code.clone(),
        status: of.status.into(),
        seller_id: sale.seller.0,
        agency_id: sale.agency.map(Uuid::from),
        agent_id: sale.agent.map(Uuid::from),
        sender_id: sale.sender.0,
        recipient_id: sale.recipient.0,
        payment_group_id: sale.group.0,
        amount: money(quote.amount),
        payout: quote.payout.into(),
        currency_to: quote.currency_to.into(),
        exchange_rate: price.then_some(Decimal(quote.exchange_rate)),
        manager_fee: money(quote.manager_fee),
        agency_fee: money(quote.agency_fee),
        agent_fee: money(quote.agent_fee),
        total_fee: money(quote.total_fee),
        total_to_pay: money(quote.total_to_pay),
        delivery_method,
        province_id: province,
        municipality_id: municipality,
        card_id: card,
        dealer_id: of.dealer.map(Uuid::from),
        delivery_man_id: of.delivery_man.map(Uuid::from),
        reference: sale.reference.clone(),
    }
}

/// Address and notes.
fn details(personal: &Personal<RemittanceDetails>) -> (Option<String>, Option<String>) {
    let details = personal.get();
    (
        details.and_then(|details| details.address.clone()),
        details.and_then(|details| details.notes.clone()),
    )
}

fn reason(personal: &Personal<RemittanceReason>) -> Option<String> {
    personal.get().map(|reason| reason.reason.clone())
}

fn note(personal: &Personal<MovementNote>) -> Option<String> {
    personal.get().and_then(|note| note.note.clone())
}

/// A dossier for an authority is not public: sellers read this feed too.
fn customer(event: &CustomerEvent) -> Option<PublicData> {
    Some(match event {
        CustomerEvent::CustomerRegistered(registered) => {
            let customer = &registered.customer;
            PublicData::CustomerRegistered(CustomerRegisteredV1 {
                id: customer.id.0,
                kind: customer.kind.into(),
                owner_id: customer.owner.0,
                sender_id: customer.sender.map(Uuid::from),
                is_active: customer.is_active,
                province_id: customer.place.province.map(Uuid::from),
                municipality_id: customer.place.municipality.map(Uuid::from),
                person: person(&registered.personal),
            })
        }
        CustomerEvent::CustomerChanged(changed) => PublicData::CustomerChanged(CustomerChangedV1 {
            id: changed.id.0,
            is_active: changed.is_active,
            province_id: changed.place.province.map(Uuid::from),
            municipality_id: changed.place.municipality.map(Uuid::from),
            person: person(&changed.personal),
        }),
        CustomerEvent::CardAdded(added) => PublicData::CustomerCardAdded(CustomerCardAddedV1 {
            id: added.customer.0,
            card_id: added.card.0,
            brand: added.brand.into(),
            card_number: added.personal.get().map(|card| masked(&card.card_number)),
        }),
        CustomerEvent::CustomerDeleted { id } => PublicData::CustomerDeleted(CustomerDeletedV1 { id: id.0 }),
        CustomerEvent::PersonForgotten { id, .. } => PublicData::CustomerErased(CustomerErasedV1 { id: id.0 }),
        CustomerEvent::DossierExported { .. }
        | CustomerEvent::CustomerScreened(_)
        | CustomerEvent::ScreeningPairDecided(_)
        | CustomerEvent::PersonIdentified(_)
        | CustomerEvent::PersonDocumentReleased(_)
        // Keys open no picture.
        | CustomerEvent::DocumentPicturesRecorded(_) => return None,
    })
}

fn person(personal: &Personal<CustomerDetails>) -> Option<PublicPerson> {
    personal.get().map(|details| PublicPerson {
        name: details.name.clone(),
        last_name: details.last_name.clone(),
        second_surname: details.second_surname.clone(),
        phone_number: details.phone_number.clone(),
        identification_number: details.personal_identification_number.clone(),
        email: details.email.clone(),
        address_line: details.address_line.clone(),
    })
}

fn party(event: &PartyEvent) -> Option<PublicData> {
    Some(match event {
        PartyEvent::PartyRegistered(registered) => {
            let party = &registered.party;
            PublicData::PartyRegistered(PartyRegisteredV1 {
                id: party.id.0,
                role: party.role.into(),
                agency_id: party.agency.map(Uuid::from),
                dealer_id: party.dealer.map(Uuid::from),
                is_active: party.is_active,
                name: name(&registered.personal),
            })
        }
        PartyEvent::PartyChanged(changed) => PublicData::PartyChanged(PartyChangedV1 {
            id: changed.id.0,
            is_active: changed.is_active,
            name: name(&changed.personal),
        }),
        PartyEvent::TermsSet { id, terms } => PublicData::PartyTermsSet(PartyTermsSetV1 {
            id: id.0,
            payment_group_id: terms.group.0,
        }),
        PartyEvent::PartyDeactivated { id } => PublicData::PartyDeactivated(PartyDeactivatedV1 { id: id.0 }),
        PartyEvent::PersonForgotten { id, .. } => PublicData::PartyErased(PartyErasedV1 { id: id.0 }),
        PartyEvent::SecondFactorEnrolled { .. }
        | PartyEvent::SecondFactorRemoved { .. }
        | PartyEvent::RecoveryCodeUsed { .. }
        | PartyEvent::PasskeyAdded { .. }
        | PartyEvent::PasskeyRemoved { .. }
        | PartyEvent::PasskeyRefused { .. }
        | PartyEvent::OfficeAccessSet { .. } => return None,
    })
}

fn name(personal: &Personal<PartyDetails>) -> Option<String> {
    personal.get().map(|details| details.name.clone())
}

fn movement(event: &MovementEvent, part: Option<&Part>) -> Option<PublicData> {
    Some(match event {
        MovementEvent::MovementPosted(posted) => {
            let whole = posted_movement(&posted.movement, note(&posted.personal))?;
            PublicData::MovementPosted(match part {
                Some(part) => MovementPostedV1 {
                    from_id: part.from,
                    amount: part.amount.into(),
                    note: None,
                    ..whole
                },
                None => whole,
            })
        }
        MovementEvent::OpeningBalancePosted(posted) => {
            let movement = &posted.movement;
            PublicData::MovementOpeningPosted(MovementOpeningPostedV1 {
                id: movement.id.0,
                number: movement.number.clone(),
                party_id: movement.to.map(Uuid::from),
                payment_group_id: movement.group.map(Uuid::from),
                amount: movement.amount.into(),
                currency: movement.currency.into(),
            })
        }
        MovementEvent::MovementReversed(reversed) => PublicData::MovementReversed(MovementReversedV1 {
            id: reversed.id.0,
            reason: note(&reversed.personal).filter(|_| part.is_none()),
        }),
    })
}

fn posted_movement(movement: &Movement, note: Option<String>) -> Option<MovementPostedV1> {
    Some(MovementPostedV1 {
        id: movement.id.0,
        number: movement.number.clone(),
        kind: PublicMovementKind::of(movement.kind)?,
        from_id: movement.from.map(Uuid::from),
        to_id: movement.to.map(Uuid::from),
        payment_group_id: movement.group.map(Uuid::from),
        amount: movement.amount.into(),
        currency: movement.currency.into(),
        counter_amount: movement.counter.map(|counter| counter.amount.into()),
        counter_currency: movement.counter.map(|counter| counter.currency.into()),
        on_credit: movement.on_credit,
        debit_id: movement.debit.map(|debit| debit.id.0),
        note,
    })
}

fn closed(closure: &Closure) -> ClosurePeriodClosedV1 {
    ClosurePeriodClosedV1 {
        id: closure.id.0,
        number: closure.number.clone(),
        party_id: closure.party.0,
        from: closure.from,
        to: closure.cut,
        through: closure.through,
        debit_id: closure.debit.map(|debit| debit.id.0),
        agency_debit_id: closure.agency_debit.map(|debit| debit.id.0),
    }
}

fn currency(event: &CurrencyEvent) -> PublicData {
    let set = |currency: &Currency| CurrencySetV1 {
        id: currency.id.0,
        code: currency.code.into(),
        symbol: currency.symbol.clone(),
        exchange_rate: currency.exchange_rate.into(),
        enabled: currency.enabled,
    };
    match event {
        CurrencyEvent::CurrencyAdded(currency) => PublicData::CurrencyAdded(set(currency)),
        CurrencyEvent::CurrencyChanged(currency) => PublicData::CurrencyChanged(set(currency)),
        CurrencyEvent::CurrencyRemoved { id, code } => PublicData::CurrencyRemoved(CurrencyRemovedV1 {
            id: id.0,
            code: (*code).into(),
        }),
    }
}

fn place(event: &PlaceEvent) -> PublicData {
    match event {
        PlaceEvent::ProvinceChanged { id, enabled } => PublicData::PlaceProvinceChanged(PlaceProvinceChangedV1 {
            id: id.0,
            enabled: *enabled,
        }),
        PlaceEvent::MunicipalityChanged { id, settings } => {
            PublicData::PlaceMunicipalityChanged(PlaceMunicipalityChangedV1 {
                id: id.0,
                enabled: settings.enabled,
                distribution_fee: settings.distribution_fee.map(|fee| fee.amount.into()),
                distribution_fee_currency: settings.distribution_fee.map(|fee| fee.currency.into()),
            })
        }
    }
}

fn group(event: &PaymentGroupEvent) -> PublicData {
    let set = |group: &PaymentGroup| PaymentGroupSetV1 {
        id: group.id.0,
        name: group.name.clone(),
        currency_to: group.currency_to.into(),
        exchange_rate: group.exchange_rate.into(),
        is_active: group.is_active,
    };
    match event {
        PaymentGroupEvent::PaymentGroupCreated(group) => PublicData::PaymentGroupCreated(set(group)),
        PaymentGroupEvent::PaymentGroupChanged(group) => PublicData::PaymentGroupChanged(set(group)),
        PaymentGroupEvent::PaymentGroupRemoved { id } => {
            PublicData::PaymentGroupRemoved(PaymentGroupRemovedV1 { id: id.0 })
        }
    }
}

fn rates(event: &RatesEvent) -> PublicData {
    match event {
        RatesEvent::RatesScheduled(scheduled) => PublicData::RatesScheduled(RatesV1 { id: scheduled.id.0 }),
        RatesEvent::RatesChanged(changed) => PublicData::RatesChanged(RatesV1 { id: changed.id.0 }),
        RatesEvent::RatesCanceled { id } => PublicData::RatesCanceled(RatesV1 { id: id.0 }),
        RatesEvent::RatesUndone(undone) => PublicData::RatesUndone(RatesV1 { id: undone.id.0 }),
    }
}
