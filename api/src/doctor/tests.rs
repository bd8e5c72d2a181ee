//! Every mistake planted into sound facts, one at a time.

use super::*;
use caudal_postgres::Durability;
use chrono::{TimeDelta, TimeZone as _, Utc};
use std::{collections::BTreeSet, io::ErrorKind, path::PathBuf};

/// An installation with nothing to say about.
fn sound() -> InstallationFacts {
    let now = Utc.with_ymd_and_hms(2026, 11, 23, 12, 0, 0).unwrap();
    InstallationFacts {
        settings: SettingFacts {
            has_checkpoints_elsewhere: true,
            ..SettingFacts::default()
        },
        process: ProcessFacts {
            is_root: false,
            open_files: Some(65_536),
            is_debug_build: false,
        },
        folders: vec![FolderFacts {
            path: PathBuf::from("/var/lib/caudal"),
            holds: "data folder",
            must_exist: true,
            mode: Some(0o700),
            allowed: 0,
            unwritable: None,
            owned_by_other: None,
            is_in_memory: false,
        }],
        disks: vec![DiskFacts {
            path: PathBuf::from("/var/lib/caudal"),
            bytes: 100 << 30,
            free_bytes: 50 << 30,
            inodes: 1_000_000,
            free_inodes: 900_000,
        }],
        database: DatabaseUse::Answers(Box::new(DatabaseFacts {
            is_private: false,
            user: "caudal_login".to_owned(),
            name: "caudal".to_owned(),
            version_number: 150_010,
            version: "15.10".to_owned(),
            is_in_recovery: false,
            is_read_only: false,
            fsync: true,
            full_page_writes: true,
            synchronous_commit: "on".to_owned(),
            synchronous_standby_names: String::new(),
            requires_standby: false,
            data_checksums: true,
            autovacuum: true,
            encoding: "UTF8".to_owned(),
            connections: 97,
            connections_used: 22,
            connections_of_a_node: 20,
            telling_log_settings: Vec::new(),
            is_plain_to_another_machine: false,
            can_rewrite_history: false,
            is_superuser: false,
            has_node_role: true,
            is_node_member: true,
            schema: SchemaState::Current,
            clock_ahead: TimeDelta::milliseconds(3),
            log: Some(LogFacts {
                tenants: 1,
                ..LogFacts::default()
            }),
            archive: ArchiveFacts::default(),
            system_identifier: 7,
        })),
        owner: Some(Ok(OwnerFacts {
            user: "caudal_owner".to_owned(),
            owns: true,
            is_superuser: false,
            is_same_database: Some(true),
        })),
        standby: Some(Ok(StandbyFacts {
            is_in_recovery: true,
            system_identifier: 7,
            hot_standby_feedback: true,
            delay_seconds: 0.1,
        })),
        keys: KeyFacts {
            path: PathBuf::from("/var/lib/caudal/keys/master.keys"),
            ..KeyFacts::default()
        },
        network: NetworkFacts {
            listen: "10.0.0.2:8080".parse().unwrap(),
            listen_state: PortState::Free,
            operations_listen: Some("127.0.0.1:9100".parse().unwrap()),
            operations_state: PortState::Free,
            public_url_is_https: Some(true),
            trusted_proxies: vec!["10.0.0.1/32".parse().unwrap()],
            node: Some(NodeFacts {
                text: "http://10.0.0.2:8080".to_owned(),
                ip: Some("10.0.0.2".parse().unwrap()),
                is_localhost: false,
                is_https: false,
                port: 8080,
            }),
        },
        mail: MailFacts {
            way: MailWay::Server {
                fault: None,
                is_plain: false,
            },
            from: Some("Caudal <no-reply@envios.com>".to_owned()),
            from_is_address: true,
        },
        backup: BackupFacts {
            backed_up_at: Some(now - TimeDelta::hours(8)),
            rehearsed_at: Some(now - TimeDelta::days(20)),
            folder: Some(PathBuf::from("/mnt/backup")),
            is_on_the_same_disk: false,
            is_gone: false,
            copy: Some(CopyFacts {
                has_source: true,
                copied_at: Some(now - TimeDelta::seconds(10)),
            }),
        },
        buckets: vec![BucketFacts {
            setting: "--backup-copy-to",
            holds: BucketUse::Backups,
            place: "s3://backups/office".to_owned(),
            fault: None,
        }],
        telemetry: TelemetryFacts {
            collector: Some("http://127.0.0.1:4318".to_owned()),
            has_headers: true,
            fault: None,
        },
        now,
    }
}

