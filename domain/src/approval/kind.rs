//! Kinds of commands that a rule may cover.

use crate::{office::Area, party::Role, stream::StreamKind};
use serde::{Deserialize, Serialize};

macro_rules! approval_kinds {
    ($($(#[$doc:meta])* $name:ident = $text:literal, priced: $priced:literal;)*) => {
        /// What a rule covers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum ApprovalKind {
            $($(#[$doc])* $name,)*
        }

        impl ApprovalKind {
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// Stable name in the log and in the API.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Whether commands of the kind have an amount, so that a rule can begin at one.
            #[must_use]
            pub const fn is_priced(self) -> bool {
                match self { $(Self::$name => $priced,)* }
            }
        }
    };
}

approval_kinds! {
    /// Prepaid balance or cash for a party, paid at once; also cash that another party hands over to it.
    AssignmentOnCash = "assignment_on_cash", priced: true;
    /// Prepaid balance that its receiver owes.
    AssignmentOnCredit = "assignment_on_credit", priced: true;
    /// Another credit limit. Its amount is the new limit.
    CreditLimit = "credit_limit", priced: true;
    /// Rates and commissions of a party, a payment group or a currency, a new currency, and the delivery fees of a currency or a
    /// municipality.
    TermsAndRates = "terms_and_rates", priced: false;
    /// Reversal of a movement.
    Reversal = "reversal", priced: true;
    Expense = "expense", priced: true;
    /// Cash converted from one currency to another. Its amount is the larger of both sides at the reference rates.
    DealerExchange = "dealer_exchange", priced: true;
    /// Cancel of a remittance that a dealer has or had.
    CancelShipping = "cancel_shipping", priced: true;
    /// Edit of a remittance's amount more than 24 hours after the sale. Its amount is the larger of both.
    LateAmountEdit = "late_amount_edit", priced: true;
    /// A new user, one who may log in again, a member of the office who may do more, and what lets its maker log in as
    /// another: another address, the end of a second factor, a provider of single sign-on.
    User = "user", priced: false;
    /// Another card of a recipient.
    CardNumber = "card_number", priced: false;
    /// Closing of a period.
    Closing = "closing", priced: false;
    /// Release of a hold, whose amount is the remittance's, and a decision that a customer is not a listed person, which has none.
    HoldRelease = "hold_release", priced: true;
    /// Change of a limit rule.
    LimitRules = "limit_rules", priced: false;
    /// Another choice of lists for screening or of a threshold, or a change of an own list.
    ScreeningRules = "screening_rules", priced: false;
    /// Change of an approval rule.
    ApprovalRules = "approval_rules", priced: false;
}

impl ApprovalKind {
    /// Areas of its commands.
    #[must_use]
    pub const fn areas(self) -> &'static [Area] {
        match self {
            Self::AssignmentOnCash
            | Self::AssignmentOnCredit
            | Self::Reversal
            | Self::Expense
            | Self::DealerExchange => &[Area::Payments],
            Self::CreditLimit => &[Area::Parties],
            Self::TermsAndRates => &[Area::Rates, Area::Parties, Area::Settings],
            Self::CancelShipping | Self::LateAmountEdit => &[Area::Sales],
            // Permission sets are of the office; the provider of single sign-on is a setting.
            Self::User => &[Area::Office, Area::Parties, Area::Settings],
            Self::HoldRelease | Self::LimitRules | Self::ScreeningRules => &[Area::Compliance],
            Self::CardNumber => &[Area::Customers],
            Self::Closing => &[Area::Accounting],
            Self::ApprovalRules => &[Area::Settings],
        }
    }

    /// Areas of one of which its commands about a record are, as far as the record tells. `role` is that of a party; `None` for a
    /// party that there is not yet.
    #[must_use]
    pub const fn areas_of(self, record: StreamKind, role: Option<Role>) -> &'static [Area] {
        match (self, record, role) {
            (Self::TermsAndRates, StreamKind::Party, _) => &[Area::Parties],
            (Self::TermsAndRates, StreamKind::Rates, _) => &[Area::Rates],
            (Self::TermsAndRates, _, _) => &[Area::Settings],
            (Self::User, StreamKind::Party, Some(Role::Manager)) => &[Area::Office],
            (Self::User, StreamKind::Party, Some(_)) => &[Area::Parties],
            (Self::User, StreamKind::Party, None) => &[Area::Office, Area::Parties],
            (Self::User, StreamKind::Tenant, _) => &[Area::Office, Area::Settings],
            _ => self.areas(),
        }
    }
}
