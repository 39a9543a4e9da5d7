/** Parser-independent syntax tree of a command line. */
export interface Script {
  readonly items: readonly Node[];
  readonly problems: readonly string[];
  /** A shell runs the lines before the one with a problem. */
  readonly hasLines: boolean;
  /** Its offsets differ from those of the surrounding text: a backtick inside backticks is unescaped first. */
  readonly foreign: boolean;
  /** Length of the text parsed for it, charged to the budget. */
  readonly size: number;
}

export type Node =
  | SimpleNode
  | { readonly kind: 'pipeline'; readonly items: readonly Node[] }
  | { readonly kind: 'sequence'; readonly items: readonly Node[] }
  | { readonly kind: 'group'; readonly body: Node; readonly subshell: boolean }
  | { readonly kind: 'redirected'; readonly body: Node; readonly redirects: readonly RedirectNode[] }
  | {
      readonly kind: 'branch';
      readonly test: Node | null;
      readonly arms: readonly Node[];
      readonly words: readonly WordNode[];
    }
  | {
      readonly kind: 'loop';
      readonly test: Node | null;
      readonly body: Node;
      readonly words: readonly WordNode[];
    }
  | {
      readonly kind: 'for';
      readonly name: string;
      readonly words: readonly WordNode[] | null;
      readonly body: Node;
    }
  | { readonly kind: 'function'; readonly name: string; readonly body: Node }
  | { readonly kind: 'background'; readonly body: Node }
  | { readonly kind: 'words'; readonly words: readonly WordNode[] };

export interface SimpleNode {
  readonly kind: 'simple';
  readonly assignments: readonly AssignmentNode[];
  readonly words: readonly WordNode[];
  readonly redirects: readonly RedirectNode[];
  readonly start: number;
  readonly end: number;
}

export interface AssignmentNode {
  readonly name: string;
  readonly append: boolean;
  readonly index: WordNode | null;
  readonly value: WordNode | null;
  readonly list: readonly WordNode[] | null;
  readonly raw: string;
}

export interface RedirectNode {
  readonly operator: string;
  /** Null means the operator's own default. */
  readonly descriptor: number | null;
  /** For `<<` and `<<-`: the body. */
  readonly target: WordNode;
}

export interface WordNode {
  readonly raw: string;
  /** Unquoted text of a word without expansions; null if there are `pieces`. */
  readonly text: string | null;
  readonly pieces: readonly Piece[];
  readonly braces: boolean;
  /** An argument that looks like an assignment, as `export` and `declare` take them. */
  readonly assignment: AssignmentNode | null;
}

export type Piece =
  | { readonly kind: 'text'; readonly text: string; readonly quoted: boolean }
  | { readonly kind: 'glob'; readonly text: string; readonly inner: readonly Piece[] }
  | VariablePiece
  | {
      readonly kind: 'command';
      readonly script: () => Script | null;
      readonly quoted: boolean;
      readonly raw: string;
    }
  | {
      readonly kind: 'process';
      readonly script: () => Script | null;
      readonly input: boolean;
      readonly raw: string;
    }
  | { readonly kind: 'arithmetic'; readonly expression: Arithmetic | null; readonly raw: string };

export interface VariablePiece {
  readonly kind: 'variable';
  readonly name: string;
  readonly quoted: boolean;
  readonly length: boolean;
  readonly indirect: boolean;
  readonly index: WordNode | null;
  readonly operation: Operation | null;
  readonly raw: string;
}

export interface Operation {
  readonly type: 'default' | 'remove' | 'replace' | 'slice' | 'case' | 'other';
  readonly operator: string;
  readonly first: WordNode | null;
  readonly second: WordNode | null;
}

export type Arithmetic =
  | {
      readonly kind: 'binary';
      readonly operator: string;
      readonly left: Arithmetic;
      readonly right: Arithmetic;
    }
  | { readonly kind: 'unary'; readonly operator: string; readonly operand: Arithmetic }
  | { readonly kind: 'choice'; readonly parts: readonly Arithmetic[] }
  | { readonly kind: 'value'; readonly text: string; readonly pieces: readonly Piece[] };
