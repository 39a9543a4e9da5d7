/**
 * The prompt without context of hooks, which the client puts around it and escapes (0.61.0): nothing inside ends the
 * block early. The unchanged text stays in the payload.
 */
export function typedPrompt(text: string): string {
  return text
    .replace(/^(?:<hook_context>[^<]*<\/hook_context>\s*)+/, '')
    .replace(/(?:\s*<hook_context>[^<]*<\/hook_context>)+$/, '');
}
