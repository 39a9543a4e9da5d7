import { isObject, parseJson } from '../../model/json.ts';
import { UNKNOWN } from '../analysis.ts';

// Shell text that a build file runs. Only reads files that the session wrote: a build file from before the session
// belongs to the project.

const MAX_TARGETS = 50;

interface Target {
  readonly needs: readonly string[];
  readonly lines: string[];
}

/** The recipes that make would run for the given goals, or for the first target. */
export function recipesOf(makefile: string, goals: readonly string[]): string {
  const { targets, variables } = parse(makefile.replace(/\\\n/g, ' '));
  // `.PHONY` and similar names are not targets.
  const first = [...targets.keys()].find((name) => !name.startsWith('.'));
  const wanted = goals.length > 0 ? [...goals] : first === undefined ? [] : [first];
  const lines: string[] = [];
  for (const [at, name] of wanted.entries()) {
    if (at > MAX_TARGETS) break;
    const target = targets.get(name);
    if (target) lines.push(...target.lines);
    for (const need of target?.needs ?? []) if (!wanted.includes(need)) wanted.push(need);
  }
  return lines.map((line) => expanded(line.replace(/^[@+-]+/, ''), variables)).join('\n');
}

function parse(text: string) {
  const targets = new Map<string, Target>();
  const variables = new Map<string, string>();
  let current: readonly Target[] = [];
  for (const line of text.split('\n')) {
    if (line.startsWith('\t')) {
      for (const target of current) target.lines.push(line.slice(1));
      continue;
    }
    const setting = /^(?:export\s+)?([\w.-]+)\s*(?:::?|\?|\+)?=\s*(.*)$/.exec(line);
    if (setting) {
      variables.set(setting[1] ?? '', setting[2] ?? '');
      continue;
    }
    const [, names, needs = '', own] = /^([^\s#:=][^:=]*):(?!=)([^;]*)(?:;(.*))?$/.exec(line) ?? [];
    if (names === undefined) continue;
    current = names
      .split(/\s+/)
      .filter(Boolean)
      .map((name) => {
        const target = targets.get(name) ?? { needs: [], lines: [] };
        const next = { needs: [...target.needs, ...needs.split(/\s+/).filter(Boolean)], lines: target.lines };
        if (own !== undefined) next.lines.push(own.trim());
        targets.set(name, next);
        return next;
      });
  }
  return { targets, variables };
}

const MAX_ROUNDS = 4;

/** Replaces variables of the file. Anything else that make computes is unknown. */
function expanded(line: string, variables: ReadonlyMap<string, string>): string {
  let text = line;
  for (let round = 0; round < MAX_ROUNDS; round++)
    text = text.replace(/\$[({]([\w.-]+)[)}]/g, (whole, name: string) => variables.get(name) ?? whole);
  return text.replace(/\$\$|\$[({]([^)}]*)[)}]|\$[@<^?*%+]/g, (whole, inner?: string) => {
    if (whole === '$$') return '$';
    const command = /^shell\s+(.*)$/s.exec(inner ?? '')?.[1];
    return command === undefined ? UNKNOWN : `"$(${command})"`;
  });
}

/** The lines that a package manager runs for a script, including its pre and post scripts. */
export function packageScripts(manifest: string, name: string): string {
  const scripts = scriptsIn(manifest);
  return [`pre${name}`, name, `post${name}`].flatMap((one) => scripts.get(one) ?? []).join('\n');
}

function scriptsIn(manifest: string): ReadonlyMap<string, string> {
  const parsed = parseJson(manifest);
  const scripts = isObject(parsed) && isObject(parsed.scripts) ? parsed.scripts : {};
  return new Map(
    Object.entries(scripts).flatMap(([name, line]) => (typeof line === 'string' ? [[name, line]] : [])),
  );
}
