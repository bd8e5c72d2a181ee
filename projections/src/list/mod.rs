//! Lists: one declaration each ([`List`]), from which the query, files, OpenAPI parameters and client names derive, and
//! one mechanism for sorting, filtering, searching, counting and paging.
//!
//! | Step | Where |
//! |---|---|
//! | validation of the request against the declaration | [`List::ask`]: [`Conditions`] and [`Order`] |
//! | keys of the page's rows in order, and the total | [`Request::keys`], [`Request::counted_keys`] |
//! | rows of the keys | the list's own module |

mod column;
mod common;
mod conditions;
mod declaration;
pub(crate) mod filter;
mod keys;
mod order;
pub(crate) mod values;

pub use column::Column;
pub use declaration::{Declared, List, SearchSpec};
pub use filter::{Filter, Takes};
pub use values::Known;

pub(crate) use column::{cells, count, currency, flag, money, number, rate, sum, text, time, unprinted};
pub(crate) use common::{Common, Sample};
pub(crate) use conditions::Conditions;
pub(crate) use declaration::{BY_NAME, MatchedBy};
pub(crate) use filter::day;
pub(crate) use keys::{Keys, in_order, page_of};

/// Maximum rows sorted without an index, for bounded columns.
pub const MAX_SORTED: i64 = 100_000;
