import { GO, HASKELL, JVM, SWIFT } from './compiled-languages.ts';
import { type Language, table } from './language.ts';

const PYTHON: Language = {
  blocks: 'indent',
  inserts: 'braces',
  oneLine: true,
  comments: 'hash',
  backticks: false,
  bareCalls: false,
  calls: table({
    'copy-tree': 'shutil.copytree copytree shutil.unpack_archive unpack_archive .unpack_archive .copytree',
    chdir: 'os.chdir .chdir contextlib.chdir chdir',
    delete: 'os.remove os.unlink os.rmdir os.removedirs .unlink .rmdir remove unlink rmdir',
    'delete-tree': 'shutil.rmtree rmtree .rmtree',
    write: '.write_text .write_bytes .touch .mkdir os.mkdir os.makedirs shutil.copyfileobj os.truncate',
    read: '.read_text .read_bytes os.listdir os.scandir os.walk glob.glob',
    open: 'open io.open codecs.open .open',
    rename: 'os.rename os.replace shutil.move shutil.copy shutil.copy2 shutil.copyfile .rename',
    permission: 'os.chmod os.chown .chmod',
    network:
      'requests.get requests.post requests.put requests.delete requests.patch requests.head requests.request urllib.urlopen ' +
      'request.urlopen urlopen .urlopen httpx.get httpx.post httpx.put httpx.patch httpx.delete httpx.request httpx.stream ' +
      'client.HTTPConnection client.HTTPSConnection .connect socket.create_connection smtplib.SMTP ftplib.FTP paramiko.SSHClient ' +
      'socket.socket aiohttp.ClientSession xmlrpc.ServerProxy ' +
      // A name lookup reveals the name to the domain's owner.
      'socket.gethostbyname socket.getaddrinfo resolver.resolve resolver.query',
    client: 'requests.Session requests.session httpx.Client httpx.AsyncClient',
    listen: '.bind http.server socketserver.TCPServer server.HTTPServer',
    shell:
      '.exec_command os.system os.popen .system .popen system popen subprocess.getoutput subprocess.getstatusoutput commands.getoutput pty.spawn',
    argv:
      'subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen Popen check_output ' +
      'os.execv os.execvp os.execve os.execl os.execlp os.spawnv os.spawnvp os.posix_spawn asyncio.create_subprocess_exec ' +
      'asyncio.create_subprocess_shell check_call .check_output .run .Popen',
    eval: 'exec eval builtins.exec builtins.eval',
    dynamic:
      'compile __import__ getattr importlib.import_module pickle.loads marshal.loads runpy.run_path yaml.unsafe_load',
    sql: '.execute .executescript .executemany .raw',
    download: '.urlretrieve request.urlretrieve urlretrieve wget.download',
  }),
};

const JAVASCRIPT: Language = {
  inserts: 'dollar',
  oneLine: true,
  comments: 'slashes',
  backticks: false,
  bareCalls: false,
  calls: table({
    'copy-tree': 'fs.cp fs.cpSync .cpSync cpSync .copySync fs.copy',
    chdir: 'process.chdir .chdir chdir',
    delete: 'fs.unlink fs.unlinkSync .unlink .unlinkSync unlinkSync unlink Bun.unlink',
    'delete-tree':
      'fs.rm fs.rmSync fs.rmdir fs.rmdirSync .rm .rmSync .rmdir .rmdirSync rmSync rmdirSync rimraf rimraf.sync fs.remove fs.removeSync Deno.remove Deno.removeSync .removeSync .emptyDirSync',
    write:
      'fs.writeFile fs.writeFileSync .writeFile .writeFileSync writeFileSync writeFile fs.createWriteStream .createWriteStream fs.truncateSync ' +
      'fs.mkdirSync .mkdirSync .writeTextFile .writeTextFileSync Deno.writeFile Deno.writeFileSync Bun.write .outputFileSync',
    append: 'fs.appendFile fs.appendFileSync .appendFile .appendFileSync appendFileSync',
    read: 'fs.readFile fs.readFileSync .readFile .readFileSync readFileSync readFile fs.createReadStream .createReadStream .readdirSync .readTextFile .readTextFileSync Deno.readFile Deno.readFileSync Bun.file',
    open: 'fs.open fs.openSync .openSync',
    rename: 'fs.rename fs.renameSync .renameSync fs.copyFileSync .copyFileSync',
    permission: 'fs.chmod fs.chmodSync .chmodSync .chownSync',
    network:
      'fetch axios axios.get axios.post http.get http.request https.get https.request .request net.connect net.createConnection net.Socket .createConnection WebSocket got got.get got.post got.put got.patch got.delete ky ky.get ky.post ky.put ky.patch ky.delete superagent.get superagent.post superagent.delete axios.put axios.patch axios.delete axios.request dgram.createSocket tls.connect Deno.connect Deno.connectTls Bun.connect ' +
      'dns.lookup dns.resolve .resolve4 .resolve6 .resolveTxt .resolveCname .resolveMx .resolveAny resolve4 resolveTxt Deno.resolveDns undici.request .sendBeacon',
    client: 'axios.create got.extend ky.create ky.extend superagent.agent',
    listen: '.listen .createServer http.createServer net.createServer',
    shell: 'child_process.exec child_process.execSync .exec .execSync execSync exec Bun.$',
    argv: 'child_process.spawn child_process.spawnSync child_process.execFile child_process.execFileSync .spawn .spawnSync .execFile .execFileSync spawnSync spawn execFileSync execFile child_process.fork Deno.Command Deno.run Bun.spawn Bun.spawnSync',
    eval: 'eval Function vm.runInNewContext vm.runInThisContext .runInThisContext .runInNewContext vm.Script',
    sql: '.query .execute .raw .unsafe .executeRawUnsafe .queryRawUnsafe .$executeRawUnsafe .$queryRawUnsafe',
  }),
};

