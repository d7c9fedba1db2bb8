import type { RpcServer } from '@hearth/rpc/grpc';
import type { Logger } from '@hearth/telemetry';
import type { Readiness } from './readiness.ts';

/** Reports by the health protocol whether this process's database and bus answer, and logs changes. */
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
