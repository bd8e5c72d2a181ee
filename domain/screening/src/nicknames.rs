//! Nicknames of Spanish and Cuban names, and variants of names that transliteration spells too differently for the
//! sound to be the same.
//!
//! Two words of one line are taken for the same name. A word may stand in several lines: `beto` is Alberto, Roberto and
//! Humberto. A short form that is more often a name of its own, such as `ana`, stands in no line.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::sound;

/// The formal name first, then its nicknames.
const NICKNAMES: &[&str] = &[
    "adalberto adal beto",
    "adelaida adela laida",
    "adriana adri nana",
    "agustin tin agus",
    "alberto beto albertico tito",
    "alejandra ale jandra",
    "alejandro ale jandro alex sandro",
    "alexander alex sander sandro",
    "alfonso fonso poncho alfon",
    "alfredo fredo fredy freddy alfre",
    "alicia licha ali",
    "amparo amparito",
    "andres andy andresito",
    "angel angelito gelo",
    "angela angelita gela",
    "antonia tona toni tonita",
    "antonio tony tono toni antonito",
    "arturo turo arturito",
    "asuncion asun chon",
    "aurora auro",
    "barbara barbarita baby",
    "bartolome bartolo tolo",
    "beatriz bea beti betty",
    "benjamin benja mincho",
    "bernardo nardo berna",
    "candelaria candela candita",
    "caridad cachita cary cari cacha",
    "carlos carlitos charly carlito calin",
    "carmen carmita carmela carmencita mela",
    "carolina caro carol",
    "catalina cata lina caty",
    "cecilia ceci chila",
    "celestino tino cele",
    "cesar cesarito",
    "christian cris chris cristian",
    "clara clarita",
    "concepcion concha conchita chona",
    "consuelo chelo consu chela",
    "cristina cris tina cristi",
    "cristobal cristo tobal toba",
    "dagoberto dago",
    "daniel dani danny danielito",
    "david davi davicito",
    "diego dieguito",
    "dolores lola lolita loles",
    "domingo mingo chomin",
    "eduardo edu eddy lalo guayo eddie",
    "elena nena elenita lena",
    "elizabeth eli lisa beth betty liz",
    "emilia emi mila",
    "emilio milo emi millo",
    "encarnacion encarna",
    "enrique quique kike henry enriquito",
    "ernesto neto tito erne",
    "esperanza espe",
    "esteban teban estebita",
    "eugenio geno",
    "eusebio chebo",
    "eva evita",
    "federico fede lico freddy",
    "felicia fela",
    "felix felo",
    "felipe pipe felo lipe",
    "fermin mincho",
    "fernando nando fer fernan",
    "fidel fido fidelito",
    "florencia flor",
    "francisca paca paquita pancha fran",
    "francisco paco pancho paquito frank curro kiko quico fran pancholo",
    "gabriel gabi gabo gaby",
    "gabriela gabi gaby",
    "gerardo gera lalo",
    "gertrudis tula",
    "gilberto beto",
    "gonzalo chalo gonza",
    "gregoria goya",
    "gregorio goyo grego",
    "griselda gris",
    "guadalupe lupe lupita",
    "guillermina guille mina",
    "guillermo memo guille willy guillo billy",
    "gustavo tavo gus",
    "heriberto beto heri",
    "hector tito hectico",
    "herminia mina",
    "hilario layo",
    "hipolito polo",
    "humberto beto tito",
    "ignacio nacho ignac",
    "inmaculada inma",
    "ines inesita",
    "isabel chabela isa chavela bela belita",
    "isidro chilo sidro",
    "ismael mayo isma",
    "jacinto chinto",
    "jacqueline jackie yaqui yaki",
    "jaime jaimito",
    "javier javi",
    "jesus chucho chuy suso chus",
    "joaquin quino quin joaco",
    "jorge yoyi yoyo coque jorgito george",
    "jose pepe pepito chepe cheo joseito pepin che joselito",
    "josefa pepa fefa pepita chepa josefita",
    "josefina fina fefi fefita chefina",
    "juan juanito juancho juani juanco",
    "juana juanita juani",
    "julia yuli julita",
    "julian juli",
    "julio julito yuyo",
    "laura lau laurita",
    "lazara lachy lachi lali",
    "lazaro lachy lachi lacho",
    "leonardo leo nardo",
    "leonel leo",
    "leopoldo polo leo poldo",
    "leticia leti",
    "lidia lili",
    "liliana lili lily",
    "lorenzo loren chencho",
    "lourdes lulu lula",
    "lucia lucy luci chia",
    "luis lucho luisito lui wicho",
    "luisa lucha luisita",
    "magdalena magda malena lena",
    "manuel manolo manolito manu lolo manny manolin nolo",
    "manuela manola manoli nela",
    "marcelino lino chelino",
    "marcos marquitos",
    "margarita marga rita mago margot maggie",
    "maria mari mary marita mariquita maruja marucha",
    "mario mayito",
    "martin tin",
    "mauricio mau",
    "maximiliano max maxi",
    "mercedes merche mercy meche",
    "miguel migue mike miguelito miki mickey",
    "milagros mila mili milagritos",
    "modesto mode",
    "monica moni",
    "natalia nati nata",
    "nicolas nico colas",
    "norberto beto norbe",
    "octavio tavo",
    "olga olguita",
    "orlando lando orlandito nando",
    "oscar oscarito",
    "osvaldo valdo osvaldito",
    "pablo pablito pablin",
    "patricia pati paty patri",
    "pedro perico pedrito perucho peyo pedrin",
    "pilar pili piluca",
    "rafael rafa rafi rafito fallo felo",
    "raimundo mundo ray",
    "ramon moncho mon ramoncito monchi",
    "ramona mona moncha",
    "raul raulito",
    "refugio cuca",
    "regla reglita",
    "reinaldo rey naldo reinaldito",
    "remedios reme",
    "ricardo richard riqui ricky cayo ricardito richi",
    "rigoberto rigo",
    "roberto beto robert rober tito robertico bob bobby",
    "rodolfo fito rodo rudy",
    "rodrigo rodri",
    "rogelio roge",
    "rolando rolo rolandito",
    "rosa rosita chita rosi",
    "rosario charo chayo chari",
    "ruben rubencito benny",
    "salvador chava salva dorin",
    "santiago santi chago yago tiago",
    "sebastian sebas chano",
    "sergio checo sergito",
    "silvia chiva sil",
    "socorro coco",
    "sofia chofi sofi",
    "soledad sole chole",
    "susana susi susy susa",
    "teodoro teo doro",
    "teresa tere teresita tete",
    "tomas tomasito tommy tomy",
    "ulises uli",
    "vicente chente vicentico vicen",
    "victor vitico vito vity",
    "victoria vicky viki toya",
    "virginia vicky virgi",
    "wilfredo willy wil fredo",
    "william willy wil",
    "yolanda yoli yola",
];

