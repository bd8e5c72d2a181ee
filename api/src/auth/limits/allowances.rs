//! How many attempts of each kind are allowed.

/// Attempts allowed per [`super::WINDOW`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Strangers, per account and address.
    pub account_and_address: u32,
    /// Strangers, per address over all accounts.
    pub address: u32,
    /// Strangers, per account over all addresses: distributed guessing. So many, too, for all known devices of an account, and
    /// for all its open sessions.
    pub account: u32,
    /// A known device on its account, or an open session on its own account.
    pub known: u32,
}

/// Wrong passwords or codes; an office of forty people stays below.
pub const FAILURES: Allowance = Allowance {
    account_and_address: 10,
    address: 200,
    account: 50,
    known: 10,
};
/// Mails with a code. Low per account, so that mailboxes can't be flooded; high per address, for offices.
pub const MAILS: Allowance = Allowance {
    account_and_address: 3,
    address: 60,
    account: 10,
    known: 3,
};

/// Wrong codes of a second factor: one in 333,333 is right.
pub const CODES: Allowance = Allowance {
    account_and_address: 5,
    address: 60,
    account: 10,
    known: 5,
};

/// What is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Wrong passwords.
    Login,
    /// Wrong reset codes.
    Code,
    /// Wrong codes of a second factor.
    SecondFactor,
    /// Mails with a reset code.
    Mail,
    /// Mails about a login from a new device.
    Notice,
}

impl Kind {
    pub(super) const fn parts(self) -> (&'static str, Allowance) {
        match self {
            Self::Login => ("login", FAILURES),
            Self::Code => ("code", FAILURES),
            Self::SecondFactor => ("second_factor", CODES),
            Self::Mail => ("mail", MAILS),
            Self::Notice => ("notice", MAILS),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::{limits::WINDOW, recovery, refresh, totp};
    use chrono::Duration;

    /// A row of the page: numbers in a window, and in a day.
    fn told(subject: &str, in_a_window: &[u32]) -> String {
        let windows = u32::try_from(Duration::days(1).num_minutes() / WINDOW.num_minutes()).unwrap();
        let grouped = |number: u32| match (number / 1_000, number % 1_000) {
            (0, rest) => rest.to_string(),
            (thousands, rest) => format!("{thousands},{rest:03}"),
        };
        let list = |of: &dyn Fn(u32) -> u32| {
            let numbers: Vec<String> = in_a_window.iter().map(|number| grouped(of(*number))).collect();
            numbers.join("; ")
        };
        format!(
            "| {subject} | {} | {} |",
            list(&|number| number),
            list(&|number| number * windows)
        )
    }

    #[test]
    fn the_page_on_security_says_the_limits_of_the_code() {
        const PAGE: &str = include_str!("../../../../docs/security.md");
        let Allowance {
            account_and_address,
            address,
            account,
            known,
        } = FAILURES;
        let all_of = |allowance: Allowance| [allowance.account_and_address, allowance.account, allowance.address];
        for row in [
            told(
                "one account from one address (of IPv6, its /64)",
                &[account_and_address],
            ),
            told("one account from all addresses", &[account]),
            told("one address, any account", &[address]),
            told("one account on a known device", &[known]),
            told(
                "one account in an open session, where the current password is required",
                &[known],
            ),
            told(
                "one account on all its known devices; in all its open sessions",
                &[account, account],
            ),
            told(
                "codes of a second factor: one account from one address; one account; one address",
                &all_of(CODES),
            ),
            told(
                "codes of a second factor, one account on a known device or in an open session",
                &[CODES.known],
            ),
            told(
                "codes of a second factor, one account on all its known devices; in all its open sessions",
                &[CODES.account, CODES.account],
            ),
            told("answers of single sign-on, one address", &[account_and_address]),
            told("logins by passkey, one address", &[account_and_address]),
            told(
                "mails with codes: one account from one address; one account; one address",
                &all_of(MAILS),
            ),
        ] {
            assert!(PAGE.contains(&row), "the page has no row {row}");
        }
        assert_eq!(recovery::MAX_TRIES, 5);
        assert_eq!(8 * refresh::SECRET_BYTES, 256);
        assert_eq!(8 * totp::SECRET_BYTES, 160);
    }
}
