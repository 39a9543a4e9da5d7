import type { KV } from '@nats-io/kv';
import { messageOf } from '../../model/errors.ts';
import { waitFor } from '../../platform/wait.ts';
import { writeReport } from '../machines/report.ts';
import { openSelfReport } from '../machines/self-report.ts';
import type { FleetContext, FleetPart } from '../part.ts';
import { openMachinesBucket, openPolicyBucket, POLICY_KEY } from '../server/buckets.ts';
import type { FleetSession } from '../server/connection.ts';
import { createPace } from '../server/pace.ts';
import { acceptPolicy } from './accept.ts';
import { activePolicy } from './active-policy.ts';
import { signedBefore } from './signed-policy.ts';

/** Interval at which each machine reports. */
const REPORT_MS = 60_000;
/** Spreads out the reaction of machines to the same news. */
const SPREAD_MS = 3_000;
const ALERT = 'fleet-policy';

interface Refused {
  readonly version: number | null;
  readonly why: string;
}

/** Accepts a published policy, or says why not. */
function createPolicyReceiver(context: FleetContext) {
  const { log, alerts } = context.home;
  const pace = createPace();
  let refused: Refused | null = null;

  async function take(text: string): Promise<boolean> {
    const outcome = await acceptPolicy(text, context);
    const before = refused;
    // Any client can make the server write invalid values again and again.
    if ('refused' in outcome && before?.why === outcome.refused && before.version === outcome.version)
      return false;
    alerts.clear(ALERT);
    if ('refused' in outcome) {
      const { version, refused: why, fix } = outcome;
      refused = { version, why };
      const message = `The published policy was rejected: ${why}.`;
      alerts.raise({ code: ALERT, level: 'problem', message, fix });
      return true;
    }
    refused = null;
    if (outcome.isNew) log('info', `fleet: policy ${outcome.version} is active`);
    return outcome.isNew || before !== null;
  }

  return {
    refused: () => refused,
    /** Sequential. A deleted key is null, which has no signature and revokes nothing. Returns whether there is news. */
    async receive(...texts: readonly (string | null)[]): Promise<boolean> {
      let isNews = false;
      for (const text of texts) if (text !== null && (await take(text))) isNews = true;
      await pace();
      return isNews;
    },
  };
}

/**
 * Activates the rules that administrators publish: signed by the pinned key, newer than the active policy, valid and
 * tested. Anything else is rejected and reported.
 */
export function openPolicyPart(context: FleetContext): FleetPart {
  const { home, settings, machine } = context;
  const receiver = createPolicyReceiver(context);
  const selfReport = openSelfReport(context);
  let reportProblem: string | null = null;

  const policy = () => {
    const found = activePolicy(home.paths);
    const document = 'document' in found ? found.document : null;
    const trusts = settings.policyKey !== null;
    return { trusts, version: document?.version ?? null, refused: receiver.refused() };
  };

  /** Never rejects: rules apply without it, and nothing awaits the periodic reports. */
  async function report(bucket: KV): Promise<void> {
    const write = async () => writeReport(bucket, machine, home.signer, selfReport(policy()));
    reportProblem = await write().then(() => null, messageOf);
  }

  async function run(session: FleetSession): Promise<void> {
    const machines = await openMachinesBucket(session, settings);
    const watch = await (await openPolicyBucket(session, settings)).watch({ key: POLICY_KEY });
    session.signal.addEventListener('abort', () => watch.stop(), { once: true });
    if (session.signal.aborted) watch.stop();
    const moved = serversChange(session).then(() => true);
    void moved.then(() => watch.stop());
    const end = new AbortController();
    const both = AbortSignal.any([session.signal, end.signal]);
    const reporting = reportNowAndThen(() => report(machines), both);
    try {
      for await (const entry of watch) {
        const signed = entry.isUpdate ? null : await signedBefore(session, entry, context);
        const isNews = await receiver.receive(signed, entry.operation === 'PUT' ? entry.string() : null);
        if (isNews) await report(machines);
      }
    } finally {
      end.abort();
      await reporting;
    }
    if (session.signal.aborted) return;
    if (!(await Promise.race([moved, false]))) throw new Error('the server stopped reporting new policies');
    await waitFor(SPREAD_MS * Math.random(), session.signal);
  }

  const status = () => ({ ...policy(), reportProblem });
  return { name: 'policy', run, status, close: () => home.alerts.clear(ALERT) };
}

/**
 * Resolves when a server of the cluster joins or leaves, and when the connection ends. News about rules may have been
 * lost with that server, which would otherwise be noticed a minute later.
 */
async function serversChange({ nats }: FleetSession): Promise<void> {
  for await (const { type } of nats.status()) if (type === 'update') return;
}

async function reportNowAndThen(report: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await report();
    // Spread over time, so that not all machines report at once.
    await waitFor(REPORT_MS * (0.75 + Math.random() / 2), signal);
  }
}
