import { snake, valuesIn } from './text-words.ts';

const SIZE_KEY =
  /^(?:replicas?|replica_count|desired_(?:count|capacity|size)|instances?|instance_count|num_instances|machine_count|node_count|count|size|quantity|min_(?:instances|replicas))$/;
const RESIZES =
  /(?:^|_)(?:scale|resize|autoscale|formation|set_(?:instance|node|replica|machine)s?(?:_count)?)(?:_|$)/;
const SURE_KEY = /^(?:replicas?|desired_(?:count|capacity))$/;

/** True if a count is set to zero, so that nothing runs any more. `verb` is the name of the call. */
export function stopsAll(verb: string, input: Readonly<Record<string, unknown>>): boolean {
  if (/(?:^|_)(?:get|list|describe)(?:_|$)/.test(verb)) return false;
  for (const [name, value] of valuesIn(input)) {
    if (!(value === 0 || (typeof value === 'string' && /^0+$/.test(value)))) continue;
    const key = snake(name);
    if (SURE_KEY.test(key) || (SIZE_KEY.test(key) && RESIZES.test(verb))) return true;
  }
  return false;
}
