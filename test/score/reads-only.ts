/**
 * Whether a command only reads, told from its text alone and by other means than the rules have: every command of the
 * line begins with the name of a program that people use to look at things, and nothing is redirected, computed,
 * deleted or executed.
 */
export function readsOnly(command: string): boolean {
  const bare = command.replace(/'[^']*'|"[^"$`]*"/g, 'text');
  if (/[<>`]|\$[({\w]|&\s*$|-exec|-ok|-delete|-fprint|-fls/.test(bare)) return false;
  const programs = bare.split(/\|\||&&|\||;|\n/).map((part) => part.trim().split(/\s+/)[0] ?? '');
  return programs.every((program) => LOOKS.has(program));
}

const LOOKS: ReadonlySet<string> = new Set(
  (
    'cat head tail wc grep egrep fgrep rg ls find sort uniq cut tr nl tac rev diff cmp comm paste join fold column stat ' +
    'file du df tree basename dirname realpath readlink which whereis type pwd date echo printf id whoami uname hostname ' +
    'uptime md5sum sha1sum sha256sum cksum od strings seq true test jq awk sed zcat bzcat who w'
  ).split(' '),
);
