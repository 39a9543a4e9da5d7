import { inspectForwarder, installForwarder } from '../../../forwarder/install.ts';
import { forwarderSource } from '../../forwarder-source.ts';
import type { Check } from '../check.ts';

/** Checks that the forwarder exists, runs and has this version. */
export const forwarder: Check = ({ paths, config }) => {
  const source = forwarderSource(config);
  const found = inspectForwarder(paths.root, source);
  if (found.level === 'ok' || found.code === 'forwarder-slow') return [found];
  const run = () => void installForwarder(paths.root, source);
  return [{ ...found, repair: { id: 'forwarder', done: 'Reinstalled the forwarder.', run } }];
};
