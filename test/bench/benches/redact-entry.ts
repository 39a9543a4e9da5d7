/** What the bench of the redaction needs of the sources; bundled by the bench itself, and never shipped. */
export { redact, redactCounting } from '../../../src/redact/redact.ts';
export {
  HOSTILE,
  HOSTILE_FORMATS,
  HOSTILE_FORMS,
  HOSTILE_PREFIXES,
} from '../../support/redact/hostile.ts';
