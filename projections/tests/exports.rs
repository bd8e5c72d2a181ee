//! Lists, reports and documents as files: exactly the filtered rows in the caller's scope, in every format and at
//! every size.

#[macro_use]
mod files;
mod documents;
mod lists;
mod reports;
mod sorts;
