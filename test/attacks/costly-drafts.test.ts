import { request } from 'node:http';
import { expect, test } from 'vitest';
import { checkDraft } from '../../src/rules/review/draft.ts';
import { apiSocketPath } from '../../src/wire/socket-path.ts';
import { scratchHome, startDaemon } from '../support/daemon/daemon.ts';

/** Doubles its time with every letter. */
const ENDLESS = `id: x
prompt: /^(a+)+$/
deny: No.
tests:
  match:
${'    - {prompt: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!}\n'.repeat(200)}`;

test('a draft rule with an endless expression does not stop the daemon', () => {
  const { examples } = checkDraft(ENDLESS, 'rule.yaml');
  expect(examples.failed[0]).toContain('takes longer than');
  expect(examples.failed.at(-1)).toContain('not tested in time');
  expect(examples.failed.length).toBeLessThan(200);
});

test.each(['check', 'try', 'save'])('requires a person to run a draft through /rules/%s', async (what) => {
  const paths = scratchHome();
  const { token, info } = await startDaemon(paths);
  const body = JSON.stringify({ text: ENDLESS, rule: null });
  const byToken = await fetch(`${info.http}/api/rules/${what}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body,
  });
  expect(byToken.status).toBe(403);
  expect([403, 428]).toContain(await postBySocket(apiSocketPath(paths.root), `/api/rules/${what}`, body));
});

function postBySocket(socketPath: string, path: string, body: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path, method: 'POST' }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end(body);
  });
}
