const WHOLE = 64 * 1024;
const HEAD = 48 * 1024;
const ROOM = 16 * 1024;
const NEAR = 300;
/** What nearly every dangerous line has, and few others. */
const HINT =
  /curl|wget|\/dev\/tcp|\bnc |ncat|socat|base64|b64|atob|eval\s?\(|exec\w{0,9}\(|system\(|popen|spawn|subprocess|secrets|\bprivileged\b|hostP|docker\.sock|rm -rf|rmtree|rmSync|mkfs|crontab|id_rsa|\.ssh|_GET|_POST|_REQUEST/g;

/** A text that can be looked at in no time: of a long one its beginning, and the lines around what may be dangerous. */
export function excerpt(text: string): string {
  if (text.length <= WHOLE) return text;
  const head = text.slice(0, lineEnd(text, HEAD));
  const parts = [head];
  let from = head.length;
  let room = ROOM;
  HINT.lastIndex = from;
  for (let hit = HINT.exec(text); hit !== null && room > 0; hit = HINT.exec(text)) {
    const start = Math.max(
      from,
      text.lastIndexOf('\n', Math.max(0, hit.index - NEAR)) + 1,
      hit.index - 2 * NEAR,
    );
    const end = lineEnd(text, hit.index + NEAR);
    parts.push(text.slice(start, end));
    room -= end - start;
    from = end;
    HINT.lastIndex = end;
  }
  return parts.join('\n');
}

/** The end of the line, where that is near. */
function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 || end > at + 2 * NEAR ? Math.min(at + NEAR, text.length) : end;
}