/// A nickname of two names together, and the two.
const COMPOUNDS: &[[&str; 3]] = &[
    ["chema", "jose", "maria"],
    ["juanjo", "juan", "jose"],
    ["juanma", "juan", "manuel"],
    ["juanlu", "juan", "luis"],
    ["luisma", "luis", "manuel"],
    ["maite", "maria", "teresa"],
    ["maribel", "maria", "isabel"],
    ["maricarmen", "maria", "carmen"],
    ["marilu", "maria", "luisa"],
    ["maripili", "maria", "pilar"],
    ["marisa", "maria", "luisa"],
    ["marisol", "maria", "soledad"],
    ["maritere", "maria", "teresa"],
    ["maru", "maria", "eugenia"],
    ["mayte", "maria", "teresa"],
];

/// Spellings of one name in several transliterations or languages.
const VARIANTS: &[&str] = &[
    "mohammed mohamed muhammad mohammad muhammed mohamad mehmet mohd muhamed",
    "ahmed ahmad achmed akhmed ahmet",
    "mahmoud mahmud mehmood mahmood",
    "yusuf youssef yousef yousuf yusif yousif",
    "ibrahim ebrahim brahim",
    "ismail esmail",
    "hassan hasan hassane",
    "hussein husayn hossein husain hussain hossain huseyin",
    "ali aly",
    "omar umar omer",
    "othman osman uthman usman",
    "khaled khalid jaled haled",
    "said saeed sayed sayyid seyed",
    "abdullah abdallah abdulla abdoullah",
    "abdulrahman abdurrahman abdelrahman abdirahman abderrahmane",
    "mustafa mostafa mustapha moustafa",
    "musa mousa moussa moosa",
    "isa eissa issa",
    "suleiman sulayman suliman soleiman",
    "qadhafi gaddafi kadafi qaddafi gadafi kadhafi",
    "jamal gamal djamal",
    "hajj haji hadji haj",
    "jafar jaafar giafar djafar",
    "reza rida redha",
    "fatima fatma fatemeh fatimah",
    "aisha aicha ayesha",
    "aleksandr alexander aleksander oleksandr alexandre",
    "aleksei alexei alexey aleksey oleksiy",
    "sergei sergey serguei sergiy serhiy",
    "yuri yury iurii yuriy iouri jurij",
    "evgeny yevgeny evgenii evgeni yevgeni yevgeniy evgueni",
    "dmitry dmitri dmitriy dimitri dmytro",
    "vladimir volodymyr wladimir uladzimir",
    "mikhail mijail mykhailo michail",
    "nikolai nikolay nikolaj mykola",
    "pyotr petr piotr petro",
    "andrei andrey andriy andres",
    "igor ihor",
    "ivan iwan",
    "anatoly anatoli anatoliy anatolii",
    "vasily vasili vasiliy vasyl",
    "georgy georgi georgiy heorhiy",
    "pavel pavlo pawel",
    "grigory grigori grigoriy hryhoriy",
    "yelena elena olena",
    "yekaterina ekaterina katerina",
    "natalya natalia nataliya",
    "tatyana tatiana tetiana",
    "chang zhang",
    "li lee",
    "kim gim",
    "pak park",
    "choe choi",
    "ri rhee",
    "yessica jessica yesica yesika",
    "yenifer jennifer yennifer jenifer yeniffer",
    "jordan yordan",
    "yordanis jordanis yordany jordany",
    "yoandry yoandri joandry",
    "mayelin maylin mailin mayelyn",
    "yaneisy yaneysi yaneisi",
    "william wilian williams willian uiliam",
    "michael maikel maykel mikel michel maicol maykol",
    "wilfredo guilfredo vilfredo wifredo",
    "walter gualter valter",
    "oswaldo osvaldo osbaldo",
    "edgar edgardo",
    "elisabeth elizabeth elisabet",
    "geovanni giovanni yovani jovani geovani yovany jovany",
    "joel yoel",
    "joan yoan",
    "johan yohan",
    "jonathan yonatan jonatan yonathan",
    "jasmin yasmin yazmin jazmin",
    "javier xavier",
    "esther ester",
    "ruth rut",
    "martha marta",
    "hector ector",
    "irma hirma",
    "noemi nohemi",
    "mireya mirella mirelia",
];

