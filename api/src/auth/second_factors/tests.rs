//! Codes of two nodes over one database: each is accepted once, and is fresh for its time.

use super::*;
use caudal_postgres_testing::TestDatabase;
use chrono::Duration;
use uuid::Uuid;

/// The second factors of two nodes over one database.
struct Nodes {
    _database: TestDatabase,
    one: SecondFactors,
    other: SecondFactors,
    tenant: TenantId,
    party: PartyId,
}

impl Nodes {
    async fn start() -> Self {
        let database = TestDatabase::new().await;
        let keyring = Keyring::generate().unwrap();
        let node = async || SecondFactors::new(database.connect().await, RowMacs::new(&keyring), &keyring);
        Self {
            one: node().await,
            other: node().await,
            _database: database,
            tenant: "default".parse().unwrap(),
            party: PartyId::generate(),
        }
    }

    async fn enrolled(&self, now: DateTime<Utc>) -> (Begun, RecoveryCodes) {
        let begun = self.one.begin(&self.tenant, self.party, now).await.unwrap();
        let code = totp::code(&begun.secret, totp::step_of(now));
        let (tenant, party, factor) = (&self.tenant, self.party, begun.factor);
        let confirmed = self.other.confirm(tenant, party, factor, &code, now - ENROLMENT, now);
        assert_eq!(confirmed.await.unwrap(), Verdict::App);
        let codes = self
            .other
            .issue_recovery_codes(tenant, party, factor, now)
            .await
            .unwrap();
        assert_eq!(codes.len(), RECOVERY_CODES);
        (begun, codes)
    }

    async fn check(&self, factor: SecondFactorId, typed: &str, now: DateTime<Utc>) -> Verdict {
        let checked = self.one.check(&self.tenant, self.party, Some(factor), typed, now).await;
        checked.unwrap()
    }
}

#[tokio::test]
async fn of_two_nodes_that_check_one_code_at_once_one_accepts_it() {
    let nodes = Nodes::start().await;
    let now = Utc::now();
    let (begun, codes) = nodes.enrolled(now).await;
    let later = now + Duration::seconds(totp::STEP_SECONDS);
    let code = totp::code(&begun.secret, totp::step_of(later));
    for typed in [code.as_str(), codes[0].as_str()] {
        let tries = (0..8).map(|number| {
            let node = if number % 2 == 0 { &nodes.one } else { &nodes.other };
            node.check(&nodes.tenant, nodes.party, Some(begun.factor), typed, later)
        });
        let verdicts = futures::future::join_all(tries).await;
        let accepted = verdicts
            .iter()
            .filter(|verdict| verdict.as_ref().unwrap().is_accepted());
        assert_eq!(accepted.count(), 1, "{verdicts:?}");
    }
}

#[tokio::test]
async fn a_code_is_used_once_and_none_before_it_is_accepted() {
    let nodes = Nodes::start().await;
    let now = Utc::now();
    let (begun, _) = nodes.enrolled(now).await;
    let present = totp::step_of(now);
    let code = |step| totp::code(&begun.secret, step);
    assert_eq!(nodes.check(begun.factor, &code(present), now).await, Verdict::Used);
    assert_eq!(nodes.check(begun.factor, &code(present - 1), now).await, Verdict::Used);
    let next = code(present + 1);
    let typed = format!(" {} {} ", &next[..3], &next[3..]);
    assert_eq!(nodes.check(begun.factor, &typed, now).await, Verdict::App);
    assert_eq!(nodes.check(begun.factor, &typed, now).await, Verdict::Used);
    assert_eq!(nodes.check(begun.factor, &code(present + 2), now).await, Verdict::Wrong);
    assert_eq!(
        nodes.check(SecondFactorId::generate(), &next, now).await,
        Verdict::Wrong
    );
}

#[tokio::test]
async fn each_recovery_code_is_accepted_once_as_people_type_it_and_new_ones_replace_them() {
    let nodes = Nodes::start().await;
    let now = Utc::now();
    let (begun, codes) = nodes.enrolled(now).await;
    let typed = shown(&codes[3]).to_uppercase();
    let verdict = nodes.check(begun.factor, &typed, now).await;
    assert_eq!(verdict, Verdict::Recovery { left: 9 });
    assert_eq!(nodes.check(begun.factor, &typed, now).await, Verdict::Wrong);
    let (tenant, party) = (&nodes.tenant, nodes.party);
    let again = nodes
        .one
        .issue_recovery_codes(tenant, party, begun.factor, now)
        .await
        .unwrap();
    assert_eq!(nodes.check(begun.factor, &codes[5], now).await, Verdict::Wrong);
    assert!(nodes.check(begun.factor, &again[0], now).await.is_accepted());
}

#[tokio::test]
async fn recovery_codes_of_a_passkey_are_accepted_beside_an_app_and_after_the_app_s_end() {
    let nodes = Nodes::start().await;
    let now = Utc::now();
    let (tenant, party, passkey) = (&nodes.tenant, nodes.party, SecondFactorId::generate());
    let codes = nodes
        .one
        .issue_recovery_codes(tenant, party, passkey, now)
        .await
        .unwrap();
    let without_app = nodes.other.check(tenant, party, None, &codes[0], now).await.unwrap();
    assert_eq!(without_app, Verdict::Recovery { left: 9 });
    let digits = nodes.other.check(tenant, party, None, "123456", now).await.unwrap();
    assert_eq!(digits, Verdict::Wrong);
    let begun = nodes.one.begin(tenant, party, now).await.unwrap();
    assert!(nodes.check(begun.factor, &codes[1], now).await.is_accepted());
    assert_eq!(nodes.one.recovery_codes_left(tenant, party).await.unwrap(), 8);
    nodes.one.delete_all(tenant, party).await.unwrap();
    assert_eq!(nodes.check(begun.factor, &codes[2], now).await, Verdict::Wrong);
}

#[tokio::test]
async fn an_enrolment_ends_after_its_time_and_an_ended_factor_has_no_codes() {
    let nodes = Nodes::start().await;
    let now = Utc::now();
    let begun = nodes.one.begin(&nodes.tenant, nodes.party, now).await.unwrap();
    let late = now + ENROLMENT + Duration::seconds(1);
    let code = totp::code(&begun.secret, totp::step_of(late));
    let (tenant, party) = (&nodes.tenant, nodes.party);
    let confirmed = nodes
        .one
        .confirm(tenant, party, begun.factor, &code, late - ENROLMENT, late)
        .await;
    assert_eq!(confirmed.unwrap_err().code(), "second_factor_expired");
    let (begun, codes) = nodes.enrolled(late).await;
    nodes.other.delete_all(tenant, party).await.unwrap();
    assert_eq!(nodes.check(begun.factor, &codes[0], late).await, Verdict::Wrong);
}

#[tokio::test]
async fn a_given_code_is_fresh_for_its_session_and_factor_for_five_minutes() {
    let nodes = Nodes::start().await;
    let (now, tenant) = (Utc::now(), &nodes.tenant);
    let (session, factor) = (Uuid::now_v7(), SecondFactorId::generate());
    let until = nodes.one.note_code(tenant, session, factor, now).await.unwrap();
    let fresh = async |session, factor, at| {
        let until = nodes.other.fresh_until(tenant, session, &[factor], at).await;
        until.unwrap()
    };
    assert!(fresh(session, factor, until - Duration::seconds(1)).await.is_some());
    assert_eq!(fresh(session, factor, until).await, None);
    assert_eq!(fresh(Uuid::now_v7(), factor, now).await, None);
    assert_eq!(fresh(session, SecondFactorId::generate(), now).await, None);
}
