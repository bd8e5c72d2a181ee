//! Limits: names of the API for rules.

use crate::names::names;
use caudal_domain::limits::{LimitOutcome, LimitWindow, Need, Side};

names! {
    /// The customer of a sale that a rule is about.
    PublicLimitSide(Side) {
        /// Who sends.
        Sender,
        /// Who receives.
        Recipient,
    }
    /// What a rule adds up.
    PublicLimitWindow(LimitWindow) {
        /// One sale.
        Sale,
        /// The day of the sale, in the tenant's time zone.
        Day,
        /// 7 days up to the sale.
        Days7,
        /// 30 days up to the sale.
        Days30,
        /// 365 days up to the sale.
        Days365,
    }
    /// What happens to a sale beyond a rule.
    PublicLimitOutcome(LimitOutcome) {
        /// It is sold with what the rule needs, and refused without.
        Needs,
        /// It is sold, and waits for a review.
        Hold,
        /// It is refused.
        Refuse,
    }
    /// What a sale beyond a rule needs.
    PublicLimitNeed(Need) {
        /// An identity document of the customer that has not expired.
        Document,
        /// The purpose of the transfer.
        Purpose,
        /// The source of the funds.
        SourceOfFunds,
    }
}
