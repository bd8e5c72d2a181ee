//! Reference data: currencies, Cuban places and payment groups; city suggestions.

pub mod city;
pub mod currency;
pub mod payment_group;
pub mod place;
