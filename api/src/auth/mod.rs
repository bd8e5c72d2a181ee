//! Authentication: passwords, second factors, one-time codes, access tokens, sessions, API keys, and limits on guessing.

pub mod address;
pub mod api_keys;
pub mod caller;
pub mod callers;
pub mod cookies;
pub mod devices;
pub mod guesses;
pub mod limits;
pub mod mac;
pub mod origins;
pub mod passkeys;
pub mod passwords;
pub mod recovery;
pub mod refresh;
pub mod second_factors;
pub mod sessions;
pub mod sign_on;
pub mod tokens;
pub mod totp;
pub mod turns;
