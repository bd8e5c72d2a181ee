//! Who may do what to a remittance in which state: one table, used by the decisions and shown to the interface.

use super::{Remittance, Status};
use crate::{
    party::{Party, Role},
    refusal::Refusal,
};

/// What may be done to a remittance that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Change recipient, place, delivery method, card or notes.
    EditDetails,
    /// Change amount or group.
    EditAmount,
    /// Give it to a dealer or delivery man.
    Assign,
    /// Mark it as in error.
    MarkError,
    /// Cancel it.
    Cancel,
    /// Record its delivery.
    Complete,
}

impl Action {
    /// All of them.
    pub const ALL: &'static [Self] = &[
        Self::EditDetails,
        Self::EditAmount,
        Self::Assign,
        Self::MarkError,
        Self::Cancel,
        Self::Complete,
    ];
}

/// What the caller is to this remittance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    Manager,
    Owner,
    Dealer,
    DeliveryMan,
}

/// Who a table cell lets through.
#[derive(Clone, Copy)]
enum Cell {
    /// Nobody: the state does not allow it.
    No,
    /// Everybody whom the action is for.
    Yes,
    /// The manager alone.
    Manager,
}

/// Whether a party owns a remittance: its seller, the seller's agency, and that agency's internal agents.
#[must_use]
pub fn is_owner(party: &Party, remittance: &Remittance) -> bool {
    let agency = remittance.sale.agency;
    match party.role {
        Role::Agency => agency == Some(party.id),
        Role::ExternalAgent => remittance.sale.seller == party.id,
        Role::InternalAgent => agency.is_some() && party.agency == agency,
        Role::Manager | Role::Dealer | Role::DeliveryMan => false,
    }
}

/// Whether a party sees a remittance at all.
#[must_use]
pub fn sees(party: &Party, remittance: &Remittance) -> bool {
    standing(party, remittance).is_some()
}

fn standing(party: &Party, remittance: &Remittance) -> Option<Standing> {
    match party.role {
        Role::Manager => Some(Standing::Manager),
        Role::Dealer if remittance.dealer == Some(party.id) => Some(Standing::Dealer),
        Role::DeliveryMan if remittance.delivery_man == Some(party.id) => Some(Standing::DeliveryMan),
        _ if is_owner(party, remittance) => Some(Standing::Owner),
        _ => None,
    }
}

/// The state table: what each state allows.
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
        (Action::Complete, Status::Shipping) => Cell::Yes,
        _ => Cell::No,
    }
}

/// Whom an action is for, whatever the state.
const fn is_for(action: Action, standing: Standing) -> bool {
    match action {
        Action::EditDetails | Action::EditAmount | Action::Cancel => {
            matches!(standing, Standing::Manager | Standing::Owner)
        }
        Action::Assign => matches!(standing, Standing::Manager | Standing::Dealer),
        Action::MarkError | Action::Complete => {
            matches!(standing, Standing::Manager | Standing::Dealer | Standing::DeliveryMan)
        }
    }
}

/// Refuses what the table does not allow.
///
/// # Errors
/// 404 where the caller does not see it, 403 where the action is not for the caller, 409 where the state forbids it.
pub fn permits(party: &Party, remittance: &Remittance, action: Action) -> Result<(), Refusal> {
    let standing = standing(party, remittance).ok_or_else(|| Refusal::not_found("remittance_not_found"))?;
    if !is_for(action, standing) {
        return Err(Refusal::forbidden("role_not_allowed"));
    }
    match cell(action, remittance.status) {
        Cell::Yes => Ok(()),
        Cell::Manager if standing == Standing::Manager => Ok(()),
        Cell::Manager => {
            Err(Refusal::forbidden("only_manager_in_this_status").with("status", remittance.status.as_str()))
        }
        Cell::No => Err(Refusal::conflict(wrong_status(remittance.status))),
    }
}

const fn wrong_status(status: Status) -> &'static str {
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
        let sees = |id| sees(business.world.books.party(id).unwrap(), &remittance);
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
        let agent = business.world.books.party(business.agent).unwrap();
        assert_eq!(
            permits(agent, &remittance, Action::Cancel),
            Err(Refusal::not_found("remittance_not_found"))
        );
    }
}
