//! Domain
