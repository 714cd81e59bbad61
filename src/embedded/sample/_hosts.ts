/** Hosts of the sample: species that exist, with their identifiers in the NCBI taxonomy. */

export type Host = readonly [species: string, common: string, taxonomyId: number];

/** Groups of hosts, so that a virus keeps to its kind. */
export type HostGroup = "mammal" | "bird" | "human" | "insect" | "plant" | "fish" | "bacterium";

export const HOSTS: Readonly<Record<HostGroup, readonly Host[]>> = {
  human: [["Homo sapiens", "human", 9606]],
  mammal: [
    ["Homo sapiens", "human", 9606],
    ["Sus scrofa", "pig", 9823],
    ["Bos taurus", "cattle", 9913],
    ["Ovis aries", "sheep", 9940],
    ["Capra hircus", "goat", 9925],
    ["Equus caballus", "horse", 9796],
    ["Canis lupus familiaris", "dog", 9615],
    ["Felis catus", "cat", 9685],
    ["Mus musculus", "house mouse", 10090],
    ["Rattus norvegicus", "Norway rat", 10116],
    ["Macaca mulatta", "rhesus macaque", 9544],
    ["Camelus dromedarius", "dromedary", 9838],
    ["Pteropus alecto", "black flying fox", 9402],
    ["Bubalus bubalis", "water buffalo", 89462],
  ],
  bird: [
    ["Gallus gallus", "chicken", 9031],
    ["Anas platyrhynchos", "mallard", 8839],
    ["Meleagris gallopavo", "turkey", 9103],
  ],
  insect: [
    ["Aedes aegypti", "yellow fever mosquito", 7159],
    ["Culex pipiens", "northern house mosquito", 7175],
    ["Anopheles gambiae", "African malaria mosquito", 7165],
    ["Apis mellifera", "honey bee", 7460],
    ["Bombyx mori", "domestic silkworm", 7091],
    ["Drosophila melanogaster", "fruit fly", 7227],
  ],
  plant: [
    ["Solanum lycopersicum", "tomato", 4081],
    ["Solanum tuberosum", "potato", 4113],
    ["Nicotiana tabacum", "tobacco", 4097],
    ["Zea mays", "maize", 4577],
    ["Oryza sativa", "rice", 4530],
    ["Triticum aestivum", "bread wheat", 4565],
    ["Vitis vinifera", "wine grape", 29760],
    ["Phaseolus vulgaris", "common bean", 3885],
    ["Manihot esculenta", "cassava", 3983],
  ],
  fish: [["Salmo salar", "Atlantic salmon", 8030], ["Danio rerio", "zebrafish", 7955]],
  bacterium: [
    ["Escherichia coli", "", 562],
    ["Pseudomonas aeruginosa", "", 287],
    ["Bacillus subtilis", "", 1423],
  ],
};
