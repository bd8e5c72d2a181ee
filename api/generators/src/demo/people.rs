//! Names, streets and concepts that the month is peopled with. Nobody in particular is meant.

pub const FIRST_NAMES: &[&str] = &[
    "Yanelis",
    "Osvaldo",
    "María Caridad",
    "Leonel",
    "Dayana",
    "Roberto",
    "Yusimí",
    "Ernesto",
    "Mercedes",
    "Alejandro",
    "Lisandra",
    "Jorge Luis",
    "Odalys",
    "Rolando",
    "Beatriz",
    "Raúl",
    "Milagros",
    "Yoandri",
    "Caridad",
    "Orlando",
    "Ivette",
    "Reinaldo",
    "Teresa",
    "Michel",
    "Zenaida",
    "Félix",
    "Noelvis",
    "Gladys",
    "Héctor",
    "Yaima",
    "Arturo",
    "Magdalena",
    "Luis Ángel",
    "Xiomara",
    "Pedro Pablo",
    "Idania",
];

pub const SURNAMES: &[&str] = &[
    "Rodríguez",
    "Pérez",
    "González",
    "Hernández",
    "Fernández",
    "Valdés",
    "Díaz",
    "Castillo",
    "Morales",
    "Guerra",
    "Suárez",
    "Cabrera",
    "Peña",
    "Almeida",
    "Batista",
    "Quesada",
    "Leyva",
    "Machado",
    "Oropesa",
    "Zayas",
    "Ibáñez",
    "Milián",
    "Núñez",
    "Echevarría",
    "Montero",
    "Arencibia",
    "Saborit",
    "Toledo",
];

pub const STREETS: &[&str] = &[
    "Calle 23",
    "Calle Línea",
    "Avenida de los Presidentes",
    "Calle San Rafael",
    "Calle Maceo",
    "Calle Martí",
    "Calle Independencia",
    "Calle Céspedes",
    "Calzada del Cerro",
    "Calle Agramonte",
    "Calle Libertad",
    "Avenida 26",
    "Calle Heredia",
    "Calle Enramadas",
    "Calle Colón",
    "Calle Cuba",
];

pub const NEIGHBOURHOODS: &[&str] = &[
    "La Rampa",
    "Centro",
    "Vista Hermosa",
    "Reparto Camacho",
    "El Vedado",
    "Los Olmos",
    "Sueño",
    "Santa Catalina",
];

/// Where issuers live: country, state, city.
pub const ABROAD: &[(&str, &str, &str)] = &[
    ("US", "Florida", "Hialeah"),
    ("US", "Florida", "Miami"),
    ("US", "Florida", "Tampa"),
    ("US", "Texas", "Houston"),
    ("US", "Kentucky", "Louisville"),
    ("ES", "Madrid", "Madrid"),
    ("ES", "Barcelona", "Barcelona"),
    ("MX", "Quintana Roo", "Cancún"),
];

pub const EXPENSES: &[&str] = &[
    "Gasolina",
    "Reparación de la moto",
    "Recarga del móvil",
    "Almuerzo de los repartidores",
    "Alquiler de un auto",
    "Bolsas y sobres",
];

pub const NOTES: &[&str] = &[
    "Llamar antes de ir.",
    "Entregar después de las 5.",
    "Tocar en el segundo piso.",
    "Pregunte por la hija.",
    "Dejar con nadie más que la destinataria.",
];

pub const ERRORS: &[&str] = &[
    "La dirección no existe.",
    "El destinatario no estaba y no contesta el teléfono.",
    "El nombre no coincide con el carné.",
    "La tarjeta fue rechazada por el banco.",
];

pub const CANCELLATIONS: &[&str] = &[
    "El cliente se arrepintió.",
    "Se vendió dos veces por error.",
    "El remitente pidió la devolución.",
];
