import { statedExitCode } from '../../agents/kit/stated.ts';
import { rememberText } from '../../platform/bounded.ts';
import { analyse } from '../../shell/analyse.ts';
import { isBuild, isTestRun } from '../../shell/traits/purpose.ts';
import type { Purpose } from './observation.ts';

/** Words without which no command line tests or builds: this alone decides most, without parsing. */
const HINT =
  /test|spec|check|unit|jest|mocha|cypress|wdio|karma|jasmine|uvu|behave|nose|\bava\b|\btap\b|tox|nox|bats|\bt\b|build|compile|make|tsc|pack|rollup|tsdown|tsup|gcc|g\+\+|clang|rustc|javac|ninja|assemble|bundle|\bb\b|just/i;

/** What a command line is for. One that tests counts as a test, whatever it builds before. */
export function purposeOf(command: string): Purpose {
  return HINT.test(command) ? purposeOfHinted(command) : 'other';
}

/** Agents run the same tests again and again. */
const purposeOfHinted = rememberText((command): Purpose => {
  const analysis = analyse(command);
  if (isTestRun(analysis)) return 'test';
  return isBuild(analysis) ? 'build' : 'other';
}, 64);

const EXIT_CODE = /\bexit(?:ed with)? (?:code|status):? (-?\d+)/i;

/** The exit code that an error message begins with or states; null when it states none. */
export function exitCodeIn(message: string): number | null {
  const code = EXIT_CODE.exec(message.slice(0, 200))?.[1];
  return code === undefined ? null : Number(code);
}

/** Lines in which runners sum up that something failed. */
const FAILED_SUMMARY = [
  /^test result: FAILED/, // cargo
  /^error: test failed/, // cargo
  /^\s*(?:Tests?|Test Files|Test Suites):?\s+[1-9]\d* failed\b/, // jest, vitest
  /^=*\s*[1-9]\d* (?:failed|errors?)\b.* in [\d.]+s/, // pytest
  /^\s*[1-9]\d* failing\b/, // mocha
  /^[#ℹ]\s*fail [1-9]/, // TAP and node's own runner
  /^FAILED \((?:failures|errors)=/, // unittest
  /^\d+ examples?, [1-9]\d* failures?/, // rspec
  /^FAIL(?:\s|$)/, // Go
  /^Tests run: \d+, .*(?:Failures|Errors): [1-9]/, // JUnit
  /^Tests: \d+, .*(?:Failures|Errors): [1-9]/, // PHPUnit
  /^Failed!\s+- Failed:\s+[1-9]/, // .NET
  /^\s*[1-9]\d* failed$/, // Playwright
  /^\s*(?:✖|×|x)\s+[1-9]\d* of \d+ failed/, // Cypress
  /^\s*Summary \[.*\] \d+ tests? run: .*[1-9]\d* failed/, // nextest
  /^FAILURES!$/, // PHPUnit
  /^\s*Tests:\s+[1-9]\d* failed/, // artisan
  /^\d\d:\d\d (?:\+\d+ )?(?:~\d+ )?-[1-9]\d*: /, // Flutter
  /^Failure! \d+ passed, [1-9]\d* failed/, // Terraform
  /^Fail:\s+[1-9]/, // meson
];

/** What a runner printed says that tests failed. Nothing that it prints proves that all of them passed. */
export function saysTestsFailed(output: string): boolean {
  if (failingTests(output).length > 0 || (statedExitCode(output) ?? 0) !== 0) return true;
  return output.split('\n').some((line) => FAILED_SUMMARY.some((form) => form.test(line)));
}

/** How the runners that people use mark a failed test. */
const FAILED_TEST = [
  /^\s*FAIL \[\s*[\d.]+s\] (.+)$/, // nextest
  /^\s*\d+\) (\S+::\S+.*)$/, // PHPUnit
  /^\s*\d+\) (\[\S+\] › .+)$/, // Playwright
  /^\d\d:\d\d (?:\+\d+ )?(?:~\d+ )?-\d+: (.+) \[E\]$/, // Flutter
  /^\s*run "(.+)"\.\.\. fail$/, // Terraform
  /^\s*\d+\/\d+ (\S+)\s+FAIL\b/, // meson
  /^\s*(?:✗|✘|✖|×)\s+(.+)$/, // mocha, vitest, node's own runner
  /^\s*(?:not ok \d+ -?)\s*(.+)$/, // TAP
  /^\s*--- FAIL: (\S+)/, // Go
  /^(?:FAILED|ERROR) (\S+::\S+)/, // pytest
  /^\s*FAIL(?:ED)?:?\s+(\S+\.\S+.*)$/, // jest, vitest: a file, or unittest: a name
  /^test (\S+) \.\.\. FAILED$/, // cargo
  /^\s*●\s+(.+)$/, // jest
];
const MOST_FAILING = 5;
const LONGEST_NAME = 160;

/** Names of failed tests in what a runner printed, each once, the first ones only. */
export function failingTests(output: string): readonly string[] {
  const names = new Set<string>();
  for (const line of output.split('\n')) {
    const name = FAILED_TEST.map((form) => form.exec(line)?.[1]).find(Boolean);
    if (name !== undefined)
      names.add(
        name
          .trim()
          // What a program prints may be made of blanks: looking for the end of them takes its square.
          .slice(0, 2 * LONGEST_NAME)
          .replace(/\s+\(?\d+(?:\.\d+)?\s?m?s\)?$/, '')
          .slice(0, LONGEST_NAME),
      );
    if (names.size === MOST_FAILING) break;
  }
  return [...names];
}
