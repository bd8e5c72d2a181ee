//! How common Cuban and Spanish names are, in bits: a name that one person in 2ⁿ has says n bits.
//!
//! Classes are rough, from what the population registers of Cuba and Spain publish about the most frequent names. A
//! match of common parts alone says little about who somebody is; see [`crate::score`].

use std::collections::HashMap;
use std::sync::LazyLock;

/// Information of a word that is neither here nor frequent in the list.
pub const RARE: f32 = 13.0;

/// Bits, and the names that are so common.
const CLASSES: &[(f32, &str)] = &[
    (4.7, "rodriguez perez gonzalez hernandez garcia maria jose juan luis"),
    (
        5.5,
        "martinez diaz fernandez lopez alvarez sanchez carlos ana carmen antonio manuel francisco jorge miguel jesus",
    ),
    (
        6.5,
        "gomez ramirez torres suarez ruiz cruz reyes valdes castillo ramos romero morales rivero moreno gutierrez \
         rafael roberto pedro angel alberto rosa caridad mercedes isabel teresa margarita barbara marta julio mario raul \
         daniel david alejandro jose luisa elena laura yolanda ernesto lazaro ramon javier andres alexander",
    ),
    (
        7.5,
        "castro leyva mendez ortiz vazquez vega blanco delgado dominguez medina mora munoz navarro nunez ortega pena \
         rojas santana serrano sosa soto acosta aguilera aguila alonso batista cabrera carballo cardenas carrillo \
         espinosa estrada fuentes guerra herrera jimenez leon marrero mesa milian molina peralta ponce rivera salazar \
         santos silva vargas velazquez zamora \
         enrique eduardo fernando orlando ricardo armando felix pablo arturo oscar victor hector osvaldo rolando \
         reinaldo guillermo gustavo sergio alfredo cesar ivan adrian yoel yunior lidia gloria silvia esperanza juana \
         martha miriam olga dolores beatriz cristina patricia alicia sonia nancy marlene maritza mayra odalys milagros \
         regla norma claudia daniela pilar josefa lucia marina concepcion eva dulce julia clara amparo irene \
         yanet yaneisy yusleidys yamile yuliet leidys danay dayana lisandra anabel grisel idalmis niurka",
    ),
    (
        8.5,
        "aguiar almaguer alfonso arias avila barrios benitez bermudez betancourt borges bravo calderon campos cano \
         caballero cespedes cisneros collazo cordero corrales correa crespo cuesta duran escalona escobar fajardo \
         ferrer figueredo figueroa flores fonseca gallardo garces guevara guzman ibanez iglesias izquierdo labrada lara \
         linares llanes lugo machado marin martin matos mejias miranda monteagudo montero montes moya oliva olivera \
         pacheco padron palacios paneque pardo parra pascual portal prieto pupo quesada quintana quintero reina rios \
         robles rosales rubio salas saavedra santiago sarduy sierra solis tamayo toledo tellez trujillo varela vera \
         vidal vilches villa zaldivar zayas zulueta calvo cabello gil hidalgo lozano marquez mendoza nieto pastor \
         santamaria vicente gallego sanz cortes castellanos mas nieves pino ochoa \
         abel agustin aida alain albert aldo amado amelia angela antonia argelia aurora belkis bernardo blanca camila \
         candida carlota catalina celia damian dania delia diana diego digna domingo edgar edilberto elba elsa emilia \
         emilio enma esteban estela ester esther eugenio evelio fabian fe felipe fermin fidel florencia francisca gabriel \
         gabriela gerardo gilberto gladys gonzalo graciela gregorio guadalupe haydee heriberto hilda hugo humberto \
         ignacio ines inmaculada ileana ismael jaime jacinto jesica jessica joaquin joel josefina justo karel karina \
         katia leandro leonardo leonel leonor leticia liliana lissette lorena lorenzo lourdes magaly magdalena manuela \
         marcos marcelo maribel maricel marisol mauricio melissa michel mildred mireya monica natalia nelson nicolas \
         nidia noel noemi norberto nuria omar oneida onelio pascual paula paola paulina rafaela ramona raquel rebeca rene \
         reynaldo ruben rigoberto rita rodolfo rodrigo rogelio rosario rosalia rosaura rosmery ruth salvador samuel sandra sara \
         saul sebastian sofia soledad susana tania tatiana tomas ulises vanessa vicente victoria virginia vivian vladimir \
         wilfredo william xiomara yadira yailin yamila yanelis yaniel yasmani yenisey yordanis yosvany yudith yuniel yuri zaida \
         zenaida zoila zoe",
    ),
];

static BITS: LazyLock<HashMap<&'static str, f32>> = LazyLock::new(|| {
    let mut bits = HashMap::new();
    for (class, words) in CLASSES {
        for word in words.split_whitespace() {
            bits.entry(word).or_insert(*class);
        }
    }
    bits
});

/// Information of a common word in bits; `None` for words that are not common.
#[must_use]
pub fn bits(word: &str) -> Option<f32> {
    BITS.get(word).copied()
}
