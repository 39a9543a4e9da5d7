import { prepareAuditStream } from '../../fleet/record/audit-stream.ts';
import { prepareMachinesBucket, preparePolicyBucket } from '../../fleet/server/buckets.ts';
import type { Protection } from '../../fleet/server/protect-stream.ts';
import { type StreamUsage, streamUsage } from '../../fleet/server/stream-usage.ts';
import type { HomePaths } from '../../home/paths.ts';
import { HooklineError } from '../../model/errors.ts';
import { counted } from '../../model/text.ts';
import { joinedSettings, withFleet } from './session.ts';

interface PreparedStreams {
  readonly streams: readonly { readonly name: string; readonly protection: Protection }[];
  readonly usage: StreamUsage;
}

/** Creates or protects the team's streams, and shows which machines fill them. */
export async function prepareStreams(paths: HomePaths): Promise<PreparedStreams> {
  const settings = joinedSettings(paths);
  const found = await withFleet(paths, async (session) => {
    const { names } = session;
    const streams = [
      { name: names.auditStream, ...(await prepareAuditStream(session, settings)) },
      { name: `KV_${names.machinesBucket}`, ...(await prepareMachinesBucket(session, settings)) },
      { name: `KV_${names.policyBucket}`, ...(await preparePolicyBucket(session, settings)) },
    ].map(({ name, protection }) => ({ name, protection }));
    return { streams, usage: await streamUsage(session, names) };
  });
  for (const { name, protection } of found.streams)
    if (protection.kind === 'refused')
      throw new HooklineError('FLEET_UNREACHABLE', `The stream ${name} isn't protected: ${protection.why}.`, {
        hint: 'Log in as an administrator: `hookline fleet rights administrator` prints the rights.',
      });
  return found;
}

/** The machines that are listed; the others send less. */
const MOST_NAMED = 5;

export function streamLines({ streams, usage }: PreparedStreams): readonly string[] {
  const { messages, bytes, most, machines } = usage;
  const size = (count: number) => `${(count / 1e6).toFixed(1)} MB`;
  const limit = most === null ? '' : ` of ${size(most)}`;
  return [
    ...streams.map(({ name, protection }) =>
      protection.kind === 'updated' ? `Protected ${name}.` : `${name} is protected.`,
    ),
    `${counted(messages, 'message')}, ${size(bytes)}${limit}. From:`,
    ...machines
      .slice(0, MOST_NAMED)
      .map(({ machine, messages: sent }) => `  ${machine}  ${sent} (${share(sent, messages)} %)`),
  ];
}

const share = (part: number, all: number) => Math.round((100 * part) / Math.max(1, all));
