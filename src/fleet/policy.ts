import type { KV } from '@nats-io/kv';
import { messageOf } from '../model/errors.ts';
import { policyInForce } from '../policy/in-force.ts';
import { VERSION } from '../version.ts';
import { acceptPolicy } from './accept-policy.ts';
import { openMachinesBucket, openPolicyBucket, POLICY_KEY } from './buckets.ts';
import { type FleetSession, waitFor } from './connection.ts';
import { writeReport } from './machine-report.ts';
import type { FleetContext, FleetPart } from './part.ts';

/** Each machine says so often that it is there. */
const REPORT_MS = 60_000;
const ALERT = 'fleet-policy';

interface Refused {
  readonly version: number | null;
  readonly why: string;
}

/**
 * Takes on the rules that administrators publish: what is signed by the pinned key, newer than what is in force, understood
 * and tested. Anything else changes nothing here, and is said.
 */
export function openPolicyPart(context: FleetContext): FleetPart {
  const { home, settings, machine } = context;
  let refused: Refused | null = null;
  let reportProblem: string | null = null;

  const inForce = () => {
    const found = policyInForce(home.paths);
    return 'document' in found && found.document !== null ? found.document : null;
  };

  function refuse(version: number | null, why: string, fix: string): void {
    refused = { version, why };
    home.alerts.clear(ALERT);
    const message = `Rules that were published for the fleet are not applied: ${why}.`;
    home.alerts.raise({ code: ALERT, level: 'problem', message, fix });
  }

  async function take(text: string): Promise<void> {
    const outcome = await acceptPolicy(text, context);
    if ('refused' in outcome) return refuse(outcome.version, outcome.refused, outcome.fix);
    refused = null;
    home.alerts.clear(ALERT);
    if (outcome.isNew) home.log('info', `fleet: policy ${outcome.version} is in force`);
  }

  async function report(bucket: KV): Promise<void> {
    const policy = {
      trusts: settings.policyKey !== null,
      version: inForce()?.version ?? null,
      refused,
    };
    const { name, groups } = settings;
    const said = { name, groups: [...groups], hookline: VERSION, at: new Date().toISOString(), policy };
    // Rules count without it.
    reportProblem = await writeReport(bucket, machine, home.signer, said).then(() => null, messageOf);
  }

  async function run(session: FleetSession): Promise<void> {
    const machines = await openMachinesBucket(session, settings);
    const watch = await (await openPolicyBucket(session, settings)).watch({ key: POLICY_KEY });
    session.signal.addEventListener('abort', () => watch.stop(), { once: true });
    if (session.signal.aborted) watch.stop();
    const reporting = reportNowAndThen(() => report(machines), session.signal);
    for await (const entry of watch) {
      // A key that was deleted has no signature, and lifts nothing.
      if (entry.operation === 'PUT') await take(entry.string());
      await report(machines);
    }
    await reporting;
    if (!session.signal.aborted) throw new Error('the server no longer tells about new rules');
  }

  return {
    name: 'policy',
    run,
    status: () => {
      const document = inForce();
      return {
        trusts: settings.policyKey !== null,
        version: document?.version ?? null,
        publishedAt: document?.createdAt ?? null,
        refused,
        reportProblem,
      };
    },
    close: () => home.alerts.clear(ALERT),
  };
}

async function reportNowAndThen(report: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await report();
    // Not all machines at once.
    await waitFor(REPORT_MS * (0.75 + Math.random() / 2), signal);
  }
}
