import type { ImportedRules } from '../model/rule-drafts.ts';
import type { SetupContext } from './setup.ts';

/** How an agent's own permissions become rules. */
export interface PermissionImport {
  /** The files that there are, for this user and this project. */
  files(context: Pick<SetupContext, 'home' | 'cwd' | 'env'>): readonly string[];
  /** Throws SETTINGS_UNREADABLE. */
  read(text: string, path: string): ImportedRules;
}