static GROUPS: LazyLock<HashMap<&'static str, Vec<u16>>> = LazyLock::new(|| {
    let lines = NICKNAMES.iter().chain(VARIANTS).map(|line| line.split(' ').collect());
    let compounds = COMPOUNDS
        .iter()
        .flat_map(|[short, first, second]| [vec![*short, first], vec![*short, second]]);
    let mut groups: HashMap<&str, Vec<u16>> = HashMap::new();
    for (words, number) in lines.chain(compounds).zip(0..) {
        for word in words {
            groups.entry(word).or_default().push(number);
        }
    }
    groups
});

/// The same by sound: `Lachy` is Lachi, `Muhamad` Muhammad.
static BY_SOUND: LazyLock<HashMap<String, Vec<u16>>> = LazyLock::new(|| {
    let mut by_sound: HashMap<String, Vec<u16>> = HashMap::new();
    for (word, groups) in GROUPS.iter() {
        by_sound.entry(sound::key(word)).or_default().extend(groups);
    }
    for groups in by_sound.values_mut() {
        groups.sort_unstable();
        groups.dedup();
    }
    by_sound
});

/// The groups that a normalised word belongs to, none for most words: by itself, else as the diminutive of a nickname
/// (`panchito` of `pancho`), else by its sound.
#[must_use]
pub fn groups(word: &str) -> Vec<u16> {
    if let Some(groups) = GROUPS.get(word) {
        return groups.clone();
    }
    let mut groups = Vec::new();
    let singular = word.strip_suffix('s').unwrap_or(word);
    for (ending, vowel) in DIMINUTIVES {
        let Some(stem) = singular.strip_suffix(ending) else {
            continue;
        };
        // Before an `o`, `gu` and `qu` of the diminutive are written `g` and `c`.
        let hard = match stem.strip_suffix('u') {
            Some(stem) if stem.ends_with('g') => Some(stem.to_owned()),
            Some(stem) if stem.ends_with('q') => stem.strip_suffix('q').map(|stem| format!("{stem}c")),
            _ => None,
        };
        let whole = hard.unwrap_or_else(|| stem.to_owned());
        if whole.len() >= 3 {
            for name in [format!("{whole}{vowel}"), format!("{whole}es")] {
                groups.extend(GROUPS.get(name.as_str()).into_iter().flatten());
            }
        }
    }
    if groups.is_empty() {
        groups = BY_SOUND.get(&sound::key(word)).cloned().unwrap_or_default();
    }
    groups.sort_unstable();
    groups.dedup();
    groups
}

