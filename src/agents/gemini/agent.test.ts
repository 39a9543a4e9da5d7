import { type NativeAnswer, PASSTHROUGH } from '../../model/native.ts';
import { testAgent } from '../testing/contract.ts';
import { extensionCases, testWrapper } from '../testing/wrapper.ts';
import gemini from './index.ts';

const NOTHING: NativeAnswer = { action: 'json_output', stdout_json: {} };

testAgent(gemini, {
  fixtures: new URL('./fixtures/', import.meta.url),
  env: { GEMINI_PROJECT_DIR: '/home/dev/shop' },
  // An empty stdout makes the client read stderr; on a choice of tools, and only there, an empty object is an answer.
  silence: ({ type }) => (type === 'before_tool_selection' || type === 'unknown' ? PASSTHROUGH : NOTHING),
});

testWrapper(gemini.setup, { guard: 'BeforeTool', note: 'AfterTool', ...extensionCases('.gemini') });
