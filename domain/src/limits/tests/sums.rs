//! Random days: the sums equal those of the sales.

use super::{CARD, OTHER_CARD, Shop, refuse};
use crate::{
    ids::{PersonId, RemittanceId},
    limits::{LimitWindow, Side},
};
use chrono::{Days, NaiveDate};
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Step {
    Sell { pair: usize, minor: i64 },
    Edit { pick: usize, minor: i64 },
    Cancel { pick: usize },
    Document { pair: usize, card: usize },
    Pass { days: i64 },
}

fn steps() -> impl Strategy<Value = Step> {
    let minor = || 1_i64..2_000;
    prop_oneof![
        8 => (0_usize..4, minor()).prop_map(|(pair, minor)| Step::Sell { pair, minor }),
        3 => (any::<usize>(), minor()).prop_map(|(pick, minor)| Step::Edit { pick, minor }),
        2 => any::<usize>().prop_map(|pick| Step::Cancel { pick }),
        1 => (0_usize..4, 0_usize..3).prop_map(|(pair, card)| Step::Document { pair, card }),
        2 => (0_i64..40).prop_map(|days| Step::Pass { days }),
    ]
}

/// A sale as the test counts it by itself.
#[derive(Clone, Debug)]
struct Counted {
    id: RemittanceId,
    sender: PersonId,
    recipient: PersonId,
    day: NaiveDate,
    minor: i64,
    canceled: bool,
}

fn total(sales: &[Counted], first: NaiveDate, last: NaiveDate, of: impl Fn(&Counted) -> bool) -> i64 {
    let counted = sales.iter().filter(|sale| !sale.canceled && of(sale));
    let within = counted.filter(|sale| first <= sale.day && sale.day <= last);
    within.map(|sale| sale.minor).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn sums_equal_those_of_the_sales_and_no_window_is_ever_beyond_its_limit(
        steps in prop::collection::vec(steps(), 20..80),
        documents_first in any::<bool>(),
    ) {
        const LIMIT: i64 = 60_00;
        const CARDS: [&str; 3] = [CARD, OTHER_CARD, "85020291531"];
        let mut shop = Shop::new();
        let limit = refuse(LimitWindow::Days30, "60.00");
        if documents_first {
            shop.set(&limit);
        }
        let sellers = [shop.business.agency, shop.business.other_agency];
        let pairs: Vec<_> = (0..4).map(|at| (sellers[at % 2], shop.pair(sellers[at % 2], Some(CARDS[at % 2])))).collect();
        shop.set(&limit);
        let mut sales: Vec<Counted> = Vec::new();
        for step in steps {
            let today = shop.today();
            match step {
                Step::Sell { pair, minor } => {
                    let (seller, pair) = pairs[pair];
                    let sold = shop.try_sell(seller, pair, minor);
                    let (sender, recipient) = (shop.person(pair.0), shop.person(pair.1));
                    let before = total(&sales, today - Days::new(29), today, |sale| sale.sender == sender);
                    match sold {
                        Ok(id) => {
                            prop_assert!(before + minor <= LIMIT, "{before} + {minor}");
                            sales.push(Counted { id, sender, recipient, day: today, minor, canceled: false });
                        }
                        Err(refusal) if refusal == "sale_beyond_limits" => {
                            if shop.business.world.tenant_state.limits().is_identified(pair.0) {
                                prop_assert!(before + minor > LIMIT, "{before} + {minor}");
                            }
                        }
                        // The seller's balance.
                        Err(refusal) => prop_assert_eq!(refusal, "balance_insufficient"),
                    }
                }
                Step::Edit { pick, minor } if !sales.is_empty() => {
                    let at = pick % sales.len();
                    let (id, was) = (sales[at].id, sales[at].minor);
                    if let Ok(_answer) = shop.edit_amount(id, minor) {
                        sales[at].minor = minor;
                        let Counted { sender, day, .. } = sales[at].clone();
                        if minor > was {
                            for end in day.iter_days().take_while(|end| *end <= today).take(30) {
                                let sum = total(&sales, end - Days::new(29), end, |sale| sale.sender == sender);
                                prop_assert!(sum <= LIMIT, "{sum} on {end}");
                            }
                        }
                    }
                }
                Step::Cancel { pick } if !sales.is_empty() => {
                    let at = pick % sales.len();
                    if !sales[at].canceled {
                        shop.cancel(sales[at].id);
                        sales[at].canceled = true;
                    }
                }
                Step::Document { pair, card } => {
                    let customer = pairs[pair].1.0;
                    shop.change(customer, Some(CARDS[card]));
                }
                Step::Pass { days } => shop.pass(days),
                _ => {}
            }
            let limits = shop.business.world.tenant_state.limits();
            let (first, last) = (shop.today() - Days::new(364), shop.today());
            for side in Side::ALL {
                let mut whole = 0;
                for person in limits.persons().collect::<Vec<_>>() {
                    let sum = limits.sum(person, *side, first, last);
                    whole += sum.amount.minor();
                    let own = |sale: &Counted| match side {
                        Side::Sender => sale.sender == person,
                        Side::Recipient => sale.recipient == person,
                    };
                    prop_assert_eq!(sum.amount.minor(), total(&sales, first, last, own));
                }
                prop_assert_eq!(whole, total(&sales, first, last, |_| true), "over persons as over remittances");
            }
        }
        let mut replayed = crate::TenantState::default();
        for (event, at) in &shop.business.world.log {
            replayed.apply(event, *at);
        }
        prop_assert_eq!(&replayed, &shop.business.world.tenant_state, "a replay gives the same books");
        let snapshot = serde_json::to_string(&shop.business.world.tenant_state).unwrap();
        prop_assert_eq!(&serde_json::from_str::<crate::TenantState>(&snapshot).unwrap(), &shop.business.world.tenant_state);
    }
}
