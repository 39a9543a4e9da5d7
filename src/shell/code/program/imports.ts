import { ahead, type Cursor, closing, isSign, isWord, type Reading } from './cursor.ts';
import { pathValue } from './variables.ts';

/** Reads an import. Afterwards the imported names stand for the module's members. */
export function importHere(reading: Reading, cursor: Cursor): boolean {
  const { blocks, inserts, arrows, sigils } = reading.language;
  const first = ahead(cursor);
  if (blocks === 'indent' && isWord(first, 'import')) return pythonModules(reading, cursor);
  if (blocks === 'indent' && isWord(first, 'from') && ahead(cursor, 1)?.kind !== 'text')
    return pythonNames(reading, cursor);
  if (inserts === 'dollar' && isWord(first, 'import') && !isSign(ahead(cursor, 1), '('))
    return moduleNames(reading, cursor);
  if (arrows && !sigils && isWord(first, 'use') && ahead(cursor, 1)?.kind === 'name')
    return phpNames(reading, cursor);
  return false;
}

const isEnd = (cursor: Cursor): boolean => {
  const token = ahead(cursor);
  return token === undefined || token.kind === 'line' || isSign(token, ';');
};

/** `a.b.c`, with leading dots. */
function dotted(cursor: Cursor): string {
  let path = '';
  for (let token = ahead(cursor); token !== undefined; token = ahead(cursor)) {
    if (
      !(token.kind === 'name' && !/^(?:import|as)$/.test(token.text)) &&
      !/^(?:\.|\.\.|\.\.\.)$/.test(token.text)
    )
      break;
    path += token.text;
    cursor.at++;
  }
  return path;
}

/** The name after `as`, or the given one. */
function called(cursor: Cursor, otherwise: string): string {
  if (!isWord(ahead(cursor), 'as')) return otherwise;
  const name = ahead(cursor, 1)?.text ?? otherwise;
  cursor.at += 2;
  return name;
}

function bring(reading: Reading, name: string, path: string): void {
  if (name !== '') reading.names.set(name, pathValue(reading, path, true));
}

function pythonModules(reading: Reading, cursor: Cursor): boolean {
  cursor.at++;
  while (!isEnd(cursor)) {
    const path = dotted(cursor);
    const [root = ''] = path.split('.');
    const name = called(cursor, '');
    if (name === '') bring(reading, root, root);
    else bring(reading, name, path);
    if (path === '' || isSign(ahead(cursor), ',')) cursor.at++;
    else break;
  }
  return true;
}

function pythonNames(reading: Reading, cursor: Cursor): boolean {
  cursor.at++;
  const module = dotted(cursor).replace(/^\.+/, '');
  if (!isWord(ahead(cursor), 'import')) return true;
  cursor.at++;
  const isBracketed = isSign(ahead(cursor), '(');
  const to = isBracketed ? closing(cursor, cursor.at) : cursor.to;
  if (isBracketed) cursor.at++;
  while (cursor.at < to && (isBracketed || !isEnd(cursor))) {
    const token = ahead(cursor);
    cursor.at++;
    if (token?.kind !== 'name') continue;
    bring(reading, called(cursor, token.text), `${module}.${token.text}`);
  }
  if (isBracketed) cursor.at = Math.min(to + 1, cursor.to);
  return true;
}

/** `import a, { b as c } from 'x'`, `import * as a from 'x'`. */
function moduleNames(reading: Reading, cursor: Cursor): boolean {
  cursor.at++;
  const names: { name: string; path: string }[] = [];
  let isMember = false;
  for (let token = ahead(cursor); token !== undefined && !isSign(token, ';'); token = ahead(cursor)) {
    cursor.at++;
    if (token.kind === 'text') {
      const module = moduleName(token.text);
      for (const { name, path } of names) bring(reading, name, path === '' ? module : `${module}.${path}`);
      return true;
    }
    if (isSign(token, '{')) isMember = true;
    else if (isSign(token, '}')) isMember = false;
    else if (isSign(token, '*')) names.push({ name: called(cursor, ''), path: '' });
    else if (token.kind === 'name' && !/^(?:from|type|typeof)$/.test(token.text))
      names.push({
        name: called(cursor, token.text),
        path: isMember && token.text !== 'default' ? token.text : '',
      });
  }
  return true;
}

export const moduleName = (text: string): string => text.replace(/^node:/, '');

/** `use Aws\S3\S3Client as Client;`. */
function phpNames(reading: Reading, cursor: Cursor): boolean {
  cursor.at++;
  while (!isEnd(cursor)) {
    const parts: string[] = [];
    for (let token = ahead(cursor); token?.kind === 'name' && token.text !== 'as'; token = ahead(cursor)) {
      parts.push(token.text);
      cursor.at++;
      if (!isSign(ahead(cursor), '\\')) break;
      cursor.at++;
    }
    const path = parts.join('.');
    if (path !== '') bring(reading, called(cursor, parts.at(-1) ?? ''), path);
    if (!isSign(ahead(cursor), ',')) break;
    cursor.at++;
  }
  return true;
}
