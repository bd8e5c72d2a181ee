//! Who is who: passwords, access tokens, sessions, and the limits on guessing.

pub mod callers;
pub mod limits;
pub mod passwords;
pub mod sessions;
pub mod tokens;
