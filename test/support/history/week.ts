/** One session of the made-up week: what was asked and what came of it, turn by turn, with the files and commands in between. */
export interface WeekSession {
  readonly name: string;
  readonly turns: readonly (readonly [prompt: string, outcome: string])[];
  readonly files: readonly string[];
  readonly commands: readonly string[];
}

const session = (
  name: string,
  turns: WeekSession['turns'],
  files: string,
  ...commands: readonly string[]
): WeekSession => ({ name, turns, files: files.split(' '), commands });

export const WEEK: readonly WeekSession[] = [
  session(
    'redirect-loop',
    [
      [
        'Users are stuck in a redirect loop after the session cookie expires. Find out why.',
        'The middleware redirected to /login, which itself required a session. I excluded the login route.',
      ],
      [
        'Add a regression test for that',
        'Added a test in middleware.test.ts that follows the redirects with an expired cookie.',
      ],
    ],
    'src/auth/middleware.ts src/auth/middleware.test.ts',
    'npx vitest run src/auth',
  ),
  session(
    'cents',
    [
      [
        'Totals on invoices are off by one cent sometimes',
        'Amounts were floats. They are integer cents now, and rounding happens once, at the end, with banker rounding.',
      ],
    ],
    'src/billing/money.ts src/billing/invoice.ts',
    'npx vitest run src/billing',
  ),
  session(
    'webhook-dupes',
    [
      [
        'Stripe webhooks are handled twice, make the handler idempotent',
        'Stored the event ID with a unique index; a second delivery is acknowledged and ignored.',
      ],
    ],
    'src/webhooks/stripe.ts migrations/0042_webhook_events.sql',
    'npm run migrate',
    'npx vitest run src/webhooks',
  ),
  session(
    'csv-export',
    [
      [
        'Add a CSV export to the orders page',
        'The orders page has an Export button. It streams rows, so that large exports do not fill memory.',
      ],
    ],
    'src/orders/export.ts web/orders-page.tsx',
    'npx vitest run src/orders',
  ),
  session(
    'csv-umlauts',
    [
      [
        'Umlauts are garbled when customers open the CSV in Excel',
        'Excel needs a byte order mark. The export begins with one now and is UTF-8.',
      ],
    ],
    'src/orders/export.ts',
  ),
  session(
    'flaky-cart',
    [
      [
        'The test "applies a coupon" fails about once in ten runs on CI',
        'It depended on the order of two promises. The test awaits both now; 200 runs without a failure.',
      ],
    ],
    'src/cart/coupon.test.ts',
    'for i in $(seq 200); do npx vitest run src/cart/coupon.test.ts; done',
  ),
  session(
    'dark-mode',
    [
      [
        'Implement dark mode with a toggle in the settings',
        'Colors are CSS variables; the choice is kept in localStorage and follows the system by default.',
      ],
    ],
    'web/theme.css web/settings/appearance.tsx',
  ),
  session(
    'nplus1',
    [
      [
        'The customer list takes 8 seconds to load',
        'One query ran for each customer. They are joined in one query; it takes 120 ms.',
      ],
    ],
    'src/customers/list.ts',
    'EXPLAIN ANALYZE',
  ),
  session(
    'oom',
    [
      [
        'The worker gets killed with exit code 137 every few hours',
        'The image cache never evicted anything. It is an LRU of 500 entries now, and heap stays at 180 MB.',
      ],
    ],
    'src/worker/image-cache.ts',
    'node --inspect src/worker/main.ts',
  ),
  session(
    'rate-limit',
    [
      [
        'Throttle the public API to 100 requests per minute per key',
        'A token bucket in Redis answers 429 with Retry-After beyond the limit.',
      ],
    ],
    'src/api/RateLimiter.ts src/api/RateLimiter.test.ts',
    'npx vitest run src/api',
  ),
  session(
    'postgres16',
    [
      [
        'Upgrade Postgres from 14 to 16',
        'The compose file and the chart use 16. I ran the dump and restore against staging.',
      ],
    ],
    'compose.yaml charts/db/values.yaml',
    'pg_dump shop',
    'pg_restore',
  ),
  session(
    'backoff',
    [
      [
        'The mailer gives up after the first failure',
        'Failed sends are retried 5 times with exponential backoff and jitter, then go to the dead letter queue.',
      ],
    ],
    'src/mail/send.ts src/mail/retry.ts',
    'npx vitest run src/mail',
  ),
  session(
    'timezone',
    [
      [
        'Reports for Tokyo customers start on the wrong day',
        'Day boundaries were computed in UTC. They use the time zone of the account now.',
      ],
    ],
    'src/reports/day-range.ts',
    'TZ=Asia/Tokyo npx vitest run src/reports',
  ),
  session(
    'ci-cache',
    [
      [
        'CI takes 25 minutes, make it faster',
        'Dependencies are cached and tests run in 4 shards. It takes 7 minutes.',
      ],
    ],
    '.github/workflows/ci.yml',
  ),
  session(
    'eslint-flat',
    [
      [
        'Move to the flat config of ESLint',
        'eslint.config.js replaces .eslintrc. Three rules were gone and have new names.',
      ],
    ],
    'eslint.config.js',
    'npx eslint .',
  ),
  session(
    'avatar',
    [
      [
        'Let people upload a profile picture',
        'Images are resized to 256 px, stripped of metadata and stored in the bucket.',
      ],
    ],
    'src/profile/avatar.ts web/profile.tsx',
  ),
  session(
    'search-index',
    [['Product search ignores plurals', 'The index uses an English stemmer now. I reindexed staging.']],
    'src/search/analyzer.json',
    'npm run reindex',
  ),
  session(
    'sso',
    [
      [
        'Add single sign-on with Okta for enterprise customers',
        'SAML is configured per organization. Existing users are linked by email.',
      ],
    ],
    'src/auth/saml.ts src/auth/saml.test.ts',
  ),
  session(
    'license-check',
    [
      [
        'Check which licenses our dependencies have',
        'All are MIT, ISC or Apache, except for one under the GPL, which only the docs build uses.',
      ],
    ],
    'docs/licenses.md',
    'npx license-checker --summary',
  ),
  session(
    'websocket-drop',
    [
      [
        'The live dashboard stops updating after a minute',
        'The load balancer closed idle sockets. The server pings every 20 seconds now and the page reconnects.',
      ],
    ],
    'src/live/socket.ts web/live.ts',
  ),
  session(
    'gdpr-delete',
    [
      [
        'Build account deletion for GDPR requests',
        'Personal data is erased after 30 days; invoices keep a pseudonym because the law wants them kept.',
      ],
    ],
    'src/accounts/erase.ts src/accounts/erase.test.ts',
  ),
  session(
    'feature-flags',
    [
      [
        'Which feature flags are still in the code but fully rolled out?',
        'Seven flags are on for all users. I removed five of them with their dead branches.',
      ],
    ],
    'src/flags.ts',
  ),
  session(
    'pagination',
    [
      [
        'Page 2 of the audit log sometimes repeats rows from page 1',
        'Offsets shift when rows arrive. It uses a cursor of timestamp and ID now.',
      ],
    ],
    'src/audit/list.ts src/audit/list.test.ts',
  ),
  session(
    'docker-size',
    [['Our container image is 1.9 GB', 'A multi-stage build on the slim base leaves 210 MB.']],
    'Dockerfile',
    'docker build -t shop .',
  ),
  session(
    'secrets-leak',
    [
      [
        'An API key was committed to the repo',
        'I removed it from the file and documented how to rotate it. The history still has it: rotate the key.',
      ],
    ],
    'src/config/maps.ts docs/rotate-keys.md',
    'git log -S AIza',
  ),
  session(
    'password-reset',
    [
      [
        'The password reset link works more than once',
        'Tokens are deleted when they are used, and expire after an hour.',
      ],
    ],
    'src/auth/reset.ts src/auth/reset.test.ts',
  ),
  session(
    'i18n-german',
    [
      [
        'Translate the checkout into German',
        'All 84 strings of the checkout have German texts. Plurals go through ICU.',
      ],
    ],
    'locales/de/checkout.json',
  ),
  session(
    'a11y-modal',
    [
      [
        'Screen readers lose focus when the dialog opens',
        'Focus moves into the dialog, is kept there, and returns to the button.',
      ],
    ],
    'web/ui/dialog.tsx',
  ),
  session(
    'terraform-drift',
    [
      [
        'Terraform wants to recreate the load balancer',
        'The name was changed by hand in the console. I imported it and pinned the name.',
      ],
    ],
    'infra/lb.tf',
    'terraform plan',
  ),
  session(
    'grpc',
    [
      [
        'Should the services talk gRPC or REST?',
        'We decided to stay with REST and generate clients from OpenAPI: gRPC needs a proxy for browsers.',
      ],
    ],
    'docs/decisions/0007-rest.md',
  ),
  session(
    'logging-pii',
    [
      [
        'Emails of users show up in the logs',
        'The logger redacts email, phone and address fields; a test fails when a new field is logged.',
      ],
    ],
    'src/log/redact.ts src/log/redact.test.ts',
  ),
  session(
    'cron-twice',
    [
      [
        'The nightly invoice job ran twice on Sunday',
        'Two replicas ran the schedule. An advisory lock in the database lets only one through.',
      ],
    ],
    'src/jobs/nightly.ts',
  ),
  session(
    'typescript-strict',
    [
      [
        'Turn on strict mode in tsconfig',
        'strict is on; I fixed 212 type errors, most of them possibly undefined.',
      ],
    ],
    'tsconfig.json',
    'npx tsc --noEmit',
  ),
  session(
    's3-presign',
    [
      [
        'Uploads over 10 MB fail with 413',
        'The browser uploads straight to the bucket with a presigned URL. The proxy sees only the metadata.',
      ],
    ],
    'src/uploads/presign.ts web/upload.ts',
  ),
  session(
    'circular',
    [
      [
        'Jest says: Cannot access UserService before initialization',
        'It was a circular import between users and teams. Shared types moved to their own file.',
      ],
    ],
    'src/users/UserService.ts src/teams/TeamService.ts',
    'npx madge --circular src',
  ),
  session(
    'loyalty',
    [
      [
        'Design the points program: customers earn 1 point per euro',
        'The ledger is append-only; balances are computed. Points expire after two years.',
      ],
    ],
    'src/loyalty/ledger.ts docs/decisions/0009-points.md',
  ),
  session(
    'sitemap',
    [
      [
        'Google does not index our product pages',
        'robots.txt blocked /p/. I fixed it and generate a sitemap every night.',
      ],
    ],
    'web/public/robots.txt src/seo/sitemap.ts',
  ),
  session(
    'health',
    [
      [
        'Kubernetes restarts the pod during long migrations',
        'The liveness probe failed while migrating. Migrations run in an init container now.',
      ],
    ],
    'charts/shop/templates/deployment.yaml',
    'kubectl describe pod shop',
  ),
  session(
    'undo',
    [
      [
        'Add undo to the drawing editor',
        'Every change is a command with an inverse; Ctrl+Z walks back up to 100 steps.',
      ],
    ],
    'web/editor/history.ts web/editor/history.test.ts',
  ),
  session(
    'xss',
    [
      [
        'Security report: script in product reviews is executed',
        'Reviews were rendered as HTML. They are sanitized on the server and escaped on the page.',
      ],
    ],
    'src/reviews/render.ts src/reviews/render.test.ts',
  ),
  session(
    'stock-race',
    [
      [
        'Two buyers got the last item in stock',
        'The check and the decrement are one UPDATE with a condition now, in a transaction.',
      ],
    ],
    'src/inventory/reserve.ts src/inventory/reserve.test.ts',
  ),
  session(
    'node22',
    [['Move everything to Node 22', 'Images, CI and engines say 22. One native module had to be rebuilt.']],
    'package.json .nvmrc',
    'npm rebuild',
  ),
  session(
    'tax',
    [['VAT for Switzerland is wrong', 'The rate is 8.1 % since 2024; the table had 7.7 %.']],
    'src/tax/rates.ts',
  ),
  session(
    'date-lib',
    [['Replace moment with something smaller', 'We use date-fns. The bundle is 62 KB smaller.']],
    'package.json web/format-date.ts',
  ),
  session(
    'print-css',
    [
      [
        'Order confirmations look broken on paper',
        'A print stylesheet hides the navigation and keeps tables together.',
      ],
    ],
    'web/print.css',
  ),
  session(
    'metrics',
    [['Expose metrics for Prometheus', 'GET /metrics has request counts and durations by route.']],
    'src/metrics.ts',
  ),
  session(
    'alert-noise',
    [
      [
        'The on-call phone rings all night for nothing',
        'The disk alert fires on the forecast of 24 hours now instead of at 80 %.',
      ],
    ],
    'ops/alerts.yml',
  ),
  session(
    'readme',
    [
      [
        'Write down how a new developer starts the project',
        'README has setup in 5 commands, tested on a fresh machine.',
      ],
    ],
    'README.md',
  ),
  session('hello', [['hi', 'Hello! What would you like to work on?']], 'README.md'),
];

