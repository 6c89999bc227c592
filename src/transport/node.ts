export { nodeWebSocketChannel } from './node-web-socket.ts';
export { looksLikeHttp, tcpChannel } from './tcp.ts';
