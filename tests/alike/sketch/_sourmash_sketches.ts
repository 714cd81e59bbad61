/** Sketches by sourmash 4.9.4: `MinHash(n=0, ksize=k, scaled=scaled).add_sequence(sequence.upper(), True)`. */

/** Sequences by what is unusual about them. */
export const SEQUENCES: Readonly<Record<string, string>> = {
  "plain": "TTTCCTCATGCAATTCAAAACCATGTCCGTAATGTAGGCGAAATAGTAAACCATTTTACGGAGGATACCAAATTCCTCCTTATTCAGGACCTAACCTGAG" +
    "GTAAACCAGGTCTCTCCGCCCCCTTATAAAAGCTGTTGCACCTAGCCAAGTTCAACGGCAGCTGCAATGGAAATAGGCAATGACGGATATATATTAAAAA" +
    "GTGTTTTAAGATACATTGAGGCCCGTTCGTGCTCCTCGCCCTGAAGCATTGCTTTGTGAAGAGGGACTTCAGCCAATAGACCTGCATACCGGCTCATTCT",
  "lower case": "tcatgtgcaacctagggagaatgtgtacatacgctcttactgcggtcgcgtctaataatatacatttgcttcgttgactagcaacccagggctatagcta" +
    "ttccccccgcggcccacccagtattcctaacggagcataaatcccacccgaactaagtttgtcgaaccttggtccaagatcgggactcggtctccaggta",
  "with N": "AGATTGCGTCCGCATGAAATCCATNCACTTGTTAACATNACAAGAACCTGAGCAGAACATGGNGAGAGGTGTGTTTGGCCGTTCGGCCTGGCTGCATCGA" +
    "GGNTATATCTCGAAGTGGANTGCGGCCTGCTTTGCTCTGCCTTAAGGCGAACTGTTCAGGATGTATATGCCTTGAACAACNTATACATGATACATCTGGG" +
    "GCANCTGTTATGGGCCCTTAATATCATTAACTCCGAGTNTTTCTCGCACGCTAATTCTAATCGGCATTGNAAGCGGGGATTACAAGTCACTCAGCGCTCT",
  "ambiguous bases":
    "GTGBGGCAATCCTTAGGTGAGAGTCAACGMGAGCTCGGGTCAGTYMGAMGT-AGGTGGATGBCTGA*CNTCAWAAATTCYTTGNCGCCGTAYADCCGCGT" +
    "CTTATGGKTGTGGGCAACCTCTTGA-AACAATTTGTRGGCCGTTSGTCATGTCCTGTTSGCATCT-CCACACGCGAYTGGAGTCGAGTAGCGG-TACHTG" +
    "TCAGGACADTAGACATTATATTCTTTW-AGCDCCWGBTTMACA-NAGCAGGC*GGTCRACGTGTWTAACAGGTTAA*YGCATCGTAABRNGTATATTNTA",
  "U": "GGGTTGACTAACCCAAGCGTAGCTAATGGCCACACTCAGTACACGGTCGAGTTGGTAACACACCCAACAGACATGAGACCCTCCTAGATAGGTATAGTCG" +
    "CTAGTTTUATGTGTACGCTGATUGTATCAUCGAGCGCCATACTCCAATACTCGGGCCTGGGGGTAAUGUGTCAGTTATCCCCTGCATGGTTGAGAUTCAT" +
    "TATACTGAGCTGTGCTAGGTGGAGGCTGATAGCATGACAGTGTCATAAAC",
  "repeats": "ACACACACACACACACACACACACACACACACACACACACACACACACACACACACACACACACACACACACACACACACACACACACACACACACACAC" +
    "ACACACACACACACACACAC",
  "one base": "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
  "shorter than k": "TCGCAGATGGGTCTCCGACG",
  "empty": "",
  "all N": "NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN",
};

