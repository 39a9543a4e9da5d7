import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { canMount } from '../programs.ts';
import { BIN, bashPayload, FORWARDERS, readEvents, runProgram, scratchProduct } from './product.ts';

/** A folder without write access, even for root: a file in its place. */
function block(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '');
}

describe.each(FORWARDERS)('without a daemon, by the %s forwarder', (forwarder) => {
  const RULES = 'rules:\n  - {command: npm publish, deny: Not from here.}\n  - {command: ls, allow: true}\n';

  test.each(['spool', 'run'] as const)('an unwritable %s directory does not lift a denial', async (name) => {
    const { hook, paths, rules } = scratchProduct();
    rules(RULES);
    block(paths[name]);
    // Starting the daemon is what fails without a run folder; otherwise the started one would never be stopped.
    const env = name === 'run' ? {} : { HOOKLINE_NO_AUTOSTART: '1' };
    const { code, stdout } = await hook(forwarder, 'PreToolUse', bashPayload('npm publish'), env);
    expect(code).toBe(0);
    expect(stdout).toContain('"permissionDecision":"deny"');
  });

  test('does not allow what cannot be recorded', async () => {
    const { hook, paths, rules } = scratchProduct();
    rules(RULES);
    block(paths.spool);
    const { code, stdout } = await hook(forwarder, 'PreToolUse', bashPayload('ls'), {
      HOOKLINE_NO_AUTOSTART: '1',
    });
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });
});

/** In mounts of its own: fills the disk of a home under its daemon, makes room again, and says what came of it. */
const FILLED = `set -e
mkdir "$COPY" && cp -a "$PLACE/." "$COPY/"
mount -t tmpfs -o size=48m,mode=700 tmpfs "$PLACE"
cp -a "$COPY/." "$PLACE/"
"$NODE" "$BIN" up > /dev/null
stop() { kill "$(sed 's/.*"pid":\\([0-9]*\\).*/\\1/' "$PLACE/run/daemon.json")"; }
trap stop EXIT
call() { printf '%s' "$PAYLOAD" | "$NODE" "$FORWARD" --home "$PLACE" claude PreToolUse; echo; }
call
dd if=/dev/zero of="$PLACE/filled" bs=4k 2> /dev/null || true
call; call; call
echo STATUS; "$NODE" "$BIN" status --json
rm "$PLACE/filled"
tries=0
until "$NODE" "$BIN" status --json | grep -q '"waiting":0' || [ $tries -ge 60 ]; do
  tries=$((tries + 1))
  sleep 1
done
echo EVENTS; "$NODE" "$BIN" events --json`;

test.skipIf(!canMount)(
  'counts denials while the disk is full, and records them when there is space',
  async () => {
    const { env, folder, paths, rules } = scratchProduct();
    rules('rules:\n  - {command: npm publish, deny: Not from here.}\n');
    const forward = join(dirname(BIN), '..', 'dist', 'forward.cjs');
    const at = { ...env, COPY: join(folder, 'copy'), PLACE: paths.root, NODE: process.execPath, BIN };
    const more = { ...at, FORWARD: forward, PAYLOAD: bashPayload('npm publish') };
    const { stdout, stderr } = await runProgram('unshare', ['-rm', 'sh', '-c', FILLED], '', more, folder);
    const [answers = '', rest = ''] = stdout.split('STATUS\n');
    const [status = '', events = ''] = rest.split('EVENTS\n');
    expect(answers.match(/"permissionDecision":"deny"/g), stderr).toHaveLength(4);
    const said = JSON.parse(status);
    expect(said.unrecorded).toEqual({ waiting: 3, dropped: 0 });
    expect(said.alerts).toEqual([expect.objectContaining({ code: 'disk-full', level: 'problem' })]);
    expect(readEvents(events).map(({ response }) => response.decision)).toEqual([
      'deny',
      'deny',
      'deny',
      'deny',
    ]);
  },
);
