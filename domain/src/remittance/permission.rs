//! Permissions on remittances by role and status: one table for decisions, the server's policy of calls, and the actions
//! that an answer offers with each row.

use super::{Remittance, Status};
use crate::{
    ids::PartyId,
    party::{Caller, Party, Role},
    refusal::{Refusal, require},
};

/// Input of the rule: the parts of a remittance that permissions depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Current status.
    pub status: Status,
    /// The selling party.
    pub seller: PartyId,
    /// The participating agency.
    pub agency: Option<PartyId>,
    pub dealer: Option<PartyId>,
    pub delivery_man: Option<PartyId>,
    /// Whether a hold is open.
    pub held: bool,
}

impl From<&Remittance> for Facts {
    fn from(remittance: &Remittance) -> Self {
        Self {
            status: remittance.status,
            seller: remittance.sale.seller,
            agency: remittance.sale.agency,
            dealer: remittance.dealer,
            delivery_man: remittance.delivery_man,
            held: remittance.is_held(),
        }
    }
}

/// An action on an existing remittance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Change recipient, place, delivery method, card or notes.
    EditDetails,
    EditAmount,
    /// Assign to a dealer or delivery man.
    Assign,
    MarkError,
    Cancel,
    Complete,
    /// Record a failed attempt.
    Attempt,
}

impl Action {
    pub const ALL: &'static [Self] = &[
        Self::EditDetails,
        Self::EditAmount,
        Self::Assign,
        Self::MarkError,
        Self::Cancel,
        Self::Complete,
        Self::Attempt,
    ];

    /// Roles that the action is open to. Whose the remittance is, and its status, narrow them further.
    #[must_use]
    pub const fn roles(self) -> &'static [Role] {
        use Role::{Agency, Dealer, DeliveryMan, ExternalAgent, InternalAgent, Manager};
        match self {
            Self::EditDetails | Self::EditAmount | Self::Cancel => &[Manager, Agency, ExternalAgent, InternalAgent],
            Self::Assign => &[Manager, Dealer],
            Self::MarkError | Self::Complete | Self::Attempt => &[Manager, Dealer, DeliveryMan],
        }
    }

    /// Whether an open hold forbids it. What is under review neither moves nor changes.
    #[must_use]
    pub const fn waits_for_holds(self) -> bool {
        match self {
            Self::EditDetails | Self::EditAmount | Self::Assign | Self::Complete => true,
            Self::MarkError | Self::Cancel | Self::Attempt => false,
        }
    }
}

/// A cell of the status table.
#[derive(Clone, Copy)]
enum Cell {
    /// Forbidden in this status.
    No,
    /// Allowed to every role that the action is open to.
    Yes,
    /// Allowed to managers only.
    Manager,
}

/// Whether a party owns a remittance: its seller, the seller's agency, and that agency's internal agents.
#[must_use]
pub fn is_owner(party: &Party, remittance: &Remittance) -> bool {
    owns(party.into(), remittance.into())
}

fn owns(caller: Caller, of: Facts) -> bool {
    match caller.role {
        Role::Agency => of.agency == Some(caller.id),
        Role::ExternalAgent => of.seller == caller.id,
        Role::InternalAgent => of.agency.is_some() && caller.agency == of.agency,
        Role::Manager | Role::Dealer | Role::DeliveryMan => false,
    }
}

#[must_use]
pub fn sees(party: &Party, remittance: &Remittance) -> bool {
    is_visible(party.into(), remittance.into())
}

/// Whether a remittance of these facts is in a caller's scope.
#[must_use]
pub fn is_visible(caller: Caller, of: Facts) -> bool {
    match caller.role {
        Role::Manager => true,
        Role::Dealer => of.dealer == Some(caller.id),
        Role::DeliveryMan => of.delivery_man == Some(caller.id),
        Role::Agency | Role::ExternalAgent | Role::InternalAgent => owns(caller, of),
    }
}

