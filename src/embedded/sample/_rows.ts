/** Makes the metadata of a sample's records. */
import { formatAccession } from "@seqreg/core/contract/accession";
import type { Clusters } from "./clusters.ts";
import { clusterName } from "./clusters.ts";
import { FIELD_NAMES, type FieldName } from "@seqreg/core/contract/fields/public_fields";
import { type Host, type HostGroup, HOSTS } from "./_hosts.ts";
import { type BaseCounts, decimal } from "./base_counts.ts";
import { PLACES, type SampleCountry } from "./_places.ts";
import { KIND, type SamplePlan } from "./_plan.ts";
import { Prng, STREAM } from "./_prng.ts";
import { SPECIES, type Species } from "./_taxa.ts";

/** What every record of a sample says in `Data Source`. */
export const DATA_SOURCE = "synthetic: made by seqreg sample, not observed";

/** What one isolate's records share. */
interface Isolate {
  readonly number: number;
  readonly place: SampleCountry;
  readonly host: Host;
  readonly age: string;
  readonly sex: string;
  readonly vaccinated: string;
  readonly source: string;
  readonly technology: number;
  readonly day: number;
  readonly released: number;
  readonly lab: number;
  readonly submitterPlace: SampleCountry;
  readonly project: number;
  readonly location: string;
  readonly latitude: string;
  readonly longitude: string;
}

/** Days since 1970 of 1995-01-01, and of the latest collection, 2024-06-30. */
const FIRST_DAY = 9131;
const LAST_DAY = 19_904;

const TOWNS = ["Northfield", "Old Harbour", "Upper Valley", "Riverside", "Eastgate", "Stonebridge", "Lakeview"];
const CLINICAL = ["serum", "nasal swab", "faeces", "whole blood", "brain tissue", "lung tissue"];
const SOURCES: Readonly<Record<HostGroup, readonly string[]>> = {
  human: CLINICAL,
  mammal: CLINICAL,
  bird: ["cloacal swab", "faeces", "lung tissue"],
  insect: ["whole animal", "pool of 25 animals"],
  plant: ["leaf tissue", "root tissue", "seed"],
  fish: ["gill tissue", "kidney tissue"],
  bacterium: ["wastewater", "soil", "culture"],
};
const SEXES = ["female", "male", "female", "male", "unknown", ""];
const BOOLEANS = ["true", "false", "Yes", "No", "TRUE", "FALSE", "yes", "no", "1", "0", ""];
const INSTRUMENTS = ["Illumina MiSeq", "Illumina NovaSeq", "Oxford Nanopore MinION", "Ion Torrent", "Sanger", "PacBio"];
const ASSEMBLERS = ["Fictasm v1.2", "Fictasm v2.0.1", "Modelmap v0.9", "Modelmap v1.0", ""];
const KEYWORDS = ["surveillance", "outbreak", "metagenomics", "vaccine", "zoonosis", "agriculture", "reference"];
const FAMILY_NAMES = ["Example", "Sample", "Placeholder", "Mockingham", "Testerson", "Fiktiv", "Ejemplo", "Müstermann"];
const CONSORTIA = ["Genome Group", "Virus Survey", "Field Station", "Public Health Unit"];

/** Makes rows, record by record. */
export class SampleRows {
  readonly #plan: SamplePlan;
  readonly #bases: BaseCounts;
  readonly #clusters: Clusters;
  readonly #prng = new Prng(0, 0);
  readonly #seen = new Set<number>();
  #isolate: Isolate | undefined;

  constructor(plan: SamplePlan, bases: BaseCounts, clusters: Clusters) {
    this.#plan = plan;
    this.#bases = bases;
    this.#clusters = clusters;
  }

  /** Returns every row, the accession first. */
  *all(): Generator<string[]> {
    for (let record = 0; record < this.#plan.records; record++) {
      const values = this.#valuesOf(record);
      const row = [sampleAccession(record)];
      for (const name of FIELD_NAMES) row.push(values[name]);
      yield row;
    }
  }

