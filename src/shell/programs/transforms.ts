import { UNKNOWN } from '../analysis.ts';
import type { Call } from '../call.ts';
import { hasUnknown } from '../placeholders.ts';
import { hostOf } from '../places/hosts.ts';
import type { CodeTable } from '../tool.ts';
import { decodeEscapes } from '../tools/print.ts';
import { takesOrders } from '../tools/sockets.ts';

/** The input of a filter: its files if an earlier command wrote them, otherwise standard input. */
function inputText(call: Call, skip = 0): string {
  const files = call.operands.slice(skip).filter((word) => word.text !== '-');
  if (files.length === 0) return call.command.stdin.template;
  let text = '';
  for (const word of files) {
    if (word.output) {
      text += word.output.template;
      continue;
    }
    if (word.text === null) return UNKNOWN;
    const file = call.walk.store.get(call.path(word).path ?? '');
    if (file === undefined) return UNKNOWN;
    text += file.template;
  }
  return text;
}

/** More levels than anyone needs to hide a command. */
const MAX_HIDDEN = 16 * 1024;

function decode(text: string, encoding: 'base64' | 'hex'): string {
  if (text.length > MAX_HIDDEN) return UNKNOWN;
  const packed = text.replace(/\s+/g, '');
  const fits = encoding === 'hex' ? /^[0-9a-fA-F]+$/.test(packed) : /^[A-Za-z0-9+/_-]+=*$/.test(packed);
  if (!fits) return UNKNOWN;
  const decoded = Buffer.from(packed, encoding).toString('utf8');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: text that holds them was not meant for a shell.
  return /[\0-\x08\x0e-\x1a\ufffd]/.test(decoded) ? UNKNOWN : decoded;
}

function base64(call: Call): string {
  const text = inputText(call);
  if (call.has('--decode', '-D')) return decode(text, 'base64');
  return hasUnknown(text) ? UNKNOWN : `${Buffer.from(text).toString('base64')}\n`;
}

function xxd(call: Call): string {
  const [input, output] = call.operands;
  if (input) call.read(input);
  if (output) call.write(output);
  if (!call.has('--revert')) return UNKNOWN;
  return decode(input ? inputText(call) : call.command.stdin.template, 'hex');
}

function openssl(call: Call): string {
  call.read(call.value('--in'));
  call.write(call.value('--out'));
  const peer = call.value('--connect');
  if (peer) {
    call.network({ host: hostOf(peer.text), sends: true });
    takesOrders(call, hostOf(peer.text));
  }
  const decodes = call.has('-d') && (call.command.sub[0] === 'base64' || call.has('--base64', '-a'));
  return decodes ? decode(call.command.stdin.template, 'base64') : UNKNOWN;
}

/** `tr a-z b-y`: shifts letters, which can hide a word. */
function translate(call: Call): string {
  const text = call.command.stdin.template;
  const from = expandRanges(call.operands[0]?.text ?? null);
  const to = expandRanges(call.operands[1]?.text ?? null);
  if (hasUnknown(text) || text.length > MAX_HIDDEN || from === null || call.has('--complement', '-C'))
    return UNKNOWN;
  if (call.has('--delete')) return [...text].filter((character) => !from.includes(character)).join('');
  if (to === null || to === '' || call.has('--squeeze-repeats')) return UNKNOWN;
  return [...text]
    .map((character) => {
      const at = from.indexOf(character);
      return at < 0 ? character : to.charAt(Math.min(at, to.length - 1));
    })
    .join('');
}

const CLASSES: Readonly<Record<string, string>> = {
  '[:upper:]': 'A-Z',
  '[:lower:]': 'a-z',
  '[:digit:]': '0-9',
};

function expandRanges(set: string | null): string | null {
  if (set === null) return null;
  const plain = decodeEscapes(set.replace(/\[:\w+:\]/g, (name) => CLASSES[name] ?? name));
  if (/\[[:=]|\*\d*\]/.test(plain) || plain.length > 200) return null;
  return plain.replace(/(.)-(.)/g, (whole, a: string, b: string) => {
    const [low, high] = [a.charCodeAt(0), b.charCodeAt(0)];
    if (high < low || high - low > 255) return whole;
    return Array.from({ length: high - low + 1 }, (_, i) => String.fromCharCode(low + i)).join('');
  });
}

function reversed(call: Call): string {
  const text = inputText(call);
  if (hasUnknown(text) || text.length > MAX_HIDDEN) return UNKNOWN;
  return text
    .split('\n')
    .map((line) => [...line].reverse().join(''))
    .join('\n');
}

/** Filters whose output can be computed from a known input, because commands are hidden in such pipes. */
export const TRANSFORMS: CodeTable = {
  base64,
  cat: (call) => inputText(call),
  openssl,
  rev: reversed,
  tr: translate,
  xxd,
};
