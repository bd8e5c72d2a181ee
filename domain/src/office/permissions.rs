//! Areas, rights, and sets of both.

use crate::stream::StreamKind;
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt};

/// A part of the business that a permission is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Area {
    /// Remittances, from the sale to the delivery.
    Sales,
    /// Issuers and recipients, and their cards.
    Customers,
    /// Movements and debits: balances given, cash moved, expenses, payments.
    Payments,
    /// Agencies, agents, dealers and delivery men, with their terms and their logins: addresses, passwords, sessions and
    /// second factors.
    Parties,
    /// Changes of exchange rates.
    Rates,
    /// Closures, balances and entries.
    Accounting,
    /// Reports and the figures of the dashboard.
    Reports,
    /// The log itself, which tells everything that was ever recorded, and its verification.
    Audit,
    /// Members of the office with their logins, permission sets, and the list of all logins.
    Office,
    /// API keys, webhooks and the feed.
    Integrations,
    /// Currencies, payment groups, places, approval rules, and how everybody logs in: second factor, passwords, single
    /// sign-on.
    Settings,
    /// Limit rules, holds, screening with its lists and thresholds, and dossiers. Reads remittances, to review them, and the
    /// documents that expire.
    Compliance,
}

impl Area {
    pub const ALL: &'static [Self] = &[
        Self::Sales,
        Self::Customers,
        Self::Payments,
        Self::Parties,
        Self::Rates,
        Self::Accounting,
        Self::Reports,
        Self::Audit,
        Self::Office,
        Self::Integrations,
        Self::Settings,
        Self::Compliance,
    ];

    /// Areas of the commands that a rule of approvals may cover.
    pub const APPROVED: &'static [Self] = &[
        Self::Sales,
        Self::Customers,
        Self::Payments,
        Self::Parties,
        Self::Rates,
        Self::Accounting,
        Self::Office,
        Self::Settings,
        Self::Compliance,
    ];

    /// Stable name in the log and in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Sales => "sales",
            Self::Customers => "customers",
            Self::Payments => "payments",
            Self::Parties => "parties",
            Self::Rates => "rates",
            Self::Accounting => "accounting",
            Self::Reports => "reports",
            Self::Audit => "audit",
            Self::Office => "office",
            Self::Integrations => "integrations",
            Self::Settings => "settings",
            Self::Compliance => "compliance",
        }
    }

    /// Areas of which one must be read to learn of a record of a kind; none for what everybody learns of.
    #[must_use]
    pub const fn of_records(kind: StreamKind) -> &'static [Self] {
        match kind {
            StreamKind::Tenant | StreamKind::Currency | StreamKind::Place | StreamKind::PaymentGroup => &[],
            StreamKind::Party => &[Self::Parties, Self::Office],
            StreamKind::Customer => &[Self::Customers],
            // Whoever reviews holds and settles deliveries of what was held reads the remittances.
            StreamKind::Remittance => &[Self::Sales, Self::Compliance],
            StreamKind::Movement => &[Self::Payments],
            StreamKind::Closure => &[Self::Accounting],
            StreamKind::Rates => &[Self::Rates],
            StreamKind::ApiKey | StreamKind::Webhook => &[Self::Integrations],
            StreamKind::Proposal => Self::APPROVED,
        }
    }

    const fn bit(self) -> u16 {
        1 << self as u16
    }
}

/// Right in an area.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Right {
    Read,
    /// Includes reading.
    Write,
}

impl Right {
    /// Stable name in the log and in the API.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Write => "write",
        }
    }
}

/// A right in an area, shown as `payments:write`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permission {
    pub area: Area,
    pub right: Right,
}

impl fmt::Display for Permission {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.area.as_str(), self.right.as_str())
    }
}

/// Rights by area: a bit per area and right. What may be written may be read.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(from = "BTreeMap<Area, Right>", into = "BTreeMap<Area, Right>")]
pub struct Permissions {
    read: u16,
    write: u16,
}

impl Permissions {
    pub const NONE: Self = Self { read: 0, write: 0 };
    pub const ALL: Self = Self::writing(Area::ALL);

