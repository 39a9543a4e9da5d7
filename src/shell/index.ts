export { analyse } from './analyse.ts';
export type {
  AnalyseOptions,
  Analysis,
  Assignment,
  Coverage,
  Effect,
  EffectKind,
  EffectOf,
  Loss,
  Option,
  PathRef,
  Place,
  Redirect,
  SimpleCommand,
  Stdin,
  Word,
} from './analysis.ts';
export { UNKNOWN } from './analysis.ts';
export { type CommandPattern, commandPattern } from './pattern.ts';
