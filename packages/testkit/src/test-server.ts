/** A test's own server, on a free loopback port and with its own data folder. */
export interface TestServer {
  readonly url: string;
  readonly port: number;
  /** The current process, whose cost can be read from /proc. */
  pid(): number;
  /** Kills it (SIGKILL); `start` brings it back on the same port with the same data. */
  kill(): Promise<void>;
  /** Restarts it after `kill`. */
  start(): Promise<void>;
  /** Freezes it without closing its connections (SIGSTOP), until `resume`. */
  freeze(): void;
  resume(): void;
  /** Deletes its data; only while it is down. */
  wipe(): Promise<void>;
  /** Copies its data and returns a function that restores the copy; both only while it is down. */
  copy(): Promise<() => Promise<void>>;
  /** Stops it and removes its folder. */
  stop(): Promise<void>;
}
