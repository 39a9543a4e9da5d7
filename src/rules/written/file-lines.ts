import { fieldsIn, type Line, lineOf, literalsIn, type Runs, unescaped } from './line.ts';

// Where the commands are in files that other programs read, each by the form of the file.

export function runningAs(runs: Runs, texts: readonly string[]): Line[] {
  return texts.filter((text) => text.trim() !== '').map((text) => ({ text, runs }));
}

/** Scripts that run by themselves, with an installation, a test or a publication. */
const LIFECYCLE =
  /^(?:(?:pre|post)?(?:install|pack|publish|prepare|version|uninstall)|prepublishOnly|dependencies|(?:pre|post)test)$/;
/** Fields of a package that hold no command. */
const NO_SCRIPT =
  /^(?:name|version|description|main|module|types|typings|type|license|author|homepage|url|email|repository|bugs|keywords|private|engines|files|directory)$/;

/** Scripts of a package. In a fragment, any field may be a script. */
export function packageLines(json: string, isPart: boolean): Line[] {
  const fields = fieldsIn(json);
  const first = isPart ? 0 : fields.findIndex(({ key }) => key === 'scripts') + 1;
  if (first === 0 && !isPart) return [];
  return fields.slice(first).flatMap(({ key, values: [line, ...more] }): Line[] => {
    if (line === undefined || more.length > 0 || NO_SCRIPT.test(key) || !/\s/.test(line)) return [];
    return [{ text: line, runs: LIFECYCLE.test(key) ? 'alone' : 'called' }];
  });
}

const PROGRAM = /^(?:command|path|program|executable|runtimeExecutable|cmd)$/;

/** Programs and their arguments, as the settings of tool servers, editors and tasks have them. */
export function programLines(json: string): string[] {
  const lines: string[][] = [];
  for (const { key, values } of fieldsIn(json)) {
    if (PROGRAM.test(key) && values.length > 0) lines.push([...values]);
    else if (/^(?:args|arguments|runtimeArgs)$/.test(key)) {
      const last = lines.at(-1);
      if (last) last.push(...values);
      // In a fragment, the command of these arguments is unknown.
      else if (values.includes('-c')) lines.push(['sh', ...values]);
    }
  }
  return lines.map(([first = '', ...others]) =>
    // A line of its own, or a program.
    others.length === 0 ? first : lineOf([first, ...others]),
  );
}

const IN_CONTAINER = /^(?:onCreate|updateContent|postCreate|postStart|postAttach)Command$/;

/** What opening a folder in a container runs: before there is one, and in it. */
export function containerFolderLines(json: string): Line[] {
  const fields = fieldsIn(json);
  const under = (is: (key: string) => boolean): string[] =>
    fields.flatMap(({ key, values }, at) => {
      if (!is(key)) return [];
      // Several commands may stand in braces, each under a name.
      const all = values.length > 0 ? values : (fields[at + 1]?.values ?? []);
      return all.length > 1 ? [lineOf(all)] : all;
    });
  return [
    ...runningAs(
      'alone',
      under((key) => key === 'initializeCommand'),
    ),
    ...runningAs(
      'elsewhere',
      under((key) => IN_CONTAINER.test(key)),
    ),
  ];
}

const INSTRUCTION = /^\s*(?:ONBUILD\s+)?([A-Z]+)\s+(.*)$/is;
const RUNS = /^(?:RUN|CMD|ENTRYPOINT|HEALTHCHECK)$/i;
const OTHERS =
  /^(?:FROM|COPY|ADD|ENV|ARG|LABEL|WORKDIR|USER|EXPOSE|VOLUME|SHELL|STOPSIGNAL|MAINTAINER|ONBUILD)$/i;

