//! Who is who: passwords and the codes for forgotten ones, access tokens, sessions, and the limits on guessing.

pub mod address;
pub mod callers;
pub mod cookies;
pub mod devices;
pub mod limits;
pub mod mac;
pub mod passwords;
pub mod recovery;
pub mod refresh;
pub mod sessions;
pub mod tokens;
