import { type Call, literal } from '../../call.ts';
import type { CodeTable } from '../../tool.ts';
import { typed, typedActions } from '../../tools/typing.ts';
import { lisp } from '../editors.ts';

const TYPES = /(?:^|[.\s])(?:sendText|runCommand|send_text|feed_child)$/;

/** Terminals with a D-Bus interface: Konsole, Yakuake. The words after the method are typed. */
function bus(call: Call): undefined {
  const words = call.command.argv.slice(1);
  const at = words.findIndex(({ template }) => TYPES.test(template));
  if (at < 0) return;
  const given = words.slice(at + 1).map(({ template }) => template.replace(/^string:/, ''));
  // busctl takes the types of the arguments first.
  const texts = call.name === 'busctl' ? given.slice(1) : given;
  if (texts.length > 0) typed(call, [literal(texts.join(' '))]);
}

function dotool(call: Call): undefined {
  typedActions(call, call.command.stdin.template);
}

function emacsclient(call: Call): undefined {
  const code = [...call.values('--eval'), ...(call.has('--eval') ? call.operands : [])];
  const text = code.map(({ template }) => template).join('\n');
  call.code(text);
  lisp(call, text);
}

/** Programs that control another running program. */
export const REMOTE_TYPING: CodeTable = { 'type-over-bus': bus, dotool, emacsclient };
