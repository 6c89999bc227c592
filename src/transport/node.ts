export { nodeWebSocketChannel } from './node-web-socket.ts';
export { looksLikeHttp, looksLikeTls, tcpChannel } from './tcp.ts';
