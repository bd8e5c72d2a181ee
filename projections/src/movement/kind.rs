//! The kinds of movements: one table of what the contract, the filter, files and receipts say of each.

use crate::{
    codes::same,
    list::values::Known,
    print::{Words, word},
};
use caudal_domain::{movement::MovementKind as Stored, party::Role};
use serde::Serialize;
use utoipa::ToSchema;

pub(super) const KIND: Known = Known::new("MovementKind", |value| {
    MovementKind::named(value).map(MovementKind::words)
});

/// Who stands on a side of a movement that names no party there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unnamed {
    /// The business.
    Treasury,
    /// Nobody of the business: money comes from outside, is spent, or is that of several.
    Nobody,
}

/// Each kind by its name in the API: the kind in the log with its name there and, where that tells more, the receiver's
/// role; who gives and who receives where no party is named; and its name in files.
macro_rules! movement_kinds {
    ($(
        $(#[$doc:meta])*
        $kind:ident $api:literal = $stored:ident $log:literal $(to $role:ident $role_name:literal)?,
            $from:ident => $to:ident, $words:expr;
    )*) => {
        /// What a movement is.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
        #[serde(rename_all = "camelCase")]
        pub enum MovementKind {$(
            $(#[$doc])*
            $kind,
        )*}

        impl MovementKind {
            /// Their names in the API, with their conditions on a movement `m` and its receiver `t`.
            pub(super) const CONDITIONS: &[(&'static str, &'static str)] = &[$((
                $api,
                concat!("m.kind = '", $log, "'" $(, " AND t.role = '", $role_name, "'")?),
            )),*];

            /// By its name in the API.
            pub(crate) fn named(name: &str) -> Option<Self> {
                match name {
                    $($api => Some(Self::$kind),)*
                    _ => None,
                }
            }

            /// What it is called.
            pub(crate) const fn words(self) -> Words {
                match self { $(Self::$kind => $words,)* }
            }

            /// Who gives where no party is named.
            pub(crate) const fn giver(self) -> Unnamed {
                match self { $(Self::$kind => Unnamed::$from,)* }
            }

            /// Who receives where no party is named.
            pub(crate) const fn receiver(self) -> Unnamed {
                match self { $(Self::$kind => Unnamed::$to,)* }
            }
        }

        $(
            const _: () = assert!(same($log, Stored::$stored.as_str()));
            $(const _: () = assert!(same($role_name, Role::$role.as_str()));)?
        )*
    };
}

movement_kinds! {
    /// The manager puts cash in.
    ManagerDeposit "managerDeposit" = Deposit "deposit",
        Nobody => Treasury, word::DEPOSIT_TO_THE_TREASURY;
    /// Balance for a seller.
    BalanceAssignment "balanceAssignment" = Assignment "assignment",
        Treasury => Treasury, word::BALANCE_ASSIGNMENT;
    /// Cash for a dealer.
    DealerDeposit "dealerDeposit" = CashAssignment "cash_assignment" to Dealer "dealer",
        Treasury => Treasury, word::CASH_TO_A_DEALER;
    /// Cash for a delivery man.
    DeliveryDeposit "deliveryDeposit" = CashAssignment "cash_assignment" to DeliveryMan "delivery_man",
        Treasury => Treasury, word::CASH_TO_A_DELIVERY_MAN;
    /// Cash between field parties.
    DealerTransfer "dealerTransfer" = Transfer "transfer",
        Treasury => Treasury, word::TRANSFER;
    /// Cash from one currency to another.
    DealerExchange "dealerExchange" = Exchange "exchange",
        Treasury => Treasury, word::EXCHANGE;
    /// Cash back to the manager.
    DealerReturn "dealerReturn" = Return "return",
        Treasury => Treasury, word::RETURN_TO_THE_TREASURY;
    /// An expense in the field.
    Expense "expense" = Expense "expense",
        Treasury => Nobody, word::EXPENSE;
    /// A payment on debits. One on several parties' debits names none of them.
    ObligationPayment "debitPayment" = Payment "payment",
        Nobody => Treasury, word::PAYMENT_OF_DEBITS;
    /// What another system says of an account, at the beginning.
    OpeningBalance "openingBalance" = Opening "opening",
        Nobody => Treasury, word::OPENING_BALANCE;
}

impl MovementKind {
    /// By its kind in the log and the receiver's role.
    pub(super) fn of(stored: Stored, receiver: Option<Role>) -> Self {
        match stored {
            Stored::Deposit => Self::ManagerDeposit,
            Stored::Assignment => Self::BalanceAssignment,
            Stored::CashAssignment if receiver == Some(Role::DeliveryMan) => Self::DeliveryDeposit,
            Stored::CashAssignment => Self::DealerDeposit,
            Stored::Transfer => Self::DealerTransfer,
            Stored::Exchange => Self::DealerExchange,
            Stored::Return => Self::DealerReturn,
            Stored::Expense => Self::Expense,
            Stored::Payment => Self::ObligationPayment,
            Stored::Opening => Self::OpeningBalance,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::name_in_log;

    #[test]
    fn the_filter_names_kinds_as_answers_do() {
        for (name, _) in MovementKind::CONDITIONS {
            assert_eq!(
                MovementKind::named(name).map(|kind| name_in_log(&kind)).as_deref(),
                Some(*name)
            );
        }
    }

    #[test]
    fn the_view_for_analysts_names_each_kind_as_answers_do() {
        let page = include_str!("../../../migrations/schema/analytics.sql");
        let (_, view) = page.split_once("CREATE VIEW analytics_v1.movements").unwrap();
        let (view, _) = view.split_once(';').unwrap();
        for (name, condition) in MovementKind::CONDITIONS {
            let stored = condition.split('\'').nth(1).unwrap();
            assert!(view.contains(&format!("WHEN '{stored}'")), "{stored} is not in{view}");
            assert!(view.contains(&format!(" '{name}'")), "{name} is not in{view}");
        }
    }
}
