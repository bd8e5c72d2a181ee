//! Two real `caudal serve` processes over one PostgreSQL, writing one tenant at the same time.

use crate::support::{Answer, Business, Call, Client, PASSWORD, Process, create_tenant, text};
use caudal_domain::{Event, StreamState, ids::TenantId};
use caudal_journal::{Journal, Keyring, SystemClock};
use caudal_postgres_testing::TestDatabase;
use serde_json::{Value, json};
use std::{
    collections::BTreeMap,
    sync::{
        Arc, Barrier,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

const TENANT: &str = "shared";
/// Number of writers, half of them per node.
const WRITERS: u64 = 8;
/// Commands of each writer.
const COMMANDS: u64 = 30;
/// The agency's balance, in hundredths of CUP: less than the writers' sales, so they compete for it.
const FUNDS: i64 = 2_000_000;

/// The test's model: sums of the acknowledged commands, independent of their order.
#[derive(Debug, Default)]
struct Model(BTreeMap<&'static str, i64>);

impl Model {
    fn add(&mut self, account: &'static str, minor: i64) {
        *self.0.entry(account).or_default() += minor;
    }

    fn merge(&mut self, other: Self) {
        for (account, minor) in other.0 {
            self.add(account, minor);
        }
    }
}

/// A deterministic generator (xorshift).
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

fn units(minor: i64) -> String {
    format!("{}.{:02}", minor / 100, minor % 100)
}

/// One writer: deposits, cash for the dealer, sales, cancellations and assignments. Returns the sums of acknowledged
/// commands.
fn write(node: &Client, business: &Business, seed: u64) -> Model {
    let mut dice = Dice(seed * 7_919 + 1);
    let mut model = Model::default();
    let mut sold: Vec<(String, i64)> = Vec::new();
    for number in 0..COMMANDS {
        let minor = 100 + i64::try_from(dice.below(5_000)).unwrap();
        let send = |token: &str, method: &str, path: String, body: Value| {
            let key = format!("{seed}-{number}");
            node.send(Call::new(method, &path).token(token).key(&key).json(&body))
        };
        match dice.below(5) {
            0 => {
                let body = json!({"currency": "CUP", "amount": units(minor)});
                let answer = send(&business.manager, "POST", "/sources/deposit/manager".into(), body);
                assert_eq!(answer.status, 201, "{}", answer.body);
                model.add("treasury", minor);
            }
            1 => {
                let body = json!({"currency": "CUP", "amount": units(minor)});
                let path = format!("/sources/deposit/dealer/{}", business.dealer);
                let answer = send(&business.manager, "POST", path, body);
                match answer.status {
                    201 => {
                        model.add("treasury", -minor);
                        model.add("field_cash", minor);
                    }
                    409 => assert_eq!(answer.code(), "treasury_insufficient"),
                    status => panic!("{status}: {}", answer.body),
                }
            }
            2 | 3 => {
                let answer = send(
                    &business.agency_token,
                    "POST",
                    "/remittances".into(),
                    business.sale(&units(minor)),
                );
                match answer.status {
                    201 => {
                        // 320 CUP per dollar is exact, so the model needs no rounding.
                        model.add("balance", minor * 320);
                        model.add("remittances_pending", -minor * 320);
                        sold.push((text(&answer.body["id"]), minor * 320));
                    }
                    409 => assert_eq!(answer.code(), "balance_insufficient"),
                    status => panic!("{status}: {}", answer.body),
                }
            }
            _ => {
                let Some((id, payout)) = sold.pop() else { continue };
                if dice.below(2) == 0 {
                    let body = json!({"reason": "a petición del emisor"});
                    let answer = send(
                        &business.agency_token,
                        "POST",
                        format!("/remittances/{id}/cancel"),
                        body,
                    );
                    assert_eq!(answer.status, 200, "{}", answer.body);
                    model.add("balance", -payout);
                    model.add("remittances_pending", payout);
                } else {
                    let body = json!({"dealerId": business.dealer});
                    let answer = send(
                        &business.manager,
                        "PUT",
                        format!("/remittances/{id}/assign/dealer"),
                        body,
                    );
                    assert_eq!(answer.status, 200, "{}", answer.body);
                    model.add("remittances_pending", payout);
                    model.add("remittances_shipping", -payout);
                }
            }
        }
    }
    model
}

/// The accounts in CUP as a node answers them.
fn accounts(node: &Client, token: &str) -> BTreeMap<String, i64> {
    in_currency(node, token, "CUP")
}

fn in_currency(node: &Client, token: &str, currency: &str) -> BTreeMap<String, i64> {
    let answer = node.send(Call::new("GET", "/accounting/balances?RecordsPerPage=0").token(token));
    let rows = answer.body["data"]
        .as_array()
        .unwrap_or_else(|| panic!("{}", answer.body));
    rows.iter()
        .filter(|row| row["currency"] == currency)
        .map(|row| {
            (
                text(&row["kind"]),
                text(&row["closing"]).replace('.', "").parse().unwrap(),
            )
        })
        .collect()
}

#[test]
fn two_nodes_write_one_tenant_without_gaps_forks_or_differences() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(TestDatabase::new());
    let folder = tempfile::tempdir().unwrap();
    create_tenant(database.url(), folder.path(), TENANT);
    let nodes = [
        Process::serve(database.url(), folder.path()),
        Process::serve(database.url(), folder.path()),
    ];
    let business = Business::set_up(nodes[0].client(TENANT));
    business.fund(&units(FUNDS));
    let before = accounts(&nodes[1].client(TENANT), &business.manager);

    let mut model = Model::default();
    thread::scope(|scope| {
        let writers: Vec<_> = (1..=WRITERS)
            .map(|seed| {
                let node = nodes[usize::try_from(seed % 2).unwrap()].client(TENANT);
                let business = &business;
                scope.spawn(move || write(&node, business, seed))
            })
            .collect();
        for writer in writers {
            model.merge(writer.join().unwrap());
        }
    });

    let answered: Vec<_> = nodes
        .iter()
        .map(|node| accounts(&node.client(TENANT), &business.manager))
        .collect();
    assert_eq!(answered[0], answered[1], "both nodes answer the same");
    for (account, change) in &model.0 {
        let found = answered[0].get(*account).copied().unwrap_or_default();
        let started = before.get(*account).copied().unwrap_or_default();
        assert_eq!(found, started + change, "{account}");
    }
    runtime.block_on(check_log(&database, folder.path()));
}

/// Checks that the log has no gap and no fork, and that the books of a replay satisfy every invariant.
async fn check_log(database: &TestDatabase, folder: &std::path::Path) {
    let keyring = Keyring::open_or_create(&Keyring::path(folder)).unwrap();
    let journal = Journal::open(database.connect().await, keyring, Arc::new(SystemClock))
        .await
        .unwrap();
    let tenant: TenantId = TENANT.parse().unwrap();
    let verification = journal.verify(&tenant, &[], |_, _| {}).await.unwrap();
    assert_eq!(verification.fault, None);
    let (tenant_state, head) = journal.state(&tenant).await.unwrap();
    assert_eq!(verification.events, head.position, "positions have no gap");

    let mut streams = BTreeMap::new();
    let mut replayed = caudal_domain::TenantState::default();
    let mut position = 0;
    while position < head.position {
        for recorded in journal.events_after(&tenant, position, 1_000).await.unwrap() {
            replayed.apply(&recorded.event, recorded.recorded_at);
            if let Event::Remittance(_) = recorded.event {
                let state = streams
                    .entry(recorded.stream)
                    .or_insert_with(|| StreamState::new(recorded.stream.kind));
                state.apply(&recorded.event);
            }
            position = recorded.position;
        }
    }
    assert_eq!(replayed, tenant_state, "a replay gives the same books");
    let remittances = streams.values().filter_map(|state| match state {
        StreamState::Remittance(stream) => stream.0.as_ref(),
        _ => None,
    });
    assert_eq!(tenant_state.violations(remittances), []);
    journal.close().await;
}

/// Proposals of each pair of decisions.
const PROPOSALS: usize = 20;

/// What somebody decides about a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Deciding {
    Approve,
    Reject,
    Withdraw,
}

impl Deciding {
    const fn act(self) -> &'static str {
        match self {
            Self::Approve => "approve",
            Self::Reject => "reject",
            Self::Withdraw => "withdraw",
        }
    }

    const fn status(self) -> &'static str {
        match self {
            Self::Approve => "approved",
            Self::Reject => "rejected",
            Self::Withdraw => "withdrawn",
        }
    }

    fn body(self) -> Value {
        match self {
            Self::Reject => json!({"reason": "The earlier debts first"}),
            Self::Approve | Self::Withdraw => json!({}),
        }
    }
}

