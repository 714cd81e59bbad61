/**
 * The invented viruses of the sample: families with the shape of real ones, and names that no virus has.
 *
 * The tree is the same for every seed, so that what a notebook says of a species holds. Every species' second word
 * begins with "synth", which marks it as synthetic wherever the name goes.
 */
import type { HostGroup } from "./_hosts.ts";
import { Prng, STREAM } from "./_prng.ts";

/** What a family's genomes look like. */
interface FamilyPlan {
  readonly stem: string;
  readonly realm: string;
  readonly kingdom: string;
  readonly phylum: string;
  readonly molecule: string;
  readonly hosts: readonly HostGroup[];
  /** Least and greatest length of each segment of a species, in nt. */
  readonly segments: readonly (readonly [least: number, most: number])[];
  /** Names of the segments; absent when there is one only. */
  readonly segmentNames?: readonly string[];
  readonly species: number;
}

export interface Species {
  readonly index: number;
  readonly realm: string;
  readonly kingdom: string;
  readonly phylum: string;
  readonly class: string;
  readonly order: string;
  readonly family: string;
  readonly genus: string;
  readonly name: string;
  /** Identifier in an invented taxonomy. */
  readonly taxonomyId: string;
  readonly molecule: string;
  readonly hosts: readonly HostGroup[];
  /** Length of each segment in nt. */
  readonly segmentLengths: readonly number[];
  /** Names of the segments; `[""]` when there is one only. */
  readonly segmentNames: readonly string[];
  /** How many of 16 bases are G or C. */
  readonly gcSixteenths: number;
}

const numbered = (count: number) => Array.from({ length: count }, (_, index) => String(index + 1));

const RNA = { realm: "Synthoriboviria", kingdom: "Fictornavirae" } as const;
const DNA = { realm: "Synthoduploviria", kingdom: "Fictodnavirae" } as const;
const SMALL = { realm: "Synthomonoviria", kingdom: "Fictoshotvirae" } as const;

/** The families. The first has the over-sequenced species; the last is the only one of 150,000 nt and more. */
const FAMILIES: readonly FamilyPlan[] = [
  {
    ...RNA,
    stem: "Balorto",
    phylum: "Fictonegaviricota",
    molecule: "ssRNA(-)",
    hosts: ["bird", "mammal"],
    segments: [[2280, 2350], [2280, 2350], [2200, 2240], [1710, 1780], [1500, 1570], [1400, 1470], [980, 1030], [
      860,
      900,
    ]],
    segmentNames: numbered(8),
    species: 6,
  },
  {
    ...RNA,
    stem: "Meskofla",
    phylum: "Fictoposiviricota",
    molecule: "ssRNA(+)",
    hosts: ["insect", "mammal"],
    segments: [[10200, 11200]],
    species: 30,
  },
  {
    ...RNA,
    stem: "Terucoro",
    phylum: "Fictoposiviricota",
    molecule: "ssRNA(+)",
    hosts: ["mammal", "bird"],
    segments: [[26500, 29950]],
    species: 18,
  },
  {
    ...RNA,
    stem: "Pavipico",
    phylum: "Fictoposiviricota",
    molecule: "ssRNA(+)",
    hosts: ["mammal", "human"],
    segments: [[7000, 8500]],
    species: 32,
  },
  {
    ...RNA,
    stem: "Dorarhab",
    phylum: "Fictonegaviricota",
    molecule: "ssRNA(-)",
    hosts: ["mammal", "fish"],
    segments: [[10500, 15600]],
    species: 22,
  },
  {
    ...RNA,
    stem: "Ganubuny",
    phylum: "Fictonegaviricota",
    molecule: "ssRNA(-)",
    hosts: ["mammal", "insect"],
    segments: [[6300, 6900], [3300, 3700], [1600, 1950]],
    segmentNames: ["L", "M", "S"],
    species: 16,
  },
  {
    ...RNA,
    stem: "Likoreo",
    phylum: "Fictoduplornaviricota",
    molecule: "dsRNA",
    hosts: ["mammal", "bird"],
    segments: [
      [3250, 3350],
      [2650, 2750],
      [2500, 2600],
      [2330, 2390],
      [1560, 1620],
      [1340, 1380],
      [1050, 1110],
      [
        1040,
        1080,
      ],
      [1010, 1070],
      [730, 770],
      [650, 690],
    ],
    segmentNames: numbered(11),
    species: 5,
  },
  {
    ...RNA,
    stem: "Zemapart",
    phylum: "Fictopisuviricota",
    molecule: "dsRNA",
    hosts: ["plant"],
    segments: [[1850, 2050], [1650, 1850]],
    segmentNames: numbered(2),
    species: 12,
  },
  {
    ...SMALL,
    stem: "Cirolabi",
    phylum: "Fictocressdnaviricota",
    molecule: "ssDNA",
    hosts: ["bird", "mammal"],
    segments: [[1720, 2300]],
    species: 40,
  },
  {
    ...SMALL,
    stem: "Gemitora",
    phylum: "Fictocressdnaviricota",
    molecule: "ssDNA",
    hosts: ["plant"],
    segments: [[2560, 2820], [2480, 2760]],
    segmentNames: ["DNA-A", "DNA-B"],
    species: 18,
  },
  {
    ...SMALL,
    stem: "Ruvaparv",
    phylum: "Fictocossaviricota",
    molecule: "ssDNA",
    hosts: ["mammal", "insect"],
    segments: [[4600, 5600]],
    species: 22,
  },
  {
    ...DNA,
    stem: "Hopapill",
    phylum: "Fictocossaviricota",
    molecule: "dsDNA",
    hosts: ["mammal", "human"],
    segments: [[7100, 8200]],
    species: 26,
  },
  {
    ...DNA,
    stem: "Sifocaud",
    phylum: "Fictouroviricota",
    molecule: "dsDNA",
    hosts: ["bacterium"],
    segments: [[17000, 29900]],
    species: 20,
  },
  {
    ...RNA,
    stem: "Venolent",
    phylum: "Fictoartverviricota",
    molecule: "ssRNA-RT",
    hosts: ["human", "mammal"],
    segments: [[8600, 9750]],
    species: 10,
  },
  {
    ...RNA,
    stem: "Hepalura",
    phylum: "Fictoartverviricota",
    molecule: "dsDNA-RT",
    hosts: ["human", "bird"],
    segments: [[3020, 3280]],
    species: 18,
  },
  {
    ...RNA,
    stem: "Tobavira",
    phylum: "Fictokitrinoviricota",
    molecule: "ssRNA(+)",
    hosts: ["plant"],
    segments: [[6200, 6650]],
    species: 20,
  },
  {
    ...RNA,
    stem: "Levimola",
    phylum: "Fictolenarviricota",
    molecule: "ssRNA(+)",
    hosts: ["bacterium"],
    segments: [[3400, 4300]],
    species: 22,
  },
  {
    ...RNA,
    stem: "Viromina",
    phylum: "Fictolenarviricota",
    molecule: "ssRNA(+)",
    hosts: ["plant"],
    segments: [[240, 400]],
    species: 6,
  },
  {
    ...DNA,
    stem: "Gigahera",
    phylum: "Fictopeploviricota",
    molecule: "dsDNA",
    hosts: ["mammal", "human"],
    segments: [[152000, 236000]],
    species: 3,
  },
];

