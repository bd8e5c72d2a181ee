//! Reference data: currencies, Cuban places and payment groups.

pub mod currency;
pub mod payment_group;
pub mod place;
