import { resolve } from 'node:path';
import { createProjectFinder } from '../../home/identity.ts';
import { homePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { isTrusted, projectHash, readProject, readTrust, setTrust } from '../../rules/files/trust.ts';
import { defineCommand, flag } from '../command.ts';
import { confirmed } from '../confirm.ts';
import { paint } from '../output/paint.ts';

export default defineCommand({
  name: 'trust',
  summary:
    'Let a project’s own rules and hooks do more than deny and ask. Pins what you have read: any change ends it.',
  words: '[folder]',
  options: {
    list: flag('Show the projects that are trusted.'),
    revoke: flag('Trust it no longer.'),
    yes: flag('Do not ask.', { short: 'y' }),
    json: flag('With --list: as one JSON object.'),
  },
  examples: [
    ['hookline trust', 'read and trust the project in this folder'],
    ['hookline trust --revoke', 'back to deny and ask only'],
  ],
  asScript: true,
  access: ({ list }) => (list ? null : 'trust'),
  async run({ list, revoke, yes, json }, [folder]) {
    const { trust } = homePaths();
    if (list) {
      const projects = Object.keys(readTrust(trust)).map((path) => ({ path, valid: isTrusted(path, trust) }));
      if (json) console.log(JSON.stringify({ projects }));
      else if (projects.length === 0) console.log('No project is trusted.');
      else
        for (const { path, valid } of projects)
          console.log(`${path}${valid ? '' : paint.yellow('  (changed since: not trusted)')}`);
      return 0;
    }
    const project = createProjectFinder()(resolve(folder ?? '.'));
    if (revoke) {
      setTrust(project, null, trust);
      console.log(`${project} is not trusted.`);
      return 0;
    }
    const found = readProject(project);
    const { files, problem } = found;
    if (problem !== null) {
      throw new HooklineError('NOT_TRUSTABLE', `${project} cannot be trusted: ${problem}.`, {
        hint: 'Everything in .hookline has to be a file of the project itself, short enough to read.',
      });
    }
    if (files.length === 0) {
      throw new HooklineError(
        'NOT_FOUND',
        `${project} has no .hookline folder, so there is nothing to trust.`,
      );
    }
    // The hash is taken before anything is shown: what is pinned is what was read.
    const hash = projectHash(project, found);
    for (const { path, content } of files) {
      console.log(paint.bold(path));
      console.log(content.toString('utf8'));
    }
    if (!(await confirmed('Have you read this, and may it run with your rights?', yes, 'trust'))) return 1;
    setTrust(project, hash, trust);
    console.log(`${paint.green('Trusted')} as it is now. A change to any of these files ends it.`);
    return 0;
  },
});
