// What code a process loads. Loaded into it before its own code (`node --import`); on channel 3 it says so at the end.
import { writeSync } from 'node:fs';
import { Session } from 'node:inspector';

/** The length of each script, by its address. */
const scripts = new Map();
const own = new URL('.', import.meta.url).href;

/** Debugging slows code down, so only where modules are counted. */
export function watchModules() {
  const session = new Session();
  session.connect();
  session.on('Debugger.scriptParsed', ({ params: { url, length } }) => scripts.set(url, length));
  session.post('Debugger.enable');
}

/** Files only, because the number of Node's own modules depends on its version. */
export function loadedCode() {
  const files = [...scripts].filter(([url]) => url.startsWith('file:') && !url.startsWith(own));
  return { count: files.length, characters: files.reduce((sum, [, length]) => sum + length, 0) };
}

if (process.env.HOOKLINE_BENCH_LOADED === 'yes') {
  watchModules();
  process.on('exit', () => writeSync(3, JSON.stringify(loadedCode())));
}
