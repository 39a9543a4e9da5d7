import type { Places } from './named.ts';

/** Files that programs leave behind and make again, or that nobody has ever written. */
const FILES = [
  '**/{.DS_Store,*.DS_Store,Thumbs.db,thumbs.db,desktop.ini,._*,__pycache__,nohup.out}',
  '**/*.{pyc,pyo,o,obj,class,elc,gch,pch,rej,orig,swp,swo,aux,toc,gcda,gcno,tsbuildinfo,tsbuildInfo}',
  '**/{*~,#*#,.#*,.*.sw?}',
  // What tests measured and what they reported, in the names that their tools choose.
  '**/{.coverage,.coverage.*,coverage.xml,coverage.json,coverage.out,coverage.txt,coverage.lcov,cover.out,coverprofile.out,lcov.info}',
  '**/{junit.xml,junit-*.xml,test-report.xml,test-results.xml,.rspec_status,.phpunit.result.cache,.last_run.json,clover.xml,cobertura.xml}',
  '**/*.{profraw,profdata,lcov,coverprofile}',
  // What linters and compilers remember of the last time.
  '**/.{eslint,stylelint,prettier,php-cs-fixer,php_cs,phpcs,pylint,babel,jscpd,sonarlint}cache',
  '**/{.php_cs.cache,.php-cs-fixer.cache,.dmypy.json,.jekyll-metadata,.flutter-plugins,.flutter-plugins-dependencies,.packages}',
  // Logs of tools that failed, and of virtual machines that crashed.
  '**/{npm-debug.log*,yarn-debug.log*,yarn-error.log*,lerna-debug.log*,pnpm-debug.log*,firebase-debug.log*,firestore-debug.log*}',
  '**/{ui-debug.log,hs_err_pid*.log,erl_crash.dump,testem.log,libpeerconnection.log,pip-log.txt,pip-delete-this-directory.txt}',
  // What is installed is written down anew with the next installation.
  '**/{package-lock.json,npm-shrinkwrap.json,yarn.lock,pnpm-lock.yaml,bun.lock,bun.lockb,go.sum}',
  '**/{Cargo,poetry,uv,Pipfile,Gemfile,composer,mix,pubspec,Podfile}.lock',
  '**/{.terraform.lock.hcl,Package.resolved,flake.lock,deno.lock}',
];

/** Folders that a build, an installation or a tool makes again. */
const FOLDERS = [
  '**/{node_modules,bower_components,__pycache__,.venv,venv,.tox,.nox}/**',
  '**/{dist,target,coverage,htmlcov,out,obj,tmp,.tmp,temp,logs}/**',
  // Names that say themselves that they are for a while.
  '**/{tmp_*,temp_*,tmp-*,temp-*,*-tmp,*_tmp,__tmp*,__temp*,*.ipynb_checkpoints}',
  '**/{tmp_*,temp_*,tmp-*,temp-*,*-tmp,*_tmp,__tmp*,__temp*}/**',
  // One of several outputs.
  '**/{dist-*,dist_*,*-dist,*_dist,.dist,coverage-*,coverage_*}',
  '**/{dist-*,dist_*,*-dist,*_dist,.dist,coverage-*,coverage_*}/**',
  // The same sources in another form of modules, or in an older one of the language.
  './{cjs,esm,umd,lib-es5,lib-es6,lib-esm,lib-cjs,lib-umd,libcjs,libesm}/**',
  '**/{generated,__generated__,.generated}/**',
  // With a star at its end, `x*` + `/**` is only what lies in it.
  '**/cmake-build-*',
  '**/{.next,.nuxt,.output,.svelte-kit,.astro,.turbo,.parcel-cache,.vite,.angular,.gradle,.dart_tool,.terraform}/**',
  '**/{.cache,.pytest_cache,.mypy_cache,.ruff_cache,.eggs,.nyc_output,.sass-cache,cmake-build-*,DerivedData}/**',
  '**/*.{egg-info,dSYM,xcarchive,app}/**',
  '**/{_build,storybook-static,playwright-report,test-results,TestResults,lcov-report,elm-stuff,zig-out,dist-newstyle,Pods}/**',
  '**/{.expo,.docusaurus,.stack-work,.zig-cache,.ipynb_checkpoints,.hypothesis,.swc,.bloop,.metals,CMakeFiles}/**',
  // Caches of all tools that call them so.
  '**/.*cache/**',
  '**/{.pyre,.pytype,.pybuilder,.benchmarks,.pdm-build,__pypackages__,.scannerwork,.lighthouseci,.stryker-tmp,.jest-tmp}/**',
  '**/{.react-router,.vinxi,.nitro,.contentlayer,.velite,.vite-temp,.wireit,.open-next,.aws-sam,cdk.out,.serverless,.webpack,.vuepress}/**',
  '**/{.vitepress/cache,.vitepress/dist,.nx/cache,.vercel/output,.wrangler/tmp,resources/_gen}/**',
  '**/{_site,nimcache,zig-cache,buck-out,.pants.d,.bsp,.kotlin,.cxx,.externalNativeBuild,.swiftpm,xcuserdata,.elixir_ls,.pnpm-store}/**',
  // What tests leave for those who read it: reports, pictures and films of what went wrong.
  '**/{allure-results,allure-report,blob-report,mochawesome-report,surefire-reports,failsafe-reports,jacoco-report,cucumber-report}/**',
  '**/{test-output,test-reports,test-report,test_results,junit-reports,coverage-report,coverage-reports,coveragereport,.test-results}/**',
  '**/{cypress/videos,cypress/screenshots,cypress/downloads,playwright/.cache,.coverage,.covdata,.phpunit,.vitest,.vitest-reports}/**',
  // At the top of a project it may as well be what the build is written in.
  '**/{packages,apps,libs,modules,services,examples}/*/build/**',
  '**/{android,android/app,ios,macos,public,web,client,frontend}/build/**',
  // Beside the files of a checkout, and the same on the server.
  '**/{.svn,CVS,cvs}/**',
];

