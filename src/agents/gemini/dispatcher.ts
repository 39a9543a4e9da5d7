import { isObject } from '../../model/json.ts';
import { type DispatcherDialect, withAlias } from '../kit/dispatcher.ts';
import { payloads } from './decode.ts';

export const dispatcher: DispatcherDialect = {
  sources: ['gemini'],
  payload: (payload) =>
    isObject(payload)
      ? withAlias(withAlias(payload, 'tool_name', ['function_name']), 'tool_input', ['parameters', 'args'])
      : payload,
  /**
   * The script prints no empty object, and then the client takes what the script logs on stderr for the answer
   * (0.61.0). Where tools are chosen, any object would be a choice.
   */
  answer: (body, call) =>
    Object.keys(body).length === 0 && payloads.nameOf(call) !== 'BeforeToolSelection'
      ? { continue: true }
      : body,
};
