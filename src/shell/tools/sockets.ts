import { isShell } from '../../model/shells.ts';
import { UNKNOWN } from '../analysis.ts';
import { type Call, literal } from '../call.ts';

/** A shell whose output goes to another machine gets its commands from there. */
export function takesOrders(call: Call, host: string | null): void {
  const tools = call.command.stdin.sources.map((index) => call.walk.commands[index]?.tool ?? '');
  if (tools.some(isShell)) call.execute('network', null, host);
}

/** nc and socat: one end is local, and `-e` attaches a program to it. */
export function netcat(call: Call): string {
  // Another local program, through a file.
  if (call.has('-U', '--unixsock')) {
    for (const word of call.operands) call.read(word);
    return UNKNOWN;
  }
  const listens = call.has('--listen');
  const [host] = call.operands;
  const program = call.value('--exec', '-e');
  const script = call.value('--sh-exec', '-c');
  const sends = program !== null || script !== null || call.command.stdin.from !== 'terminal';
  call.network({ host: listens ? null : (host?.text ?? null), direction: listens ? 'in' : 'out', sends });
  takesOrders(call, host?.text ?? null);
  const given = script ?? program;
  if (given) {
    call.execute('network', null, host?.text ?? null);
    call.runText(given.template);
  }
  return UNKNOWN;
}

export function socat(call: Call): string {
  for (const word of call.operands) {
    const [kind = '', address = ''] = word.template.split(/[:,]/);
    if (/^(?:tcp|udp|openssl|sctp|ssl)/i.test(kind)) {
      const listens = /listen|-l$/i.test(kind);
      call.network({ host: listens ? null : address, direction: listens ? 'in' : 'out', sends: true });
    } else if (/^(?:exec|system|shell)$/i.test(kind)) {
      call.execute('network');
      call.runText(
        /^exec$/i.test(kind) ? address : word.template.slice(kind.length + 1).replace(/,[\w=,]*$/, ''),
      );
    } else if (/^(?:open|create|file|gopen)$/i.test(kind)) {
      call.write(literal(address));
      if (!/^create$/i.test(kind)) call.read(literal(address));
    } else if (/^unix|^gopen|^\//i.test(kind)) call.read(literal(address || kind));
  }
  return UNKNOWN;
}
