import { UNKNOWN, type Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import { fetchedFrom } from '../memory/fetched.ts';
import { isGlobResult, mayBeNew } from '../memory/glob-results.ts';
import { hasUnknown, isUnknown, unknownOf, withoutUnknown } from '../placeholders.ts';

/** Code that an interpreter reads from its input or a file, followed if the text is known. */
interface CodeSource {
  readonly template: string;
  readonly sources: readonly number[];
  readonly path: string | null;
  /** A file with a specific name in an unknown directory. */
  readonly named?: boolean;
  /** The session wrote it, and it is too long to read. */
  readonly unread?: boolean;
}

/** Content of a script argument that the session wrote, or that a command of the line prints. */
export function scriptFile(call: Call, word: Word): CodeSource {
  if (word.output) return { template: word.output.template, sources: word.output.sources, path: null };
  if (word.text === null) {
    const named = (call.path(word).ending !== null && !mayBeNew(call)) || isGlobResult(call, word);
    return { template: unknownOf(word.template), sources: [], path: null, named };
  }
  if (/^\/dev\/(?:stdin|fd\/0)$/.test(word.text) || word.text === '-') return scriptInput(call);
  const { path } = call.path(word);
  if (/^\/(?:dev|proc\/self)\/fd\/\d+$/.test(path ?? ''))
    return { template: UNKNOWN, sources: [], path: null, unread: true };
  if (word.glob && path !== null && call.walk.store.hasScriptLike(path))
    return { template: UNKNOWN, sources: [], path: null, unread: true };
  const file = path === null ? undefined : call.walk.store.script(path);
  return {
    template: file?.template ?? UNKNOWN,
    sources: file?.sources ?? [],
    path,
    unread: file?.unread ?? false,
  };
}

/** The script on its input; `sh < file` is `sh file` if nothing else was written to the file. */
export function scriptInput(call: Call): CodeSource {
  const { template, sources } = call.command.stdin;
  const path = inputFile(call);
  const file = path === null ? undefined : call.walk.store.script(path);
  return { template: file?.template ?? template, sources: file?.sources ?? sources, path };
}

function inputFile({ command: { stdin }, walk }: Call): string | null {
  if (stdin.from !== 'file' || stdin.sources.length > 0 || !isUnknown(stdin.template)) return null;
  const [origin, ...others] = walk.originsOf(stdin.template);
  if (origin?.kind !== 'file' || origin.ref.glob || others.length > 0) return null;
  return DEVICES.test(origin.ref.path ?? '') ? null : origin.ref.path;
}

/** The content differs on every read. */
const DEVICES = /^\/(?:dev|proc)\//;

/** Only the spaces in the script are known. */
export function saysNothing(template: string): boolean {
  return hasUnknown(template) && withoutUnknown(template).trim() === '';
}

/** Reports where the code comes from, and whether it can be followed. */
export function announce(call: Call, source: CodeSource): boolean {
  const host = fetchedFrom(call, source.sources, source.template);
  if (host !== undefined) {
    call.execute('network', source.path, host);
    call.walk.lost(`${call.command.name} runs code from the network`);
    return false;
  }
  if (!saysNothing(source.template)) {
    if (isDecoded(call, source.sources)) call.execute('decoded');
    else if (source.path !== null) call.execute('file', source.path);
    return true;
  }
  const decoded = isDecoded(call, source.sources);
  if (!source.unread && !decoded && (source.path !== null || source.named)) call.execute('file', source.path);
  else {
    call.execute(decoded ? 'decoded' : 'unknown', source.path);
    call.walk.lost(`${call.command.name} runs code that is not known`);
  }
  return false;
}

const DECODERS: ReadonlySet<string> = new Set([
  'base64',
  'base32',
  'xxd',
  'openssl',
  'rev',
  'tr',
  'gunzip',
  'zcat',
  'uudecode',
  'certutil',
]);

/** True if the text passed through a decoder. */
export function isDecoded({ walk }: Call, sources: readonly number[]): boolean {
  return sources.some((index) => DECODERS.has(walk.commands[index]?.tool ?? ''));
}

/** False if the text itself came over the network: `sh -c "$(curl …)"`. */
export function ownText(call: Call, word: Word): boolean {
  const host = fetchedFrom(call, word.sources ?? [], word.template);
  if (host === undefined) return true;
  call.execute('network', null, host);
  call.walk.lost(`${call.command.name} runs code from the network`);
  return false;
}