const HEADS = ["al", "be", "cor", "du", "fe", "gal", "ha", "ior", "ka", "lu", "mer", "no", "or", "pa", "que", "ri"];
const MIDDLES = ["ba", "co", "de", "fi", "lo", "mi", "na", "po", "ra", "su", "ta", "vi"];
const TAILS = ["lis", "num", "rae", "sis", "tum", "via"];

/** Every species, in the order of their taxonomy identifiers. */
export const SPECIES: readonly Species[] = makeSpecies();

/** The species that has far more records than any other. */
export const OVER_SEQUENCED: Species = SPECIES[0];

function makeSpecies(): Species[] {
  const prng = new Prng(0, STREAM.taxa);
  const species: Species[] = [];
  const taken = new Set<string>();
  for (const family of FAMILIES) {
    let genus = "";
    for (let number = 0; number < family.species; number++) {
      if (number % 5 === 0) genus = freshName(taken, () => capital(prng.pick(HEADS) + prng.pick(MIDDLES)) + "virus");
      const epithet = freshName(taken, () => `synth${prng.pick(HEADS)}${prng.pick(MIDDLES)}${prng.pick(TAILS)}`);
      species.push({
        index: species.length,
        realm: family.realm,
        kingdom: family.kingdom,
        phylum: family.phylum,
        class: `${family.stem}viricetes`,
        order: `${family.stem}virales`,
        family: `${family.stem}viridae`,
        genus,
        name: `${genus} ${epithet}`,
        taxonomyId: String(species.length + 1).padStart(6, "0"),
        molecule: family.molecule,
        hosts: family.hosts,
        segmentLengths: family.segments.map(([least, most]) => prng.between(least, most)),
        segmentNames: family.segmentNames ?? [""],
        gcSixteenths: prng.between(5, 10),
      });
    }
  }
  return species;
}

function freshName(taken: Set<string>, make: () => string): string {
  for (;;) {
    const name = make();
    if (taken.has(name)) continue;
    taken.add(name);
    return name;
  }
}

function capital(word: string): string {
  return word[0].toUpperCase() + word.slice(1);
}