/** Sequence, k, scaled, hashes, `md5sum`. */
export const SKETCHES: readonly (readonly [name: string, k: number, scaled: number, hashes: number, md5: string])[] = [
  ["plain", 21, 1, 280, "e0e90d761eccec25925b6b387c0f21e5"],
  ["plain", 31, 1, 270, "6a036f8975156d2e8dd37d1673ba262a"],
  ["plain", 51, 1, 250, "bb85d221ef095a8e120c1b3d36721ae2"],
  ["plain", 31, 10, 23, "24350f1f7db3b883608d9eb531a53406"],
  ["plain", 21, 3000, 0, "3c59dc048e8850243be8079a5c74d079"],
  ["plain", 32, 2, 118, "b8832b39cc9b1b11749d0f23e19ce3be"],
  ["plain", 7, 3, 84, "7e164246dc59cea50141292ca47b8498"],
  ["lower case", 21, 1, 180, "e00e686189e930518069a17d19a96fec"],
  ["lower case", 31, 1, 170, "e1d2df3e5a3c034af0abbbbbff0a5f8f"],
  ["lower case", 51, 1, 150, "152805b4a19f872d9806d84559b8b0e4"],
  ["lower case", 31, 10, 16, "cc17e86b1d2bcbdec9c2c0ebae59f4fa"],
  ["lower case", 21, 3000, 0, "3c59dc048e8850243be8079a5c74d079"],
  ["lower case", 32, 2, 88, "ee8586f7e9aa6da30ee9f0cfb3465021"],
  ["lower case", 7, 3, 58, "032ae56ac034eff38cafc1a33d46ccd3"],
  ["with N", 21, 1, 102, "61eecd6295eddbf68238d19b1c1c8fdd"],
  ["with N", 31, 1, 43, "3a46a3a1cd04c04384e142bb05f1b38c"],
  ["with N", 51, 1, 10, "83bf715b846b8a146a4a20efac7f2932"],
  ["with N", 31, 10, 6, "c49596b1580a6a7eeb3837078db9d12c"],
  ["with N", 21, 3000, 0, "3c59dc048e8850243be8079a5c74d079"],
  ["with N", 32, 2, 20, "705b2cae56823c5b43255dfb5df43922"],
  ["with N", 7, 3, 89, "d76aeaec09d71ab82b1b6007c6913eee"],
  ["ambiguous bases", 21, 1, 5, "f976f06cecc146f2f513fa67b112d96d"],
  ["ambiguous bases", 31, 1, 0, "c16a5320fa475530d9583c34fd356ef5"],
  ["ambiguous bases", 51, 1, 0, "2838023a778dfaecdc212708f721b788"],
  ["ambiguous bases", 31, 10, 0, "c16a5320fa475530d9583c34fd356ef5"],
  ["ambiguous bases", 21, 3000, 0, "3c59dc048e8850243be8079a5c74d079"],
  ["ambiguous bases", 32, 2, 0, "6364d3f0f495b6ab9dcf8d3b5c6e0b01"],
  ["ambiguous bases", 7, 3, 31, "fd96da23642eea2b932afa6fae5f4b82"],
  ["U", 21, 1, 143, "b721b999a1741b4e2add8b1c29500a9c"],
  ["U", 31, 1, 107, "f4040e6fc56cd1bd436d7aaf20f7c3aa"],
  ["U", 51, 1, 61, "12793901abd296c6ae7eb91cb61a39c2"],
  ["U", 31, 10, 14, "5ffa63be8e20674a4435aa45bc70f1ec"],
  ["U", 21, 3000, 0, "3c59dc048e8850243be8079a5c74d079"],
  ["U", 32, 2, 50, "deef79cf6e93b0a63b682e20758a1d3e"],
  ["U", 7, 3, 69, "dd4160c49c6fd368693c19ba0492fcaa"],
  ["repeats", 21, 1, 2, "98aea30e63e3f4230eb9007866863509"],
  ["repeats", 31, 1, 2, "97e807797119f4c6a337eb0d93c45440"],
  ["repeats", 51, 1, 2, "af9423f679639b401caa8bba20663978"],
  ["repeats", 31, 10, 0, "c16a5320fa475530d9583c34fd356ef5"],
  ["repeats", 21, 3000, 0, "3c59dc048e8850243be8079a5c74d079"],
  ["repeats", 32, 2, 0, "6364d3f0f495b6ab9dcf8d3b5c6e0b01"],
  ["repeats", 7, 3, 0, "8f14e45fceea167a5a36dedd4bea2543"],
  ["one base", 21, 1, 1, "4c5c1d72e8d34c6edfef49f1f4f58b7c"],
  ["one base", 31, 1, 1, "02efe20990bc96a0128d156c7da0591d"],
  ["one base", 51, 1, 1, "93ade690ea33b808310776c9916809bc"],
  ["one base", 31, 10, 0, "c16a5320fa475530d9583c34fd356ef5"],
  ["one base", 21, 3000, 0, "3c59dc048e8850243be8079a5c74d079"],
  ["one base", 32, 2, 1, "06e9735fb436f5d9b3582e7a5ea39314"],
  ["one base", 7, 3, 0, "8f14e45fceea167a5a36dedd4bea2543"],
  ["shorter than k", 21, 1, 0, "3c59dc048e8850243be8079a5c74d079"],
  ["shorter than k", 31, 1, 0, "c16a5320fa475530d9583c34fd356ef5"],
  ["shorter than k", 51, 1, 0, "2838023a778dfaecdc212708f721b788"],
  ["shorter than k", 31, 10, 0, "c16a5320fa475530d9583c34fd356ef5"],
  ["shorter than k", 21, 3000, 0, "3c59dc048e8850243be8079a5c74d079"],
  ["shorter than k", 32, 2, 0, "6364d3f0f495b6ab9dcf8d3b5c6e0b01"],
  ["shorter than k", 7, 3, 7, "681c0f8bbaba3d5e5c7d5f928c9fa377"],
  ["empty", 21, 1, 0, "3c59dc048e8850243be8079a5c74d079"],
  ["empty", 31, 1, 0, "c16a5320fa475530d9583c34fd356ef5"],
  ["empty", 51, 1, 0, "2838023a778dfaecdc212708f721b788"],
  ["empty", 31, 10, 0, "c16a5320fa475530d9583c34fd356ef5"],
  ["empty", 21, 3000, 0, "3c59dc048e8850243be8079a5c74d079"],
  ["empty", 32, 2, 0, "6364d3f0f495b6ab9dcf8d3b5c6e0b01"],
  ["empty", 7, 3, 0, "8f14e45fceea167a5a36dedd4bea2543"],
  ["all N", 21, 1, 0, "3c59dc048e8850243be8079a5c74d079"],
  ["all N", 31, 1, 0, "c16a5320fa475530d9583c34fd356ef5"],
  ["all N", 51, 1, 0, "2838023a778dfaecdc212708f721b788"],
  ["all N", 31, 10, 0, "c16a5320fa475530d9583c34fd356ef5"],
  ["all N", 21, 3000, 0, "3c59dc048e8850243be8079a5c74d079"],
  ["all N", 32, 2, 0, "6364d3f0f495b6ab9dcf8d3b5c6e0b01"],
  ["all N", 7, 3, 0, "8f14e45fceea167a5a36dedd4bea2543"],
];
