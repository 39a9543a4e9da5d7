import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import type { Agent } from '../../../src/agents/agent.ts';
import { readFixtures, readJson } from './fixtures.ts';

/** What `npm run new-agent` leaves in the files it writes, with what is to be done there. */
const TODO = /TODO\(new-agent\): (.+?)(?: \*\/| -->)?$/;

const fixtureMeta = v.looseObject({
  clientVersion: v.string(),
  capturedAt: v.pipe(v.string(), v.isoDate()),
  source: v.pipe(v.string(), v.minLength(1)),
  /** Cases that come from somewhere else. */
  exceptions: v.optional(v.record(v.string(), v.string()), {}),
});

const clientPin = v.looseObject({
  package: v.pipe(v.string(), v.minLength(1)),
  version: v.string(),
  program: v.pipe(v.string(), v.minLength(1)),
});

/** Everything that an agent's folder and its page still need, each as `file: what to do`. */
export function remainingWork(agent: Agent, folder: string): readonly string[] {
  const root = join(folder, '..', '..', '..');
  const page = join(root, 'docs', 'agents', `${agent.id}.md`);
  const client = join(folder, 'client.ts');
  const missing = [
    ...need(existsSync(page), `${page}: write what the client can and cannot do`),
    // One of which only a part can be run has a test of its own for that part.
    ...need(
      existsSync(client) || agent.testedPart !== undefined,
      `${client}: describe how the real client is run`,
    ),
    ...need(Object.keys(agent.supports).length > 0, `${join(folder, 'index.ts')}: add a row per event`),
    ...fixturesLeft(agent, join(folder, 'fixtures')),
    ...pinLeft(agent, join(folder, 'client.json')),
  ];
  const todos = [...sourcesIn(folder), page].filter((file) => existsSync(file)).flatMap(todosIn);
  return [...todos, ...missing].map((item) => item.replaceAll(`${root}/`, ''));
}

function need(isThere: boolean, item: string): readonly string[] {
  return isThere ? [] : [item];
}

function sourcesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .map((file) => join(folder, file));
}

function todosIn(file: string): readonly string[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.flatMap((line, at) => {
    const todo = TODO.exec(line.trim())?.[1];
    return todo === undefined ? [] : [`${file}:${at + 1}: ${todo}`];
  });
}

function fixturesLeft(agent: Agent, folder: string): readonly string[] {
  const names = readFixtures(folder, {}).map(({ name }) => name);
  if (names.length === 0)
    return [`${folder}: save payloads that the real client sent, as <NativeEvent>/<case>/in.json`];
  const file = join(folder, 'meta.json');
  const meta = v.safeParse(fixtureMeta, existsSync(file) ? readJson(file) : null);
  if (!meta.success)
    return [`${file}: say where the payloads are from, in clientVersion, capturedAt (YYYY-MM-DD) and source`];
  const { clientVersion, exceptions } = meta.output;
  const unknown = Object.keys(exceptions).filter((name) => !names.includes(name));
  return [
    ...need(
      clientVersion === agent.testedVersion,
      `${file}: clientVersion is ${clientVersion}, but testedVersion in index.ts is ${agent.testedVersion}`,
    ),
    ...unknown.map((name) => `${file}: remove the exception ${name}, there is no such fixture`),
  ];
}

function pinLeft(agent: Agent, file: string): readonly string[] {
  const pin = v.safeParse(clientPin, existsSync(file) ? readJson(file) : null);
  if (!pin.success) return [`${file}: name the npm package, version and program of the client`];
  return need(
    pin.output.version === agent.testedVersion && pin.output.version !== '0.0.0',
    `${file}: set version to the client that the fixtures were captured from, as testedVersion in index.ts does`,
  );
}
