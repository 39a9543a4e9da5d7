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
  summary: "Trust a project's rules and hooks in full. Trust ends when any of these files changes.",
  words: '[folder]',
  options: {
    list: flag('List trusted projects.'),
    revoke: flag('Stop trusting this project.'),
    yes: flag('Skip confirmation.', { short: 'y' }),
    json: flag('With --list: as one JSON object.'),
  },
  examples: [
    ['hookline trust', 'review and trust the project in this directory'],
    ['hookline trust --revoke', 'its rules can only deny and ask again'],
  ],
  asScript: true,
  access: ({ list }) => (list ? null : 'trust'),
  async run({ list, revoke, yes, json }, [folder]) {
    const { trust } = homePaths();
    if (list) {
      const projects = Object.keys(readTrust(trust)).map((path) => ({ path, valid: isTrusted(path, trust) }));
      if (json) console.log(JSON.stringify({ projects }));
      else if (projects.length === 0) console.log('No trusted projects.');
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
      throw new HooklineError('NOT_TRUSTABLE', `Can't trust ${project}: ${problem}.`, {
        hint: '.hookline may contain only regular files of the project, small enough to review.',
      });
    }
    if (files.length === 0) {
      throw new HooklineError(
        'NOT_FOUND',
        `${project} has no .hookline directory, so there is nothing to trust.`,
      );
    }
    // The hash is taken before anything is shown, so that exactly the shown version is trusted.
    const hash = projectHash(project, found);
    for (const { path, content } of files) {
      console.log(paint.bold(path));
      console.log(content.toString('utf8'));
    }
    if (!(await confirmed('Trust these files? They will run with your permissions.', yes, 'trust'))) return 1;
    setTrust(project, hash, trust);
    console.log(
      `${paint.green('Trusted')} in its current state. Trust ends when any of these files changes.`,
    );
    return 0;
  },
});
