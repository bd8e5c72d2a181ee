//! Sale of a remittance.

use super::{
    Delivery, MAX_NOTE_LENGTH, MAX_REFERENCE_LENGTH, RemittanceCreated, RemittanceDetails, RemittanceEvent, Sale,
    Status, posting, require_card_pays, require_group,
};
use crate::{
    customer::{Customer, CustomerKind},
    decision::{Context, Decision},
    ids::{CardId, CustomerId, PartyId, PaymentGroupId, RemittanceId},
    limits::{SaleChecks, SaleDeclaration},
    money::{Amount, CurrencyCode},
    party::{Party, Role},
    personal::Personal,
    quote::{FrozenTerms, Quote},
    refusal::{Refusal, require},
    tenant_state::{TenantState, account::Account, entry::Entry},
    text,
};

#[derive(Clone, PartialEq)]
pub struct CreateRemittance {
    pub id: RemittanceId,
    /// The seller; a manager must name an agency or an external agent, other callers sell for themselves.
    pub seller: Option<PartyId>,
    /// Where the seller was named as an agent: a refusal is told there. `None` where it was named as an agency, or not at all.
    pub named_agent: Option<NamedAgent>,
    pub sender: CustomerId,
    pub recipient: CustomerId,
    pub group: PaymentGroupId,
    /// Amount sent, in USD.
    pub amount: Amount,
    pub delivery: DeliveryChoice,
    /// The seller's own reference.
    pub reference: Option<String>,
    /// The seller's notes.
    pub notes: Option<String>,
    /// Purpose and source of funds.
    pub declaration: SaleDeclaration,
    /// What was read of sender and recipient, in tenants with limits.
    pub checks: SaleChecks,
}

crate::personal::untold!(CreateRemittance);

impl CreateRemittance {
    /// A caller's own sale for delivery at home, without any optional field.
    #[must_use]
    pub fn new(
        id: RemittanceId,
        sender: CustomerId,
        recipient: CustomerId,
        group: PaymentGroupId,
        amount: Amount,
    ) -> Self {
        Self {
            id,
            seller: None,
            named_agent: None,
            sender,
            recipient,
            group,
            amount,
            delivery: DeliveryChoice::Home,
            reference: None,
            notes: None,
            declaration: SaleDeclaration::default(),
            checks: SaleChecks::default(),
        }
    }
}

/// A seller who was named as an agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NamedAgent {
    /// The agency that was named beside it: it must be the agent's.
    pub agency: Option<PartyId>,
}

/// Requested delivery method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryChoice {
    /// At the recipient's residence.
    Home,
    /// To one of the recipient's cards.
    Card(CardId),
}

pub(super) fn decide(command: &CreateRemittance, ctx: &Context<'_>) -> Result<Decision<RemittanceEvent>, Refusal> {
    let seller = seller(command, ctx)?;
    let sender = usable_sender(command.sender, seller, ctx)?;
    let recipient = usable_recipient(command.recipient, sender.id, ctx)?;
    let (terms, quote) = quote(ctx.state, seller, command.group, QuoteBasis::Amount(command.amount))?;
    let delivery = resolve_delivery(command.delivery, recipient, quote.currency_to, ctx)?;
    text::optional_note("notes", command.notes.as_deref().unwrap_or_default(), MAX_NOTE_LENGTH)?;
    let reference = reference(command.reference.as_deref())?;

    let sale = Sale {
        code: ctx.state.next_remittance_number(),
        seller: seller.seller(),
        agency: if seller.role == Role::Agency {
            Some(seller.id)
        } else {
            seller.agency
        },
        agent: (seller.role != Role::Agency).then_some(seller.id),
        sender: sender.id,
        recipient: recipient.id,
        group: command.group,
        terms,
        quote,
        reference,
    };
    let entry = posting::sold(Entry::default(), &sale);
    ctx.state.check(&entry)?;
    let code = sale.code.clone();
    let remaining = remaining_balance(ctx.state, seller, command.group, &quote);
    let details = RemittanceDetails {
        address: None,
        notes: command.notes.clone(),
    };
    let parties = [sender, recipient];
    let created = RemittanceCreated {
        id: command.id,
        sale,
        delivery,
        entry,
        personal: Personal::clear(recipient.id, details),
    };
    let mut decision = Decision::of(RemittanceEvent::RemittanceCreated(created), command.id).answering(|answer| {
        answer.number = Some(code);
        answer.status = Some(Status::Pending.number());
        answer.quote = Some(quote);
        answer.remaining_balance = Some(remaining);
    });
    super::hold::by_screening(None, &mut decision, parties)?;
    Ok(decision)
}

