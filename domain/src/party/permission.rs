//! Permissions on parties and their money: one rule for decisions, the server's policy of calls, and the actions offered
//! with each row of a list.

use super::{Party, Role};
use crate::{
    ids::PartyId,
    refusal::{Refusal, require},
    tenant_state::{TenantState, account::AccountKind},
};

/// Input of the rules: the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    pub id: PartyId,
    pub role: Role,
    /// An agent's agency.
    pub agency: Option<PartyId>,
}

impl From<&Party> for Caller {
    fn from(party: &Party) -> Self {
        Self {
            id: party.id,
            role: party.role,
            agency: party.agency,
        }
    }
}

impl Caller {
    /// The owner of the customers it works with: its agency, or itself.
    #[must_use]
    pub fn customer_owner(&self) -> PartyId {
        self.agency.unwrap_or(self.id)
    }
}

/// Input of the rule: the parts of a party that permissions depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    pub id: PartyId,
    pub role: Role,
    pub agency: Option<PartyId>,
    pub dealer: Option<PartyId>,
    /// Whether it may log in and be named by new commands.
    pub is_active: bool,
    pub deleted: bool,
}

impl From<&Party> for Facts {
    fn from(party: &Party) -> Self {
        Self {
            id: party.id,
            role: party.role,
            agency: party.agency,
            dealer: party.dealer,
            is_active: party.is_active,
            deleted: party.deleted,
        }
    }
}

/// Open business that prevents a deletion.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ties {
    /// The only active full manager.
    pub last_manager: bool,
    /// Carries open remittances.
    pub delivers: bool,
    /// Cash held or advanced, each amount with its currency.
    pub cash: Vec<String>,
}

impl Ties {
    pub(super) fn of(party: &Party, state: &TenantState) -> Self {
        let cash = state.accounts().filter(|(account, cash)| {
            account.kind == AccountKind::FieldCash && account.owner == Some(party.id) && !cash.is_zero()
        });
        Self {
            cash: cash
                .map(|(account, cash)| format!("{cash} {}", account.currency.as_str()))
                .collect(),
            ..Self::of_use(party, state)
        }
    }

    /// Like [`Self::of`] without cash: what prevents a deactivation.
    pub(super) fn of_use(party: &Party, state: &TenantState) -> Self {
        Self {
            last_manager: state.is_last_full_manager(party),
            delivers: party.role.holds_cash() && state.delivers_open_remittances(party.id),
            cash: Vec::new(),
        }
    }

    /// Refuses for a party with open remittances and for the last manager.
    pub(super) fn permit_idle(&self) -> Result<(), Refusal> {
        require(!self.last_manager, || Refusal::conflict("last_manager"))?;
        require(!self.delivers, || Refusal::conflict("party_has_open_remittances"))
    }

    /// Whether the party may be deleted, after [`judge`]. Cash of the business, held or advanced, must be settled
    /// first. A seller's balances and obligations do not prevent it: they stay open, and the interface warns.
    ///
    /// # Errors
    /// 409 with the first tie.
    pub fn permit_deletion(&self) -> Result<(), Refusal> {
        self.permit_idle()?;
        require(self.cash.is_empty(), || {
            Refusal::conflict("party_holds_cash").with("cash", self.cash.join(", "))
        })
    }
}

/// An action on an existing party.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    Edit,
    /// Deactivate it.
    Delete,
    SetTerms,
    /// Set its own commission and name for a group: the part of its terms that the party controls.
    SetOwnTerms,
    /// Assign balance or cash to it.
    Deposit,
    /// Move its cash to another party or to the manager.
    Transfer,
    /// Exchange its cash into another currency.
    Exchange,
    RecordExpense,
    ClosePeriod,
}

impl Action {
    /// Roles that the action is open to. Which party it is, and its state, narrow them further.
    #[must_use]
    pub const fn roles(self) -> &'static [Role] {
        use Role::{Agency, Dealer, DeliveryMan, Manager};
        match self {
            Self::Edit | Self::Delete | Self::SetTerms | Self::SetOwnTerms => Role::ALL,
            Self::Deposit => &[Manager, Agency, Dealer],
            // Others than a manager are refused an exchange by a code of its own.
            Self::Transfer | Self::Exchange | Self::RecordExpense => &[Manager, Dealer, DeliveryMan],
            Self::ClosePeriod => &[Manager, Agency],
        }
    }
}

/// Whether a party is in a caller's scope: itself, an agency's agents, a dealer's delivery men; everybody for a
/// manager.
pub(super) fn oversees(caller: Caller, of: Facts) -> bool {
    caller.role == Role::Manager || caller.id == of.id || commands(caller, of)
}

/// Whether a party reports directly to a caller.
pub(super) fn commands(caller: Caller, of: Facts) -> bool {
    match caller.role {
        Role::Agency => of.agency == Some(caller.id),
        Role::Dealer => of.dealer == Some(caller.id),
        _ => false,
    }
}

fn is_for(role: Role, action: Action) -> Result<(), Refusal> {
    require(action.roles().contains(&role), || {
        Refusal::forbidden("role_not_allowed")
    })?;
    require(role == Role::Manager || action != Action::Exchange, || {
        Refusal::forbidden("only_manager_exchanges")
    })
}

/// The rule.
///
/// # Errors
/// 404 when the caller does not see the party, 403 when the action is not open to the caller, 409 when the party's role
/// or state forbids it.
pub fn judge(caller: Caller, of: Facts, action: Action) -> Result<(), Refusal> {
    is_for(caller.role, action)?;
    let above = caller.role == Role::Manager || commands(caller, of);
    // A caller cannot give to itself, and cash moves only from parties that hold cash.
    let seen = match action {
        Action::Deposit => above,
        Action::Transfer | Action::Exchange | Action::RecordExpense => of.role.holds_cash() && oversees(caller, of),
        _ => oversees(caller, of),
    };
    require(seen, || Refusal::not_found("party_not_found"))?;
    match action {
        Action::Edit | Action::Transfer | Action::Exchange | Action::RecordExpense => Ok(()),
        Action::Delete => {
            require(above, || Refusal::forbidden("role_not_allowed"))?;
            require(!of.deleted, || Refusal::conflict("already_inactive"))
        }
        Action::SetTerms | Action::SetOwnTerms => {
            require(of.role.holds_terms(), || Refusal::conflict("party_has_no_terms"))?;
            require(above || action == Action::SetOwnTerms, || {
                Refusal::forbidden("terms_set_from_above")
            })
        }
        Action::Deposit => {
            require(of.is_active, || Refusal::conflict("party_inactive"))?;
            match of.role {
                Role::Agency | Role::ExternalAgent | Role::Dealer | Role::DeliveryMan => Ok(()),
                Role::InternalAgent => Err(Refusal::conflict("internal_agent_has_no_balance")),
                Role::Manager => Err(Refusal::conflict("party_receives_no_deposits")),
            }
        }
        Action::ClosePeriod => {
            require(caller.id != of.id, || Refusal::forbidden("closed_from_above"))?;
            require(of.role.holds_terms(), || Refusal::conflict("party_has_no_closures"))
        }
    }
}

/// Returns the party when the caller may do this with it. A missing party is refused exactly like an invisible one.
pub(crate) fn permitted<'a>(caller: &Party, of: Option<&'a Party>, action: Action) -> Result<&'a Party, Refusal> {
    let Some(party) = of else {
        is_for(caller.role, action)?;
        return Err(Refusal::not_found("party_not_found"));
    };
    judge(caller.into(), party.into(), action)?;
    Ok(party)
}
