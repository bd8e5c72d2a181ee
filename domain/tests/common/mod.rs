//! A tenant in memory: commands are decided by the domain, and their events folded, without a journal.

#![allow(dead_code, reason = "each test binary uses its own part")]
#![allow(clippy::inconsistent_digit_grouping, reason = "amounts in hundredths read as 318_50")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops where it must"
)]

mod business;
pub mod given;
mod world;

pub use business::Business;
pub use world::World;

use caudal_domain::{
    Commission, UtilityType,
    closure::ClosePeriod,
    ids::{ClosureId, MunicipalityId, ObligationId, PartyId, PaymentGroupId, ProvinceId},
    money::{Amount, Rate},
    movement::{DepositTo, ExpectedParty},
    party::TermsChange,
    reference_data::place::provinces,
    remittance::CompleteRemittance,
};

pub fn amount(text: &str) -> Amount {
    text.parse().unwrap()
}

pub fn rate(text: &str) -> Rate {
    text.parse().unwrap()
}

pub fn closing(party: PartyId) -> ClosePeriod {
    ClosePeriod {
        id: ClosureId::generate(),
        party,
        to: None,
        debit: ObligationId::generate(),
        agency_debit: ObligationId::generate(),
    }
}

pub fn any(party: PartyId) -> DepositTo {
    DepositTo::Party(party, ExpectedParty::Any)
}

pub fn terms(group: PaymentGroupId, exchange_rate: &str, commission: Commission, credit_limit: &str) -> TermsChange {
    TermsChange {
        group,
        exchange_rate: Some(rate(exchange_rate)),
        commission: Some(commission),
        name: None,
        is_active: None,
        credit_limit: Some(amount(credit_limit)),
    }
}

pub fn commission(percent: &str, utility_type: UtilityType, special: Option<(&str, &str)>) -> Commission {
    Commission {
        rate: rate(percent),
        utility_type,
        minimal_amount: special.map(|(minimum, _)| amount(minimum)),
        utility_value: special.map(|(_, utility)| rate(utility)),
    }
}

pub fn delivered() -> CompleteRemittance {
    CompleteRemittance {
        identification: Some("a".repeat(64)),
        signature: Some("b".repeat(64)),
        ..CompleteRemittance::default()
    }
}

pub fn place(province: &str, municipality: &str) -> (ProvinceId, MunicipalityId) {
    let province = provinces().iter().find(|known| known.name == province).unwrap();
    (
        province.id,
        province
            .municipalities
            .iter()
            .find(|known| known.name == municipality)
            .unwrap()
            .id,
    )
}
