import { parseDocument, YAMLSeq } from 'yaml';

/** The text of hooks.yaml with entries added at the end; comments and layout of the others stay. */
export function withEntries(text: string, entries: readonly Readonly<Record<string, unknown>>[]): string {
  const document = parseDocument(text);
  const list = document.get('hooks');
  if (!(list instanceof YAMLSeq)) document.set('hooks', document.createNode([]));
  for (const entry of entries) document.addIn(['hooks'], document.createNode(entry));
  return document.toString({ lineWidth: 0 });
}

/** The text without the entries with these names. */
export function withoutEntries(text: string, names: readonly string[]): string {
  const document = parseDocument(text);
  const list = document.get('hooks');
  if (!(list instanceof YAMLSeq)) return text;
  const before = list.items.length;
  list.items = list.items.filter((item) => !names.includes(String(Object(item)?.get?.('name'))));
  if (list.items.length === before) return text;
  return document.toString({ lineWidth: 0 });
}