const RUBY: Language = {
  autoCalls: true,
  blocks: 'end',
  inserts: 'hash',
  heres: true,
  comments: 'hash',
  backticks: true,
  bareCalls: true,
  calls: table({
    chdir: 'Dir.chdir FileUtils.cd FileUtils.chdir',
    delete:
      'File.delete File.unlink Dir.rmdir Dir.delete Dir.unlink .unlink FileUtils.rm FileUtils.rm_f FileUtils.rmdir FileUtils.remove .rm_f',
    'delete-tree':
      'FileUtils.rm_rf FileUtils.rm_r FileUtils.rmtree FileUtils.remove_dir FileUtils.remove_entry FileUtils.remove_entry_secure rm_rf .rmtree .rm_rf',
    write: 'File.write IO.write File.binwrite .write FileUtils.touch FileUtils.mkdir_p Dir.mkdir',
    read: 'File.read IO.read File.readlines File.binread IO.readlines File.foreach Dir.glob Dir.entries',
    open: 'File.open File.new open IO.open',
    rename: 'File.rename FileUtils.mv FileUtils.cp FileUtils.move',
    'copy-tree': 'FileUtils.cp_r FileUtils.copy_entry',
    permission: 'File.chmod FileUtils.chmod FileUtils.chmod_R FileUtils.chown FileUtils.chown_R',
    network:
      'Net.HTTP TCPSocket UNIXSocket.new HTTP.get HTTP.post HTTP.start Net.HTTP.get URI.open TCPSocket.new TCPSocket.open .get_response HTTP.post_form HTTP.Delete.new HTTP.delete HTTParty.get HTTParty.post HTTParty.put HTTParty.patch HTTParty.delete RestClient.get RestClient.post RestClient.put RestClient.delete Faraday.get Faraday.post Faraday.put Faraday.delete Faraday.new Excon.get Excon.post Excon.delete Resolv.getaddress',
    listen: 'TCPServer.new TCPServer.open',
    shell:
      '.exec! system exec spawn Kernel.system Kernel.exec Kernel.spawn IO.popen Open3.capture3 Open3.capture2e Open3.popen3 PTY.spawn Process.spawn',
    eval: 'eval Kernel.eval instance_eval class_eval',
    dynamic: 'send Object.send public_send',
    sql: '.execute .exec_query .exec_params .query',
  }),
};

const PERL: Language = {
  autoCalls: true,
  inserts: 'sigils',
  sigils: true,
  heres: true,
  comments: 'hash',
  backticks: true,
  bareCalls: true,
  arrows: true,
  calls: table({
    chdir: 'chdir',
    delete: 'unlink rmdir',
    'delete-tree': 'rmtree remove_tree File.Path.rmtree File.Path.remove_tree Path.remove_tree Path.rmtree',
    write: 'mkdir truncate',
    open: 'open sysopen',
    rename: 'rename move copy',
    permission: 'chmod chown',
    network:
      'IO.Socket.INET.new INET.new Socket.INET Socket.SSL SSL.new LWP.Simple.get LWP.UserAgent Simple.get HTTP.Tiny.new connect',
    shell: 'system exec qx CORE.system CORE.exec',
    eval: 'eval',
    sql: '.do .prepare',
    download: 'getstore mirror LWP.Simple.getstore LWP.Simple.mirror .mirror',
  }),
};