/// A seller's own reference without the spaces around it; none where nothing is left.
pub(super) fn reference(given: Option<&str>) -> Result<Option<String>, Refusal> {
    let reference = given.map(str::trim).filter(|reference| !reference.is_empty());
    text::optional("reference", reference.unwrap_or_default(), MAX_REFERENCE_LENGTH)?;
    Ok(reference.map(str::to_owned))
}

/// The party that sells: the caller, or the one that a manager names.
fn seller<'a>(command: &CreateRemittance, ctx: &Context<'a>) -> Result<&'a Party, Refusal> {
    let caller = ctx.caller()?;
    let named = command.seller;
    let field = if command.named_agent.is_some() {
        "agentId"
    } else {
        "agencyId"
    };
    let unknown = || Refusal::invalid(field, "seller_unknown");
    let seller = match caller.role {
        Role::Agency | Role::ExternalAgent | Role::InternalAgent => {
            require(named.is_none_or(|id| id == caller.id || id == caller.seller()), unknown)?;
            caller
        }
        Role::Manager => {
            let id = named.ok_or_else(|| Refusal::invalid(field, "required"))?;
            let known = ctx.state.party(id);
            known
                .filter(|party| party.is_active && party.role.sells())
                .ok_or_else(unknown)?
        }
        Role::Dealer | Role::DeliveryMan => return Err(Refusal::forbidden("role_not_allowed")),
    };
    let beside = command.named_agent.and_then(|agent| agent.agency);
    require(
        beside.is_none_or(|agency| seller.agency == Some(agency) || seller.id == agency),
        || Refusal::invalid("agencyId", "agency_of_another_agent"),
    )?;
    require_open_agency(seller, ctx)?;
    Ok(seller)
}

/// Refuses an agent whose agency is inactive.
fn require_open_agency(seller: &Party, ctx: &Context<'_>) -> Result<(), Refusal> {
    let agency = seller.agency.and_then(|id| ctx.state.party(id));
    require(agency.is_none_or(|agency| agency.is_active), || {
        Refusal::conflict("party_inactive")
    })
}

fn usable_sender<'a>(id: CustomerId, seller: &Party, ctx: &Context<'a>) -> Result<&'a Customer, Refusal> {
    let sender = ctx
        .customer(id)
        .filter(|customer| customer.kind == CustomerKind::Issuer && !customer.deleted && customer.is_of(seller))
        .ok_or_else(|| Refusal::invalid("senderId", "sender_unknown"))?;
    require(sender.is_active, || Refusal::invalid("senderId", "sender_inactive"))?;
    Ok(sender)
}

/// A recipient of the issuer that new remittances may name.
pub(super) fn usable_recipient<'a>(
    id: CustomerId,
    sender: CustomerId,
    ctx: &Context<'a>,
) -> Result<&'a Customer, Refusal> {
    let recipient = ctx
        .customer(id)
        .filter(|customer| customer.kind == CustomerKind::Recipient && !customer.deleted)
        .ok_or_else(|| Refusal::invalid("recipientId", "recipient_unknown"))?;
    require(recipient.sender == Some(sender), || {
        Refusal::invalid("recipientId", "recipient_of_another_issuer")
    })?;
    require(recipient.is_active, || {
        Refusal::invalid("recipientId", "recipient_inactive")
    })?;
    Ok(recipient)
}

