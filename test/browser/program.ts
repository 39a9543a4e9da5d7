import { existsSync } from 'node:fs';

const named = process.env.HOOKLINE_CHROMIUM;
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** Null if there is none. */
export const chromiumProgram: string | null =
  (named ? [named] : PLACES).find((path) => existsSync(path)) ?? null;
