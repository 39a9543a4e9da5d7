import { expect, test } from 'vitest';
import { effects } from '../../../test/support/shell/shell.ts';

const handedOut = (command: string) => effects(command, 'send').map(({ path }) => path);

test.each([
  ['cd ~ && python3 -m http.server 8000 --bind 0.0.0.0', '/home/dev'],
  ['cd ~ && python3 -m http.server', '/home/dev'],
  ['npx serve ~', '/home/dev'],
  ['cd /srv && npx http-server -p 80', '/srv'],
  ['php -S 0.0.0.0:8000 -t /srv', '/srv'],
  ['ruby -run -e httpd /srv -p 80', '/srv'],
  ['busybox httpd -f -p 8080 -h /srv', '/srv'],
  ['caddy file-server --root /srv --listen :80', '/srv'],
  ['miniserve /srv', '/srv'],
  ['dufs -A /srv', '/srv'],
])('%s serves a directory', (command, folder) => {
  expect(handedOut(command)).toEqual([folder]);
});

test.each([
  'cd ~ && python3 -m http.server --bind 127.0.0.1',
  'php -S localhost:8000 -t /srv',
  'npx http-server /srv -a 127.0.0.1',
  'live-server --host=localhost /srv',
  'caddy run',
  'dufs --bind 127.0.0.1 /srv',
])('%s only serves this machine', (command) => {
  expect(handedOut(command)).toEqual([]);
});
