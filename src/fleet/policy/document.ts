import { type KeyObject, sign, verify } from 'node:crypto';
import * as v from 'valibot';
import { canonicalJson } from '../../approvals/canonical-json.ts';

/** Rule files by name. */
export type PolicyFiles = Readonly<Record<string, string>>;

/** The target of rules. An empty list means all; if several lists are set, all must match. */
export interface Target {
  readonly groups: readonly string[];
  /** Patterns for remotes, as in `github.com/acme/*`. */
  readonly repositories: readonly string[];
  readonly agents: readonly string[];
}

/** Rules for some machines, repositories or agents. */
export interface PolicySet {
  readonly target: Target;
  readonly files: PolicyFiles;
  /** Percentage of machines with these files; the others have the previous ones. */
  readonly percent: number;
  /** These files are in observe mode, and the previous ones decide. */
  readonly observe: boolean;
  /** What was enforced everywhere before these files; null if there was nothing. */
  readonly before: PolicyFiles | null;
}

/** All rules of a team as one unit: a machine has all of one version. */
export interface PolicyDocument {
  readonly team: string;
  /** Only increases. */
  readonly version: number;
  readonly createdAt: string;
  /** The version that a rollback restored. */
  readonly restores: number | null;
  readonly sets: readonly PolicySet[];
}

const version = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const word = v.pipe(v.string(), v.nonEmpty(), v.maxLength(200));
const fileName = v.pipe(v.string(), v.regex(/^\w[\w.-]*\.ya?ml$/, 'is not a name of a rule file'));
const files = v.record(fileName, v.string());

/** Strict, because additions of a later Hookline must not be ignored. */
const documentSchema: v.GenericSchema<unknown, PolicyDocument> = v.strictObject({
  team: v.string(),
  version,
  createdAt: v.pipe(v.string(), v.isoTimestamp()),
  restores: v.nullable(version),
  sets: v.array(
    v.strictObject({
      target: v.strictObject({
        groups: v.array(word),
        repositories: v.array(word),
        agents: v.array(word),
      }),
      files,
      percent: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
      observe: v.boolean(),
      before: v.nullable(files),
    }),
  ),
});
const signedSchema = v.pipe(
  v.string(),
  v.parseJson(),
  v.strictObject({ document: v.looseObject({}), signature: v.pipe(v.string(), v.maxLength(100)) }),
);

/** The document as stored on the server and on machines. */
export function signPolicy(document: PolicyDocument, key: KeyObject): string {
  const signature = sign(null, signedText(document), key).toString('base64');
  return JSON.stringify({ document, signature });
}

type Opened =
  | {
      readonly document: PolicyDocument;
      /** Only the signed parts, because whitespace may have been added in transit. */
      readonly signed: string;
    }
  | { readonly refused: string };

/** Verifies a policy with a team's key; otherwise returns why it is invalid. */
export function openPolicy(text: string, key: KeyObject, team: string): Opened {
  const parsed = v.safeParse(signedSchema, text);
  if (!parsed.success) return { refused: 'it is not a signed policy' };
  const { document, signature } = parsed.output;
  if (!isSigned(document, signature, key)) return { refused: 'it is not signed by the trusted key' };
  const read = v.safeParse(documentSchema, document);
  if (!read.success) {
    const [issue] = read.issues;
    return {
      refused: `${v.getDotPath(issue) ?? 'it'}: ${issue.message}; a newer Hookline may support it`,
    };
  }
  if (read.output.team !== team) return { refused: `it is for the fleet ${read.output.team}` };
  return { document: read.output, signed: JSON.stringify({ document, signature }) };
}

function isSigned(document: object, signature: string, key: KeyObject): boolean {
  try {
    return verify(null, signedText(document), key, Buffer.from(signature, 'base64'));
  } catch {
    return false;
  }
}

/** States the purpose, so that no other signature is valid here. */
function signedText(document: object): Buffer {
  return Buffer.from(`hookline policy 1\n${canonicalJson(document)}`);
}
