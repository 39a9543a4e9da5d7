/**
 * QR codes (ISO/IEC 18004) for links: text as bytes, correction level M, versions 1 to 10. That is up to 213 bytes, and all
 * that fits on a terminal. True is a dark module.
 */
export type QrCode = readonly (readonly boolean[])[];

/** Of each version: codewords in all, those for correction in each block, and blocks. Level M. */
const VERSIONS: readonly (readonly [all: number, correction: number, blocks: number])[] = [
  [26, 10, 1],
  [44, 16, 1],
  [70, 26, 1],
  [100, 18, 2],
  [134, 24, 2],
  [172, 16, 4],
  [196, 18, 4],
  [242, 22, 4],
  [292, 22, 5],
  [346, 26, 5],
];

/** Null for a text that is too long. */
export function qrCode(text: string): QrCode | null {
  const data = Buffer.from(text);
  const at = VERSIONS.findIndex(([all, correction, blocks], index) => {
    const header = index + 1 < 10 ? 2 : 3;
    return data.length + header <= all - correction * blocks;
  });
  const shape = VERSIONS[at];
  if (!shape) return null;
  const version = at + 1;
  const [all, correction, blocks] = shape;
  const codewords = interleaved(padded(data, version, all - correction * blocks), correction, blocks);
  const drafts = MASKS.map((_, mask) => drawn(version, codewords, mask));
  const scored = drafts.map((code) => ({ code, penalty: penaltyOf(code) }));
  return scored.sort((a, b) => a.penalty - b.penalty)[0]?.code ?? null;
}

/** The mode, the length, the bytes, and what fills up the rest. */
function padded(data: Uint8Array, version: number, capacity: number): Uint8Array {
  const bits: number[] = [];
  const put = (value: number, count: number) => {
    for (let bit = count - 1; bit >= 0; bit--) bits.push((value >> bit) & 1);
  };
  put(0b0100, 4);
  put(data.length, version < 10 ? 8 : 16);
  for (const byte of data) put(byte, 8);
  put(0, Math.min(4, capacity * 8 - bits.length));
  put(0, -bits.length & 7);
  for (let fill = 0; bits.length < capacity * 8; fill++) put(fill % 2 === 0 ? 0xec : 0x11, 8);
  return Uint8Array.from({ length: capacity }, (_, at) =>
    bits.slice(at * 8, at * 8 + 8).reduce((byte, bit) => (byte << 1) | bit, 0),
  );
}

