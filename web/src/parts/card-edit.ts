import type { Approval } from '../../../src/approvals/approval.ts';
import { readable } from './bits.tsx';

/** The argument that is the command, where there is one: everything else is edited as JSON. */
function commandField({ tool }: Approval): string | null {
  if (!tool?.command) return null;
  return Object.entries(tool.input).find(([, value]) => value === tool.command)?.[0] ?? null;
}

/** What a person may change before it runs. */
export function editable(approval: Approval): string {
  return commandField(approval) ? (approval.tool?.command ?? '') : readable(approval.tool?.input ?? {});
}

export function editedInput(approval: Approval, draft: string): Record<string, unknown> | 'unreadable' {
  const field = commandField(approval);
  if (field) return { [field]: draft };
  try {
    const value: unknown = JSON.parse(draft);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {}
  return 'unreadable';
}
