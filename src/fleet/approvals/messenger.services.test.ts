import { expect } from 'vitest';
import { scratchHome, until } from '../../../test/support/daemon/daemon.ts';
import {
  openTestSession,
  startServer,
  testWithServer as test,
  testSettings,
} from '../../../test/support/fleet/nats.ts';
import { machineSigner } from '../../store/chain/machine-key.ts';
import { machineOf } from '../machine.ts';
import { teamNames } from '../subjects.ts';
import { ALL, openMessenger } from './messenger.ts';

async function twoMessengers() {
  const server = await startServer();
  const problems: string[] = [];
  const open = async (name: string) => {
    const signer = machineSigner(scratchHome(), () => {});
    const machine = machineOf(signer.publicKey(), name);
    const { nats } = await openTestSession(testSettings(server));
    const failed = (why: string) => void problems.push(why);
    return {
      nats,
      messenger: openMessenger({ nats }, { signer, machine, names: teamNames('test'), failed }),
    };
  };
  return { one: await open('one'), two: await open('two'), problems };
}

test('an error in a listener is reported, and the connection continues', async () => {
  const { one, two, problems } = await twoMessengers();
  const heard: unknown[] = [];
  two.messenger.listen('hello', ALL, (_, body) => {
    heard.push(body);
    if (heard.length === 1) throw new Error('cannot be taken');
  });
  await two.nats.flush();
  one.messenger.send('hello', ALL, 1);
  one.messenger.send('hello', ALL, 2);
  await until(() => heard.length === 2);
  expect(problems).toEqual(['cannot be taken']);
});

test('a closed messenger receives nothing more, and its connection still works', async () => {
  const { one, two } = await twoMessengers();
  const heard: unknown[] = [];
  two.messenger.listen('hello', ALL, (_, body) => heard.push(body));
  two.messenger.close();
  await two.nats.flush();
  one.messenger.send('hello', ALL, 1);
  await one.nats.flush();
  await two.nats.flush();
  expect(heard).toEqual([]);
});