/// A decision of somebody at a node, under an idempotency key where there is one.
struct Decider {
    node: Client,
    token: String,
    deciding: Deciding,
    key: Option<&'static str>,
}

impl Decider {
    fn decide(&self, proposal: &str) -> Answer {
        let path = format!("/proposals/{proposal}/{}", self.deciding.act());
        let call = Call::new("POST", &path).token(&self.token).json(&self.deciding.body());
        self.node.send(match self.key {
            Some(key) => call.key(&format!("{key}-{proposal}")),
            None => call,
        })
    }
}

#[test]
fn of_two_decisions_about_a_proposal_at_once_on_two_nodes_one_takes_effect_and_the_other_is_told() {
    use Deciding::{Approve, Reject, Withdraw};
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(TestDatabase::new());
    let folder = tempfile::tempdir().unwrap();
    create_tenant(database.url(), folder.path(), TENANT);
    let nodes = [
        Process::serve(database.url(), folder.path()),
        Process::serve(database.url(), folder.path()),
    ];
    let clients = [nodes[0].client(TENANT), nodes[1].client(TENANT)];
    let business = Business::set_up(clients[0].clone());
    let [second, third] = ["second@example.test", "third@example.test"].map(|email| {
        let user = json!({"name": "Another", "email": email, "password": PASSWORD});
        business.as_manager(201, "POST", "/users", user);
        business.client.login(email, PASSWORD)
    });
    let rule = json!({"kind": "assignment_on_credit", "makers": ["manager"], "approvers": "manager",
                      "expiresAfterHours": 24});
    business.as_manager(201, "POST", "/approval-rules", rule);
    let decider = |node: usize, token: &str, deciding, key| Decider {
        node: clients[node].clone(),
        token: token.to_owned(),
        deciding,
        key,
    };
    let maker = &business.manager;
    let pairs = [
        [decider(0, &second, Approve, None), decider(1, &third, Approve, None)],
        [decider(0, &second, Approve, None), decider(1, &third, Reject, None)],
        [decider(0, &second, Approve, None), decider(1, maker, Withdraw, None)],
        [decider(0, &second, Reject, None), decider(1, maker, Withdraw, None)],
        // One click that is sent twice, because its first answer was slow.
        [
            decider(0, &second, Approve, Some("retry")),
            decider(1, &second, Approve, Some("retry")),
        ],
    ];
    let mut approved = 0_i64;
    for pair in &pairs {
        let proposals: Vec<String> = (0..PROPOSALS)
            .map(|number| {
                let body = json!({"paymentGroupId": business.cup, "amount": "3200", "onCredit": true});
                let path = format!("/sources/deposit/{}", business.agency);
                text(&clients[number % 2].expect(202, maker, "POST", &path, Some(body))["id"])
            })
            .collect();
        let barrier = Barrier::new(pair.len());
        let [first, other] = thread::scope(|scope| {
            let deciders = pair.each_ref().map(|decider| {
                let (proposals, barrier) = (&proposals, &barrier);
                scope.spawn(move || {
                    let decided = proposals.iter().map(|proposal| {
                        barrier.wait();
                        decider.decide(proposal)
                    });
                    decided.collect::<Vec<_>>()
                })
            });
            deciders.map(|decider| decider.join().unwrap())
        });
        for (proposal, answers) in proposals.iter().zip(first.iter().zip(&other)) {
            let answers = [answers.0, answers.1];
            let done: Vec<_> = pair
                .iter()
                .zip(answers)
                .filter(|(_, answer)| answer.status == 200)
                .collect();
            if pair[0].key.is_some() {
                assert_eq!(done.len(), 2, "the same request: {answers:?}");
                assert_eq!(answers[0].body, answers[1].body);
            } else {
                assert_eq!(done.len(), 1, "{answers:?}");
                let told = answers.iter().find(|answer| answer.status != 200).unwrap();
                assert_eq!(
                    (told.status, told.code()),
                    (409, "proposal_not_waiting"),
                    "{}",
                    told.body
                );
            }
            let deciding = done[0].0.deciding;
            approved += i64::from(deciding == Approve);
            for client in &clients {
                let read = client.expect(200, &third, "GET", &format!("/proposals/{proposal}"), None);
                assert_eq!(read["status"], deciding.status(), "{read}");
            }
        }
        // 3,200 CUP at 320.
        for client in &clients {
            let owed = in_currency(client, maker, "USD")
                .get("debits")
                .copied()
                .unwrap_or_default();
            assert_eq!(
                owed,
                approved * 1_000,
                "after {:?} and {:?}",
                pair[0].deciding,
                pair[1].deciding
            );
        }
    }
    assert!(approved >= i64::try_from(2 * PROPOSALS).unwrap(), "{approved}");
    assert_eq!(
        in_currency(&clients[0], maker, "CUP"),
        in_currency(&clients[1], maker, "CUP")
    );
    runtime.block_on(check_log(&database, folder.path()));
}

