//! What a preview says of random files is what their run does.

use super::{Nodes, Person, TENANT, sold, zipped};
use crate::support::{Business, PASSWORD, picture, text};
use serde_json::json;
use std::{collections::BTreeMap, fmt::Write as _};

/// Random sales and customers: amounts, names that repeat, wrong telephones and cards, references taken twice.
fn random_file(seed: &mut u64, kind: &str) -> String {
    let mut next = |below: u64| {
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) % below
    };
    let mut text = match kind {
        "issuers" => "Nombre;Teléfono;Documento\n".to_owned(),
        "recipients" => "Remitente;Nombre;Teléfono;Municipio;Tarjeta\n".to_owned(),
        _ => {
            "Remitente;Destinatario;Teléfono del destinatario;Municipio;Tarjeta;Importe;Moneda;Referencia\n".to_owned()
        }
    };
    for _ in 0..60 {
        let sender = format!("Sara {}", next(6));
        let name = format!("Rosa {}", next(8));
        let phone = [String::new(), format!("+535200000{}", next(4)), "12".to_owned()][next(3) as usize].clone();
        let place = ["Playa", "Marianao", "Ninguno", ""][next(4) as usize];
        let card = ["", "", "9204069990000004", "9204069990000012", "9225069990000005", "77"][next(6) as usize];
        let amount = ["1,50", "12,00", "-1", "0,001", "900,00", "abc"][next(6) as usize];
        let reference = if next(3) == 0 {
            format!("N{}", next(9))
        } else {
            String::new()
        };
        match kind {
            "issuers" => writeln!(text, "{name};{phone};{}", ["", "A123456", "x"][next(3) as usize]),
            "recipients" => writeln!(text, "{sender};{name};{phone};{place};{card}"),
            _ => writeln!(text, "{sender};{name};{phone};{place};{card};{amount};CUP;{reference}"),
        }
        .unwrap();
    }
    text
}

#[test]
fn what_a_preview_says_of_random_files_is_what_their_run_does() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = Business::set_up(node.client(TENANT));
    business.fund("40000");
    let agency = Person::agency(&business);
    let seeded = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok());
    let mut seed = seeded.unwrap_or_else(|| uuid::Uuid::now_v7().as_u128() as u64);
    let first = seed;
    let mut results: BTreeMap<String, usize> = BTreeMap::new();
    for round in 0..9 {
        let kind = ["remittances", "recipients", "issuers"][round % 3];
        let file = random_file(&mut seed, kind);
        let id = text(&agency.upload(kind, file.as_bytes())["id"]);
        let previewed = agency.preview(&id);
        let preview = agency.results(&id, "preview");
        let done = agency.run(&id);
        assert_eq!(
            agency.results(&id, "result"),
            preview,
            "SEED={first} round {round} {kind}\n{file}"
        );
        assert_eq!(done["runCounts"], previewed["previewCounts"]);
        for (result, codes) in preview {
            *results.entry(format!("{result} {}", codes.join(" "))).or_default() += 1;
        }
        if let Some(ends) = previewed["balances"].get(0) {
            let now = business.balance("balance", "CUP");
            let now = now.trim_start_matches('-');
            assert_eq!(now, text(&ends["ends"]), "SEED={first}: {ends}");
        }
    }
    assert!(results.len() > 8, "files of many kinds: {results:?}");
}

/// One of some texts.
fn any<'a>(seed: &mut u64, texts: &[&'a str]) -> &'a str {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    texts[(*seed >> 33) as usize % texts.len()]
}

/// Random rows of a list of the office, of which some are wrong and some repeat others.
fn random_list(seed: &mut u64, kind: &str, codes: &[&str]) -> String {
    let header = match kind {
        "fees" => "Municipio;Tarifa;Moneda;Activo\n",
        "openings" => "Cuenta;Moneda;Saldo\n",
        "completions" => "Remesa;Entregada;Representante;Prueba\n",
        _ => "Tipo;Nombre;Correo;Teléfono;Agencia;Permisos;Acceso hasta\n",
    };
    let mut text = header.to_owned();
    if kind == "users" {
        // So many cells must be right for a user that a file can be without one.
        writeln!(text, "oficina;Olga;olga{seed}@example.test;;;cajero;").unwrap();
    }
    let mut one = |texts: &[&str]| any(seed, texts).to_owned();
    for _ in 0..30 {
        let cells = match kind {
            "fees" => vec![
                one(&[
                    "Playa",
                    "playa",
                    "Marianao",
                    "Cerro",
                    "Regla",
                    "Guanabacoa",
                    "Ninguno",
                    "",
                ]),
                one(&["150,00", "2,5", "0", "-1", "abc"]),
                one(&["CUP", "usd", "", "XXX"]),
                one(&["", "si", "no", "tal vez"]),
            ],
            "openings" => vec![
                one(&[
                    "Caja",
                    "Tesorería",
                    "Dealer",
                    "Dealer Two",
                    "agency@example.test",
                    "Agency Two",
                    "Courier",
                    "Nadie",
                ]),
                one(&["CUP", "USD", "CUP home", "EUR", "XXX"]),
                one(&["100,00", "80000,50", "0", "-5", "abc", "0,001"]),
            ],
            "completions" => vec![
                one(codes),
                one(&["", "", "", "ayer", "01/01/2020", "31/12/2099", "31/12/2099 10:00"]),
                one(&["", "si", "no", "tal vez"]),
                one(&["", "", "", "", "ninguna.png"]),
            ],
            _ => vec![
                one(&[
                    "oficina",
                    "agencia",
                    "agente externo",
                    "agente interno",
                    "distribuidor",
                    "repartidor",
                    "jefe",
                    "",
                ]),
                one(&["Ana", "Eva", "Iris", ""]),
                format!(
                    "{}{}",
                    one(&["u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8", "dealer"]),
                    one(&["@example.test", "@example.test", "@example.test", ""])
                ),
                one(&["", "+5352000001", "12"]),
                one(&["", "", "Agency", "Dealer", "Nadie"]),
                one(&["", "", "auditor", "cajero", "otro"]),
                one(&["", "", "", "31/12/2099", "01/01/2020", "ayer"]),
            ],
        };
        text.push_str(&cells.join(";"));
        text.push('\n');
    }
    text
}

