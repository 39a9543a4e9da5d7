import { describe, expect, test } from 'vitest';
import { judged } from './judged.ts';

// An agent stops the daemon without naming Hookline: by the number of its process, by a name or a piece of its command
// line that others have too, by its port, from code, or by loading its program into another one.

const DAEMON = { pid: 4711, names: ['node'], line: '/usr/bin/node /opt/hl/dist/cli.js up', port: 9123 };

const KILLS = [
  'kill 4711',
  'kill -9 4711',
  'kill -9 -- -4711',
  'kill -STOP 4711',
  'echo 4711 | xargs kill',
  'killall node',
  'pkill node',
  "pkill -f 'cli.js up'",
  'pkill -9 -f hl/dist',
  "pkill -f '[c]li.js'",
  'pgrep node | xargs kill',
  'kill $(pidof node)',
  'lsof -ti:9123 | xargs kill',
  'fuser -k -n tcp 9123',
  'npx kill-port 9123',
  "kill $(ss -ltnp | grep ':9123' | cut -d= -f2)",
  'python3 -c "import os; os.kill(4711, 9)"',
  'node -e "process.kill(4711)"',
  "killall -r 'no.*'",
  'skill -9 node',
  'pkill -U 1000',
  "gdb -p 4711 -batch -ex 'call exit(0)'",
  'prlimit --pid=4711 --nofile=0',
];

const LOADS = [
  'volta run hookline down',
  'node $(which hookline) down',
  'node "$(npm root -g)/hookline/bin/hookline.js" down',
  'node --import /opt/hookline/bin/hookline.js x down',
  'node --import=file:///opt/hookline/bin/hookline.js x down',
  'node -r /opt/hookline/bin/hookline.js x down',
  'node -e "import(\'/opt/hookline/bin/hookline.js\')" down',
  'node --input-type=module -e "import \'/opt/hookline/bin/hookline.js\'" down',
  "node -e \"process.argv.push('down'); require('/opt/hookline/bin/hookline.js')\"",
];

const EVERYDAY = [
  'kill 471',
  'kill 47110',
  'pkill vite',
  'pkill -f webpack-dev-server',
  'pkill -P $$ node',
  'kill $(pgrep -f vite)',
  'lsof -ti:3000 | xargs kill',
  'pgrep node',
  'lsof -i:9123',
  'node -p 4711',
  'node --import ./register.js src/a.js down',
];

describe('with a daemon that is known', () => {
  const decide = judged({}, { ownProcesses: () => [DAEMON] });
  test.each([...KILLS, ...LOADS])('denied: %s', (command) => {
    expect(decide(command)).toBe('deny');
  });
  test.each(EVERYDAY)('nothing is said about %s', (command) => {
    expect(decide(command)).toBe('none');
  });
});

test('without knowing its processes the kills get through, so that it is this which stops them', () => {
  const decide = judged();
  expect(KILLS.filter((command) => decide(command) !== 'none')).toEqual([]);
});
