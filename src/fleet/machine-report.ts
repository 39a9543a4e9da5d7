import { createPublicKey, verify } from 'node:crypto';
import type { KV } from '@nats-io/kv';
import * as v from 'valibot';
import { canonicalJson } from '../approvals/canonical-json.ts';
import type { MachineSigner } from '../store/chain.ts';
import { type Machine, machineIdOf } from './machine.ts';

const reportSchema = v.object({
  name: v.string(),
  groups: v.array(v.string()),
  /** Of Hookline. */
  hookline: v.string(),
  /** When it said so: ISO 8601. */
  at: v.string(),
  policy: v.object({
    /** Whether it trusts anybody's rules. */
    trusts: v.boolean(),
    version: v.nullable(v.number()),
    refused: v.nullable(v.object({ version: v.nullable(v.number()), why: v.string() })),
  }),
});

/** What a machine says of itself. */
type MachineReport = v.InferOutput<typeof reportSchema>;

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

interface ReportedMachine extends MachineReport {
  readonly id: string;
}

/** Every machine that said something, in the order of their names. What a machine has not signed itself is left out. */
export async function readReports(bucket: KV): Promise<readonly ReportedMachine[]> {
  // One that reports while this is read is there twice: the last time counts.
  const reports = new Map<string, ReportedMachine>();
  const entries = await bucket.history({ key: '>' });
  for await (const entry of entries) {
    reports.delete(entry.key);
    const report = entry.operation === 'PUT' ? readReport(entry.key, entry.string()) : null;
    if (report) reports.set(entry.key, { id: entry.key, ...report });
  }
  return [...reports.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Null for what the machine has not signed. */
function readReport(id: string, text: string): MachineReport | null {
  const parsed = v.safeParse(signedSchema, text);
  if (!parsed.success) return null;
  const { report, publicKey, signature } = parsed.output;
  const bytes = Buffer.from(publicKey, 'base64');
  if (machineIdOf(bytes) !== id || !isSigned(report, bytes, signature)) return null;
  const read = v.safeParse(reportSchema, report);
  return read.success ? read.output : null;
}

function isSigned(report: object, publicKey: Buffer, signature: string): boolean {
  try {
    const key = createPublicKey({ key: publicKey, format: 'der', type: 'spki' });
    return verify(null, Buffer.from(signedText(report)), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

function signedText(report: object): string {
  return `hookline machine 1\n${canonicalJson(report)}`;
}