/// The status table: what each status allows.
const fn cell(action: Action, status: Status) -> Cell {
    match (action, status) {
        (Action::EditDetails, Status::Pending | Status::Error) => Cell::Yes,
        (Action::EditDetails, Status::Shipping) => Cell::Manager,
        (Action::EditAmount, Status::Pending | Status::Error) => Cell::Yes,
        (Action::Assign, Status::Pending | Status::Error) => Cell::Manager,
        (Action::Assign, Status::Shipping) => Cell::Yes,
        (Action::MarkError, Status::Pending) => Cell::Manager,
        (Action::MarkError, Status::Shipping) => Cell::Yes,
        (Action::Cancel, Status::Pending | Status::Error) => Cell::Yes,
        (Action::Cancel, Status::Shipping) => Cell::Manager,
        (Action::Complete | Action::Attempt, Status::Shipping) => Cell::Yes,
        _ => Cell::No,
    }
}

/// Refuses what the table does not allow.
pub fn permits(party: &Party, remittance: &Remittance, action: Action) -> Result<(), Refusal> {
    judge(party.into(), remittance.into(), action)
}

/// The rule.
///
/// # Errors
/// 404 when the caller does not see the remittance, 403 when the action is not open to the caller, 409 when the status
/// forbids it.
pub fn judge(caller: Caller, of: Facts, action: Action) -> Result<(), Refusal> {
    require(is_visible(caller, of), || Refusal::not_found("remittance_not_found"))?;
    require(action.roles().contains(&caller.role), || {
        Refusal::forbidden("role_not_allowed")
    })?;
    match cell(action, of.status) {
        Cell::Yes => not_held(of, action),
        Cell::Manager if caller.role == Role::Manager => not_held(of, action),
        Cell::Manager => Err(Refusal::forbidden("only_manager_in_this_status").with("status", of.status.as_str())),
        Cell::No => Err(Refusal::conflict(wrong_status(of.status))),
    }
}

fn not_held(of: Facts, action: Action) -> Result<(), Refusal> {
    require(!of.held || !action.waits_for_holds(), || {
        Refusal::conflict(super::hold::HELD)
    })
}

pub(super) const fn wrong_status(status: Status) -> &'static str {
    match status {
        Status::Pending => "remittance_is_pending",
        Status::Canceled => "remittance_is_canceled",
        Status::Shipping => "remittance_is_in_shipping",
        Status::Completed => "remittance_is_completed",
        Status::Error => "remittance_is_in_error",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Actor, party::Registration, testing::Business};

    #[test]
    fn a_remittance_is_its_sellers_its_agencys_and_the_agencys_internal_agents() {
        let mut business = Business::funded();
        let agency = Actor::Party(business.agency);
        let peer = Registration::ExternalAgent {
            agency: None,
            terms: vec![],
        };
        let peer = business.world.party(agency, "peer", peer);
        let foreign = Registration::InternalAgent { agency: None };
        let foreign = business
            .world
            .party(Actor::Party(business.other_agency), "foreign-clerk", foreign);
        let sale = business.sale(business.cup, 10_00);
        let sold = business.sell(business.agent, sale);
        let remittance = business.world.remittance(sold);
        let sees = |id| sees(business.world.tenant_state.party(id).unwrap(), &remittance);
        for owner in [business.agent, business.agency, business.clerk] {
            assert!(sees(owner));
        }
        for stranger in [
            peer,
            foreign,
            business.free_agent,
            business.other_agency,
            business.dealer,
            business.courier,
        ] {
            assert!(!sees(stranger));
        }
    }

    #[test]
    fn what_an_internal_agent_sold_is_not_the_external_agents_of_its_agency() {
        let mut business = Business::funded();
        let sale = business.sale(business.cup, 10_00);
        let sold = business.sell(business.clerk, sale);
        let remittance = business.world.remittance(sold);
        let agent = business.world.tenant_state.party(business.agent).unwrap();
        assert_eq!(
            permits(agent, &remittance, Action::Cancel),
            Err(Refusal::not_found("remittance_not_found"))
        );
    }
}