/// Resolves the requested delivery for a recipient.
pub(super) fn resolve_delivery(
    choice: DeliveryChoice,
    recipient: &Customer,
    currency: CurrencyCode,
    ctx: &Context<'_>,
) -> Result<Delivery, Refusal> {
    match choice {
        DeliveryChoice::Home => home(recipient.place, ctx),
        DeliveryChoice::Card(card) => {
            let brand = *recipient
                .cards
                .get(&card)
                .ok_or_else(|| Refusal::invalid("cardId", "card_unknown"))?;
            require_card_pays(brand, currency)?;
            Ok(Delivery::Card { card, brand })
        }
    }
}

/// Home delivery to an enabled place.
pub(super) fn home(place: crate::customer::Place, ctx: &Context<'_>) -> Result<Delivery, Refusal> {
    let municipality = place
        .municipality
        .and_then(crate::reference_data::place::municipality)
        .ok_or_else(|| Refusal::invalid("municipalityId", "recipient_without_municipality"))?;
    require(ctx.state.delivers_to(municipality), || {
        Refusal::invalid("municipalityId", "municipality_disabled")
    })?;
    Ok(Delivery::Home {
        province: municipality.province,
        municipality: municipality.id,
    })
}

/// What a quote is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuoteBasis {
    /// For so much sent, in USD.
    Amount(Amount),
    /// For at least so much paid out.
    Payout(Amount),
}

/// The terms and the quote of a sale by a party, as of now.
///
/// # Errors
/// A group that is unknown, closed or not the seller's; an amount that can't be quoted.
pub fn quote(
    state: &TenantState,
    seller: &Party,
    group: PaymentGroupId,
    asked: QuoteBasis,
) -> Result<(FrozenTerms, Quote), Refusal> {
    let terms = frozen_terms(state, seller, group)?;
    let currency = state
        .group(group)
        .map(|group| group.currency_to)
        .ok_or_else(|| Refusal::invalid("paymentGroupId", "payment_group_unknown"))?;
    let quote = match asked {
        QuoteBasis::Amount(amount) => terms.quote(amount, currency)?,
        QuoteBasis::Payout(payout) => terms.quote_for_payout(payout, currency)?,
    };
    Ok((terms, quote))
}

/// What a sale at a quote would leave of the balance that it draws on; below 0 where it draws on credit, or is beyond it.
#[must_use]
pub fn remaining_balance(state: &TenantState, seller: &Party, group: PaymentGroupId, quote: &Quote) -> Amount {
    let balance = Account::balance(seller.seller(), group, quote.currency_to);
    // A prepaid balance is a credit, which accounts hold as a negative figure.
    -state.balance(balance) - quote.payout
}

fn frozen_terms(state: &TenantState, seller: &Party, group_id: PaymentGroupId) -> Result<FrozenTerms, Refusal> {
    let group = require_group(group_id, state)?;
    let terms_of = |party: &Party| {
        let terms = party
            .terms
            .get(&group_id)
            .ok_or_else(|| Refusal::invalid("paymentGroupId", "payment_group_not_held"))?;
        require(terms.is_active, || {
            Refusal::invalid("paymentGroupId", "payment_group_closed")
        })?;
        Ok::<_, Refusal>(terms.clone())
    };
    let agency = seller.agency.and_then(|id| state.party(id));
    if seller.role != Role::ExternalAgent {
        let holder = if seller.role == Role::Agency {
            Some(seller)
        } else {
            agency
        };
        let terms = terms_of(holder.ok_or_else(|| Refusal::invalid("agencyId", "seller_unknown"))?)?;
        return Ok(FrozenTerms {
            exchange_rate: terms.exchange_rate,
            manager_commission: group.manager_commission,
            agency_commission: Some(terms.commission),
            agent_commission: None,
        });
    }
    let own = terms_of(seller)?;
    let agency_terms = agency.map(terms_of).transpose()?;
    Ok(FrozenTerms {
        exchange_rate: own.exchange_rate,
        manager_commission: group.manager_commission,
        agency_commission: agency_terms.map(|terms| terms.commission),
        agent_commission: Some(own.commission),
    })
}

#[cfg(test)]
mod tests;
