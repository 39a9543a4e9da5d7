import { type Language, table } from './language.ts';

export const RUST: Language = {
  comments: 'slashes',
  backticks: false,
  bareCalls: false,
  calls: table({
    delete: 'fs.remove_file remove_file',
    'delete-tree': 'fs.remove_dir_all remove_dir_all',
    write: 'fs.write File.create fs.copy fs.create_dir_all',
    read: 'fs.read_to_string fs.read File.open',
    rename: 'fs.rename',
    permission: 'fs.set_permissions',
    network:
      'TcpStream.connect UdpSocket.connect reqwest.get blocking.get ureq.get ureq.post ureq.put ureq.delete minreq.get minreq.post attohttpc.get attohttpc.post',
    listen: 'TcpListener.bind',
    argv: 'Command.new',
  }),
};

const MADE = /Command::new\(\s*("[^"]*")\s*\)((?:\s*\.\w+\((?:[^()]|\([^()]*\))*\)){1,20})/g;

/** Merges a program and its chained arguments into one call, as in other languages: `Command::new("a").arg("b")`. */
export function withArguments(code: string): string {
  return code.replace(MADE, (_, program: string, chain: string) => {
    const given = [...chain.matchAll(/\.args?\(((?:[^()]|\([^()]*\))*)\)/g)].flatMap(([, text = '']) =>
      [...text.matchAll(/"(?:\\.|[^"\\])*"/g)].map(([word]) => word),
    );
    return `Command::new(${program}, [${given.join(', ')}])`;
  });
}
