//! Reference data (the specification's nomenclators): currencies, Cuban places and the catalogue of payment groups.

pub mod currency;
pub mod payment_group;
pub mod place;
