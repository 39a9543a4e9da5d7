import {
  type Assignment,
  type Output,
  type Redirect,
  type SimpleCommand,
  UNKNOWN,
  type Word,
} from './analysis.ts';
import { Call } from './call.ts';
import { dropChanges } from './dropped.ts';
import { expandWords } from './expand/word.ts';
import { changesLiveSystem } from './live-systems/live-systems.ts';
import { assign, prefix } from './memory/assign.ts';
import { finish } from './memory/flow.ts';
import { isListedProgram } from './memory/glob-results.ts';
import { assignedTexts, namesGiven, runSubscripts, textsRead } from './memory/subscripts.ts';
import { hasUnknown, withoutUnknown } from './placeholders.ts';
import { findTool } from './programs/known.ts';
import { runPrompted } from './prompt.ts';
import { isEndless } from './recursion.ts';
import { feedSubstitutions, inputFrom, isMoved, leaveIn, redirectEffects, redirectsOf } from './redirects.ts';
import type { Entry, Reentry } from './reentry.ts';
import { roles } from './roles.ts';
import { commandOf, nameIn } from './simple-command.ts';
import { parseScript } from './syntax/from-unbash.ts';
import type { AssignmentNode, Node, Script, SimpleNode } from './syntax/nodes.ts';
import type { Tool } from './tool.ts';
import { runAssumed } from './tools/assumed.ts';
import { guessListed, guessWrapped, runFromPath } from './tools/guess.ts';
import { runImplicitFiles } from './tools/implicit-files.ts';
import { runProjectCode } from './tools/project-code.ts';
import { runExecuted } from './tools/runners.ts';
import { runSpoken } from './tools/spoken.ts';
import { upload } from './traits/uploads.ts';
import { type Frame, MAX_DEPTH, type Walk, withStdin } from './walk.ts';
import { known, makeOutput, makeWord, range } from './word.ts';
import { withSearches } from './wrappers/printed.ts';
import { unwrap } from './wrappers/unwrap.ts';

/** Walks one node of the tree and returns what it would print. */
type WalkNode = (walk: Walk, node: Node) => string;

/** Runs simple commands, and everything that is found inside them. */
export class Runner implements Reentry {
  private readonly walkNode: WalkNode;

  constructor(walkNode: WalkNode) {
    this.walkNode = walkNode;
  }

  simple(walk: Walk, node: SimpleNode): string {
    walk.step();
    const span = walk.frame.span ?? { start: node.start, end: Math.min(node.end, walk.length) };
    walk.at = span;
    const argv = [...withSearches(walk, expandWords(walk, node.words))];
    for (const { assignment } of node.words) if (assignment?.list) assign(walk, assignment);
    if (argv.length === 0) {
      for (const assignment of node.assignments) assign(walk, assignment);
      if (node.redirects.length === 0) {
        if (node.assignments.length > 0) this.settings(walk, node.assignments, span);
        return '';
      }
      // `> file` alone empties the file, so it counts as a command that does nothing else.
      argv.push(makeWord(':', ''));
      const output = this.words(walk, argv, [], redirectsOf(walk, node.redirects), span, false);
      return node.redirects[0]?.operator === '<' ? UNKNOWN : output;
    }
    const assignments =
      node.assignments.length === 0 ? NO_ASSIGNMENTS : node.assignments.map((a) => prefix(walk, a));
    const redirects = node.redirects.length === 0 ? NO_REDIRECTS : redirectsOf(walk, node.redirects);
    return this.words(walk, argv, assignments, redirects, span, true);
  }

