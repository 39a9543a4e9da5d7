/** Takes what comes over a socket chunk by chunk, and gives it out line by line. */
export function createLineReader(
  maxBytes: number,
  onLine: (line: Buffer) => void,
  onTooLong: () => void,
  /** After each chunk: how long the line is that has not ended yet, and what there is of it. */
  onUnfinished: (bytes: number, beginning: () => Buffer) => void = () => {},
): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  const beginning = () => Buffer.concat(parts);
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const last = chunk.subarray(from, end);
      const line = parts.length === 0 ? last : Buffer.concat([...parts, last]);
      parts = [];
      size = 0;
      from = end + 1;
      onLine(line);
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > maxBytes) onTooLong();
    else onUnfinished(size, beginning);
  };
}
