//! Who may do what with a party and its money: one rule, used by the decisions and told beside each row of a list.

use super::{Party, Role};
use crate::{
    books::{Books, account::AccountKind},
    ids::PartyId,
    refusal::{Refusal, require},
};

/// The caller, as the rules see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// Its id.
    pub id: PartyId,
    /// Its role.
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
    /// Whose customers the caller works with: its agency's, or its own.
    #[must_use]
    pub fn customer_owner(&self) -> PartyId {
        self.agency.unwrap_or(self.id)
    }
}

/// What the rule looks at of a party.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Facts {
    /// Its id.
    pub id: PartyId,
    /// Its role.
    pub role: Role,
    /// An agent's agency.
    pub agency: Option<PartyId>,
    /// A delivery man's dealer.
    pub dealer: Option<PartyId>,
    /// Whether it may log in and be used.
    pub is_active: bool,
    /// Whether it was deleted.
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

/// What keeps a party from being deleted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ties {
    /// Whether it is a manager and no other manager is active.
    pub last_manager: bool,
    /// Whether it delivers remittances that are under way.
    pub delivers: bool,
    /// The cash that it holds or has advanced, each with its currency.
    pub cash: Vec<String>,
}

impl Ties {
    /// A party's, by the books.
    pub(super) fn of(party: &Party, books: &Books) -> Self {
        let cash = books.accounts().filter(|(account, cash)| {
            account.kind == AccountKind::FieldCash && account.owner == Some(party.id) && !cash.is_zero()
        });
        Self {
            cash: cash
                .map(|(account, cash)| format!("{cash} {}", account.currency.as_str()))
                .collect(),
            ..Self::of_use(party, books)
        }
    }

    /// As [`Self::of`], but for the cash: what keeps a party from being switched off.
    pub(super) fn of_use(party: &Party, books: &Books) -> Self {
        let other_manager = |other: &&Party| other.role == Role::Manager && other.is_active && other.id != party.id;
        Self {
            last_manager: party.role == Role::Manager && !books.parties().any(|other| other_manager(&other)),
            delivers: party.role.holds_cash() && books.delivers_open_remittances(party.id),
            cash: Vec::new(),
        }
    }

    /// A party with work under way stays, and so does the last manager.
    pub(super) fn permit_idle(&self) -> Result<(), Refusal> {
        require(!self.last_manager, || Refusal::conflict("last_manager"))?;
        require(!self.delivers, || Refusal::conflict("party_has_open_remittances"))
    }

    /// Whether the party may be deleted, once [`judge`] allows the caller to. Who holds cash of the business, or has
    /// advanced it cash, is settled before he goes. What a seller leaves behind are balances and debits, which go on:
    /// the interface names them before they are left.
    ///
    /// # Errors
    /// 409 names the first tie.
    pub fn permit_deletion(&self) -> Result<(), Refusal> {
        self.permit_idle()?;
        require(self.cash.is_empty(), || {
            Refusal::conflict("party_holds_cash").with("cash", self.cash.join(", "))
        })
    }
}

/// What may be done with a party that exists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Change its details.
    Edit,
    /// End its use.
    Delete,
    /// Set its terms.
    SetTerms,
    /// Set its own commission and name for a group, the part of its terms that is its own.
    SetOwnTerms,
    /// Assign balance or give cash to it.
    Deposit,
    /// Move its cash to another party or to the manager.
    Transfer,
    /// Move its cash into another currency.
    Exchange,
    /// Record an expense of its.
    RecordExpense,
    /// Close its period.
    ClosePeriod,
}

/// Whether a party is within a caller's scope: itself, an agency's agent, a dealer's delivery man; all for a manager.
pub(super) fn oversees(caller: Caller, of: Facts) -> bool {
    caller.role == Role::Manager || caller.id == of.id || commands(caller, of)
}

/// Whether a party is directly under a caller.
pub(super) fn commands(caller: Caller, of: Facts) -> bool {
    match caller.role {
        Role::Agency => of.agency == Some(caller.id),
        Role::Dealer => of.dealer == Some(caller.id),
        _ => false,
    }
}

/// Whom an action is for by role alone, whatever the party.
fn is_for(role: Role, action: Action) -> Result<(), Refusal> {
    let manager = role == Role::Manager;
    let has = match action {
        Action::Edit | Action::Delete | Action::SetTerms | Action::SetOwnTerms => true,
        Action::Deposit => matches!(role, Role::Manager | Role::Agency | Role::Dealer),
        Action::Transfer | Action::Exchange | Action::RecordExpense => manager || role.holds_cash(),
        Action::ClosePeriod => matches!(role, Role::Manager | Role::Agency),
    };
    require(has, || Refusal::forbidden("role_not_allowed"))?;
    require(manager || action != Action::Exchange, || {
        Refusal::forbidden("only_manager_exchanges")
    })
}

/// The rule: the decisions ask it, and the lists tell its answers beside each row.
///
/// # Errors
/// 404 where the caller does not see the party, 403 where the action is not for the caller, 409 where the party's role
/// or state forbids it.
pub fn judge(caller: Caller, of: Facts, action: Action) -> Result<(), Refusal> {
    is_for(caller.role, action)?;
    let above = caller.role == Role::Manager || commands(caller, of);
    // Nobody gives to himself, and cash is moved only from who holds it.
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

/// The party, where the caller may do this with it. Of one that there is not, the caller learns what it learns of one
/// that it does not see.
///
/// # Errors
/// As [`judge`].
pub(crate) fn permitted<'a>(caller: &Party, of: Option<&'a Party>, action: Action) -> Result<&'a Party, Refusal> {
    let Some(party) = of else {
        is_for(caller.role, action)?;
        return Err(Refusal::not_found("party_not_found"));
    };
    judge(caller.into(), party.into(), action)?;
    Ok(party)
}