  /** Settings without a command are one that does nothing else, so that an allow sees them. */
  private settings(walk: Walk, nodes: readonly AssignmentNode[], span: SimpleCommand['span']): void {
    const assignments = nodes.map(({ name, raw }) => ({
      name,
      value: known(walk.state.variables.get(name)?.value ?? UNKNOWN),
      raw,
    }));
    const argv = [makeWord(':', '')];
    const given = { argv, assignments, redirects: NO_REDIRECTS, stdin: walk.frame.stdin, span };
    const index = walk.commands.length;
    const command = commandOf(walk, ':', findTool(':'), given);
    walk.commands.push(command);
    const call = new Call(walk, command, index, this);
    for (const { name, value } of assignments) call.env(name, 'set', value);
    runPrompted(call, assignments);
    runSubscripts(walk, this, assignedTexts(walk, assignments));
  }

  argv(walk: Walk, words: readonly Word[], entry: Entry): string {
    if (words.length === 0) return '';
    return this.inside(walk, entry, () =>
      this.words(
        walk,
        words,
        entry.assignments ?? NO_ASSIGNMENTS,
        NO_REDIRECTS,
        walk.frame.span ?? NO_SPAN,
        entry.functions === true,
        entry.tool,
      ),
    );
  }

  knows(name: string): boolean {
    return findTool(name) !== undefined;
  }

  text(walk: Walk, template: string, entry: Entry): string {
    if (template.trim() === '') return '';
    if (withoutUnknown(template).trim() === '') {
      walk.lost(`${entry.via ?? 'a shell'} runs text that is not known`);
      return UNKNOWN;
    }
    if (hasUnknown(template)) walk.lost(`${entry.via ?? 'a shell'} runs text of which a part is not known`);
    const state = entry.sameShell ? walk.state : walk.state.child();
    for (const { name, value } of entry.assignments ?? []) state.set(name, value ?? UNKNOWN, true);
    if (entry.positional) state.positional = entry.positional;
    if (entry.script !== undefined) state.script = entry.script;
    return walk.isolated(state, () =>
      this.inside(walk, entry, () => this.script(walk, parseScript(template))),
    );
  }

  script(walk: Walk, script: Script): string {
    walk.read(script.size);
    const where = script.hasLines ? ' after other lines' : '';
    for (const problem of script.problems) walk.fail(`syntax${where}: ${problem}`);
    let output = '';
    for (const item of script.items) output += this.walkNode(walk, item);
    return output;
  }

  /** A substitution: a subshell whose output becomes text. */
  substitution(walk: Walk, script: Script | null): Output {
    const first = walk.commands.length;
    if (script === null) {
      walk.lost('a substitution that could not be read');
      return makeOutput(UNKNOWN, []);
    }
    const { via, place, guessed, depth, stdin, span } = walk.frame;
    const text = walk.isolated(walk.state.copy(), () =>
      walk.within({ via, place, guessed, depth, stdin, pipeline: null, span }, () => {
        walk.enter();
        const output = script.foreign
          ? walk.elsewhere(() => this.script(walk, script))
          : this.script(walk, script);
        walk.leave();
        return output;
      }),
    );
    return makeOutput(text, range(first, walk.commands.length));
  }

  private inside<T>(walk: Walk, entry: Entry, body: () => T): T {
    const frame = walk.frame;
    const next: Frame = {
      via: entry.via === undefined ? frame.via : [...frame.via, entry.via],
      place: entry.place ?? frame.place,
      guessed: entry.guessed ?? frame.guessed,
      depth: frame.depth + 1,
      stdin: entry.stdin ?? frame.stdin,
      pipeline: frame.pipeline,
      span: frame.span ?? walk.commands.at(-1)?.span ?? NO_SPAN,
    };
    const { state } = walk;
    const cwd = state.cwd;
    if (entry.cwd !== undefined) state.cwd = entry.cwd;
    walk.enter();
    const result = walk.within(next, body);
    walk.leave();
    if (entry.cwd !== undefined) state.cwd = cwd;
    return result;
  }