#[test]
fn what_a_preview_says_of_random_lists_of_the_office_is_what_their_run_does() {
    let nodes = Nodes::new(&[TENANT]);
    let node = nodes.start();
    let business = nodes.business(&node);
    let manager = Person::manager(&business);
    for (path, body) in [
        (
            "/agency",
            json!({"name": "Agency Two", "email": "two@example.test", "password": PASSWORD,
                           "paymentGroups": [{"paymentGroupId": business.cup}]}),
        ),
        (
            "/dealer",
            json!({"name": "Dealer Two", "email": "d2@example.test", "password": PASSWORD, "handleMLC": true,
                           "provinceId": business.province, "zones": []}),
        ),
        (
            "/delivery_men",
            json!({"name": "Courier", "email": "courier@example.test", "password": PASSWORD,
                                 "handleMLC": false, "dealerId": business.dealer}),
        ),
    ] {
        business.as_manager(201, "POST", path, body);
    }
    let sold = sold(&business, 25);
    let mut codes: Vec<&str> = sold.iter().map(|(_, code)| code.as_str()).collect();
    codes.extend(["R-999999", ""]);
    let seeded = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok());
    let mut seed = seeded.unwrap_or_else(|| uuid::Uuid::now_v7().as_u128() as u64);
    let first = seed;
    let mut results: BTreeMap<String, usize> = BTreeMap::new();
    for round in 0..12 {
        let kind = ["openings", "fees", "completions", "users"][round % 4];
        let file = random_list(&mut seed, kind, &codes);
        let import = manager.upload(kind, file.as_bytes());
        let id = text(&import["id"]);
        if kind == "completions" {
            let mut files = Vec::new();
            for (_, code) in &sold {
                let content = any(&mut seed, &["picture", "picture", "picture", "none", "text"]);
                if content != "none" {
                    let content = if content == "text" {
                        b"text".to_vec()
                    } else {
                        picture(code)
                    };
                    files.push((format!("{code}.png"), content));
                }
                if any(&mut seed, &["yes", "yes", "no"]) == "yes" {
                    files.push((format!("{code}-firma.png"), picture(code)));
                }
            }
            manager.prove(&id, &zipped(&files));
        }
        let mut previewed = manager.preview(&id);
        if kind == "openings" {
            // What the rows come to stands for the other system's totals.
            let mut mapping = import["mapping"].clone();
            mapping["expected"] = json!({"CUP": "0.00"});
            for sum in previewed["sums"].as_array().unwrap() {
                mapping["expected"][text(&sum["currency"])] = sum["opened"].clone();
            }
            let saved = manager.send("PUT", &format!("/imports/{id}/mapping"), Some(mapping));
            assert_eq!(saved.status, 200, "{}", saved.body);
            previewed = manager.preview(&id);
        }
        let preview = manager.results(&id, "preview");
        let done = manager.run(&id);
        assert_eq!(
            manager.results(&id, "result"),
            preview,
            "SEED={first} round {round} {kind}\n{file}"
        );
        assert_eq!(done["runCounts"], previewed["previewCounts"]);
        for (result, codes) in preview {
            *results
                .entry(format!("{kind} {result} {}", codes.join(" ")))
                .or_default() += 1;
        }
    }
    for kind in ["openings", "fees", "completions", "users"] {
        for result in ["added", "refused"] {
            let of = format!("{kind} {result} ");
            let has = results.keys().any(|told| told.starts_with(&of));
            assert!(has, "SEED={first}: no row was {of}: {results:?}");
        }
    }
    assert!(results.len() > 20, "SEED={first}: rows of many sorts: {results:?}");
}
