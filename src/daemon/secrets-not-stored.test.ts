import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { scratchHome, startDaemon, until } from '../../test/support/daemon/daemon.ts';
import { BENIGN, PLANTED } from '../../test/support/redact/secrets.ts';
import { connect } from '../client/client.ts';
import { exportLines } from '../history/export-lines.ts';
import { checkpoint } from '../store/database/open.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Content of every file in the home, except the access token. */
function everyFile(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'token')
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n');
}

const PAGE = 10;

function pages(texts: readonly string[]): readonly string[] {
  const count = Math.ceil(texts.length / PAGE);
  return Array.from({ length: count }, (_, at) => texts.slice(at * PAGE, (at + 1) * PAGE).join('\n\n'));
}

test('planted secrets appear in no file, feed or export; similar-looking text is kept', async () => {
  const paths = scratchHome();
  const daemon = await startDaemon(paths);
  const fed: string[] = [];
  daemon.hub.feed.subscribe((event) => fed.push(JSON.stringify(event)));
  const send = async (payload: object) => {
    const common = { session_id: 's', transcript_path: '', cwd: '/project' };
    const response = await fetch(`${daemon.info.http}/hooks/claude`, {
      method: 'POST',
      headers: { authorization: `Bearer ${daemon.token}` },
      body: JSON.stringify({ ...common, ...payload }),
    });
    expect(response.status).toBe(200);
  };
  const texts = [...PLANTED.map(({ text }) => text), ...Object.values(BENIGN)];
  const bash = (at: number, command: string) => ({
    tool_name: 'Bash',
    tool_use_id: `u${at}`,
    tool_input: { command },
  });
  for (const [at, text] of texts.entries()) {
    await send({ hook_event_name: 'PreToolUse', ...bash(at, `echo "${text}"`) });
    daemon.home.log('error', `something about ${text}`);
  }
  // Sent in batches, because there are many. Texts to keep are separate from the others.
  const many = [...pages(PLANTED.map(({ text }) => text)), ...pages(Object.values(BENIGN))];
  for (const [at, text] of many.entries()) {
    const call = bash(texts.length + at, `cat <<'EOF'\n${text}\nEOF`);
    await send({ hook_event_name: 'UserPromptSubmit', prompt: `Use this:\n${text}\nplease` });
    await send({ hook_event_name: 'PreToolUse', ...call });
    await send({ hook_event_name: 'PostToolUseFailure', ...call, error: `Exit code 1\n${text}` });
    await send({ hook_event_name: 'Stop', stop_hook_active: false, last_assistant_message: `Done: ${text}` });
  }
  // An unreadable payload is kept too.
  await send({ hook_event_name: 'PreToolUse', tool_name: 7, tool_input: { a: texts.join('\n') } });
  await daemon.home.observing.catchUp(60_000);
  await until(() => fed.length === texts.length + many.length * 4 + 1);
  checkpoint(daemon.home.db);
  const exported = [...exportLines(daemon.home.db, {})].map((line) => JSON.stringify(line)).join('\n');
  const places = { files: everyFile(paths.root), feed: fed.join('\n'), exported };
  for (const [place, text] of Object.entries(places)) {
    const found = PLANTED.filter(({ secret }) => text.includes(secret)).map(({ kind }) => kind);
    expect(found, place).toEqual([]);
    const lost = Object.entries(BENIGN)
      .filter(([, benign]) => !text.includes(JSON.stringify(benign).slice(1, -1)))
      .map(([name]) => name);
    expect(lost, place).toEqual([]);
  }
  expect(await connect(paths)).not.toBeNull();
});

test('redacts the values of a .env file after it was read', async () => {
  const paths = scratchHome();
  const daemon = await startDaemon(paths);
  const value = 'plum-orchard-7781';
  const send = (payload: object) =>
    fetch(`${daemon.info.http}/hooks/claude`, {
      method: 'POST',
      headers: { authorization: `Bearer ${daemon.token}` },
      body: JSON.stringify({ session_id: 's', transcript_path: '', cwd: '/project', ...payload }),
    });
  const file = {
    filePath: '/project/.env',
    content: `PORT=3000\nORCHARD_NAME="${value}"\nMODE=production\n`,
  };
  await send({
    hook_event_name: 'PostToolUse',
    tool_name: 'Read',
    tool_use_id: 'u',
    tool_input: { file_path: '/project/.env' },
    tool_response: { type: 'text', file },
  });
  await send({ hook_event_name: 'UserPromptSubmit', prompt: `Why is it ${value} in production on 3000?` });
  checkpoint(daemon.home.db);
  const kept = everyFile(paths.root);
  expect(kept).not.toContain(value);
  expect(kept).toContain('in production on 3000?');
});
