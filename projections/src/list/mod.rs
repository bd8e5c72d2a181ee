//! Lists: one declaration each ([`List`]), of which the query, the files, the OpenAPI parameters and the client's names
//! are derived; and one mechanism for sorting, filtering, searching, counting and paging.
//!
//! | Step | Where |
//! |---|---|
//! | what is asked, checked against the declaration, once a request | [`List::ask`]: [`Conditions`] and [`Order`] |
//! | the keys of the page's rows, in order, and the total | [`Request::keys`], [`Request::counted_keys`] |
//! | the rows of the keys | the list's own module |

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
pub(crate) use declaration::{BY_NAME, Found};
pub(crate) use filter::day;
pub(crate) use keys::{Keys, in_order, page_of};

/// Rows that are sorted by what no index has the order of, where a column says so.
pub const MAX_SORTED: i64 = 100_000;
