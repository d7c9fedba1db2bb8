import { second } from '@hearth/clock';
import { createGuardedHttp } from '@hearth/guarded-http';
import type { Host } from '@hearth/runtime';
import type { Outbound } from '../shared/domain/outbound.ts';
import { createEngine } from './actions/engine.ts';
import { post } from './actions/post.ts';

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
  const { add, poke } = engine;
  return { add, poke, http, post: (posting) => post({ clock, http }, posting) };
}
