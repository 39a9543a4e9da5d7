import { expect, test, vi } from 'vitest';
import { scratchFolder } from '../../../test/support/scratch.ts';
import { readConfig, writeSetting } from '../../home/config.ts';
import { homePaths } from '../../home/paths.ts';
import { offerProjectOnly } from './packs.ts';

interface Offer {
  readonly wanted?: boolean;
  readonly yes?: boolean;
  readonly before?: 'off';
  /** The answer of a person at the terminal; without it there is no terminal. */
  readonly answer?: boolean;
}

async function offered({ wanted, yes, before, answer }: Offer) {
  const paths = homePaths(scratchFolder());
  if (before) writeSetting(paths.config, ['packs', 'project-only'], before);
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const asked: [question: string, initial: boolean][] = [];
  const ask = async (...question: [string, boolean]) => {
    asked.push(question);
    return answer ?? expect.fail('there is no terminal');
  };
  await offerProjectOnly(paths, { wanted, yes, agent: 'claude' }, answer === undefined ? null : ask);
  const said = log.mock.calls.map(([line]) => String(line)).join('\n');
  log.mockRestore();
  return { said, asked, pack: readConfig(paths.config).packs['project-only'] };
}

const COMMAND = expect.stringContaining('setup claude --project-only');
const SWITCHED = { said: expect.stringContaining('packs: {project-only: off}'), pack: 'on' };
/** Enter alone means no. */
const QUESTION = ['Require approval for changes outside the project?', false];

test('the pack project-only is offered with its command where there is no one to ask', async () => {
  expect(await offered({})).toEqual({ said: COMMAND, asked: [], pack: undefined });
  expect(await offered({ yes: true, answer: true })).toEqual({ said: COMMAND, asked: [], pack: undefined });
});

test('a person at a terminal is asked about the pack project-only', async () => {
  expect(await offered({ answer: true })).toEqual({ ...SWITCHED, asked: [QUESTION] });
  expect(await offered({ answer: false })).toEqual({ said: '', asked: [QUESTION], pack: undefined });
});

test('the pack project-only is not a question once the settings have it', async () => {
  expect(await offered({ before: 'off', answer: true })).toEqual({ said: '', asked: [], pack: 'off' });
});

test('the pack project-only is switched on where that was asked for', async () => {
  expect(await offered({ wanted: true, answer: false })).toEqual({ ...SWITCHED, asked: [] });
});
