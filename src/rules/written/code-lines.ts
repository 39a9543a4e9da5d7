import { isShell } from '../../model/shells.ts';
import { withoutComments } from '../../shell/code/comments.ts';
import { lineOf, literalsIn } from './line.ts';

/** A call that gives its text to a shell: `system("…")`, `sh '…'`, `exec("…")`. */
const GIVES =
  /(?:\b(?:system|popen|exec|execSync|shell|shell_exec|sh|bat|powershell|cmd|getoutput|Cmd|execute)\s*[({[]?\s*(?:script\s*:\s*|cmd\s*:\s*)?|\b(?:commandLine|executable|args)\s*\(?\s*)$/;
const FAR = 80;

/** Shell lines that a program in some language starts: what `sh -c` and calls of that kind are given. */
export function shellLinesIn(code: string): string[] {
  const text = withoutComments(tripled(code), /^\s*#!/.test(code) ? 'hash' : 'slashes');
  const literals = literalsIn(text);
  return literals.flatMap(({ text: own, start, end }, at) => {
    const before = text.slice(Math.max(0, start - 40), start);
    const after = text.slice(end, end + 12);
    if (isShell(own)) {
      const words = [own];
      for (const next of literals.slice(at + 1, at + 6)) {
        if (next.start - end > FAR * words.length) break;
        words.push(next.text);
      }
      return words.some((word) => /^-[a-z]*c$/.test(word)) ? [lineOf(words)] : [];
    }
    return GIVES.test(before) || /^\s*\.execute\b/.test(after) ? [own] : [];
  });
}

/** Texts between three quotes, in one line between one. */
function tripled(code: string): string {
  return code.replace(/("""|''')([\s\S]{0,8000}?)\1/g, (_, mark: string, body: string) => {
    const quote = mark.charAt(0);
    return quote + body.replaceAll(quote, `\\${quote}`).replace(/\r?\n/g, '\\n') + quote;
  });
}

const LONG = 6_000;
const LONGEST = 32 * 1024;
const NEAR = 4;
/** Signs of a line that is worth analysing, or that such a line needs. */
const TELLING =
  /exec|spawn|system|popen|subprocess|child_process|eval|Function\s*\(|b64|base64|atob|fromCharCode|decompress|urlopen|urlretrieve|requests\.|httpx|fetch\s*\(|https?\.|axios|socket|connect|rmtree|rm_rf|rmSync|rmdir|unlink|RemoveAll|Command|Process|environ|process\.env|\bENV\b|id_rsa|id_ed25519|credentials|\.ssh|crontab|^\s*(?:import|from|use|require)\b|require\s*\(|open\s*\(|curl|wget|\bnc\b|\/dev\/(?:tcp|sd|nvme)|rm -|dd |mkfs|chmod|sudo|\|\s*(?:ba|z)?sh\b|>\s*[~/]/;

/** Of a long text, the lines worth analysing, with those around them. */
export function gist(text: string): string {
  if (text.length <= LONG) return text;
  const lines = text.split('\n');
  const kept = new Set<number>();
  let size = 0;
  for (const [at, line] of lines.entries()) {
    if (line.length > LONGEST || !TELLING.test(line)) continue;
    for (let near = Math.max(0, at - NEAR); near <= at + NEAR && near < lines.length; near++) {
      if (kept.has(near)) continue;
      kept.add(near);
      size += (lines[near]?.length ?? 0) + 1;
    }
    if (size > LONGEST) break;
  }
  const chosen = [...kept].sort((a, b) => a - b).map((at) => lines[at] ?? '');
  return chosen.join('\n').slice(0, LONGEST);
}

/** More commands than these are too many to follow at once. */
const MOST_LINES = 250;

/** A script in parts that can be analysed on their own; of one that is too long, the lines worth analysing. */
export function scriptParts(text: string): string[] {
  const end = text.length <= LONGEST ? text.length : Math.max(text.lastIndexOf('\n', LONGEST), 0) || LONGEST;
  const rest = end < text.length ? [gist(text.slice(end))] : [];
  const lines = text.slice(0, end).split('\n');
  if (lines.length <= MOST_LINES) return [lines.join('\n'), ...rest];
  const parts: string[] = [];
  let from = 0;
  let quoting: string | null = null;
  for (const [at, line] of lines.entries()) {
    quoting =
      quoting === null
        ? (/<<-?\s*["']?(\w+)/.exec(line)?.[1] ?? null)
        : line.trim() === quoting
          ? null
          : quoting;
    const isBetween = quoting === null && /^(?:\S|$)/.test(lines[at + 1] ?? '') && !/[\\|&{(]\s*$/.test(line);
    if (at - from < MOST_LINES || !isBetween) continue;
    parts.push(lines.slice(from, at + 1).join('\n'));
    from = at + 1;
  }
  return [...parts, lines.slice(from).join('\n'), ...rest];
}
