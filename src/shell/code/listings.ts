/** Calls that list a directory. */
const LISTS =
  /\b(?:listdir|scandir|iterdir|walk|glob|iglob|rglob|globSync|readdir(?:Sync)?|opendir|opendirSync|children|each_child|entries|File::Find|finddepth|Find\.find|Dir\.(?:foreach|each))\b/;

/** Calls that delete or replace files. */
const CHANGES =
  /\b(?:remove|removedirs|unlink(?:Sync)?|rmtree|rmdir(?:Sync)?|rm(?:Sync|_r|_rf)?|delete|rename(?:Sync)?|replace|move|mv|truncate(?:Sync)?|chmod(?:Sync)?|symlink|writeFile(?:Sync)?|write_text)\b|\bopen\s*\([^\n]{0,200}['"][wax]b?\+?['"]/;

const BARE_HOME = /(?<![\w~/])~(?![\w/~=])/;
const FOLDER = /['"`](~?\/[^'"`\s]*)['"`]/g;

/** Directories that a program text lists while it changes files. Which files it changes is known only at run time. */
export function listedIn(code: string): readonly string[] {
  if (!LISTS.test(code) || !CHANGES.test(code)) return [];
  const named = [...code.matchAll(FOLDER)].map(([, path = '']) => path);
  // Every expression for the home directory is `~` by now.
  return BARE_HOME.test(code) ? ['~', ...named] : named;
}
