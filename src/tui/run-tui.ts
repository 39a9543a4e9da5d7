import type { HomePaths } from '../home/paths.ts';
import { COLOURED } from '../terminal/colour.ts';
import { createKeyGuard } from './key-guard.ts';
import { createKeyReader, type Key } from './keyboard.ts';
import { layOut } from './layout.ts';
import { type Live, openLive } from './live.ts';
import { painted } from './paint.ts';
import { press } from './press.ts';
import { INITIAL, type Screen } from './screen.ts';
import { openTerminalScreen } from './terminal.ts';
import { type View, viewOf } from './view.ts';

/** Redraws the clocks and the time left. */
const TICK_MS = 1_000;

/** Runs the terminal UI on the alternate screen, and restores the terminal afterwards. */
export async function runTui(paths: HomePaths): Promise<void> {
  const live = openLive(paths);
  try {
    await show(live);
  } finally {
    live.close();
  }
}

function show(live: Live): Promise<void> {
  return new Promise((resolve) => {
    let screen: Screen = INITIAL;
    let view: View | null = null;
    let isDue = false;
    const guard = createKeyGuard(Date.now, () => soon());
    const reader = createKeyReader(onKey);
    const terminal = openTerminalScreen(process.stdin, process.stdout, reader.read, () => draw());
    const stop = live.subscribe(() => soon());
    const tick = setInterval(draw, TICK_MS);
    const unwatch = onSignals(exit);

    function draw(): void {
      isDue = false;
      const now = Date.now();
      view = viewOf(live.state(), screen, terminal.size(), now, guard.isArmed);
      if (guard.opened(view.open)) view = { ...view, isArmed: false };
      screen = view.screen;
      terminal.draw(layOut(view).map((line) => painted(line, COLOURED)));
    }

    /** Draws several changes at once. */
    function soon(): void {
      if (isDue) return;
      isDue = true;
      setImmediate(draw);
    }

    function change(some: Partial<Screen>): void {
      screen = { ...screen, ...some };
      soon();
    }

    function onKey(key: Key): void {
      if (isDue) draw();
      if (view) press({ live, screen: () => screen, change, exit, view }, key);
    }

    function exit(): void {
      clearInterval(tick);
      for (const end of [unwatch, stop, guard.close, reader.close, terminal.close]) end();
      resolve();
    }

    draw();
  });
}

const SIGNALS = ['SIGTERM', 'SIGHUP', 'SIGINT'] as const;

function onSignals(listener: () => void): () => void {
  for (const signal of SIGNALS) process.on(signal, listener);
  return () => {
    for (const signal of SIGNALS) process.off(signal, listener);
  };
}
