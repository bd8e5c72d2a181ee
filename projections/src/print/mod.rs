//! Values in words, for files: labels, names, amounts and times in a language.

mod cells;
mod printing;
pub(crate) mod words;

pub use caudal_export::{Words, word};
pub use cells::one_line;
pub use printing::Printing;

pub(crate) use cells::{actor, address, joined, name};
pub(crate) use printing::{DECIMALS, MONEY};
pub(crate) use words::{TOTAL, brand, method, method_named, status};
