import { inspectForwarder, installForwarder } from '../../../forwarder/install.ts';
import { forwarderSource } from '../../forwarder-source.ts';
import type { Check } from '../check.ts';

/** The program that agents call is there, runs, and is the one of this version. */
export const forwarder: Check = ({ paths, config }) => {
  const source = forwarderSource(config);
  const found = inspectForwarder(paths.root, source);
  if (found.level === 'ok' || found.code === 'forwarder-slow') return [found];
  // Where there is none yet, none is wanted before `setup` says so.
  if (found.code === 'forwarder-missing') return [found];
  const run = () => void installForwarder(paths.root, source);
  return [{ ...found, repair: { id: 'forwarder', done: 'Reinstalled the forwarder.', run } }];
};
