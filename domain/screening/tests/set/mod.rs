//! A seeded generator of lists, of altered names, and of persons who are on no list.
//!
//! Nothing here uses the crate's normalisation, sounds, nicknames or table of common names: alterations are made letter by
//! letter with tables of their own, some of them with nicknames that the crate doesn't know.

use caudal_screening::{Born, Date, Entry, Kind, ListedName};

/// SplitMix64.
pub struct Random(u64);

impl Random {
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// Less than `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.number() % n.max(1) as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<'t>(&mut self, from: &[&'t str]) -> &'t str {
        from[self.below(from.len())]
    }

    /// Picks by Zipf's law, the first the most often; a larger `flat` makes the first less dominant.
    fn zipf<'t>(&mut self, from: &[&'t str], flat: usize) -> &'t str {
        let weight = |rank: usize| 1_000_000 / (rank + flat);
        let whole: usize = (0..from.len()).map(weight).sum();
        let mut left = self.below(whole);
        for (rank, word) in from.iter().enumerate() {
            if left < weight(rank) {
                return word;
            }
            left -= weight(rank);
        }
        from[0]
    }
}

fn words(text: &'static str) -> Vec<&'static str> {
    text.split_whitespace().collect()
}

const SURNAMES: &str = "Rodríguez Pérez González Hernández García Martínez Díaz Fernández López Álvarez Sánchez Gómez Ramírez \
Torres Suárez Ruiz Cruz Reyes Valdés Castillo Ramos Romero Morales Rivero Moreno Gutiérrez Delgado Herrera Peña Alonso Medina \
Cabrera Leyva Domínguez Jiménez Castro Ortiz Vázquez Mora Vega Rojas Batista Navarro Núñez Ortega Santana Sosa Soto Mesa León \
Acosta Aguilera Espinosa Estrada Fuentes Guerra Marrero Milián Molina Peralta Ponce Rivera Salazar Santos Silva Vargas \
Velázquez Zamora Blanco Méndez Muñoz Serrano Carballo Cárdenas Carrillo Arias Ávila Barrios Benítez Bermúdez Betancourt Borges \
Bravo Calderón Campos Cano Caballero Céspedes Cisneros Collazo Cordero Corrales Correa Crespo Cuesta Durán Escalona Escobar \
Fajardo Ferrer Figueredo Figueroa Flores Fonseca Gallardo Garcés Guevara Guzmán Ibáñez Iglesias Izquierdo Labrada Lara Linares \
Llanes Lugo Machado Marín Martín Matos Mejías Miranda Monteagudo Montero Montes Moya Oliva Olivera Pacheco Padrón Palacios \
Paneque Pardo Parra Pascual Portal Prieto Pupo Quesada Quintana Quintero Reina Ríos Robles Rosales Rubio Salas Saavedra \
Santiesteban Sarduy Sierra Solís Tamayo Toledo Téllez Trujillo Varela Vera Vidal Vilches Villa Zaldívar Zayas Zulueta Abreu \
Acevedo Agüero Alarcón Alcántara Alemán Almeida Amador Andreu Aranda Arango Arencibia Argüelles Armas Arteaga Atencio Ayala \
Azcuy Báez Baró Barroso Bello Berroa Bosch Brito Bueno Bustamante Caballería Cáceres Calzadilla Camejo Cantero Capote Carmona \
Casals Casanova Cepeda Chacón Chávez Cobas Conde Contreras Cortina Cuéllar Dávila Dieguez Echevarría Elías Enamorado Escandell \
Estévez Falcón Feria Fleitas Franco Frómeta Fundora Galán Galindo Gamboa Garrido Gé Gilbert Godínez Goicochea Granado Guanche \
Guerrero Guillén Hechavarría Heredia Hurtado Infante Isasi Jacas Jaramillo Jorrín Lafuente Lamas Laffita Lastra Leal Ledesma \
Lemus Lescaille Limonta Lorenzo Loyola Luna Maceo Manzano Marcos Martell Mayo Mederos Mendiola Menéndez Mirabal Mojena Mondéjar \
Monzón Naranjo Negrín Noa Noriega Ochoa Oduardo Ojeda Oquendo Oramas Orozco Osorio Otero Pantoja Paz Pedroso Pelegrín Perdomo \
Piedra Pineda Pino Pozo Puig Pujol Rabí Recio Regalado Rendón Riera Rizo Roca Rondón Rosabal Rosell Sabina Salcedo Samá \
Sandoval Sardiñas Segura Socarrás Sotolongo Tabares Tejeda Tirado Tornés Travieso Ulloa Urquiola Valcárcel Valenzuela \
Valiente Veitía Verdecia Viera Villalón Vives Wilson Yero Zambrano Zapata Zequeira";

const GIVEN: &str = "María José Juan Luis Carlos Ana Jorge Miguel Antonio Manuel Carmen Francisco Jesús Rafael Roberto Pedro Ángel \
Alberto Rosa Caridad Mercedes Isabel Teresa Margarita Bárbara Marta Julio Mario Raúl Daniel David Alejandro Luisa Elena Laura \
Yolanda Ernesto Lázaro Ramón Javier Andrés Alexander Enrique Eduardo Fernando Orlando Ricardo Armando Félix Pablo Arturo Óscar \
Víctor Héctor Osvaldo Rolando Reinaldo Guillermo Gustavo Sergio Alfredo César Iván Adrián Yoel Yunior Lidia Gloria Silvia \
Esperanza Juana Miriam Olga Dolores Beatriz Cristina Patricia Alicia Sonia Nancy Marlene Maritza Mayra Odalys Milagros Regla \
Norma Claudia Daniela Pilar Josefa Lucía Marina Concepción Eva Dulce Julia Clara Amparo Irene Yanet Yaneisy Yusleidys Yamilé \
Yuliet Leidys Danay Dayana Lisandra Anabel Grisel Idalmis Niurka Abel Agustín Aida Alain Aurora Belkis Bernardo Blanca Camila \
Catalina Celia Damián Dania Delia Diana Diego Domingo Edgar Elba Elsa Emilio Esteban Ester Eugenio Fabián Felipe Fermín Fidel \
Gabriel Gabriela Gerardo Gilberto Gladys Gonzalo Graciela Gregorio Guadalupe Heriberto Hilda Hugo Humberto Ignacio Inés Ileana \
Ismael Jaime Joaquín Joel Josefina Justo Karel Karina Katia Leandro Leonardo Leonel Leticia Liliana Lorena Lorenzo Lourdes \
Magaly Magdalena Marcos Maribel Maricel Marisol Mauricio Mireya Mónica Natalia Nelson Nicolás Noel Noemí Norberto Omar Paula \
Ramona Raquel Rebeca René Rubén Rigoberto Rita Rodolfo Rodrigo Rogelio Rosario Ruth Salvador Samuel Sandra Sara Saúl Sebastián \
Sofía Soledad Susana Tania Tatiana Tomás Ulises Vanessa Vicente Victoria Virginia Vivian Vladimir Wilfredo William Xiomara \
Yadira Yailín Yanelis Yasmani Yenisey Yordanis Yosvany Yudith Yuniel Zaida Zenaida Zoila Eloísa Onelio Nereida Arsenio Delfín \
Eulalia Evangelina Florentino Fulgencio Hortensia Isolina Leocadia Maximina Nemesio Obdulia Primitivo Serafín Teófilo Urbano";

/// Nicknames of the generator: not the crate's table. Some are not known to the crate.
const NICKNAMES: &[(&str, &str)] = &[
    ("José", "Pepe Pepito Cheo Chepe Joseíto"),
    ("Francisco", "Paco Pancho Panchito Paquito Kiko"),
    ("María", "Mary Mari Mariquita Cuca"),
    ("Juan", "Juanito Juancho"),
    ("Luis", "Lucho Luisito Lui"),
    ("Carlos", "Carlitos Charly Calín"),
    ("Jorge", "Yoyi Jorgito"),
    ("Miguel", "Migue Miguelito"),
    ("Antonio", "Tony Toñito Ñico"),
    ("Manuel", "Manolo Manolito Manolín"),
    ("Carmen", "Carmita Carmencita"),
    ("Jesús", "Chucho Suso"),
    ("Rafael", "Rafa Felo Fello"),
    ("Roberto", "Robertico Tito Berto"),
    ("Pedro", "Pedrito Perico Piro"),
    ("Alberto", "Beto Albertico"),
    ("Rosa", "Rosita Rosi"),
    ("Caridad", "Cachita Cary"),
    ("Mercedes", "Merceditas Mercy"),
    ("Isabel", "Chabela Isa Isabelita"),
    ("Teresa", "Tere Teresita"),
    ("Margarita", "Márgara Marga"),
    ("Bárbara", "Barbarita"),
    ("Mario", "Mayito"),
    ("Daniel", "Dani Danielito"),
    ("Alejandro", "Ale Alex"),
    ("Elena", "Elenita Nena"),
    ("Ernesto", "Tito Ernestico"),
    ("Lázaro", "Lachy Lacho"),
    ("Ramón", "Moncho Mongo Monguito"),
    ("Enrique", "Quique Kike"),
    ("Eduardo", "Eddy Edu"),
    ("Fernando", "Nando Fernandito"),
    ("Orlando", "Lando Orlandito"),
    ("Ricardo", "Ricky Ricardito"),
    ("Félix", "Felito"),
    ("Osvaldo", "Valdo"),
    ("Guillermo", "Memo Willy Guille"),
    ("Gustavo", "Tavo Gus"),
    ("Alfredo", "Fredy Alfredito"),
    ("Dolores", "Lola Lolita"),
    ("Beatriz", "Bea Betty"),
    ("Cristina", "Cris Tina"),
    ("Josefa", "Pepa Fefa"),
    ("Concepción", "Concha Conchita"),
    ("Guadalupe", "Lupe Lupita"),
    ("Rosario", "Charo Chayo"),
    ("Humberto", "Beto Tito"),
    ("Ignacio", "Nacho"),
    ("Rogelio", "Roge Yeyo"),
    ("Rodolfo", "Fito Rodo"),
    ("Salvador", "Chava Salva"),
    ("Vicente", "Chente"),
];

/// A Cuban or Spanish full name with two surnames.
pub struct Spanish {
    pub given: Vec<String>,
    pub surnames: Vec<String>,
}

impl Spanish {
    pub fn text(&self) -> String {
        [self.given.join(" "), self.surnames.join(" ")].join(" ")
    }
}

/// Parts of names, split once.
pub struct Population {
    surnames: Vec<&'static str>,
    given: Vec<&'static str>,
}

impl Population {
    pub fn new() -> Self {
        Self {
            surnames: words(SURNAMES),
            given: words(GIVEN),
        }
    }

    /// A person of the population: one in two has a second given name, one given name in six is one of those that
    /// Cubans invent, one surname in fifty has a particle.
    pub fn person(&self, random: &mut Random) -> Spanish {
        let mut given = vec![self.given_name(random)];
        if random.chance(50) {
            given.push(self.given_name(random));
        }
        let surnames = (0..2)
            .map(|_| {
                let surname = random.zipf(&self.surnames, 9);
                match random.below(100) {
                    0 => format!("de la {surname}"),
                    1 => format!("del {surname}"),
                    _ => surname.to_owned(),
                }
            })
            .collect();
        Spanish { given, surnames }
    }

    fn given_name(&self, random: &mut Random) -> String {
        if random.chance(16) {
            let starts = [
                "Yus", "Yan", "Lei", "Dai", "Yoel", "Mai", "Yis", "Os", "Ray", "Ai", "Yer", "Lis", "Ode", "Mi", "Wil",
            ];
            let middles = ["lei", "ni", "ma", "de", "li", "vi", "be", "ro", "sle"];
            let ends = [
                "dys", "sy", "nis", "lis", "sbel", "ny", "ry", "mara", "to", "rka", "el", "dis",
            ];
            return format!(
                "{}{}{}",
                random.pick(&starts),
                random.pick(&middles),
                random.pick(&ends)
            );
        }
        random.zipf(&self.given, 12).to_owned()
    }
}

/// A listed person whose name will be altered.
pub struct Listed {
    pub entry: usize,
    pub name: String,
    /// Set for Spanish names.
    pub spanish: Option<Spanish>,
}

pub struct List {
    pub entries: Vec<Entry>,
    /// The persons among the entries, by their first names.
    pub persons: Vec<Listed>,
}

pub fn date_of_birth(random: &mut Random) -> Date {
    let year = 1940 + u16::try_from(random.below(65)).unwrap();
    let month = 1 + u8::try_from(random.below(12)).unwrap();
    Date::new(year, month, 1 + u8::try_from(random.below(28)).unwrap()).unwrap()
}

/// A list of `names` names, of which `spanish` percent are Spanish; the others are Arabic, Persian, Slavic and Chinese names,
/// and a fifth are organisations. One person in five has an alias, a shorter form of the name; two in three have a
/// date of birth.
pub fn list(seed: u64, names: usize, spanish_per_mille: usize) -> List {
    let mut random = Random::new(seed);
    let population = Population::new();
    let mut entries = Vec::new();
    let mut persons = Vec::new();
    let mut count = 0;
    while count < names {
        let mut spanish = None;
        let mut kind = Kind::Person;
        let name = if random.below(1_000) < spanish_per_mille {
            let person = population.person(&mut random);
            let name = person.text();
            spanish = Some(person);
            name
        } else {
            match random.below(10) {
                0..=3 => arabic(&mut random),
                4..=6 => slavic(&mut random),
                7 => chinese(&mut random),
                _ => {
                    kind = Kind::Organisation;
                    organisation(&mut random)
                }
            }
        };
        let mut listed = vec![ListedName::strong(&name)];
        let parts: Vec<&str> = name.split(' ').collect();
        if kind == Kind::Person && parts.len() > 2 && random.chance(20) {
            listed.push(ListedName::strong(&format!(
                "{} {}",
                parts[0],
                parts[parts.len() - 1 - random.below(2)]
            )));
        }
        count += listed.len();
        if kind == Kind::Person {
            persons.push(Listed {
                entry: entries.len(),
                name,
                spanish,
            });
        }
        let date = date_of_birth(&mut random);
        entries.push(Entry {
            id: entries.len().to_string(),
            kind,
            names: listed,
            born: if kind == Kind::Person && random.chance(66) {
                vec![Born::on(date)]
            } else {
                Vec::new()
            },
            ..Entry::default()
        });
    }
    List { entries, persons }
}

fn arabic(random: &mut Random) -> String {
    let given = words(
        "Mohammed Ahmad Mahmoud Ali Hassan Hussein Khalid Omar Abdullah Yusuf Ibrahim Ismail Mustafa Said Tariq Walid Faisal \
         Nasser Bilal Hamza Jamal Karim Majid Nabil Rashid Samir Ziad Fatima Layla Amina Zaynab Abbas Reza Mehdi Hamid Mohsen \
         Masoud Behrouz Farhad Javad Kazem Saeed Anwar Ayman Bashir Fadi Ghassan Haitham Imad Jaber Kamal Luay Munir Qasim",
    );
    let stems = [
        "Harr", "Tikr", "Qass", "Zawah", "Baghd", "Shaml", "Masr", "Najd", "Hash", "Rub", "Khour", "Jabb", "Saf",
        "Dulaym", "Tamim",
    ];
    let middles = ["a", "i", "ani", "ari", "awi", "ati"];
    let ends = ["", "r", "n", "zad", "pour", "nia", "mi", "di", "li", "bi"];
    let family = format!("{}{}{}", random.pick(&stems), random.pick(&middles), random.pick(&ends));
    let family = if random.chance(50) {
        format!("al-{family}")
    } else {
        family
    };
    if random.chance(60) {
        format!("{} {} {family}", random.zipf(&given, 5), random.zipf(&given, 5))
    } else {
        format!("{} {family}", random.zipf(&given, 5))
    }
}

fn slavic(random: &mut Random) -> String {
    let given = words(
        "Aleksandr Sergei Vladimir Dmitry Andrei Mikhail Nikolai Alexei Yuri Viktor Igor Oleg Ivan Konstantin Evgeny Pavel \
         Anatoly Boris Roman Maxim Elena Olga Natalia Tatiana Irina Svetlana Galina Ruslan Timur Denis Gennady Leonid Valery",
    );
    let stems = words(
        "Petr Ivan Sidor Kuzn Vasil Morozm Volk Sokol Lebed Kozl Novik Zaits Bogdan Fedor Orl Makar Zakhar Grig Kirill Tarak \
         Pavlich Yakush Gavril Demid Ershin Zhdank Kalug Lomak Mitrok Nazark Ostap Polush Rybak Shumil Trush Ustin Filip Khomut",
    );
    let ends = [
        "ov", "ev", "enko", "sky", "in", "etsov", "yuk", "ovich", "ikov", "chuk", "yanov",
    ];
    let fathers = words(
        "Aleksandrovich Sergeevich Vladimirovich Dmitrievich Andreevich Mikhailovich Nikolaevich Alexeevich Viktorovich \
         Petrovich Pavlovich Borisovich Ivanovich Anatolyevich",
    );
    let family = format!("{}{}", random.pick(&stems), random.pick(&ends));
    if random.chance(60) {
        format!("{} {} {family}", random.zipf(&given, 5), random.zipf(&fathers, 5))
    } else {
        format!("{} {family}", random.zipf(&given, 5))
    }
}

fn chinese(random: &mut Random) -> String {
    let families = words("Wang Li Zhang Liu Chen Yang Huang Zhao Wu Zhou Kim Pak Choe Ri Han Jong Nguyen Tran");
    let syllables =
        words("Wei Min Jun Xiao Ming Hua Guo Qiang Jian Feng Chol Yong Hyon Song Nam Il Sun Tao Lin Bo Peng Rui Hao");
    let given = format!("{}{}", random.pick(&syllables), random.pick(&syllables).to_lowercase());
    format!("{} {given}", random.zipf(&families, 3))
}

fn organisation(random: &mut Random) -> String {
    let firsts = words(
        "Global Oriental Caspian Blue Nordic Delta Pacific Golden Royal Desert Crescent Aral Volga Andes Levant Falcon",
    );
    let seconds =
        words("Star River Gate Bridge Wave Horizon Stone Light Wind Crown Eagle Harbor Field Point Pearl Tower");
    let trades = words(
        "Trading Shipping Petroleum Holding Investment Logistics Aviation Metals Electronics Construction Exchange Marine",
    );
    let forms = ["LLC", "Ltd", "Co", "S.A.", "JSC", "FZE"];
    format!(
        "{} {} {} {}",
        random.pick(&firsts),
        random.pick(&seconds),
        random.pick(&trades),
        random.pick(&forms)
    )
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alteration {
    Accents,
    Order,
    OneLetter,
    Nickname,
    MissingSurname,
}

impl Alteration {
    pub const ALL: [Self; 5] = [
        Self::Accents,
        Self::Order,
        Self::OneLetter,
        Self::Nickname,
        Self::MissingSurname,
    ];

    pub const fn words(self) -> &'static str {
        match self {
            Self::Accents => "accents and case",
            Self::Order => "order",
            Self::OneLetter => "one letter",
            Self::Nickname => "nickname",
            Self::MissingSurname => "missing surname",
        }
    }
}

/// An altered name, and the entry that it was made of.
pub struct Altered {
    pub name: String,
    pub of: String,
    pub entry: usize,
    pub alteration: Alteration,
    pub spanish: bool,
}

/// `count` altered names of a list, as many of each kind. Half of the persons are chosen among the Spanish names, and all
/// for nicknames.
pub fn altered(seed: u64, list: &List, count: usize) -> Vec<Altered> {
    let mut random = Random::new(seed);
    let (spanish, others): (Vec<&Listed>, Vec<&Listed>) =
        list.persons.iter().partition(|person| person.spanish.is_some());
    let mut altered = Vec::new();
    while altered.len() < count {
        let alteration = Alteration::ALL[altered.len() % Alteration::ALL.len()];
        let from = if alteration == Alteration::Nickname || altered.len() % 2 == 0 {
            &spanish
        } else {
            &others
        };
        let person = from[random.below(from.len())];
        if let Some(name) = alter(&mut random, person, alteration)
            && name != person.name
        {
            altered.push(Altered {
                name,
                of: person.name.clone(),
                entry: person.entry,
                alteration,
                spanish: person.spanish.is_some(),
            });
        }
    }
    altered
}

fn alter(random: &mut Random, person: &Listed, alteration: Alteration) -> Option<String> {
    let mut parts: Vec<String> = person.name.split(' ').map(str::to_owned).collect();
    match alteration {
        Alteration::Accents => {
            let text = match random.below(3) {
                0 => person.name.chars().map(without_accent).collect(),
                1 => person.name.to_uppercase(),
                _ => {
                    // An accent where none belongs.
                    let mut letters: Vec<char> = person.name.chars().map(without_accent).collect();
                    let at = random.below(letters.len());
                    letters[at] = with_accent(letters[at]);
                    letters.into_iter().collect::<String>().to_lowercase()
                }
            };
            Some(text)
        }
        Alteration::Order => match &person.spanish {
            Some(spanish) => {
                let (given, mut surnames) = (spanish.given.join(" "), spanish.surnames.clone());
                Some(match random.below(3) {
                    0 => format!("{}, {given}", surnames.join(" ")),
                    1 => {
                        surnames.swap(0, 1);
                        format!("{given} {}", surnames.join(" "))
                    }
                    _ => {
                        surnames.swap(0, 1);
                        format!("{} {given}", surnames.join(" "))
                    }
                })
            }
            None => {
                let last = parts.pop()?;
                Some(format!(
                    "{last}{} {}",
                    if random.chance(50) { "," } else { "" },
                    parts.join(" ")
                ))
            }
        },
        Alteration::OneLetter => {
            let long: Vec<usize> = (0..parts.len()).filter(|at| parts[*at].chars().count() >= 4).collect();
            if long.is_empty() {
                return None;
            }
            let at = long[random.below(long.len())];
            let mut letters: Vec<char> = parts[at].chars().collect();
            let place = random.below(letters.len());
            let letter = char::from(b'a' + u8::try_from(random.below(26)).ok()?);
            match random.below(4) {
                0 => letters[place] = letter,
                1 => drop(letters.remove(place)),
                2 => letters.insert(place, letter),
                _ => {
                    let other = if place + 1 < letters.len() {
                        place + 1
                    } else {
                        place - 1
                    };
                    letters.swap(place, other);
                }
            }
            parts[at] = letters.into_iter().collect();
            Some(parts.join(" "))
        }
        Alteration::Nickname => {
            let spanish = person.spanish.as_ref()?;
            let (at, nicknames) = spanish.given.iter().enumerate().find_map(|(at, given)| {
                NICKNAMES
                    .iter()
                    .find(|(of, _)| of == given)
                    .map(|(_, nicknames)| (at, nicknames))
            })?;
            let nicknames: Vec<&str> = nicknames.split(' ').collect();
            let mut given = spanish.given.clone();
            random.pick(&nicknames).clone_into(&mut given[at]);
            Some(format!("{} {}", given.join(" "), spanish.surnames.join(" ")))
        }
        Alteration::MissingSurname => {
            if let Some(spanish) = &person.spanish {
                return Some(format!(
                    "{} {}",
                    spanish.given.join(" "),
                    spanish.surnames[random.below(2)]
                ));
            }
            // Without the father's name or the like.
            if parts.len() < 3 {
                return None;
            }
            parts.remove(1);
            Some(parts.join(" "))
        }
    }
}

const ACCENTS: [(char, char); 13] = [
    ('á', 'a'),
    ('é', 'e'),
    ('í', 'i'),
    ('ó', 'o'),
    ('ú', 'u'),
    ('Á', 'A'),
    ('É', 'E'),
    ('Í', 'I'),
    ('Ó', 'O'),
    ('Ú', 'U'),
    ('ñ', 'n'),
    ('Ñ', 'N'),
    ('ü', 'u'),
];

fn without_accent(c: char) -> char {
    ACCENTS
        .iter()
        .find(|(with, _)| *with == c)
        .map_or(c, |(_, without)| *without)
}

fn with_accent(c: char) -> char {
    ACCENTS
        .iter()
        .find(|(_, without)| *without == c)
        .map_or(c, |(with, _)| *with)
}
