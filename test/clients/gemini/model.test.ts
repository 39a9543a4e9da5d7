import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { describe, expect } from 'vitest';
import gemini from '../../../src/agents/gemini/client.ts';
import { describeFinished } from '../../../src/sandbox/process.ts';
import type { ModelServer } from '../../../src/sandbox/script.ts';
import { play, testWith } from '../scene.ts';

const it = testWith(gemini);

const requestSchema = v.looseObject({
  generationConfig: v.optional(v.record(v.string(), v.unknown()), {}),
  toolConfig: v.optional(v.unknown()),
});

/** What the model was asked for a step, in the words of the client's API. */
function askedFor(model: ModelServer, step: number) {
  const request = model.requests.findLast((each) => each.step === step);
  return request && v.parse(requestSchema, request.body);
}

describe("effects of rules on gemini's model calls", () => {
  it('changes one setting of the request and keeps the others', async () => {
    const script = ['Hello.'];
    let before: Readonly<Record<string, unknown>> = {};
    await play(gemini, { script }, async ({ turn, model }) => {
      await turn('Hello?');
      before = askedFor(model, 0)?.generationConfig ?? {};
    });
    expect(before).toMatchObject({ temperature: 1, topP: 0.95, topK: 64 });
    const rules = `
      rules:
        - on: before_model
          llmRequest: { config: { temperature: 0.25 } }
    `;
    await play(gemini, { rules, script }, async ({ turn, model, hookline }) => {
      await turn('Hello?');
      expect(askedFor(model, 0)?.generationConfig).toEqual({ ...before, temperature: 0.25 });
      const event = (await hookline.events()).find(({ type }) => type === 'before_model');
      expect(event?.degraded).toEqual([]);
    });
  });

  it('answers instead of the model, which is never called', async () => {
    const rules = `
      rules:
        - on: before_model
          llmResponse: { text: The house answers itself. }
    `;
    await play(gemini, { rules, script: [] }, async ({ turn, model }) => {
      const finished = await turn('Hello?');
      expect(finished.code, describeFinished(finished)).toBe(0);
      expect(finished.stdout).toContain('The house answers itself.');
      expect(model.requests.filter(({ step }) => step !== null)).toEqual([]);
    });
  });

  it('denies the request, and the model is never called', async () => {
    const rules = `
      rules:
        - on: before_model
          deny: No model today.
    `;
    await play(gemini, { rules, script: [] }, async ({ turn, model }) => {
      const finished = await turn('Hello?');
      expect(finished.stdout + finished.stderr, describeFinished(finished)).toContain('No model today.');
      expect(model.requests.filter(({ step }) => step !== null)).toEqual([]);
    });
  });

  it('limits the tools, by names shared by all agents', async () => {
    const rules = `
      rules:
        - on: before_tool_selection
          toolConfig: { mode: ANY, allowedFunctionNames: [Read, glob] }
    `;
    await play(gemini, { rules, script: ['Hello.'] }, async ({ turn, model }) => {
      await turn('Hello?');
      expect(askedFor(model, 0)?.toolConfig).toEqual({
        functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['glob', 'read_file'] },
      });
    });
  });

  it('keeps the tools without a limit', async () => {
    await play(gemini, { script: ['Hello.'] }, async ({ turn, model, hookline }) => {
      await turn('Hello?');
      expect(askedFor(model, 0)).not.toHaveProperty('toolConfig');
      expect((await hookline.events()).map(({ type }) => type)).toContain('before_tool_selection');
    });
  });

  it('requires another tool after one, and clears the context when the turn may not end', async () => {
    const rules = `
      rules:
        - on: after_tool
          command: echo one
          native: { gemini: { tailToolCallRequest: { name: run_shell_command, args: { command: touch tail.txt } } } }
        - on: after_agent
          deny: Start over.
          native: { gemini: { clearContext: true } }
    `;
    // After the context is cleared there are no turns behind it, and the first step is asked for again.
    const script = [[gemini.shell('echo one')], 'I am done.'];
    await play(gemini, { rules, script }, async ({ turn, model, sandbox }) => {
      const finished = await turn('Go.', { trustShell: true });
      expect(existsSync(join(sandbox.project, 'tail.txt')), describeFinished(finished)).toBe(true);
      const steps = model.requests.flatMap(({ step }) => (step === null ? [] : [step]));
      expect(steps).toEqual([0, 1, 0, 1]);
    });
  });
});
