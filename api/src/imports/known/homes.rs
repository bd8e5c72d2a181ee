//! Homes of recipients, and whether a row says another one.

use super::Known;
use crate::imports::values;
use caudal_domain::ids::CustomerId;
use uuid::Uuid;

/// Where a person lives, as far as somebody said it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Home {
    pub province: Option<Uuid>,
    pub municipality: Option<Uuid>,
    pub address: Option<String>,
}

/// A known recipient's home, with the hashes of the address and of the address with its neighbourhood.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct KnownHome {
    province: Option<Uuid>,
    municipality: Option<Uuid>,
    addresses: [Option<u128>; 2],
}

impl Known {
    fn address_key(&self, address: &str) -> Option<u128> {
        let address = values::folded(address);
        (!address.is_empty()).then(|| self.hash(address.as_str()))
    }

    /// Keeps where a recipient lives.
    pub fn keep_home(&mut self, id: CustomerId, home: &Home, neighbourhood: Option<&str>) {
        let address = home.address.as_deref().unwrap_or_default();
        let whole = neighbourhood.map(|neighbourhood| format!("{address} {neighbourhood}"));
        let known = KnownHome {
            province: home.province,
            municipality: home.municipality,
            addresses: [
                self.address_key(address),
                whole.and_then(|whole| self.address_key(&whole)),
            ],
        };
        self.homes.insert(id.0, known);
    }

    /// The field by which a row's home is another than that of the recipient whom the row means. What the row does not say is the
    /// recipient's.
    #[must_use]
    pub fn elsewhere(&self, id: CustomerId, home: &Home) -> Option<&'static str> {
        let known = self.homes.get(&id.0).copied().unwrap_or_default();
        if home.municipality.is_some() && home.municipality != known.municipality {
            return Some("municipality");
        }
        if home.province.is_some() && home.province != known.province {
            return Some("province");
        }
        let address = home.address.as_deref().and_then(|address| self.address_key(address));
        (address.is_some() && !known.addresses.contains(&address)).then_some("addressLine")
    }
}
