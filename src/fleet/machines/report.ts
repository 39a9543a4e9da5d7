import type { KeyObject } from 'node:crypto';
import type { KV } from '@nats-io/kv';
import * as v from 'valibot';
import { canonicalJson } from '../../approvals/canonical-json.ts';
import { isSignedBy, type MachineSigner } from '../../store/chain/chain.ts';
import { keyOfMachine, LONGEST_NAME, type Machine, shortMachineId } from '../machine.ts';
import { shownText } from '../shown-text.ts';

/** Text of another machine, made safe to show. */
const text = (most: number) =>
  v.pipe(
    v.string(),
    v.transform((given) => shownText(given, most)),
  );
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const when = v.pipe(
  v.string(),
  v.maxLength(40),
  v.check((given) => Number.isFinite(Date.parse(given)), 'is not a time'),
);

const agentSchema = v.object({
  id: text(40),
  /** Null if not known yet. */
  installed: v.nullable(v.boolean()),
  /** Of the client. */
  version: v.nullable(text(64)),
  setUp: v.boolean(),
  /** Why its hooks don't work, if so. */
  problems: v.array(text(160)),
});

/** An agent on a machine, and whether Hookline guards it. */
export type AgentCoverage = Readonly<v.InferOutput<typeof agentSchema>>;

/** The agents of a machine, as they are now. */
export type Coverage = () => readonly AgentCoverage[];

const reportSchema = v.object({
  name: text(LONGEST_NAME),
  groups: v.array(text(64)),
  /** Of Hookline. */
  hookline: text(40),
  /** Time of the report: ISO 8601. */
  at: when,
  policy: v.object({
    /** True if it trusts a policy key. */
    trusts: v.boolean(),
    version: v.nullable(v.number()),
    refused: v.nullable(v.object({ version: v.nullable(v.number()), why: text(300) })),
  }),
  /** Agents that are installed or set up. Older versions report neither them nor the records still to send. */
  agents: v.exactOptional(v.array(agentSchema)),
  /** Number of records not sent yet. */
  waiting: v.exactOptional(count),
});

/** A machine's report about itself. */
export type MachineReport = Readonly<v.InferInput<typeof reportSchema>>;

const signedSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ report: v.looseObject({}), publicKey: v.string(), signature: v.string() }),
);

export async function writeReport(
  bucket: KV,
  machine: Machine,
  signer: MachineSigner,
  report: MachineReport,
): Promise<void> {
  const signature = signer.sign(signedText(report));
  await bucket.put(machine.id, JSON.stringify({ report, publicKey: machine.publicKey, signature }));
}

/** A machine's report, safe to show. */
export interface ReportedMachine extends Readonly<v.InferOutput<typeof reportSchema>> {
  readonly id: string;
  /** When the server received it, by the local clock. */
  readonly heardAt?: number;
}

/** Larger than any real report. */
const LONGEST_REPORT = 32 << 10;
/** Keys are free to create, so a login with write access could pose as any number of machines. */
export const MOST_MACHINES = 10_000;

/** Machines with the same name are sorted by ID, so that lists are stable. */
export function byName(a: ReportedMachine, b: ReportedMachine): number {
  return a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1;
}

/** Null if the machine hasn't signed it. */
export function readReport(id: string, given: Uint8Array): ReportedMachine | null {
  if (given.length > LONGEST_REPORT) return null;
  const parsed = v.safeParse(signedSchema, Buffer.from(given).toString('utf8'));
  if (!parsed.success) return null;
  const { report, publicKey, signature } = parsed.output;
  const key = keyOfMachine(id, publicKey);
  if (key === null || !isSigned(report, key, signature)) return null;
  const read = v.safeParse(reportSchema, report);
  return read.success ? { id, ...read.output, name: read.output.name || shortMachineId(id) } : null;
}

function isSigned(report: object, key: KeyObject, signature: string): boolean {
  try {
    return isSignedBy(key, signedText(report), signature);
  } catch {
    // Nested too deep.
    return false;
  }
}

function signedText(report: object): string {
  return `hookline machine 1\n${canonicalJson(report)}`;
}
