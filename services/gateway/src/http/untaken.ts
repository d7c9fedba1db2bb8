import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HearthError } from '@hearth/errors';
import type { Network } from './network.ts';

/** Bounds on answers that clients have not read yet. */
export interface UntakenBounds {
  /** How often progress is checked, in milliseconds: a connection without any is cut after one to two intervals. */
  stallMs: number;
  /** The base time for reading a whole answer, whatever its size, in milliseconds. */
  wholeMs: number;
  /** The slowest permitted reading pace of a long answer, in bytes per millisecond. */
  slowest: number;
  /** The most bytes for one network; beyond it, its next requests are refused. */
  network: number;
  /** The most bytes in all; beyond it, the longest-waiting connections are cut. */
  total: number;
  /** The most unanswered requests on one connection. */
  inHand: number;
}

const mebibyte = 1_048_576;

const usualBounds: UntakenBounds = {
  stallMs: 15_000,
  wholeMs: 60_000,
  slowest: 50,
  network: 8 * mebibyte,
  total: 64 * mebibyte,
  inHand: 32,
};

/** Bounds written answers that clients have not read, in time and size, because each holds memory until then. */
export interface Untaken {
  /** Notes a request. Returns why it is refused, or `cut` if the connection was ended. */
  begin(request: IncomingMessage, response: ServerResponse): HearthError | 'cut' | undefined;
  /** Throws unavailable while the client's network leaves too many response bytes unread. */
  check(request: IncomingMessage): void;
  /** Notes that a response was completely handed over for sending. */
  ended(response: ServerResponse): void;
}

interface Connection {
  /** Requests whose answers have not been read completely. */
  inHand: number;
  /** Answers that have not been read completely. */
  answers: Map<ServerResponse, { network: string; bytes: number }>;
}

export function createUntaken(network: Pick<Network, 'of'>, bounds: UntakenBounds = usualBounds): Untaken {
  const connections = new WeakMap<Socket, Connection>();
  const ofNetwork = new Map<string, number>();
  /** Connections with unread answers, the longest-waiting first. */
  const waiting = new Map<Socket, Connection>();
  let total = 0;

  function add(name: string, bytes: number): void {
    total += bytes;
    const sum = (ofNetwork.get(name) ?? 0) + bytes;
    if (sum > 0) ofNetwork.set(name, sum);
    else ofNetwork.delete(name);
  }

  function release(socket: Socket, { answers }: Connection, response: ServerResponse): void {
    const answer = answers.get(response);
    if (answer === undefined) return;
    add(answer.network, -answer.bytes);
    answers.delete(response);
    if (answers.size === 0) waiting.delete(socket);
  }

  function releaseAll(socket: Socket, connection: Connection): void {
    for (const response of connection.answers.keys()) release(socket, connection, response);
  }

  function cut(socket: Socket, connection: Connection): void {
    releaseAll(socket, connection);
    socket.destroy();
  }

  function connectionOf(socket: Socket): Connection {
    let connection = connections.get(socket);
    if (connection === undefined) {
      const made: Connection = { inHand: 0, answers: new Map() };
      connections.set(socket, made);
      socket.once('close', () => releaseAll(socket, made));
      connection = made;
    }
    return connection;
  }

  function watch(socket: Socket, response: ServerResponse, bytes: number): void {
    // Node checks for progress, and ends the connection if there was none.
    socket.setTimeout(bounds.stallMs);
    const end = () => socket.destroy();
    const deadline = setTimeout(end, bounds.wholeMs + bytes / bounds.slowest).unref();
    response.once('close', () => clearTimeout(deadline));
    // Before Node's own listener, which sets the keep-alive timeout.
    response.prependOnceListener('finish', () => socket.setTimeout(0));
  }

  const isOver = (request: IncomingMessage) =>
    ofNetwork.size > 0 && (ofNetwork.get(network.of(request)) ?? 0) > bounds.network;

  return {
    check(request) {
      if (isOver(request)) throw tooMuch();
    },
    begin(request, response) {
      const { socket } = request;
      const connection = connectionOf(socket);
      connection.inHand += 1;
      response.once('finish', () => {
        connection.inHand -= 1;
        release(socket, connection, response);
      });
      if (connection.inHand > bounds.inHand) {
        cut(socket, connection);
        return 'cut';
      }
      return isOver(request) ? tooMuch() : undefined;
    },
    ended(response) {
      const bytes = response.writableLength;
      const { socket } = response.req;
      const connection = connections.get(socket);
      if (bytes === 0 || connection === undefined || socket.destroyed) return;
      const name = network.of(response.req);
      connection.answers.set(response, { network: name, bytes });
      waiting.set(socket, connection);
      add(name, bytes);
      // The answer to a pipelined request waits for those before it, which may be held.
      if (response.socket === null) response.once('socket', (own: Socket) => watch(own, response, bytes));
      else watch(socket, response, bytes);
      // Requests that were admitted together may be answered together.
      if ((ofNetwork.get(name) ?? 0) > 2 * bounds.network) cut(socket, connection);
      for (const [other, its] of waiting) {
        if (total <= bounds.total) break;
        cut(other, its);
      }
    },
  };
}

function tooMuch(): HearthError {
  return new HearthError(
    'unavailable',
    'too much that this home answered you was not read yet; read those answers, then ask again',
  );
}
