import { printLine } from '../terminal/output.ts';
import { forTerminal } from '../terminal/style.ts';
import { overview } from './overview.ts';

// A separate entry point, because the program that all commands share takes longer to load than this takes to print.
printLine(forTerminal(overview()));
