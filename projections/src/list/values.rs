//! Enumerations of filters: schemas in the OpenAPI document, and labels.

use crate::{
    print::{Words, word, words},
    scalar::{AgentType, DealerType, DebitStatus, DisputeStatus, RangeSelector, RemittanceStatus, UserType},
};

#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// Schema name.
    pub schema: &'static str,
    words: fn(&str) -> Option<Words>,
}

impl Known {
    pub(crate) const fn new(schema: &'static str, words: fn(&str) -> Option<Words>) -> Self {
        Self { schema, words }
    }

    /// Label of a value.
    pub(crate) fn words(self, value: &str) -> Option<Words> {
        (self.words)(value)
    }
}

fn numbered<T>(value: &str, of: fn(u8) -> Option<T>) -> Option<T> {
    value.parse().ok().and_then(of)
}

fn named<T: Copy>(value: &str, all: &[(&str, T)]) -> Option<T> {
    all.iter().find(|(name, _)| *name == value).map(|(_, known)| *known)
}

pub(crate) const ACCOUNT_KIND: Known = Known::new("AccountKind", |value| value.parse().ok().map(words::account));
pub(crate) const AGENT_TYPE: Known = Known::new("AgentType", |value| {
    numbered(value, AgentType::numbered).map(words::agent)
});
pub(crate) const CARD_BRAND: Known = Known::new("CardBrand", |value| value.parse().ok().map(words::brand));
pub(crate) const CUSTOMER_SIDE: Known = Known::new("CustomerSide", |value| match value {
    "sender" => Some(word::SENDER),
    "recipient" => Some(word::RECIPIENT),
    _ => None,
});
pub(crate) const DEALER_TYPE: Known = Known::new("DealerType", |value| {
    numbered(value, DealerType::numbered).map(words::dealer)
});
pub(crate) const DEBIT_STATUS: Known = Known::new("DebitStatus", |value| {
    let all = [
        ("open", DebitStatus::Open),
        ("settled", DebitStatus::Settled),
        ("void", DebitStatus::Void),
    ];
    named(value, &all).map(words::debit)
});
pub(crate) const DELIVERY_METHOD: Known =
    Known::new("DeliveryMethod", |value| words::method_named(value).map(words::method));
pub(crate) const DISPUTE_STATUS: Known = Known::new("DisputeStatus", |value| {
    let all = [("open", DisputeStatus::Open), ("settled", DisputeStatus::Settled)];
    named(value, &all).map(words::dispute)
});
pub(crate) const HOLD_REASON: Known = Known::new("PublicHoldReason", |value| match value {
    "limit_rule" => Some(word::BEYOND_A_LIMIT_RULE),
    "screening" => Some(word::LIKE_A_LISTED_PERSON),
    "manual" => Some(word::DECIDED_BY_A_MANAGER),
    _ => None,
});
pub(crate) const LIMIT_WINDOW: Known = Known::new("PublicLimitWindow", |value| match value {
    "sale" => Some(word::ONE_SALE),
    "day" => Some(word::ONE_DAY),
    "days7" => Some(word::SEVEN_DAYS),
    "days30" => Some(word::THIRTY_DAYS),
    "days365" => Some(word::YEAR_OF_DAYS),
    _ => None,
});
pub(crate) const PAYMENT_GROUP_TYPE: Known = Known::new("PaymentGroupType", |value| match value {
    "0" => Some(word::CATALOGUE),
    "1" => Some(Words::new("Condiciones propias", "Own terms")),
    _ => None,
});
pub(crate) const RANGE_SELECTOR: Known = Known::new("RangeSelector", |value| {
    numbered(value, RangeSelector::numbered).map(words::range)
});
pub(crate) const REMITTANCE_STATUS: Known = Known::new("RemittanceStatus", |value| {
    numbered(value, RemittanceStatus::numbered).map(|status| words::status(status, None))
});
pub(crate) const REMITTANCE_CHANGE: Known = Known::new("RemittanceChange", |value| {
    let change = serde_json::from_value(value.into()).ok();
    change.map(words::change)
});
pub(crate) const ROLLING_DAYS: Known = Known::new("RollingDays", |value| match value {
    "1" => Some(word::ONE_DAY),
    "7" => Some(word::SEVEN_DAYS),
    "30" => Some(word::THIRTY_DAYS),
    "365" => Some(word::YEAR_OF_DAYS),
    _ => None,
});
pub(crate) const STREAM_KIND: Known = Known::new("StreamKind", |_| None);
pub(crate) const USER_TYPE: Known =
    Known::new("UserType", |value| numbered(value, UserType::numbered).map(words::user));