type Questions = readonly (readonly [query: string, session: string])[];

export const KEYWORDS: Questions = [
  ['redirect loop', 'redirect-loop'],
  ['integer cents', 'cents'],
  ['stripe webhook idempotent', 'webhook-dupes'],
  ['csv export', 'csv-export'],
  ['excel umlauts', 'csv-umlauts'],
  ['coupon test CI', 'flaky-cart'],
  ['dark mode', 'dark-mode'],
  ['image cache lru', 'oom'],
  ['rate limiter', 'rate-limit'],
  ['postgres 16', 'postgres16'],
  ['exponential backoff', 'backoff'],
  ['tokyo reports', 'timezone'],
  ['eslint flat config', 'eslint-flat'],
  ['okta saml', 'sso'],
  ['presigned url', 's3-presign'],
  ['circular import', 'circular'],
  ['advisory lock', 'cron-twice'],
  ['liveness probe', 'health'],
  ['date-fns', 'date-lib'],
  ['token bucket', 'rate-limit'],
  ['UserService', 'circular'],
  ['prometheus', 'metrics'],
  ['RateLimiter.ts', 'rate-limit'],
  ['sanitize reviews', 'xss'],
];

export const QUESTIONS: Questions = [
  ['why were users stuck in a redirect loop?', 'redirect-loop'],
  ['what did we decide about gRPC and REST?', 'grpc'],
  ['how did we stop the nightly job from running twice?', 'cron-twice'],
  ['when did we upgrade postgres?', 'postgres16'],
  ['which session fixed the VAT rate for Switzerland?', 'tax'],
  ['how large is the container image now?', 'docker-size'],
  ['what happened with the API key that was committed?', 'secrets-leak'],
  ['how do we keep emails out of the logs?', 'logging-pii'],
  ['why did the worker get killed?', 'oom'],
  ['where do we resize profile pictures?', 'avatar'],
  ['how long are password reset tokens valid?', 'password-reset'],
  ['what did the agent do about the live dashboard that stopped updating?', 'websocket-drop'],
  ['do points in the points program expire?', 'loyalty'],
  ['which feature flags did we remove?', 'feature-flags'],
];

