import { existsSync } from 'node:fs';
import { ok, problem } from '../../../agents/setup/findings.ts';
import { forwarderPath, readForwarderSettings } from '../../../wire/forwarder-settings.ts';
import { costText, type ForwarderInUse, forwarderInUse } from '../../forwarder-in-use.ts';
import type { Check, Diagnosis, Examined } from '../check.ts';
import { type ProbeResult, probe, probeForwarder } from '../probe.ts';
import { restartRepair } from '../repairs.ts';

/** Makes a call as an agent would: through the forwarder in its settings, over the socket, to the daemon and back. */
export const roundTrip: Check = async (examined) => {
  const { root } = examined.paths;
  if (!existsSync(forwarderPath(root))) return [];
  const result = await probeForwarder(root);
  const found = whatOf(result, examined);
  const byDaemon = 'probed' in result && result.probed.by === 'daemon';
  const forwarder = await forwarderInUse(examined.paths, examined.config, byDaemon);
  return [withCost(found, forwarder), ...(await withoutDaemon(root))];
};

function whatOf(result: ProbeResult, { paths, presence }: Examined): Diagnosis {
  const why = "Agents' calls fail the same way.";
  const again = 'Run `hookline setup` again.';
  if ('problem' in result)
    return { ...problem('round-trip', `A call through the forwarder fails: ${result.problem}`, again), why };
  const { by, home, pid } = result.probed;
  if (home !== paths.root)
    return { ...problem('round-trip-home', `The forwarder uses the rules of ${home}.`, again), why };
  if (by === 'fallback' && presence.kind !== 'none') {
    const message = "Calls don't reach the daemon. The forwarder evaluates rules on its own.";
    const found = problem('round-trip-socket', message, 'Run `hookline down`, then `hookline up`.');
    return presence.kind === 'answers' ? { ...found, repair: restartRepair(paths) } : found;
  }
  if (presence.kind === 'answers' && pid !== presence.client.info.pid) {
    const message = `Calls and commands reach different daemons (pid ${pid} and ${presence.client.info.pid}).`;
    return problem(
      'round-trip-daemon',
      message,
      `Run \`kill ${pid}\`, then \`hookline down\` and \`hookline up\`.`,
    );
  }
  return ok('round-trip', `A test call through the forwarder was answered by the ${by}.`);
}

function withCost(found: Diagnosis, forwarder: ForwarderInUse | null): Diagnosis {
  if (forwarder === null) return found;
  return { ...found, message: `${found.message} ${costText(forwarder)}`.trim(), forwarder };
}

/** The same without a daemon, because the fallback must work before it is needed. */
async function withoutDaemon(root: string): Promise<readonly Diagnosis[]> {
  const settings = readForwarderSettings(root);
  // The forwarder check reports what is wrong with these.
  if (!settings || !existsSync(settings.node) || !existsSync(settings.script)) return [];
  const result = await probe(settings.node, [settings.script, '--home', root, '--fallback']);
  if (!('problem' in result)) return [];
  const message = `Calls are not checked when the daemon is down: ${result.problem}`;
  return [problem('fallback', message, 'Run `hookline setup` again.')];
}
