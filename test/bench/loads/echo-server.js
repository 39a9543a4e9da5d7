// Echoes each connection's input: the least that a daemon on Node can do.
import { createServer } from 'node:net';

const server = createServer((socket) => {
  socket.on('data', (chunk) => socket.write(chunk));
  // A caller that hangs up early is not measured.
  socket.on('error', () => {});
});
server.listen(process.argv[2], () => process.send('listens'));
// The bench closes the channel to stop it; when the bench dies, it isn't left behind.
process.once('disconnect', () => process.exit());
