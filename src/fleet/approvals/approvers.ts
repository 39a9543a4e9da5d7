import * as v from 'valibot';
import { HooklineError } from '../../model/errors.ts';
import { readOwnFile } from '../../platform/bounded-files.ts';
import { writePrivateFile } from '../../platform/files.ts';
import { isMachineId, machineIdOf, machineKeyIn } from '../machine.ts';
import type { FleetPaths } from '../paths.ts';

/** A machine of the fleet that can answer approvals of this one. */
export interface Approver {
  /** Its ID, derived from its key. */
  readonly machine: string;
  /** Its name here. */
  readonly name: string;
  /** It may deny, or allow the call as it is, once. */
  readonly only: 'deny' | 'once';
  readonly addedBy: string;
}

const schema: v.GenericSchema<unknown, readonly Approver[]> = v.array(
  v.object({
    machine: v.pipe(v.string(), v.check(isMachineId, 'is not the id of a machine')),
    name: v.string(),
    only: v.picklist(['deny', 'once']),
    addedBy: v.string(),
  }),
);
const stored = v.pipe(v.string(), v.parseJson(), schema);

type ApproversPath = Pick<FleetPaths, 'fleetApprovers'>;

/** Empty until a user adds one. Throws for an unreadable file, so that no approver counts. */
export function readApprovers({ fleetApprovers }: ApproversPath): readonly Approver[] {
  const text = readOwnFile(fleetApprovers);
  if (text === null) return [];
  const parsed = v.safeParse(stored, text);
  if (parsed.success) return parsed.output;
  throw new HooklineError('CONFIG_INVALID', `${fleetApprovers}: ${parsed.issues[0].message}`, {
    hint: 'Delete that file, and add the approvers again with `hookline fleet approvers add`.',
  });
}

/** Replaces an earlier entry of the same machine. */
export function addApprover(paths: ApproversPath, approver: Approver): void {
  const others = readApprovers(paths).filter(({ machine }) => machine !== approver.machine);
  write(paths, [...others, approver]);
}

export function removeApprover(paths: ApproversPath, machine: string): void {
  write(
    paths,
    readApprovers(paths).filter((one) => one.machine !== machine),
  );
}

function write({ fleetApprovers }: ApproversPath, approvers: readonly Approver[]): void {
  writePrivateFile(fleetApprovers, `${JSON.stringify(approvers, null, 2)}\n`, { durable: true });
}

/** The machine that a text identifies: an ID or a public key. Null for anything else, such as a name. */
export function machineGiven(text: string): string | null {
  if (isMachineId(text)) return text;
  const bytes = Buffer.from(text, 'base64');
  return machineKeyIn(bytes) === null ? null : machineIdOf(bytes);
}