    #[must_use]
    pub const fn reading(areas: &[Area]) -> Self {
        Self::NONE.and_reading(areas)
    }

    #[must_use]
    pub const fn writing(areas: &[Area]) -> Self {
        let read = Self::reading(areas).read;
        Self { read, write: read }
    }

    #[must_use]
    pub const fn and_reading(mut self, areas: &[Area]) -> Self {
        let mut at = 0;
        while at < areas.len() {
            self.read |= areas[at].bit();
            at += 1;
        }
        self
    }

    #[must_use]
    pub const fn may(self, area: Area, right: Right) -> bool {
        let rights = match right {
            Right::Read => self.read,
            Right::Write => self.write,
        };
        rights & area.bit() != 0
    }

    /// Whether a right is held in one of the areas; true for no areas, which stand for everybody.
    #[must_use]
    pub fn may_in_one(self, areas: &[Area], right: Right) -> bool {
        areas.is_empty() || areas.iter().any(|area| self.may(*area, right))
    }

    /// The first permission that others have and these lack; `None` when these contain the others.
    #[must_use]
    pub fn lack(self, others: Self) -> Option<Permission> {
        let permissions = Area::ALL
            .iter()
            .flat_map(|area| [Right::Read, Right::Write].map(|right| Permission { area: *area, right }));
        permissions
            .filter(|wanted| others.may(wanted.area, wanted.right))
            .find(|wanted| !self.may(wanted.area, wanted.right))
    }

    #[must_use]
    pub const fn writes_nothing(self) -> bool {
        self.write == 0
    }

    /// The right held in each area.
    #[must_use]
    pub fn rights(self) -> BTreeMap<Area, Right> {
        self.into()
    }
}

impl From<BTreeMap<Area, Right>> for Permissions {
    fn from(rights: BTreeMap<Area, Right>) -> Self {
        rights.into_iter().fold(Self::NONE, |held, (area, right)| {
            let held = held.and_reading(&[area]);
            match right {
                Right::Read => held,
                Right::Write => Self {
                    write: held.write | area.bit(),
                    ..held
                },
            }
        })
    }
}

impl From<Permissions> for BTreeMap<Area, Right> {
    fn from(held: Permissions) -> Self {
        let right = |area: &Area| {
            let rights = [Right::Write, Right::Read];
            let right = rights.into_iter().find(|right| held.may(*area, *right))?;
            Some((*area, right))
        };
        Area::ALL.iter().filter_map(right).collect()
    }
}

impl fmt::Debug for Permissions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.rights()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_be_written_may_be_read_and_each_area_has_a_bit_of_its_own() {
        for area in Area::ALL {
            let one = Permissions::writing(&[*area]);
            assert!(one.may(*area, Right::Read) && one.may(*area, Right::Write));
            assert_eq!(one.rights(), [(*area, Right::Write)].into());
            assert_eq!(Permissions::from(one.rights()), one);
            assert!(!Permissions::reading(&[*area]).may(*area, Right::Write));
        }
        assert_eq!(Permissions::ALL.rights().len(), Area::ALL.len());
        assert_eq!(Permissions::NONE.rights().len(), 0);
    }

    #[test]
    fn the_first_lacking_permission_is_named() {
        let cashier = Permissions::writing(&[Area::Sales]).and_reading(&[Area::Payments]);
        assert_eq!(cashier.lack(cashier), None);
        assert_eq!(Permissions::ALL.lack(cashier), None);
        let wanted = Permissions::writing(&[Area::Sales, Area::Payments]);
        assert_eq!(
            cashier.lack(wanted).map(|lacking| lacking.to_string()),
            Some("payments:write".into())
        );
        let lacking = Permissions::NONE.lack(Permissions::reading(&[Area::Audit]));
        assert_eq!(lacking.map(|lacking| lacking.to_string()), Some("audit:read".into()));
        assert!(cashier.may_in_one(&[], Right::Write));
        assert!(cashier.may_in_one(&[Area::Audit, Area::Sales], Right::Write));
        assert!(!cashier.may_in_one(&[Area::Audit, Area::Payments], Right::Write));
    }
}
