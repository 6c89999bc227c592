// The least that a Node server of lines can do: sends every line back. Prints its port.
import { createServer } from 'node:net';

const server = createServer((socket) => {
  socket.setNoDelay(true);
  let rest = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) socket.write(`${line}\n`);
  });
  socket.on('error', () => socket.destroy());
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
