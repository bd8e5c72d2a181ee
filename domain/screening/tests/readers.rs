//! Files in the formats of their publishers, with invented persons, and files made to harm.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test ends where it cannot go on"
)]

use caudal_screening::read::{Problem, read_ofac_csv};
use caudal_screening::{Born, Date, Document, Entry, Format, Kind, Limits, ListedName, ReadError, Summary, read};

fn read(format: Format, file: &[u8]) -> Result<(Vec<Entry>, Summary), ReadError> {
    read_within(format, file, Limits::default())
}

fn read_within(format: Format, file: &[u8], limits: Limits) -> Result<(Vec<Entry>, Summary), ReadError> {
    let mut entries = Vec::new();
    let summary = read::read(format, file, limits, &mut |entry| entries.push(entry))?;
    Ok((entries, summary))
}

fn refused(format: Format, file: &[u8]) -> String {
    read(format, file).expect_err("the file is refused").to_string()
}

fn listed(text: &str, weak: bool) -> ListedName {
    ListedName {
        text: text.to_owned(),
        weak,
    }
}

fn document(kind: &str, number: &str, country: Option<&str>) -> Document {
    Document {
        kind: kind.to_owned(),
        number: number.to_owned(),
        country: country.map(str::to_owned),
    }
}

fn date(year: u16, month: u8, day: u8) -> Date {
    Date::new(year, month, day).unwrap()
}

/// The entry that the XML and the CSV of OFAC have in common.
fn balboa(first: &str, second: &str) -> Entry {
    Entry {
        id: "90001".to_owned(),
        kind: Kind::Person,
        names: vec![listed(first, false), listed(second, false), listed("EL RELOJERO", true)],
        documents: vec![
            document("Cedula No.", "79.372.110", Some("CO")),
            document("Passport", "AN081422", Some("CO")),
        ],
        born: vec![
            Born::on(date(1961, 2, 17)),
            Born {
                circa: true,
                ..Born::years(1960, 1960).unwrap()
            },
        ],
        countries: vec!["CO".to_owned(), "VE".to_owned()],
        programs: vec!["SDNTK".to_owned(), "ILLICIT-DRUGS-EO14059".to_owned()],
    }
}

#[test]
fn ofac_sdn_xml_is_read_with_aliases_dates_documents_and_countries() {
    let (entries, summary) = read(Format::OfacSdn, include_bytes!("samples/ofac-sdn.xml")).unwrap();
    assert_eq!(
        entries[0],
        balboa("Eustaquio Ramiro BALBOA ZALDIVAR", "Eustaquio VALBOA ZALDIVAR")
    );
    assert_eq!(entries[1].kind, Kind::Organisation);
    assert_eq!(
        entries[1].documents,
        [document("Tax ID No.", "900.555.123-7", Some("CO"))]
    );
    assert_eq!(entries[2].names, [listed("ESTRELLA & MAR", false)]);
    assert_eq!(entries[2].kind, Kind::Vessel);
    assert_eq!(entries[3].born, []);
    assert_eq!((summary.entries, summary.names, summary.warned), (4, 6, 1));
    assert_eq!(summary.published.as_deref(), Some("11/20/2026"));
    assert_eq!(
        summary.warnings[0].to_string(),
        "line 56: date of birth \"1970s\" is not understood"
    );
}

#[test]
fn a_count_that_differs_from_the_announced_one_is_a_warning() {
    let file =
        String::from_utf8_lossy(include_bytes!("samples/ofac-sdn.xml")).replace("<Record_Count>4", "<Record_Count>7");
    let (_, summary) = read(Format::OfacSdn, file.as_bytes()).unwrap();
    assert_eq!(
        summary.warnings[1].to_string(),
        "line 68: the file announces 7 entries and has 4"
    );
}

#[test]
fn ofac_csv_is_read_with_the_aliases_of_its_second_file() {
    let mut entries = Vec::new();
    let summary = read_ofac_csv(
        &include_bytes!("samples/SDN.CSV")[..],
        &include_bytes!("samples/ALT.CSV")[..],
        Limits::default(),
        &mut |entry| entries.push(entry),
    )
    .unwrap();
    assert_eq!(
        entries[0],
        balboa("BALBOA ZALDIVAR, Eustaquio Ramiro", "VALBOA ZALDIVAR, Eustaquio")
    );
    assert_eq!(entries[1].kind, Kind::Organisation);
    assert_eq!(
        entries[1].documents,
        [document("Tax ID No.", "900.555.123-7", Some("CO"))]
    );
    assert_eq!(entries[2].kind, Kind::Vessel);
    assert_eq!((summary.entries, summary.names, summary.warned), (3, 5, 0));
    // Without ALT.CSV the aliases of that file are missing.
    let (entries, _) = read(Format::OfacCsv, include_bytes!("samples/SDN.CSV")).unwrap();
    assert_eq!(entries[0].names.len(), 2);
}

