//! Who may do what with a customer: one rule, used by the decisions and told beside each row of a list.

use super::{Customer, CustomerKind, MAX_CARDS};
use crate::{
    books::Books,
    decision::Context,
    ids::PartyId,
    party::{Caller, Role},
    refusal::{Refusal, require},
};

/// What the rule looks at of a customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Issuer or recipient.
    pub kind: CustomerKind,
    /// The agency, or the agent with no agency, whose customer it is.
    pub owner: PartyId,
    /// Whether it may be used in new remittances.
    pub is_active: bool,
    /// Whether it was deleted.
    pub deleted: bool,
    /// Whether it is an issuer with remittances under way.
    pub sends: bool,
    /// How many cards it has.
    pub cards: usize,
}

impl Facts {
    pub(super) fn of(customer: &Customer, books: &Books) -> Self {
        Self {
            kind: customer.kind,
            owner: customer.owner,
            is_active: customer.is_active,
            deleted: customer.deleted,
            sends: customer.kind == CustomerKind::Issuer && books.open_remittances_of(customer.id) > 0,
            cards: customer.cards.len(),
        }
    }
}

/// What may be done with a customer that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Change its details.
    Edit,
    /// Delete it.
    Delete,
    /// Add a recipient to it.
    AddRecipient,
    /// Keep a card for it.
    AddCard,
}

fn is_for(role: Role) -> Result<(), Refusal> {
    require(role == Role::Manager || role.sells(), || {
        Refusal::forbidden("role_not_allowed")
    })
}

/// The rule: the decisions ask it, and the lists tell its answers beside each row.
///
/// # Errors
/// 403 where customers are not for the caller, 404 where the caller does not see this one, 409 where its kind or state
/// forbids it.
pub fn judge(caller: Caller, of: Facts, action: Action) -> Result<(), Refusal> {
    is_for(caller.role)?;
    let works_with = caller.role == Role::Manager || caller.customer_owner() == of.owner;
    require(works_with && !of.deleted, || Refusal::not_found("customer_not_found"))?;
    match action {
        Action::Edit => Ok(()),
        // How many is not said: an external agent shares its agency's issuers and sees its own remittances alone.
        Action::Delete => require(!of.sends, || Refusal::conflict("issuer_has_open_remittances")),
        Action::AddRecipient => {
            require(of.kind == CustomerKind::Issuer, || Refusal::not_found("sender_unknown"))?;
            require(of.is_active, || Refusal::conflict("sender_inactive"))
        }
        Action::AddCard => {
            require(of.kind == CustomerKind::Recipient, || {
                Refusal::conflict("cards_are_for_recipients")
            })?;
            require(of.cards < MAX_CARDS, || {
                Refusal::conflict("too_many_cards").with("max", MAX_CARDS)
            })
        }
    }
}

/// The customer, where the caller may do this with it.
///
/// # Errors
/// As [`judge`].
pub(super) fn permitted<'a>(
    ctx: &Context<'_>,
    of: Option<&'a Customer>,
    action: Action,
) -> Result<&'a Customer, Refusal> {
    let caller = Caller::from(ctx.caller()?);
    let Some(customer) = of else {
        is_for(caller.role)?;
        return Err(Refusal::not_found("customer_not_found"));
    };
    judge(caller, Facts::of(customer, ctx.books), action)?;
    Ok(customer)
}
