import type { Effect, EffectOf, PathRef, SimpleCommand, Word } from '../analysis.ts';
import type { Call } from '../call.ts';
import { hasUnknown, isUnknown, madeOf, marksIn, namesIn, unknownOf } from '../placeholders.ts';
import type { Tool } from '../tool.ts';
import { printedBy } from '../traits/secret-printers.ts';
import { literalFolder } from './store.ts';

/** A longer list doesn't help the reader. */
const MAX_SENDS = 64;

/**
 * By default, everything that goes into a command may come out of it. Returns what it prints. A tool can only narrow
 * that: inputs that it merely uses (a key to log in with), and output about a file rather than from it.
 */
export function finish(call: Call, tool: Tool | undefined, from: number, output: string): string {
  const { walk, index } = call;
  const own: Effect[] = [];
  for (let i = from; i < walk.effects.length; i++) {
    const effect = walk.effects[i];
    if (effect?.command === index) own.push(effect);
  }
  const data = dataMarks(call, tool);
  const sources = [data];
  if (readsInput(call, tool)) sources.push(call.command.stdin.template);
  for (const effect of own)
    if (effect.kind === 'read' && !call.used.has(effect)) sources.push(contentOf(call, effect));
  if (tool === undefined)
    for (const word of call.operands) if (isPathLike(word)) sources.push(contentOf(call, call.path(word)));
  if (own.some(readsEnvironment)) sources.push(walk.mark({ kind: 'environment' }));
  const inputs = marksIn(...sources);
  const reached = own.filter(isNetwork);
  if (inputs !== '') for (const effect of reached) send(call, effect, effect.sends ? inputs : data);
  const first = reached.find(({ url }) => !url?.startsWith('/dev/'));
  const printed = printedBy(call.command);
  const produced = printed
    ? walk.mark(printed)
    : first
      ? walk.mark({ kind: 'network', host: first.host })
      : inputs;
  const content = unknownOf(produced);
  for (const effect of own) if (effect.kind === 'write') leave(call, tool, effect, content);
  if (!isUnknown(output) || marksIn(output) !== '') return output;
  if (tool?.about || (tool?.aboutWith && call.has(...tool.aboutWith))) return output;
  return madeOf(output, readsInput(call, tool) ? namesIn(call.command.stdin.template) : '', produced);
}

/** Adds sends for the output of a group of commands that goes over the network. */
export function sendOver(call: Call, from: number, output: string): void {
  for (const effect of call.walk.effects.slice(from))
    if (effect.kind === 'network') send(call, effect, marksIn(output));
}

/** True for a word that may name a file that an unknown program reads. */
function isPathLike({ text }: Word): boolean {
  return text !== null && /^[\w.~/][^\s=:@]*$/.test(text);
}

/** Marks of words whose text may be sent or printed. */
function dataMarks(call: Call, tool: Tool | undefined): string {
  const { argv } = call.command;
  // Most lines have no marks.
  return argv.some(({ template }) => hasUnknown(template)) ? marksIn(...dataWords(call, tool)) : '';
}

function dataWords(call: Call, tool: Tool | undefined): readonly string[] {
  const { argv, options } = call.command;
  if (tool?.uses === undefined) return argv.map(({ template }) => template);
  const used = new Set(
    options.flatMap(({ name, value }) => (value && tool.uses?.includes(name) ? value.raw : [])),
  );
  return argv
    .filter(({ raw }) => !used.has(raw) && ![...used].some((one) => raw.endsWith(one)))
    .map((word) => word.template);
}

/** True if the client reads its input; some do so only with an option. */
function readsInput(call: Call, tool: Tool | undefined): boolean {
  if (call.command.stdin.from === 'terminal') return false;
  return (
    !tool?.inputIfTold || call.command.argv.some(({ template }) => /(?:^|[@=])-$|\/dev\/stdin/.test(template))
  );
}

function readsEnvironment(effect: Effect): boolean {
  return effect.kind === 'env' && effect.op === 'read' && effect.name === '*';
}

function isNetwork(effect: Effect): effect is EffectOf<'network'> {
  return effect.kind === 'network';
}

/** Origin of a file's bytes: what the line wrote there, otherwise the file itself. */
function contentOf({ walk }: Call, effect: PathRef): string {
  const { path } = effect;
  if (path === null) return walk.mark({ kind: 'file', ref: effect });
  const known = walk.store.contentOf(effect.glob ? literalFolder(path) : path);
  if (known.exact) return marksIn(known.marks);
  return marksIn(known.marks, walk.mark({ kind: 'file', ref: effect }));
}

/** Text that the shell appends to a file doesn't replace its content. */
function isRedirected({ redirects }: SimpleCommand, raw: string): boolean {
  return redirects.some(
    ({ operator, target }) => operator === '>>' && target.text !== null && target.raw === raw,
  );
}

function leave(
  { walk, index, command }: Call,
  tool: Tool | undefined,
  effect: EffectOf<'write'>,
  template: string,
): void {
  if (effect.path === null || tool?.empties || walk.store.isWrittenBy(effect.path, index)) return;
  if (effect.append && isRedirected(command, effect.raw)) return;
  const sources = [index, ...command.stdin.sources];
  walk.store.write(effect.path, { template, sources }, index, effect.append);
}

function send(call: Call, { host }: EffectOf<'network'>, marks: string): void {
  sendMarks(call, host, marks);
}

/** Marks text as leaving this machine. `told`: a program text names it as the data to send. */
export function sendMarks(
  { walk, index, certainty }: Call,
  host: string | null,
  marks: string,
  told?: true,
): void {
  if (marks === '') return;
  for (const origin of walk.originsOf(marks).slice(0, MAX_SENDS)) {
    if (origin.kind === 'network') continue;
    const ref = origin.kind === 'file' ? origin.ref : NOTHING;
    walk.effects.push({
      kind: 'send',
      host,
      what: origin.kind,
      path: ref.path,
      prefix: ref.prefix,
      ending: ref.ending,
      raw: ref.raw,
      glob: ref.glob,
      sifted: ref.sifted,
      command: index,
      certainty,
      ...(told && { told }),
    });
  }
}

const NOTHING: PathRef = { path: null, prefix: null, ending: null, raw: '', glob: false, sifted: false };
