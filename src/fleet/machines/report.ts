import type { KeyObject } from 'node:crypto';
import type { KV } from '@nats-io/kv';
import * as v from 'valibot';
import { canonicalJson } from '../../approvals/canonical-json.ts';
import { isSignedBy, type MachineSigner } from '../../store/chain/chain.ts';
import { keyOfMachine, LONGEST_NAME, type Machine, shortMachineId } from '../machine.ts';
import { shownText } from '../shown-text.ts';

/** Words of another machine, made fit to be shown. */
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
  /** Null where that is not known yet. */
  installed: v.nullable(v.boolean()),
  /** Of the client. */
  version: v.nullable(text(64)),
  setUp: v.boolean(),
  /** Why its hooks do not work, where they do not. */
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
  /** When it said so: ISO 8601. */
  at: when,
  policy: v.object({
    /** Whether it trusts anyone's rules. */
    trusts: v.boolean(),
    version: v.nullable(v.number()),
    refused: v.nullable(v.object({ version: v.nullable(v.number()), why: text(300) })),
  }),
  /** Agents that are installed or set up. Older versions report neither them nor the records still to send. */
  agents: v.exactOptional(v.array(agentSchema)),
  /** Records that were not sent yet. */
  waiting: v.exactOptional(count),
});

/** What a machine says of itself. */
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

/** What a machine has said, fit to be shown. */
export interface ReportedMachine extends Readonly<v.InferOutput<typeof reportSchema>> {
  readonly id: string;
  /** When the server got it, by the clock here. */
  readonly heardAt?: number;
}

/** More than a report has: what is larger is none. */
const LONGEST_REPORT = 32 << 10;
/** A key costs nothing: a login with write access could pose as any number of machines. */
export const MOST_MACHINES = 10_000;

/** Those of one name in the order of their ids, so that lists stay as they are. */
export function byName(a: ReportedMachine, b: ReportedMachine): number {
  return a.name === b.name ? (a.id < b.id ? -1 : 1) : a.name < b.name ? -1 : 1;
}

/** Null for what the machine has not signed. */
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