#[test]
fn the_eu_list_is_read_from_its_attributes() {
    let (entries, summary) = read(Format::Eu, include_bytes!("samples/eu.xml")).unwrap();
    let person = Entry {
        id: "EU.9001.11".to_owned(),
        kind: Kind::Person,
        names: vec![
            listed("Dmitrij Sapronenkow", false),
            listed("Дмитрий Сапроненков", false),
            listed("Dima Sapron", true),
        ],
        documents: vec![document("passport", "51 No 4451227", Some("RU"))],
        born: vec![
            Born::on(date(1969, 4, 28)),
            Born {
                circa: true,
                ..Born::years(1968, 1970).unwrap()
            },
        ],
        countries: vec!["RU".to_owned()],
        programs: vec!["TERR".to_owned()],
    };
    assert_eq!(entries[0], person);
    assert_eq!(entries[1].kind, Kind::Organisation);
    assert_eq!(summary.entries, 2);
    assert_eq!(summary.published.as_deref(), Some("2026-11-20T10:00:00.000+01:00"));
    assert_eq!(summary.warnings.len(), 1);
    assert_eq!(
        summary.warnings[0].to_string(),
        "line 23: entry \"EU.9003.13\" has neither a name nor a document"
    );
}

#[test]
fn the_un_list_is_read_with_individuals_and_entities() {
    let (entries, summary) = read(Format::Un, include_bytes!("samples/un.xml")).unwrap();
    let person = Entry {
        id: "QDi.9001".to_owned(),
        kind: Kind::Person,
        names: vec![
            listed("ABDERRAHMANE OULD MOKHTAR QASSEMI", false),
            listed("عبد الرحمن", false),
            listed("Abdul Rahman al Kassemi", false),
            listed("Abu Mokhtar", true),
        ],
        documents: vec![document("Passport", "OB 0243318", Some("MR"))],
        born: vec![Born::years(1973, 1975).unwrap(), Born::on(date(1974, 12, 25))],
        countries: vec!["MR".to_owned()],
        programs: vec!["Al-Qaida".to_owned()],
    };
    assert_eq!(entries[0], person);
    assert_eq!(entries[1].id, "CDe.9001");
    assert_eq!(entries[1].names[1].text, "CIP");
    assert_eq!((summary.entries, summary.warned), (2, 0));
}

#[test]
fn a_plain_csv_is_read_by_its_header() {
    let (entries, summary) = read(Format::Csv, include_bytes!("samples/plain.csv")).unwrap();
    assert_eq!(
        entries[0],
        Entry {
            id: "p-1".to_owned(),
            names: vec![
                listed("Balboa Zaldívar, Eustaquio", false),
                listed("El Relojero", false),
                listed("Eustaquio Valboa", false),
            ],
            documents: vec![document("", "79372110", None)],
            born: vec![Born::on(date(1961, 2, 17))],
            countries: vec!["CO".to_owned(), "VE".to_owned()],
            ..Entry::default()
        }
    );
    assert_eq!(summary.names, 4);
    let (entries, _) = read(
        Format::Csv,
        "\u{feff}Born,NAME\r\n1970,\"Pupo, Ana\"\r\n\r\n".as_bytes(),
    )
    .unwrap();
    assert_eq!(entries[0].names[0].text, "Pupo, Ana");
    assert_eq!(entries[0].id.len(), 32, "derived from the content");
}

