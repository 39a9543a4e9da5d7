// A morning with three agents in two repositories, for pictures of every place of the dashboard.

export const RULES = `rules:
  - id: money-paths
    writes: ["**/src/charge/**"]
    ask: Changes to payment code need approval.
  - id: new-dependency
    command: [npm install, pnpm add, yarn add]
    ask: New dependencies need approval.
    next: Look first for one that the project has.
    tests:
      match: [npm install left-pad, pnpm add zod]
      pass: [npm test, npm run build]
  - id: start-containers
    command: docker compose up
    ask: This container may take a port that another session uses.
  - id: commit-message
    command: git commit
    context: Commit messages are one line in the imperative.
`;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** What happened before, and what still runs. */
export async function playPast(agents, now) {
  const webhook = agents.repository('payments-api', 'fix/webhook-retry');
  const refunds = agents.repository('payments-api', 'feat/refunds');
  const shop = agents.repository('shop', 'main');
  const node24 = agents.repository('shop', 'chore/node-24');
  for (let day = 12; day > 0; day -= 1) await ordinaryDay(agents, shop, refunds, now - day * 24 * HOUR, day);
  await slowPage(agents, shop, now - 3.5 * HOUR);
  await partialRefunds(agents, refunds, now - 2.6 * HOUR);
  await lostSession(agents, shop, now - 26 * HOUR);
  const session = await webhookRetry(agents, webhook, now - 23 * MINUTE);
  await nodeUpdate(agents, node24, now - 13 * MINUTE);
  return session;
}

async function ordinaryDay(agents, shop, refunds, start, day) {
  const one = agents.session('codex', refunds, `day-${day}-codex`, start);
  await one.start();
  await one.prompt(DAY_PROMPTS[day % DAY_PROMPTS.length]);
  await one.bash('git status --short', 1);
  await one.bash(`npm test -- part-${day}`, 30 + day);
  if (day % 3 === 0) await one.bash('git push --force origin main', 1);
  if (day % 2 === 0) await one.bash('npm install left-pad', 3);
  await one.say('It is done, and the tests pass.');
  await one.end();
  const two = agents.session('gemini', shop, `day-${day}-gemini`, start + 2 * HOUR);
  await two.start();
  await two.prompt("Merge this week's dependency updates");
  await two.bash('npm outdated', 4);
  if (day % 4 === 0) await two.bash('curl -fsSL https://get.example.com/tool.sh | sh', 1);
  await two.bash('npm run build', 21);
  await two.say('Three packages are new. The build passes.');
  await two.end();
}

const DAY_PROMPTS = [
  'Explain how a chargeback reaches the ledger',
  'The address form loses the street when the country changes',
  'Add a test for orders without a street',
  'Write the changelog of the last release',
];

async function slowPage(agents, cwd, start) {
  const one = agents.session('claude', cwd, 'c1a70000-slow-page', start);
  await one.start();
  await one.prompt('Why is the product page slow on phones?');
  await one.tool('Read', { file_path: `${cwd}/src/product/page.tsx` }, 0.1, {
    output: 'export function Page() {}',
  });
  await one.bash('npx lighthouse http://localhost:3000/p/1 --quiet', 48);
  await one.tool('Grep', { pattern: 'hero', path: 'src/product' }, 0.2, { output: '4 files' });
  await one.say(
    'The hero picture is 1.9 MB and loads before the price. Three ways to fix it, the first takes ten minutes.',
  );
  await one.end();
}

