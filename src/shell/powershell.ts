import { Call, literal } from './call.ts';
import { scanWords } from './recover.ts';
import type { Runner } from './run.ts';
import type { Walk } from './walk.ts';

const VERBS =
  'Add|Clear|Copy|Disable|Enable|Export|Format|Get|Import|Install|Invoke|Mount|Move|New|Out|Push|Read|Register|Remove|Rename|' +
  'Reset|Restart|Resume|Send|Set|Start|Stop|Suspend|Test|Uninstall|Unregister|Update|Wait|Write';
const COMMANDLET = new RegExp(`(?:^|[;|({&]\\s*)(?:${VERBS})-[A-Z][A-Za-z]+\\b`, 'i');
const SYNTAX = /^\s*\$[A-Za-z_][\w:]*\s*=\s*(?:\(|\[|Get-|New-|@[({]|['"])|\$env:\w+|\[[A-Z][\w.]+\]::\w+/;

/** PowerShell by its Verb-Noun commands, static calls and assignments, none of which a POSIX shell has. */
export function looksLikePowerShell(command: string): boolean {
  if (!command.includes('-') && !command.includes('$')) return false;
  return (
    (COMMANDLET.test(command) && !/^\s*(?:if|for|while)\b.*\bthen\b/s.test(command)) || SYNTAX.test(command)
  );
}

/** Not analysed: only what stands in plain sight is told, so that a rule may still stop it. */
export function powerShell(walk: Walk, runner: Runner, command: string): void {
  walk.fail('powershell: not analysed');
  scanWords(walk, runner, command);
  for (const [index, found] of walk.commands.entries()) {
    const call = new Call(walk, found, index, runner);
    const flags = found.argv.map((word) => word.template.toLowerCase());
    const target = found.argv.slice(1).find((word) => !word.template.startsWith('-')) ?? literal('.');
    switch (found.name?.toLowerCase()) {
      case 'remove-item':
      case 'clear-content':
        call.remove(
          target,
          flags.some((flag) => '-recurse'.startsWith(flag) && flag.length > 2),
          flags.includes('-force'),
        );
        break;
      case 'set-content':
      case 'add-content':
      case 'out-file':
      case 'new-item':
        call.write(target);
        break;
      case 'get-content':
        call.read(target);
        break;
      case 'invoke-webrequest':
      case 'invoke-restmethod':
      case 'iwr':
        call.network({ url: target.text });
        break;
      case 'invoke-expression':
      case 'iex':
        call.execute('unknown');
        break;
      case 'format-volume':
      case 'clear-disk':
        call.system('format', target.text);
    }
  }
}
