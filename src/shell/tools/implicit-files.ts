import { entryOf } from '../../model/lookup.ts';
import { type Call, literal } from '../call.ts';
import { packageScripts } from '../code/build-files.ts';
import { LANGUAGES } from '../code/languages.ts';
import { scanCode } from '../code/scan.ts';
import { isUnknown } from '../marks.ts';
import { announce, scriptFile } from './shells.ts';

interface ImplicitFile {
  readonly name: string;
  /** A program in this language; else a manifest with lines for a shell. */
  readonly language?: keyof typeof LANGUAGES;
}

const RUBY = (name: string): ImplicitFile => ({ name, language: 'ruby' });
const PYTHON = (name: string): ImplicitFile => ({ name, language: 'python' });
const NODE = (name: string): ImplicitFile => ({ name, language: 'node' });

/** Files that a program runs because of where they lie, without anybody naming them. */
const IMPLICIT_FILES: Readonly<Record<string, ImplicitFile>> = {
  bundle: RUBY('Gemfile'),
  bundler: RUBY('Gemfile'),
  rake: RUBY('Rakefile'),
  vagrant: RUBY('Vagrantfile'),
  pod: RUBY('Podfile'),
  guard: RUBY('Guardfile'),
  pip: PYTHON('setup.py'),
  pip3: PYTHON('setup.py'),
  easy_install: PYTHON('setup.py'),
  nox: PYTHON('noxfile.py'),
  fab: PYTHON('fabfile.py'),
  scons: PYTHON('SConstruct'),
  gulp: NODE('gulpfile.js'),
  grunt: NODE('Gruntfile.js'),
  composer: { name: 'composer.json' },
};

const FOLDERS = ['-C', '--directory', '--working-dir', '--prefix', '--editable', '--project-dir'];

/** Verbs that run the file they are given: a description of a package is a program. */
const GIVEN_FILES: Readonly<Record<string, ImplicitFile>> = {
  'gem build': RUBY(''),
  'gem install': RUBY(''),
  'pod spec': RUBY(''),
};

/** Of those files the ones that the session has written: in the folder where it works, and in those it is given. */
export function runImplicitFiles(call: Call): void {
  const named = entryOf(GIVEN_FILES, `${call.name} ${call.command.sub[0] ?? ''}`);
  const own = named ?? entryOf(IMPLICIT_FILES, call.name);
  if (own === undefined) return;
  const given = [...call.values(...FOLDERS), ...call.operands].filter(({ text }) => text !== null);
  for (const folder of ['.', ...given.map(({ template }) => template)]) {
    const source = scriptFile(call, literal(own.name === '' ? folder : `${folder}/${own.name}`));
    if (isUnknown(source.template) || !announce(call, source)) continue;
    if (own.language) scanCode(call, source.template, LANGUAGES[own.language]);
    else call.runText(packageScripts(source.template, call.operands[0]?.text ?? ''));
  }
}
