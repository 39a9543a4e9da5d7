import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  BEST_FORWARDER,
  BIN,
  bashPayload,
  type Product,
  type Ran,
  runProgram,
  scratchProduct,
  until,
} from '../faults/product.ts';

const ASK = 'rules:\n  - { id: ask-touch, command: touch, ask: Look at this. }\n';

/** A product in which a call of an agent waits for an answer. */
export interface Waiting {
  readonly product: Product;
  readonly id: string;
  /** `hookline …` as an agent's shell runs it: no terminal, and no key. */
  attack(...args: readonly string[]): Promise<Ran>;
  /** Lets the call end. */
  end(): Promise<void>;
}

export const approvals = 'approvals: {hold: always, waitSeconds: 100}\n';

export async function waitingCall(
  product: Product = scratchProduct({ config: approvals }),
): Promise<Waiting> {
  product.rules(ASK);
  await product.up();
  const call = product.hook(BEST_FORWARDER, 'PreToolUse', bashPayload('touch x'));
  await until('the call waits', async () => (await product.pending()).length === 1);
  const [id = ''] = await product.pending();
  return {
    product,
    id,
    attack: (...args) => runProgram(process.execPath, [BIN, ...args], '', product.env, product.folder),
    async end() {
      expect(await product.run(['deny', id])).toMatchObject({ code: 0 });
      await call;
    },
  };
}

/** A program that has an agent's name, and runs the command line that it is given: `<path> -c …`. */
export function fakeAgent({ folder }: Product, name: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  const path = join(bin, name);
  symlinkSync('/bin/sh', path);
  return path;
}

/** A shell script that runs `hookline …` and writes its output to a file; returns both paths. */
export function attackScript(
  { folder }: Product,
  args: string,
): { readonly script: string; readonly said: string } {
  const said = join(folder, 'said');
  const script = join(folder, 'attack.sh');
  // The file is complete when it has its name.
  writeFileSync(
    script,
    `"${process.execPath}" "${BIN}" ${args} > "${said}.part" 2>&1\necho "exit $?" >> "${said}.part"\nmv "${said}.part" "${said}"\n`,
  );
  return { script, said };
}
