/** A frame or line that cannot be a message: too large (A2), not UTF-8, binary (A1). It is told by a channel or framer; it is no message. */
export interface ChannelFault {
  /** The WebSocket close code for it. */
  code: number;
  /** One sentence that says what was wrong. */
  message: string;
  /** Nothing more will be read: the channel closes itself after telling. */
  fatal: boolean;
}
