import { expect, test } from 'vitest';
import { qrOnTerminal } from './qr.ts';

/** Rows of modules; true is dark. */
type QrCode = readonly (readonly boolean[])[];

const QUIET = 4;

/** The QR code of a link, without its quiet zone. */
function drawn(link: string): QrCode {
  const lines = qrOnTerminal(link).map((line) => [...line]);
  const rows = lines.flatMap((line) =>
    ['▄', '▀'].map((dark) => line.map((sign) => sign === dark || sign === ' ')),
  );
  const size = (lines[0]?.length ?? 0) - 2 * QUIET;
  return rows.slice(QUIET, QUIET + size).map((row) => row.slice(QUIET, QUIET + size));
}

/** Blocks of each version at level M: `[blocks, data codewords]`, from the tables of the standard. */
const BLOCKS: Readonly<Record<number, readonly (readonly [number, number])[]>> = {
  1: [[1, 16]],
  2: [[1, 28]],
  3: [[1, 44]],
  4: [[2, 32]],
  5: [[2, 43]],
  6: [[4, 27]],
  7: [[4, 31]],
  8: [
    [2, 38],
    [2, 39],
  ],
  9: [
    [3, 36],
    [2, 37],
  ],
  10: [
    [4, 43],
    [1, 44],
  ],
};

const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (i, j) => (i + j) % 2 === 0,
  (i) => i % 2 === 0,
  (_, j) => j % 3 === 0,
  (i, j) => (i + j) % 3 === 0,
  (i, j) => (Math.floor(i / 2) + Math.floor(j / 3)) % 2 === 0,
  (i, j) => ((i * j) % 2) + ((i * j) % 3) === 0,
  (i, j) => (((i * j) % 2) + ((i * j) % 3)) % 2 === 0,
  (i, j) => (((i + j) % 2) + ((i * j) % 3)) % 2 === 0,
];

/** The format bits of level M, from the standard, by mask. */
const FORMATS = [
  '101010000010010',
  '101000100100101',
  '101111001111100',
  '101101101001011',
  '100010111111001',
  '100000011001110',
  '100111110010111',
  '100101010100000',
];

/** Reads a code like a scanner that sees no errors. Written from the standard, not from the encoder. */
function read(code: QrCode): string {
  const size = code.length;
  const version = (size - 17) / 4;
  const at = (row: number, column: number) => (code[row]?.[column] ? 1 : 0);
  const format = [
    ...[0, 1, 2, 3, 4, 5, 7, 8].map((column) => at(8, column)),
    ...[7, 5, 4, 3, 2, 1, 0].map((row) => at(row, 8)),
  ].join('');
  const mask = FORMATS.indexOf(format);
  expect(mask, 'the format word').not.toBe(-1);
  const bits: number[] = [];
  let upward = true;
  for (let column = size - 1; column > 0; column -= 2) {
    if (column === 6) column -= 1;
    for (let step = 0; step < size; step++) {
      const row = upward ? size - 1 - step : step;
      for (const one of [column, column - 1])
        if (!isFixed(version, size, row, one)) bits.push(at(row, one) ^ (MASKS[mask]?.(row, one) ? 1 : 0));
    }
    upward = !upward;
  }
  const codewords = Array.from({ length: Math.floor(bits.length / 8) }, (_, index) =>
    Number.parseInt(bits.slice(index * 8, index * 8 + 8).join(''), 2),
  );
  return textIn(dataOf(codewords, version), version);
}

function isFixed(version: number, size: number, row: number, column: number): boolean {
  const corner = (r: number, c: number) => row >= r && row <= r + 8 && column >= c && column <= c + 8;
  if (corner(0, 0) || corner(0, size - 8) || corner(size - 8, 0)) return true;
  if (row === 6 || column === 6) return true;
  if (version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11))) return true;
  const middle = version >= 7 ? [version * 2 + 8] : [];
  const centres = version === 1 ? [] : [6, ...middle, size - 7];
  return centres.some((r) =>
    centres.some((c) => {
      const inCorner = (r === 6 && c === 6) || (r === 6 && c === size - 7) || (r === size - 7 && c === 6);
      return !inCorner && Math.abs(row - r) <= 2 && Math.abs(column - c) <= 2;
    }),
  );
}

