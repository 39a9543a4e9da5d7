import { testAgent } from '../../../test/support/agents/contract.ts';
import { extensionCases, testWrapper } from '../../../test/support/agents/wrapper.ts';
import { type NativeAnswer, PASSTHROUGH } from '../../model/native.ts';
import gemini from './index.ts';

const NOTHING: NativeAnswer = { action: 'json_output', stdout_json: {} };

testAgent(gemini, {
  fixtures: new URL('./fixtures/', import.meta.url),
  env: { GEMINI_PROJECT_DIR: '/home/dev/shop' },
  // An empty stdout makes the client read stderr; on a choice of tools, and only there, an empty object is an answer.
  silence: ({ type }) => (type === 'before_tool_selection' || type === 'unknown' ? PASSTHROUGH : NOTHING),
});

testWrapper(gemini.setup, { guard: 'BeforeTool', note: 'AfterTool', ...extensionCases('.gemini') });