  #valuesOf(record: number): Record<FieldName, string> {
    const plan = this.#plan;
    const kinds = plan.kinds[record];
    const has = (kind: number) => (kinds & kind) !== 0;
    const species = SPECIES[plan.species[record]];
    const isolate = this.#isolateOf(record, species);
    const prng = this.#prng;
    prng.restart(plan.seed, STREAM.row, record);
    const [country, region] = isolate.place;
    const [hostSpecies, hostCommon, hostId] = isolate.host;
    const year = isoDay(isolate.day).slice(0, 4);
    const isolateName = `SYN/${country}/${String(isolate.number + 1).padStart(6, "0")}/${year}`;
    const segment = species.segmentNames[plan.segment[record]];
    const isWhole = plan.length[record] === species.segmentLengths[plan.segment[record]];
    const cluster = this.#clusters.clusterOf(record);
    const empty = has(KIND.empty);
    const key = species.index * 16 + plan.segment[record];
    const isReference = isWhole && !this.#seen.has(key);
    if (isReference) this.#seen.add(key);
    return {
      "Sequence Name": sequenceName(species.name, isolateName, segment, isWhole, kinds),
      "Sequence Length": String(this.#bases.lengthOf(record)),
      "Isolate": isolateName,
      "Segment": segment,
      "Molecule Type": species.molecule,
      "Genome Completeness": isWhole ? "complete" : plan.length[record] < 1000 ? "fragment" : "partial",
      "GC Content": this.#bases.gcPercentOf(record),
      "Ambiguous Bases": String(this.#bases.ambiguousOf(record)),
      "Realm": species.realm,
      "Kingdom": species.kingdom,
      "Phylum": species.phylum,
      "Class": species.class,
      "Order": species.order,
      "Family": species.family,
      "Genus": species.genus,
      "Species": species.name,
      "Virus Taxonomy ID": species.taxonomyId,
      "Host Species": empty ? "" : hostSpecies,
      "Host Common Name": empty ? "" : hostCommon,
      "Host Taxonomy ID": empty ? "" : String(hostId),
      "Host Age": isolate.age,
      "Host Sex": isolate.sex,
      "Host Vaccinated": isolate.vaccinated,
      "Isolation Source": isolate.source,
      "Collection Date": collectionDate(isolate.day, kinds),
      "Release Date": isoDay(isolate.released),
      "Country": empty && prng.percent(50) ? "" : country,
      "Geo Region": region,
      "Location": isolate.location,
      "Latitude": isolate.latitude,
      "Longitude": isolate.longitude,
      "Submitter": `Synthetic ${CONSORTIA[isolate.lab % CONSORTIA.length]} ${isolate.lab + 1}`,
      "Submitter Country": isolate.submitterPlace[0],
      "Originating Lab": `Synthetic Laboratory ${isolate.lab + 1}`,
      "Lab Code": String(isolate.lab * 37 + 5).padStart(5, "0"),
      "Authors": authors(prng),
      "Publication Title": publicationTitle(species.genus, isolate.project, prng),
      "Source Accession": `SYN${String(record + 1).padStart(8, "0")}.${1 + prng.below(2)}`,
      "Sample Accession": `SYNSAM${String(isolate.number + 1).padStart(8, "0")}`,
      "Project Accession": `SYNPRJ${String(isolate.project + 1).padStart(5, "0")}`,
      "Run Accession": runAccessions(record, prng),
      "Assembly Accession": isWhole ? `SYNASM_${String(isolate.number + 1).padStart(7, "0")}.1` : "",
      "Sequencing Technology": instruments(has(KIND.list), isolate.technology),
      "Sequencing Depth": prng.percent(8) ? "" : `${decimal(prng.between(15, 40_000), 1)}x`,
      "Assembly Method": prng.pick(ASSEMBLERS),
      "Keywords": keywords(prng),
      "Reference Record": isReference ? "true" : "false",
      "Lineage": `${species.genus.slice(0, 3)}.${plan.lineage[record] + 1}`,
      "Cluster": clusterName(cluster),
      "Cluster Size": String(this.#clusters.sizeOf(cluster)),
      "Cluster Representative": sampleAccession(this.#clusters.representativeOf(cluster)),
      "Notes": notes(prng),
      "Data Source": DATA_SOURCE,
    };
  }

  #isolateOf(record: number, species: Species): Isolate {
    const number = this.#plan.isolate[record];
    if (this.#isolate?.number === number) return this.#isolate;
    const prng = this.#prng;
    prng.restart(this.#plan.seed, STREAM.isolate, number);
    const place = PLACES[prng.percent(40) ? prng.skewed(PLACES.length) : prng.below(PLACES.length)];
    // The greater of two draws: sequencing has grown over the years.
    const day = FIRST_DAY + Math.max(prng.below(LAST_DAY - FIRST_DAY), prng.below(LAST_DAY - FIRST_DAY));
    const hasPoint = prng.percent(70);
    const group = prng.pick(species.hosts);
    const host = prng.pick(HOSTS[group]);
    const isPatient = group === "human" || group === "mammal" || group === "bird";
    this.#isolate = {
      number,
      place,
      host,
      age: isPatient ? hostAge(host[2] === 9606, prng) : "",
      sex: isPatient ? prng.pick(SEXES) : "",
      vaccinated: isPatient ? prng.pick(BOOLEANS) : "",
      source: prng.pick(SOURCES[group]),
      technology: prng.below(INSTRUMENTS.length),
      day,
      released: day + prng.between(20, 540),
      lab: prng.skewed(120),
      submitterPlace: prng.percent(60) ? place : prng.pick(PLACES),
      project: prng.below(200),
      location: prng.percent(50)
        ? `${prng.pick(TOWNS)}, district ${1 + prng.below(9)}`
        : prng.percent(50)
        ? prng.pick(TOWNS)
        : "",
      latitude: hasPoint ? decimal(place[2] + prng.between(-9, 9), 1) : "",
      longitude: hasPoint ? decimal(place[3] + prng.between(-9, 9), 1) : "",
    };
    return this.#isolate;
  }
}

/** Accession of a sample's record, counted from 0. */
export function sampleAccession(record: number): string {
  return formatAccession(record + 1);
}

function sequenceName(species: string, isolate: string, segment: string, isWhole: boolean, kinds: number): string {
  const parts = [
    `Synthetic ${species} isolate ${isolate}`,
    segment === "" ? "" : ` segment ${segment}`,
    (kinds & KIND.quote) === 0 ? "" : ' strain "Old Mill"',
    (kinds & KIND.comma) === 0 ? "" : ", passage 2, clone 7",
    (kinds & KIND.pipe) === 0 ? "" : "|clone A|repeat",
    isWhole ? " complete sequence" : " partial sequence",
    (kinds & KIND.newline) === 0 ? "" : "\nsecond line of the name",
  ];
  return parts.join("");
}

function collectionDate(day: number, kinds: number): string {
  const date = isoDay(day);
  if ((kinds & KIND.yearDate) !== 0) return date.slice(0, 4);
  if ((kinds & KIND.monthDate) !== 0) return date.slice(0, 7);
  if ((kinds & KIND.unknownDay) !== 0) return `${date.slice(0, 7)}-XX`;
  return date;
}

function hostAge(isHuman: boolean, prng: Prng): string {
  const form = prng.below(10);
  if (form < 2) return "";
  const age = isHuman ? prng.between(1, 92) : prng.between(1, 14);
  return form < 5 ? String(age) : form < 9 ? `${age} years` : `${age} months`;
}

function authors(prng: Prng): string {
  const names: string[] = [];
  for (let count = prng.between(1, 4); count > 0; count--) {
    names.push(`${prng.pick(FAMILY_NAMES)}, ${String.fromCharCode(65 + prng.below(26))}.`);
  }
  return names.join("; ");
}

function publicationTitle(genus: string, project: number, prng: Prng): string {
  const form = prng.below(4);
  if (form === 0) return "";
  if (form === 1) return `"${genus}" revisited: a synthetic study, part ${project + 1}`;
  return `Synthetic genomes of ${genus}, volume ${project + 1}`;
}

function runAccessions(record: number, prng: Prng): string {
  const runs: string[] = [];
  for (let run = 0, count = prng.below(4); run < count; run++) {
    runs.push(`SYNRUN${String(record * 3 + run + 1).padStart(8, "0")}`);
  }
  return runs.join(";");
}

function instruments(isList: boolean, first: number): string {
  if (!isList) return INSTRUMENTS[first];
  return `${INSTRUMENTS[first]};${INSTRUMENTS[(first + 1) % INSTRUMENTS.length]}`;
}

function keywords(prng: Prng): string {
  const first = prng.below(KEYWORDS.length);
  const words = ["synthetic", KEYWORDS[first]];
  if (prng.percent(40)) words.push(KEYWORDS[(first + 2) % KEYWORDS.length]);
  return words.join(";");
}

function notes(prng: Prng): string {
  const form = prng.below(20);
  if (form === 0) return "Stored at -80 °C.\nThawed twice.";
  if (form === 1) return 'Submitter writes: "see also the paired sample".';
  if (form === 2) return "n/a";
  return "";
}

function isoDay(day: number): string {
  return new Date(day * 86_400_000).toISOString().slice(0, 10);
}
