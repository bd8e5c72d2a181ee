//! Rules of a tenant.

use super::ApprovalKind;
use crate::{
    decision::{Answer, Context},
    ids::ApprovalRuleId,
    money::Amount,
    party::Role,
    refusal::{Refusal, require},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Rules of a tenant: several per kind, for other roles and amounts.
pub const MAX_RULES: usize = 100;
/// Longest time to an expiry, in hours: 30 days. Figures that old say nothing about the present.
pub const MAX_EXPIRY_HOURS: u32 = 720;

/// Which commands of which makers need an approval.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ApprovalRule {
    pub id: ApprovalRuleId,
    pub kind: ApprovalKind,
    /// Roles of the makers that it covers.
    pub makers: BTreeSet<Role>,
    /// Smallest covered amount in USD; `None` for every amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_amount: Option<Amount>,
    /// Role that approves; managers always may.
    pub approvers: Role,
    /// Hours after which a proposal can't be approved any more.
    pub expires_after_hours: u32,
}

impl ApprovalRule {
    /// Whether it could ever cover something.
    ///
    /// # Errors
    /// The first faulty field.
    pub fn validate(&self) -> Result<(), Refusal> {
        require(!self.makers.is_empty(), || Refusal::invalid("makers", "required"))?;
        require(matches!(self.approvers, Role::Manager | Role::Agency), || {
            Refusal::invalid("approvers", "role_cannot_approve")
        })?;
        require((1..=MAX_EXPIRY_HOURS).contains(&self.expires_after_hours), || {
            Refusal::invalid_with(
                "expiresAfterHours",
                "number_out_of_range",
                [("max", MAX_EXPIRY_HOURS.to_string())],
            )
        })?;
        let Some(from) = self.from_amount else { return Ok(()) };
        require(self.kind.is_priced(), || {
            Refusal::invalid("fromAmount", "approval_kind_without_amount")
        })?;
        require(from >= Amount::ZERO, || {
            Refusal::invalid("fromAmount", "amount_negative")
        })?;
        require(from <= Amount::LARGEST, || {
            Refusal::invalid("fromAmount", "amount_too_large")
        })
    }
}

/// Checks a new or changed rule. Warns of a rule whose makers have nobody to approve them.
pub(crate) fn check_rule(rule: &ApprovalRule, answer: &mut Answer, ctx: &Context<'_>) -> Result<(), Refusal> {
    rule.validate()?;
    let is_new = ctx.state.approval_rule(rule.id).is_none();
    require(!is_new || ctx.state.approval_rules().count() < MAX_RULES, || {
        Refusal::conflict("too_many_approval_rules").with("max", MAX_RULES)
    })?;
    let managers = ctx.state.parties();
    let managers = managers.filter(|party| party.role == Role::Manager && party.is_active);
    if rule.makers.contains(&Role::Manager) && managers.count() < 2 {
        answer.warnings.push("approval_without_second_manager".to_owned());
    }
    Ok(())
}
