// Goes through the dashboard and takes a picture of each place.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';

const WIDE = { width: 1360, height: 860 };
const PHONE = { width: 390, height: 844 };

/** With `all`, every place in every look; otherwise the ones that the docs show. */
export async function takePictures(page, folder, { all, ask }) {
  mkdirSync(folder, { recursive: true });
  const shoot = (name) => page.screenshot({ path: join(folder, `${name}.png`) });
  const visit = async (hash) => {
    await page.evaluate((place) => {
      window.location.hash = place;
    }, hash);
    await page.waitForTimeout(700);
  };
  if (all) await shoot('now-empty-light');
  void ask().then((asked) => Promise.allSettled(asked));
  await page.waitForFunction(() => document.querySelectorAll('[data-item]').length === 5);
  await page.waitForTimeout(1_500);

  const open = async (text) => {
    await page.locator('[data-item]', { hasText: text }).click();
    await page.waitForTimeout(300);
  };
  const places = {
    'now-change': async () => {
      await visit('/');
      await open('in src/charge');
    },
    'now-command': async () => {
      await visit('/');
      await open('psql');
    },
    'now-same': async () => {
      await visit('/');
      await open('docker compose');
    },
    'now-question': async () => {
      await visit('/');
      await open('half a cent');
    },
    'now-more': async () => {
      await visit('/');
      await open('psql');
      await page.locator('[data-more]').click();
      await page.waitForTimeout(300);
    },
    'now-plan': async () => {
      await visit('/');
      await open('Plan');
    },
    sessions: () => visit('/sessions'),
    session: () => visit('/session/claude/c1a70000-webhook'),
    'session-why': async () => {
      await visit('/session/claude/c1a70000-webhook');
      await page.locator('[data-next-denial]').click();
      await page.waitForTimeout(700);
    },
    search: async () => {
      await visit('/search');
      await page.locator('[data-search]').fill('force push');
      await page.waitForTimeout(1_200);
    },
    rules: () => visit('/rules'),
    'rules-drawer': async () => {
      await visit('/rules/rule/new-dependency');
      await page.waitForTimeout(2_500);
    },
    grants: () => visit('/rules/grants'),
    health: async () => {
      await visit('/health');
      await page.waitForTimeout(2_500);
    },
  };
  for (const [name, place, viewport, colorScheme] of all ? everywhere(Object.keys(places)) : IN_DOCS) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await places[place]();
    await shoot(name);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    if (wide) console.log(`${name} scrolls sideways`);
  }
}

/** Those that the docs show. */
const IN_DOCS = [
  ['dashboard-light', 'now-change', WIDE, 'light'],
  ['approvals-phone', 'now-change', PHONE, 'dark'],
  ['session', 'session-why', WIDE, 'light'],
  ['rules', 'rules-drawer', WIDE, 'light'],
  ['health', 'health', WIDE, 'light'],
];

function everywhere(places) {
  const looks = [
    ['light', WIDE, 'light'],
    ['dark', WIDE, 'dark'],
    ['phone', PHONE, 'light'],
    ['phone-dark', PHONE, 'dark'],
  ];
  return looks.flatMap(([look, viewport, scheme]) =>
    places.map((place) => [`${place}-${look}`, place, viewport, scheme]),
  );
}
