import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Client } from '../../sandbox/client.ts';
import type { Check } from '../check.ts';
import { expectThat } from '../expect.ts';
import { expectOneResult } from './denials.ts';

const BEFORE = 'one\n';
const AFTER = 'two\n';
const DENIAL = 'This file is made by a generator.';

/** Reads a file before changing it, because some clients require that. */
function edit({ files }: Client, project: string, name: string) {
  const path = files.absolute ? join(project, name) : name;
  return [[files.read(path)], [files.edit(path, BEFORE.trim(), AFTER.trim())]];
}

export const guardedFile: Check = {
  name: 'guard a file',
  promise: 'a file protected by a rule is not changed, and another one is',
  applies: () => true,
  rules: [
    { id: 'no-edit', tool: 'Edit', writes: '**/guarded.txt', deny: DENIAL },
    // The run is unattended.
    { tool: ['Read', 'Edit'], reads: '**/*.txt', allow: 'part of the check' },
    { tool: ['Read', 'Edit'], writes: '**/open.txt', allow: 'part of the check' },
  ],
  trustShell: true,
  async prepare({ project }) {
    for (const name of ['guarded.txt', 'open.txt']) await writeFile(join(project, name), BEFORE);
  },
  calls: (client, project) => [...edit(client, project, 'guarded.txt'), ...edit(client, project, 'open.txt')],
  judge: ({ text, results }) => [
    ...expectThat(text('guarded.txt') === BEFORE, 'the protected file is not changed', 'it was'),
    ...expectOneResult(results(2), DENIAL),
    ...expectThat(
      text('open.txt') === AFTER,
      'the other file is changed',
      `it was not: ${results(4).join(' | ')}`,
    ),
  ],
};
