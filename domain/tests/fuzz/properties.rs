//! Properties of money, quotes, entries, events and books for any input. The random test (`main.rs`) and the
//! coverage-guided fuzzer (`fuzz/`) both check them. Each function panics on a violation.

use crate::harness::Chance;
use caudal_domain::{
    Commission, Entry, Event, FrozenTerms, StreamKind, TenantState, UtilityType,
    money::{Amount, CurrencyCode, Rate},
    validate_amount,
};
use chrono::DateTime;
use std::path::Path;

/// A text reads back equal as amount, rate or currency code, or is refused.
pub fn money(text: &str) {
    if let Ok(amount) = text.parse::<Amount>() {
        let written = amount.to_string();
        assert_eq!(written.parse::<Amount>().unwrap(), amount, "{text:?} as {written:?}");
        assert!(text.bytes().all(|byte| b"0123456789.-+".contains(&byte)), "{text:?}");
    }
    if let Ok(rate) = text.parse::<Rate>() {
        let written = rate.to_string();
        assert_eq!(written.parse::<Rate>().unwrap(), rate, "{text:?} as {written:?}");
        assert!(rate.decimal().abs() <= Rate::LARGEST && rate.decimal().scale() <= Rate::MAX_DECIMALS);
    }
    if let Ok(code) = text.parse::<CurrencyCode>() {
        assert_eq!(code.as_str(), text);
    }
}

fn rate(chance: &mut Chance, decimals: usize) -> Rate {
    let decimals = chance.below(decimals + 1);
    let number = chance.magnitude(1_000_000).unsigned_abs();
    let digits: String = (0..decimals)
        .map(|_| char::from(b'0' + chance.below(10) as u8))
        .collect();
    let text = if digits.is_empty() {
        number.to_string()
    } else {
        format!("{number}.{digits}")
    };
    text.parse().unwrap_or(Rate::ONE)
}

fn commission(chance: &mut Chance) -> Commission {
    let small =
        |chance: &mut Chance| -> Rate { format!("{}.{}", chance.below(100), chance.below(100)).parse().unwrap() };
    Commission {
        rate: small(chance),
        utility_type: if chance.once_in(2) {
            UtilityType::Fixed
        } else {
            UtilityType::Percentage
        },
        minimal_amount: chance
            .once_in(2)
            .then(|| Amount::from_minor(chance.magnitude(100_000).abs())),
        utility_value: chance.once_in(2).then(|| small(chance)),
    }
}

/// `numerator / denominator`, rounded half away from zero.
fn rounded(numerator: i128, denominator: i128) -> i128 {
    let (sign, size) = (numerator.signum(), numerator.abs());
    sign * ((size * 2 + denominator) / (denominator * 2))
}

/// A quote pays the rounded product and charges the sum of its fees.
pub fn quote(chance: &mut Chance) {
    let terms = FrozenTerms {
        exchange_rate: rate(chance, 12),
        manager_commission: commission(chance),
        agency_commission: chance.once_in(2).then(|| commission(chance)),
        agent_commission: chance.once_in(2).then(|| commission(chance)),
    };
    let amount = Amount::from_minor(chance.magnitude(i64::MAX));
    let Ok(quote) = terms.quote(amount, CurrencyCode::CUP) else {
        return;
    };
    validate_amount("amount", amount).unwrap();
    let decimal = terms.exchange_rate.decimal();
    let payout = rounded(
        i128::from(amount.minor()) * decimal.mantissa(),
        10_i128.pow(decimal.scale()),
    );
    assert_eq!(i128::from(quote.payout.minor()), payout, "{terms:?} {amount}");
    assert_eq!(quote.total_fee, quote.manager_fee + quote.agency_fee + quote.agent_fee);
    assert_eq!(quote.total_to_pay, quote.amount + quote.total_fee);
    // The quote for a payout is the smallest amount that reaches it.
    if let Ok(reverse) = terms.quote_for_payout(quote.payout, CurrencyCode::CUP) {
        assert!(
            reverse.payout >= quote.payout && reverse.amount <= quote.amount,
            "{terms:?} {amount}"
        );
        if let Ok(less) = terms.quote(reverse.amount - Amount::from_minor(1), CurrencyCode::CUP) {
            assert!(less.payout < quote.payout, "{terms:?} {amount}");
        }
    }
}

/// An event's kind, type, version and text.
pub type Stored = (StreamKind, &'static str, &'static str, Vec<u8>);

/// The golden files: every event in every version with every field.
pub fn golden(folder: &Path) -> Vec<Stored> {
    let read = |name: &str, version: &str| {
        let path = folder.join(format!("{name}.v{version}.json"));
        std::fs::read_to_string(path).unwrap().trim_end().as_bytes().to_vec()
    };
    let present = Event::TYPES.iter().map(|(kind, name)| {
        let version = Event::present_version(*kind, name).unwrap();
        (*kind, *name, version, read(name, version))
    });
    let earlier = Event::TYPES.iter().flat_map(|(kind, name)| {
        let versions = Event::earlier_versions(*kind, name).into_iter();
        versions.map(|version| (*kind, *name, version, read(name, version)))
    });
    present.chain(earlier).collect()
}

/// A stored text reads back equal as an event, or is refused.
pub fn event(kind: StreamKind, name: &str, version: &str, text: &str) {
    if let Ok(event) = Event::decode(kind, name, version, text) {
        let written = event.encode_in_clear().unwrap();
        let read = Event::decode(kind, name, event.event_version(), &written);
        assert_eq!(read.unwrap(), event, "{text}");
    }
}

/// No sequence of readable events breaks the books: an imported file with a valid chain may contain any.
pub fn state(golden: &[Stored], pieces: &[&str], chance: &mut Chance) {
    let mut state = TenantState::default();
    for _ in 0..chance.below(30) {
        let (kind, name, version, text) = &golden[chance.below(golden.len())];
        let text = if chance.once_in(3) {
            text.clone()
        } else {
            chance.mutated(text, pieces)
        };
        let Ok(text) = std::str::from_utf8(&text) else { continue };
        let Ok(event) = Event::decode(*kind, name, version, text) else {
            continue;
        };
        let seconds = chance.magnitude(8_000_000_000_000);
        state.apply(&event, DateTime::from_timestamp(seconds, 0).unwrap_or_default());
    }
    // Balanced to the cent, unless an account exceeds 64 bits.
    let mut sums = std::collections::BTreeMap::<CurrencyCode, i128>::new();
    let mut largest = 0;
    for (account, balance) in state.accounts() {
        *sums.entry(account.currency).or_default() += i128::from(balance.minor());
        largest = largest.max(balance.minor().unsigned_abs());
    }
    if largest < i64::MAX.unsigned_abs() / 64 {
        let mixed = state.accounts().count();
        assert!(mixed == 0 || sums.values().sum::<i128>() == 0, "{sums:?}");
    }
    // A snapshot of the books can be read back.
    let written = serde_json::to_string(&state).unwrap();
    let read: TenantState = serde_json::from_str(&written).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap().len(), written.len());
}

/// An entry reads back equal, or is refused.
pub fn entry(text: &[u8]) {
    let Ok(entry) = serde_json::from_slice::<Entry>(text) else {
        return;
    };
    let written = serde_json::to_string(&entry).unwrap();
    assert_eq!(serde_json::from_str::<Entry>(&written).unwrap(), entry);
    let back = entry.reversed().reversed();
    assert_eq!(back.transfers, entry.transfers);
}
