//! Passwords: argon2id on blocking threads with bounded concurrency.

use super::guesses::require_uncommon;
use crate::problem::ApiError;
use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher as _, PasswordVerifier as _, phc::PasswordHash},
};
use caudal_domain::{PasswordPolicy, Refusal, refusal::require};
use std::{ops::RangeInclusive, sync::Arc, time::Duration};
use tokio::sync::Semaphore;
use zeroize::Zeroizing;

/// Length limits of a composed password: the policy of a tenant that sets none.
const COMPOSED: RangeInclusive<usize> = 8..=15;
/// Length limits of a long password: without composition eight characters are few; ASVS asks for 64 at least to be allowed.
const LONG: RangeInclusive<usize> = 12..=128;

/// Length limits of a new password.
pub const fn lengths(policy: PasswordPolicy) -> RangeInclusive<usize> {
    match policy {
        PasswordPolicy::Composed => COMPOSED,
        PasswordPolicy::Long => LONG,
    }
}

const LANES: u32 = 1;

/// Cost of a new hash. Each stored hash is verified at the cost that it was made with.
#[derive(Clone, Copy, Debug)]
pub struct Cost {
    pub memory_kib: u32,
    pub passes: u32,
}

impl Cost {
    /// OWASP's first recommendation for argon2id.
    pub const RECOMMENDED: Self = Self {
        memory_kib: 19 * 1024,
        passes: 2,
    };
}

