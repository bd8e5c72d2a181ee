#!/usr/bin/env python3
"""Makes api/src/world/countries.json from Unicode CLDR: the countries (ISO 3166-1) and their parts (ISO 3166-2).

    npm pack cldr-core cldr-localenames-full cldr-subdivisions-full   # and unpack each into a folder of its name
    scripts/countries.py FOLDER > api/src/world/countries.json

CLDR names the parts of countries in English; in Spanish where SPANISH says so below, as in English otherwise.
"""

import json
import re
import sys
from pathlib import Path

# Codes that CLDR has beside ISO 3166-1's: reserved, transitional and private ones.
NOT_OFFICIAL = set("AC CP CQ DG EA EU EZ IC QO TA UN XA XB XK ZZ AN CS SU YU DD TP ZR BU FX QU NT YD".split())

# Where many of the issuers live, and where the recipients do.
SPANISH = {
    "CA": {
        "BC": "Columbia Británica", "NB": "Nuevo Brunswick", "NL": "Terranova y Labrador", "NS": "Nueva Escocia",
        "NT": "Territorios del Noroeste", "PE": "Isla del Príncipe Eduardo", "QC": "Quebec", "YT": "Yukón",
    },
    "CU": {"03": "La Habana", "99": "Isla de la Juventud"},
    "DE": {
        "BB": "Brandeburgo", "BE": "Berlín", "BW": "Baden-Wurtemberg", "BY": "Baviera", "HB": "Bremen", "HE": "Hesse",
        "HH": "Hamburgo", "MV": "Mecklemburgo-Pomerania Occidental", "NI": "Baja Sajonia",
        "NW": "Renania del Norte-Westfalia", "RP": "Renania-Palatinado", "SH": "Schleswig-Holstein", "SL": "Sarre",
        "SN": "Sajonia", "ST": "Sajonia-Anhalt", "TH": "Turingia",
    },
    "ES": {
        "AN": "Andalucía", "AR": "Aragón", "BI": "Vizcaya", "C": "La Coruña", "CL": "Castilla y León",
        "CM": "Castilla-La Mancha", "CN": "Canarias", "CT": "Cataluña", "GI": "Gerona", "IB": "Islas Baleares",
        "L": "Lérida", "LO": "La Rioja (provincia)", "M": "Madrid (provincia)", "MC": "Región de Murcia",
        "MD": "Comunidad de Madrid", "NC": "Comunidad Foral de Navarra", "O": "Asturias (provincia)", "OR": "Orense",
        "PM": "Baleares (provincia)", "PV": "País Vasco", "S": "Cantabria (provincia)", "SE": "Sevilla",
        "SS": "Guipúzcoa", "VC": "Comunidad Valenciana",
    },
    "IT": {
        "21": "Piamonte", "23": "Valle de Aosta", "25": "Lombardía", "32": "Trentino-Alto Adigio", "34": "Véneto",
        "36": "Friuli-Venecia Julia", "42": "Liguria", "45": "Emilia-Romaña", "52": "Toscana", "55": "Umbría",
        "57": "Marcas", "62": "Lacio", "65": "Abruzos", "67": "Molise", "72": "Campania", "75": "Apulia",
        "77": "Basilicata", "78": "Calabria", "82": "Sicilia", "88": "Cerdeña",
    },
    "MX": {"CMX": "Ciudad de México", "MEX": "Estado de México"},
    "US": {
        "DC": "Distrito de Columbia", "HI": "Hawái", "LA": "Luisiana", "MI": "Míchigan", "MO": "Misuri",
        "MS": "Misisipi", "NC": "Carolina del Norte", "ND": "Dakota del Norte", "NH": "Nuevo Hampshire",
        "NJ": "Nueva Jersey", "NM": "Nuevo México", "NY": "Nueva York", "OR": "Oregón", "PA": "Pensilvania",
        "SC": "Carolina del Sur", "SD": "Dakota del Sur", "TN": "Tennessee", "WV": "Virginia Occidental",
    },
}


def read(folder: Path, package: str, path: str):
    (found,) = folder.glob(f"{package}*/package/{path}")
    return json.loads(found.read_text(encoding="utf-8"))


def main() -> None:
    folder = Path(sys.argv[1])
    countries = {
        language: read(folder, "cldr-localenames-full", f"main/{language}/territories.json")["main"][language][
            "localeDisplayNames"
        ]["territories"]
        for language in ("en", "es")
    }
    english = read(folder, "cldr-subdivisions-full", "subdivisions/en/en.json")["subdivisions"]["localeDisplayNames"][
        "subdivisions"
    ]
    official = read(folder, "cldr-core", "supplemental/codeMappings.json")["supplemental"]["codeMappings"]
    contains = read(folder, "cldr-core", "supplemental/subdivisionContainment.json")["supplemental"][
        "subdivisionContainment"
    ]

    def parts_of(whole: str, found: set[str]) -> set[str]:
        for part in contains.get(whole, {}).get("_contains", []):
            if part not in found:
                found.add(part)
                parts_of(part, found)
        return found

    blocks = []
    for code in sorted(countries["en"]):
        if not re.fullmatch("[A-Z]{2}", code) or code in NOT_OFFICIAL or "_alpha3" not in official.get(code, {}):
            continue
        spanish = dict(SPANISH.get(code, {}))
        parts = []
        for part in sorted(part for part in parts_of(code, set()) if part.startswith(code.lower())):
            short = part[2:].upper()
            # What is a country's part and a country too, like Puerto Rico, is named among the countries.
            name = english.get(part) or countries["en"].get(short)
            if name is None:
                continue
            otherwise = name if part in english else countries["es"].get(short, name)
            parts.append([short, name, spanish.pop(short, otherwise)])
        if spanish:
            sys.exit(f"{code} has no such parts: {sorted(spanish)}")
        head = {"code": code, "en": countries["en"][code], "es": countries["es"][code]}
        lines = ",\n".join("  " + json.dumps(part, ensure_ascii=False) for part in parts)
        opening = json.dumps(head, ensure_ascii=False)[:-1] + ', "subdivisions": ['
        blocks.append(opening + (f"\n{lines}\n" if parts else "") + "]}")
    print("[\n" + ",\n".join(blocks) + "\n]")


if __name__ == "__main__":
    main()
