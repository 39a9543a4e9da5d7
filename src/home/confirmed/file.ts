import { type KeyObject, verify } from 'node:crypto';
import { existsSync } from 'node:fs';
import * as v from 'valibot';
import { parseJson } from '../../model/json.ts';
import { readRegularFile } from '../../platform/bounded-files.ts';
import { writePrivateFile } from '../../platform/files.ts';
import type { MachineSigner } from '../../store/chain/chain.ts';
import { machinePublicKey } from '../../store/chain/machine-key.ts';
import type { HomePaths } from '../paths.ts';

const content = v.object({
  /** Whether this system can tell who runs a command. If it can't, no change waits for a person. */
  people: v.boolean(),
  /** The home came with a script key: what changes it are scripts, and nothing waits for a person. */
  provisioned: v.boolean(),
  /** Hookline's own program was recorded once: its record is not to be missing again. */
  program: v.optional(v.boolean(), false),
  /** The texts, by their paths in the home. */
  files: v.record(v.string(), v.string()),
});
/** The settings and rules that a person has agreed to. */
export type ConfirmedFiles = v.InferOutput<typeof content>;

const signed = v.object({ signature: v.string(), content: v.string() });

/** More than all rule files of a home have. */
const MOST_BYTES = 1 << 28;

/** Null where there is none; `forged` where it is not what this machine has signed. */
export function readConfirmedFiles(paths: HomePaths): ConfirmedFiles | 'forged' | null {
  try {
    if (!existsSync(paths.confirmed)) return null;
    const read = readRegularFile(paths.confirmed, { within: null, maxBytes: MOST_BYTES });
    if ('refused' in read) return 'forged';
    const found = v.parse(signed, parseJson(read.content.toString('utf8')));
    if (!isSigned(found, machinePublicKey(paths))) return 'forged';
    return v.parse(content, parseJson(found.content));
  } catch {
    return 'forged';
  }
}

export function writeConfirmedFiles(
  paths: Pick<HomePaths, 'confirmed'>,
  files: ConfirmedFiles,
  signer: MachineSigner,
): void {
  const text = JSON.stringify(files);
  const signature = signer.sign(PURPOSE + text);
  // What is lost with the power would look like an attack afterwards.
  writePrivateFile(paths.confirmed, `${JSON.stringify({ signature, content: text })}\n`, { durable: true });
}

/** The same key signs other things, which must not pass for this. */
const PURPOSE = 'hookline confirmed files\n';

function isSigned({ signature, content: text }: v.InferOutput<typeof signed>, key: KeyObject): boolean {
  return verify(null, Buffer.from(PURPOSE + text), key, Buffer.from(signature, 'base64'));
}
