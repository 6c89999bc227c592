/** A frame or line that cannot be a message: too large (A2), not UTF-8, binary (A1). `code` is the WebSocket close code for it. */
export interface ChannelFault {
  code: number;
  message: string;
  /** Nothing more will be read: the channel closes itself after telling. */
  fatal: boolean;
}