#[test]
fn an_entry_without_an_id_keeps_its_identity_where_lines_move_and_another_person_in_its_line_has_another() {
    let ids = |file: &str| -> Vec<String> {
        let (entries, _) = read(Format::Csv, file.as_bytes()).unwrap();
        entries.into_iter().map(|entry| entry.id).collect()
    };
    let before = ids("name,born,countries\nAna Pupo,1970,CU\nLuz Verdecia,1981,CU\n");
    let after = ids("name,born,countries\nEva Quintana,1970,CU\nAna Pupo,1970,CU\n");
    assert_eq!(after[1], before[0], "it moved by a line");
    assert_ne!(after[0], before[0], "another person in line 2");
    assert!(
        before
            .iter()
            .all(|id| id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()))
    );
    // An empty id is as none, and columns may stand in another order.
    assert_eq!(ids("id;born;name;countries\n;1970;Ana Pupo;Cuba\n"), before[..1]);
    for other in [
        "Ana Pupo,1971,CU",
        "Ana Pupo,1970,ES",
        "Ana Pupo,,CU",
        "Ana  Pupo,1970,CU",
    ] {
        assert_ne!(ids(&format!("name,born,countries\n{other}\n"))[0], before[0], "{other}");
    }
    assert_ne!(
        ids("name,document\nAna Pupo,79372110\n"),
        ids("name,document\nAna Pupo,79372111\n")
    );
    assert_eq!(
        ids("name,aliases\nAna Pupo,Anita|Nita\n"),
        ids("name,aliases\nAna Pupo,Nita|Anita\n"),
        "aliases have no order"
    );
}

#[test]
fn equal_rows_are_one_entry_and_an_id_of_two_contents_refuses_the_file() {
    for file in [
        "name,born\nAna Pupo,1970\nLuz Verdecia,\nAna Pupo,1970\n",
        "id,name,born\n7,Ana Pupo,1970\n8,Luz Verdecia,\n7,Ana Pupo,1970\n",
    ] {
        let (entries, summary) = read(Format::Csv, file.as_bytes()).unwrap();
        assert_eq!((entries.len(), summary.entries, summary.names), (2, 2, 2), "{file}");
    }
    assert_eq!(
        refused(Format::Csv, b"id,name\n7,Ana Pupo\n8,Luz Verdecia\n7,Eva Quintana\n"),
        "line 4: the id \"7\" stands in line 2 for another entry: an id names one entry"
    );
    assert_eq!(
        refused(Format::Csv, b"id,name,born\n7,Ana Pupo,1970\n7,Ana Pupo,1971\n"),
        "line 3: the id \"7\" stands in line 2 for another entry: an id names one entry"
    );
}

#[test]
fn errors_of_a_csv_name_the_line() {
    assert_eq!(
        refused(Format::Csv, b"aliases,born\nx,y\n"),
        "line 1: the header lacks the column \"name\""
    );
    assert_eq!(
        refused(Format::Csv, b"name,nombre\nx,y\n"),
        "line 1: unknown column \"nombre\""
    );
    assert_eq!(
        refused(Format::Csv, b"name,born\nAna,1970\nLuz\n"),
        "line 3: 1 fields instead of 2"
    );
    assert_eq!(
        refused(Format::Csv, b"name\nJos\xe9\n"),
        "line 2: the encoding is not UTF-8: convert the file"
    );
    assert_eq!(refused(Format::Csv, b"name\n"), "line 1: the list has no entries");
    assert_eq!(refused(Format::Csv, b""), "line 1: the list has no entries");
    assert_eq!(
        refused(Format::OfacCsv, b"1,\"A\",-0-\r\n"),
        "line 1, SDN.CSV: 3 fields instead of 12"
    );
}

#[test]
fn errors_of_an_xml_name_line_and_element() {
    assert_eq!(
        refused(Format::OfacSdn, include_bytes!("samples/eu.xml")),
        "line 2: the file begins with <export>; this format begins with <sdnList>"
    );
    assert_eq!(
        refused(Format::OfacSdn, b"<sdnList>\n<sdnEntry>\n<uid>1</uid>"),
        "line 3, sdnList/sdnEntry: the file ends here, within an element: it is cut off"
    );
    assert_eq!(
        refused(Format::OfacSdn, b""),
        "line 1: the file ends here, within an element: it is cut off"
    );
    assert!(
        refused(Format::OfacSdn, b"<sdnList>\n<sdnEntry></uid>")
            .starts_with("line 2, sdnList/sdnEntry: not well-formed")
    );
    assert_eq!(
        refused(Format::OfacSdn, b"<sdnList></sdnList>"),
        "line 1: the list has no entries"
    );
    assert!(refused(Format::OfacSdn, b"no list at all").contains("text outside of the root element"));
}