/// Sales of each seller whose answers are followed by queries.
const FOLLOWED: u64 = 40;
/// Time after which a query answers with what there is (docs/decisions/answers-at-the-commit.md).
const SHOWN_WITHIN: Duration = Duration::from_millis(250);
/// Maximum queries that gave up waiting, in a row, on a machine that is busy.
const GIVEN_UP: usize = 20;

/// The answer to a query that did not give up waiting for what was committed before it, or that shows it anyway.
fn without_giving_up(ask: impl Fn() -> Answer, shows: impl Fn(&Answer) -> bool) -> Answer {
    for _ in 0..GIVEN_UP {
        let asked = Instant::now();
        let answer = ask();
        if shows(&answer) || asked.elapsed() < SHOWN_WITHIN {
            return answer;
        }
    }
    ask()
}

#[test]
fn a_query_shows_every_sale_that_was_answered_before_it_on_either_node_to_either_session() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(TestDatabase::new());
    let folder = tempfile::tempdir().unwrap();
    create_tenant(database.url(), folder.path(), TENANT);
    let nodes = [
        Process::serve(database.url(), folder.path()),
        Process::serve(database.url(), folder.path()),
    ];
    let business = Business::set_up(nodes[0].client(TENANT));
    business.fund("100000.00");
    // No client says which position it has seen.
    thread::scope(|scope| {
        for seed in 1..=4 {
            let (nodes, business) = (&nodes, &business);
            scope.spawn(move || {
                let mut dice = Dice(seed * 7_919 + 1);
                let mut node = || nodes[usize::try_from(dice.below(2)).unwrap()].client(TENANT);
                for number in 0..FOLLOWED {
                    let key = format!("followed-{seed}-{number}");
                    let sale = Call::new("POST", "/remittances")
                        .token(&business.agency_token)
                        .key(&key)
                        .json(&business.sale("1.00"));
                    let sold = node().send(sale);
                    assert_eq!(sold.status, 201, "{}", sold.body);
                    let path = format!("/remittances/{}", text(&sold.body["id"]));
                    for reader in [&business.agency_token, &business.manager] {
                        let node = node();
                        let ask = || node.send(Call::new("GET", &path).token(reader));
                        let read = without_giving_up(ask, |answer| answer.status == 200);
                        assert_eq!(read.status, 200, "{}", read.body);
                    }
                    let newest = |list: &Answer| {
                        let rows = list.body["data"].as_array().unwrap();
                        rows.iter().map(|row| text(&row["code"])).max().unwrap()
                    };
                    let code = text(&sold.body["code"]);
                    let node = node();
                    let ask = || node.send(Call::new("GET", "/remittances?RecordsPerPage=10").token(&business.manager));
                    let list = without_giving_up(ask, |list| newest(list) >= code);
                    assert!(newest(&list) >= code, "{} is older than {code}", newest(&list));
                }
            });
        }
    });
}