/** The blocks joined again, after checking the error correction of each. */
function dataOf(codewords: readonly number[], version: number): readonly number[] {
  const lengths = (BLOCKS[version] ?? []).flatMap(([count, length]) => new Array<number>(count).fill(length));
  const blocks: number[][] = lengths.map(() => []);
  const rest = [...codewords];
  for (let index = 0; index < Math.max(...lengths); index++)
    for (const [block, length] of lengths.entries())
      if (index < length) blocks[block]?.push(rest.shift() ?? 0);
  const data = blocks.flatMap((block) => [...block]);
  const correction = Math.floor(rest.length / lengths.length);
  for (let index = 0; index < correction; index++) for (const block of blocks) block.push(rest.shift() ?? 0);
  for (const block of blocks)
    expect(isCodeword(block, correction), `a block of version ${version}`).toBe(true);
  return data;
}

const [EXP, LOG] = (() => {
  const exp: number[] = [];
  const log: number[] = [];
  for (let power = 0, value = 1; power < 255; power++) {
    exp.push(value);
    log[value] = power;
    value = value * 2 > 255 ? (value * 2) ^ 0x11d : value * 2;
  }
  return [exp, log];
})();

/** True if all roots of the generator give zero, which makes it a Reed-Solomon codeword. */
function isCodeword(block: readonly number[], correction: number): boolean {
  return Array.from({ length: correction }, (_, power) =>
    block.reduce((sum, value) => (sum === 0 ? 0 : (EXP[((LOG[sum] ?? 0) + power) % 255] ?? 0)) ^ value, 0),
  ).every((syndrome) => syndrome === 0);
}

function textIn(data: readonly number[], version: number): string {
  const bits = data.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  expect(bits.slice(0, 4)).toBe('0100');
  const width = version < 10 ? 8 : 16;
  const length = Number.parseInt(bits.slice(4, 4 + width), 2);
  const bytes = Array.from({ length }, (_, index) =>
    Number.parseInt(bits.slice(4 + width + index * 8, 12 + width + index * 8), 2),
  );
  return Buffer.from(bytes).toString();
}

/** The capacity of each version in bytes, from the standard. */
const MOST = [14, 26, 42, 62, 84, 106, 122, 152, 180, 213];

test.each(MOST.flatMap((most) => [most, most + 1]).filter((length) => length <= 213))(
  'what is encoded is read again: %i bytes',
  (length) => {
    const text = 'https://192.168.178.20:8766/pair#Zq3-_'.repeat(6).slice(0, length);
    const code = drawn(text);
    expect(code).toHaveLength(17 + 4 * (1 + MOST.findIndex((most) => length <= most)));
    expect(read(code)).toBe(text);
  },
);

test('also what is not ASCII', () => {
  expect(read(drawn('grüße, 你好'))).toBe('grüße, 你好');
});

test('a text that is too long has no code', () => {
  expect(qrOnTerminal('x'.repeat(213))).not.toEqual([]);
  expect(qrOnTerminal('x'.repeat(214))).toEqual([]);
});

test('it has a quiet zone around it, and two rows a line', () => {
  const lines = qrOnTerminal('https://10.0.0.7:8766/pair#x');
  const size = 29 + 2 * QUIET;
  expect(lines).toHaveLength(Math.ceil(size / 2));
  expect(lines.slice(0, 2)).toEqual(new Array(2).fill('█'.repeat(size)));
  expect(lines[2]?.startsWith('████ ▄▄▄▄▄ ')).toBe(true);
  expect(lines.every((line) => line.length === size && /^[█▀]{4}.*[█▀]{4}$/.test(line))).toBe(true);
});
