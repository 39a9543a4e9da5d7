import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { scratchFolder } from '../support/scratch.ts';
import { PATIENCE_MS } from '../support/until.ts';

/** A real terminal, by tmux: what a person would see, and the keys a person would press. */
export interface Terminal {
  /** Names of keys (`Enter`, `Up`) or text. */
  press(...keys: string[]): void;
  type(text: string): void;
  /** As a terminal pastes for a program that wants to know. */
  paste(text: string): void;
  resize(columns: number, rows: number): void;
  screen(): string;
  /** Writes every byte that the program sends to the terminal into a file, from now on. */
  record(file: string): void;
  /** The screen, once it shows this. */
  shows(wanted: string | RegExp): Promise<string>;
  close(): void;
}

export function openTerminal(
  size: { readonly columns: number; readonly rows: number },
  command: string,
  env: Readonly<Record<string, string>>,
): Terminal {
  const folder = scratchFolder();
  const tmuxWith = (input: string, ...args: string[]) =>
    execFileSync('tmux', ['-S', join(folder, 'socket'), '-f', '/dev/null', ...args], {
      env: { ...env, TERM: 'screen-256color' },
      encoding: 'utf8',
      input,
    });
  const tmux = (...args: string[]) => tmuxWith('', ...args);
  // In one go: a command that ends at once would take the server with it before the option is set.
  const keep = ['set-option', '-g', 'remain-on-exit', 'on', ';'];
  tmux(...keep, 'new-session', '-d', '-x', String(size.columns), '-y', String(size.rows), command);
  const screen = () => tmux('capture-pane', '-p');
  return {
    press: (...keys) => void tmux('send-keys', ...keys),
    type: (text) => void tmux('send-keys', '-l', text),
    paste(text) {
      tmuxWith(text, 'load-buffer', '-');
      tmux('paste-buffer', '-p');
    },
    resize: (columns, rows) => void tmux('resize-window', '-x', String(columns), '-y', String(rows)),
    screen,
    record: (file) => void tmux('pipe-pane', `cat > ${file}`),
    async shows(wanted) {
      const deadline = Date.now() + PATIENCE_MS;
      for (;;) {
        const seen = screen();
        if (typeof wanted === 'string' ? seen.includes(wanted) : wanted.test(seen)) return seen;
        if (Date.now() > deadline) throw new Error(`The screen never showed ${wanted}. It shows:\n${seen}`);
        await pause(50);
      }
    },
    close() {
      try {
        tmux('kill-server');
      } catch {
        // It may have ended with the program in it.
      }
    },
  };
}
