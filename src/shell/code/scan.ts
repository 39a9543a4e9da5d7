import { isShell } from '../../model/shells.ts';
import type { Call } from '../call.ts';
import { fetchedFrom } from '../memory/fetched.ts';
import { sendMarks } from '../memory/flow.ts';
import { hasUnknown } from '../placeholders.ts';
import { withoutComments } from './comments.ts';
import { runsDownload } from './downloads.ts';
import { withVariables } from './environment.ts';
import { homeIn, withHome } from './home.ts';
import type { Language } from './language.ts';
import { sendsMails } from './mails.ts';
import { readProgram } from './program/read.ts';
import { wideActs } from './wide-acts.ts';

const MAX_CODE = 256 * 1024;

interface Where {
  /** Nesting depth in texts that are run as code. */
  readonly evaluations?: number;
  /** True in a framework console, which knows the project's models by name. */
  readonly framework?: boolean;
}

/** Effects of an inline program on files, the network and other programs, as far as its text shows them. */
export function scanCode(call: Call, code: string, language: Language, where: Where = {}): void {
  const { evaluations = 0, framework = false } = where;
  const text = withoutComments(code.slice(0, MAX_CODE), language.comments);
  if (code.length > MAX_CODE) call.walk.exceed(`${call.name} runs more code than was read`);
  if (hasUnknown(code)) call.walk.lost(`${call.name} runs code of which a part is not known`);
  const before = call.walk.commands.length;
  const { said, runsAnything, isCut } = readProgram(call, text, language, {
    evaluations,
    inMemory: opensMemory(text),
    framework,
    scan: (inner) => scanCode(call, inner, language, { framework, evaluations: evaluations + 1 }),
  });
  // The pattern search needs home directories and variables replaced by their values.
  const searched = homeIn(withHome(withVariables(text, call.state)));
  call.code([searched, ...quoted(said)].join('\n'));
  if (isCut) call.walk.exceed(`${call.name} runs more code than was read`);
  if (language.sigils) sendsFromHandles(call, text);
  reverseShell(call, before, runsAnything);
  runsDownload(call, before);
  sendsMails(call, text);
  wideActs(call, text, language.sigils === true);
}

const MOST_SAID = 32 * 1024;

/** Texts that a program builds. */
function quoted(said: Iterable<string>): readonly string[] {
  const texts: string[] = [];
  let length = 0;
  for (const text of said) {
    length += text.length;
    if (length > MOST_SAID) break;
    texts.push(JSON.stringify(text).replaceAll('\\\\', '\\'));
  }
  return texts;
}

/** True if every opened database is in memory. */
function opensMemory(text: string): boolean {
  const opened = [...text.matchAll(/\b(?:connect|Database|open|DatabaseSync)\(\s*(['"][^'"]*['"])?/g)];
  return (
    opened.length > 0 &&
    opened.every(([, name]) => /^['"]:memory:['"]$/.test(name ?? '')) &&
    !OTHER_DATABASES.test(text)
  );
}

const OTHER_DATABASES =
  /mysql|maria|postgres|psycopg|\bpg\b|oracle|mssql|odbc|duckdb|sqlalchemy|Connection|Client|Pool|PDO/i;

/** `print $socket <F>`: reads from a handle are not followed, so everything opened counts as sent to the connection. */
function sendsFromHandles(call: Call, text: string): void {
  if (!/<\$?\w{1,40}>/.test(text)) return;
  const own = call.walk.effects.filter(({ command }) => command === call.index);
  const reached = own.find((effect) => effect.kind === 'network' && effect.direction === 'out');
  if (reached?.kind !== 'network') return;
  for (const effect of own)
    if (effect.kind === 'read') sendMarks(call, reached.host, call.walk.mark({ kind: 'file', ref: effect }));
}

/** A program that connects to a host and starts a shell gives the host control. */
function reverseShell(call: Call, before: number, runsAnything: boolean): void {
  const host = fetchedFrom(call, [call.index], '');
  const starts = call.walk.commands
    .slice(before)
    .some(({ tool }) => tool !== null && (tool === 'cmd' || isShell(tool)));
  // An unknown line may come from the socket.
  const socket = call.walk.effects.some(
    (effect) => effect.kind === 'network' && effect.command === call.index && !effect.url?.includes('://'),
  );
  if (host !== undefined && (starts || (socket && runsAnything))) call.execute('network', null, host);
}
