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
  /** True if this system can tell who runs a command. If not, no change waits for a person. */
  people: v.boolean(),
  /** The home came with a script key: scripts change it, so nothing waits for a person. */
  provisioned: v.boolean(),
  /** Hookline's own program was recorded, so a missing record is suspicious. */
  program: v.optional(v.boolean(), false),
  /** Texts by path in the home. */
  files: v.record(v.string(), v.string()),
});
/** The settings and rules that a person has confirmed. */
export type ConfirmedFiles = v.InferOutput<typeof content>;

const signed = v.object({ signature: v.string(), content: v.string() });

/** More than all rule files of a home need. */
const MOST_BYTES = 1 << 28;

/** Null if there is none; `forged` if this machine didn't sign it. */
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
  // Synced, because a loss through a power cut would look like an attack.
  writePrivateFile(paths.confirmed, `${JSON.stringify({ signature, content: text })}\n`, { durable: true });
}

/** The same key signs other things, which must not be accepted here. */
const PURPOSE = 'hookline confirmed files\n';

function isSigned({ signature, content: text }: v.InferOutput<typeof signed>, key: KeyObject): boolean {
  return verify(null, Buffer.from(PURPOSE + text), key, Buffer.from(signature, 'base64'));
}
