import type { Word } from '../../analysis.ts';
import { type Call, literal } from '../../call.ts';
import { urlHost } from './http-clients.ts';

/** Remembers a download, so that running it later counts as running code from the network. */
export function saveTo(call: Call, word: Word | null, urls: readonly Word[]): void {
  if (word === null || urls.length === 0 || word.text === '-') return;
  call.write(word);
  const [url] = urls;
  const host = url ? urlHost(url) : null;
  call.setContent(word, { template: call.walk.mark({ kind: 'network', host }), sources: [call.index] });
}

/** A file by its name in a separately named directory. */
export function namedIn(folder: Word | null, file: Word | null): Word | null {
  return file?.text && folder?.text ? literal(`${folder.text}/${file.text}`) : file;
}

export function nameFrom(url: Word, directory: Word | null): Word | null {
  const name = /\/([^/?#]+)(?:[?#].*)?$/.exec(url.template.replace(/^\w+:\/\//, ''))?.[1];
  if (name === undefined) return null;
  return literal(directory?.text ? `${directory.text}/${name}` : name);
}
