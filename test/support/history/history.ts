import { AGENTS } from '../../../src/agents/_registry.ts';
import { createObserver } from '../../../src/history/observations/observer.ts';
import { createTurnIndex } from '../../../src/history/search/turn-index.ts';
import { redact } from '../../../src/redact/redact.ts';
import type { Database } from '../../../src/store/database/driver.ts';
import { openStore } from '../../../src/store/database/open.ts';
import { createRecorder } from '../../../src/store/record/recorder.ts';
import { call, scratchPath } from '../store/store.ts';

/** A store that takes in what an agent sends, as the daemon would. */
interface TestHistory {
  readonly db: Database;
  readonly path: string;
  send(agent: string, payload: object, at?: number): void;
  /** Looks at all of it. */
  observe(): void;
}

export function openTestHistory(): TestHistory {
  const path = scratchPath();
  const db = openStore(path);
  const recorder = createRecorder(db, { redact });
  const observer = createObserver(db, AGENTS);
  const turns = createTurnIndex(db);
  let sent = 0;
  return {
    db,
    path,
    send(agent, payload, at = 1_700_000_000_000 + sent * 1000) {
      sent += 1;
      const found = AGENTS.get(agent);
      if (!found) throw new Error(`no agent ${agent}`);
      const id = `event-${sent}`;
      const event = found.decode({ id, receivedAt: at, event: null, payload, env: {} });
      const projectId = event.cwd;
      recorder.commit(
        call(recorder.place({ ...event, projectId, metadata: { ...event.metadata, branch: 'main' } })),
      );
    },
    observe() {
      while (observer.observe(100).events === 100);
      while (turns.step());
    },
  };
}

/** A turn of one agent: a prompt, a failing test, an edit, and what was said at the end. */
export function turn(session: string, prompt: string, file = 'src/login.ts'): readonly object[] {
  const common = { session_id: session, transcript_path: '', cwd: '/project' };
  const bash = { tool_name: 'Bash', tool_input: { command: 'npm test' }, tool_use_id: `${session}-1` };
  const edit = {
    tool_name: 'Edit',
    tool_input: { file_path: `/project/${file}`, old_string: 'old', new_string: 'new' },
    tool_use_id: `${session}-2`,
  };
  return [
    { ...common, hook_event_name: 'UserPromptSubmit', prompt },
    { ...common, hook_event_name: 'PreToolUse', ...bash },
    {
      ...common,
      hook_event_name: 'PostToolUseFailure',
      ...bash,
      error: 'Exit code 1\n✖ rejects bad passwords (3ms)',
    },
    { ...common, hook_event_name: 'PreToolUse', ...edit },
    { ...common, hook_event_name: 'PostToolUse', ...edit, tool_response: {} },
    {
      ...common,
      hook_event_name: 'Stop',
      stop_hook_active: false,
      last_assistant_message: `Done with: ${prompt}`,
    },
  ];
}
