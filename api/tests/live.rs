//! The live stream: which events a caller receives, and how a stream resumes.

use crate::support::{self, Business, PASSWORD, Server, Stream, text};
use caudal_api::live::{MAX_STREAMS, MAX_STREAMS_OF_A_PARTY};
use serde_json::json;
use std::{
    thread,
    time::{Duration, Instant},
};

fn sell(business: &Business) -> String {
    text(&business.as_agency(201, "POST", "/remittances", business.sale("10"))["id"])
}

#[test]
fn a_seller_receives_its_sale_and_a_dealer_only_its_assignment() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let dealer = business.client.login("dealer@example.test", support::PASSWORD);
    let mut of_agency = Stream::open(server.address(), "acme", &business.agency_token, None).unwrap();
    let mut of_dealer = Stream::open(server.address(), "acme", &dealer, None).unwrap();
    let id = sell(&business);
    let heard = of_agency.next();
    assert_eq!(
        (heard.event.as_str(), heard.data["kind"].as_str()),
        ("change", Some("remittance"))
    );
    assert_eq!(heard.data["id"], id);
    assert_eq!(heard.data["position"].as_i64(), heard.id);
    assert_eq!(heard.data["own"], true);
    assert_eq!(heard.data.as_object().unwrap().len(), 4, "nothing else is told");

    let assign = json!({"dealerId": business.dealer});
    business.as_manager(200, "PUT", &format!("/remittances/{id}/assign/dealer"), assign);
    let first = of_dealer.next();
    assert_eq!((&first.data["id"], &first.data["own"]), (&json!(id), &json!(false)));
    assert!(first.id > heard.id, "the sale was none of his: {first:?}");
}

#[test]
fn a_stream_resumes_after_the_last_event_received() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let mut stream = Stream::open(server.address(), "acme", &business.manager, None).unwrap();
    let first = sell(&business);
    let seen = stream.next();
    assert_eq!(seen.data["id"], first);
    drop(stream);
    let missed = sell(&business);
    let mut resumed = Stream::open(server.address(), "acme", &business.manager, seen.id).unwrap();
    assert_eq!(resumed.next().data["id"], missed);
}

#[test]
fn a_position_that_cannot_be_resumed_from_is_answered_with_a_reset() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let mut ahead = Stream::open(server.address(), "acme", &business.manager, Some(1_000_000)).unwrap();
    let reset = ahead.next();
    assert_eq!((reset.event.as_str(), reset.id), ("reset", Some(server.head("acme"))));
}

#[test]
fn a_partys_stream_above_the_limit_ends_its_oldest() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let mut other = Stream::open(server.address(), "acme", &business.agency_token, None).unwrap();
    let mut open: Vec<_> = (0..=MAX_STREAMS_OF_A_PARTY)
        .map(|_| Stream::open(server.address(), "acme", &business.manager, None).unwrap())
        .collect();
    open.remove(0).read_to_its_end();
    let id = sell(&business);
    for stream in open.iter_mut().chain([&mut other]) {
        assert_eq!(stream.next().data["id"], id.as_str());
    }
    assert_eq!(Stream::open(server.address(), "acme", "rubbish", None).err(), Some(401));
}

/// Number of parties whose streams fill a node.
const CROWD: usize = MAX_STREAMS / MAX_STREAMS_OF_A_PARTY;
/// Connections in use while only streams are open: the projector's, the node link's, and the feed's for a few
/// milliseconds per poll.
const CONNECTIONS: u32 = 5;

#[test]
fn five_thousand_streams_hold_no_connection_and_all_receive_a_change() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    let tokens: Vec<String> = thread::scope(|scope| {
        let logins: Vec<_> = (0..4)
            .map(|part| {
                let business = &business;
                scope.spawn(move || {
                    let own = (0..CROWD).filter(|number| number % 4 == part);
                    own.map(|number| {
                        let email = format!("reader{number}@example.test");
                        let mut reader =
                            json!({"name": format!("Reader {number}"), "email": email, "password": PASSWORD});
                        // Half of them are of the office, whose permissions are checked with each change.
                        let path = if number % 2 == 0 {
                            "/users"
                        } else {
                            reader["paymentGroups"] = json!([]);
                            "/agency"
                        };
                        business.as_manager(201, "POST", path, reader);
                        business.client.login(&email, PASSWORD)
                    })
                    .collect::<Vec<_>>()
                })
            })
            .collect();
        logins.into_iter().flat_map(|login| login.join().unwrap()).collect()
    });
    let mut streams: Vec<Stream> = tokens
        .iter()
        .flat_map(|token| [token; MAX_STREAMS_OF_A_PARTY])
        .map(|token| Stream::open(server.address(), "acme", token, None).unwrap())
        .collect();
    assert_eq!(streams.len(), MAX_STREAMS);
    assert_eq!(
        Stream::open(server.address(), "acme", &tokens[0], None).err(),
        Some(503)
    );

    // Every stream has received its greeting.
    for stream in &mut streams {
        stream.message();
    }
    let pool = server.database().pool();
    let most_in_use = |during: Duration| {
        let begun = Instant::now();
        let mut most = 0;
        while begun.elapsed() < during {
            most = most.max(pool.size() - u32::try_from(pool.num_idle()).unwrap());
            thread::sleep(Duration::from_micros(500));
        }
        most
    };
    let idle = most_in_use(Duration::from_secs(3));
    assert!(idle <= CONNECTIONS, "{idle} connections while nothing happens");

    let most = thread::scope(|scope| {
        let watching = scope.spawn(|| most_in_use(Duration::from_secs(8)));
        let begun = Instant::now();
        let currency = json!({"code": "XTS", "symbol": "€", "exchangeRate": "0.9", "distributionRate": "0", "accounted": true,
                              "enabled": true});
        business.as_manager(201, "POST", "/nomenclators/currency", currency);
        for stream in &mut streams {
            assert_eq!(stream.next().data["kind"], "currency");
        }
        println!("all heard within {:?}", begun.elapsed());
        watching.join().unwrap()
    });
    // The change takes one connection, and its wait for the read models another.
    assert!(most <= CONNECTIONS + 3, "{most} connections while all hear of a change");
}

#[test]
fn reconnecting_streams_each_receive_missed_changes_in_order() {
    let server = Server::start(&["acme"]);
    let business = Business::new(&server, "acme");
    business.fund("100000");
    let position = server.head("acme");
    let sold: Vec<String> = (0..5).map(|_| sell(&business)).collect();
    let mut back: Vec<_> = (0..MAX_STREAMS_OF_A_PARTY)
        .map(|_| Stream::open(server.address(), "acme", &business.agency_token, Some(position)).unwrap())
        .collect();
    for stream in &mut back {
        let missed: Vec<_> = stream.events(sold.len());
        let ids: Vec<_> = missed
            .iter()
            .map(|message| message.data["id"].as_str().unwrap())
            .collect();
        assert_eq!(ids, sold);
        assert!(missed.windows(2).all(|pair| pair[0].id < pair[1].id));
    }
}
