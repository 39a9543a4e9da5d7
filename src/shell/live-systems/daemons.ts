import { isLoopback } from '../../platform/loopback.ts';
import type { Call } from '../call.ts';
import { isContext } from '../disposable/place-names.ts';
import { hostOf } from '../places/hosts.ts';
import { changesContainers } from './machine-work.ts';

const ADDRESS = /^(?:ssh|tcp|https?):\/\//i;

const isOwn = (context: string): boolean => isContext('own-engine', context.toLowerCase());

function setting(call: Call, name: string): string | null {
  const given = call.command.assignments.findLast((one) => one.name === name);
  return given ? given.value : (call.walk.state.variables.get(name)?.value ?? null);
}

function isOtherMachine(address: string): boolean {
  const host = ADDRESS.test(address) ? hostOf(address) : null;
  return host !== null && !isLoopback(host) && host !== '0.0.0.0';
}

/** Changes that docker and similar clients make in a daemon on another machine. */
export function reachesDaemon(call: Call): void {
  const { sub } = call.command;
  if (sub[0] === 'context' && sub[1] === 'use') {
    const [name] = call.operands;
    if (name?.text && !isOwn(name.text)) call.resource('remote', 'context', false, name.text);
    return;
  }
  const address = call.value('--host')?.template ?? setting(call, 'DOCKER_HOST') ?? '';
  const context = call.value('--context')?.template ?? setting(call, 'DOCKER_CONTEXT') ?? '';
  const isElsewhere = isOtherMachine(address) || (/^[\w.-]+$/.test(context) && !isOwn(context));
  if (isElsewhere && !call.command.inert && (changesContainers(call.command) || sub.at(-1) === 'exec'))
    call.resource('remote', 'change', false, address || context);
}
