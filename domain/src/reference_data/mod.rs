//! Reference data (`nomenclators` in routes and screens): currencies, Cuban places and the catalogue of payment groups.

pub mod currency;
pub mod payment_group;
pub mod place;
