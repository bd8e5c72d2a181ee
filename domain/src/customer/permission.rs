//! Permissions on customers: one rule for decisions, the server's policy of calls, and the actions offered with each row
//! of a list.

use super::{Customer, CustomerKind, MAX_CARDS};
use crate::{
    decision::Context,
    ids::PartyId,
    party::{Caller, Role},
    refusal::{Refusal, require},
    tenant_state::TenantState,
};

/// Input of the rule: the parts of a customer that permissions depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    pub kind: CustomerKind,
    /// The owning agency, or the agent when it has no agency.
    pub owner: PartyId,
    /// Whether new remittances may name the customer.
    pub is_active: bool,
    pub deleted: bool,
    /// Whether the customer is an issuer with open remittances.
    pub sends: bool,
    /// Number of cards.
    pub cards: usize,
}

impl Facts {
    pub(super) fn of(customer: &Customer, state: &TenantState) -> Self {
        Self {
            kind: customer.kind,
            owner: customer.owner,
            is_active: customer.is_active,
            deleted: customer.deleted,
            sends: customer.kind == CustomerKind::Issuer && state.open_remittances_of(customer.id) > 0,
            cards: customer.cards.len(),
        }
    }
}

/// An action on an existing customer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Edit,
    Delete,
    AddRecipient,
    /// Add a card to it.
    AddCard,
}

/// Roles that work with customers.
pub const ROLES: &[Role] = &[Role::Manager, Role::Agency, Role::ExternalAgent, Role::InternalAgent];

fn is_for(role: Role) -> Result<(), Refusal> {
    require(ROLES.contains(&role), || Refusal::forbidden("role_not_allowed"))
}

/// The rule.
///
/// # Errors
/// 403 when the role has no access to customers, 404 when the caller does not see this one, 409 when its kind or state
/// forbids the action.
pub fn judge(caller: Caller, of: Facts, action: Action) -> Result<(), Refusal> {
    is_for(caller.role)?;
    let works_with = caller.role == Role::Manager || caller.customer_owner() == of.owner;
    require(works_with && !of.deleted, || Refusal::not_found("customer_not_found"))?;
    match action {
        Action::Edit => Ok(()),
        // The refusal gives no count: an external agent shares its agency's issuers but sees only its own remittances.
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

/// Returns the customer when the caller may do this with it.
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
    judge(caller, Facts::of(customer, ctx.state), action)?;
    Ok(customer)
}
