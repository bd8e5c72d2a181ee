//! Request bodies of limits.

use super::{
    decimal::MoneyInput,
    field::{Faults, Field, FromJson, fault},
    merge::{mergeable, standing},
    scalar::Whole,
};
use caudal_domain::{
    FieldError, Refusal,
    attachment::MAX_REVIEW_FILES,
    ids::{LimitRuleId, PaymentGroupId},
    limits::{LimitOutcome, LimitRule, LimitWindow, MAX_LIMIT_COUNT, Need, Side},
    money::Amount,
    remittance::HoldOutcome,
};
use caudal_projections::limit::{PublicLimitNeed, PublicLimitOutcome, PublicLimitSide, PublicLimitWindow};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::collections::BTreeSet;
use utoipa::ToSchema;

/// Reads an enumeration by its name in the log.
macro_rules! named {
    ($($name:ty),+ $(,)?) => {$(
        impl FromJson for $name {
            fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
                let name = String::from_json(raw)?;
                let found = Self::ALL.iter().copied().find(|one| one.as_str() == name);
                found.ok_or_else(|| fault("value_unknown"))
            }
        }
    )+};
}

named!(Side, LimitWindow, LimitOutcome, Need);

impl FromJson for HoldOutcome {
    fn from_json(raw: &RawValue) -> Result<Self, Vec<FieldError>> {
        match String::from_json(raw)?.as_str() {
            "release" => Ok(Self::Release),
            "keep" => Ok(Self::Keep),
            _ => Err(fault("value_unknown")),
        }
    }
}

/// A rule of limits.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct LimitRuleInput {
    /// The customer of a sale that it is about.
    #[serde(default)]
    #[schema(value_type = PublicLimitSide, required, example = "sender")]
    side: Field<Side>,
    /// Window of the sum: one sale, or a number of days.
    #[serde(default)]
    #[schema(value_type = PublicLimitWindow, required, example = "days30")]
    window: Field<LimitWindow>,
    /// Ids of the payment groups whose sales count; absent or empty for all.
    #[serde(default)]
    #[schema(value_type = Option<Vec<uuid::Uuid>>)]
    groups: Field<Vec<PaymentGroupId>>,
    /// Largest allowed sum of amounts sent, in USD. Amount, count or both.
    #[serde(default)]
    #[schema(value_type = Option<MoneyInput>)]
    amount: Field<Amount>,
    /// Largest allowed number of remittances, up to 10,000. Not for the window `sale`.
    #[serde(default)]
    #[schema(value_type = Option<u32>, maximum = 10_000, example = 10)]
    count: Field<Whole>,
    /// Outcome for a sale beyond the limit.
    #[serde(default)]
    #[schema(value_type = PublicLimitOutcome, required, example = "needs")]
    outcome: Field<LimitOutcome>,
    /// Requirements for a sale beyond the limit; for the outcome `needs` only.
    #[serde(default)]
    #[schema(value_type = Option<Vec<PublicLimitNeed>>, example = json!(["document"]))]
    needs: Field<Vec<Need>>,
    /// Previous values of the sent fields, as the client read them. A field that someone else has changed since is
    /// refused: 409 `changed_since_read`. Absent, the rule is replaced as a whole. Only for changes.
    #[serde(default)]
    #[schema(value_type = Option<Object>)]
    was: Option<Box<Self>>,
}

mergeable!(LimitRuleInput {
    side: "side",
    window: "window",
    groups: "groups",
    amount: "amount",
    count: "count",
    outcome: "outcome",
    needs: "needs",
});

impl LimitRuleInput {
    /// The current rule.
    #[must_use]
    pub fn standing(rule: &LimitRule) -> Self {
        Self {
            side: Field::Given(rule.side),
            window: Field::Given(rule.window),
            groups: Field::Given(rule.groups.iter().copied().collect()),
            amount: standing(rule.amount),
            count: standing(rule.count.map(Whole)),
            outcome: Field::Given(rule.outcome),
            needs: Field::Given(rule.needs.iter().copied().collect()),
            was: None,
        }
    }

    /// The rule, under an id.
    ///
    /// # Errors
    /// All field errors.
    pub fn rule(self, id: LimitRuleId) -> Result<LimitRule, Refusal> {
        const _: () = assert!(MAX_LIMIT_COUNT == 10_000, "the contract says so");
        let mut faults = Faults::default();
        let side = faults.required("side", self.side);
        let window = faults.required("window", self.window);
        let groups = faults.optional("groups", self.groups);
        let amount = faults.optional("amount", self.amount);
        let count = faults.optional("count", self.count);
        let outcome = faults.required("outcome", self.outcome);
        let needs = faults.optional("needs", self.needs);
        faults.finish(|| {
            Some(LimitRule {
                id,
                side: side?,
                window: window?,
                groups: BTreeSet::from_iter(groups.unwrap_or_default()),
                amount,
                count: count.map(|count| count.0),
                outcome: outcome?,
                needs: BTreeSet::from_iter(needs.unwrap_or_default()),
            })
        })
    }
}

/// A review of a hold.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct HoldReviewInput {
    /// `release`: the remittance moves again once no hold is open. `keep`: it stays held.
    #[serde(default)]
    #[schema(value_type = String, required, example = "release", pattern = "^(release|keep)$")]
    outcome: Field<HoldOutcome>,
    /// Reason of the decision.
    #[serde(default)]
    #[schema(value_type = String, required, example = "She showed the contract of the sale of her house.")]
    reason: Field<String>,
    /// Ids of files that were uploaded for this review; absent or empty for none.
    #[serde(default)]
    #[schema(value_type = Option<Vec<String>>, max_items = 10)]
    files: Field<Vec<String>>,
}

/// A review with all fields.
#[derive(Debug)]
pub struct HoldReview {
    pub outcome: HoldOutcome,
    pub reason: String,
    pub files: Vec<String>,
}

impl HoldReviewInput {
    /// # Errors
    /// All field errors.
    pub fn review(self) -> Result<HoldReview, Refusal> {
        const _: () = assert!(MAX_REVIEW_FILES == 10, "the contract says so");
        let mut faults = Faults::default();
        let outcome = faults.required("outcome", self.outcome);
        let reason = faults.required_note("reason", self.reason);
        let files = faults.optional("files", self.files).unwrap_or_default();
        faults.finish(|| {
            Some(HoldReview {
                outcome: outcome?,
                reason: reason?,
                files,
            })
        })
    }
}