/** Cut into blocks, the shorter ones first, each with its correction; then one codeword of each in turn. */
function interleaved(data: Uint8Array, correction: number, blocks: number): readonly number[] {
  const short = Math.floor(data.length / blocks);
  const longer = data.length % blocks;
  const parts = Array.from({ length: blocks }, (_, at) => {
    const start = at * short + Math.max(0, at - (blocks - longer));
    return data.subarray(start, start + short + (at < blocks - longer ? 0 : 1));
  });
  const divisor = divisorOf(correction);
  const corrections = parts.map((part) => remainder(part, divisor));
  const inTurn = (lists: readonly Uint8Array[], most: number) =>
    Array.from({ length: most }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
  return [...inTurn(parts, short + 1), ...inTurn(corrections, correction)];
}

/** In the field of 256 elements that QR codes use. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) {
    product = (product << 1) ^ ((product >> 7) * 0x11d);
    product ^= ((b >> bit) & 1) * a;
  }
  return product;
}

function divisorOf(degree: number): Uint8Array {
  const divisor = new Uint8Array(degree);
  divisor[degree - 1] = 1;
  let root = 1;
  for (let step = 0; step < degree; step++) {
    for (let at = 0; at < degree; at++)
      divisor[at] = multiply(divisor[at] ?? 0, root) ^ (divisor[at + 1] ?? 0);
    root = multiply(root, 2);
  }
  return divisor;
}

function remainder(data: Uint8Array, divisor: Uint8Array): Uint8Array {
  const rest = [...new Array<number>(divisor.length).fill(0)];
  for (const byte of data) {
    const factor = byte ^ (rest.shift() ?? 0);
    rest.push(0);
    for (const [at, value] of divisor.entries()) rest[at] = (rest[at] ?? 0) ^ multiply(value, factor);
  }
  return Uint8Array.from(rest);
}

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** A field of modules, some of which are fixed. */
interface Canvas {
  readonly size: number;
  readonly dark: boolean[][];
  readonly fixed: boolean[][];
  fix(x: number, y: number, dark: boolean): void;
}

function canvasOf(version: number): Canvas {
  const size = version * 4 + 17;
  const field = () => Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  const [dark, fixed] = [field(), field()];
  return {
    size,
    dark,
    fixed,
    fix(x, y, isDark) {
      const [row, fixedRow] = [dark[y], fixed[y]];
      if (!row || !fixedRow || x < 0 || x >= size) return;
      row[x] = isDark;
      fixedRow[x] = true;
    },
  };
}

function drawn(version: number, codewords: readonly number[], mask: number): QrCode {
  const canvas = canvasOf(version);
  drawPatterns(canvas, version);
  drawFormat(canvas, mask);
  drawVersion(canvas, version);
  drawData(canvas, codewords, MASKS[mask] ?? (() => false));
  return canvas.dark;
}

function drawPatterns({ size, fix, fixed }: Canvas, version: number): void {
  for (let at = 0; at < size; at++) {
    fix(6, at, at % 2 === 0);
    fix(at, 6, at % 2 === 0);
  }
  for (const [x, y] of [
    [3, 3],
    [size - 4, 3],
    [3, size - 4],
  ] as const)
    square(4, (dx, dy, ring) => fix(x + dx, y + dy, ring !== 2 && ring !== 4));
  const places = alignmentPlaces(version);
  for (const x of places)
    for (const y of places) {
      // Not where a corner is.
      if (fixed[y]?.[x] && x !== 6 && y !== 6) continue;
      if ((x === 6 && (y === 6 || y === size - 7)) || (y === 6 && x === size - 7)) continue;
      square(2, (dx, dy, ring) => fix(x + dx, y + dy, ring !== 1));
    }
}

function square(reach: number, draw: (dx: number, dy: number, ring: number) => void): void {
  for (let dy = -reach; dy <= reach; dy++)
    for (let dx = -reach; dx <= reach; dx++) draw(dx, dy, Math.max(Math.abs(dx), Math.abs(dy)));
}

function alignmentPlaces(version: number): readonly number[] {
  if (version === 1) return [];
  const last = version * 4 + 10;
  return version < 7 ? [6, last] : [6, (6 + last) / 2, last];
}

/** Which mask and level: twice, so that one may be dirty. */
function drawFormat({ size, fix }: Canvas, mask: number): void {
  // Level M is 0.
  let rest = mask;
  for (let step = 0; step < 10; step++) rest = (rest << 1) ^ ((rest >> 9) * 0x537);
  const bits = ((mask << 10) | rest) ^ 0x5412;
  const bit = (at: number) => ((bits >> at) & 1) === 1;
  for (let at = 0; at <= 5; at++) fix(8, at, bit(at));
  fix(8, 7, bit(6));
  fix(8, 8, bit(7));
  fix(7, 8, bit(8));
  for (let at = 9; at < 15; at++) fix(14 - at, 8, bit(at));
  for (let at = 0; at < 8; at++) fix(size - 1 - at, 8, bit(at));
  for (let at = 8; at < 15; at++) fix(8, size - 15 + at, bit(at));
  fix(8, size - 8, true);
}

function drawVersion({ size, fix }: Canvas, version: number): void {
  if (version < 7) return;
  let rest = version;
  for (let step = 0; step < 12; step++) rest = (rest << 1) ^ ((rest >> 11) * 0x1f25);
  const bits = (version << 12) | rest;
  for (let at = 0; at < 18; at++) {
    const [a, b] = [size - 11 + (at % 3), Math.floor(at / 3)];
    const isDark = ((bits >> at) & 1) === 1;
    fix(a, b, isDark);
    fix(b, a, isDark);
  }
}

/** In columns of two from the right, up and down in turn, around all that is fixed. */
function drawData(
  { size, dark, fixed }: Canvas,
  codewords: readonly number[],
  isMasked: (x: number, y: number) => boolean,
): void {
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    const column = right <= 6 ? right - 1 : right;
    for (let step = 0; step < size; step++) {
      const isUp = ((column + 1) & 2) === 0;
      const y = isUp ? size - 1 - step : step;
      for (const x of [column, column - 1]) {
        const row = dark[y];
        if (!row || fixed[y]?.[x]) continue;
        const isDark = (((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        row[x] = isDark !== isMasked(x, y);
        bit += 1;
      }
    }
  }
}

/** What makes a code hard to read: long runs, squares, what looks like a corner, too much of one colour. */
function penaltyOf(code: QrCode): number {
  const size = code.length;
  const columns = Array.from({ length: size }, (_, x) => code.map((row) => row[x] ?? false));
  const lines = [...code, ...columns].map((line) => line.map((dark) => (dark ? '1' : '0')).join(''));
  let penalty = 0;
  for (const line of lines) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) penalty += run.length - 2;
    for (const pattern of ['10111010000', '00001011101'])
      for (let at = line.indexOf(pattern); at !== -1; at = line.indexOf(pattern, at + 1)) penalty += 40;
  }
  for (let y = 1; y < size; y++)
    for (let x = 1; x < size; x++) {
      const dark = code[y]?.[x];
      if (dark === code[y]?.[x - 1] && dark === code[y - 1]?.[x] && dark === code[y - 1]?.[x - 1])
        penalty += 3;
    }
  const share = code.flat().filter(Boolean).length / (size * size);
  return penalty + Math.floor(Math.abs(share * 20 - 10)) * 10;
}

const QUIET = 4;

/** Two rows of modules a line. `light` and `dark` are the colours that the terminal is told, where it is told any. */
export function qrLines(code: QrCode): readonly string[] {
  const size = code.length + 2 * QUIET;
  const isLight = (x: number, y: number) => !(code[y - QUIET]?.[x - QUIET] ?? false);
  return Array.from({ length: Math.ceil(size / 2) }, (_, line) =>
    Array.from({ length: size }, (_, x) => {
      const [top, bottom] = [isLight(x, line * 2), isLight(x, line * 2 + 1)];
      return top ? (bottom ? '█' : '▀') : bottom ? '▄' : ' ';
    }).join(''),
  );
}
