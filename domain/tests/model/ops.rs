//! Commands at random, by the places of what they name.

use super::screening::ENTRIES;
use proptest::prelude::*;

#[derive(Clone, Debug)]
pub enum Op {
    Deposit {
        currency: usize,
        minor: i64,
    },
    /// Opens the treasury, a field party's cash or a seller's balance.
    Open {
        account: usize,
        party: usize,
        group: usize,
        minor: i64,
    },
    AssignBalance {
        by_agency: bool,
        seller: usize,
        group: usize,
        minor: i64,
        credit: bool,
    },
    Cash {
        by_dealer: bool,
        to: usize,
        currency: usize,
        minor: i64,
    },
    Transfer {
        from: usize,
        to: Option<usize>,
        currency: usize,
        minor: i64,
    },
    Exchange {
        party: usize,
        into_usd: bool,
        minor: i64,
        thousandths: i64,
    },
    Expense {
        party: usize,
        currency: usize,
        minor: i64,
    },
    Pay {
        by_agency: bool,
        picks: Vec<usize>,
        minor: Option<i64>,
    },
    Reverse {
        pick: usize,
    },
    Create {
        seller: usize,
        group: usize,
        minor: i64,
    },
    EditAmount {
        pick: usize,
        group: usize,
        minor: i64,
    },
    EditDetails {
        pick: usize,
    },
    Assign {
        pick: usize,
        dealer: usize,
        courier: Option<usize>,
    },
    Fail {
        pick: usize,
    },
    Cancel {
        pick: usize,
    },
    Complete {
        pick: usize,
    },
    Close {
        by_agency: bool,
        seller: usize,
    },
    Terms {
        seller: usize,
        group: usize,
        rate: i64,
        percent: i64,
        special: bool,
        limit: i64,
    },
    NextDay,
    /// Sets a rule of limits in one of three slots; removes the slot's rule without an outcome.
    Limit {
        slot: usize,
        of_recipients: bool,
        window: usize,
        group: Option<usize>,
        minor: Option<i64>,
        count: Option<u32>,
        outcome: Option<usize>,
    },
    /// Gives a customer a document, or takes it away.
    Document {
        customer: usize,
        card: Option<usize>,
    },
    /// Releases a hold of a remittance.
    Release {
        pick: usize,
        hold: usize,
    },
    /// A screening of a customer, which finds the entries of a set of bits.
    Screen {
        customer: usize,
        found: usize,
    },
    /// Holds what was sold before something was found.
    HoldFound,
    /// Decides a pair of a customer and a listed person.
    Pair {
        customer: usize,
        pick: usize,
        same: bool,
    },
    /// A carrier's delivery that is sent later, or at once: of something held, or of anything.
    Offline {
        pick: usize,
        held: bool,
        carrier: usize,
        at_once: bool,
    },
    /// Settles a delivery of what was held: one that was, or any remittance.
    Settle {
        pick: usize,
        breached: bool,
    },
    /// Sets a kind's rule of approvals; removes it without makers.
    Rule {
        kind: usize,
        makers: Option<usize>,
        minor: Option<i64>,
    },
    /// Decides about one of the latest proposals.
    Decide {
        pick: usize,
        what: usize,
    },
}

/// Opens an account: mostly before there are entries.
pub fn open() -> impl Strategy<Value = Op> {
    (0_usize..3, 0_usize..4, 0_usize..2, 1_i64..20_000_000).prop_map(|(account, party, group, minor)| Op::Open {
        account,
        party,
        group,
        minor,
    })
}

/// A business that begins with opening balances.
pub fn business(commands: std::ops::Range<usize>) -> impl Strategy<Value = Vec<Op>> {
    let parts = (
        prop::collection::vec(open(), 0..12),
        prop::collection::vec(ops(), commands),
    );
    parts.prop_map(|(mut first, rest)| {
        first.extend(rest);
        first
    })
}

