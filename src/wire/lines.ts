/** Takes what comes over a socket chunk by chunk, and gives it out line by line. */
export function createLineReader(
  maxBytes: number,
  onLine: (line: Buffer) => void,
  onTooLong: () => void,
): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
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
    if (from === chunk.length) return;
    parts.push(chunk.subarray(from));
    size += chunk.length - from;
    if (size > maxBytes) onTooLong();
  };
}
