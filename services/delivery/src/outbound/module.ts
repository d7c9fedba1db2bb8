import { second } from '@hearth/clock';
import { createGuardedHttp, type GuardedHttp } from '@hearth/guarded-http';
import type { Host } from '@hearth/runtime';
import type { Posted } from '../shared/domain/outbound-kind.ts';
import { createEngine, type Engine } from './actions/engine.ts';
import { type Posting, post } from './actions/post.ts';

/** Sends to addresses that others chose: by the engine, or once and at once. */
export interface Outbound extends Engine {
  http: GuardedHttp;
  /** Posts once; null when it was given up. Any 2xx is a success, however long its body; nothing is followed. */
  post(posting: Posting): Promise<Posted | null>;
}

/**
 * As many connections, to as many origins, as the engine has attempts in flight. Many AIs and apps can be at one host of a
 * large platform, and those there that never answer must not keep the others from a connection.
 */
const connections = { maxOrigins: 4_096, socketsPerOrigin: 2_560, requestsPerOrigin: 4_096 } as const;

export function startOutbound(host: Host): Outbound {
  const { clock, config } = host;
  const http = createGuardedHttp({ clock, devOrigins: config.devCallbacks, ...connections });
  host.onStop(() => http.close());
  const engine = createEngine(host);
  host.every('send-due', second, () => engine.sweep());
  host.every('renew-leases', 10 * second, () => engine.renew());
  host.onDrain(() => engine.stop());
  return { ...engine, http, post: (posting) => post({ clock, http }, posting) };
}
