/** Sources that the redaction bench needs; bundled by the bench and never shipped. */
export { redact, redactCounting } from '../../../src/redact/redact.ts';
export {
  HOSTILE,
  HOSTILE_FORMATS,
  HOSTILE_FORMS,
  HOSTILE_PREFIXES,
} from '../../support/redact/hostile.ts';