#[test]
fn a_cut_off_file_is_refused_wherever_it_ends() {
    for (format, file) in [
        (Format::OfacSdn, &include_bytes!("samples/ofac-sdn.xml")[..]),
        (Format::Eu, &include_bytes!("samples/eu.xml")[..]),
        (Format::Un, &include_bytes!("samples/un.xml")[..]),
    ] {
        let whole = file.iter().rposition(|byte| *byte == b'>').unwrap();
        for end in 0..whole {
            assert!(read(format, &file[..end]).is_err(), "{format:?} {end}");
        }
    }
}

#[test]
fn entity_bombs_and_external_entities_are_refused() {
    let bomb = br#"<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]>
<sdnList><sdnEntry><lastName>&c;</lastName></sdnEntry></sdnList>"#;
    let external = br#"<!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/passwd">]><sdnList><sdnEntry><lastName>&file;</lastName></sdnEntry></sdnList>"#;
    for file in [&bomb[..], &external[..]] {
        let error = read(Format::OfacSdn, file).unwrap_err();
        assert!(matches!(error.problem, Problem::DocumentType), "{error}");
    }
    let undeclared = b"<sdnList><sdnEntry><lastName>&file;</lastName></sdnEntry></sdnList>";
    assert_eq!(
        refused(Format::OfacSdn, undeclared),
        "line 1, sdnList/sdnEntry/lastName: unknown entity &file;"
    );
    let in_attribute = br#"<export><sanctionEntity><nameAlias wholeName="&file;"/></sanctionEntity></export>"#;
    assert!(refused(Format::Eu, in_attribute).contains("not well-formed"));
}

#[test]
fn gigantic_elements_rows_and_files_are_refused_before_they_are_in_memory() {
    /// Repeats one byte without end, after a start.
    struct Endless(&'static [u8], u64);
    impl std::io::Read for Endless {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let given = if self.0.is_empty() {
                into.fill(b'a');
                into.len()
            } else {
                let given = self.0.len().min(into.len());
                into[..given].copy_from_slice(&self.0[..given]);
                self.0 = &self.0[given..];
                given
            };
            self.1 += given as u64;
            assert!(self.1 < 32 << 20, "more is read than the limits allow");
            Ok(given)
        }
    }
    for (format, start) in [
        (Format::OfacSdn, &b"<sdnList><sdnEntry><lastName>"[..]),
        (Format::OfacSdn, b"<sdnList><sdnEntry "),
        (Format::OfacSdn, b"<sdnList><!-- "),
        (Format::OfacSdn, b"<sdnList><![CDATA["),
        (Format::OfacSdn, b"<"),
        (Format::Eu, b"<export><sanctionEntity><nameAlias wholeName=\""),
        (Format::OfacCsv, b"1,\""),
        (Format::Csv, b"name\n\""),
        (Format::Csv, b""),
    ] {
        let input = std::io::BufReader::new(Endless(start, 0));
        let error = read::read(format, input, Limits::default(), &mut |_| {}).unwrap_err();
        assert!(matches!(error.problem, Problem::EntryTooLarge(_)), "{format:?} {error}");
    }
    let limits = Limits {
        file: 1_000,
        entries: 2,
        ..Limits::default()
    };
    let error = read_within(Format::Un, include_bytes!("samples/un.xml"), limits).unwrap_err();
    assert!(matches!(error.problem, Problem::FileTooLarge(1_000)), "{error}");
    let error = read_within(Format::Csv, b"name\na\nb\nc\n", limits).unwrap_err();
    assert_eq!(error.to_string(), "line 4: more than 2 entries");
    let deep = [b"<sdnList>".as_slice(), &b"<a>".repeat(100)].concat();
    assert!(refused(Format::OfacSdn, &deep).contains("nested deeper than 24"));
}

#[test]
fn other_encodings_are_refused_by_name() {
    let latin = b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>\n<sdnList></sdnList>";
    assert_eq!(
        refused(Format::OfacSdn, latin),
        "line 1: the encoding is not UTF-8 but ISO-8859-1: convert the file"
    );
    let unmarked = b"<sdnList>\n<sdnEntry><lastName>Jos\xe9</lastName></sdnEntry></sdnList>";
    assert_eq!(
        refused(Format::OfacSdn, unmarked),
        "line 2, sdnList/sdnEntry/lastName: the encoding is not UTF-8: convert the file"
    );
    let utf16: Vec<u8> = "\u{feff}<sdnList/>".encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_eq!(
        refused(Format::OfacSdn, &utf16),
        "line 1: the encoding is not UTF-8 but UTF-16: convert the file"
    );
}
