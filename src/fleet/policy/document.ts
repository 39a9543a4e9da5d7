import { type KeyObject, sign, verify } from 'node:crypto';
import * as v from 'valibot';
import { canonicalJson } from '../../approvals/canonical-json.ts';

/** Rule files, by their names. */
export type PolicyFiles = Readonly<Record<string, string>>;

/** Whom rules are for. Each empty list means all; what is named in several of them has to fit all of those. */
export interface Target {
  readonly groups: readonly string[];
  /** Patterns of remotes, as in `github.com/acme/*`. */
  readonly repositories: readonly string[];
  readonly agents: readonly string[];
}

/** Rules for some machines, repositories or agents. */
export interface PolicySet {
  readonly target: Target;
  readonly files: PolicyFiles;
  /** How many of the machines have these files; the others have those of before. */
  readonly percent: number;
  /** These files only say what they would do, and those of before decide meanwhile. */
  readonly observe: boolean;
  /** What decided everywhere before these files; null where there was nothing. */
  readonly before: PolicyFiles | null;
}

/** All rules of a team, in one piece: a machine has all of one version, or all of another. */
export interface PolicyDocument {
  readonly team: string;
  /** Only grows. */
  readonly version: number;
  readonly createdAt: string;
  /** The version whose rules these are, after a rollback. */
  readonly restores: number | null;
  readonly sets: readonly PolicySet[];
}

const version = v.pipe(v.number(), v.safeInteger(), v.minValue(1));
const word = v.pipe(v.string(), v.nonEmpty(), v.maxLength(200));
const fileName = v.pipe(v.string(), v.regex(/^\w[\w.-]*\.ya?ml$/, 'is not a name of a rule file'));
const files = v.record(fileName, v.string());

/** Strict: what a later Hookline may have added is not to be passed over. */
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

/** The document as it is kept on the server and on machines. */
export function signPolicy(document: PolicyDocument, key: KeyObject): string {
  const signature = sign(null, signedText(document), key).toString('base64');
  return JSON.stringify({ document, signature });
}

type Opened =
  | {
      readonly document: PolicyDocument;
      /** The signed parts only, as text: blanks may have been added on the way. */
      readonly signed: string;
    }
  | { readonly refused: string };

/** Checks a policy against the key of a team; returns why it does not count otherwise. */
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

/** Says what is signed: a signature under anything else is of no use here. */
function signedText(document: object): Buffer {
  return Buffer.from(`hookline policy 1\n${canonicalJson(document)}`);
}
