//! Time-based one-time passwords (RFC 6238): six digits of HMAC-SHA-1, a step of 30 seconds. All authenticator apps know
//! this form, and many of them no other.

use super::mac::KeyedHash;
use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit as _, Mac as _};
use sha1::Sha1;
use zeroize::{Zeroize as _, Zeroizing};

/// Bytes of a secret: a block of SHA-1's output, as RFC 4226 recommends.
pub const SECRET_BYTES: usize = 20;
/// Seconds in which a code is shown.
pub const STEP_SECONDS: i64 = 30;
/// Accepted drift of the phone's clock, in steps, each way.
pub const DRIFT: i64 = 1;
/// Digits of a code.
pub const DIGITS: usize = 6;
/// Number of possible codes.
const CODES: u32 = 1_000_000;

/// RFC 4648, without padding.
const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Secret of an authenticator app.
pub type Secret = Zeroizing<[u8; SECRET_BYTES]>;

/// Time step of a moment.
pub const fn step_of(now: DateTime<Utc>) -> i64 {
    now.timestamp().div_euclid(STEP_SECONDS)
}

/// Code of a time step.
pub fn code(secret: &[u8; SECRET_BYTES], step: i64) -> Zeroizing<String> {
    let mut block = hmac::digest::Key::<Hmac<Sha1>>::default();
    for (to, from) in block.iter_mut().zip(secret) {
        *to = *from;
    }
    let mut mac = Hmac::<Sha1>::new(&block);
    block.zeroize();
    mac.update(&step.to_be_bytes());
    let digest: [u8; 20] = mac.finalize().into_bytes().into();
    // Dynamic truncation: four bytes from the place that the last four bits tell.
    let at = usize::from(digest[19] & 0x0f);
    let truncated = digest
        .iter()
        .skip(at)
        .take(4)
        .fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
    let number = (truncated & 0x7fff_ffff) % CODES;
    Zeroizing::new(format!("{number:0DIGITS$}"))
}

/// Step of a typed code around the present one. Every step is computed and compared in constant time.
pub fn find_step(secret: &[u8; SECRET_BYTES], typed: &str, now: DateTime<Utc>) -> Option<i64> {
    let (present, key) = (step_of(now), KeyedHash::new(&[0; 32]));
    let typed = key.of(&[typed.as_bytes()]);
    let mut found = None;
    for step in present - DRIFT..=present + DRIFT {
        if key.is_of(&[code(secret, step).as_bytes()], &typed) {
            found = Some(step);
        }
    }
    found
}

/// Whether a text has the form of a code.
pub fn is_code(typed: &str) -> bool {
    typed.len() == DIGITS && typed.bytes().all(|byte| byte.is_ascii_digit())
}

/// The secret as people type it into an app.
pub fn base32(secret: &[u8; SECRET_BYTES]) -> Zeroizing<String> {
    let mut text = Zeroizing::new(String::with_capacity(SECRET_BYTES * 8 / 5));
    // 20 bytes are four groups of five bytes, each of eight letters.
    for group in secret.chunks(5) {
        let bits = group.iter().fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
        for letter in (0..8).rev() {
            let index = usize::try_from(bits >> (letter * 5) & 31).unwrap_or_default();
            text.push(char::from(BASE32[index]));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &[u8; SECRET_BYTES] = b"12345678901234567890";

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).unwrap()
    }

    #[test]
    fn codes_are_those_of_the_test_vectors_of_rfc_6238() {
        // The vectors have eight digits; a code is the last six.
        for (seconds, expected) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(code(SECRET, step_of(at(seconds))).as_str(), expected, "{seconds}");
        }
    }

    #[test]
    fn a_code_is_accepted_one_step_before_and_after_its_own_and_no_further() {
        let now = at(1_111_111_111);
        let present = step_of(now);
        for drift in -3..=3 {
            let step = present + drift;
            let expected = (drift.abs() <= DRIFT).then_some(step);
            assert_eq!(find_step(SECRET, &code(SECRET, step), now), expected, "{drift}");
        }
        assert_eq!(find_step(SECRET, "", now), None);
    }

    #[test]
    fn a_secret_is_typed_as_the_base32_of_rfc_4648() {
        assert_eq!(base32(SECRET).as_str(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
    }

    #[test]
    fn a_code_has_six_digits() {
        assert!(is_code("012345"));
        for typed in ["", "12345", "1234567", "12345a", "١٢٣٤٥٦"] {
            assert!(!is_code(typed), "{typed}");
        }
    }
}
