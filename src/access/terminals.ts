import type { ProcessInfo } from './processes.ts';

/** Programs that log users in. They are root's, so that a name is enough where the file cannot be seen. */
const LOGINS = /^(?:sshd|sshd-session|dropbear|login|agetty|getty|mingetty|Relay\(\d+\))$/;

/** Programs that open a terminal for a person who sits in front of it. */
const TERMINALS: ReadonlySet<string> = new Set([
  // Multiplexers and remote shells.
  ...['tmux', 'screen', 'zellij', 'mosh-server', 'et', 'etterminal'],
  // Windows with a shell in them. Not those that are scripts of an interpreter: that opens terminals for anyone.
  ...['gnome-terminal-server', 'kgx', 'ptyxis', 'ptyxis-agent', 'konsole', 'yakuake', 'xfce4-terminal'],
  ...['mate-terminal', 'lxterminal', 'qterminal', 'deepin-terminal', 'io.elementary.terminal', 'cosmic-term'],
  ...['kitty', 'alacritty', 'wezterm-gui', 'wezterm-mux-server', 'foot', 'footserver', 'ghostty', 'rio'],
  ...['xterm', 'uxterm', 'urxvt', 'urxvtd', 'rxvt', 'st', 'tilix', 'terminology'],
  ...['warp', 'warp-terminal', 'tabby', 'hyper', 'contour', 'blackbox', 'cool-retro-term'],
  ...['Terminal', 'iTerm2', 'iTermServer', 'stable', 'Warp', 'Hyper', 'Tabby'],
  // Editors with a terminal in them.
  ...[
    'code',
    'code-insiders',
    'codium',
    'vscodium',
    'cursor',
    'windsurf',
    'zed',
    'zed-editor',
    'sublime_text',
  ],
  ...['Code Helper', 'Cursor Helper', 'Windsurf Helper'],
  ...['idea', 'pycharm', 'webstorm', 'phpstorm', 'goland', 'clion', 'rider', 'rubymine', 'rustrover'],
]);

/** Programs whose terminals every process of the user can read and type into: `tmux capture-pane`, `tmux send-keys`. */
const SHARED = /^(?:tmux|tmate|screen|zellij|wezterm|dtach|abduco|shpool|n?vim|emacs)(?![a-z])/i;

/** Which of these programs is among those that lead to a terminal; null where none is. */
export function sharedBy(chain: readonly ProcessInfo[]): string | null {
  return chain.find(({ executable }) => SHARED.test(executable))?.executable ?? null;
}

/**
 * Is this a terminal program? By its executable file, never by what it says of itself.
 *
 * @param added - what the user has added: names, paths of files, or of folders with a slash at the end
 */
export function opensForPeople(
  opener: ProcessInfo,
  parent: ProcessInfo | undefined,
  added: readonly string[],
): boolean {
  const { executable, path, isInstalled } = opener;
  if (path === null) return logsPeopleIn(opener, parent) || added.includes(executable);
  if (added.some((one) => one === path || (one.endsWith('/') && path.startsWith(one)))) return true;
  return isInstalled && (TERMINALS.has(executable) || LOGINS.test(executable) || added.includes(executable));
}

/** Also a process which root's has made and given to the user; not one that was left to the first of the system. */
export function logsPeopleIn(one: ProcessInfo, parent: ProcessInfo | undefined): boolean {
  if (!LOGINS.test(one.executable)) return false;
  if (one.path !== null) return one.isRoots && one.isInstalled;
  return (
    one.isRoots ||
    (parent !== undefined && parent.pid !== 1 && parent.isRoots && LOGINS.test(parent.executable))
  );
}