  private words(
    walk: Walk,
    argv: readonly Word[],
    assignments: readonly Assignment[],
    redirects: readonly Redirect[],
    span: SimpleCommand['span'],
    functions: boolean,
    givenTool?: Tool,
  ): string {
    const [first] = argv;
    if (first === undefined) return '';
    if (walk.frame.depth > MAX_DEPTH) {
      walk.fail('unanalysable: commands inside commands, too deep');
      return UNKNOWN;
    }
    walk.step();
    walk.read(argv.length * WORD_COST);
    const name = nameIn(first);
    const body = functions && first.text !== null ? walk.state.functions.get(first.text) : undefined;
    const tool = name === null ? undefined : body ? FUNCTION : (givenTool ?? findTool(name));
    const stdin = redirects.length === 0 ? walk.frame.stdin : inputFrom(walk, redirects);
    const index = walk.commands.length;
    const command = commandOf(walk, name, tool, { argv, assignments, redirects, stdin, span });
    walk.commands.push(command);
    const call = new Call(walk, command, index, this);
    const before = walk.effects.length;
    const listed = name === null && isListedProgram(call, first);
    const program = listed ? first.raw : command.tool;
    walk.effects.push({ kind: 'run', program, command: index, certainty: call.certainty });
    for (const { name: variable, value } of assignments) call.env(variable, 'set', value);
    if (redirects.length > 0) redirectEffects(call, redirects);
    runSubscripts(walk, this, assignedTexts(walk, assignments));
    runSubscripts(walk, this, namesGiven(name, argv));
    runSubscripts(walk, this, textsRead(name, stdin));
    runPrompted(call, [...argv, ...assignments]);
    if (name === null || first.dynamic) walk.lost(`the command name ${first.raw} is not known`);
    const acted = walk.effects.length;
    const output =
      stdin === walk.frame.stdin
        ? this.act(call, tool, body)
        : walk.within(withStdin(walk.frame, stdin), () => this.act(call, tool, body));
    if (command.inert) dropChanges(walk, acted, index);
    if (!body) changesLiveSystem(call, before);
    const printed = body ? output : finish(call, tool, before, output);
    feedSubstitutions(call, redirects, printed);
    if (isMoved(command)) walk.frame = withStdin(walk.frame, stdin);
    return redirects.length === 0 ? printed : leaveIn(call, redirects, printed);
  }

  private act(call: Call, tool: Tool | undefined, body: Node | undefined): string {
    if (body) return this.callFunction(call, body);
    runFromPath(call);
    runProjectCode(call);
    runImplicitFiles(call);
    if (tool === undefined) {
      const [first] = call.command.argv;
      if (call.command.name !== null) guessWrapped(call);
      else if (first && isListedProgram(call, first)) guessListed(call);
      runAssumed(call, tool);
      return UNKNOWN;
    }
    if (tool.operands || tool.reads || tool.writes) roles(call, tool);
    if (tool.executes) runExecuted(call, tool.executes);
    if (tool.uploads) upload(call, tool.uploads);
    if (tool.speaks) runSpoken(call, tool.speaks);
    runAssumed(call, tool);
    if (tool.wraps) return unwrap(call, tool.wraps);
    return tool.run?.(call) ?? UNKNOWN;
  }

  private callFunction(call: Call, body: Node): string {
    const { walk } = call;
    const name = call.command.argv[0]?.text ?? '';
    walk.called.add(name);
    // By body, not by name: a function may define another one of its own name and call that.
    if (walk.calls.includes(body)) {
      if (isEndless(body, name)) call.system('recursion', name);
      return UNKNOWN;
    }
    const { state } = walk;
    const before = state.positional;
    state.positional = call.command.argv.slice(1).map((word) => walk.textOf(word));
    walk.calls.push(body);
    walk.enter();
    const output = this.walkNode(walk, body);
    walk.leave();
    walk.calls.pop();
    state.positional = before;
    return output;
  }
}

const NO_ASSIGNMENTS: readonly Assignment[] = [];
const NO_REDIRECTS: readonly Redirect[] = [];
/** In bytes of the budget. */
const WORD_COST = 8;
const NO_SPAN = { start: 0, end: 0 };

/** Arguments of a shell function have no options we could know. */
const FUNCTION: Tool = {};