/// Whether two words are forms of one name.
#[must_use]
pub fn same(a: &[u16], b: &[u16]) -> bool {
    a.iter().any(|group| b.contains(group))
}

/// Endings of diminutives, and the vowel of the name that they replace: `Fernandito`, `Isabelita`, `Robertico`.
const DIMINUTIVES: [(&str, char); 4] = [("ito", 'o'), ("ita", 'a'), ("ico", 'o'), ("ica", 'a')];

/// Least letters of a name before the ending: `Benito` is no small Beno.
const STEM: usize = 4;

/// Whether one word is a diminutive of the other.
#[must_use]
pub fn diminutive(a: &str, b: &str) -> bool {
    let of = |small: &str, whole: &str| {
        DIMINUTIVES.iter().any(|(ending, vowel)| {
            let Some(stem) = small.strip_suffix(ending) else {
                return false;
            };
            stem.len() >= STEM
                && [Some(stem), stem.strip_suffix('c')]
                    .into_iter()
                    .flatten()
                    .any(|stem| whole == stem || whole.strip_suffix(*vowel) == Some(stem))
        })
    };
    of(a, b) || of(b, a)
}

/// What a diminutive and its name have in common: at least one of the stems.
pub fn stems(word: &str, mut take: impl FnMut(&str)) {
    take(word);
    for end in ['o', 'a'] {
        word.strip_suffix(end).into_iter().for_each(&mut take);
    }
    for (ending, _) in DIMINUTIVES {
        if let Some(stem) = word.strip_suffix(ending) {
            take(stem);
            stem.strip_suffix('c').into_iter().for_each(&mut take);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_normalised_and_stands_once_in_its_line() {
        for line in NICKNAMES.iter().chain(VARIANTS) {
            let words: Vec<&str> = line.split(' ').collect();
            assert!(words.len() > 1, "{line}");
            for (i, word) in words.iter().enumerate() {
                assert_eq!(crate::Name::of(word).text(), *word, "{line}");
                assert!(!words[..i].contains(word), "{line}");
            }
        }
    }

    #[test]
    fn diminutives_belong_to_their_name() {
        for (small, whole) in [
            ("fernandito", "fernando"),
            ("isabelita", "isabel"),
            ("robertico", "roberto"),
            ("carmencita", "carmen"),
        ] {
            assert!(diminutive(small, whole) && diminutive(whole, small), "{small}");
        }
        for (a, b) in [
            ("benito", "beno"),
            ("fernandito", "fernanda"),
            ("rico", "ro"),
            ("rita", "ra"),
        ] {
            assert!(!diminutive(a, b), "{a} {b}");
        }
    }

    #[test]
    fn nicknames_of_one_name_are_the_same_and_the_names_of_a_compound_are_not() {
        let same = |a, b| super::same(&groups(a), &groups(b));
        assert!(same("pepe", "jose"));
        assert!(same("pepe", "chepe"));
        assert!(same("beto", "humberto"));
        assert!(same("chema", "jose"));
        assert!(same("mohamed", "muhammad"));
        assert!(same("panchito", "francisco"));
        assert!(same("paquito", "francisco"));
        assert!(same("merceditas", "mercedes"));
        assert!(same("panchita", "francisca"));
        assert!(same("kiqe", "enrique"));
        assert!(same("muhamad", "mohammed"));
        assert!(!same("jose", "maria"));
        assert!(!same("alberto", "humberto"));
    }
}
