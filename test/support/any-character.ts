import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };

/** Any of Unicode. The unit `binary` of fast-check takes each worker a second to make. */
export const anyCharacter = fc
  .nat(0x10_ffff - surrogates.count)
  .map((index) =>
    String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count),
  );