/** Files that are there for a while: copies, logs, what a build makes. A search for them by name is housekeeping. */
const PASSING = [
  '**/{core,core.*}',
  '**/*.{a,bak,bkp,old,tmp,temp,cache,log,log.*,pid,lock}',
  '**/build/**',
  // What no project is written in: sounds, pictures, archives, dumps.
  './**/*.{mp3,mp4,mpg,avi,mov,mkv,wav,ogg,flac,jpg,jpeg,png,gif,bmp,tif,tiff,webp,ico,pdf,ps,dvi}',
  './**/*.{zip,gz,tgz,bz2,xz,zst,tar,rar,7z,jar,war,whl,iso,img,dmp,dump,trc,prof,hprof,map,min.js,so,dll,dylib,exe}',
];

/** What bundlers and compilers write, under names that a project may also have for its sources. */
const BUILT = ['**/{build,bundle,lib,es,esm,cjs,umd,types,typings}/**'];

/** Names that files have and folders hardly ever: of these, `rm -r` takes no more than `rm` does. */
const FILE_NAMES = [
  '**/*.{js,mjs,cjs,jsx,ts,mts,cts,tsx,json,map,css,scss,html,xml,yaml,yml,toml,ini,md,txt,csv,svg}',
  '**/*.{py,rb,go,rs,java,kt,c,h,cc,cpp,hpp,php,sh,sql,log,tmp,bak,tgz,gz,zip,pdf,png,jpg,gif,node,wasm,vsix}',
];

/** Where programs keep what they need for a while. */
const TEMPORARY = [
  '{/tmp,/var/tmp,/private/tmp,~/.cache,~/Library/Caches}/*',
  '{/tmp,/var/tmp,/private/tmp,~/.cache,~/Library/Caches}/*/**',
  '/{var,private/var}/folders/**',
  '/dev/shm/**',
  '~/.*/{cache,caches,Cache,Caches}/**',
  '~/.npm/{_cacache,_npx,_logs}/**',
  '~/Library/Developer/Xcode/DerivedData/**',
  // What package managers have fetched, and fetch again.
  '~/.gradle/{daemon,wrapper/dists}/**',
  '~/.cargo/{registry,git}/{cache,src,index,db,checkouts}/**',
  '~/.m2/repository/**',
  '~/.nuget/packages/**',
  '~/go/pkg/mod/**',
  '~/.bun/install/cache/**',
  '{~/.pnpm-store,~/.local/share/pnpm/store,~/Library/pnpm/store}/**',
  '{~/.node-gyp,~/.cocoapods/repos}/**',
];

/** What manuals write where a path of one's own has to stand. */
const PLACEHOLDERS = ['/path/to/**'];

/** What can go without a loss, by what it is. `"<name>"` in a pack stands for all of them. */
export const LEFTOVERS: Places = {
  'leftover-files': FILES,
  'made-folders': FOLDERS,
  'passing-files': PASSING,
  'built-folders': BUILT,
  'file-names': FILE_NAMES,
  temporary: TEMPORARY,
  placeholders: PLACEHOLDERS,
};
