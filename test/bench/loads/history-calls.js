// A history as agents write one: turns of eight events, in sessions of fifty turns; words by a fixed dice.
import { askInTurn } from '../processes/scratch-home.js';

const CONNECTIONS = 8;
const WORDS =
  'auth bug payment deploy failed retry queue cart total invoice timeout login session cache worker index schema migrate render button modal table export import parser lexer token stream buffer socket proxy header cookie route handler request response'.split(
    ' ',
  );

/**
 * @param {string} socket
 * @param {number} count
 */
export async function ingest(socket, count) {
  await Promise.all(Array.from({ length: CONNECTIONS }, (_, at) => drive(socket, at, count / CONNECTIONS)));
}

function drive(path, lane, count) {
  let dice = (lane + 1) * 7919;
  const roll = (n) => {
    dice = (Math.imul(dice, 1103515245) + 12345) & 0x7fffffff;
    return (dice >>> 8) % n;
  };
  const word = () => WORDS[roll(WORDS.length)];
  return askInTurn(path, lane, count, (sent) => ({
    agent: 'claude',
    payload: payloadOf(lane, sent - 1, roll, word),
  }));
}

function payloadOf(lane, sent, roll, word) {
  const turn = Math.floor(sent / 8);
  const base = {
    session_id: `session-${lane}-${Math.floor(turn / 50)}`,
    transcript_path: '',
    cwd: `/home/dev/shop-${Math.floor(turn / 50) % 50}`,
    permission_mode: 'default',
  };
  const useId = `toolu_${lane}_${Math.floor(sent / 2)}`;
  const bash = {
    tool_name: 'Bash',
    tool_input: { command: `npm run ${word()} -- ${word()} ${sent}`, description: `Look at the ${word()}` },
  };
  const path = `${base.cwd}/src/module${roll(40)}/${word()}-${word()}.ts`;
  const edit = {
    tool_name: 'Edit',
    tool_input: {
      file_path: path,
      old_string: `${word()} ${word()}`,
      new_string: `${word()} ${word()} ${word()}`,
    },
  };
  switch (sent % 8) {
    case 0:
      return {
        ...base,
        hook_event_name: 'UserPromptSubmit',
        prompt: `Please fix the ${word()} ${word()} in the ${word()} ${word()} of module${roll(40)}`,
      };
    case 1:
    case 5:
      return { ...base, hook_event_name: 'PreToolUse', ...bash, tool_use_id: useId };
    case 2:
      return {
        ...base,
        hook_event_name: 'PostToolUse',
        ...bash,
        tool_response: { stdout: `${word()} ${word()} done`, stderr: '' },
        tool_use_id: useId,
      };
    case 3:
      return { ...base, hook_event_name: 'PreToolUse', ...edit, tool_use_id: useId };
    case 4:
      return {
        ...base,
        hook_event_name: 'PostToolUse',
        ...edit,
        tool_response: { structuredPatch: [] },
        tool_use_id: useId,
      };
    case 6:
      return {
        ...base,
        hook_event_name: 'PostToolUseFailure',
        ...bash,
        error: `Exit code 1\n${word()} ${word()} not found in ${word()}`,
        tool_use_id: useId,
      };
    default:
      return {
        ...base,
        hook_event_name: 'Stop',
        stop_hook_active: false,
        last_assistant_message: `The ${word()} ${word()} was the cause of the ${word()} ${word()}; I changed ${path}.`,
      };
  }
}
