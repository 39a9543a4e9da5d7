import { openOutbox } from './outbox.ts';
import type { OpenPart } from './part.ts';
import { openPolicyPart } from './policy.ts';

/** What every machine of a fleet does. */
export const FLEET_PARTS: readonly OpenPart[] = [openOutbox, openPolicyPart];