const PHP: Language = {
  inserts: 'sigils',
  heres: true,
  comments: 'slashes-and-hash',
  backticks: true,
  bareCalls: false,
  arrows: true,
  calls: table({
    chdir: 'chdir',
    delete: 'unlink rmdir',
    write: 'file_put_contents mkdir touch',
    read: 'file_get_contents readfile file scandir glob',
    open: 'fopen',
    rename: 'rename copy',
    permission: 'chmod chown',
    network: 'curl_init fsockopen stream_socket_client curl_exec gethostbyname dns_get_record',
    shell: 'ssh2_exec system exec shell_exec passthru popen proc_open',
    argv: 'pcntl_exec',
    eval: 'eval assert create_function',
    dynamic: 'call_user_func call_user_func_array',
    sql: '.exec .query .prepare mysqli_query pg_query',
  }),
};

const LUA: Language = {
  blocks: 'end',
  comments: 'dashes',
  backticks: false,
  bareCalls: true,
  calls: table({
    delete: 'os.remove',
    rename: 'os.rename',
    open: 'io.open',
    read: 'io.lines dofile',
    network: '.connect socket.connect',
    shell: 'os.execute io.popen',
    eval: 'load loadstring',
  }),
};

const R: Language = {
  comments: 'hash',
  backticks: false,
  bareCalls: false,
  calls: table({
    'delete-tree': 'unlink file.remove',
    write: 'writeLines write file.create write.csv',
    read: 'readLines read.csv source',
    network: 'url',
    download: 'download.file utils.download.file',
    shell: 'system system2 shell',
    eval: 'eval',
    dynamic: 'parse',
  }),
};

const JULIA: Language = {
  blocks: 'end',
  comments: 'hash',
  backticks: true,
  bareCalls: false,
  calls: table({
    'delete-tree': 'rm',
    write: 'write touch mkpath',
    read: 'read readlines readdir',
    open: 'open',
    rename: 'mv cp',
    network: 'HTTP.get HTTP.post connect',
    download: 'download Downloads.download',
    eval: 'eval include_string Meta.parse',
  }),
};

const ELIXIR: Language = {
  autoCalls: true,
  blocks: 'end',
  inserts: 'hash',
  comments: 'hash',
  backticks: false,
  bareCalls: true,
  calls: table({
    delete: 'File.rm File.rm!',
    'delete-tree': 'File.rm_rf File.rm_rf!',
    write: 'File.write File.write!',
    read: 'File.read File.read!',
    shell: 'System.shell',
    argv: 'System.cmd',
    eval: 'Code.eval_string',
  }),
};

const GROOVY: Language = {
  comments: 'slashes',
  backticks: false,
  bareCalls: false,
  calls: table({
    'delete-tree': '.deleteDir',
    delete: '.delete',
    shell: '.execute exec Runtime.exec .exec',
    eval: 'evaluate Eval.me',
  }),
};

/** JavaScript on the JVM, with the libraries of both. */
const JAVA_SCRIPT: Language = { ...JAVASCRIPT, calls: { ...JVM.calls, ...JAVASCRIPT.calls } };

/** By the tool's canonical name. */
export const LANGUAGES = {
  python: PYTHON,
  pypy: PYTHON,
  ipython: PYTHON,
  node: JAVASCRIPT,
  deno: JAVASCRIPT,
  bun: JAVASCRIPT,
  tsx: JAVASCRIPT,
  'ts-node': JAVASCRIPT,
  ruby: RUBY,
  irb: RUBY,
  rake: RUBY,
  perl: PERL,
  php: PHP,
  lua: LUA,
  luajit: LUA,
  rscript: R,
  julia: JULIA,
  crystal: RUBY,
  elixir: ELIXIR,
  groovy: GROOVY,
  go: GO,
  jshell: JVM,
  jrunscript: JAVA_SCRIPT,
  jjs: JAVA_SCRIPT,
  scala: JVM,
  kotlin: JVM,
  swift: SWIFT,
  ghc: HASKELL,
  runghc: HASKELL,
} as const satisfies Readonly<Record<string, Language>>;
