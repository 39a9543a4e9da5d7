import { UNKNOWN } from '../../analysis.ts';
import type { Call } from '../../call.ts';
import type { CodeTable } from '../../tool.ts';
import { directoryOf } from '../../wrappers/unwrap.ts';

/** With `--wd` it changes to the directory of another process, where relative paths start. */
function nsenter(call: Call): string {
  const folder = call.value('--wd');
  const target = call.value('--target')?.template ?? UNKNOWN;
  const cwd = folder ? directoryOf(call, folder) : call.has('--wd') ? `/proc/${target}/cwd` : undefined;
  return call.runArgv(call.operands, cwd === undefined ? {} : { cwd });
}

export const NAMESPACES: CodeTable = { nsenter };
