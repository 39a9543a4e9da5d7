import { spawn } from 'node:child_process';
import { visibleLine } from '../terminal/visible.ts';
import type { Notice } from './notice.ts';

/** Sends a notification. It may fail, and must not take long. */
export type Channel = (notice: Notice) => Promise<void>;

/** The notification program of this system. Texts are arguments, never parts of a script. */
export function desktopChannel(platform: NodeJS.Platform, sound: boolean): Channel | null {
  if (platform === 'darwin') {
    const script = `on run argv\ndisplay notification (item 2 of argv) with title (item 1 of argv)${sound ? ' sound name "Glass"' : ''}\nend run`;
    return ({ title, text }) => run('osascript', ['-e', script, title, text]);
  }
  if (platform !== 'linux') return null;
  const hint = sound ? ['--hint=string:sound-name:message-new-instant'] : [];
  return ({ title, text }) => run('notify-send', ['--app-name=hookline', ...hint, '--', title, text]);
}

/** A bell and a notification through the terminal, if the daemon runs in one. */
export function terminalChannel(write: (text: string) => void, sound: boolean): Channel {
  return async ({ title, text }) => {
    // A control character in a command must not reach the terminal.
    write(`\x1b]9;${visibleLine(`${title}: ${text}`)}\x07${sound ? '\x07' : ''}`);
  };
}

const WEBHOOK_DEADLINE_MS = 5_000;

/** Slack's format, which many others accept too. */
export function webhookChannel(url: string): Channel {
  return async ({ title, text }) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: `*${title}*\n${text}` }),
      signal: AbortSignal.timeout(WEBHOOK_DEADLINE_MS),
    });
    if (!response.ok) throw new Error(`the webhook answered ${response.status}`);
  };
}

const PROGRAM_DEADLINE_MS = 5_000;

function run(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'ignore', timeout: PROGRAM_DEADLINE_MS });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${program} ended with ${code}`)),
    );
  });
}