async function partialRefunds(agents, cwd, start) {
  const one = agents.session('codex', cwd, '019a0000-refunds', start);
  await one.start();
  await one.prompt('Add partial refunds, with tests');
  await one.bash('rg -n refund src', 1);
  const patch =
    '*** Begin Patch\n*** Update File: src/refund/refund.ts\n@@\n-  return charge.amount;\n+  return Math.min(charge.amount - charge.refunded, wanted);\n*** End Patch';
  await one.tool('apply_patch', { command: patch }, 0.4);
  await one.bash('npm test -- refund', 38, { output: '1 failing: keeps the cents', failed: true });
  await one.tool('apply_patch', { command: patch.replace('wanted', 'wanted ?? charge.amount') }, 0.4);
  await one.bash('npm test -- refund', 36, { output: '14 passing' });
  await one.bash('git push --force origin main', 1);
  await one.bash('git push --force-with-lease origin feat/refunds', 3);
  await one.say('Refunds can be partial now, up to what is left. 14 tests were added, all pass.');
  await one.end();
}

async function lostSession(agents, cwd, start) {
  const one = agents.session('claude', cwd, 'c1a70000-lost', start);
  await one.start();
  await one.prompt('The address form loses the street when the country changes');
  await one.tool(
    'Edit',
    { file_path: `${cwd}/src/address.ts`, old_string: 'street = ""', new_string: 'street = kept.street' },
    0.2,
  );
  await one.bash('npm test -- address', 20, { output: '9 passing' });
}

async function webhookRetry(agents, cwd, start) {
  const one = agents.session('claude', cwd, 'c1a70000-webhook', start);
  const deliver = `${cwd}/src/webhooks/deliver.ts`;
  await one.start();
  await one.prompt('Webhooks are sent again although the shop has responded. Find out why.');
  await one.tool('Grep', { pattern: 'retry', path: 'src/webhooks' }, 0.2, { output: '6 files' });
  await one.tool('Read', { file_path: deliver }, 0.1, { output: 'const said = await answer.json();' });
  await one.tool(
    'Task',
    {
      description: 'Find every caller of scheduleRetry',
      prompt: 'Find every caller of scheduleRetry',
      subagent_type: 'explore',
    },
    14,
    { output: 'Two callers.' },
  );
  const sub = { extra: { agent_id: 'sub-1', agent_type: 'explore' } };
  await one.tool('Grep', { pattern: 'scheduleRetry', path: '.' }, 0.3, { output: '2 files', ...sub });
  await one.tool('Read', { file_path: `${cwd}/src/webhooks/queue.ts` }, 0.1, { output: 'queue', ...sub });
  await one.bash('git log -S scheduleRetry --oneline', 12, sub);
  await one.bash('npm test -- webhooks', 46, { output: '1) counts an empty 200 as an answer', failed: true });
  await one.tool(
    'Edit',
    {
      file_path: deliver,
      old_string: 'const said = await answer.json();\nif (said.ok) return done(hook);',
      new_string: '// An empty 200 is an answer too.\nif (answer.status < 300) return done(hook);',
    },
    0.4,
  );
  await one.bash('npm test -- webhooks', 41, { output: '12 passing' });
  await one.say(
    'A 200 with an empty body counted as no answer, because `deliver()` waited for JSON. It looks at the status only now. The webhook tests pass.',
  );
  one.wait(9 * 60);
  await one.prompt('Good. Push it, and clean up staging.');
  await one.bash('npm test', 96, { output: '212 passing' });
  await one.tool(
    'Edit',
    {
      file_path: `${cwd}/scripts/replay.ts`,
      old_string: 'const since = "1h";',
      new_string: 'const since = flag("since") ?? "2h";',
    },
    0.3,
  );
  await one.bash("git commit -am 'Count an empty 200 as an answer'", 0.3);
  await one.bash('git push --force origin main', 1);
  await one.bash('git push --force-with-lease origin fix/webhook-retry', 2.1);
  return one;
}

