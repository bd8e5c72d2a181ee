//! What an authenticator app does with a typed secret.

use caudal_api::auth::totp::SECRET_BYTES;

/// Bytes of a secret in Base32.
pub fn secret_of(text: &str) -> [u8; SECRET_BYTES] {
    let digit = |letter: u8| match letter {
        b'A'..=b'Z' => letter - b'A',
        _ => letter - b'2' + 26,
    };
    let mut bits = text.bytes().flat_map(|letter| {
        let digit = digit(letter);
        (0..5).rev().map(move |bit| digit >> bit & 1)
    });
    std::array::from_fn(|_| (0..8).fold(0, |byte, _| byte << 1 | bits.next().unwrap()))
}
