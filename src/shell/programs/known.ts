import type { Entry } from '../../knowledge/program.ts';
import type { Call } from '../call.ts';
import { describedAs } from '../program-names.ts';
import type { Tool } from '../tool.ts';
import { service } from '../tools/service-verbs.ts';
import { codeOf, readerOf } from './code.ts';
import { runEffects } from './effects.ts';

const tools = new Map<Entry, Tool>();

/** A program described in `knowledge/`, with its code. */
export function findTool(name: string): Tool | undefined {
  const entry = describedAs(name);
  if (entry === undefined) return undefined;
  const made = tools.get(entry) ?? toolOf(entry);
  tools.set(entry, made);
  return made;
}

/** Entries come first, then verbs of services, then code for what is still open. */
function toolOf(entry: Entry): Tool {
  const { effects, verbs, offline = false, run: name, facts = {}, executes, ...rest } = entry;
  const fields = executes ? { ...rest, executes: { ...executes, as: readerOf(executes.as) } } : rest;
  if (!effects && verbs === undefined && name === undefined) return fields;
  const byVerbs = verbs === undefined ? undefined : service(verbs, offline);
  const code = name === undefined ? undefined : codeOf(name);
  const run = (call: Call): string | undefined => {
    const { isSettled, printed } = effects ? runEffects(call, entry) : UNSETTLED;
    if (isSettled) return printed;
    byVerbs?.(call);
    return code?.(call, facts) ?? printed;
  };
  return { ...fields, run };
}

const UNSETTLED = { isSettled: false, printed: undefined };
