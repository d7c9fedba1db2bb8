import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { HearthError } from '@hearth/errors';
import type { Network } from './network.ts';

/** Bounds on answers that their clients have not taken yet. */
export interface UntakenBounds {
  /** How often progress is looked at: a connection that made none is cut after one to two of these, in milliseconds. */
  stallMs: number;
  /** For an answer to be taken whole, whatever its size, in milliseconds. */
  wholeMs: number;
  /** The slowest pace at which a long answer may be taken, in bytes a millisecond. */
  slowest: number;
  /** The most for one network, in bytes; its next requests are refused. */
  network: number;
  /** The most in all, in bytes; who is at it the longest is cut. */
  total: number;
  /** The most requests of one connection that wait for their answers. */
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

/** Answers that are written and not taken: each holds memory until its client reads it, so that time and size are bounded. */
export interface Untaken {
  /** Notes that a request came; answers why it is refused, `cut` where the connection was ended. */
  begin(request: IncomingMessage, response: ServerResponse): HearthError | 'cut' | undefined;
  /** Throws unavailable while too much that the client's network was answered is not read. */
  check(request: IncomingMessage): void;
  /** Notes that the whole answer was handed over for sending. */
  ended(response: ServerResponse): void;
}

interface Connection {
  /** Requests whose answers were not taken whole. */
  inHand: number;
  /** Answers that wait to be taken. */
  answers: Map<ServerResponse, { network: string; bytes: number }>;
}

export function createUntaken(network: Pick<Network, 'of'>, bounds: UntakenBounds = usualBounds): Untaken {
  const connections = new WeakMap<Socket, Connection>();
  const ofNetwork = new Map<string, number>();
  /** Connections with such answers, the one that began to wait first in front. */
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
    // Node looks at how much was taken, and ends the connection when that was nothing.
    socket.setTimeout(bounds.stallMs);
    const end = () => socket.destroy();
    const deadline = setTimeout(end, bounds.wholeMs + bytes / bounds.slowest).unref();
    response.once('close', () => clearTimeout(deadline));
    // Before Node's own listener, which sets the time that an idle connection is kept.
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
      // The answer to a request that was sent ahead waits for those before it, which may be held.
      if (response.socket === null) response.once('socket', (own: Socket) => watch(own, response, bytes));
      else watch(socket, response, bytes);
      // Requests that were let in together may be answered together.
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