fn found(facts: &InstallationFacts) -> Vec<Finding> {
    let findings = examine(facts)
        .into_iter()
        .filter_map(|examined| match examined.outcome {
            Outcome::Examined(findings) => Some(findings),
            Outcome::Skipped(_) => None,
        });
    findings.flatten().collect()
}

fn database(facts: &mut InstallationFacts) -> &mut DatabaseFacts {
    match &mut facts.database {
        DatabaseUse::Answers(database) => database,
        other => panic!("{other:?}"),
    }
}

fn owner(facts: &mut InstallationFacts) -> &mut OwnerFacts {
    facts.owner.as_mut().unwrap().as_mut().unwrap()
}

fn standby(facts: &mut InstallationFacts) -> &mut StandbyFacts {
    facts.standby.as_mut().unwrap().as_mut().unwrap()
}

fn log(facts: &mut InstallationFacts) -> &mut LogFacts {
    database(facts).log.as_mut().unwrap()
}

fn folder(facts: &mut InstallationFacts) -> &mut FolderFacts {
    facts.folders.first_mut().unwrap()
}

fn disk(facts: &mut InstallationFacts) -> &mut DiskFacts {
    facts.disks.first_mut().unwrap()
}

fn node(facts: &mut InstallationFacts) -> &mut NodeFacts {
    facts.network.node.as_mut().unwrap()
}

fn unreachable(facts: &mut InstallationFacts, sqlstate: Option<&str>, io: Option<ErrorKind>) {
    facts.database = DatabaseUse::Unreachable(Unreachable {
        setting: "DATABASE_URL",
        sqlstate: sqlstate.map(str::to_owned),
        io,
        is_url: false,
        said: "as it says".to_owned(),
    });
}

fn copy(facts: &mut InstallationFacts) -> &mut CopyFacts {
    facts.backup.copy.as_mut().unwrap()
}

fn in_public(facts: &mut InstallationFacts) {
    node(facts).text = "http://203.0.113.9:8080".to_owned();
    node(facts).ip = Some("203.0.113.9".parse().unwrap());
}

/// The code that a planted mistake must be found under, what its remedy must name, and the mistake.
type Plant = (&'static str, &'static str, fn(&mut InstallationFacts));

