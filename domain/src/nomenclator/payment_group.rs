//! The catalogue of payment groups: what can be sold.

use crate::{
    decision::{Claim, ClaimKind, Context, Decision},
    ids::PaymentGroupId,
    money::{CurrencyCode, Rate},
    quote::Commission,
    refusal::{Refusal, require},
};
use serde::{Deserialize, Serialize};

/// The longest name of a group, in characters: it must fit a table's column and a tab.
pub const MAX_NAME_LENGTH: usize = 80;

/// A catalogue product: sells USD, pays out in its currency.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PaymentGroup {
    /// Its id.
    pub id: PaymentGroupId,
    /// Its name, unique in the tenant.
    pub name: String,
    /// The currency paid out; fixed once made, since balances bear it.
    pub currency_to: CurrencyCode,
    /// Units of the currency per USD, unless a party's terms say otherwise.
    pub exchange_rate: Rate,
    /// The manager's commission.
    pub manager_commission: Commission,
    /// The default of an agency's terms.
    pub agency_commission: Commission,
    /// The default of an agent's terms.
    pub agent_commission: Commission,
    /// Whether it may be sold.
    pub is_active: bool,
}

/// What may be asked of a group.
#[derive(Clone, Debug, PartialEq)]
pub enum PaymentGroupCommand {
    /// Makes a group.
    Create(PaymentGroup),
    /// Changes all but its currency.
    Change(PaymentGroup),
    /// Takes it out of sale for good: it stays in history.
    Remove,
}

/// What happened to a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type")]
pub enum PaymentGroupEvent {
    /// It was made.
    PaymentGroupCreated(PaymentGroup),
    /// It was changed.
    PaymentGroupChanged(PaymentGroup),
    /// It was taken out.
    PaymentGroupRemoved {
        /// Its id.
        id: PaymentGroupId,
    },
}

impl PaymentGroup {
    pub(crate) fn fold(_state: Option<Self>, event: &PaymentGroupEvent) -> Option<Self> {
        match event {
            PaymentGroupEvent::PaymentGroupCreated(group) | PaymentGroupEvent::PaymentGroupChanged(group) => {
                Some(group.clone())
            }
            PaymentGroupEvent::PaymentGroupRemoved { .. } => None,
        }
    }

    fn validate(&self) -> Result<(), Refusal> {
        crate::text::required("name", &self.name, MAX_NAME_LENGTH)?;
        require(self.exchange_rate.is_positive(), || {
            Refusal::invalid("exchangeRate", "rate_not_positive")
        })?;
        self.manager_commission.validate("managerCommission")?;
        self.agency_commission.validate("agencyCommission")?;
        self.agent_commission.validate("agentCommission")
    }

    fn name_claim(&self) -> Claim {
        Claim::take(ClaimKind::PaymentGroupName, self.id.0, self.name.trim().to_lowercase())
    }
}

pub(crate) fn decide(
    own: Option<&PaymentGroup>,
    command: &PaymentGroupCommand,
    ctx: &Context<'_>,
) -> Result<Decision<PaymentGroupEvent>, Refusal> {
    ctx.require_manager()?;
    match (command, own) {
        (PaymentGroupCommand::Create(group), None) => {
            group.validate()?;
            let currency = ctx.books.currency(group.currency_to);
            require(currency.is_some_and(|currency| currency.enabled), || {
                Refusal::invalid("currencyTo", "currency_unknown")
            })?;
            Ok(
                Decision::of(PaymentGroupEvent::PaymentGroupCreated(group.clone()), group.id)
                    .claiming(group.name_claim()),
            )
        }
        (PaymentGroupCommand::Create(_), Some(_)) => Err(Refusal::conflict("already_exists")),
        (PaymentGroupCommand::Change(_) | PaymentGroupCommand::Remove, None) => {
            Err(Refusal::not_found("payment_group_not_found"))
        }
        (PaymentGroupCommand::Change(group), Some(own)) => {
            require(group.currency_to == own.currency_to, || {
                Refusal::invalid("currencyTo", "currency_is_fixed")
            })?;
            let group = PaymentGroup {
                id: own.id,
                ..group.clone()
            };
            group.validate()?;
            let claim = group.name_claim();
            Ok(Decision::of(PaymentGroupEvent::PaymentGroupChanged(group), own.id).claiming(claim))
        }
        (PaymentGroupCommand::Remove, Some(own)) => {
            require(!ctx.books.uses_group(own.id), || {
                Refusal::conflict("payment_group_in_use")
            })?;
            let release = Claim::release(ClaimKind::PaymentGroupName, own.id.0);
            Ok(Decision::of(PaymentGroupEvent::PaymentGroupRemoved { id: own.id }, own.id).claiming(release))
        }
    }
}
