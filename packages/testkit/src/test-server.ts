/** A server of its own for a test: on a free loopback port, with its data in a folder of its own. */
export interface TestServer {
  readonly url: string;
  readonly port: number;
  /** The process of the present run, to read what it costs from /proc. */
  pid(): number;
  /** Ends it as a crash would (SIGKILL); `start` brings it back on the same port with the same data. */
  kill(): Promise<void>;
  /** Starts it again after `kill`. */
  start(): Promise<void>;
  /** Stops time for it without closing its connections (SIGSTOP), until `resume`. */
  freeze(): void;
  resume(): void;
  /** Removes its data; only while it is down. */
  wipe(): Promise<void>;
  /** Copies its data as they are, and answers how to put this copy back later; both only while it is down. */
  copy(): Promise<() => Promise<void>>;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}
