import type { RpcServer } from '@hearth/rpc/grpc';
import type { Logger } from '@hearth/telemetry';
import type { Readiness } from './readiness.ts';

/** Says by the health protocol whether the parts behind this process answer, and in the log when that changes. */
export function createTellHealth(
  check: () => Promise<Readiness>,
  server: Pick<RpcServer, 'setReady'>,
  log: Pick<Logger, 'info' | 'warn'>,
): () => Promise<void> {
  let told = true;
  let inHand: Promise<void> | undefined;

  async function tell(): Promise<void> {
    const { ok, reasons } = await check();
    server.setReady(ok);
    if (ok === told) return;
    told = ok;
    if (ok) log.info('ready again');
    else log.warn({ reasons }, 'not ready');
  }

  return () => {
    inHand ??= tell().finally(() => {
      inHand = undefined;
    });
    return inHand;
  };
}
