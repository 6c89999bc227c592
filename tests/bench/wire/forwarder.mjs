// The limit: carries messages between agents and one game, and looks at none. Speaks as much of the game link as it must. Tells its port, and what it uses when asked.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
const agents = new Map();
let game;
let last = 0;

sockets.on('connection', (socket, { url }) => {
  if (url === '/game') fromGame(socket);
  else fromAgent(socket);
});

function fromGame(socket) {
  game = socket;
  socket.on('message', (data) => {
    const frame = data.toString();
    if (frame.startsWith('{"type":"hello"')) socket.send('{"type":"welcome","world":"bench"}');
    if (frame.startsWith('{')) return;
    for (const line of frame.split('\n')) {
      const space = line.indexOf(' ');
      agents.get(line.slice(0, space))?.send(line.slice(space + 1));
    }
  });
}

function fromAgent(socket) {
  const conn = ++last;
  const key = conn.toString(36);
  agents.set(key, socket);
  game.send(JSON.stringify({ type: 'open', conn, request: { principal: 'anonymous' } }));
  socket.on('message', (data) => game.send(`${key} ${data}`));
  socket.on('close', () => {
    agents.delete(key);
    game.send(JSON.stringify({ type: 'close', conn, clean: true }));
  });
}

server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send({ cpuUs: user + system });
});
process.on('disconnect', () => process.exit());