/// Time for which connections are killed under requests.
const KILLING: Duration = Duration::from_secs(4);
/// Maximum time until somebody who asks again and again has an answer.
const ANSWERED_WITHIN: Duration = Duration::from_secs(30);

#[test]
fn a_request_that_loses_the_database_gets_a_retryable_error() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let database = runtime.block_on(TestDatabase::new());
    let folder = tempfile::tempdir().unwrap();
    create_tenant(database.url(), folder.path(), TENANT);
    let node = Process::serve(database.url(), folder.path());
    let business = Business::set_up(node.client(TENANT));
    let over = AtomicBool::new(false);
    let statuses = thread::scope(|scope| {
        let askers: Vec<_> = (0..6)
            .map(|asker| {
                let (business, over) = (&business, &over);
                scope.spawn(move || {
                    let begun = Instant::now();
                    let mut statuses = BTreeMap::new();
                    // A slow machine may answer nothing between two kills.
                    let is_answered = |statuses: &BTreeMap<u16, u32>| statuses.keys().any(|status| *status != 503);
                    while !over.load(Ordering::Relaxed)
                        || (!is_answered(&statuses) && begun.elapsed() < ANSWERED_WITHIN)
                    {
                        let call = match asker % 3 {
                            0 => Call::new("GET", "/accounting/balances"),
                            1 => Call::new("GET", "/remittances"),
                            _ => Call::new("POST", "/sources/deposit/manager")
                                .json(&json!({"currency": "CUP", "amount": "1.00"})),
                        };
                        let answer = business.client.send(call.token(&business.manager));
                        if answer.status == 503 {
                            assert!(!answer.header("Retry-After").is_empty(), "{}", answer.body);
                        }
                        *statuses.entry(answer.status).or_insert(0) += 1;
                    }
                    statuses
                })
            })
            .collect();
        runtime.block_on(kill_connections(database.url()));
        over.store(true, Ordering::Relaxed);
        let asked = askers.into_iter().map(|asker| asker.join().unwrap());
        asked.fold(BTreeMap::new(), |mut all, statuses: BTreeMap<u16, u32>| {
            for (status, count) in statuses {
                *all.entry(status).or_insert(0) += count;
            }
            all
        })
    });
    let expected = [200, 201, 503];
    assert!(statuses.keys().all(|status| expected.contains(status)), "{statuses:?}");
    assert!(
        statuses.contains_key(&200) && statuses.contains_key(&201),
        "{statuses:?}"
    );
}

async fn kill_connections(url: &str) {
    use sqlx::Connection as _;
    let mut owner = sqlx::PgConnection::connect(url).await.unwrap();
    let started = Instant::now();
    while started.elapsed() < KILLING {
        sqlx::query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
              WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
                AND state <> 'idle' AND random() < 0.5",
        )
        .fetch_all(&mut owner)
        .await
        .unwrap();
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}
