import { UNKNOWN, type Word } from '../analysis.ts';
import { type Call, literal } from '../call.ts';
import type { ToolTable } from '../tool.ts';
import { scriptFile } from './shells.ts';

/** Keys that are sent to the shell of another window: a line of its own, the Enter at its end as programs spell it. */
function typed(call: Call, words: readonly Word[]): void {
  const line = words.map((word) => word.template).join(' ');
  call.runText(line.replace(/(?:\\[nr]|\\x0[ad]|\\01[25]|\^[MJ]|[\r\n])/g, '\n'));
}

/** A file whose text is typed later. */
function typedFrom(call: Call, file: Word | undefined): void {
  if (file === undefined) return;
  call.read(file);
  const text = file.text === '-' ? call.command.stdin.template : scriptFile(call, file).template;
  if (text !== '' && text !== UNKNOWN) typed(call, [literal(text)]);
}

/** `kitty @ send-text …`, `wezterm cli spawn …`: the words of a terminal's own remote control. */
function remoteControl(call: Call): undefined {
  const [verb, ...words] = call.operands.filter(({ template }) => !/^(?:@|cli)$/.test(template));
  if (verb?.template === 'send-text')
    typed(call, words.length > 0 ? words : [literal(call.command.stdin.template)]);
  else if (/^(?:launch|spawn|split-pane|start|new-window)$/.test(verb?.template ?? '') && words.length > 0)
    call.runArgv(words);
}

const STARTS =
  /^(?:new(?:-session)?|neww|new-window|split-window|splitw|respawn-(?:pane|window)|respawn[pw]|run(?:-shell)?|display-popup|popup|if(?:-shell)?|pipe-pane|pipep)$/;

/** tmux starts a shell line in a session that outlives the caller, or types into one. */
function tmux(call: Call): string {
  const { operands } = call;
  const action = call.command.sub[0] ?? '';
  if (STARTS.test(action)) {
    const line = operands.map((word) => word.template).join(' ');
    if (line !== '') call.runText(line);
  } else if (/^send(?:-keys)?$/.test(action)) {
    typed(
      call,
      operands.filter((word) => !/^(?:Enter|C-m|Escape|Space)$/.test(word.template)),
    );
  } else if (/^(?:set-buffer|setb)$/.test(action)) typed(call, operands);
  else if (/^(?:load-buffer|loadb)$/.test(action)) typedFrom(call, operands[0]);
  return UNKNOWN;
}

function screen(call: Call): string {
  const { operands } = call;
  const command = call.value('-X')?.text;
  const { argv } = call.command;
  call.write(argv[argv.findIndex(({ text }) => text === '-Logfile') + 1 || argv.length] ?? null);
  if (command === 'stuff') typed(call, operands);
  else if (command === 'register') typed(call, operands.slice(1));
  else if (command === 'readbuf') typedFrom(call, operands[0]);
  else if (operands.length > 0) call.runArgv(operands);
  return UNKNOWN;
}

/** `zellij action write-chars …`, `zellij action write 104 111`, `zellij run -- …`. */
function zellij(call: Call): string {
  const [verb, action, ...words] = call.operands;
  const isNew = (text: string | undefined) => /^(?:new-pane|new-tab|edit)$/.test(text ?? '');
  if (verb?.template === 'run' && action) call.runArgv([action, ...words]);
  else if (verb?.template !== 'action' && verb?.template !== 'ac') return UNKNOWN;
  else if (action?.template === 'write-chars') typed(call, words);
  else if (action?.template === 'write') typed(call, [literal(fromCodes(words))]);
  else if (isNew(action?.template) && words.length > 0) call.runArgv(words);
  return UNKNOWN;
}

const fromCodes = (words: readonly Word[]) =>
  words.map(({ text }) => String.fromCharCode(Number(text ?? 63) || 63)).join('');

/** Programs that press keys for whichever window has them. */
function keyboard(call: Call): undefined {
  const [verb, ...words] = call.operands;
  if (call.name === 'wtype') typed(call, call.operands);
  else if (verb?.template === 'type') typed(call, words);
  else if (verb?.template === 'exec') {
    const { argv } = call.command;
    call.runArgv(
      argv.slice(argv.indexOf(verb) + 1).filter(({ text }) => !/^--(?:sync|args=.*)$/.test(text ?? '')),
    );
  }
}

const KITTY = 'm,match= t,match-tab= to= all exclude-active stdin from-file= type= cwd= title= env= hold';

export const TYPING: ToolTable = {
  tmux: {
    options: '2 C c= f= L= S= u v',
    sub: 1,
    subOptions: {
      'new-session': 'd A D P E X c= e= f= F= n= s= t= x= y=',
      new: 'd A D P c= e= n= s= t= x= y=',
      'send-keys': 't= l H R X M N=',
      send: 't= l',
      'split-window': 'h v b d f l= t= c= e= p= P Z',
      'new-window': 'd a b k c= e= n= t= P',
      'run-shell': 'b C c= d= t=',
      'set-buffer': 'a b= n= t= w',
      setb: 'a b= n= t= w',
      'load-buffer': 'b= t= w',
      loadb: 'b= t= w',
    },
    stopAfter: ['new-session', 'new', 'split-window', 'new-window', 'run-shell'],
    run: tmux,
  },
  kitty: { options: KITTY, run: remoteControl },
  kitten: { options: KITTY, run: remoteControl },
  wezterm: { options: 'pane-id= no-paste cwd= new-window', run: remoteControl },
  screen: { options: 'd m D R r S= c= L x X= p= s= t= h= U', stop: true, run: screen },
  zellij: { options: 's,session= l,layout= c,config= d= n,name= f,floating cwd= p=', run: zellij },
  xdotool: { options: 'delay= clearmodifiers window= file= args=', run: keyboard },
  ydotool: { options: 'd,key-delay= H= f,file=', run: keyboard },
  wtype: { options: 'd= s= M= m= P= p= k=', run: keyboard },
};
