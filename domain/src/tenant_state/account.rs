//! The chart of accounts.

use crate::{
    ids::{PartyId, PaymentGroupId},
    money::CurrencyCode,
};
use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

macro_rules! account_kinds {
    ($($(#[$doc:meta])* $name:ident = $code:literal $text:literal),* $(,)?) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum AccountKind {
            $($(#[$doc])* $name,)*
        }

        impl AccountKind {
            /// In the order of the chart.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            #[must_use]
            pub const fn code(self) -> u16 {
                match self { $(Self::$name => $code,)* }
            }

            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

account_kinds! {
    /// The manager's cash.
    Treasury = 1000 "treasury",
    /// Cash in the hands of a dealer or a delivery man.
    FieldCash = 1100 "field_cash",
    /// What an agency or agent owes the manager, in USD.
    Debits = 1200 "debits",
    /// Commission accrued and not billed yet, in USD.
    CommissionReceivable = 1210 "commission_receivable",
    /// What an agent owes its agency, in USD (memorandum).
    AgencyReceivable = 1290 "agency_receivable",
    /// A seller's prepaid balance for one group.
    Balance = 2000 "balance",
    /// Payouts of remittances that are sold and not assigned.
    RemittancesPending = 2100 "remittances_pending",
    /// Payouts of remittances that are assigned to a dealer and not delivered.
    RemittancesShipping = 2110 "remittances_shipping",
    RemittancesError = 2120 "remittances_error",
    /// Commission on remittances that are not delivered yet, in USD.
    DeferredCommission = 2500 "deferred_commission",
    /// The other side of [`AccountKind::AgencyReceivable`] (memorandum).
    AgencyMemo = 2900 "agency_memo",
    /// Cash contributed by the manager.
    Capital = 3000 "capital",
    /// Currency exchange clearing: one balance per currency.
    FxPosition = 3500 "fx_position",
    /// Commission of delivered remittances, in USD.
    CommissionIncome = 4000 "commission_income",
    /// Fees paid for deliveries.
    DistributionFees = 5000 "distribution_fees",
    /// Expenses of a dealer or a delivery man.
    DealerExpenses = 5100 "dealer_expenses",
}

impl AccountKind {
    /// Whether its balance normally stands on the debit side (`fx_position` may stand on either; it counts as debit).
    #[must_use]
    pub const fn normally_debit(self) -> bool {
        matches!(
            self,
            Self::Treasury
                | Self::FieldCash
                | Self::Debits
                | Self::CommissionReceivable
                | Self::AgencyReceivable
                | Self::FxPosition
                | Self::DistributionFees
                | Self::DealerExpenses
        )
    }
}

impl FromStr for AccountKind {
    type Err = InvalidAccount;

    fn from_str(text: &str) -> Result<Self, InvalidAccount> {
        Self::ALL
            .iter()
            .copied()
            .find(|kind| kind.as_str() == text)
            .ok_or(InvalidAccount)
    }
}

/// One account of a tenant. Written in the log as `kind[/owner[/group]]/CURRENCY`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Account {
    pub kind: AccountKind,
    pub owner: Option<PartyId>,
    /// Set for [`AccountKind::Balance`] only.
    pub group: Option<PaymentGroupId>,
    pub currency: CurrencyCode,
}

/// Returned for a text that is not `kind[/owner[/group]]/CURRENCY`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not an account: kind[/owner[/group]]/CURRENCY")]
pub struct InvalidAccount;

impl Account {
    #[must_use]
    pub const fn of_tenant(kind: AccountKind, currency: CurrencyCode) -> Self {
        Self {
            kind,
            owner: None,
            group: None,
            currency,
        }
    }

    #[must_use]
    pub const fn of(kind: AccountKind, owner: PartyId, currency: CurrencyCode) -> Self {
        Self {
            kind,
            owner: Some(owner),
            group: None,
            currency,
        }
    }

    /// A party's account in USD: obligations and commissions.
    #[must_use]
    pub const fn usd(kind: AccountKind, owner: PartyId) -> Self {
        Self::of(kind, owner, CurrencyCode::USD)
    }

    /// A seller's prepaid balance for a group.
    #[must_use]
    pub const fn balance(owner: PartyId, group: PaymentGroupId, currency: CurrencyCode) -> Self {
        Self {
            kind: AccountKind::Balance,
            owner: Some(owner),
            group: Some(group),
            currency,
        }
    }
}

impl fmt::Display for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.as_str())?;
        if let Some(owner) = self.owner {
            write!(f, "/{owner}")?;
        }
        if let Some(group) = self.group {
            write!(f, "/{group}")?;
        }
        write!(f, "/{}", self.currency)
    }
}

impl fmt::Debug for Account {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Account {
    type Err = InvalidAccount;

    fn from_str(text: &str) -> Result<Self, InvalidAccount> {
        let parts: Vec<&str> = text.split('/').collect();
        let (kind, owner, group, currency) = match parts.as_slice() {
            [kind, currency] => (kind, None, None, currency),
            [kind, owner, currency] => (kind, Some(owner), None, currency),
            [kind, owner, group, currency] => (kind, Some(owner), Some(group), currency),
            _ => return Err(InvalidAccount),
        };
        Ok(Self {
            kind: kind.parse()?,
            owner: owner.map(|id| id.parse()).transpose().map_err(|_| InvalidAccount)?,
            group: group.map(|id| id.parse()).transpose().map_err(|_| InvalidAccount)?,
            currency: currency.parse().map_err(|_| InvalidAccount)?,
        })
    }
}

impl TryFrom<String> for Account {
    type Error = InvalidAccount;

    fn try_from(text: String) -> Result<Self, InvalidAccount> {
        text.parse()
    }
}

impl From<Account> for String {
    fn from(account: Account) -> Self {
        account.to_string()
    }
}
