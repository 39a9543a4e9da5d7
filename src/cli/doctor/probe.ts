import { spawn } from 'node:child_process';
import * as v from 'valibot';
import { messageOf } from '../../model/errors.ts';
import { oneLine } from '../../model/text.ts';
import { forwarderPath } from '../../wire/forwarder-settings.ts';
import { PROBE, type Probed } from '../../wire/probe.ts';

export type ProbeResult =
  /** `ms` is the time an agent waits: from the start of the forwarder to its end. */
  { readonly probed: Probed; readonly ms: number } | { readonly problem: string };

/** Longer than the forwarder waits for a silent daemon. */
const DEADLINE_MS = 15_000;

const answer = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    hookline: v.object({
      by: v.picklist(['daemon', 'fallback']),
      pid: v.number(),
      version: v.string(),
      home: v.string(),
    }),
  }),
);

/** Sends a probe through the forwarder of a home. */
export function probeForwarder(home: string): Promise<ProbeResult> {
  const program = forwarderPath(home);
  return program.endsWith('.js') ? probe(process.execPath, [program]) : probe(program, []);
}

/** Sends a probe through a forwarder, started as agents start it. */
export function probe(file: string, args: readonly string[]): Promise<ProbeResult> {
  return new Promise((resolve) => {
    const start = performance.now();
    const child = spawn(file, [...args, PROBE.agent, PROBE.event], {
      stdio: ['pipe', 'pipe', 'pipe'],
      // A check must not change anything: a daemon started for it would record the spool and move damaged files aside.
      env: { ...process.env, HOOKLINE_NO_AUTOSTART: '1' },
      timeout: DEADLINE_MS,
      killSignal: 'SIGKILL',
    });
    let [out, err] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text;
    });
    child.on('error', (error) => resolve({ problem: messageOf(error) }));
    child.on('close', (code) => resolve(resultOf(code, out, err, performance.now() - start)));
    // A forwarder that doesn't start reads nothing.
    child.stdin.on('error', () => {});
    child.stdin.end('{}');
  });
}

function resultOf(code: number | null, out: string, err: string, ms: number): ProbeResult {
  const parsed = code === 0 ? v.safeParse(answer, out) : null;
  if (parsed?.success) return { probed: parsed.output.hookline, ms };
  if (code === null) return { problem: `no answer within ${DEADLINE_MS / 1000} s.` };
  return { problem: oneLine(err, 300) || `it exited with code ${code} without an answer.` };
}
