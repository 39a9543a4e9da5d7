/** Options before git's subcommand. */
export const GIT_GLOBALS =
  'C= c= git-dir= work-tree= namespace= exec-path? super-prefix= config-env= p,paginate P,no-pager no-replace-objects bare ' +
  'no-lazy-fetch no-optional-locks literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs list-cmds= attr-source= ' +
  'v,version h,help html-path man-path info-path no-advice';

/** Options of the subcommands whose options matter. The dangerous ones come first: they win abbreviations. */
export const GIT_OPTIONS: Readonly<Record<string, string>> = {
  push:
    'f,force mirror d,delete prune all branches tags follow-tags n,dry-run u,set-upstream q,quiet v,verbose porcelain ' +
    'force-with-lease? force-if-includes no-verify verify atomic o,push-option= repo= receive-pack= exec= signed? thin ' +
    'recurse-submodules= progress 4,ipv4 6,ipv6',
  reset:
    'hard merge keep soft mixed q,quiet p,patch N,intent-to-add pathspec-from-file= recurse-submodules? pathspec-file-nul',
  checkout:
    'f,force b= B= d,detach orphan= t track? ours theirs m,merge p,patch q,quiet l conflict= pathspec-from-file= ' +
    'recurse-submodules? progress guess overlay ignore-skip-worktree-bits ignore-other-worktrees U,unified= ' +
    'inter-hunk-context= overwrite-ignore',
  switch:
    'f,force discard-changes c,create= C,force-create= d,detach orphan= t,track? m,merge q,quiet conflict= guess progress ' +
    'recurse-submodules? ignore-other-worktrees overwrite-ignore',
  restore:
    'S,staged W,worktree s,source= p,patch q,quiet m,merge conflict= ours theirs pathspec-from-file= recurse-submodules? ' +
    'overlay progress ignore-unmerged ignore-skip-worktree-bits U,unified= inter-hunk-context= h,help version',
  clean: 'f,force d x X n,dry-run i,interactive q,quiet e,exclude=',
  branch:
    'D d,delete f,force M m,move C c,copy a,all r,remotes l,list v,verbose q,quiet u,set-upstream-to= unset-upstream ' +
    'edit-description t,track? contains= no-contains= merged? no-merged? sort= points-at= format= show-current column? i color?',
  tag: 'd,delete f,force a,annotate s,sign u,local-user= m,message= F,file= l,list n? v,verify sort= contains= points-at= merged? format= e,edit cleanup= create-reflog color?',
  stash:
    'a,all u,include-untracked k,keep-index p,patch S,staged q,quiet m,message= index only-untracked pathspec-from-file=',
  rebase:
    'abort x,exec= i,interactive onto= continue skip quit edit-todo f,force-rebase no-verify verify root m,merge s,strategy= ' +
    'X,strategy-option= r,rebase-merges? autosquash autostash q,quiet v,verbose S,gpg-sign? fork-point keep-empty empty= C= update-refs signoff',
  merge:
    'abort continue quit n ff-only ff squash e,edit m,message= F,file= s,strategy= X,strategy-option= no-verify verify commit q,quiet v,verbose allow-unrelated-histories S,gpg-sign? autostash signoff log? into-name= cleanup=',
  commit:
    'n,no-verify amend a,all p,patch C,reuse-message= c,reedit-message= F,file= m,message= t,template= e,edit s,signoff ' +
    'allow-empty allow-empty-message author= date= fixup= squash= reset-author q,quiet v,verbose i,include o,only ' +
    'u,untracked-files? S,gpg-sign? dry-run short porcelain no-post-rewrite cleanup= trailer= verify no-gpg-sign',
  'cherry-pick':
    'abort continue quit skip e,edit n,no-commit x m,mainline= s,signoff S,gpg-sign? X,strategy-option= strategy= ff allow-empty',
  revert:
    'abort continue quit skip e,edit n,no-commit m,mainline= s,signoff S,gpg-sign? X,strategy-option= strategy=',
  worktree:
    'f,force b= B= d,detach lock reason= expire= n,dry-run v,verbose porcelain orphan track guess-remote q,quiet checkout',
  rm: 'f,force r n,dry-run cached ignore-unmatch sparse q,quiet pathspec-from-file=',
  mv: 'f,force k n,dry-run v,verbose sparse',
  add: 'f,force A,all u,update n,dry-run v,verbose i,interactive p,patch e,edit N,intent-to-add refresh ignore-errors renormalize chmod= pathspec-from-file= sparse',
  clone:
    'b,branch= o,origin= u,upload-pack= c,config= j,jobs= depth= l,local s,shared n,no-checkout q,quiet v,verbose bare mirror ' +
    'recurse-submodules? recursive reference= separate-git-dir= single-branch template= filter= sparse server-option= progress',
  fetch:
    'f,force p,prune a,append all multiple t,tags n j,jobs= depth= deepen= unshallow upload-pack= u,update-head-ok o,server-option= q,quiet v,verbose recurse-submodules? set-upstream dry-run refmap= prune-tags',
  pull: 'f,force r,rebase? no-verify verify ff-only ff squash s,strategy= X,strategy-option= a,append all depth= p,prune t,tags q,quiet v,verbose autostash upload-pack= commit e,edit',
  'ls-remote': 'heads tags refs q,quiet exit-code symref upload-pack= exec= o,server-option= sort= t h',
  gc: 'prune? aggressive auto force q,quiet keep-largest-pack',
  reflog: 'expire= expire-unreachable= all updateref rewrite n,dry-run stale-fix verbose',
  'filter-branch':
    'f,force d= env-filter= tree-filter= index-filter= parent-filter= msg-filter= commit-filter= tag-name-filter= subdirectory-filter= prune-empty original= setup=',
  'filter-repo': 'force path= path-glob= invert-paths replace-text= analyze mailmap=',
  'update-ref': 'd m= no-deref z stdin create-reflog',
  'symbolic-ref': 'd,delete q,quiet short m=',
  prune: 'n,dry-run v,verbose expire= progress',
  remote: 'v,verbose f t= m= tags mirror? add delete push all prune',
  submodule: 'q,quiet f,force recursive all init remote b,branch= reference= depth= j,jobs=',
  config:
    'global system local worktree f,file= blob= unset unset-all add replace-all get get-all get-regexp l,list e,edit z name-only show-origin type= default= remove-section rename-section bool int path includes',
  archive: 'remote= exec= o,output= format= prefix= l,list v,verbose add-file= worktree-attributes',
  bisect: 'no-checkout first-parent term-new= term-old=',
  am: 'abort continue skip quit 3,3way s,signoff k q,quiet exec= S,gpg-sign? no-verify directory= reject',
  apply: 'R,reverse 3,3way cached index check reject p= C= directory= exclude= include= unsafe-paths v',
  grep: 'O,open-files-in-pager? e= n l i w v c cached untracked E F P r A= B= C= m= f=',
  diff: 'o,output= ext-diff no-index cached staged stat name-only name-status color? U,unified= w b S= G=',
  log: 'o,output= n,max-count= p,patch oneline graph all author= since= until= grep= format= pretty? S= G= follow',
  show: 'o,output= s p,patch stat format= pretty? name-only',
  'checkout-index': 'f,force a,all u q n prefix= stage= temp stdin z',
  'sparse-checkout': 'cone no-cone stdin',
  lfs: '',
  'fast-import': 'force',
  replace: 'f,force d,delete e,edit l,list',
  notes: 'ref= f,force m= F= C= c=',
  difftool: 'x,extcmd= t,tool= y d g',
  mergetool: 't,tool= y g',
  'send-email': 'to= cc= smtp-server= from= subject= sendmail-cmd= to-cmd= cc-cmd= header-cmd=',
  'fetch-pack': 'exec= upload-pack= all q,quiet k,keep thin depth=',
  'send-pack': 'exec= receive-pack= all f,force mirror n,dry-run thin atomic',
  instaweb: 'd,httpd= l,local m,module-path= b,browser= p,port= start stop restart',
};
