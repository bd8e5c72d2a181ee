//! What of the lists is deleted in time, and what of a change in the database is found.

use super::{About, EVERYBODY, Packed, Packer, Store, stored_name};
use caudal_domain::ids::TenantId;
use caudal_journal::Keyring;
use caudal_postgres_testing::TestDatabase;
use caudal_screening::{Entry, ListedName};
use chrono::{TimeDelta, Utc};
use sqlx::{Connection as _, Executor as _};

fn packed(name: &str) -> Packed {
    let mut packer = Packer::default();
    packer.take(Entry {
        id: "1".to_owned(),
        names: vec![ListedName::strong(name)],
        ..Entry::default()
    });
    packer.finish().unwrap()
}

#[tokio::test]
async fn own_versions_that_the_log_does_not_name_are_deleted_an_hour_after_they_were_last_stored() {
    let database = TestDatabase::new().await;
    let store = Store::new(database.connect().await, &Keyring::generate().unwrap());
    let began = Utc::now();
    let put = async |name: &str, minutes: i64, keep: Option<&[String]>| {
        let packed = packed(name);
        let about = About {
            scope: "acme".to_owned(),
            name: stored_name(name, &packed.version()),
            format: "csv",
            published: None,
            now: began + TimeDelta::minutes(minutes),
        };
        store.put_own(about, packed, keep).await.unwrap();
        let lists = store.catalogue().await.unwrap().into_iter();
        let names = lists.map(|list| list.name.split('@').next().unwrap_or_default().to_owned());
        names.collect::<Vec<_>>()
    };
    let used = [stored_name("used", &packed("used").version())];
    put("used", 0, Some(&[])).await;
    put("again", 0, Some(&used)).await;
    assert_eq!(put("new", 30, Some(&used)).await, ["again", "new", "used"]);
    // It is stored again: another command is about to name it.
    put("again", 50, Some(&used)).await;
    assert_eq!(
        put("other", 100, None).await,
        ["again", "new", "other", "used"],
        "one waits"
    );
    assert_eq!(put("last", 100, Some(&used)).await, ["again", "last", "other", "used"]);
    assert_eq!(put("last", 161, Some(&used)).await, ["last", "used"]);
}

#[tokio::test]
async fn a_list_changed_in_the_database_is_found_by_its_row_and_by_its_content() {
    let database = TestDatabase::new().await;
    let store = Store::new(database.connect().await, &Keyring::generate().unwrap());
    for (scope, name) in [(EVERYBODY, "OFAC"), ("acme", "own"), ("other", "theirs")] {
        let about = About {
            scope: scope.to_owned(),
            name: name.to_owned(),
            format: "csv",
            published: None,
            now: Utc::now(),
        };
        store.put(about, packed(name)).await.unwrap();
    }
    let tenant: TenantId = "acme".parse().unwrap();
    assert_eq!(store.check(&tenant).await.unwrap(), (2, Vec::new()));
    let mut owner = sqlx::PgConnection::connect(database.url()).await.unwrap();
    for (there, back, changed) in [
        (
            "UPDATE journal.screening_lists SET entries = entries + 1 WHERE name <> 'OFAC'",
            "UPDATE journal.screening_lists SET entries = entries - 1 WHERE name <> 'OFAC'",
            "acme, own",
        ),
        (
            "UPDATE journal.screening_chunks SET content = replace(content, 'OFAC', 'Oofac')",
            "UPDATE journal.screening_chunks SET content = replace(content, 'Oofac', 'OFAC')",
            "*, OFAC",
        ),
    ] {
        owner.execute("SET caudal.tenant = '*'").await.unwrap();
        owner.execute(there).await.unwrap();
        assert_eq!(
            store.check(&tenant).await.unwrap(),
            (2, vec![changed.to_owned()]),
            "{there}"
        );
        owner.execute(back).await.unwrap();
    }
    assert_eq!(store.check(&tenant).await.unwrap(), (2, Vec::new()));
}
