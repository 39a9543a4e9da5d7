import { type Language, table } from './language.ts';

// Mostly compiled languages that can also run from a command line or a file.

export const GO: Language = {
  comments: 'slashes',
  backticks: false,
  bareCalls: false,
  calls: table({
    delete: 'os.Remove syscall.Unlink',
    'delete-tree': 'os.RemoveAll',
    write: 'os.WriteFile ioutil.WriteFile os.Create os.OpenFile os.Mkdir os.MkdirAll',
    read: 'os.ReadFile ioutil.ReadFile os.Open os.ReadDir',
    rename: 'os.Rename',
    permission: 'os.Chmod os.Chown',
    network: 'net.Dial net.DialTimeout tls.Dial http.Get http.Post http.PostForm http.NewRequest',
    listen: 'net.Listen http.ListenAndServe',
    argv: 'exec.Command exec.CommandContext syscall.Exec',
  }),
};

/** Java, Kotlin and Scala, which share their library. */
export const JVM: Language = {
  comments: 'slashes',
  backticks: false,
  bareCalls: false,
  calls: table({
    delete: 'Files.delete Files.deleteIfExists .delete',
    'delete-tree': '.deleteRecursively FileUtils.deleteDirectory',
    write: 'Files.write Files.writeString FileWriter FileOutputStream .writeText',
    read: 'Files.readAllBytes Files.readString Files.readAllLines FileReader FileInputStream .readText',
    network: 'Socket .Socket SSLSocket URL .openConnection URI.create SocketChannel.open',
    listen: 'ServerSocket',
    shell: '.exec',
    argv: 'ProcessBuilder .ProcessBuilder Process',
  }),
};

export const SWIFT: Language = {
  comments: 'slashes',
  backticks: false,
  bareCalls: false,
  calls: table({
    'delete-tree': '.removeItem removeItem',
    write: '.createFile .write',
    read: '.contents contentsOfFile',
    network: 'URL URLRequest',
    shell: 'system popen shell',
  }),
};

export const HASKELL: Language = {
  comments: 'dashes',
  backticks: false,
  bareCalls: true,
  calls: table({
    delete: 'removeFile Directory.removeFile',
    'delete-tree': 'removeDirectoryRecursive removePathForcibly Directory.removeDirectoryRecursive',
    read: 'readFile',
    write: 'writeFile appendFile',
    shell: 'system callCommand Process.system Process.callCommand readCreateProcess',
    argv: 'callProcess rawSystem readProcess Process.callProcess Process.readProcess',
  }),
};
