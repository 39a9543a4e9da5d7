/** Splits incoming chunks into lines. */
export function createLineReader(
  maxBytes: number,
  onLine: (line: Buffer) => void,
  onTooLong: () => void,
  /** Called after each chunk with the length and beginning of the unfinished line. */
  onUnfinished: (bytes: number, beginning: () => Buffer) => void = () => {},
): (chunk: Buffer) => void {
  let line = new ComingLine(maxBytes);
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const ended = line.end(chunk.subarray(from, end));
      line = new ComingLine(maxBytes);
      from = end + 1;
      onLine(ended);
    }
    if (from < chunk.length && !line.add(chunk.subarray(from))) return onTooLong();
    const { size } = line;
    onUnfinished(size, () => line.bytes());
  };
}

/** A longer line is collected as it arrives, because joining megabytes at its end would block everything else. */
const LONG_BYTES = 256 << 10;

/** An incomplete line. */
class ComingLine {
  size = 0;
  private parts: Buffer[] = [];
  /** Shared, so that another thread reads it without a copy. */
  private gathered: SharedArrayBuffer | null = null;
  private readonly maxBytes: number;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** False, with nothing added, beyond the limit for an unfinished line. */
  add(part: Buffer): boolean {
    const size = this.size + part.length;
    if (size > this.maxBytes) return false;
    if (this.gathered !== null) this.gather(this.gathered, part);
    else this.parts.push(part);
    this.size = size;
    if (this.gathered === null && size > LONG_BYTES) this.gatherParts();
    return true;
  }

  /** The complete line, with its last part. */
  end(last: Buffer): Buffer {
    if (this.size === 0) return last;
    return this.add(last) ? this.bytes() : Buffer.concat([this.bytes(), last]);
  }

  bytes(): Buffer {
    return this.gathered === null ? Buffer.concat(this.parts) : Buffer.from(this.gathered);
  }

  private gatherParts(): void {
    this.gathered = new SharedArrayBuffer(0, { maxByteLength: this.maxBytes });
    for (const part of this.parts) this.gather(this.gathered, part);
    this.parts = [];
  }

  private gather(into: SharedArrayBuffer, part: Buffer): void {
    const at = into.byteLength;
    into.grow(at + part.length);
    new Uint8Array(into, at).set(part);
  }
}
