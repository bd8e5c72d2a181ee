//! Request bodies of approvals.

use super::{
    decimal::MoneyInput,
    expected::{ExpectedInput, given},
    field::{Faults, Field, FromJson, fault},
    merge::{mergeable, standing},
    scalar::Whole,
};
use caudal_domain::{
    Expected, FieldError, Refusal,
    approval::{ApprovalKind, ApprovalRule},
    ids::ApprovalRuleId,
    money::Amount,
    party::Role,
};
use caudal_projections::{proposal::PublicApprovalKind, public_events::PublicRole};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use utoipa::ToSchema;

impl FromJson for ApprovalKind {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        let name = String::from_json(raw)?;
        let kind = Self::ALL.iter().copied().find(|kind| kind.as_str() == name);
        kind.ok_or_else(|| fault("value_unknown"))
    }
}

/// A rule of approvals.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ApprovalRuleInput {
    /// Kind of commands that the rule covers.
    #[serde(default)]
    #[schema(value_type = PublicApprovalKind, required, example = "expense")]
    kind: Field<ApprovalKind>,
    /// Roles of the makers that it covers.
    #[serde(default)]
    #[schema(value_type = Vec<PublicRole>, required, min_items = 1, max_items = 6, example = json!(["dealer"]))]
    makers: Field<Vec<Role>>,
    /// Smallest covered amount in USD; absent or null for every amount. Not for kinds without an amount.
    #[serde(default)]
    #[schema(value_type = Option<MoneyInput>)]
    from_amount: Field<Amount>,
    /// Role that approves, `manager` or `agency`; managers always may.
    #[serde(default)]
    #[schema(value_type = PublicRole, required, example = "manager")]
    approvers: Field<Role>,
    /// Hours after which a proposal can't be approved any more, up to 720.
    #[serde(default)]
    #[schema(value_type = u32, required, minimum = 1, maximum = 720, example = 24)]
    expires_after_hours: Field<Whole>,
    /// Previous values of the sent fields, as the client read them. A field that someone else has changed since is
    /// refused: 409 `changed_since_read`. Absent, the rule is replaced as a whole. Only for changes.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    was: Option<Box<Self>>,
}

mergeable!(ApprovalRuleInput {
    kind: "kind",
    makers: "makers",
    from_amount: "fromAmount",
    approvers: "approvers",
    expires_after_hours: "expiresAfterHours",
});

impl ApprovalRuleInput {
    /// The current rule.
    #[must_use]
    pub fn standing(rule: &ApprovalRule) -> Self {
        Self {
            kind: Field::Given(rule.kind),
            makers: Field::Given(rule.makers.iter().copied().collect()),
            from_amount: standing(rule.from_amount),
            approvers: Field::Given(rule.approvers),
            expires_after_hours: Field::Given(Whole(rule.expires_after_hours)),
            was: None,
        }
    }

    /// The rule, under an id.
    ///
    /// # Errors
    /// All field errors.
    pub fn rule(self, id: ApprovalRuleId) -> Result<ApprovalRule, Refusal> {
        let mut faults = Faults::default();
        let kind = faults.required("kind", self.kind);
        let makers = faults.required("makers", self.makers);
        let from_amount = faults.optional("fromAmount", self.from_amount);
        let approvers = faults.required("approvers", self.approvers);
        let hours = faults.required("expiresAfterHours", self.expires_after_hours);
        faults.finish(|| {
            Some(ApprovalRule {
                id,
                kind: kind?,
                makers: BTreeSet::from_iter(makers?),
                from_amount,
                approvers: approvers?,
                expires_after_hours: hours?.0,
            })
        })
    }
}

/// An approval.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ApprovalInput {
    /// Figures that the approver confirmed; absent for those of the proposal. If the command would result in others, it is
    /// refused: 409 `quote_changed` with the current figures.
    #[serde(default)]
    #[schema(value_type = Option<ExpectedInput>)]
    expected: Field<Expected>,
}

impl ApprovalInput {
    /// The confirmed figures, if given.
    ///
    /// # Errors
    /// All field errors.
    pub fn expected(self) -> Result<Option<Expected>, Refusal> {
        let mut faults = Faults::default();
        let expected = given(&self.expected);
        faults.optional("expected", self.expected);
        faults.finish(|| Some(expected))
    }
}

/// A rejection.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct RejectionInput {
    /// Reason, which the maker reads.
    #[serde(default)]
    #[schema(value_type = String, required, example = "The agency pays its earlier debts first.")]
    reason: Field<String>,
}

impl RejectionInput {
    /// The reason.
    ///
    /// # Errors
    /// All field errors.
    pub fn reason(self) -> Result<String, Refusal> {
        let mut faults = Faults::default();
        let reason = faults.required_note("reason", self.reason);
        faults.finish(|| reason)
    }
}