export const PARAPHRASES: Questions = [
  ['rounding errors in bill amounts', 'cents'],
  ['duplicate payment notifications', 'webhook-dupes'],
  ['download orders as a spreadsheet', 'csv-export'],
  ['special characters are broken in the spreadsheet', 'csv-umlauts'],
  ['intermittent test failure', 'flaky-cart'],
  ['night theme', 'dark-mode'],
  ['slow clients overview, too many queries', 'nplus1'],
  ['memory leak in the background process', 'oom'],
  ['limit how often clients call us', 'rate-limit'],
  ['try sending mail again when it breaks', 'backoff'],
  ['wrong date for Japanese clients', 'timezone'],
  ['speed up the build pipeline', 'ci-cache'],
  ['plural forms in product lookup', 'search-index'],
  ['enterprise login', 'sso'],
  ['lost realtime connection', 'websocket-drop'],
  ['right to be forgotten', 'gdpr-delete'],
  ['duplicate entries when paging', 'pagination'],
  ['shrink the docker image', 'docker-size'],
  ['leaked credential in version control', 'secrets-leak'],
  ['reuse of forgotten-password mails', 'password-reset'],
  ['localize the purchase flow', 'i18n-german'],
  ['keyboard focus in the popup', 'a11y-modal'],
  ['mask private data in log output', 'logging-pii'],
  ['oversold products', 'stock-race'],
  ['big file uploads are rejected', 's3-presign'],
  ['cross-site scripting hole', 'xss'],
  ['too many false alarms at night', 'alert-noise'],
  ['onboarding guide for engineers', 'readme'],
  ['revert steps in the canvas', 'undo'],
];
