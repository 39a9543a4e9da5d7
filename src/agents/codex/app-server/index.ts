export { decodeMessage } from './decode.ts';
export { encodeApproval } from './encode.ts';
export { asksApproval } from './wire.ts';

/** Is this payload a message of the app-server? Hooks name their event, and never a method. */
export function isMessage(payload: unknown): boolean {
  return (
    typeof payload === 'object' && payload !== null && 'method' in payload && !('hook_event_name' in payload)
  );
}
