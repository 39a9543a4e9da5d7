import { describe, expect, test } from 'vitest';
import { programNames } from '../../knowledge/load.ts';
import { analyse } from '../analyse.ts';
import { findTool } from '../programs/known.ts';
import { readingOf } from '../reading/reading.ts';
import { isFullyDescribed } from './fully-described.ts';
import { isHarmlessOption } from './harmless.ts';
import { isClosed } from './observers.ts';

const commandIn = (line: string) => {
  const [command] = analyse(line, {}).commands;
  if (!command) throw new Error(`no command in ${line}`);
  return command;
};

/** Frequently used programs, by what their options can name: files, hosts, other programs. */
const COMMON = (
  'rm cp mv ln mkdir touch chmod chown install dd tar zip unzip gzip find xargs grep sed awk sort head tail cat tee cut tr ' +
  'wc diff curl wget ssh scp rsync git npm npx yarn pnpm pip python node docker kubectl terraform aws gcloud az psql mysql ' +
  'sqlite3 redis-cli mongosh systemctl service crontab at kill pkill mount umount env sudo su timeout nice nohup watch make ' +
  'cargo go gem brew apt'
).split(' ');

describe('an unlisted option', () => {
  test.each(COMMON)('of %s prevents it from counting as harmless', (tool) => {
    expect(findTool(tool)).toBeDefined();
    const verb = tool === 'git' ? ' status' : '';
    const command = commandIn(`${tool}${verb} --zz-unlisted=/srv/x a`);
    const option = command.options.find(({ raw }) => raw.startsWith('--zz'));
    expect(readingOf(command)).toBeNull();
    if (option) expect(isHarmlessOption(command, option)).toBe(false);
  });

  test.each([...programNames(), 'fd'].filter(isClosed))('of %s may name a file to write', (tool) => {
    const command = commandIn(`${tool} --zz-unlisted=/srv/x a`);
    const word = command.argv[1];
    expect(word && isFullyDescribed(command, word)).toBe(false);
  });
});

test.each(['cat -n x', 'tail -f x', 'ls --color x', 'grep -rn a x', 'sort -u x'])(
  'listed options leave %s a reader',
  (line) => {
    const command = commandIn(line);
    expect(command.options.every((option) => isHarmlessOption(command, option))).toBe(true);
    expect(command.argv.every((word) => isFullyDescribed(command, word))).toBe(true);
  },
);

test.each(['sort -o y x', 'rg --pre ./x a', 'tree -o y', 'find . -fprint y', 'grep --zz a x'])(
  '%s does more than read',
  (line) => {
    const command = commandIn(line);
    expect(command.options.every((option) => isHarmlessOption(command, option))).toBe(false);
  },
);

test('each option of a long command is looked at once, however many words it has', () => {
  const command = commandIn(`find . ${'-zz -name a '.repeat(200)}`);
  let asked = 0;
  const options = command.options.map((option) => ({
    ...option,
    get declared() {
      asked++;
      return true;
    },
  }));
  const counted = { ...command, options };
  for (const word of command.argv) isFullyDescribed(counted, word);
  expect(asked).toBe(options.length);
});
