export { nodeWebSocketChannel } from './node-web-socket.ts';
export { tcpChannel } from './tcp.ts';
