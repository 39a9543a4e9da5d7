import { type Document, isMap, isScalar, isSeq, parseDocument, type YAMLMap } from 'yaml';

/** The changed text, or why it can't be changed. */
export type Enforced = { readonly text: string } | { readonly problem: string };

interface Splice {
  readonly from: number;
  readonly to: number;
  readonly put: string;
}

/**
 * Enforces one rule and leaves the rest of the file unchanged. In a file that observes as a whole, the other rules keep
 * observing.
 */
export function enforceRule(text: string, file: string, id: string): Enforced {
  const document = parseDocument(text);
  if (document.errors.length > 0) return { problem: `${file} is invalid; fix it first` };
  const list = document.get('rules', true);
  const rules = isSeq(list) ? list.items.filter((node) => isMap(node)) : [];
  const ids = rules.map((rule, at) => rule.get('id') ?? `${file.split('/').at(-1)}#${at + 1}`);
  const rule = rules[ids.indexOf(id)];
  if (!rule) return { problem: `${file} has no rule ${id}` };
  const splices = [...valueSplice(rule, 'mode', 'enforce')];
  if (document.get('mode') === 'observe' && isMap(document.contents)) {
    splices.push(...valueSplice(document.contents, 'mode', 'enforce'));
    for (const other of rules)
      if (other !== rule && !other.has('mode')) splices.push(modeSplice(other, text));
  }
  return splices.length === 0 ? { problem: `${id} is enforced already` } : { text: applied(text, splices) };
}

/** The settings with a pack switched from observe to on. */
export function enforcePack(config: string, pack: string): Enforced {
  const document: Document = parseDocument(config);
  const packs = document.get('packs', true);
  if (document.errors.length > 0 || !isMap(packs) || packs.get(pack) !== 'observe')
    return { problem: `the pack ${pack} is not in observe mode` };
  return { text: applied(config, valueSplice(packs, pack, 'on')) };
}

/** Replaces the value `observe` of a key. */
function valueSplice(map: YAMLMap, key: string, put: string): Splice[] {
  const value = map.get(key, true);
  if (!isScalar(value) || value.value !== 'observe' || !value.range) return [];
  return [{ from: value.range[0], to: value.range[1], put }];
}

/** Inserts `mode: observe` as the first key of a rule, in the style of the rule. */
function modeSplice(rule: YAMLMap, text: string): Splice {
  const start = rule.range?.[0] ?? 0;
  if (rule.flow) return { from: start + 1, to: start + 1, put: ' mode: observe,' };
  const column = start - (text.lastIndexOf('\n', start - 1) + 1);
  return { from: start, to: start, put: `mode: observe\n${' '.repeat(column)}` };
}

function applied(text: string, splices: readonly Splice[]): string {
  return [...splices]
    .sort((a, b) => b.from - a.from)
    .reduce((done, { from, to, put }) => done.slice(0, from) + put + done.slice(to), text);
}
