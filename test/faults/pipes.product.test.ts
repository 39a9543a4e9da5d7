import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { bashPayload, FORWARDERS, type Product, scratchProduct } from './product.ts';

const RULES = 'rules: [{id: no-touch, command: touch, deny: "No."}]\n';

function pipeAt(path: string): string {
  execFileSync('mkfifo', [path]);
  return path;
}

/** What a payload may name in the place of a transcript. */
function strangeFiles({ folder }: Product): readonly string[] {
  const pipe = pipeAt(join(folder, 'pipe'));
  symlinkSync(pipe, join(folder, 'link'));
  mkdirSync(join(folder, 'directory'));
  return [
    pipe,
    join(folder, 'link'),
    join(folder, 'directory'),
    '/dev/zero',
    '/dev/tty',
    '/proc/kmsg',
    '/proc/self/mem',
  ];
}

const unix = test.skipIf(process.platform === 'win32');

unix('no file that a payload names makes the daemon wait, whatever it is', async () => {
  const product = scratchProduct();
  product.rules(RULES);
  await product.up();
  const daemon = await product.daemonPid();
  for (const path of [...strangeFiles(product), join(product.paths.run, 'hookline.sock')])
    for (const event of ['UserPromptSubmit', 'Stop', 'SubagentStop', 'SessionEnd']) {
      const said = {
        session_id: 's',
        cwd: product.folder,
        transcript_path: path,
        prompt: 'go',
        reason: 'other',
      };
      const ran = await product.hook('node', event, JSON.stringify({ ...said, hook_event_name: event }));
      expect(ran.code, `${event} ${path} ${ran.stderr}`).toBe(0);
    }
  const ran = await product.hook('node', 'PreToolUse', bashPayload('touch a'));
  expect(ran.stdout).toContain('"permissionDecision":"deny"');
  expect(await product.daemonPid()).toBe(daemon);
});

// A forwarder that waited would only end with the test.
unix.each(FORWARDERS)(
  'pipes where the %s forwarder keeps its marks do not hold up a call',
  async (forwarder) => {
    const product = scratchProduct();
    product.rules(RULES);
    mkdirSync(product.paths.run, { recursive: true });
    for (const name of ['silent', 'starting', 'impostor']) pipeAt(join(product.paths.run, name));
    const ran = await product.hook(forwarder, 'PreToolUse', bashPayload('touch a'), {
      HOOKLINE_NO_AUTOSTART: '',
    });
    expect(ran.stdout).toContain('"permissionDecision":"deny"');
  },
);