/// Queue timeout.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Debug, thiserror::Error)]
pub enum HashError {
    #[error("a password can't be hashed")]
    Argon2(#[source] argon2::password_hash::Error),
    #[error("the parameters of argon2 are not valid")]
    Parameters(#[source] argon2::Error),
}

#[derive(Clone)]
pub struct Passwords {
    /// Concurrency limit: the number of cores.
    turns: Arc<Semaphore>,
    /// Hash verified for unknown addresses, so that timing does not reveal them.
    decoy: Arc<str>,
    cost: Cost,
}

impl Passwords {
    pub fn new(cost: Cost) -> Result<Self, HashError> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let decoy = hash_at(cost, "a password that nobody has")?;
        Ok(Self {
            turns: Arc::new(Semaphore::new(cores)),
            decoy: decoy.into(),
            cost,
        })
    }

    /// Hash of a password as a PHC string.
    ///
    /// # Errors
    /// 503 when the queue is full.
    pub async fn hash(&self, password: &str) -> Result<String, ApiError> {
        let (cost, password) = (self.cost, Zeroizing::new(password.to_owned()));
        self.in_turn(move || hash_at(cost, &password))
            .await?
            .map_err(ApiError::internal)
    }

    /// Verifies a password. Without a hash the same work is done, and the answer is no.
    ///
    /// # Errors
    /// 503 when the queue is full.
    pub async fn verify(&self, password: &str, hash: Option<&str>) -> Result<bool, ApiError> {
        let password = Zeroizing::new(password.to_owned());
        let (known, hash) = (hash.is_some(), hash.unwrap_or(&self.decoy).to_owned());
        let matches = self
            .in_turn(move || verify_now(&password, &hash))
            .await?
            .map_err(ApiError::internal)?;
        Ok(known && matches)
    }

    async fn in_turn<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Result<T, ApiError> {
        let turn = tokio::time::timeout(PATIENCE, self.turns.clone().acquire_owned()).await;
        let Ok(Ok(turn)) = turn else {
            return Err(ApiError::unavailable("busy"));
        };
        let result = tokio::task::spawn_blocking(move || {
            let _turn = turn;
            work()
        });
        result.await.map_err(ApiError::internal)
    }
}

fn argon2(Cost { memory_kib, passes }: Cost) -> Result<Argon2<'static>, HashError> {
    let params = Params::new(memory_kib, passes, LANES, None).map_err(HashError::Parameters)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// Hashes synchronously; for one-shot commands.
pub fn hash_now(password: &str) -> Result<String, HashError> {
    hash_at(Cost::RECOMMENDED, password)
}

/// Hashes synchronously, at this cost.
pub fn hash_at(cost: Cost, password: &str) -> Result<String, HashError> {
    let hash = argon2(cost)?
        .hash_password(password.as_bytes())
        .map_err(HashError::Argon2)?;
    Ok(hash.to_string())
}

fn verify_now(password: &str, hash: &str) -> Result<bool, HashError> {
    use argon2::password_hash::Error;
    let hash = PasswordHash::new(hash).map_err(|error| HashError::Argon2(error.into()))?;
    // Uses the hash's own parameters, so that older hashes stay valid.
    match argon2(Cost::RECOMMENDED)?.verify_password(password.as_bytes(), &hash) {
        Ok(()) => Ok(true),
        Err(Error::PasswordInvalid) => Ok(false),
        Err(error) => Err(HashError::Argon2(error)),
    }
}

/// Validates a new password by the tenant's policy: composed, of 8 to 15 characters with a digit, a special character, an
/// upper and a lower case letter and no blanks, or long. Under both it must not be guessed soon.
///
/// # Errors
/// Names the field and the rule.
pub fn require_strong(field: &'static str, password: &str, policy: PasswordPolicy) -> Result<(), Refusal> {
    let rule = |holds: bool, code: &'static str| require(holds, || Refusal::invalid(field, code));
    let any = |is: fn(char) -> bool| password.chars().any(is);
    let length = lengths(policy);
    require(length.contains(&password.chars().count()), || {
        let (min, max) = (length.start().to_string(), length.end().to_string());
        Refusal::invalid_with(field, "password_length", [("min", min), ("max", max)])
    })?;
    if policy == PasswordPolicy::Long {
        rule(!any(char::is_control), "password_has_blanks")?;
        return require_uncommon(field, password);
    }
    rule(!any(|c| c.is_whitespace() || c.is_control()), "password_has_blanks")?;
    rule(any(|c| c.is_ascii_digit()), "password_needs_digit")?;
    rule(any(char::is_uppercase), "password_needs_upper_case")?;
    rule(any(char::is_lowercase), "password_needs_lower_case")?;
    rule(any(|c| !c.is_alphanumeric()), "password_needs_special_character")?;
    require_uncommon(field, password)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_of_a_password_has_its_code() {
        let code = |password| {
            require_strong("password", password, PasswordPolicy::Composed)
                .err()
                .map(|refusal| refusal.errors[0].code)
        };
        assert_eq!(code("Caudal#2026"), None);
        assert_eq!(code("Ca#2026"), Some("password_length"));
        assert_eq!(code("Caudal#202620262"), Some("password_length"));
        assert_eq!(code("Caudal# 2026"), Some("password_has_blanks"));
        assert_eq!(code("Caudal#Caudal"), Some("password_needs_digit"));
        assert_eq!(code("caudal#2026"), Some("password_needs_upper_case"));
        assert_eq!(code("CAUDAL#2026"), Some("password_needs_lower_case"));
        assert_eq!(code("Caudal2026"), Some("password_needs_special_character"));
        assert_eq!(code("Password#2026"), Some("password_common"));
    }

    #[test]
    fn a_long_password_needs_length_alone_and_is_no_known_one() {
        let code = |password: &str| {
            require_strong("password", password, PasswordPolicy::Long)
                .err()
                .map(|refusal| refusal.errors[0].code)
        };
        for accepted in ["tren lluvia gallo 9", "caballo-grapa-pila", &"lejos ñandú 7 ".repeat(9)] {
            assert_eq!(code(accepted), None, "{accepted}");
        }
        assert_eq!(code("Tr3n-Lluvia"), Some("password_length"));
        assert_eq!(code(&"tren lluvia 7".repeat(10)), Some("password_length"));
        assert_eq!(code("tren lluvia\tgallo"), Some("password_has_blanks"));
        assert_eq!(code("aaaaaaaaaaaaaaaa"), Some("password_common"));
        assert_eq!(code("contraseña123456"), Some("password_common"));
    }

    #[tokio::test]
    async fn a_password_matches_its_own_hash_only() {
        let passwords = Passwords::new(Cost::RECOMMENDED).unwrap();
        let hash = passwords.hash("Caudal#2026").await.unwrap();
        assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{hash}");
        assert!(passwords.verify("Caudal#2026", Some(&hash)).await.unwrap());
        assert!(!passwords.verify("Caudal#2027", Some(&hash)).await.unwrap());
        assert!(!passwords.verify("Caudal#2026", None).await.unwrap());
    }
}
