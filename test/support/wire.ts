import { readFileSync } from 'node:fs';

/** Lines that both forwarders are tested with: what is expected, and the payload. */
export function sharedVectors(name: 'vectors' | 'outlines'): [expected: string, spec: string][] {
  return readFileSync(new URL(`../../native/${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const tab = line.indexOf('\t');
      return [line.slice(0, tab), line.slice(tab + 1)];
    });
}

/** The bytes that are written as the top of vectors.txt explains. */
export function bytesOf(spec: string): Buffer {
  const parts: Buffer[] = [];
  for (const [whole, byte, count, repeated] of spec.matchAll(
    /\\x([0-9a-f]{2})|\\\((\d+) (.*?)\\\)|\\\\|[^\\]/gsu,
  )) {
    if (byte !== undefined) parts.push(Buffer.from(byte, 'hex'));
    else if (count !== undefined && repeated !== undefined) {
      parts.push(Buffer.alloc(Number(count) * Buffer.byteLength(repeated), repeated));
    } else parts.push(Buffer.from(whole === '\\\\' ? '\\' : whole));
  }
  return Buffer.concat(parts);
}
