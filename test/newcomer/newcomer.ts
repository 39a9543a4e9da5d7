import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, delimiter, dirname, join } from 'node:path';
import * as v from 'valibot';
import { expect } from 'vitest';
import { stopDaemon } from '../../src/client/client.ts';
import { askAsScript } from '../../src/client/request.ts';
import { homePaths } from '../../src/home/paths.ts';
import { scriptIn } from '../../src/live/as-script.ts';
import { shellWord } from '../../src/platform/shell-words.ts';
import { openPage } from '../browser/chromium.ts';
import { BIN } from '../faults/product.ts';
import { openTerminal, type Terminal } from '../tui/terminal.ts';

/** A machine on which one agent is installed, and Hookline has just been. */
export interface NewMachine {
  readonly home: string;
  readonly project: string;
  readonly hooklineHome: string;
  /** What the terminal has; without the folders of Hookline and the agent in PATH. */
  readonly env: Readonly<Record<string, string>>;
  readonly agent: {
    readonly id: string;
    readonly label: string;
    readonly program: string;
    /** Makes the agent publish a package: a prompt, and whatever else it needs. */
    readonly args: readonly string[];
  };
}

const RULE = 'hookline rules add "npm publish" --deny "CI publishes, with its own token."';
const LINK = 'link.json';
const Link = v.object({ url: v.string() });

/** How fast an unhurried person reads, every line once, and types. */
const WORDS_A_MINUTE = 200;
const KEYS_A_MINUTE = 100;

/**
 * All that a newcomer does until the first call is denied and explained, typed into a terminal. Every step waits for
 * what the step before has to show, so that it ends at the first that does not work.
 */
export async function firstFiveMinutes(machine: NewMachine): Promise<void> {
  const person = sitDown(machine);
  try {
    await followReadme(person, machine);
  } finally {
    // Not when the test is over: by then the folders may be gone, and the daemon would not be found.
    await person.leave();
  }
}

async function followReadme(person: Person, machine: NewMachine): Promise<void> {
  const { agent, project } = machine;
  await person.run('hookline', `Set up ${agent.label}?`, true);
  person.press('Enter');
  await person.reads(/status line of|only read files in the project/);
  if (person.screen().includes('status line of')) person.press('n');
  await person.reads('only read files in the project');
  person.press('n');
  await person.reads('changes outside the project');
  person.press('n');
  await person.reads('Turn on memory?');
  person.press('n');
  await person.reads('Next: use your agents');
  expect(person.screen()).toContain('git/force-push');

  await person.run(RULE, 'Add this rule?', true);
  person.press('y');
  await person.reads('Added npm-publish');
  await person.uses([agent.program, ...agent.args].map(shellWord).join(' '));

  const why = await person.run('hookline why --last', 'Decision');
  expect(why).toContain('Bash npm publish');
  expect(why).toContain('denied by npm-publish');
  expect(why).toContain('CI publishes, with its own token.');
  expect(why).toContain(`${agent.id} · ${basename(project)}`);

  await person.run(`hookline open --json > ${LINK}; echo written`, 'written');
  await seesTheCall(machine);
  expect(person.minutes(), 'minutes of reading and typing').toBeLessThan(5);
}

/** One call, denied, with its rule and its project; and nothing else that looks like a call. */
async function seesTheCall({ agent, project }: NewMachine): Promise<void> {
  const { url } = v.parse(Link, JSON.parse(readFileSync(join(project, LINK), 'utf8')));
  const { page, complaints } = await openPage();
  await page.goto(url);
  await page.getByText('Live', { exact: true }).waitFor();
  await page.goto(`${new URL(page.url()).origin}/#/sessions`);
  const sessions = page.locator('.session-row', { hasText: basename(project) });
  await sessions.first().click();
  const calls = page.locator('.turn [data-call]');
  await calls.first().waitFor();
  expect(await calls.count()).toBe(1);
  const row = await calls.first().textContent();
  for (const part of ['Bash', 'npm publish', 'denied by npm-publish']) expect(row).toContain(part);
  const session = await page.locator('main').textContent();
  for (const part of [agent.label, basename(project)]) expect(session).toContain(part);
  expect(complaints).toEqual([]);
}

interface Person extends Pick<Terminal, 'press' | 'screen'> {
  /** Types a command, and reads until it shows this and has ended, or asks something. */
  run(command: string, wanted: string, asks?: boolean): Promise<string>;
  reads(wanted: string | RegExp): Promise<string>;
  /** The same with the agent, whose own time is not counted. */
  uses(command: string): Promise<string>;
  /** What all of that took, at an ordinary pace. */
  minutes(): number;
  /** Closes the terminal and stops the daemon. */
  leave(): Promise<void>;
}

function sitDown({ home, project, hooklineHome, env, agent }: NewMachine): Person {
  const bin = join(home, 'bin');
  mkdirSync(bin);
  symlinkSync(BIN, join(bin, 'hookline'));
  // A shell whose prompt says how the command before it ended.
  const prompt = join(bin, 'prompt');
  writeFileSync(prompt, "PS1='exit $? > '\n");
  const folders = [bin, dirname(agent.program), dirname(process.execPath), '/usr/bin', '/bin'];
  const terminal = openTerminal({ columns: 100, rows: 45 }, `cd ${shellWord(project)} && exec sh -i`, {
    ...env,
    PATH: folders.join(delimiter),
    HOME: home,
    HOOKLINE_HOME: hooklineHome,
    ENV: prompt,
    LANG: 'C.UTF-8',
    NO_COLOR: '1',
  });
  const leave = async () => {
    terminal.close();
    const paths = homePaths(hooklineHome);
    askAsScript(scriptIn(paths).key);
    await stopDaemon(paths);
  };
  let keys = 0;
  let words = 0;
  let before = new Set<string>();
  const reads = async (wanted: string | RegExp) => {
    const screen = await terminal.shows(wanted);
    const lines = screen.split('\n').filter((line) => !before.has(line));
    words += lines.join(' ').split(/\s+/).length;
    before = new Set(screen.split('\n'));
    return screen;
  };
  const type = async (command: string) => {
    await terminal.shows(/exit \d+ >\s*$/);
    terminal.type(`clear; ${command}`);
    terminal.press('Enter');
  };
  return {
    screen: terminal.screen,
    press: (...pressed) => {
      keys += pressed.length;
      terminal.press(...pressed);
    },
    reads,
    async run(command, wanted, asks = false) {
      keys += command.length;
      await type(command);
      return reads(asks ? wanted : untilEnd(wanted));
    },
    async uses(command) {
      await type(`${command} > said && echo It has ended.`);
      return terminal.shows(untilEnd('It has ended.'));
    },
    minutes: () => keys / KEYS_A_MINUTE + words / WORDS_A_MINUTE,
    leave,
  };
}

/** The text, and then a prompt that says that all went well. */
function untilEnd(text: string): RegExp {
  return new RegExp(`${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}[^]*exit 0 >\\s*$`);
}
