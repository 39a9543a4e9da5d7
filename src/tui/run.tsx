import { render } from 'ink';
import type { HomePaths } from '../home/paths.ts';
import { App } from './App.tsx';
import { openLive } from './live.ts';

const ENTER = '\x1b[?1049h\x1b[H';
const LEAVE = '\x1b[?1049l';

/** Runs the terminal UI on a screen of its own, and gives the terminal back as it was. */
export async function runTui(paths: HomePaths): Promise<void> {
  const live = openLive(paths);
  process.stdout.write(ENTER);
  try {
    await render(<App live={live} />, { exitOnCtrlC: true }).waitUntilExit();
  } finally {
    process.stdout.write(LEAVE);
    live.close();
  }
}
