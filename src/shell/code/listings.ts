/** Calls that tell what is in a folder. */
const LISTS =
  /\b(?:listdir|scandir|iterdir|walk|glob|iglob|rglob|globSync|readdir(?:Sync)?|opendir|opendirSync|children|each_child|entries|File::Find|finddepth|Find\.find|Dir\.(?:foreach|each))\b/;

/** Calls that take files away, or put others in their place. */
const CHANGES =
  /\b(?:remove|removedirs|unlink(?:Sync)?|rmtree|rmdir(?:Sync)?|rm(?:Sync|_r|_rf)?|delete|rename(?:Sync)?|replace|move|mv|truncate(?:Sync)?|chmod(?:Sync)?|symlink|writeFile(?:Sync)?|write_text)\b|\bopen\s*\([^\n]{0,200}['"][wax]b?\+?['"]/;

const BARE_HOME = /(?<![\w~/])~(?![\w/~=])/;
const FOLDER = /['"`](~?\/[^'"`\s]*)['"`]/g;

/**
 * The places whose contents a program text goes through while it changes files: which of them it changes, it finds out
 * when it runs.
 */
export function listedIn(code: string): readonly string[] {
  if (!LISTS.test(code) || !CHANGES.test(code)) return [];
  const named = [...code.matchAll(FOLDER)].map(([, path = '']) => path);
  // However a text says "my home", it is `~` by now.
  return BARE_HOME.test(code) ? ['~', ...named] : named;
}
