/**
 * `hookline/testing`: test hooks, rules and agents, without a client and with the real ones. Needs no test runner.
 * @module
 */
export type { Block, ModelRequest, ModelServer, Step } from '../sandbox/script.ts';
export { fakeModel, type ModelApiName } from './fake-model.ts';
export type {
  DescribedCall,
  DescribedEvent,
  DescribedOther,
  DescribedPayload,
} from './hook/event-description.ts';
export { type HookUnderTest, testHook } from './hook/test-hook.ts';
export type { HookFiles } from './project-files.ts';
export type { RecordedEvent } from './recorded-event.ts';
export type { AgentReport, Row, State } from './report.ts';
export {
  type ClientRun,
  type ClientTools,
  type ModelStep,
  type RunClientOptions,
  runClient,
} from './run-client.ts';
export { type TestAgentOptions, testAgent } from './test-agent.ts';