pub fn ops() -> impl Strategy<Value = Op> {
    let minor = || prop_oneof![1_i64..50, 50_i64..30_000, 30_000_i64..5_000_000];
    let index = || proptest::arbitrary::any::<usize>();
    let two = || 0_usize..2;
    let four = || 0_usize..4;
    prop_oneof![
        2 => (two(), 1_i64..90_000_000).prop_map(|(currency, minor)| Op::Deposit { currency, minor }),
        2 => open(),
        4 => (proptest::bool::ANY, four(), two(), 1_i64..40_000_000, proptest::bool::ANY)
            .prop_map(|(by_agency, seller, group, minor, credit)| Op::AssignBalance { by_agency, seller, group, minor, credit }),
        3 => (proptest::bool::ANY, four(), two(), minor()).prop_map(|(by_dealer, to, currency, minor)| Op::Cash { by_dealer, to, currency, minor }),
        2 => (four(), proptest::option::of(four()), two(), minor())
            .prop_map(|(from, to, currency, minor)| Op::Transfer { from, to, currency, minor }),
        1 => (four(), proptest::bool::ANY, minor(), 1_i64..400_000)
            .prop_map(|(party, into_usd, minor, thousandths)| Op::Exchange { party, into_usd, minor, thousandths }),
        1 => (four(), two(), minor()).prop_map(|(party, currency, minor)| Op::Expense { party, currency, minor }),
        2 => (proptest::bool::ANY, prop::collection::vec(index(), 1..3), proptest::option::of(minor()))
            .prop_map(|(by_agency, picks, minor)| Op::Pay { by_agency, picks, minor }),
        1 => index().prop_map(|pick| Op::Reverse { pick }),
        9 => (four(), two(), 1_i64..60_000).prop_map(|(seller, group, minor)| Op::Create { seller, group, minor }),
        3 => (index(), two(), 1_i64..60_000).prop_map(|(pick, group, minor)| Op::EditAmount { pick, group, minor }),
        2 => index().prop_map(|pick| Op::EditDetails { pick }),
        7 => (index(), two(), proptest::option::of(2_usize..4)).prop_map(|(pick, dealer, courier)| Op::Assign { pick, dealer, courier }),
        3 => index().prop_map(|pick| Op::Fail { pick }),
        3 => index().prop_map(|pick| Op::Cancel { pick }),
        6 => index().prop_map(|pick| Op::Complete { pick }),
        2 => (proptest::bool::ANY, four()).prop_map(|(by_agency, seller)| Op::Close { by_agency, seller }),
        1 => (four(), two(), 1_i64..400_000, -10_000_i64..10_000, proptest::bool::ANY, 0_i64..1_000_000)
            .prop_map(|(seller, group, rate, percent, special, limit)| Op::Terms { seller, group, rate, percent, special, limit }),
        1 => Just(Op::NextDay),
        2 => (0_usize..3, proptest::bool::ANY, 0_usize..5, proptest::option::of(two()),
              proptest::option::weighted(0.8, 0_i64..200_000), proptest::option::weighted(0.3, 0_u32..12), proptest::option::weighted(0.8, 0_usize..3))
            .prop_map(|(slot, of_recipients, window, group, minor, count, outcome)| Op::Limit { slot, of_recipients, window, group, minor, count, outcome }),
        2 => (0_usize..5, proptest::option::of(0_usize..3)).prop_map(|(customer, card)| Op::Document { customer, card }),
        2 => (index(), index()).prop_map(|(pick, hold)| Op::Release { pick, hold }),
        2 => (0_usize..5, 0_usize..1 << ENTRIES).prop_map(|(customer, found)| Op::Screen { customer, found }),
        2 => Just(Op::HoldFound),
        4 => (0_usize..5, index(), proptest::bool::weighted(0.2)).prop_map(|(customer, pick, same)| Op::Pair { customer, pick, same }),
        4 => (index(), proptest::bool::ANY, index(), proptest::bool::weighted(0.2))
            .prop_map(|(pick, held, carrier, at_once)| Op::Offline { pick, held, carrier, at_once }),
        2 => (index(), proptest::bool::weighted(0.8)).prop_map(|(pick, breached)| Op::Settle { pick, breached }),
        4 => (index(), proptest::option::weighted(0.6, 0_usize..3), proptest::option::weighted(0.5, minor()))
            .prop_map(|(kind, makers, minor)| Op::Rule { kind, makers, minor }),
        9 => (index(), 0_usize..10).prop_map(|(pick, what)| Op::Decide { pick, what }),
    ]
}
