//! Nomenclators: currencies, Cuban places and payment groups; cities as they are typed.

pub mod city;
pub mod currency;
pub mod payment_group;
pub mod place;
