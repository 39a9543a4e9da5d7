import { printLine } from '../terminal/output.ts';
import { forTerminal } from '../terminal/style.ts';
import { overview } from './overview.ts';

// An entry of its own: the program that all commands share takes longer to load than this takes to print.
printLine(forTerminal(overview()));