const PLANTS: &[Plant] = &[
    ("settings.broken", "https://", |f| {
        f.settings.broken.push(BrokenSetting {
            source: "CAUDAL_PUBLIC_URL".to_owned(),
            problem: "no address".to_owned(),
            remedy: "write it like https://HOST".to_owned(),
        });
    }),
    ("settings.exposed", "chmod 640", |f| {
        f.settings.exposed_file = Some((PathBuf::from("/etc/caudal/caudal.toml"), 0o644));
    }),
    ("settings.volatile", "CAUDAL_ACCEPT_VOLATILE", |f| {
        f.settings.accepted_volatile.push(Durability::Fsync);
    }),
    ("settings.checkpoints", "--checkpoint-to", |f| {
        f.settings.has_checkpoints_elsewhere = false
    }),
    ("settings.checkpoints_inside", "another machine", |f| {
        f.settings
            .checkpoint_folders_inside
            .push(PathBuf::from("/var/lib/caudal/checkpoints"));
    }),
    ("settings.checkpoints_unwritable", "chown", |f| {
        let unwritable = (PathBuf::from("/mnt/signed"), "read-only file system".to_owned());
        f.settings.unwritable_checkpoint_folders.push(unwritable);
    }),
    ("process.root", "systemctl", |f| f.process.is_root = true),
    ("process.open_files", "LimitNOFILE", |f| {
        f.process.open_files = Some(1_024)
    }),
    ("process.debug_build", "--release", |f| f.process.is_debug_build = true),
    ("folder.missing", "--data-dir", |f| folder(f).mode = None),
    ("folder.owner", "chown", |f| {
        folder(f).owned_by_other = Some("root".to_owned())
    }),
    ("folder.unwritable", "mount", |f| {
        folder(f).unwritable = Some("read-only file system".to_owned())
    }),
    ("folder.writable_by_others", "chmod 700", |f| {
        folder(f).mode = Some(0o777)
    }),
    ("folder.readable_by_others", "chmod 700", |f| {
        folder(f).mode = Some(0o755)
    }),
    ("folder.in_memory", "disk", |f| folder(f).is_in_memory = true),
    ("disk.full", "room", |f| disk(f).free_bytes = 1 << 30),
    ("disk.rather_full", "larger disk", |f| disk(f).free_bytes = 10 << 30),
    ("disk.inodes", "df -i", |f| disk(f).free_inodes = 10),
    ("database.url", "postgres://", |f| {
        unreachable(f, None, None);
        if let DatabaseUse::Unreachable(why) = &mut f.database {
            why.is_url = true;
        }
    }),
    ("database.password", "ALTER ROLE", |f| {
        unreachable(f, Some("28P01"), None)
    }),
    ("database.not_let_in", "pg_hba.conf", |f| {
        unreachable(f, Some("28000"), None)
    }),
    ("database.no_such_database", "CREATE DATABASE", |f| {
        unreachable(f, Some("3D000"), None)
    }),
    ("database.too_many_connections", "max_connections", |f| {
        unreachable(f, Some("53300"), None)
    }),
    ("database.starting", "wait", |f| unreachable(f, Some("57P03"), None)),
    ("database.refused", "PostgreSQL", |f| {
        unreachable(f, Some("42501"), None)
    }),
    ("database.not_running", "systemctl start postgresql", |f| {
        unreachable(f, None, Some(ErrorKind::ConnectionRefused));
    }),
    ("database.unreachable", "firewall", |f| {
        unreachable(f, None, Some(ErrorKind::TimedOut))
    }),
    ("database.not_started", "server.log", |f| {
        f.database = DatabaseUse::NotStarted("no initdb".to_owned())
    }),
    ("database.version", "upgrade", |f| database(f).version_number = 140_011),
    ("database.standby", "primary", |f| database(f).is_in_recovery = true),
    ("database.read_only", "RESET", |f| database(f).is_read_only = true),
    ("database.fsync", "fsync = on", |f| database(f).fsync = false),
    ("database.full_page_writes", "full_page_writes = on", |f| {
        database(f).full_page_writes = false
    }),
    ("database.synchronous_commit", "synchronous_commit = on", |f| {
        database(f).synchronous_commit = "off".to_owned();
    }),
    ("database.no_synchronous_standby", "synchronous_standby_names", |f| {
        database(f).requires_standby = true
    }),
    ("database.checksums", "pg_checksums", |f| {
        database(f).data_checksums = false
    }),
    ("database.archive_failing", "archive_command", |f| {
        let now = f.now;
        database(f).archive = ArchiveFacts {
            is_on: true,
            archived_at: Some(now - TimeDelta::hours(2)),
            failed_at: Some(now),
        };
    }),
    ("database.superuser", "two users", |f| database(f).is_superuser = true),
    ("database.owner_as_login", "--grant-login", |f| {
        database(f).can_rewrite_history = true
    }),
    ("database.no_node_role", "caudal_node", |f| {
        database(f).has_node_role = false
    }),
    ("database.not_a_member", "--grant-login caudal_login", |f| {
        database(f).is_node_member = false
    }),
    ("database.no_tls", "sslmode", |f| {
        database(f).is_plain_to_another_machine = true
    }),
    ("database.encoding", "UTF8", |f| {
        database(f).encoding = "SQL_ASCII".to_owned()
    }),
    ("database.autovacuum", "autovacuum = on", |f| {
        database(f).autovacuum = false
    }),
    ("database.max_connections", "max_connections = 60", |f| {
        database(f).connections = 17
    }),
    ("database.connections_used", "max_connections", |f| {
        database(f).connections_used = 90
    }),
    ("database.telling_log", "log_min_error_statement = panic", |f| {
        let setting = ("log_min_error_statement".to_owned(), "error".to_owned());
        database(f).telling_log_settings.push(setting);
    }),
    ("schema.missing", "caudal migrate", |f| {
        database(f).schema = SchemaState::Missing
    }),
    ("schema.behind", "caudal migrate", |f| {
        database(f).schema = SchemaState::Behind("migration 290".to_owned())
    }),
    ("schema.newer", "newer one", |f| {
        database(f).schema = SchemaState::Newer("migration 400".to_owned())
    }),
    ("schema.unknown", "caudal migrate", |f| {
        database(f).schema = SchemaState::Unknown("gone".to_owned())
    }),
    ("owner.same_user", "DATABASE_URL", |f| {
        owner(f).user = "caudal_login".to_owned()
    }),
    ("owner.owns_nothing", "owns it", |f| owner(f).owns = false),
    ("owner.superuser", "caudal_owner", |f| owner(f).is_superuser = true),
    ("owner.other_database", "same host", |f| {
        owner(f).is_same_database = Some(false)
    }),
    ("standby.primary", "leave it out", |f| standby(f).is_in_recovery = false),
    ("standby.other_cluster", "cluster of DATABASE_URL", |f| {
        standby(f).system_identifier = 8
    }),
    ("standby.feedback", "hot_standby_feedback = on", |f| {
        standby(f).hot_standby_feedback = false
    }),
    ("standby.behind", "pg_stat_replication", |f| {
        standby(f).delay_seconds = 60.0
    }),
    ("clock.wrong", "NTP", |f| {
        database(f).clock_ahead = TimeDelta::seconds(-20)
    }),
    ("clock.odd", "NTP", |f| database(f).clock_ahead = TimeDelta::seconds(2)),
    ("log.no_tenant", "caudal tenant create", |f| log(f).tenants = 0),
    ("log.unadopted", "caudal migrate --adopt-rows", |f| {
        log(f).is_unadopted = true
    }),
    ("log.quarantine", "caudal quarantine show acme", |f| {
        log(f).quarantined.push("acme".to_owned())
    }),
    ("log.screening_list", "caudal screening load", |f| {
        log(f)
            .missing_lists
            .push(("acme".to_owned(), vec!["ofac-sdn".to_owned()]))
    }),
    ("log.behind", "start a server", |f| {
        log(f).behind.push(("acme".to_owned(), 30_000))
    }),
    ("log.other_version", "caudal rebuild", |f| {
        log(f).other_version = Some(14)
    }),
    ("log.no_node_address", "--node-address", |f| {
        log(f).node_addresses.push("http://10.0.0.3:8080".to_owned());
        f.network.node = None;
    }),
    ("keys.missing", "CAUDAL_MASTER_KEY_FILE", |f| {
        f.keys.fault = Some(KeyFault::Missing)
    }),
    ("keys.permissions", "chmod 600", |f| {
        f.keys.fault = Some(KeyFault::Permissions(f.keys.path.clone(), 0o644, "600"));
    }),
    ("keys.unreadable", "chown", |f| {
        f.keys.fault = Some(KeyFault::Unreadable("permission denied".to_owned()))
    }),
    ("keys.format", "put the right key file back", |f| {
        f.keys.fault = Some(KeyFault::Format("line 1".to_owned()))
    }),
    ("keys.other_database", "put the right key file back", |f| {
        f.keys.fault = Some(KeyFault::OtherDatabase)
    }),
    ("keys.other_master", "put the right key file back", |f| {
        f.keys.fault = Some(KeyFault::OtherMaster("1".to_owned()))
    }),
    ("keys.missing_master", "--resume", |f| {
        f.keys.fault = Some(KeyFault::MissingMaster("1".to_owned()))
    }),
    ("keys.no_proof", "backup", |f| f.keys.fault = Some(KeyFault::NoProof)),
    ("keys.service", "CAUDAL_VAULT_TOKEN_FILE", |f| {
        f.keys.fault = Some(KeyFault::Service("sealed".to_owned()))
    }),
    ("keys.signing_missing", "CAUDAL_SIGNING_KEY_FILE", |f| {
        f.keys.signing_fault = Some(KeyFault::Missing)
    }),
    ("keys.signing_permissions", "chmod 600", |f| {
        f.keys.signing_fault = Some(KeyFault::Permissions(f.keys.path.clone(), 0o644, "600"));
    }),
    ("keys.signing_unreadable", "chown", |f| {
        f.keys.signing_fault = Some(KeyFault::Unreadable("permission denied".to_owned()))
    }),
    ("keys.signing_format", "put the file back", |f| {
        f.keys.signing_fault = Some(KeyFault::Format("line 1".to_owned()))
    }),
    ("keys.signing_other", "put the file back", |f| {
        f.keys.signing_fault = Some(KeyFault::OtherDatabase)
    }),
    ("keys.in_environment", "CAUDAL_MASTER_KEY_FILE", |f| {
        f.keys.are_in_environment = true
    }),
    ("keys.beside_backups", "elsewhere", |f| f.keys.is_beside_backups = true),
    ("network.port_taken", "ss -ltnp", |f| {
        f.network.listen_state = PortState::Taken
    }),
    ("network.not_our_address", "address of this machine", |f| {
        f.network.operations_state = PortState::Refused("cannot assign requested address".to_owned());
    }),
    ("network.same_ports", "another port", |f| {
        f.network.operations_listen = Some(f.network.listen)
    }),
    ("network.open_metrics", "--operations-listen", |f| {
        f.network.operations_listen = None
    }),
    ("network.plain_cookies", "--public-url", |f| {
        f.network.public_url_is_https = None;
        f.network.trusted_proxies.clear();
    }),
    ("network.public_http", "https://", |f| {
        f.network.public_url_is_https = Some(false)
    }),
    ("network.no_proxies", "--trusted-proxies", |f| {
        f.network.trusted_proxies.clear()
    }),
    ("network.everybody_trusted", "own addresses", |f| {
        f.network.trusted_proxies = vec!["0.0.0.0/0".parse().unwrap()];
    }),
    ("network.node_loopback", "private network", |f| {
        node(f).ip = Some("127.0.0.1".parse().unwrap())
    }),
    ("network.node_unreachable", "--listen", |f| {
        f.network.listen = "127.0.0.1:8080".parse().unwrap()
    }),
    ("network.node_unspecified", "private network", |f| {
        node(f).ip = Some("0.0.0.0".parse().unwrap())
    }),
    ("network.node_port", "same port", |f| node(f).port = 8081),
    ("network.node_in_clear", "https://", in_public),
    ("mail.outbox", "CAUDAL_SMTP_URL", |f| f.mail.way = MailWay::Outbox(3)),
    ("mail.url", "smtps://", |f| {
        f.mail.way = MailWay::Unreadable("no URL".to_owned())
    }),
    ("mail.refused", "password", |f| {
        f.mail.way = MailWay::Server {
            fault: Some("535 authentication failed".to_owned()),
            is_plain: false,
        };
    }),
    ("mail.plain", "smtps://", |f| {
        f.mail.way = MailWay::Server {
            fault: None,
            is_plain: true,
        };
    }),
    ("mail.no_sender", "CAUDAL_MAIL_FROM", |f| f.mail.from = None),
    ("mail.sender_of_nobody", "domain of yours", |f| {
        f.mail.from = Some("Caudal <a@caudal.invalid>".to_owned())
    }),
    ("mail.sender", "CAUDAL_MAIL_FROM", |f| {
        f.mail.from = Some("Caudal".to_owned());
        f.mail.from_is_address = false;
    }),
    ("backup.none", "every night", |f| f.backup = BackupFacts::default()),
    ("backup.old", "make one now", |f| {
        f.backup.backed_up_at = Some(f.now - TimeDelta::days(3))
    }),
    ("backup.never_rehearsed", "--rehearse", |f| f.backup.rehearsed_at = None),
    ("backup.rehearsed_long_ago", "once a month", |f| {
        f.backup.rehearsed_at = Some(f.now - TimeDelta::days(200))
    }),
    ("backup.gone", "mount it", |f| f.backup.is_gone = true),
    ("backup.same_disk", "another disk", |f| {
        f.backup.is_on_the_same_disk = true
    }),
    ("backup.copy_of_nothing", "CAUDAL_BACKUP_TO", |f| {
        copy(f).has_source = false
    }),
    ("backup.never_copied", "backup-copy-to", |f| copy(f).copied_at = None),
    ("backup.copy_late", "start the server", |f| {
        copy(f).copied_at = Some(f.now - TimeDelta::hours(2))
    }),
    ("bucket.unreachable", "AWS_SECRET_ACCESS_KEY", |f| {
        f.buckets[0].fault = Some("403 Forbidden".to_owned());
        copy(f).copied_at = None;
    }),
    ("telemetry.no_collector", "CAUDAL_OTLP_ENDPOINT", |f| {
        f.telemetry.collector = None
    }),
    ("telemetry.unreachable", "4318", |f| {
        f.telemetry.fault = Some(CollectorFault::Unreachable("connection refused".to_owned()))
    }),
    ("telemetry.refused", "CAUDAL_OTLP_HEADERS", |f| {
        f.telemetry.fault = Some(CollectorFault::Refused("401 Unauthorized to traces".to_owned()))
    }),
];

