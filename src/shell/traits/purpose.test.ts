import { expect, test } from 'vitest';
import { analyse } from '../analyse.ts';
import { exitCodeTellsTests, isBuild, isTestRun } from './purpose.ts';

test.each([
  'cargo test',
  'cargo test 2>&1',
  'cargo test > log 2>&1',
  'cd app && cargo test',
  'cd app; cargo test',
  'cargo build && cargo test && echo done',
  'cargo test || exit 1',
  'cargo test || { tail log; exit 1; }',
  'cargo test; exit $?',
  'cargo test; exit',
  `cargo test 2>&1 | tail; exit \${PIPESTATUS[0]}`,
  'set -o pipefail; cargo test 2>&1 | tail',
  'set -euo pipefail; cargo test 2>&1 | tail; echo done',
  'set -e; cargo test; echo done',
  '(cd app && cargo test)',
  '{ cargo test; }',
  'time cargo test',
  'timeout 60 npm test',
  'python -m unittest',
  'python3 -m pytest -q',
  'RUST_LOG=debug cargo test',
  'echo start | cargo test',
  "bash -lc 'cd app && npm test'",
])('the exit code of %j is that of the tests', (command) => {
  expect(isTestRun(analyse(command))).toBe(true);
  expect(exitCodeTellsTests(command)).toBe(true);
});

test.each([
  'cargo test 2>&1 | tail',
  'cargo test | tee log',
  'cargo test |& grep FAILED',
  'cargo test; echo done',
  'cargo test || true',
  'cargo test && echo ok || echo failed',
  'cargo test &',
  '! cargo test',
  'cargo test 2>&1 | tail; exit 0',
  `cargo test 2>&1 | tail; echo \${PIPESTATUS[0]}`,
  'cargo test || { echo failed; exit $?; }',
  'set -o pipefail; set +o pipefail; cargo test | tail',
  '(set -o pipefail); cargo test | tail',
  'set -e; cargo test && echo ok; echo done',
  'for p in a b; do cargo test -p $p; done',
  'if cargo test; then echo ok; fi',
  "bash -c 'cargo test | tail'",
  "bash -c 'cargo test || true'",
  "timeout 60 bash -c 'cargo test; echo done'",
])('the exit code of %j says nothing of the tests', (command) => {
  expect(isTestRun(analyse(command))).toBe(true);
  expect(exitCodeTellsTests(command)).toBe(false);
});

test.each([
  ...[
    'npx playwright test',
    'npx cypress run',
    'vendor/bin/phpunit',
    'cargo nextest run',
    'php artisan test',
  ],
  ...['flutter test', 'yarn jest', 'yarn run jest src', 'pnpm exec vitest', 'hatch test', 'hatch run test'],
  ...['./run_tests.sh', 'bash run_tests.sh', './scripts/test.sh', 'terraform test', 'meson test -C build'],
  'poetry run pytest',
])('%j runs tests', (command) => {
  expect(isTestRun(analyse(command))).toBe(true);
});

test.each([
  ...[
    'npx playwright install',
    'npx cypress open',
    'cargo nextest list',
    'php artisan migrate',
    'yarn add jest',
  ],
  ...['cat run_tests.sh', 'terraform plan', 'poetry install', 'rm ./run_tests.sh', 'bash latest.sh'],
])('%j runs none', (command) => {
  expect(isTestRun(analyse(command))).toBe(false);
});

test.each(['python -m build', 'poetry build', 'hatch build', 'flutter build apk', 'meson compile'])(
  '%j builds',
  (command) => {
    expect(isBuild(analyse(command))).toBe(true);
  },
);

test.each([
  'make',
  'gmake',
  'make -j8',
  'make build',
  'npm run build',
  'cargo build',
  'docker build .',
  'podman build .',
])('%j builds', (command) => {
  expect(isBuild(analyse(command))).toBe(true);
});

test.each(['make clean', 'gmake test', 'just', 'docker', 'npm run'])(
  '%j does not say that it builds',
  (command) => {
    expect(isBuild(analyse(command))).toBe(false);
  },
);
