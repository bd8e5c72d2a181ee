//! Random business compared with the oracle: thousands of commands, with every account equal after each, all
//! invariants and the closing identity satisfied, and the replay of the log equal to the books.

#![allow(clippy::inconsistent_digit_grouping, reason = "amounts in hundredths read as 318_50")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test stops where it must"
)]

mod approvals;
#[path = "../common/mod.rs"]
mod common;
mod ops;
mod oracle;
mod run;
mod screening;

use approvals::End;
use caudal_domain::{Account, AccountKind, TenantState};
use ops::{Op, business};
use oracle::{Money, State};
use proptest::prelude::*;
use run::Run;
use std::collections::BTreeMap;

impl Run {
    /// All accounts that are not 0, by the oracle's names.
    fn accounts(&self) -> BTreeMap<String, Money> {
        let name = |account: Account| {
            let owner = account
                .owner
                .map(|owner| format!(" {}", self.names[&owner]))
                .unwrap_or_default();
            let group = account
                .group
                .map(|group| format!(" {}", self.groups[&group]))
                .unwrap_or_default();
            format!("{}{owner}{group} {}", account.kind.as_str(), account.currency)
        };
        let tenant_state = &self.business.world.tenant_state;
        tenant_state
            .accounts()
            .filter(|(_, balance)| !balance.is_zero())
            .map(|(account, balance)| (name(account), Money::new(balance.minor(), 2)))
            .collect()
    }

    fn check(&self, op: &Op) {
        let expected: BTreeMap<_, _> = self
            .oracle
            .accounts
            .iter()
            .filter(|(_, balance)| !balance.is_zero())
            .map(|(name, balance)| (name.clone(), *balance))
            .collect();
        assert_eq!(self.accounts(), expected, "after {op:?}");
        let violations = self
            .business
            .world
            .tenant_state
            .violations(self.business.world.remittances());
        self.check_sums();
        self.check_holds(op);
        let world = &self.business.world;
        assert_eq!(
            world.tenant_state.waiting(world.now).count(),
            self.approvals.waiting(world.now),
            "after {op:?}"
        );
        assert!(violations.is_empty(), "after {op:?}: {violations:?}");
        let by_state = |state: State| {
            self.oracle
                .remittances
                .iter()
                .filter(|remittance| remittance.state == state)
                .count()
        };
        let open = self
            .business
            .world
            .remittances()
            .filter(|remittance| remittance.status.is_open())
            .count();
        assert_eq!(
            open,
            by_state(State::Pending) + by_state(State::Shipping) + by_state(State::Error)
        );
    }
}

fn run(ops: &[Op]) -> Run {
    let mut run = Run::new();
    for op in ops {
        let held = run.held();
        if let Some((real, oracle)) = run.step(op) {
            assert_eq!(real, oracle, "the books and the oracle disagree on {op:?}");
            run.accepted += usize::from(real);
        }
        run.check_held(&held, op);
        run.check(op);
    }
    run
}

/// Number of random days; the full form is `CAUDAL_DAYS=10000`.
fn days() -> u32 {
    match std::env::var("CAUDAL_DAYS") {
        Ok(days) => days.parse().expect("CAUDAL_DAYS is a number"),
        Err(_) => 48,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: days(), max_shrink_iters: 4_000, ..ProptestConfig::default() })]

    #[test]
    fn every_account_equals_the_oracles_after_every_command(ops in business(150..250)) {
        let run = run(&ops);
        let mut replayed = TenantState::default();
        for (event, at) in &run.business.world.log {
            let stored = event.encode_in_clear().unwrap();
            let read = caudal_domain::Event::decode(event.stream_kind(), event.event_type(), event.event_version(), &stored).unwrap();
            prop_assert_eq!(&read, event, "an event survives the log");
            replayed.apply(&read, *at);
        }
        prop_assert_eq!(&replayed, &run.business.world.tenant_state, "a replay gives the same books");
        let snapshot = serde_json::to_string(&run.business.world.tenant_state).unwrap();
        prop_assert_eq!(&serde_json::from_str::<TenantState>(&snapshot).unwrap(), &run.business.world.tenant_state, "a snapshot gives the same books");
    }
}

#[test]
fn a_long_day_accepts_enough_commands_to_be_meaningful() {
    use proptest::{strategy::ValueTree, test_runner::TestRunner};
    let mut runner = TestRunner::deterministic();
    let ops = business(3_000..3_001).new_tree(&mut runner).unwrap().current();
    let run = run(&ops);
    assert!(run.accepted > 900, "only {} of 3,000 commands passed", run.accepted);
    let kinds: std::collections::BTreeSet<AccountKind> = run
        .business
        .world
        .tenant_state
        .accounts()
        .filter(|(_, balance)| !balance.is_zero())
        .map(|(account, _)| account.kind)
        .collect();
    assert!(kinds.len() >= 14, "only {kinds:?} were used");
    let ends = [End::Approved, End::Expired, End::Rejected, End::Withdrawn].map(|end| run.approvals.ended(end));
    assert!(ends.iter().all(|ended| *ended > 5), "proposals ended {ends:?}");
    assert!(run.approvals.refused > 0, "no approval came too late");
    let remittances = &run.oracle.remittances;
    let settled = remittances.iter().filter(|own| own.breach == Some(true)).count();
    assert!(settled > 2, "only {settled} breaches were settled");
    let found = remittances.iter().flat_map(|own| &own.holds);
    let found = found.filter(|hold| hold.found_of.is_some()).count();
    let others: usize = run.oracle.customers.values().map(|own| own.others.len()).sum();
    assert!(
        found > 0 && others > 2,
        "{found} holds of screening and {others} decided pairs"
    );
    let opened: std::collections::BTreeSet<&str> =
        run.opened.keys().filter_map(|name| name.split(' ').next()).collect();
    assert_eq!(opened.len(), 3, "only {opened:?} were opened");
}
