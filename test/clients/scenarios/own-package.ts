import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import type { Hookline } from '../../../src/live/hookline.ts';
import type { Client } from '../../../src/sandbox/client.ts';
import { describeFinished } from '../../../src/sandbox/process.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import { VERSION } from '../../../src/version.ts';
import { scratchFolder } from '../../support/scratch.ts';
import { once } from '../once.ts';
import { play, testWith } from '../scene.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const run = promisify(execFile);

export interface OwnPackage {
  /** The folder of the user into which the client unpacks the package, from the home. */
  readonly folder: string;
  /** The settings that name it, and the file that setup would write. */
  readonly settings: string;
  readonly file: string;
  readonly named: object;
  /** Made from another client, which shows the rest. */
  readonly brief?: true;
  /** What the client would fetch beside it. */
  readonly beside?: Readonly<Record<string, string>>;
}

const rules = `
  rules:
    - command: touch
      deny: Files are made by hand here.
`;

/** The tarball that npm would get. */
async function pack(): Promise<string> {
  const folder = scratchFolder();
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd: ROOT });
  return join(folder, `hookline-${VERSION}.tgz`);
}

/** What the client does for `npm:hookline`. */
async function install(
  sandbox: Sandbox,
  tarball: string,
  { folder, beside = {} }: OwnPackage,
): Promise<void> {
  const into = join(sandbox.home, folder);
  await mkdir(into, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', into, '--strip-components=1']);
  for (const [path, text] of Object.entries(beside)) await put(join(sandbox.home, path), text);
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** The client loads this package as its plugin. */
export function testOwnPackage(client: Client, own: OwnPackage): void {
  const it = testWith(client);
  const tarball = once(pack);
  const itAlsoBeside = testWith(client, !own.brief);
  const script = [[client.shell('touch forbidden.txt')], 'Then not.'];
  const name = (sandbox: Sandbox) => put(join(sandbox.home, own.settings), JSON.stringify(own.named));
  const prepare = async (sandbox: Sandbox) => {
    await install(sandbox, await tarball(), own);
    await name(sandbox);
  };
  const typesOf = async (hookline: Hookline) => (await hookline.events()).map(({ type }) => type);
  const guarded = client.turnEvents.filter((type) => type !== 'after_tool');

  describe(`${client.id} with Hookline as a package`, () => {
    it('is guarded by it, and setup writes nothing else', async () => {
      await play(client, { rules, script, prepare }, async ({ turn, hookline, sandbox, model }) => {
        expect(existsSync(join(sandbox.home, own.file))).toBe(false);
        const finished = await turn('Make a file.', { trustShell: true });
        expect(model.results(1), describeFinished(finished)).toEqual([
          expect.stringContaining('Files are made by hand here.'),
        ]);
        expect(await typesOf(hookline)).toEqual(guarded);
      });
    });

    itAlsoBeside(
      'calls Hookline once next to the file of setup, and reports where nothing is set up',
      async () => {
        await play(client, { rules, script }, async ({ turn, hookline, sandbox }) => {
          await prepare(sandbox);
          const doctor = await hookline.run(['doctor', '--json']).catch(String);
          expect(JSON.stringify(doctor)).toContain('set-up-twice');
          await turn('Make a file.', { trustShell: true });
          expect(await typesOf(hookline)).toEqual(guarded);

          await rm(join(sandbox.home, own.file));
          await hookline.run(['down']);
          await rm(join(sandbox.hooklineHome, 'bin'), { recursive: true });
          const open = await turn('Make a file.', { trustShell: true });
          expect(existsSync(join(sandbox.project, 'forbidden.txt')), describeFinished(open)).toBe(true);
          expect(open.stderr).toContain('nothing is guarded or recorded. Run: npm install --global hookline');
        });
      },
    );
  });
}