#[test]
fn a_sound_installation_has_no_finding() {
    assert_eq!(found(&sound()), []);
}

#[test]
fn each_planted_mistake_is_found_alone_with_its_remedy() {
    let mut planted = BTreeSet::new();
    for (code, remedy, plant) in PLANTS {
        let mut facts = sound();
        plant(&mut facts);
        let findings = found(&facts);
        let [finding] = findings.as_slice() else {
            panic!("{code}: {findings:#?}");
        };
        assert_eq!(finding.code, *code);
        assert!(finding.remedy.contains(remedy), "{code}: {}", finding.remedy);
        assert!(
            !finding.problem.contains('\n') && !finding.remedy.contains('\n'),
            "{code}"
        );
        let check = CHECKS
            .iter()
            .find(|check| code.starts_with(&format!("{}.", check.name)));
        assert!(check.is_some(), "{code} belongs to no check");
        planted.insert(*code);
    }
    assert_eq!(planted.len(), PLANTS.len(), "a code is planted twice");
    assert!(planted.len() >= 30, "{}", planted.len());
}

/// A code that no plant covers could be dead or wrong without anybody noticing.
#[test]
fn every_code_of_the_checks_is_planted() {
    let sources = [
        include_str!("backup.rs"),
        include_str!("database.rs"),
        include_str!("keys.rs"),
        include_str!("mail.rs"),
        include_str!("network.rs"),
        include_str!("place.rs"),
        include_str!("remote.rs"),
        include_str!("settings.rs"),
    ];
    let is_code = |text: &str| {
        CHECKS.iter().any(|check| {
            let rest = text.strip_prefix(check.name).and_then(|rest| rest.strip_prefix('.'));
            rest.is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_lowercase() || c == '_'))
        })
    };
    let written: BTreeSet<_> = sources
        .iter()
        .flat_map(|source| source.split('"'))
        .filter(|text| is_code(text))
        .collect();
    let planted: BTreeSet<_> = PLANTS.iter().map(|(code, ..)| *code).collect();
    assert_eq!(written, planted);
}

#[test]
fn a_database_that_does_not_answer_is_told_once() {
    let mut facts = sound();
    unreachable(&mut facts, None, Some(ErrorKind::ConnectionRefused));
    let codes: Vec<_> = found(&facts).into_iter().map(|finding| finding.code).collect();
    assert_eq!(codes, ["database.not_running"]);
    let skipped = examine(&facts);
    let skipped = skipped
        .iter()
        .filter(|examined| matches!(examined.outcome, Outcome::Skipped(_)));
    let names: Vec<_> = skipped.map(|examined| examined.name).collect();
    assert_eq!(names, ["schema", "clock", "log"]);
}