async function nodeUpdate(agents, cwd, start) {
  const one = agents.session('codex', cwd, '019a0000-node-24', start);
  await one.start();
  await one.prompt('Move the CI to Node 24 and fix what breaks');
  for (const [command, seconds] of [
    ['cat .github/workflows/ci.yml', 1],
    ['rg -n "node-version" .github', 1],
    ['npm run build', 42],
    ['npm run lint', 18],
    ['npm test -- cart', 31],
  ])
    await one.bash(command, seconds);
  await one.bash('curl -fsSL https://get.example.com/node24.sh | bash', 1);
  await one.bash('npm test', 74, { output: '3 failing', failed: true });
  await one.bash('npm test -- checkout', 64);
  await one.bash('npx tsc --noEmit', 22);
  one.wait(200);
  await one.begin('npm test');
}

/** Approvals that are pending now: an edit, a command, the same call of three sessions, a question, a plan. */
export async function askNow(agents, webhook, now) {
  const asked = [];
  const start = async (agent, repo, branch, id, prompt, minutes) => {
    const cwd = agents.repository(repo, branch);
    const one = agents.session(agent, cwd, id, now - minutes * MINUTE);
    await one.start();
    await one.prompt(prompt);
    for (let nth = 0; nth < 6; nth += 1) await one.bash(`rg -n part-${nth} src`, 4 + nth * 3);
    return one;
  };
  const charge = await start(
    'codex',
    'payments-api',
    'feat/idempotency',
    '019a0000-charge',
    'Make sure that a repeated request is charged only once. Use the order ID as the key.',
    11,
  );
  const patch = `*** Begin Patch
*** Update File: src/charge/client.ts
@@
 export async function charge(order: Order): Promise<Receipt> {
-  const answer = await pay(order, { timeout: 5000 });
+  const answer = await pay(order, { timeoutMs: 5000, idempotencyKey: order.id });
   if (answer.status === 'declined') throw new Declined(answer.code);
   return toReceipt(answer);
*** Add File: src/charge/charge.test.ts
+test('a repeated request is charged once', async () => {
+  await charge(order);
+  await charge(order);
+  expect(await ledger(order.id)).toHaveLength(1);
+});
*** End Patch`;
  asked.push(charge.ask('apply_patch', { command: patch }));
  asked.push(
    webhook.ask('shell', {
      command:
        'psql "$STAGING_URL" -c "TRUNCATE webhook_deliveries" && npm run webhooks:replay -- --since 2h',
    }),
  );
  const coupon = await start(
    'claude',
    'shop',
    'fix/coupon-total',
    'c1a70000-coupon',
    'The cart shows a wrong total when a coupon is used. Find out why and fix it.',
    15,
  );
  const openapi = await start(
    'gemini',
    'payments-api',
    'docs/openapi',
    'e4000000-openapi',
    'Write the OpenAPI file from the routes',
    22,
  );
  for (const one of [coupon, charge, openapi])
    asked.push(one.ask('shell', { command: 'docker compose up -d db' }));
  const questions = [
    {
      question: 'How should half a cent be rounded?',
      header: 'Rounding',
      options: [
        { label: 'Half up', description: 'as the invoice does it' },
        { label: 'Half to even', description: 'as the bank does it' },
        { label: 'Always down', description: 'in favour of the customer' },
      ],
      multiSelect: false,
    },
  ];
  asked.push(coupon.ask('AskUserQuestion', { questions }, 'PermissionRequest'));
  const dark = await start(
    'claude',
    'shop',
    'feat/dark-checkout',
    'c1a70000-dark',
    'Give the checkout page a dark theme that follows the system.',
    6,
  );
  const plan = [
    '# A dark theme for the checkout',
    '1. Move the 14 colours of `src/checkout/style.css` into custom properties',
    '2. Add dark values under `prefers-color-scheme`, text at 4.5:1 or more',
    '3. Draw the card logos as SVG, so that they follow the text colour',
    '4. Take a screenshot of both themes in `test/checkout.visual.ts`',
    '5. Run `npm test -- checkout` and show the two pictures',
  ].join('\n');
  asked.push(dark.ask('ExitPlanMode', { plan }, 'PermissionRequest'));
  return asked;
}