/** The commands with which an image is made, and those that it starts with. */
export function imageLines(text: string, isPart: boolean): string[] {
  return withBodies(text.replace(/^[ \t]*#.*(?:\r?\n)?/gm, '').replace(/\\[ \t]*\r?\n[ \t]*/g, ' ')).flatMap(
    (line) => {
      const [, name = '', rest = ''] = INSTRUCTION.exec(line) ?? [];
      if (OTHERS.test(name)) return [];
      if (!RUNS.test(name)) return isPart ? [line.trim().replace(/^(?:&&|\|\||;)\s*|(?:&&|\\)$/g, '')] : [];
      const command = rest.replace(/^(?:--\S+\s+)*(?:CMD\s+)?/, '');
      return command.startsWith('[') ? [lineOf(literalsIn(command).map((one) => one.text))] : [command];
    },
  );
}

/** `RUN <<EOF`: the lines that follow are the command. */
function withBodies(text: string): string[] {
  const lines: string[] = [];
  let until: string | null = null;
  for (const line of text.split('\n')) {
    const last = lines.length - 1;
    if (until === null) {
      until = /^\s*RUN\s.*<<-?\s?["']?(\w+)/i.exec(line)?.[1] ?? null;
      lines.push(until === null ? line : line.replace(/<<-?\s?["']?\w+["']?/, ''));
    } else if (line.trim() === until) until = null;
    else lines[last] = `${lines[last]}\n${line}`;
  }
  return lines;
}

/** The recipes of a file for make or just, and what is run while it is read. */
export function recipeLines(text: string, isPart: boolean): string[] {
  const lines = text.replace(/\\\r?\n\s*/g, ' ').split(/\r?\n/);
  const recipes = lines.flatMap((line) => {
    if (/^(?:\t| {2})/.test(line)) return [line.trim().replace(/^[@+-]+/, '')];
    const own = /^[^\s#:=][^:=]*:(?!=)[^;#]*;\s*(.+)$/.exec(line)?.[1];
    const read = /^\s*\w+\s*!=\s*(.+)$/.exec(line)?.[1];
    const isLoose = isPart && !/^\s*#|^[\w./$(){} -]*:|^\s*[\w-]+\s*[:?+]?=/.test(line);
    return own ?? read ?? (isLoose ? line : []);
  });
  const computed = [
    ...text.matchAll(
      /\$\(shell[ \t]([^()\n]{0,999}(?:\([^()\n]{0,999}\)[^()\n]{0,999}){0,5})\)|`([^`\n]{1,999})`/g,
    ),
  ].map(([, one, two]) => one ?? two ?? '');
  const plain = (line: string) =>
    line
      .replaceAll('$$', '$')
      .replace(/\$\((\w+)\)/g, (_, name: string) => `\${${name}}`)
      .replace(/\{\{[^{}]*\}\}/g, '$VALUE');
  return [recipes.map(plain).join('\n'), ...computed.map(plain)];
}

const TERRAFORM = /\b(command|program|inline|interpreter)\s*=\s*/g;
const BLOCK_START = /<<-?[ \t]?"?(\w+)"?[ \t]*\r?\n/y;
const TEXT = /"(?:[^"\\\n]|\\.){0,4000}"/y;
const LONGEST_VALUE = 4000;

/** What Terraform runs on this machine, and what it runs on one that it has made. */
export function terraformLines(text: string): Line[] {
  const code = text.replace(/^[ \t]*(?:#|\/\/).*$/gm, '');
  const lines: Line[] = [];
  const closing = nextAfter(code, ']');
  let done = 0;
  for (const { 0: name, 1: key = '', index } of code.matchAll(TERRAFORM)) {
    // What stands in a value is not a setting.
    if (index < done) continue;
    const at = index + name.length;
    const block = blockAt(code, at);
    const words = code.charAt(at) === '[' ? listAt(code, at, closing(at)) : null;
    const line = block ?? textAt(code, at);
    if (block !== null) done = at + block.length;
    if (key === 'interpreter' || (line ?? words) === null) continue;
    if (key === 'inline') lines.push(...runningAs('elsewhere', (words ?? []).map(interpolated)));
    else lines.push(...runningAs('called', [interpolated(line ?? lineOf(words ?? []))]));
  }
  return lines;
}

/** The lines up to the one that ends them; where there is none, as many as are read. */
function blockAt(code: string, at: number): string | null {
  BLOCK_START.lastIndex = at;
  const [start, mark = ''] = BLOCK_START.exec(code) ?? [];
  if (start === undefined) return null;
  const body = code.slice(at + start.length, at + start.length + LONGEST_VALUE);
  const end = new RegExp(`^[ \\t]*${mark}\\b`, 'm').exec(body)?.index ?? body.length;
  return body.slice(0, end);
}

function textAt(code: string, at: number): string | null {
  TEXT.lastIndex = at;
  const [literal] = TEXT.exec(code) ?? [];
  return literal === undefined ? null : unescaped(literal.slice(1, -1));
}

function listAt(code: string, at: number, end: number): readonly string[] | null {
  return end < 0 || end - at > LONGEST_VALUE ? null : literalsIn(code.slice(at, end)).map((one) => one.text);
}

/** Where a sign stands next, asked in the order of the text; each part of it is looked through once. */
function nextAfter(text: string, sign: string): (at: number) => number {
  let known = -1;
  let from = 0;
  return (at) => {
    if (known < at && from <= at) {
      known = text.indexOf(sign, at);
      from = known < 0 ? text.length + 1 : known + 1;
    }
    return known < at ? -1 : known;
  };
}

function interpolated(line: string): string {
  return line.replace(/\$\{[^{}]*\}/g, '$VALUE');
}

/** What is run while a build is set up: `<!(…)`, and the words of actions. */
export function gypLines(text: string): string[] {
  const expanded = literalsIn(text).flatMap(({ text: one }) => {
    const start = /<!{1,2}@?\(/.exec(one);
    const end = one.lastIndexOf(')');
    return start === null || end < start.index ? [] : one.slice(start.index + start[0].length, end);
  });
  const actions = fieldsIn(text).flatMap(({ key, values }) => (key === 'action' ? [lineOf(values)] : []));
  return [...expanded, ...actions];
}
